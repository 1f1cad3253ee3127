"""Where in a recording somebody speaks, and how far the speech is above the noise (energy, no model).

Frames of 25 ms every 10 ms are measured between 80 Hz and 4 kHz. What lies far enough above the quietest
tenth of the frames counts as speech; pauses under 0.3 s belong to it, bursts under 0.1 s do not. Made for
recordings of one speaker that read or talk, as reference corpora hold them; it does not tell speech from
music.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from voicebench.types import Audio

FRAME_S, HOP_S = 0.025, 0.01
LEAST_DBFS = -60.0
"""A recording whose loudest frames are below this is silent."""

_BAND_HZ = (80.0, 4000.0)
_PAUSE_S = 0.3
_BURST_S = 0.1
_ABOVE_NOISE_DB = 6.0
_BELOW_TOP_DB = 35.0
# Frames that differ by less than this are all of one kind: speech without a pause.
_EVEN_DB = 3.0
_NOISE_MARGIN_S = 0.1
_LEAST_NOISE_FRAMES = 10
_MOST_SNR_DB = 60.0
_BLOCK = 2048


@dataclass(frozen=True, eq=False)
class Activity:
    """Where somebody speaks.

    Attributes:
        segments: Start and end of each stretch of speech, in seconds, in order.
        speech_s: Their sum.
        snr_db: How far speech is above the noise between, at most 60; None where there is no pause.
        levels_db: Level of each 10 ms, shape (frames,), in dB below full scale.
    """

    segments: tuple[tuple[float, float], ...]
    speech_s: float
    snr_db: float | None
    levels_db: npt.NDArray[np.float64]


def activity(audio: Audio) -> Activity:
    """Find the speech in a recording; there is none in silence."""
    power = _frame_powers(audio)
    levels = 10 * np.log10(np.maximum(power, 1e-12))
    if not len(levels):
        return Activity((), 0.0, None, levels)
    top = float(np.percentile(levels, 95))
    if top < LEAST_DBFS:
        return Activity((), 0.0, None, levels)
    noise = float(np.percentile(levels, 10))
    above = min(_ABOVE_NOISE_DB, (top - noise) / 2) if top - noise >= _EVEN_DB else -_EVEN_DB
    threshold = max(top - _BELOW_TOP_DB, noise + above)
    runs = _without_bursts(_joined(_runs(levels > threshold)))
    segments = tuple((start * HOP_S, min(end * HOP_S, audio.duration_s)) for start, end in runs)
    speech_s = sum(end - start for start, end in segments)
    return Activity(segments, speech_s, _snr_db(power, levels > threshold, runs), levels)


def _frame_powers(audio: Audio) -> npt.NDArray[np.float64]:
    """Return the power of each frame within the band, shape (frames,)."""
    rate = audio.sample_rate_hz
    size, hop = round(FRAME_S * rate), round(HOP_S * rate)
    if len(audio.samples) < size or hop == 0:
        return np.zeros(0)
    frames = np.lib.stride_tricks.sliding_window_view(audio.samples, size)[::hop]
    window = np.hanning(size).astype(np.float32)
    hz = np.fft.rfftfreq(size, 1 / rate)
    inside = (hz >= _BAND_HZ[0]) & (hz <= _BAND_HZ[1])
    scale = 2 / (size * float((window.astype(np.float64) ** 2).sum()))
    powers = [
        (np.abs(np.fft.rfft(frames[start : start + _BLOCK] * window, axis=1)[:, inside]) ** 2).sum(axis=1)
        for start in range(0, len(frames), _BLOCK)
    ]
    return np.asarray(np.concatenate(powers) * scale, dtype=np.float64)


Run = tuple[int, int]


def _runs(flags: npt.NDArray[np.bool_]) -> list[Run]:
    """Return first and past-the-last index of each run of true flags."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    return [(int(start), int(end)) for start, end in zip(edges[::2], edges[1::2], strict=True)]


def _joined(runs: list[Run]) -> Iterator[Run]:
    current: Run | None = None
    for start, end in runs:
        if current is not None and (start - current[1]) * HOP_S < _PAUSE_S:
            current = (current[0], end)
            continue
        if current is not None:
            yield current
        current = (start, end)
    if current is not None:
        yield current


def _without_bursts(runs: Iterator[Run]) -> list[Run]:
    return [(start, end) for start, end in runs if (end - start) * HOP_S >= _BURST_S]


def _snr_db(power: npt.NDArray[np.float64], loud: npt.NDArray[np.bool_], runs: list[Run]) -> float | None:
    margin = round(_NOISE_MARGIN_S / HOP_S)
    speech, near = np.zeros(len(power), bool), np.zeros(len(power), bool)
    for start, end in runs:
        speech[start:end] = True
        near[max(0, start - margin) : end + margin] = True
    speech &= loud
    if not speech.any() or np.count_nonzero(~near) < _LEAST_NOISE_FRAMES:
        return None
    noise = float(power[~near].mean())
    ratio = max(float(power[speech].mean()) - noise, 1e-12) / max(noise, 1e-12)
    return round(min(float(10 * np.log10(ratio)), _MOST_SNR_DB), 2)
