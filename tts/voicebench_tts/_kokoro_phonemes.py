"""Text to the phoneme symbols that Kokoro was trained on, by way of espeak-ng's IPA.

Kokoro reads one symbol for each diphthong and affricate, American English without length marks, and the
punctuation between clauses. The symbols are those of its vocabulary; the correspondences follow the published
description of its phoneme set (misaki, EN_PHONES.md).
"""

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence

from voicebench_tts import _espeak

ESPEAK_VOICES = {"en-us": "en-us", "en-gb": "gmw/en", "hi": "hi", "zh": "cmn"}
"""The accents that can be said, and espeak-ng's voice for each."""

LONGEST = 400
"""Symbols a chunk may have: the model takes 510, and hurries well before that."""

_SHARED = {
    "eɪ": "A", "aɪ": "I", "aʊ": "W", "ɔɪ": "Y", "dʒ": "ʤ", "tʃ": "ʧ", "ts": "ʦ", "dz": "ʣ",
    "aɪɚ": "Iəɹ", "aɪə": "Iə", "aʊə": "Wə",
}  # fmt: skip
_AMERICAN = _SHARED | {
    "oʊ": "O", "ɐ": "ə", "ɚ": "əɹ", "ɜː": "ɜɹ", "əl": "ᵊl", "n̩": "ᵊn", "m̩": "ᵊm", "l̩": "ᵊl", "ʔ": "t",
    "ɾ": "T", "r": "ɹ", "x": "k", "ɬ": "l",
}  # fmt: skip
_BRITISH = _SHARED | {
    "əʊ": "Q", "eə": "ɛː", "iə": "ɪə", "ɐ": "ə", "əl": "ᵊl", "n̩": "ᵊn", "m̩": "ᵊm", "l̩": "ᵊl", "r": "ɹ",
    "x": "k", "ɬ": "l",
}  # fmt: skip
_OTHER = _SHARED | {"oʊ": "O", "əʊ": "Q"}
_TABLES: Mapping[str, Mapping[str, str]] = {"en-us": _AMERICAN, "en-gb": _BRITISH, "hi": _OTHER, "zh": _OTHER}

_MARKS = str.maketrans({"।": ".", "॥": ".", "。": ".", "！": "!", "？": "?", "，": ",", "、": ",", "；": ";"})
# A mark ends a clause only before a space or the end, so "3.5" and "a.m." stay whole.
_CLAUSE_END = re.compile(r"([.,!?;:…—]+)(?=\s|$)")
_BREAKS = (r"(?<=[.!?…]) ", r"(?<=[,;:—]) ", r" ")
_STRESS = "ˈˌ"
_LANGUAGE_SWITCH = re.compile(r"\([a-z-]+\)")


def chunks(text: str, accent: str, vocabulary: Collection[str], longest: int = LONGEST) -> list[str]:
    """Return the phonemes of a text, in pieces that Kokoro can say at once.

    Args:
        text: Spoken-form text.
        accent: A key of `ESPEAK_VOICES`.
        vocabulary: The symbols the model knows; others are left out.
        longest: Symbols a piece may have; it ends with a sentence, else with a clause, else with a word.

    Returns:
        The pieces in order; none where nothing in the text can be said.
    """
    # Ideographic marks have no space behind them, so each gets one.
    parts = _CLAUSE_END.split(re.sub(r"([。！？，、；])", r"\1 ", text).translate(_MARKS))
    said = []
    for clause, mark in zip(parts[0::2], [*parts[1::2], ""], strict=True):
        phonemes = _clause(clause, accent, vocabulary)
        if phonemes:
            said.append(phonemes + (mark[:1] if mark[:1] in vocabulary else ""))
    return _fitted(" ".join(said), longest, _BREAKS) if said else []


def _clause(clause: str, accent: str, vocabulary: Collection[str]) -> str:
    table = _TABLES[accent]
    words = []
    for word in _espeak.phonemes(clause, ESPEAK_VOICES[accent]):
        symbols = "".join(_symbols(_LANGUAGE_SWITCH.sub("", phoneme), table) for phoneme in word)
        symbols = symbols.replace("ɹɹ", "ɹ")
        if accent == "en-us":
            symbols = symbols.replace("ː", "")
        words.append("".join(_known(symbol, vocabulary) for symbol in symbols))
    return " ".join(word for word in words if word.strip(_STRESS))


def _symbols(phoneme: str, table: Mapping[str, str]) -> str:
    bare = phoneme.lstrip(_STRESS)
    return phoneme[: len(phoneme) - len(bare)] + table.get(bare, bare)


def _known(symbol: str, vocabulary: Collection[str]) -> str:
    if symbol in vocabulary:
        return symbol
    # A nasal vowel such as "ẽ" is one letter here and two symbols there.
    return "".join(part for part in unicodedata.normalize("NFD", symbol) if part in vocabulary)


def _fitted(phonemes: str, longest: int, breaks: Sequence[str]) -> list[str]:
    if len(phonemes) <= longest:
        return [phonemes]
    if not breaks:
        return [phonemes[start : start + longest] for start in range(0, len(phonemes), longest)]
    pieces: list[str] = []
    for part in re.split(breaks[0], phonemes):
        if pieces and len(pieces[-1]) + 1 + len(part) <= longest:
            pieces[-1] += " " + part
        else:
            pieces += _fitted(part, longest, breaks[1:])
    return pieces
