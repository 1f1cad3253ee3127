"""Neural voice conversion through coqui-tts: FreeVC, kNN-VC, OpenVoice.

Of the three, FreeVC's loading and conversion ran on random weights; none ran with its own, which come from
hosts of coqui-tts's choice.
"""

import logging
import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from voicebench.audio.io import from_array, peak, resample, write_wav
from voicebench.errors import UserError, did_you_mean, first_line
from voicebench.types import Audio, ModelRef
from voicebench_tts._seeds import seed_of
from voicebench_tts._torch import check_device, seeded

log = logging.getLogger(__name__)

MODELS: Mapping[str, str] = {
    "freevc24": "voice_conversion_models/multilingual/vctk/freevc24",
    "knnvc": "voice_conversion_models/multilingual/multi-dataset/knnvc",
    "openvoice_v1": "voice_conversion_models/multilingual/multi-dataset/openvoice_v1",
    "openvoice_v2": "voice_conversion_models/multilingual/multi-dataset/openvoice_v2",
}
"""Our names, and coqui-tts's."""

SHORTEST_S = 0.1
"""What is shorter holds no voice, and the models' windows do not fit into it."""


class Coqui:
    """The converter: words, rhythm and accent stay the source's, the timbre becomes the reference's.

    - `freevc24` (Li et al. 2023, arXiv 2210.15418): WavLM features through a flow; 16 kHz in, 24 kHz out.
    - `knnvc` (Baas et al. 2023, arXiv 2305.18975): each WavLM frame becomes the mean of the nearest frames of
      the reference, so that this should last a minute or more.
    - `openvoice_v1`, `openvoice_v2` (Qin et al. 2023, arXiv 2312.01479): a tone colour is exchanged.

    coqui-tts fetches the weights by itself when a model is first loaded, into its own folder ($TTS_HOME), and
    pins their addresses by its own version.

    Args:
        argument: A key of `MODELS`; `freevc24` if empty.
        device: "cpu", "cuda" or "cuda:N".

    Raises:
        UserError: The model or the device is unknown, or the weights cannot be had.
    """

    def __init__(self, *, argument: str = "", device: str = "cpu") -> None:
        from importlib.metadata import version

        name = argument or next(iter(MODELS))
        if name not in MODELS:
            raise UserError(f"coqui: unknown model {name!r}.{did_you_mean(name, MODELS)}")
        check_device("coqui", device)
        try:
            from TTS.api import TTS
        except ImportError as error:
            raise UserError(f"coqui: its package cannot be imported ({first_line(error)})") from None
        try:
            self._tts = TTS(model_name=MODELS[name], progress_bar=False).to(device)
        except (OSError, RuntimeError, ValueError) as error:
            raise UserError(f"coqui: {name} could not be loaded ({first_line(error)})") from None
        self._device = device
        self.model = ModelRef(name=f"coqui:{name}", revision=f"coqui-tts=={version('coqui-tts')}")

    def convert(self, source: Audio, *, voice: Audio, seed: int) -> Audio:
        """Return the source as the speaker of `voice` says it; its sample rate and its length stay.

        A source that is silent or shorter than 0.1 s is returned as it is.

        Raises:
            UserError: The reference is silent or shorter than 0.1 s.
        """
        if not _holds_a_voice(voice):
            raise UserError("coqui: the reference recording is silent or too short to hold a voice")
        if not _holds_a_voice(source):
            return source
        drawn = seed_of(seed, source.samples.tobytes(), voice.samples.tobytes())
        with tempfile.TemporaryDirectory(prefix="voicebench-") as folder:
            said, target = Path(folder) / "source.wav", Path(folder) / "target.wav"
            write_wav(said, source)
            write_wav(target, voice)
            with seeded(drawn, self._device):
                wave = self._tts.voice_conversion(source_wav=str(said), target_wav=str(target))
        converter = self._tts.voice_converter
        made = from_array(
            np.asarray(wave, np.float32).reshape(-1), int(converter.output_sample_rate), where="coqui"
        )
        return _as_long_as(resample(made, source.sample_rate_hz), source)


def _holds_a_voice(clip: Audio) -> bool:
    return clip.duration_s >= SHORTEST_S and peak(clip.samples) > 0


def _as_long_as(made: Audio, source: Audio) -> Audio:
    """Cut or fill up what the models' frames add or leave at the end, some hundredths of a second."""
    length = len(source.samples)
    samples = np.pad(made.samples[:length], (0, max(0, length - len(made.samples))))
    return Audio(samples, source.sample_rate_hz)
