"""Text to what is said aloud: figures, dates, amounts and symbols become words before synthesis.

A synthesizer that is given "OTP 4582" or "₹1,50,000" reads it as it likes, and what an agent then hears is no
longer the task's doing. `spoken` is pure and idempotent, and what it returns for a language in `LANGUAGES`
holds no digit.

A language is one class in one file (`english.py`, `hindi.py`); adding one means writing it and naming it in
`LANGUAGES`. Text in other languages keeps its figures, for the synthesizer to read.
"""

from voicebench.audio.spoken.english import English
from voicebench.audio.spoken.hindi import Hindi
from voicebench.audio.spoken.language import Language
from voicebench.audio.spoken.rules import clean, say

LANGUAGES: dict[str, Language] = {language.code: language for language in (English(), Hindi())}
"""Languages whose figures are spoken here."""

__all__ = ["LANGUAGES", "Language", "spoken"]


def spoken(text: str, lang: str, *, region: str | None = None) -> str:
    """Return a text as it is said aloud.

    Args:
        text: What is written.
        lang: Language code; a language that is not in `LANGUAGES` keeps its figures.
        region: Country code. "IN" counts in lakh and crore; "US" reads 3/4/2023 as the fourth of March.

    Returns:
        The text with single spaces; "" where there is nothing to say.
    """
    language = LANGUAGES.get(lang.split("-")[0])
    if language is None:
        return clean(text)
    return say(clean(text), language, region)
