"""Read a text as it is written, in the steps in which canonical text comes to its number words."""

from voicebench.scoring.folding import fold
from voicebench.scoring.number_words import with_digits
from voicebench.scoring.tokens import tokens


def read(text: str, lang: str | None) -> str:
    return with_digits(" ".join(tokens(fold(text))), lang)


def unchanged(text: str, lang: str | None) -> bool:
    return read(text, lang) == " ".join(tokens(fold(text)))
