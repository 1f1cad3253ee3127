"""How loud a clip is to an ear, and bringing clips to one loudness."""

import math

import numpy as np
import numpy.typing as npt

from voicebench.audio.io import peak
from voicebench.types import Audio

TARGET_LUFS = -23.0
"""The loudness of every clip of a build (EBU R 128)."""

PEAK_LIMIT = 0.95
CLIPPED_AT = 32767 / 32768

_BLOCK_S = 0.4
_HOP_S = 0.1
_ABSOLUTE_GATE_LUFS = -70.0
_RELATIVE_GATE_LU = -10.0
_OFFSET_DB = -0.691
# The high-pass at 38 Hz rings for less than this (below -140 dB), so a padded spectrum equals the filter.
_RING_S = 0.5

_QUIET_DBFS = -50.0
_FRAME_S = 0.01
_MARGIN_S = 0.1


def loudness_lufs(audio: Audio) -> float | None:
    """Return the gated loudness of a clip in LUFS (ITU-R BS.1770-4), None for silence.

    K-weighting is applied to the padded spectrum instead of sample by sample; the result differs from that of
    the two recursive filters by less than 0.001 LU. A clip shorter than one block (0.4 s) is one block.
    """
    rate = audio.sample_rate_hz
    weighted = k_weighted(audio.samples, rate)
    block, hop = round(_BLOCK_S * rate), round(_HOP_S * rate)
    if len(weighted) <= block:
        powers = np.array([np.mean(weighted**2)]) if len(weighted) else np.zeros(0)
    else:
        sums = np.concatenate([[0.0], np.cumsum(weighted**2)])
        starts = np.arange(0, len(weighted) - block + 1, hop)
        powers = (sums[starts + block] - sums[starts]) / block
    loud = powers[_lufs(powers) > _ABSOLUTE_GATE_LUFS]
    if not len(loud):
        return None
    gate = float(_lufs(loud.mean())) + _RELATIVE_GATE_LU
    return float(_lufs(loud[_lufs(loud) > gate].mean()))


def normalise(audio: Audio, target_lufs: float = TARGET_LUFS, peak_limit: float = PEAK_LIMIT) -> Audio:
    """Return a clip at a loudness, or as near to it as its peak allows; silence comes back as it is.

    Args:
        audio: The clip.
        target_lufs: The loudness it should have.
        peak_limit: The largest absolute sample it may have; a peakier clip stays quieter, never clipped.
    """
    loudness = loudness_lufs(audio)
    if loudness is None:
        return audio
    gain = min(10 ** ((target_lufs - loudness) / 20), peak_limit / peak(audio.samples))
    return Audio((audio.samples * np.float32(gain)).astype(np.float32), audio.sample_rate_hz)


def trim_silence(audio: Audio) -> Audio:
    """Return a clip without the silence around the speech, with a margin of 0.1 s on both sides.

    Silence is what lies 50 dB below the loudest 10 ms. A clip's end is where the clock of the agents starts.
    """
    frame = max(1, round(_FRAME_S * audio.sample_rate_hz))
    whole = len(audio.samples) // frame
    if whole == 0:
        return audio
    power = (audio.samples[: whole * frame].reshape(whole, frame).astype(np.float64) ** 2).mean(axis=1)
    loud = np.flatnonzero(power > power.max() * 10 ** (_QUIET_DBFS / 10))
    if not len(loud):
        return audio
    margin = round(_MARGIN_S * audio.sample_rate_hz)
    start = max(0, loud[0] * frame - margin)
    return Audio(audio.samples[start : (loud[-1] + 1) * frame + margin].copy(), audio.sample_rate_hz)


def clipped_samples(audio: Audio) -> int:
    """Return how many samples lie at full scale."""
    return int(np.count_nonzero(np.abs(audio.samples) >= CLIPPED_AT))


def _lufs(power: npt.ArrayLike) -> npt.NDArray[np.float64]:
    return np.asarray(_OFFSET_DB + 10 * np.log10(np.maximum(power, 1e-30)))


def k_weighted(samples: npt.NDArray[np.float32], rate: int) -> npt.NDArray[np.float64]:
    """Return samples as the ear weighs them (ITU-R BS.1770: a high shelf, then a high-pass), same shape."""
    size = len(samples) + round(_RING_S * rate)
    turn = np.exp(-2j * np.pi * np.fft.rfftfreq(size))
    response = np.ones_like(turn)
    for forward, back in (shelf(rate), high_pass(rate)):
        response *= np.polyval(forward[::-1], turn) / np.polyval(back[::-1], turn)
    spectrum = np.fft.rfft(samples.astype(np.float64), size)
    return np.asarray(np.fft.irfft(spectrum * response, size)[: len(samples)])


# The standard gives its two filters as coefficients at 48 kHz; these are the analogue prototypes behind them
# (De Man 2018, "Evaluation of implementations of the EBU R128 loudness measurement"), for any rate.
Biquad = tuple[tuple[float, float, float], tuple[float, float, float]]
"""Coefficients of a second-order filter: forward (b0, b1, b2) and back (1, a1, a2)."""


def shelf(rate: int) -> Biquad:
    """Return the standard's first filter, which lifts what lies above 1.7 kHz by 4 dB."""
    gain_db, quality, centre_hz = 3.999843853973347, 0.7071752369554196, 1681.974450955533
    k = math.tan(math.pi * centre_hz / rate)
    high = 10 ** (gain_db / 20)
    band = high**0.4996667741545416
    norm = 1 + k / quality + k * k
    return (
        (
            (high + band * k / quality + k * k) / norm,
            2 * (k * k - high) / norm,
            (high - band * k / quality + k * k) / norm,
        ),
        (1.0, 2 * (k * k - 1) / norm, (1 - k / quality + k * k) / norm),
    )


def high_pass(rate: int) -> Biquad:
    """Return the standard's second filter, which takes away what lies below 38 Hz."""
    quality, centre_hz = 0.5003270373238773, 38.13547087602444
    k = math.tan(math.pi * centre_hz / rate)
    norm = 1 + k / quality + k * k
    return (1.0, -2.0, 1.0), (1.0, 2 * (k * k - 1) / norm, (1 - k / quality + k * k) / norm)
