"""One written form for strings that say the same: case, width, native digits, quotes, spaces, punctuation.

Nothing is stemmed, transliterated or searched for inside something else, and no vowel sign is ever lost. What
makes a different number stays: its sign, its decimal point, its magnitude.
"""

import re
import unicodedata
from functools import lru_cache

_DASHES_AND_MARKS = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-"),
        **dict.fromkeys("\u2044\u2215", "/"),
        "\u066b": ".",
        "\u066c": ",",
    }
)
# Older text writes these as consonant, virama and joiner; once the joiner is dropped, they must agree.
_JOINED_LETTERS = str.maketrans({"ൺ": "ണ്", "ൻ": "ന്", "ർ": "ര്", "ൽ": "ല്", "ൾ": "ള്", "ൿ": "ക്", "ৎ": "ত্"})
_APOSTROPHES = frozenset("'\u2018\u2019\u02bc\u0060\u00b4")
_KEPT_BEFORE_DIGITS = frozenset(".,-/:")
_ADDRESS = re.compile(r"\S@\S|://")
_CURRENCY = re.compile(
    r"([\$\u00a2-\u00a5\u20a0-\u20cf])\s*(?=[-+.]?\d)|(?<=\d)\s*([\$\u00a2-\u00a5\u20a0-\u20cf])"
)
_LOOSE_SIGN = re.compile(r"^-\s+(?=[.\d])")
_LOOSE_PERCENT = re.compile(r"(?<=\d)\s+(?=%)")
_THOUSANDS = re.compile(
    r"(?<![\d.,])(?:\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})+,\d{3})(?!\d|,\d)"  # western, then Indian groups
)
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?")
_LONGEST_KEPT = 256
_LONGEST_NUMBER = 40


def same_text(one: str, other: str) -> bool:
    """Tell whether two strings say the same.

    A currency sign at a number may be missing from one of them ("₹500" and "500"); two different ones never
    match.
    """
    if one == other:
        return True
    words, signs = _canonical(one)
    other_words, other_signs = _canonical(other)
    return words == other_words and (signs == other_signs or not signs or not other_signs)


def canonical_text(text: str) -> str:
    """Return the form in which strings are compared, without the currency signs of its numbers.

    Unicode NFKC and casefold; decimal digits of every script as ASCII; format characters (ZWJ, ZWNJ, …)
    dropped; apostrophes dropped, other punctuation read as a space, except `. , - / :` between or directly
    before digits and `%` after one; thousands groups closed; spaces collapsed. An e-mail address or URL keeps
    its punctuation, and so does a string of nothing else.
    """
    return _canonical(text)[0]


def as_number(text: str) -> int | float | None:
    """Return the number that a whole string writes in digits, a currency sign beside it allowed, or None."""
    if len(text) > _LONGEST_NUMBER:
        return None
    written = canonical_text(text)
    if not _NUMBER.fullmatch(written):
        return None
    return int(written) if re.fullmatch(r"[-+]?\d+", written) else float(written)


def ascii_digits(text: str) -> str:
    """Return a string in NFKC with the decimal digits of every script as ASCII digits."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", _space_before_small_numbers(text))
    return "".join(str(unicodedata.decimal(char, char)) for char in text)


def _canonical(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the canonical text and the currency signs of its numbers, in their order."""
    return _canonical_kept(text) if len(text) <= _LONGEST_KEPT else _canonical_long(text)


def _canonical_new(text: str) -> tuple[str, tuple[str, ...]]:
    folded = ascii_digits(ascii_digits(text).casefold())
    if not folded.isascii():
        folded = folded.translate(_JOINED_LETTERS).translate(_DASHES_AND_MARKS)
        folded = "".join(char for char in folded if unicodedata.category(char) != "Cf")
        folded = unicodedata.normalize("NFC", folded)
    folded = " ".join(folded.split())
    if _ADDRESS.search(folded):
        return folded, ()
    signs = tuple(before or after for before, after in _CURRENCY.findall(folded))
    folded = _LOOSE_PERCENT.sub("", _LOOSE_SIGN.sub("-", _CURRENCY.sub("", folded).strip()))
    bare = " ".join(_without_punctuation(folded).split())
    return (_numbers(bare), signs) if bare or signs else (folded, ())


_canonical_kept = lru_cache(maxsize=8192)(_canonical_new)
# A long string is compared with every accepted value in turn; a few are enough to remember.
_canonical_long = lru_cache(maxsize=4)(_canonical_new)


def _without_punctuation(text: str) -> str:
    kept = []
    for index, char in enumerate(text):
        if char in _APOSTROPHES:
            continue
        of_a_number = (char in _KEPT_BEFORE_DIGITS and text[index + 1 : index + 2].isdecimal()) or (
            char == "%" and text[index - 1 : index].isdecimal()
        )
        kept.append(char if of_a_number or not unicodedata.category(char).startswith("P") else " ")
    return "".join(kept)


def _numbers(text: str) -> str:
    """Write every number one way. Number words, lakh and crore belong here."""
    return _THOUSANDS.sub(lambda match: match.group().replace(",", ""), text)


def _space_before_small_numbers(text: str) -> str:
    # NFKC would turn 5² into 52 and 1½ into 11/2.
    return "".join(
        f" {char}" if index and unicodedata.category(char) == "No" and text[index - 1].isdecimal() else char
        for index, char in enumerate(text)
    )
