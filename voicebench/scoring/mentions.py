"""Whether a value is said in a text, word for word, and how far two texts are apart, in any script.

Cautious by design: what cannot be looked up (a truth value, an empty text, a value from an earlier call) is
never said, and neither is a number inside another one.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from voicebench.scoring.markers import is_marker
from voicebench.scoring.text import canonical_text

_IN_NUMBERS = ".,-/:"
_BLANK_BETWEEN_DIGITS = re.compile(r"(?<=\d) (?=\d)")
_DIGITS = re.compile(r"\d+")
_FEWEST_SPELLED_DIGITS = 3
_FEWEST_STEM_LETTERS = 3
_SHARE_OF_A_SCRIPT = 0.1
_UNSPACED = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3040, 0x30FF), (0x3400, 0x9FFF),
    (0xF900, 0xFAFF), (0x20000, 0x3FFFF),
)  # fmt: skip
_JOINS_SUFFIXES = (0x0980, 0x0DFF)
"""Bengali to Sinhala. Not Devanagari: Hindi joins nothing to a name, and "कमल" is not said in "कमला"."""


def mentioned(value: Any, text: str, lang: str | None = None) -> bool:
    """Tell whether a value stands in a text as words of its own.

    Both are compared in their canonical form (`voicebench.scoring.text`). Where a script has no spaces (Thai,
    Chinese, …) any place between two letters is an end of a word. In the scripts of Bengali, Tamil, Telugu,
    Kannada, Malayalam and Gujarati a name of three letters or more may carry a suffix ("ஜெயநகர்" in
    "ஜெயநகரிலிருந்து"). Digits that are spelled one by one ("4 5 8 2")
    say the number "4582". Of a list or an object every leaf must be there.

    Args:
        value: A JSON value.
        text: What is said.
        lang: Language code, for its number words; None reads what is the same in every language.
    """
    leaves = _leaves(value) or []
    words = canonical_text(text, lang)
    return bool(leaves) and all(_said(canonical_text(leaf, lang), words) for leaf in leaves)


def distance(said: str, heard: str, lang: str | None = None) -> float | None:
    """Return the share of letters in which two texts differ, spaces apart; None where scripts differ.

    The Levenshtein distance of the canonical texts ÷ the letters of `said` (a character error rate, so it may
    pass 1). A text that is romanised or written in another script cannot be compared letter by letter: of the
    scripts with a tenth of the letters or more, both must have the same. Nothing heard is a distance of 1.
    """
    one, other = (canonical_text(text, lang).replace(" ", "") for text in (said, heard))
    if one == other:
        return 0.0
    if not one:
        return None
    if not other:
        return 1.0
    return edits(one, other) / len(one) if _scripts(one) == _scripts(other) else None


def numbers(text: str, lang: str | None = None) -> int:
    """Return how many numbers a text writes in digits of any script, or in words that can be read."""
    return len(_DIGITS.findall(canonical_text(text, lang)))


def edits(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the Levenshtein distance: the fewest insertions, deletions and replacements.

    Bit-parallel: G. Myers, "A fast bit-vector algorithm for approximate string matching based on dynamic
    programming", JACM 46 (1999), in H. Hyyrö's form for whole strings (2003).
    """
    if not one:
        return len(other)
    places: dict[str, int] = {}
    for i, letter in enumerate(one):
        places[letter] = places.get(letter, 0) | 1 << i
    every, last = (1 << len(one)) - 1, 1 << (len(one) - 1)
    more, less, found = every, 0, len(one)
    for letter in other:
        same = places.get(letter, 0)
        diagonal = (((same & more) + more) ^ more) | same | less
        up, down = less | ~(diagonal | more) & every, more & diagonal
        found += bool(up & last) - bool(down & last)
        up, down = (up << 1 | 1) & every, down << 1 & every
        more, less = down | ~(diagonal | up) & every, up & diagonal
    return found


def _leaves(value: Any) -> list[str] | None:
    """Return the texts of a value's leaves; None where one of them cannot be looked up in a text."""
    if isinstance(value, str):
        return [value] if canonical_text(value) else None
    if isinstance(value, bool) or value is None or is_marker(value):
        return None
    if isinstance(value, int | float):
        return [str(int(value)) if value == int(value) else repr(value)] if abs(value) < 1e15 else None
    if not isinstance(value, dict | list | tuple):
        return None
    inside = value.values() if isinstance(value, dict) else value
    found: list[str] = []
    for item in inside:
        leaves = _leaves(item)
        if leaves is None:
            return None
        found += leaves
    return found


def _said(value: str, text: str) -> bool:
    if not value:
        return False
    if _in_words(value, text):
        return True
    digits = value.replace(" ", "")
    if digits.isdecimal() and len(digits) >= _FEWEST_SPELLED_DIGITS:
        return _in_words(digits, _BLANK_BETWEEN_DIGITS.sub("", text))
    return False


def _in_words(value: str, text: str) -> bool:
    stem = _stem(value)
    sought = value if stem is None else stem
    start = text.find(sought)
    while start >= 0:
        if _parts(text, start) and (stem is not None or _parts(text, start + len(value))):
            return True
        start = text.find(sought, start + 1)
    return False


def _stem(value: str) -> str | None:
    """Return what suffixes are joined to (a last virama or anusvara gives way); None where none may be."""
    letters = sum(_within(char, _JOINS_SUFFIXES) and unicodedata.category(char) == "Lo" for char in value)
    if letters < _FEWEST_STEM_LETTERS or not _within(value[-1], _JOINS_SUFFIXES) or value[-1].isdecimal():
        return None
    last = unicodedata.name(value[-1], "")
    return value[:-1] if last.endswith(("SIGN VIRAMA", "SIGN ANUSVARA")) else value


def _parts(text: str, place: int) -> bool:
    """Tell whether a word may end or begin between two characters of a canonical text."""
    if place in (0, len(text)):
        return True
    before, after = text[place - 1], text[place]
    if unicodedata.category(after).startswith("M"):
        return False
    if after in _IN_NUMBERS and before.isdecimal() and text[place + 1 : place + 2].isdecimal():
        return False
    if before in _IN_NUMBERS and after.isdecimal():
        return False
    if any(_within(char, span) for span in _UNSPACED for char in (before, after)):
        return True
    if before.isdecimal() != after.isdecimal():
        return True
    return not (_of_a_word(before) and _of_a_word(after))


def _of_a_word(char: str) -> bool:
    return unicodedata.category(char)[0] in "LMN"


def _within(char: str, span: tuple[int, int]) -> bool:
    return span[0] <= ord(char) <= span[1]


def _scripts(text: str) -> frozenset[str]:
    """Return the scripts that have a tenth of a text's letters or more."""
    found: dict[str, int] = {}
    for char in text:
        if unicodedata.category(char).startswith("L"):
            script = unicodedata.name(char, "").partition(" ")[0]
            found[script] = found.get(script, 0) + 1
    least = _SHARE_OF_A_SCRIPT * sum(found.values())
    return frozenset(script for script, n in found.items() if n >= least)
