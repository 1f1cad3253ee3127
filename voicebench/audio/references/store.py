"""A voices folder: recordings by content hash, `voices.jsonl`, and `rejected.jsonl` with every reason.

Rows are appended as recordings are accepted, the last of an id counts, and both files are put in order at the
end: what was finished outlives a crash, and the same command again changes nothing.
"""

import logging
import re
from collections.abc import Iterable, Sequence, Sized
from dataclasses import dataclass
from pathlib import Path

from voicebench.audio.io import wav_bytes
from voicebench.audio.references.prepare import Limits, Rejection, prepare, quality
from voicebench.audio.references.recording import Recording
from voicebench.audio.references.rows import RejectedRow, VoiceRow
from voicebench.errors import UserError
from voicebench.files import (
    Appender,
    last_of_each,
    read_rows,
    sha256_bytes,
    sha256_file,
    write_bytes,
    write_rows,
)
from voicebench.models import Progress, no_progress

log = logging.getLogger(__name__)

VOICES, REJECTED, RECORDINGS = "voices.jsonl", "rejected.jsonl", "recordings"
_LONGEST_ID = 40


@dataclass(frozen=True)
class Added:
    """What adding recordings did.

    Attributes:
        voices: The folder's voices now, in order of id.
        new: Ids that were not there, or whose recording is another one now.
        kept: Recordings that were there already.
        rejected: What was turned away this time.
    """

    voices: tuple[VoiceRow, ...]
    new: tuple[str, ...]
    kept: int
    rejected: tuple[RejectedRow, ...]


def read_voices(folder: Path) -> list[VoiceRow]:
    """Return the voices of a folder, in order of id.

    Raises:
        UserError: There is no `voices.jsonl`, a row is wrong, or there is no voice.
    """
    path = folder / VOICES
    if not path.is_file():
        raise UserError(f"{folder}: no voices here. Run: voicebench voices add --out {folder}")
    rows = last_of_each(read_rows(path, VoiceRow, tolerate_torn_end=True), lambda row: row.id)
    if not rows:
        raise UserError(f"{path}: holds no voice. See {folder / REJECTED}")
    return sorted(rows, key=lambda row: row.id)


def check_recordings(folder: Path, rows: Sequence[VoiceRow]) -> None:
    """Make sure that the recordings are those that were added.

    Raises:
        UserError: A file is missing or has changed.
    """
    for row in rows:
        path = folder / row.path
        if not path.is_file():
            raise UserError(f"{path}: the recording of voice {row.id!r} is gone. Add it again")
        if sha256_file(path) != row.sha256:
            raise UserError(f"{path}: the recording of voice {row.id!r} has changed. Add it again")


def add(
    folder: Path,
    recordings: Iterable[Recording],
    *,
    limits: Limits = Limits(),  # noqa: B008 (frozen)
    every: bool = False,
    prefix: str = "",
    progress: Progress = no_progress,
) -> Added:
    """Add recordings to a voices folder.

    Args:
        folder: The voices folder; made where it is not there.
        recordings: What a source offers; read one by one.
        limits: What a reference must be like.
        every: Keep every good recording; otherwise the best of each speaker.
        prefix: Put before each speaker's id.
        progress: Told as recordings are heard.

    Raises:
        UserError: The disk is full, the folder's files are broken, or the source fails as a whole.
    """
    shelf = _Shelf(folder, every=every, prefix=prefix)
    total = len(recordings) if isinstance(recordings, Sized) else 0
    with Appender(folder / VOICES) as voices, Appender(folder / REJECTED) as rejected:
        for done, recording in enumerate(recordings):
            progress("hearing recordings", done, max(total, done + 1))
            outcome = shelf.offer(recording, limits)
            if isinstance(outcome, VoiceRow):
                voices.add(outcome)
            elif outcome is not None:
                rejected.add(outcome)
    if total:
        progress("hearing recordings", total, total)
    return shelf.tidy()


