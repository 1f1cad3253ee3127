"""One written form for strings that say the same: letters, digits, punctuation, number words, currencies.

Nothing is stemmed, transliterated or searched for inside something else, and no vowel sign is ever lost. What
makes a different number stays: its sign, its decimal point, its magnitude. Each step has its module:
`folding` (letters), `abbreviations`, `tokens` (punctuation), `number_words`, `currency`. Names in two scripts
are a matter of `names`.
"""

import re
from functools import lru_cache

from voicebench.scoring.abbreviations import close_abbreviations
from voicebench.scoring.currency import Marks, agree, plain_marks, take_marks
from voicebench.scoring.folding import fold
from voicebench.scoring.number_words import with_digits
from voicebench.scoring.tokens import tokens

_ADDRESS = re.compile(r"\S@\S|://")
_THOUSANDS = re.compile(
    r"(?<![\d.,])(?:\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})+,\d{3})(?!\d|,\d)"  # western, then Indian groups
)
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?")
_WHOLE_NUMBER = re.compile(r"[-+]?\d+")
_UNSPACED = r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]"
_BETWEEN_UNSPACED = re.compile(rf"(?<={_UNSPACED}) (?={_UNSPACED})")
_DROPPED_INSIDE = re.compile("['`]")
_LONGEST_KEPT = 256
_LONGEST_NUMBER = 160


def same_text(one: str, other: str, lang: str | None = None) -> bool:
    """Tell whether two strings say the same.

    A currency at a number may be missing from one of them ("₹500", "500 रुपये" and "500"); two different ones
    never match.

    Args:
        one: A string.
        other: Another one.
        lang: Language code of the item, for its number words; None reads what is the same in every language.
    """
    if one == other:
        return True
    words, marks = _canonical(one, lang)
    other_words, other_marks = _canonical(other, lang)
    return words == other_words and agree(marks, other_marks)


def canonical_text(text: str, lang: str | None = None) -> str:
    """Return the form in which strings are compared, without the currencies of its numbers.

    Words, numbers and symbols, with one space between two: letters and digits as `folding` writes them;
    punctuation left out, but for what makes a number another one; abbreviations and thousands groups closed;
    number words in digits; percent as `%`. Where a script puts no spaces between words (Thai, Chinese), there
    are none. An e-mail address or URL keeps its punctuation, and so does a string of nothing else.
    """
    return _canonical(text, lang)[0]


def canonical_name(name: str) -> str:
    """Return the form in which names are looked up: as `canonical_text`, but nothing is read as a number."""
    return _BETWEEN_UNSPACED.sub("", _plain(name)[1])


def as_number(text: str, lang: str | None = None) -> int | float | None:
    """Return the number that a whole string writes, a currency beside it allowed; else None."""
    if len(text) > _LONGEST_NUMBER:
        return None
    written = canonical_text(text, lang)
    if not _NUMBER.fullmatch(written):
        return None
    return int(written) if _WHOLE_NUMBER.fullmatch(written) else float(written)


def _canonical(text: str, lang: str | None) -> tuple[str, Marks]:
    return _canonical_kept(text, lang) if len(text) <= _LONGEST_KEPT else _canonical_long(text, lang)


def _canonical_new(text: str, lang: str | None) -> tuple[str, Marks]:
    """Return the canonical text and the currencies of its numbers."""
    folded, plain = _plain(text)
    if _ADDRESS.search(folded):
        return folded, ()
    spaced = with_digits(plain, lang)
    words, marks = take_marks(spaced.split(), lang)
    bare = _BETWEEN_UNSPACED.sub("", " ".join(words))
    if bare != spaced or (bare != folded and _DROPPED_INSIDE.search(folded)):
        # What has come together may be another number or word than its parts were.
        bare, more = _canonical_new(bare, lang)
        marks = tuple(sorted({**dict(more), **dict(marks)}.items()))
    return (bare, marks) if bare else (folded, ())


_canonical_kept = lru_cache(maxsize=8192)(_canonical_new)
# A long string is compared with every accepted value in turn; a few are enough to remember.
_canonical_long = lru_cache(maxsize=4)(_canonical_new)


# A string is looked up as a name right after it was compared as a text.
@lru_cache(maxsize=64)
def _plain(text: str) -> tuple[str, str]:
    """Return the folded text, and its tokens with one space between two."""
    folded = fold(text)
    closed = _THOUSANDS.sub(_without_commas, plain_marks(close_abbreviations(folded)))
    return folded, " ".join(tokens(closed))


def _without_commas(match: re.Match[str]) -> str:
    return match.group().replace(",", "")
