"""Faster or slower with pitch and all, as a tape that runs at another speed."""

from voicebench.audio.effects.effect import Effect, Parameter, Parameters, Scene, Values
from voicebench.audio.io import resample
from voicebench.types import Audio

FACTOR = Parameter("factor", "how much faster", unit="x", low=0.5, high=2, required=True)
"""The parameter that `speed` and `tempo` share."""


def _run(audio: Audio, values: Values, scene: Scene) -> tuple[Audio, Parameters]:
    rate = audio.sample_rate_hz
    # Taken for a clip of another rate and brought back to this one, it plays that much faster.
    played = round(rate * values["factor"])
    changed = resample(Audio(audio.samples, played), rate)
    return changed, {"factor": values["factor"], "rate_hz": played}


SPEED = Effect(
    name="speed",
    summary="faster or slower, pitch and formants with it",
    parameters=(FACTOR,),
    run=_run,
    example="speed-1.1x",
)