class _Shelf:
    """The voices of a folder while recordings are offered to it."""

    def __init__(self, folder: Path, *, every: bool, prefix: str) -> None:
        self.folder = folder
        self.every = every
        self.prefix = prefix
        path = folder / VOICES
        before = read_rows(path, VoiceRow, tolerate_torn_end=True) if path.is_file() else []
        self.voices = {row.id: row for row in before}
        self.by_sha256 = {row.sha256: row.id for row in self.voices.values()}
        self.new: dict[str, None] = {}
        self.kept = 0
        self.rejected: list[RejectedRow] = []

    def offer(self, recording: Recording, limits: Limits) -> VoiceRow | RejectedRow | None:
        """Hear a recording; return its row, the reason against it, or None where it was there already."""
        try:
            if not recording.licence:
                raise Rejection("licence", "nobody said under which licence it is (--licence)")
            if not recording.source:
                raise Rejection("source", "nobody said where it is from (--source)")
            try:
                audio = recording.load()
            except Rejection:
                raise
            except UserError as error:
                raise Rejection("unreadable", str(error)) from None
            prepared = prepare(audio, limits)
            data = wav_bytes(prepared.audio)
            row = VoiceRow(
                id=_id_of(self.prefix + recording.speaker),
                speaker=recording.speaker,
                path=f"{RECORDINGS}/{sha256_bytes(data)[:16]}.wav",
                sha256=sha256_bytes(data),
                lang=recording.lang,
                gender=recording.gender,
                licence=recording.licence,
                source=recording.source,
                origin=recording.origin,
                duration_s=round(prepared.audio.duration_s, 4),
                checks={**prepared.checks, **recording.notes},
            )
            accepted, spare = self._place(row)
        except Rejection as error:
            return self._reject(recording, error)
        if spare is not None:
            self.rejected.append(spare)
        if accepted is None:
            return spare
        write_bytes(self.folder / accepted.path, data)
        if accepted == self.voices.get(accepted.id):
            self.kept += 1
            return None
        before = self.voices.get(accepted.id)
        if before is not None:
            self.by_sha256.pop(before.sha256, None)
        self.voices[accepted.id] = accepted
        self.by_sha256[accepted.sha256] = accepted.id
        self.new[accepted.id] = None
        return accepted

    def _place(self, row: VoiceRow) -> tuple[VoiceRow | None, RejectedRow | None]:
        """Return the row with the id that it gets, or None, and the recording that it leaves over.

        Raises:
            Rejection: The recording is another voice's, or the id another source's.
        """
        same = self.voices.get(self.by_sha256.get(row.sha256, ""))
        if same is not None:
            if (same.source, same.speaker) != (row.source, row.speaker):
                raise Rejection("duplicate", f"it is the recording of voice {same.id!r}")
            if same.origin != row.origin:
                raise Rejection("duplicate", f"it is the recording {same.origin!r} again")
            return row.model_copy(update={"id": same.id}), None
        holder = self.voices.get(row.id)
        if holder is None:
            return row, None
        if (holder.source, holder.speaker) != (row.source, row.speaker):
            raise Rejection(
                "duplicate",
                f"the id {row.id!r} is a voice of {holder.source} already. Give another one by --prefix",
            )
        if self.every:
            number = 2
            while f"{row.id}-{number}" in self.voices:
                number += 1
            return row.model_copy(update={"id": f"{row.id}-{number}"}), None
        if quality(row.checks) > quality(holder.checks):
            return row, _spare(holder, row)
        return None, _spare(row, holder)

    def _reject(self, recording: Recording, error: Rejection) -> RejectedRow:
        row = RejectedRow(
            origin=recording.origin, source=recording.source, speaker=recording.speaker,
            kind=error.kind, reason=str(error),
        )  # fmt: skip
        self.rejected.append(row)
        return row

    def tidy(self) -> Added:
        """Put both files in order and remove recordings that no row names any more."""
        voices = sorted(self.voices.values(), key=lambda row: row.id)
        write_rows(self.folder / VOICES, voices)
        before = read_rows(self.folder / REJECTED, RejectedRow, tolerate_torn_end=True)
        accepted = {(row.source, row.origin) for row in voices}
        listed = {
            (row.source or "", row.origin): row
            for row in (*before, *self.rejected)
            if (row.source, row.origin) not in accepted
        }
        write_rows(self.folder / REJECTED, (listed[place] for place in sorted(listed)))
        named = {row.path for row in voices}
        for path in (self.folder / RECORDINGS).glob("*.wav"):
            if f"{RECORDINGS}/{path.name}" not in named:
                path.unlink()
        return Added(tuple(voices), tuple(self.new), self.kept, tuple(self.rejected))


def _spare(spare: VoiceRow, better: VoiceRow) -> RejectedRow:
    return RejectedRow(
        origin=spare.origin, source=spare.source, speaker=spare.speaker, kind="spare",
        reason=f"{better.origin!r} is a better recording of this speaker (--all keeps both)",
    )  # fmt: skip


def _id_of(name: str) -> str:
    """Return a speaker's name as an id: no blanks, commas or slashes, and not too long to print."""
    plain = re.sub(r"[\s,/\\]+", "-", name.strip()).strip("-")
    return plain if 0 < len(plain) <= _LONGEST_ID else sha256_bytes(name.encode("utf-8", "replace"))[:12]
