"""A recording as a source offers it, before anybody has listened to it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from voicebench.types import Audio

Gender = Literal["female", "male"]

_GENDERS: Mapping[str, Gender] = {
    "f": "female", "female": "female", "female_feminine": "female", "woman": "female",
    "m": "male", "male": "male", "male_masculine": "male", "man": "male",
}  # fmt: skip
_LANGUAGES = {
    "english": "en", "hindi": "hi", "bengali": "bn", "bangla": "bn", "marathi": "mr", "tamil": "ta",
    "telugu": "te", "malayalam": "ml", "gujarati": "gu", "kannada": "kn", "vietnamese": "vi", "thai": "th",
    "indonesian": "id", "filipino": "fil", "tagalog": "fil", "tl": "fil", "chinese": "zh", "mandarin": "zh",
    "zh-cn": "zh",
}  # fmt: skip


@dataclass(frozen=True)
class Recording:
    """One recording of one speaker.

    Attributes:
        origin: Which recording of its source it is; unique there.
        speaker: Who speaks, unique within the source.
        source: The corpus or the synthesizer; None where nobody said.
        licence: Its licence; None where nobody said.
        load: Reads it; a UserError says why it cannot be read.
        lang: Language code, None where unknown.
        gender: "female", "male" or None.
        notes: What else is known; kept among the voice's checks.
    """

    origin: str
    speaker: str
    source: str | None
    licence: str | None
    load: Callable[[], Audio]
    lang: str | None = None
    gender: Gender | None = None
    notes: Mapping[str, Any] = field(default_factory=dict)


def gender_of(value: object) -> Gender | None:
    """Return a corpus' word for a gender as ours; None for every other."""
    return _GENDERS.get(str(value).strip().lower())


def language_of(value: object) -> str | None:
    """Return a corpus' word for a language as a code; an unknown word stays, an empty one is None."""
    word = str(value or "").strip().lower()
    return _LANGUAGES.get(word, word) or None
