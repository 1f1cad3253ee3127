"""What the speaker encoders share: sample rate, mel filters, unit vectors, batches of like length."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from voicebench.audio.io import resample
from voicebench.types import Audio

Floats = npt.NDArray[np.float32]

_HZ_PER_MEL = 200 / 3
_LOG_FROM_HZ = 1000.0
_LOG_STEP = np.log(6.4) / 27


def at_rate(clip: Audio, sample_rate_hz: int) -> Floats:
    """Return a clip's samples at a rate, shape (samples,), float32 (soxr, HQ)."""
    return resample(clip, sample_rate_hz).samples


def unit(rows: Floats) -> Floats:
    """Return vectors scaled to length 1, same shape; the last axis is theirs, and zero stays zero."""
    norms = np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.asarray(rows / np.maximum(norms, 1e-12), dtype=np.float32)


def slaney_filters(sample_rate_hz: int, n_fft: int, n_mels: int) -> Floats:
    """Return triangular mel filters, shape (n_mels, n_fft // 2 + 1), on Slaney's scale, each of unit area.

    Linear to 1 kHz, logarithmic above (Slaney 1998, "Auditory Toolbox").
    """
    nyquist_hz = sample_rate_hz / 2
    edges = _mel_to_hz(np.linspace(0.0, _hz_to_mel(nyquist_hz), n_mels + 2))
    bins = np.linspace(0.0, nyquist_hz, n_fft // 2 + 1)
    low, centre, high = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    triangles = np.minimum((bins - low) / (centre - low), (high - bins) / (high - centre))
    return np.asarray(np.maximum(triangles, 0.0) * 2 / (high - low), dtype=np.float32)


def content_revision(checkpoint: Path) -> str:
    """Return a revision for weights of the user's own, by which caches tell two folders apart."""
    with checkpoint.open("rb") as file:
        return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()[:16]}"


def by_length(lengths: Sequence[int], largest: int) -> Iterator[list[int]]:
    """Yield batches of indices so that like lengths are together and padding is small.

    Args:
        lengths: Of the items.
        largest: The most that a batch may hold, padding included (items × the longest of them); an item
            that is longer is a batch of its own.
    """
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda index: -lengths[index]):
        if batch and (len(batch) + 1) * lengths[batch[0]] > largest:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def _hz_to_mel(hz: float) -> float:
    if hz < _LOG_FROM_HZ:
        return hz / _HZ_PER_MEL
    return float(_LOG_FROM_HZ / _HZ_PER_MEL + np.log(hz / _LOG_FROM_HZ) / _LOG_STEP)


def _mel_to_hz(mel: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    log_from = _LOG_FROM_HZ / _HZ_PER_MEL
    above = _LOG_FROM_HZ * np.exp((np.maximum(mel, log_from) - log_from) * _LOG_STEP)
    return np.where(mel < log_from, mel * _HZ_PER_MEL, above)
