"""Qwen2.5-Omni's Thinker out of a folder of the whole model: real classes, tiny random weights."""

from pathlib import Path
from typing import Any

import pytest

from tests.agent_requests import tone
from tests.speech_lms import tiny
from voicebench.errors import AgentFailure
from voicebench.registry import find, load
from voicebench.types import Message
from voicebench_speech_lms.qwen_omni import QwenOmni

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("torchvision")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("omni")
    tiny.qwen_omni(made)
    return made


@pytest.fixture(scope="module")
def lm(folder: Path) -> QwenOmni:
    made: QwenOmni = load(find("agent", "qwen2.5-omni"), path=folder)
    return made


def text(lm: QwenOmni, *messages: Message, **options: Any) -> str:
    return "".join(part.text for part in lm.complete(messages, **{"max_tokens": 12, **options}))


def test_the_record_and_the_class_say_the_same() -> None:
    record = find("agent", "qwen2.5-omni")
    assert (record.memory_mb, record.longest_audio_s) == (QwenOmni.memory_mb, QwenOmni.longest_clip_s)
    assert record.hears == "several clips"
    assert record.weights == (QwenOmni.name,)


def test_the_thinker_is_loaded_without_what_speaks(folder: Path, lm: QwenOmni) -> None:
    from safetensors.torch import load_file

    stored = load_file(folder / "model.safetensors")
    assert "talker.codec_head.weight" in stored
    assert not [name for name in lm._model.state_dict() if "talker" in name or "token2wav" in name]
    words = lm._model.get_input_embeddings().weight
    assert torch.equal(words, stored["thinker.model.embed_tokens.weight"])


def test_it_ends_with_the_turn_though_its_settings_name_no_end(lm: QwenOmni) -> None:
    assert lm._model.generation_config.eos_token_id is None
    assert lm._options(8, 0.0)["eos_token_id"] == [lm._tokenizer.convert_tokens_to_ids("<|im_end|>")]


def test_it_hears_one_clip_and_several(lm: QwenOmni) -> None:
    first, second = Message("user", "", tone(seconds=0.5)), Message("user", "", tone(300, seconds=1.0))
    one = list(lm.complete([first], max_tokens=4))[-1].usage
    two = list(lm.complete([first, Message("assistant", "कहाँ?"), second], max_tokens=4))[-1].usage
    assert (one["audio_input_tokens"], two["audio_input_tokens"]) == (12, 37)


def test_another_sound_has_another_answer(lm: QwenOmni) -> None:
    low, high = (text(lm, Message("user", "", tone(hertz)), max_tokens=24) for hertz in (200, 1500))
    assert low != high
    assert low == text(lm, Message("user", "", tone(200)), max_tokens=24)


def test_it_reads_words_in_any_script(lm: QwenOmni) -> None:
    assert text(lm, Message("system", "Call tools."), Message("user", "घर चलो, வீடு"))


def test_a_clip_cut_by_its_feature_extractor_is_noticed(lm: QwenOmni) -> None:
    with pytest.raises(AgentFailure, match=r"^6\.00 s of 7\.00 s of sound") as failed:
        text(lm, Message("user", "", tone(seconds=7.0)))
    assert failed.value.kind == "audio"
