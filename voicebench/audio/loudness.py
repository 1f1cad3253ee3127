"""How loud a clip is to an ear, and bringing clips to one loudness."""

import math
from functools import cache

import numpy as np
import numpy.typing as npt

from voicebench.audio.io import peak
from voicebench.audio.recursive import Biquad, RecursiveFilter
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
# Samples that are weighted at a time, about.
_AT_A_TIME = 1 << 16

_QUIET_DBFS = -50.0
_FRAME_S = 0.01
_MARGIN_S = 0.1


def loudness_lufs(audio: Audio) -> float | None:
    """Return the gated loudness of a clip in LUFS (ITU-R BS.1770-4), None for silence.

    A clip shorter than one block (0.4 s) is one block.
    """
    powers = _block_powers(audio.samples, audio.sample_rate_hz)
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
    return np.concatenate([np.zeros(0), *_weighting(rate).pieces(samples, _AT_A_TIME)])


@cache
def _weighting(rate: int) -> RecursiveFilter:
    return RecursiveFilter((shelf(rate), high_pass(rate)))


def _block_powers(samples: npt.NDArray[np.float32], rate: int) -> npt.NDArray[np.float64]:
    """Return the mean power of each block of 0.4 s, one every 0.1 s, shape (blocks,), K-weighted."""
    block, hop = round(_BLOCK_S * rate), round(_HOP_S * rate)
    weighting = _weighting(rate)
    if len(samples) <= block:
        return np.array([np.mean(k_weighted(samples, rate) ** 2)]) if len(samples) else np.zeros(0)
    # Energies of short stretches, of which both blocks and hops are made, and pieces made of whole stretches.
    stretch = math.gcd(block, hop)
    piece = math.lcm(stretch, weighting.stride)
    piece *= -(-_AT_A_TIME // piece)
    energies = [np.zeros(1)]
    for weighted in weighting.pieces(samples, piece):
        stretches = weighted[: len(weighted) // stretch * stretch].reshape(-1, stretch)
        energies.append(np.einsum("ij,ij->i", stretches, stretches))
    sums = np.cumsum(np.concatenate(energies))
    starts = np.arange(0, len(samples) - block + 1, hop) // stretch
    return np.asarray((sums[starts + block // stretch] - sums[starts]) / block)


# The standard gives its two filters as coefficients at 48 kHz; these are the analogue prototypes behind them
# (De Man 2018, "Evaluation of implementations of the EBU R128 loudness measurement"), for any rate.
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
    # The standard's forward coefficients at 48 kHz are 1, -2, 1, which passes 0.04 dB too much; so do these,
    # while plain 1, -2, 1 would pass more the lower the rate.
    at_48_khz = math.tan(math.pi * centre_hz / 48000)
    pass_through = (1 + at_48_khz / quality + at_48_khz * at_48_khz) / norm
    back = (1.0, 2 * (k * k - 1) / norm, (1 - k / quality + k * k) / norm)
    return (pass_through, -2 * pass_through, pass_through), back
