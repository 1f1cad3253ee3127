"""Write the recordings of imported tasks as a folder that `eval --audio` reads: 16 kHz WAV and a manifest."""

import logging
from collections.abc import Iterable
from pathlib import Path

from voicebench.audio.clip_folder import FAILURES, MANIFEST
from voicebench.audio.io import read_audio, wav_bytes
from voicebench.errors import UserError
from voicebench.files import sha256_bytes, write_bytes, write_rows
from voicebench.models import Progress, no_progress
from voicebench.tasks.doors.contract import Clip
from voicebench.types import FailureRow, ManifestRow

log = logging.getLogger(__name__)

SAMPLE_RATE_HZ = 16_000
CLIPS, SPEECH = "clips", "speech"
_HASH_DIGITS = 16
_DURATION_TOLERANCE_S = 0.5


def write_clips(
    folder: Path, clips: Iterable[Clip], *, total: int = 0, progress: Progress = no_progress
) -> tuple[list[ManifestRow], list[FailureRow]]:
    """Write each recording under the name of its content, `manifest.jsonl` and `failures.jsonl`.

    What a recording is, its content says, never its suffix: an MP3 called `.wav` is decoded as MP3. Channels
    are averaged and the rate becomes 16 kHz.

    Args:
        folder: Where they go.
        clips: The recordings.
        total: How many there are, for the progress.
        progress: Told how it goes on.

    Returns:
        The rows of the two files: what was written, and what could not be read, with the reason.

    Raises:
        UserError: The folder cannot be written.
    """
    rows, failures = [], []
    for done, clip in enumerate(clips):
        progress("reading recordings", done, total)
        try:
            given = clip.sound()
            audio = read_audio(given, sample_rate_hz=SAMPLE_RATE_HZ)
        except UserError as error:
            failures.append(
                FailureRow(
                    task_id=clip.task_id, turn=clip.turn, condition=SPEECH, kind="audio", message=str(error)
                )
            )
            continue
        data = wav_bytes(audio)
        sha256 = sha256_bytes(data)
        path = f"{CLIPS}/{sha256[:_HASH_DIGITS]}.wav"
        write_bytes(folder / path, data)
        _compare_durations(clip, audio.duration_s)
        rows.append(
            ManifestRow(
                task_id=clip.task_id, turn=clip.turn, condition=SPEECH, path=path, sha256=sha256,
                sample_rate_hz=SAMPLE_RATE_HZ, duration_s=round(audio.duration_s, 4), lang=clip.lang,
                spoken_text=clip.spoken_text, synthesizer=clip.synthesizer, voice=clip.voice, seed=0,
                checks=dict(clip.checks),
            )
        )  # fmt: skip
    progress("reading recordings", total, total)
    write_rows(folder / MANIFEST, rows)
    write_rows(folder / FAILURES, failures)
    return rows, failures


def _compare_durations(clip: Clip, duration_s: float) -> None:
    stated_s = clip.checks.get("stated_duration_s")
    if isinstance(stated_s, int | float) and abs(stated_s - duration_s) > _DURATION_TOLERANCE_S:
        log.warning(
            "%s turn %d: the source states %.2f s of sound, there are %.2f",
            clip.task_id, clip.turn, stated_s, duration_s,
        )  # fmt: skip
