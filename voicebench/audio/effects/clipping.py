"""A microphone or a line that is driven too hard: what is too loud is cut off flat."""

import numpy as np

from voicebench.audio.effects.effect import Effect, Parameter, Parameters, Scene, Values
from voicebench.audio.io import peak
from voicebench.types import Audio


def _run(audio: Audio, values: Values, scene: Scene) -> tuple[Audio, Parameters]:
    sizes = np.abs(audio.samples)
    if values["share"] is not None:
        cut = min(len(sizes) - 1, round(len(sizes) * (1 - values["share"] / 100)))
        threshold = np.partition(sizes, cut)[cut]
    else:
        threshold = np.float32(peak(audio.samples) * 10 ** (-values["depth"] / 20))
    if threshold == 0:  # a clip that is mostly silence would vanish
        threshold = sizes.max()
    clipped = np.clip(audio.samples, -threshold, threshold)
    share = float(np.mean(sizes >= threshold)) if threshold > 0 else 0.0
    return Audio(clipped, audio.sample_rate_hz), {
        "threshold": round(float(threshold), 6), "share_percent": round(100 * share, 4),
    }  # fmt: skip


def _check(values: Values) -> str | None:
    if (values["share"] is None) == (values["depth"] is None):
        return "clipping needs either share or depth, such as clipping-1% or clipping:depth=6"
    return None


CLIPPING = Effect(
    name="clipping",
    summary="what is too loud is cut off flat; the level stays",
    parameters=(
        Parameter("share", "share of the samples that are cut off", unit="%", low=0, high=90),
        Parameter("depth", "how far below the clip's peak it is cut off", unit="dB", low=0, high=60),
    ),
    run=_run,
    example="clipping-1%",
    check=_check,
)
