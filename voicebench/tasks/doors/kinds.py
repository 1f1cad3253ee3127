"""Which of our kinds of task an item of another set is, and in which language its words are."""

from collections.abc import Sequence
from typing import Any

from voicebench.tasks.doors.contract import NoTask
from voicebench.tasks.language import script_shares
from voicebench.tasks.structure import RETRIEVAL_TOOLS
from voicebench.types import Expect, TaskKind

LANGUAGE_CODES = {
    "english": "en", "hindi": "hi", "bengali": "bn", "bangla": "bn", "marathi": "mr", "tamil": "ta",
    "telugu": "te", "malayalam": "ml", "gujarati": "gu", "kannada": "kn", "punjabi": "pa", "odia": "or",
    "assamese": "as", "urdu": "ur", "vietnamese": "vi", "thai": "th", "indonesian": "id", "filipino": "fil",
    "tagalog": "fil", "chinese": "zh", "mandarin": "zh",
}  # fmt: skip
"""Codes of languages by their English names."""

_LANGUAGE_OF_SCRIPT = {
    "cjk": "zh", "hiragana": "ja", "katakana": "ja", "hangul": "ko", "devanagari": "hi", "bengali": "bn",
    "tamil": "ta", "telugu": "te", "malayalam": "ml", "thai": "th", "cyrillic": "ru", "arabic": "ar",
}  # fmt: skip


def kind_of(expect: Expect, *, tools: int, turns: int) -> TaskKind:
    """Return the kind of a task by its form.

    Several calls are parallel, or sequential where their order counts; one call after several turns is a
    dialogue; one out of as many tools as our retrieval tasks offer is retrieval; else it is single.

    Args:
        expect: What is right.
        tools: How many tools are offered.
        turns: How many turns there are.
    """
    calls = len(expect.calls or ())
    if calls > 1:
        return "sequential" if expect.order == "sequence" else "parallel"
    if turns > 1:
        return "dialogue"
    low, high = RETRIEVAL_TOOLS
    return "retrieval" if calls == 1 and low <= tools <= high else "single"


def language_code(name: str) -> str:
    """Return the code of a language by its English name; a code stays.

    Raises:
        NoTask: The name is not known.
    """
    word = name.strip().lower()
    if word in LANGUAGE_CODES.values():
        return word
    if word not in LANGUAGE_CODES:
        raise NoTask("its language is not known", name)
    return LANGUAGE_CODES[word]


def language_of_script(texts: Sequence[Any], default: str) -> str:
    """Return the language that texts are in by their script alone; Latin letters say nothing.

    Args:
        texts: What the user says.
        default: What the set is said to be in.
    """
    shares = script_shares(" ".join(map(str, texts)))
    script = max(shares, key=lambda name: shares[name], default="latin")
    return _LANGUAGE_OF_SCRIPT.get(script.lower(), default)
