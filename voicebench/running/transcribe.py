"""Let an ASR hear the clips of an audio folder and keep what it heard."""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path

from voicebench.audio.io import read_audio
from voicebench.errors import UserError
from voicebench.files import Appender, compact
from voicebench.models import Progress, no_progress
from voicebench.protocols import Transcriber
from voicebench.running.materials import TRANSCRIPTS, place_of, read_materials, read_transcripts
from voicebench.types import Audio, ManifestRow, ModelRef, TranscriptRow

log = logging.getLogger(__name__)


def transcribe(
    folder: Path,
    *,
    asr: ModelRef,
    make: Callable[[], Transcriber],
    langs: Sequence[str] | None = None,
    batch_size: int = 8,
    progress: Progress = no_progress,
) -> tuple[int, int]:
    """Transcribe the clips that this ASR has not heard yet as they are now.

    Args:
        folder: The audio folder.
        asr: Name and revision of the ASR, known without loading it.
        make: Makes the transcriber; called only if a clip is left.
        langs: Only clips of these languages; None for all.
        batch_size: Clips handed over at once.
        progress: Told after each batch.

    Returns:
        How many clips were heard now, and how many before.

    Raises:
        UserError: No manifest, no clip of these languages, or a full disk. A clip that cannot be decoded is
            left out with a warning.
    """
    materials = read_materials(folder)
    clips = [clip for clip in materials.clips.values() if langs is None or clip.lang in langs]
    if not clips:
        raise UserError(
            f"{folder}: no clips in {', '.join(langs or ['any language'])}. Run: voicebench build-audio"
        )
    heard = {
        (row.task_id, row.turn, row.condition, row.audio_sha256)
        for row in read_transcripts(folder)
        if row.asr == asr
    }
    left = [clip for clip in clips if (*place_of(clip), clip.sha256) not in heard]
    what = f"transcribing with {asr.name}"
    done = len(clips) - len(left)
    progress(what, done, len(clips))
    if left:
        transcriber = make()
        with Appender(folder / TRANSCRIPTS) as appender:
            for batch in _batches(left, batch_size):
                appender.add(*_hear(transcriber, batch, folder, asr))
                done += len(batch)
                progress(what, done, len(clips))
        compact(
            folder / TRANSCRIPTS, TranscriptRow, TranscriptRow, lambda row: (*place_of(row), row.asr.name)
        )
    return len(left), len(clips) - len(left)


def _batches(clips: Sequence[ManifestRow], size: int) -> list[list[ManifestRow]]:
    """Cut into batches of one language each, since a batch is heard in one language."""
    by_lang: dict[str, list[ManifestRow]] = {}
    for clip in clips:
        by_lang.setdefault(clip.lang, []).append(clip)
    return [group[i : i + size] for group in by_lang.values() for i in range(0, len(group), size)]


def _hear(
    transcriber: Transcriber, batch: Sequence[ManifestRow], folder: Path, asr: ModelRef
) -> list[TranscriptRow]:
    read = [(clip, _read(folder, clip)) for clip in batch]
    clips = [clip for clip, sound in read if sound is not None]
    sounds = [sound for _, sound in read if sound is not None]
    heard = transcriber.transcribe(sounds, lang=batch[0].lang) if sounds else []
    return [
        TranscriptRow(
            task_id=clip.task_id, turn=clip.turn, condition=clip.condition, asr=asr, text=transcript.text,
            lang=transcript.lang, seconds=transcript.seconds, audio_sha256=clip.sha256,
        )
        for clip, transcript in zip(clips, heard, strict=True)
    ]  # fmt: skip


def _read(folder: Path, clip: ManifestRow) -> Audio | None:
    try:
        return read_audio(folder / clip.path)
    except UserError as error:
        log.warning("left out: %s", error)
        return None
