"""Louder or quieter."""

import numpy as np

from voicebench.audio.effects.effect import Effect, Parameter, Parameters, Scene, Values
from voicebench.audio.effects.level import below_full_scale
from voicebench.types import Audio


def _run(audio: Audio, values: Values, scene: Scene) -> tuple[Audio, Parameters]:
    wanted = 10 ** (values["level"] / 20)
    louder, kept = below_full_scale(audio.samples * np.float32(wanted))
    return Audio(louder, audio.sample_rate_hz), {"level_db": values["level"], "gain": round(wanted * kept, 6)}


GAIN = Effect(
    name="gain",
    summary="louder or quieter, but never beyond full scale: the manifest keeps the gain that was possible",
    parameters=(Parameter("level", "change of level", unit="dB", low=-90, high=60, required=True),),
    run=_run,
    example="gain--12dB",
)
