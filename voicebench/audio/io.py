"""Read and write audio files: what a file is, its content says, never its name."""

import io
import logging
import stat
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from voicebench.audio.riff import is_wav, repaired
from voicebench.errors import UserError
from voicebench.files import write_bytes
from voicebench.types import Audio

log = logging.getLogger(__name__)

_FULL_SCALE = 32768
_BLOCK_FRAMES = 1 << 16
# The most that a FLAC header can state, which stands for "unknown", as more does.
_UNKNOWN_FRAMES = (1 << 36) - 1
_WHAT_NEXT = "Convert it first: ffmpeg -i INPUT OUTPUT.wav"


def read_audio(source: Path | str | bytes, *, sample_rate_hz: int | None = None) -> Audio:
    """Read a recording as mono float32.

    WAV (also with broken sizes in its header, as streams write them), FLAC, Ogg, MP3, AIFF and whatever else
    libsndfile decodes. Channels are averaged; samples beyond full scale are clipped with a warning.

    Args:
        source: A file, or a file's bytes.
        sample_rate_hz: Resample to this rate; None keeps the recording's own.

    Raises:
        UserError: The file is missing, empty, cut short, or no audio, or holds samples that are not numbers.
    """
    with _opened(source) as recording:
        parts = [_mixed_down(block) for block in recording.blocks()]
        mono = parts[0] if len(parts) == 1 else np.concatenate(parts)
        audio = _checked(mono, recording.sample_rate_hz, recording.where)
    return audio if sample_rate_hz is None else resample(audio, sample_rate_hz)


def from_array(samples: npt.NDArray[Any], sample_rate_hz: int, *, where: str = "samples") -> Audio:
    """Return samples of any channel count and type as mono float32 in [-1, 1].

    Args:
        samples: Shape (frames,), (frames, channels) or (channels, frames): the shorter axis is the channels'.
            Integers are taken at their type's full scale.
        sample_rate_hz: Frames per second.
        where: What to call it in an error.

    Raises:
        UserError: There are no samples, or some are not finite.
    """
    if not samples.size:
        raise UserError(f"{where}: holds no sound. Record or copy it again")
    values = np.asarray(samples)
    if values.dtype.kind in "iu":
        info = np.iinfo(values.dtype)
        middle = 0 if info.min < 0 else (info.max + 1) // 2
        values = (values.astype(np.float64) - middle) / ((info.max + 1) if info.min < 0 else middle)
    if values.ndim == 2:
        values = _mixed_down(values if values.shape[0] >= values.shape[1] else values.T)
    if values.ndim != 1:
        raise ValueError(f"samples must have one or two axes, not shape {samples.shape}")
    return _checked(values.astype(np.float32), sample_rate_hz, where)


def resample(audio: Audio, sample_rate_hz: int) -> Audio:
    """Return a clip at another sample rate (soxr, HQ); its length in seconds stays, to the nearest sample."""
    if sample_rate_hz == audio.sample_rate_hz:
        return audio
    import soxr

    samples = soxr.resample(audio.samples, audio.sample_rate_hz, sample_rate_hz, quality="HQ")
    # A filter overshoots at steps, so a clip near full scale can leave it.
    return Audio(np.clip(samples, -1.0, 1.0, out=samples), sample_rate_hz)


def peak(samples: npt.NDArray[np.float32]) -> float:
    """Return the largest absolute sample of a waveform of shape (samples,), 0 for none."""
    return float(np.abs(samples).max(initial=0.0))


def wav_bytes(audio: Audio) -> bytes:
    """Return a clip as a WAV file, 16-bit PCM, mono; the same clip always gives the same bytes."""
    scaled = np.round(audio.samples.astype(np.float64) * _FULL_SCALE)
    pcm = np.clip(scaled, -_FULL_SCALE, _FULL_SCALE - 1).astype("<i2").tobytes()
    rate = audio.sample_rate_hz
    header = struct.pack(
        "<4sI4s4sIHHIIHH4sI",
        b"RIFF", 36 + len(pcm), b"WAVE", b"fmt ", 16, 1, 1, rate, 2 * rate, 2, 16, b"data", len(pcm),
    )  # fmt: skip
    return header + pcm


def write_wav(path: Path, audio: Audio) -> None:
    """Write a clip as 16-bit PCM, whole or not at all.

    Raises:
        UserError: The disk is full or the folder cannot be written.
    """
    write_bytes(path, wav_bytes(audio))


