"""What agents can be given: the clips of an audio folder and the transcripts beside them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from voicebench.audio.build import FAILURES, MANIFEST, VOICES
from voicebench.errors import UserError, did_you_mean
from voicebench.files import read_rows
from voicebench.types import FailureRow, ManifestRow, TranscriptRow

TRANSCRIPTS = "transcripts.jsonl"
Place = tuple[str, int, str]
"""(task id, turn, condition) of a clip."""


@dataclass(frozen=True)
class Materials:
    """Clips, failures and transcripts, by place.

    Attributes:
        folder: The audio folder, or None where only text is asked for.
        clips: Manifest rows.
        failures: Clips that could not be made.
        transcripts: Rows by ASR name and place; only those of the clip as it is now.
        encoder_reason: Why the voices were chosen by this encoder, where nobody named one.
    """

    folder: Path | None = None
    clips: Mapping[Place, ManifestRow] = field(default_factory=dict)
    failures: Mapping[Place, FailureRow] = field(default_factory=dict)
    transcripts: Mapping[str, Mapping[Place, TranscriptRow]] = field(default_factory=dict)
    encoder_reason: str | None = None


def read_materials(folder: Path) -> Materials:
    """Read an audio folder as `voicebench build-audio` and `transcribe` leave it.

    Raises:
        UserError: There is no manifest in it, or a row is wrong.
    """
    if not (folder / MANIFEST).is_file():
        raise UserError(f"{folder}: no {MANIFEST} here. Run: voicebench build-audio --out {folder}")
    clips = {place_of(row): row for row in read_rows(folder / MANIFEST, ManifestRow, tolerate_torn_end=True)}
    failures: dict[Place, FailureRow] = {}
    if (folder / FAILURES).is_file():
        rows = read_rows(folder / FAILURES, FailureRow, tolerate_torn_end=True)
        failures = {place_of(row): row for row in rows}
    transcripts: dict[str, dict[Place, TranscriptRow]] = {}
    for row in read_transcripts(folder):
        clip = clips.get(place_of(row))
        if row.audio_sha256 is None or (clip is not None and clip.sha256 == row.audio_sha256):
            transcripts.setdefault(row.asr.name, {})[place_of(row)] = row
    return Materials(folder, clips, failures, transcripts, _encoder_reason(folder / VOICES))


def _encoder_reason(path: Path) -> str | None:
    """Return the reason that the choice of voices gives for its encoder; None where it gives none."""
    try:
        choices = json.loads(path.read_text(encoding="utf-8")).values()
        reasons = [choice.get("encoder_reason") for choice in choices]
    except (OSError, ValueError, AttributeError):
        return None
    return next((reason for reason in reasons if isinstance(reason, str)), None)


def read_transcripts(folder: Path) -> list[TranscriptRow]:
    """Read the transcripts of an audio folder; empty where there are none.

    Raises:
        UserError: A row is wrong.
    """
    path = folder / TRANSCRIPTS
    return read_rows(path, TranscriptRow, tolerate_torn_end=True) if path.is_file() else []


def place_of(row: ManifestRow | FailureRow | TranscriptRow) -> Place:
    """Return the place of a row."""
    return (row.task_id, row.turn, row.condition)


def heard_by(condition: str) -> str | None:
    """Return the ASR's name of a `transcript:ASR` condition, else None."""
    kind, _, asr = condition.partition(":")
    return asr if kind == "transcript" and asr else None


def is_speech(condition: str) -> bool:
    """Whether the agent hears clips under this condition."""
    return condition == "speech" or condition.startswith("speech/")


def check_condition(condition: str) -> None:
    """Refuse a condition that is none.

    Raises:
        UserError: It is not `text`, `transcript:ASR`, `speech` or `speech/EFFECT`.
    """
    if condition == "text" or is_speech(condition) or heard_by(condition):
        return
    known = ("text", "speech", "speech/noise-10dB", "transcript:whisper-base")
    raise UserError(f"unknown condition {condition!r}.{did_you_mean(condition, known)}")
