"""Embeddings of reference voices, kept by the recording's hash and the encoder's name and revision."""

import base64
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from voicebench.audio.io import read_audio
from voicebench.audio.references.rows import EmbeddingRow, VoiceRow
from voicebench.audio.references.store import check_recordings
from voicebench.errors import UserError
from voicebench.files import Appender, read_rows, sha256_json
from voicebench.models import Progress, no_progress
from voicebench.protocols import SpeakerEncoder
from voicebench.types import ModelRef

log = logging.getLogger(__name__)
Floats = npt.NDArray[np.float32]

EMBEDDINGS = "embeddings"
# Recordings that are read and handed to the encoder at once; it makes batches of them as it likes.
_GROUP = 64


@dataclass(frozen=True, eq=False)
class Embedded:
    """Voices in speaker space.

    Attributes:
        encoder: What placed them there.
        embeddings: Shape (voices, d), float32, each row of unit length.
        made: How many were embedded now; the others were at hand.
    """

    encoder: ModelRef
    embeddings: Floats
    made: int


class EmbeddingCache:
    """The embeddings of one encoder at one revision, in a file that is only appended to.

    A row that a crash cut short is dropped, and embedded again.

    Args:
        folder: The voices folder.
        encoder: The encoder's name and revision; other revisions have files of their own.
    """

    def __init__(self, folder: Path, encoder: ModelRef) -> None:
        self.encoder = encoder
        self.path = folder / EMBEDDINGS / f"{encoder.name}-{sha256_json(encoder.model_dump())[:12]}.jsonl"

    def read(self) -> dict[str, Floats]:
        """Return the embeddings by the recordings' hashes, each of shape (d,).

        Raises:
            UserError: A row is broken.
        """
        if not self.path.is_file():
            return {}
        rows = read_rows(self.path, EmbeddingRow, tolerate_torn_end=True)
        return {row.sha256: _decoded(row, self.path) for row in rows if row.encoder == self.encoder}

    def keep(self, sha256s: Sequence[str], embeddings: Floats) -> None:
        """Append embeddings of shape (recordings, d).

        Raises:
            UserError: The disk is full.
        """
        with Appender(self.path) as file:
            file.add(
                *(
                    EmbeddingRow(sha256=sha256, encoder=self.encoder, embedding=_encoded(row))
                    for sha256, row in zip(sha256s, embeddings, strict=True)
                )
            )


def embed_voices(
    folder: Path, rows: Sequence[VoiceRow], encoder: SpeakerEncoder, *, progress: Progress = no_progress
) -> Embedded:
    """Return the embeddings of voices in their order; those that are not at hand are made and kept.

    Recordings of like length go to the encoder together, so that little of its batches is padding.

    Args:
        folder: The voices folder.
        rows: Which voices.
        encoder: Places them.
        progress: Told as they are embedded.

    Raises:
        UserError: A recording is missing or has changed, or the disk is full.
    """
    cache = EmbeddingCache(folder, encoder.model)
    known = cache.read()
    todo = sorted((row for row in rows if row.sha256 not in known), key=lambda row: row.duration_s)
    check_recordings(folder, todo)
    for start in range(0, len(todo), _GROUP):
        progress(f"embedding by {encoder.model.name}", start, len(todo))
        group = todo[start : start + _GROUP]
        made = np.asarray(encoder.embed([read_audio(folder / row.path) for row in group]), dtype=np.float32)
        if made.shape[0] != len(group) or not np.isfinite(made).all():
            raise UserError(
                f"{encoder.model.name} gave no usable embedding of {group[0].id!r} or its neighbours"
            )
        cache.keep([row.sha256 for row in group], made)
        known |= {row.sha256: embedding for row, embedding in zip(group, made, strict=True)}
    if todo:
        progress(f"embedding by {encoder.model.name}", len(todo), len(todo))
    return Embedded(encoder.model, _stacked(rows, known), len(todo))


def embeddings_of(
    folder: Path,
    rows: Sequence[VoiceRow],
    name: str,
    load: Callable[[], SpeakerEncoder],
    *,
    revision: str | None = None,
    progress: Progress = no_progress,
) -> Embedded:
    """Return the embeddings of voices; the encoder is loaded only where one is missing.

    Args:
        folder: The voices folder.
        rows: Which voices.
        name: The encoder's name.
        load: Loads it.
        revision: The one that it would have; embeddings of another are not taken. None where loading tells.
        progress: Told as voices are embedded.

    Raises:
        UserError: As `embed_voices`, or the encoder cannot be loaded.
    """
    if revision is not None:
        cache = EmbeddingCache(folder, ModelRef(name=name, revision=revision))
        known = cache.read()
        if all(row.sha256 in known for row in rows):
            return Embedded(cache.encoder, _stacked(rows, known), 0)
    return embed_voices(folder, rows, load(), progress=progress)


def _stacked(rows: Sequence[VoiceRow], known: dict[str, Floats]) -> Floats:
    return np.stack([known[row.sha256] for row in rows]) if rows else np.zeros((0, 0), np.float32)


def _encoded(embedding: Floats) -> str:
    return base64.b64encode(np.asarray(embedding, dtype="<f4").tobytes()).decode("ascii")


def _decoded(row: EmbeddingRow, path: Path) -> Floats:
    try:
        return np.frombuffer(base64.b64decode(row.embedding, validate=True), dtype="<f4").astype(np.float32)
    except ValueError:
        raise UserError(f"{path}: the embedding of {row.sha256[:16]} is broken. Remove the file") from None
