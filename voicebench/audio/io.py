"""Read and write audio files: what a file is, its content says, never its name."""

import io
import logging
import struct
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from voicebench.errors import UserError
from voicebench.files import write_bytes
from voicebench.types import Audio

log = logging.getLogger(__name__)

_FULL_SCALE = 32768
_WHAT_NEXT = "Convert it first: ffmpeg -i INPUT OUTPUT.wav"


def read_audio(source: Path | str | bytes, *, sample_rate_hz: int | None = None) -> Audio:
    """Read a recording as mono float32.

    WAV (also with broken sizes in its header, as streams write them), FLAC, Ogg, MP3, AIFF and whatever else
    libsndfile decodes. Channels are averaged; samples beyond full scale are clipped with a warning.

    Args:
        source: A file, or a file's bytes.
        sample_rate_hz: Resample to this rate; None keeps the recording's own.

    Raises:
        UserError: The file is missing, empty, cut short before any sound, or no audio.
    """
    where, data = _bytes_of(source)
    samples, rate = _decode(data, where)
    audio = from_array(samples, rate, where=where)
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
        values = values.mean(axis=1 if values.shape[0] >= values.shape[1] else 0)
    if values.ndim != 1:
        raise ValueError(f"samples must have one or two axes, not shape {samples.shape}")
    mono = values.astype(np.float32)
    if not np.isfinite(mono).all():
        raise UserError(f"{where}: holds samples that are not numbers. {_WHAT_NEXT}")
    if peak(mono) > 1.0:
        log.warning("%s: goes beyond full scale (peak %.2f) and is clipped", where, peak(mono))
    return Audio(np.clip(mono, -1.0, 1.0), sample_rate_hz)


def resample(audio: Audio, sample_rate_hz: int) -> Audio:
    """Return a clip at another sample rate (soxr, HQ); its length in seconds stays, to the nearest sample."""
    if sample_rate_hz == audio.sample_rate_hz:
        return audio
    import soxr

    samples = soxr.resample(audio.samples, audio.sample_rate_hz, sample_rate_hz, quality="HQ")
    # A filter overshoots at steps, so a clip near full scale can leave it.
    return Audio(np.clip(np.asarray(samples, dtype=np.float32), -1.0, 1.0), sample_rate_hz)


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
    """Return what a file holds: path, duration_s, sample_rate_hz, channels and peak; or path and error."""
    try:
        samples, rate = _decode(_bytes_of(path)[1], str(path))
        mono = from_array(samples, rate, where=str(path))
    except UserError as error:
        return {"path": str(path), "error": str(error)}
    return {
        "path": str(path),
        "duration_s": len(samples) / rate,
        "sample_rate_hz": rate,
        "channels": samples.shape[1],
        "peak": round(peak(mono.samples), 6),
    }


def _bytes_of(source: Path | str | bytes) -> tuple[str, bytes]:
    if isinstance(source, bytes):
        return "audio", source
    path = Path(source)
    try:
        return str(path), path.read_bytes()
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None


def _decode(data: bytes, where: str) -> tuple[npt.NDArray[np.float32], int]:
    """Return float32 samples, shape (frames, channels), and their rate in Hz."""
    if not data:
        raise UserError(f"{where}: the file is empty. Record or copy it again")
    if data[:4] == b"RIFF" and data[8:12] == b"WAVE":
        data = _repaired_wav(data, where)
    import soundfile

    try:
        with soundfile.SoundFile(io.BytesIO(data)) as file:
            samples = file.read(dtype="float32", always_2d=True)
            rate = int(file.samplerate)
    except (soundfile.LibsndfileError, RuntimeError) as error:
        reason = str(getattr(error, "error_string", error)).rstrip(".")
        raise UserError(f"{where}: not readable as audio ({reason}). {_WHAT_NEXT}") from None
    if not len(samples):
        raise UserError(f"{where}: holds no sound. Record or copy it again")
    return samples, rate


def _repaired_wav(data: bytes, where: str) -> bytes:
    """Return a WAV file whose sizes are true.

    A writer that streams cannot know the length, and leaves 0, 0x7FFFFFFF, 0xFFFFFFFF or some large number in
    the header; decoders then refuse the file, or read other bytes as sound.
    """
    block_align, found = 0, None
    offset = 12
    while offset + 8 <= len(data):
        name, size = struct.unpack_from("<4sI", data, offset)
        if name == b"fmt " and offset + 22 <= len(data):
            block_align = struct.unpack_from("<H", data, offset + 20)[0]
        if name == b"data":
            found = offset, size
            break
        offset += 8 + size + size % 2
    if found is None or block_align == 0:
        raise UserError(f"{where}: the WAV file is cut short inside its header. Record or copy it again")
    start, declared = found[0] + 8, found[1]
    present = len(data) - start
    size = declared if 0 < declared <= present else present
    if declared == 0 and _is_chunk(data[start:]):
        size = 0
    if size != declared:
        log.warning(
            "%s: the header says %d bytes of sound, there are %d; these are read", where, declared, size
        )
    if size % block_align:
        log.warning("%s: half a frame at the end is dropped", where)
        size -= size % block_align
    body = data[12 : start - 4] + struct.pack("<I", size) + data[start : start + size]
    return b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WAVE" + body


def _is_chunk(rest: bytes) -> bool:
    """Whether what follows an empty data chunk is another chunk, so that there is no sound indeed."""
    return len(rest) >= 8 and 8 + int.from_bytes(rest[4:8], "little") <= len(rest) and rest[:4].isalpha()
