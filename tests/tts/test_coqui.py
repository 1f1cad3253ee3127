"""coqui-tts's converters against a stand-in; FreeVC with random weights where coqui-tts is installed."""

import importlib.metadata
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest
import soundfile

from tests.agent_requests import tone
from voicebench.errors import UserError
from voicebench.registry import find
from voicebench.types import Audio
from voicebench_tts.coqui import MODELS, Coqui

torch = pytest.importorskip("torch")


class TTS:
    """Remembers how it was loaded; converts to noise from torch's generator, a little longer, at 24 kHz."""

    made: ClassVar[list[dict[str, Any]]] = []
    heard: ClassVar[list[tuple[int, int, int, int]]] = []
    error: Exception | None = None

    def __init__(self, **options: Any) -> None:
        self.made.append(options)
        if self.error:
            raise self.error
        self.voice_converter = SimpleNamespace(output_sample_rate=24000)

    def to(self, device: str) -> "TTS":
        self.made[-1]["device"] = device
        return self

    def voice_conversion(self, *, source_wav: str, target_wav: str) -> Any:
        source, target = soundfile.info(source_wav), soundfile.info(target_wav)
        self.heard.append((source.frames, source.samplerate, target.frames, target.samplerate))
        return torch.rand(round(source.duration * 24000) + 100).numpy() * 0.5


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> type[TTS]:
    package, api = ModuleType("TTS"), ModuleType("TTS.api")
    api.TTS = TTS  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "TTS", package)
    monkeypatch.setitem(sys.modules, "TTS.api", api)
    monkeypatch.setattr(importlib.metadata, "version", lambda name: {"coqui-tts": "0.28.0"}[name])
    monkeypatch.setattr(TTS, "made", [])
    monkeypatch.setattr(TTS, "heard", [])
    return TTS


@pytest.mark.parametrize("name", ["", *MODELS])
def test_a_model_is_loaded_by_its_full_name(stand_in: type[TTS], name: str) -> None:
    backend = Coqui(argument=name)
    assert stand_in.made == [
        {"model_name": MODELS[name or "freevc24"], "progress_bar": False, "device": "cpu"}
    ]
    assert backend.model.name == f"coqui:{name or 'freevc24'}"
    assert backend.model.revision == find("converter", "coqui").revision


def test_clips_go_over_as_files_and_come_back_at_the_sources_rate_and_length(stand_in: type[TTS]) -> None:
    source, voice = tone(seconds=0.5, rate_hz=22050), tone(seconds=1.0, rate_hz=44100)
    converted = Coqui().convert(source, voice=voice, seed=0)
    assert stand_in.heard == [(11025, 22050, 44100, 44100)]
    assert (converted.sample_rate_hz, len(converted.samples)) == (22050, 11025)


def test_the_seed_and_the_clips_fix_what_is_drawn(stand_in: type[TTS]) -> None:
    backend = Coqui()
    state = torch.random.get_rng_state()
    one, again, other = (
        backend.convert(tone(), voice=tone(330), seed=seed).samples for seed in (1, 1, 2)
    )  # fmt: skip
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)
    assert torch.equal(state, torch.random.get_rng_state())


def test_unknown_models_are_answered_with_the_closest(stand_in: type[TTS]) -> None:
    with pytest.raises(UserError, match=r"unknown model 'freevc'\. Did you mean 'freevc24'"):
        Coqui(argument="freevc")


def test_weights_that_cannot_be_had_are_one_line(
    stand_in: type[TTS], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TTS, "error", OSError("HTTPSConnectionPool: no route\nmore"))
    with pytest.raises(
        UserError, match=r"^coqui: knnvc could not be loaded \(HTTPSConnectionPool: no route\)$"
    ):
        Coqui(argument="knnvc")


def test_a_package_that_cannot_be_imported_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "TTS", ModuleType("TTS"))
    monkeypatch.setitem(sys.modules, "TTS.api", None)
    with pytest.raises(UserError, match="coqui: its package cannot be imported"):
        Coqui()


# ---- Random weights, where coqui-tts is installed ----


@pytest.mark.skipif(find_spec("TTS") is None, reason="coqui-tts has an environment of its own")
def test_freevc_loads_and_converts_with_random_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TTS_HOME", str(tmp_path))
    from TTS.vc.configs.freevc_config import FreeVCConfig
    from TTS.vc.layers.freevc.wavlm.wavlm import WavLM, WavLMConfig
    from TTS.vc.models import freevc

    def small_wavlm(device: str = "cpu") -> Any:
        settings = {
            "encoder_layers": 1, "encoder_ffn_embed_dim": 64, "encoder_embed_dim": 1024, "normalize": True,
            "encoder_attention_heads": 2, "extractor_mode": "layer_norm", "relative_position_embedding": True,
            "num_buckets": 32, "max_distance": 80, "gru_rel_pos": True,
        }  # fmt: skip
        return WavLM(WavLMConfig(settings)).eval()

    # The real one is fetched by coqui-tts itself: 1.2 GB.
    monkeypatch.setattr(freevc, "get_wavlm", small_wavlm)
    config = FreeVCConfig()
    config.model_args.upsample_initial_channel = 64
    folder = tmp_path / "tts" / "voice_conversion_models--multilingual--vctk--freevc24"
    folder.mkdir(parents=True)
    config.save_json(str(folder / "config.json"))
    torch.save({"model": freevc.FreeVC(config).state_dict()}, folder / "model.pth")
    source, voice = tone(150, seconds=1.0), tone(250, seconds=1.0, rate_hz=24000)
    converted = Coqui().convert(source, voice=voice, seed=0)
    assert (converted.sample_rate_hz, len(converted.samples)) == (16000, 16000)
    assert np.abs(converted.samples).max() > 0
    assert isinstance(converted, Audio)
