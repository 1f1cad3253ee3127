"""Phi-4-multimodal: real processor, model class and speech adapter, tiny random weights."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench import random_models
from tests.agent_requests import BASKET, tone
from voicebench.errors import AgentFailure, UserError
from voicebench.registry import find, load
from voicebench.types import Message
from voicebench_speech_lms._adapted import _layers
from voicebench_speech_lms.phi4_multimodal import Phi4Multimodal

torch = pytest.importorskip("torch")
pytest.importorskip("torchvision")
transformers = pytest.importorskip("transformers")
pytest.importorskip("peft")

TOLD = Message("system", "Call tools.")
HEARD = Message("user", "", tone(seconds=0.5))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("phi")
    random_models.save("phi-4-multimodal", made)
    return made


@pytest.fixture(scope="module")
def lm(folder: Path) -> Phi4Multimodal:
    made: Phi4Multimodal = load(find("agent", "phi-4-multimodal"), path=folder)
    return made


def text(lm: Phi4Multimodal, *messages: Message, **options: Any) -> str:
    return "".join(part.text for part in lm.complete(messages, **{"max_tokens": 24, **options}))


def test_the_record_and_the_class_say_the_same() -> None:
    record = find("agent", "phi-4-multimodal")
    assert record.memory_mb == Phi4Multimodal.memory_mb
    assert record.longest_audio_s == Phi4Multimodal.longest_clip_s
    assert (record.hears, Phi4Multimodal.most_clips) == ("one clip", 1)
    assert record.weights == (Phi4Multimodal.name,)


def test_a_clip_is_a_token_for_each_eight_frames(lm: Phi4Multimodal) -> None:
    # 0.5 s are (8000 - 400) // 160 + 1 = 48 frames.
    assert list(lm.complete([TOLD, HEARD], max_tokens=3))[-1].usage["audio_input_tokens"] == 6


def test_another_sound_has_another_answer(lm: Phi4Multimodal) -> None:
    low, high = (text(lm, TOLD, Message("user", "", tone(hertz))) for hertz in (200, 1500))
    assert low != high
    assert low == text(lm, TOLD, Message("user", "", tone(200)))


def test_the_adapter_leaves_the_models_own_weights_as_they_are(folder: Path, lm: Phi4Multimodal) -> None:
    bare = transformers.Phi4MultimodalForCausalLM.from_pretrained(folder, local_files_only=True).state_dict()
    own = {
        key.replace(".base_layer", ""): value
        for key, value in lm._model.state_dict().items()
        if ".lora_" not in key
    }
    assert own.keys() == bare.keys()
    assert all(torch.equal(own[key], bare[key]) for key in bare)


def test_the_adapters_weights_are_those_of_its_file(folder: Path, lm: Phi4Multimodal) -> None:
    from safetensors.torch import load_file

    stored = load_file(folder / "speech-lora" / "adapter_model.safetensors")
    loaded = {key: value for key, value in lm._model.state_dict().items() if ".lora_" in key}
    assert len(loaded) == len(stored) == 16
    name = "model.layers.1.mlp.down_proj.lora_B"
    assert torch.equal(loaded[f"{name}.adapter.weight"], stored[f"base_model.model.{name}.weight"])


def test_the_adapter_works_where_there_is_sound_and_rests_where_there_is_none(
    lm: Phi4Multimodal, monkeypatch: pytest.MonkeyPatch
) -> None:
    states = []
    real = lm._model.generate

    def generate(**options: Any) -> Any:
        states.append({layer.disable_adapters for layer in _layers(lm._model)})
        return real(**options)

    monkeypatch.setattr(lm._model, "generate", generate)
    text(lm, TOLD, HEARD)
    text(lm, TOLD, Message("user", "บ้าน"))
    assert states == [{False}, {True}]


def test_a_part_of_the_adapter_that_is_missing_is_noticed(folder: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    file = tmp_path / "speech-lora" / "adapter_model.safetensors"
    weights = load_file(file)
    del weights[next(name for name in weights if "qkv_proj.lora_B" in name)]
    save_file(weights, file, metadata={"format": "pt"})
    with pytest.raises(
        UserError, match=r"1 weights of the adapter of phi-4-multimodal are not in this folder"
    ):
        Phi4Multimodal(path=tmp_path)


def test_a_folder_without_the_adapter_is_refused(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    shutil.rmtree(tmp_path / "speech-lora")
    with pytest.raises(UserError, match=r"needs speech-lora/adapter_config\.json, speech-lora/adapter_model"):
        Phi4Multimodal(path=tmp_path)


def test_the_template_writes_the_placeholder_before_the_words(lm: Phi4Multimodal) -> None:
    assert lm._prompt([TOLD, Message("user", "और यह?", tone())], ()) == (
        "<|system|>Call tools.<|end|><|user|><|audio|>और यह?<|end|><|assistant|>"
    )


def test_tools_are_written_into_the_system_turn(lm: Phi4Multimodal) -> None:
    prompt = lm._prompt([TOLD, HEARD], [BASKET])
    before, _, rest = prompt.partition("<|tool|>")
    offered, _, after = rest.partition("<|/tool|>")
    assert before == "<|system|>Call tools."
    assert json.loads(offered) == [BASKET.model_dump()]
    assert after == "<|end|><|user|><|audio|><|end|><|assistant|>"
    assert lm._prompt([HEARD], [BASKET]).startswith("<|system|><|tool|>[{")
    assert text(lm, TOLD, HEARD, tools=[BASKET])


def test_transformers_does_not_mask_the_padding_of_a_shorter_clip(lm: Phi4Multimodal) -> None:
    """Why a conversation has one clip: beside a longer one, a clip is heard otherwise."""
    listen = lm._processor.audio_processor
    clips = [tone(200, seconds=0.5).samples, np.zeros(32_000, np.float32)]
    encoder = lm._model.model.embed_tokens_extend.audio_embed.encoder
    with torch.inference_mode():
        alone = encoder(listen(clips[:1], sampling_rate=16_000)["audio_input_features"], None)[0]
        both = listen(clips, sampling_rate=16_000)
        beside = encoder(both["audio_input_features"], both["audio_attention_mask"])[0, : len(alone)]
    assert (alone - beside).abs().max() > 0.1 * alone.abs().max()


def test_a_second_clip_is_refused(lm: Phi4Multimodal) -> None:
    with pytest.raises(
        AgentFailure, match=r"^2 clips in a conversation; phi-4-multimodal hears 1\."
    ) as failed:
        text(lm, HEARD, Message("assistant", "कहाँ?"), HEARD)
    assert failed.value.kind == "unsupported"


@pytest.mark.parametrize("samples", [0, 399])
def test_a_clip_too_short_for_a_frame_is_an_audio_failure(lm: Phi4Multimodal, samples: int) -> None:
    with pytest.raises(AgentFailure, match=r"phi-4-multimodal hears 0\.025 s at least") as failed:
        text(lm, Message("user", "", tone(seconds=samples / 16_000)))
    assert failed.value.kind == "audio"


def test_a_clip_longer_than_the_model_hears_is_refused(lm: Phi4Multimodal) -> None:
    with pytest.raises(AgentFailure, match=r"^a clip of 41\.0 s; phi-4-multimodal hears 40 s at most"):
        text(lm, Message("user", "", tone(seconds=41)))


def test_sound_left_out_of_the_inputs_is_noticed(lm: Phi4Multimodal, monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = lm._process([TOLD, HEARD], lm._clips([HEARD]), ())
    del inputs["audio_input_features"]
    monkeypatch.setattr(lm, "_process", lambda *told: inputs)
    with pytest.raises(AgentFailure, match=r"^0\.00 s of 0\.50 s of sound are in what phi-4-multimodal"):
        text(lm, TOLD, HEARD)