def probe(path: Path) -> dict[str, Any]:
    """Return what a file holds: path, duration_s, sample_rate_hz, channels and peak; or path and error.

    The duration is that of the samples that are there, whatever a header says; where some are not finite, or
    the file is damaged further on, a warning tells of it. The peak is the largest absolute finite sample of
    any channel, as the file has it: beyond full scale it is more than 1. The file is read in pieces, so that
    its length costs no memory.
    """
    where = str(path)
    frames, loudest, fault = 0, None, None
    try:
        with _opened(path) as recording:
            for block in recording.blocks():
                frames += len(block)
                if not np.isfinite(block).all():
                    fault = _not_numbers(where)
                    block = block[np.isfinite(block)]
                if block.size:
                    loudest = max(loudest or 0.0, float(np.abs(block).max()))
    except UserError as error:
        fault = str(error)
    if loudest is None:
        return {"path": where, "error": fault}
    if fault is not None:
        log.warning("%s", fault)
    return {
        "path": where,
        "duration_s": frames / recording.sample_rate_hz,
        "sample_rate_hz": recording.sample_rate_hz,
        "channels": recording.channels,
        "peak": round(loudest, 6),
    }


class _Recording:
    """A sound file that is being decoded.

    Attributes:
        where: What to call it in an error.
        sample_rate_hz: Frames per second.
        channels: Samples a frame.
    """

    def __init__(self, file: Any, where: str) -> None:
        self.where = where
        self.sample_rate_hz = int(file.samplerate)
        self.channels = int(file.channels)
        self._file = file
        # After each block soundfile seeks to where it is: damaged FLAC fails there, and MP3 is changed by it.
        file.seekable = lambda: False

    def blocks(self) -> Iterator[npt.NDArray[np.float32]]:
        """Yield the sound from begin to end, in blocks of shape (up to 65,536 frames, channels).

        Raises:
            UserError: There is none, or the file is damaged; what is before the damage was yielded.
        """
        size = max(1, min(_BLOCK_FRAMES, self._file.frames))
        total = 0
        while True:
            # Filled with what no decoder writes, to see how far it came where it fails.
            block = np.full((size, self.channels), np.nan, np.float32)
            damage = None
            try:
                block = self._file.read(out=block)
            except RuntimeError as error:
                damage = error
                block = block[~np.isnan(block).any(axis=1)]
            total += len(block)
            if len(block):
                yield block
            if damage is not None:
                heard = f" after {total / self.sample_rate_hz:.2f} s" if total else ""
                raise _not_audio(f"{self.where}: not readable as audio{heard}", damage)
            if len(block) < size:
                break
        if not total:
            raise UserError(f"{self.where}: holds no sound. Record or copy it again")
        if total < self._file.frames < _UNKNOWN_FRAMES:
            stated_s, there_s = self._file.frames / self.sample_rate_hz, total / self.sample_rate_hz
            log.warning(
                "%s: the header says %.2f s of sound, there are %.2f; these are read",
                self.where, stated_s, there_s,
            )  # fmt: skip


@contextmanager
def _opened(source: Path | str | bytes) -> Iterator[_Recording]:
    """Open a file, or a file's bytes, for decoding."""
    where = "audio" if isinstance(source, bytes) else str(source)
    import soundfile

    with io.BytesIO(source) if isinstance(source, bytes) else _opened_file(Path(source)) as file:
        if not file.read(1):
            raise UserError(f"{where}: the file is empty. Record or copy it again")
        stream = repaired(file, where) if is_wav(file) else file
        try:
            decoder = soundfile.SoundFile(stream)
        except RuntimeError as error:
            raise _not_audio(f"{where}: not readable as audio", error) from None
        with decoder:
            yield _Recording(decoder, where)


def _opened_file(path: Path) -> BinaryIO:
    try:
        # A pipe may never give anything, and a device never end.
        if not (path.is_dir() or stat.S_ISREG(path.stat().st_mode)):
            raise UserError(
                f"{path}: cannot be read (it is a pipe or a device). Save the sound to a file first"
            )
        return path.open("rb")
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None


def _mixed_down(samples: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the mean of the channels, shape (frames,), of samples of shape (frames, channels)."""
    if samples.shape[1] == 1:
        return samples[:, 0]
    with np.errstate(over="ignore", invalid="ignore"):  # such samples are found right after
        mean: npt.NDArray[Any] = samples.mean(axis=1)
    return mean


def _checked(mono: npt.NDArray[np.float32], sample_rate_hz: int, where: str) -> Audio:
    """Return samples as a clip, within full scale."""
    if not np.isfinite(mono).all():
        raise UserError(_not_numbers(where))
    if peak(mono) > 1.0:
        log.warning("%s: goes beyond full scale (peak %.2f) and is clipped", where, peak(mono))
    return Audio(np.clip(mono, -1.0, 1.0), sample_rate_hz)


def _not_numbers(where: str) -> str:
    return f"{where}: holds samples that are not numbers. {_WHAT_NEXT}"


def _not_audio(what: str, error: RuntimeError) -> UserError:
    reason = str(getattr(error, "error_string", error)).removeprefix("Error : ").rstrip(".")
    return UserError(f"{what} ({reason}). {_WHAT_NEXT}")
