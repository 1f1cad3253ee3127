"""The files of a voices folder: `voices.jsonl`, `rejected.jsonl` and the rows of an embedding cache."""

from typing import Any, Literal

from pydantic import Field

from voicebench.types import ModelRef, Row, Voice

RejectionKind = Literal[
    "unreadable", "silent", "short", "rate", "clipped", "noisy", "licence", "source", "duplicate", "spare"
]


class VoiceRow(Row):
    """A line of voices.jsonl: one reference recording.

    Attributes:
        id: Unique in the folder.
        speaker: Who speaks, as the source names them; unique within it.
        path: The recording, relative to the folder.
        sha256: Of the recording's file.
        lang: The language that is spoken, None where unknown.
        gender: "female", "male" or None.
        licence: The recording's licence, as whoever added it stated it.
        source: The corpus or the synthesizer.
        origin: Which recording of the source it is.
        duration_s: Length in seconds.
        checks: speech_s, snr_db (None without a pause to hear the noise in), lufs, clipped, original_rate_hz.
    """

    id: str = Field(min_length=1)
    speaker: str = Field(min_length=1)
    path: str
    sha256: str
    lang: str | None = None
    gender: Literal["female", "male"] | None = None
    licence: str = Field(min_length=1)
    source: str = Field(min_length=1)
    origin: str
    duration_s: float
    checks: dict[str, Any] = Field(default_factory=dict)

    @property
    def voice(self) -> Voice:
        """The speaker, as a manifest names voices."""
        return Voice(id=self.id, source=self.source, licence=self.licence, lang=self.lang, gender=self.gender)


class RejectedRow(Row):
    """A line of rejected.jsonl: a recording that is no reference voice, and why."""

    origin: str
    source: str | None = None
    speaker: str | None = None
    kind: RejectionKind
    reason: str


class EmbeddingRow(Row):
    """A line of an embedding cache: a recording's place in speaker space (base64, little-endian float32)."""

    sha256: str
    encoder: ModelRef
    embedding: str
