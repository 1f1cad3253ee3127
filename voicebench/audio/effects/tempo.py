"""Faster or slower at the same pitch: waveform-similarity overlap-add.

Verhelst and Roelands 1993, "An overlap-add technique based on waveform similarity (WSOLA) for high quality
time-scale modification of speech": windows of the clip are laid down at an even step; each is taken from
where the clip is most like what would have followed the window before, near where the tempo asks for it.
"""

import numpy as np
import numpy.typing as npt

from voicebench.audio.effects.effect import Effect, Parameters, Scene, Values
from voicebench.audio.effects.level import below_full_scale
from voicebench.audio.effects.speed import FACTOR
from voicebench.types import Audio

Floats = npt.NDArray[np.float32]

_STEP_S = 0.015
_SEARCH_S = 0.0075


def _run(audio: Audio, values: Values, scene: Scene) -> tuple[Audio, Parameters]:
    stretched = _stretched(audio.samples, values["factor"], audio.sample_rate_hz)
    kept, gain = below_full_scale(stretched)
    return Audio(kept, audio.sample_rate_hz), {"factor": values["factor"], "gain": round(gain, 6)}


def _stretched(samples: Floats, factor: float, rate: int) -> Floats:
    """Return samples at another tempo, shape (n / factor,)."""
    length = max(1, round(len(samples) / factor))
    step, search = max(2, round(_STEP_S * rate)), max(1, round(_SEARCH_S * rate))
    window = np.hanning(2 * step + 1)[: 2 * step].astype(np.float32)
    steps = -(-length // step) + 1
    # One step of silence before the clip, so that the window that fades in over time zero is whole.
    needed = round(steps * step * factor) + 4 * step + 2 * search
    clip = np.pad(samples, (step + search, max(0, needed - len(samples))))
    out = np.zeros((steps + 1) * step, np.float32)
    taken = search
    for index in range(steps):
        centre = round(index * step * factor) + search
        if index:
            follows = clip[taken + step : taken + 3 * step]
            near = clip[centre - search : centre + search + 2 * step]
            taken = centre - search + _most_alike(near, follows)
        out[index * step : (index + 2) * step] += window * clip[taken : taken + 2 * step]
    return out[step : step + length]


def _most_alike(near: Floats, follows: Floats) -> int:
    """Return where in a stretch of sound a window is most like another (largest normalised correlation)."""
    likeness = np.correlate(near, follows, "valid")
    sums = np.concatenate([[0.0], np.cumsum(near.astype(np.float64) ** 2)])
    energy = sums[len(follows) :] - sums[: -len(follows)]
    return int(np.argmax(likeness / np.sqrt(energy + 1e-9)))


TEMPO = Effect(
    name="tempo",
    summary="faster or slower at the same pitch (WSOLA)",
    parameters=(FACTOR,),
    run=_run,
    example="tempo-0.9x",
)
