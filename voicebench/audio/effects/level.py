"""Levels: mixing at a signal-to-noise ratio, and staying below full scale."""

import numpy as np
import numpy.typing as npt

from voicebench.errors import UserError
from voicebench.types import Audio

Floats = npt.NDArray[np.float32]

PEAK_LIMIT = 0.999
_FRAME_S = 0.02
_ACTIVE_DB = -40.0


def below_full_scale(samples: Floats) -> tuple[Floats, float]:
    """Return samples, quieter where they would go beyond full scale, and the gain; shape (n,) in and out."""
    peak = max(float(samples.max(initial=0.0)), -float(samples.min(initial=0.0)))
    if peak <= PEAK_LIMIT:
        return samples, 1.0
    gain = PEAK_LIMIT / peak
    return samples * np.float32(gain), gain


def mix(audio: Audio, noise: Floats, snr_db: float) -> tuple[Audio, dict[str, float]]:
    """Return a clip with noise under it, and the levels.

    The ratio is that of the mean powers over the whole clip: 10 log10 (speech power / noise power). Where the
    sum would go beyond full scale, speech and noise are made quieter together. `active_snr_db` is the ratio
    while somebody speaks: over the frames of 20 ms that lie less than 40 dB below the loudest one.

    Args:
        audio: The clip.
        noise: Shape of the clip's samples, at any level; overwritten.
        snr_db: The ratio.

    Returns:
        The sum, and `gain` and `active_snr_db` for the manifest.

    Raises:
        UserError: The clip or the noise is silent, so that there is no ratio.
    """
    frame = min(len(noise), round(_FRAME_S * audio.sample_rate_hz))
    speech_power, noise_power = _powers(audio.samples, frame), _powers(noise, frame)
    power, under = float(speech_power.sum()), float(noise_power.sum())
    if power == 0 or under == 0:
        raise UserError("noise at a signal-to-noise ratio needs a clip and a noise that are not silent")
    factor = power / under / 10 ** (snr_db / 10)
    noise *= np.float32(np.sqrt(factor))
    noise += audio.samples
    mixed, gain = below_full_scale(noise)
    active = speech_power > speech_power.max() * 10 ** (_ACTIVE_DB / 10)
    active_under = float(noise_power[active].sum()) * factor
    levels = {"gain": round(gain, 6)}
    if active_under > 0:
        levels["active_snr_db"] = round(float(10 * np.log10(speech_power[active].sum() / active_under)), 2)
    return Audio(mixed, audio.sample_rate_hz), levels


def _powers(samples: Floats, frame: int) -> npt.NDArray[np.float64]:
    """Return the energy of each frame, shape (frames,); the last one takes what is left over."""
    whole = len(samples) // frame * frame
    frames = samples[:whole].reshape(-1, frame)
    # Row times column: the fastest sum of squares that numpy has.
    squares = np.matmul(frames[:, None, :], frames[:, :, None])
    energies: npt.NDArray[np.float64] = squares[:, 0, 0].astype(np.float64)
    energies[-1] += float(np.dot(samples[whole:], samples[whole:]))
    return energies
