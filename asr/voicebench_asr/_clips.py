"""What the local transcribers share: a clip as they hear it, or the finding that there is nothing to hear."""

import numpy as np
import numpy.typing as npt

from voicebench.audio.io import resample
from voicebench.errors import AgentFailure
from voicebench.types import Audio

RATE_HZ = 16_000
SILENCE_PEAK = 1e-4
"""A clip whose samples all stay below this (-80 dBFS) is silence, in which a model would invent words."""


def samples_to_hear(clip: Audio) -> npt.NDArray[np.float32] | None:
    """Return a clip's samples at 16 kHz, shape (n,), or None where it is silent or empty.

    Raises:
        AgentFailure: The clip holds NaN or infinity ("audio").
    """
    peak = float(np.abs(clip.samples).max(initial=0.0))
    if not np.isfinite(peak):
        raise AgentFailure("audio", "the clip holds samples that are no numbers")
    return None if peak < SILENCE_PEAK else resample(clip, RATE_HZ).samples
