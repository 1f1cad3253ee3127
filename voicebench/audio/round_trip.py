"""The round trip: does an ASR hear in a clip what was to be said?

Both sides are brought to one form first. It keeps every letter, vowel sign and tone mark; a normaliser that
drops marks, as Whisper's does, would take हिन्दी for हन्दी. Figures that an ASR writes become words by the same
rules by which the text was made speakable.
"""

import re
import unicodedata
from functools import lru_cache

from voicebench.audio.spoken import spoken

SCRIPTS = {
    "en": "LATIN", "vi": "LATIN", "id": "LATIN", "fil": "LATIN", "hi": "DEVANAGARI", "mr": "DEVANAGARI",
    "bn": "BENGALI", "as": "BENGALI", "ta": "TAMIL", "te": "TELUGU", "ml": "MALAYALAM", "kn": "KANNADA",
    "gu": "GUJARATI", "pa": "GURMUKHI", "or": "ORIYA", "th": "THAI", "zh": "CJK",
}  # fmt: skip
"""The script of each language, as the names of its letters in Unicode begin."""

_UNSPACED = frozenset({"th", "zh"})
_DIGITS_TOGETHER = re.compile(r"(?<=\d)(?=\d)")
_SINGLE_LETTERS = re.compile(r"\b([a-z]) (?=[a-z]\b)")
_REGIONS = (None, "IN")


def comparable(text: str, lang: str) -> str:
    """Return a text as two are compared: letters, marks and figures in NFC, without case or punctuation.

    Single Latin letters are joined ("o t p" is "otp"). In Thai and Chinese, which write no spaces between
    words, there are none.
    """
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    kept = [_kept(character) for character in folded]
    words = "".join(kept).split()
    return "".join(words) if lang in _UNSPACED else _SINGLE_LETTERS.sub(r"\1", " ".join(words))


def character_error_rate(text: str, heard: str, lang: str) -> float:
    """Return how many characters were heard wrongly, for each of the text's (0 is perfect; may exceed 1).

    (substitutions + deletions + insertions) / characters of `text`, both as `comparable` writes them,
    combining marks counted as characters. Figures in `heard` may be read as a number or one by one, and
    counted as in India or not; the reading that is nearest counts. Where the text holds nothing to compare, 0
    if nothing was heard, else 1.

    Args:
        text: What was to be said, in words.
        heard: What an ASR wrote down.
        lang: Language of both.
    """
    wanted = comparable(text, lang)
    readings = _readings(heard, lang)
    if not wanted:
        return 0.0 if "" in readings else 1.0
    return min(distance(wanted, reading) for reading in readings) / len(wanted)


def script_share(text: str, heard: str, lang: str) -> float | None:
    """Return the share of the letters heard that are in a script of the text's.

    Args:
        text: What was to be said; its Latin letters, in another language, allow Latin ones.
        heard: What an ASR wrote down.
        lang: The language.

    Returns:
        0 to 1; None where no letter was heard, or the language's script is not known here.
    """
    if lang not in SCRIPTS:
        return None
    allowed = {SCRIPTS[lang]} | ({"LATIN"} if "LATIN" in _scripts(text) else set())
    letters = _scripts(heard)
    return sum(script in allowed for script in letters) / len(letters) if letters else None


def distance(one: str, other: str) -> int:
    """Return the edit distance of two strings (bit-parallel, Myers 1999 in the form of Hyyrö 2003)."""
    if not one:
        return len(other)
    places: dict[str, int] = {}
    for index, character in enumerate(one):
        places[character] = places.get(character, 0) | 1 << index
    every, last = (1 << len(one)) - 1, 1 << len(one) - 1
    # Bit i says whether the distance rises (more) or falls (less) from row i to the next of a column.
    more, less, score = every, 0, len(one)
    for character in other:
        here = places.get(character, 0)
        diagonal = (((here & more) + more) ^ more) | here | less
        rises, falls = less | ~(diagonal | more) & every, diagonal & more
        score += bool(rises & last) - bool(falls & last)
        rises, falls = rises << 1 | 1, falls << 1
        more, less = (falls | ~(diagonal | rises)) & every, rises & diagonal & every
    return score


def _readings(heard: str, lang: str) -> set[str]:
    if not any(character.isdecimal() for character in heard):
        return {comparable(heard, lang)}
    apart = _DIGITS_TOGETHER.sub(" ", heard)
    said = {spoken(text, lang, region=region) for text in (heard, apart) for region in _REGIONS}
    return {comparable(text, lang) for text in said}


@lru_cache(maxsize=4096)
def _kept(character: str) -> str:
    kind = unicodedata.category(character)
    if kind[0] in "LMN":
        return character
    # A format character, such as a joiner, is part of the word; an apostrophe, too.
    return "" if kind == "Cf" or character in "'’" else " "


def _scripts(text: str) -> list[str]:
    return [_script(character) for character in text if character.isalpha()]


@lru_cache(maxsize=4096)
def _script(letter: str) -> str:
    return unicodedata.name(letter, "?").split()[0].partition("-")[0]
