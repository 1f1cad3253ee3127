"""What every voice converter must do. A new one adds a line to `MAKERS`."""

import importlib.metadata
import sys
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.agent_requests import tone
from voicebench.fakes_audio import FakeConverter
from voicebench.protocols import VoiceConverter
from voicebench.registry import find, load
from voicebench.types import Audio
from voicebench_tts.coqui import Coqui


def coqui(patch: pytest.MonkeyPatch) -> VoiceConverter:
    """Make the adapter around a stand-in that plays the source backwards with some noise."""
    torch = pytest.importorskip("torch")
    import soundfile

    class TTS:
        voice_converter = SimpleNamespace(output_sample_rate=24_000)

        def __init__(self, **options: Any) -> None:
            pass

        def to(self, device: str) -> "TTS":
            return self

        def voice_conversion(self, *, source_wav: str, target_wav: str) -> Any:
            seconds = soundfile.info(source_wav).duration
            return torch.rand(round(seconds * 24_000) + 40).numpy() * 0.4

    package, api = ModuleType("TTS"), ModuleType("TTS.api")
    api.TTS = TTS  # type: ignore[attr-defined]
    patch.setitem(sys.modules, "TTS", package)
    patch.setitem(sys.modules, "TTS.api", api)
    patch.setattr(importlib.metadata, "version", lambda name: "0.28.0")
    return Coqui()


MAKERS: dict[str, Callable[[pytest.MonkeyPatch], VoiceConverter]] = {
    "fake": lambda patch: FakeConverter(),
    "world": lambda patch: load(find("converter", "world")),
    "coqui": coqui,
}
NEEDS = {"world": "pyworld"}


@pytest.fixture(scope="module", params=list(MAKERS))
def backend(request: pytest.FixtureRequest) -> VoiceConverter:
    if request.param in NEEDS:
        pytest.importorskip(NEEDS[request.param])
    with pytest.MonkeyPatch.context() as patch:
        return MAKERS[request.param](patch)


def test_it_names_its_model_and_revision(backend: VoiceConverter) -> None:
    assert backend.model.name
    assert backend.model.revision


@pytest.mark.parametrize("source_rate_hz", [8_000, 16_000, 24_000, 44_100])
def test_rate_and_length_stay_the_sources(backend: VoiceConverter, source_rate_hz: int) -> None:
    source = tone(150, rate_hz=source_rate_hz)
    converted = backend.convert(source, voice=tone(220, seconds=1.0, rate_hz=22_050), seed=0)
    assert converted.sample_rate_hz == source_rate_hz
    assert len(converted.samples) == len(source.samples)


def test_the_result_is_sound_within_full_scale(backend: VoiceConverter) -> None:
    converted = backend.convert(tone(150), voice=tone(220), seed=0)
    assert np.isfinite(converted.samples).all()
    assert 0 < np.abs(converted.samples).max() <= 1


def test_the_same_seed_gives_the_same_sound(backend: VoiceConverter) -> None:
    one, other = (backend.convert(tone(150), voice=tone(220), seed=7) for _ in range(2))
    assert np.array_equal(one.samples, other.samples)


def test_source_and_reference_are_left_as_they_were(backend: VoiceConverter) -> None:
    source, voice = tone(150), tone(220)
    before = source.samples.copy(), voice.samples.copy()
    backend.convert(source, voice=voice, seed=0)
    assert np.array_equal(source.samples, before[0])
    assert np.array_equal(voice.samples, before[1])


@pytest.mark.parametrize("samples", [0, 1, 200, 8_000])
def test_silence_stays_silence(backend: VoiceConverter, samples: int) -> None:
    silence = Audio(np.zeros(samples, np.float32), 16_000)
    converted = backend.convert(silence, voice=tone(220), seed=0)
    assert len(converted.samples) == samples
    assert not converted.samples.any()
