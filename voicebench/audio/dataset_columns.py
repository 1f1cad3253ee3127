"""The columns of an exported data set: what each clip becomes in it, and how Hugging Face reads it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from voicebench.errors import MissingExtraError, UserError
from voicebench.types import ManifestRow, ModelRef, Task

AUDIO = "audio"

COLUMNS: Mapping[str, tuple[str, str]] = {
    "id": ("string", "task, turn and condition: unique"),
    AUDIO: ("audio", "the clip, a WAV file"),
    "task_id": ("string", "the task"),
    "task": ("string", "kind of task; null where the task was not at hand"),
    "turn": ("int32", "index of the turn in the task"),
    "condition": ("string", "`speech`, or `speech/EFFECT`"),
    "lang": ("string", "language of the task"),
    "text": ("string", "the turn as it is written in the task; null where the task was not at hand"),
    "spoken_text": ("string", "what is said aloud, figures in words"),
    "voice_id": ("string", "the voice that is heard"),
    "voice_source": ("string", "where the voice is from"),
    "voice_licence": ("string", "the licence that its source states"),
    "synthesizer": ("string", "what spoke"),
    "synthesizer_revision": ("string", "its revision"),
    "converter": ("string", "what changed the voice, null where nothing did"),
    "converter_revision": ("string", "its revision"),
    "encoder": ("string", "what the voices were chosen by, null where nothing did"),
    "encoder_revision": ("string", "its revision"),
    "effects": ("string", "what happened to the clip on its way, each effect with its parameters (JSON)"),
    "seed": ("int64", "what was drawn at random follows from it"),
    "sample_rate_hz": ("int32", "of the clip"),
    "duration_s": ("float64", "of the clip"),
    "checks": ("string", "what was measured on the clip (JSON)"),
    "sha256": ("string", "of the clip's bytes"),
}
"""Name of each column, its type and its meaning."""

_INTEGERS = range(-(1 << 63), 1 << 63)


@dataclass(frozen=True)
class Item:
    """A clip and the task that it is of.

    Attributes:
        row: Its line of the manifest.
        task: The task, None where it is not at hand.
    """

    row: ManifestRow
    task: Task | None = None

    @property
    def id(self) -> str:
        """Task, turn and condition."""
        return f"{self.row.task_id}/{self.row.turn}/{self.row.condition}"

    @property
    def text(self) -> str | None:
        """The turn as it is written in the task."""
        if self.task is None or not 0 <= self.row.turn < len(self.task.turns):
            return None
        return self.task.turns[self.row.turn].text


def values_of(item: Item, clip: bytes) -> dict[str, Any]:
    """Return the value of each column.

    Args:
        item: The clip.
        clip: The bytes of its file.

    Raises:
        UserError: The seed is beyond 64 bits.
    """
    row = item.row
    if row.seed not in _INTEGERS:
        raise UserError(f"{item.id}: the seed {row.seed} does not fit into 64 bits")
    voice = row.voice
    values = {
        "id": item.id,
        "task_id": row.task_id,
        "task": item.task.task if item.task else None,
        "turn": row.turn,
        "condition": row.condition,
        "lang": row.lang,
        "text": item.text,
        "spoken_text": row.spoken_text,
        "voice_id": voice.id if voice else None,
        "voice_source": voice.source if voice else None,
        "voice_licence": voice.licence if voice else None,
        **_model("synthesizer", row.synthesizer),
        **_model("converter", row.converter),
        **_model("encoder", row.encoder),
        "effects": json.dumps(row.effects, ensure_ascii=False),
        "seed": row.seed,
        "sample_rate_hz": row.sample_rate_hz,
        "duration_s": row.duration_s,
        "checks": json.dumps(row.checks, ensure_ascii=False),
        "sha256": row.sha256,
    }
    # Half surrogates, which JSON can hold, are no text to Parquet.
    told = {
        name: value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
        for name, value in values.items()
    }
    return told | {AUDIO: {"bytes": clip, "path": row.path.rpartition("/")[2]}}


def schema(sample_rate_hz: int | None) -> Any:
    """Return the schema of the files (`pyarrow.Schema`), with what Hugging Face's libraries read of it.

    They take the types of columns from the key `huggingface` of its metadata, so that the clips are an audio
    column without further ado. In the file a clip is a struct of its bytes and the name of its file.

    Args:
        sample_rate_hz: The rate of all clips; None where they have several.

    Raises:
        MissingExtraError: pyarrow is not installed; the message is the install line.
    """
    pa = arrow()
    features: dict[str, dict[str, Any]] = {
        name: {"sampling_rate": sample_rate_hz, "_type": "Audio"}
        if kind == AUDIO
        else {"dtype": kind, "_type": "Value"}
        for name, (kind, _) in COLUMNS.items()
    }
    types = {
        AUDIO: pa.struct([("bytes", pa.binary()), ("path", pa.string())]), "string": pa.string(),
        "int32": pa.int32(), "int64": pa.int64(), "float64": pa.float64(),
    }  # fmt: skip
    metadata = {"huggingface": json.dumps({"info": {"features": features}})}
    return pa.schema([(name, types[kind]) for name, (kind, _) in COLUMNS.items()], metadata=metadata)


def plain_columns() -> Sequence[str]:
    """Return the columns of which many rows may have the same value: all but the clips."""
    return [name for name, (kind, _) in COLUMNS.items() if kind != AUDIO]


def arrow() -> Any:
    """Return the package `pyarrow`, with `pyarrow.parquet`.

    Raises:
        MissingExtraError: It is not installed; the message is the install line.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("the export to Parquet", "export", "pyarrow") from None
    return pyarrow


def _model(role: str, model: ModelRef | None) -> dict[str, str | None]:
    return {role: model.name if model else None, f"{role}_revision": model.revision if model else None}
