"""Granite Speech: real processor, model class and LoRA adapter, tiny random weights."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from bench import random_models
from tests.agent_requests import BASKET, tone
from voicebench.errors import AgentFailure, UserError
from voicebench.registry import find, load
from voicebench.types import Message
from voicebench_speech_lms._adapted import _layers
from voicebench_speech_lms.granite_speech import GraniteSpeech

torch = pytest.importorskip("torch")
pytest.importorskip("torchaudio")
pytest.importorskip("transformers")
pytest.importorskip("peft")

TOLD = Message("system", "Call tools.")
HEARD = Message("user", "", tone(seconds=0.5))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("granite")
    random_models.save("granite-speech", made)
    return made


@pytest.fixture(scope="module")
def lm(folder: Path) -> GraniteSpeech:
    made: GraniteSpeech = load(find("agent", "granite-speech"), path=folder)
    return made


def text(lm: GraniteSpeech, *messages: Message, **options: Any) -> str:
    return "".join(part.text for part in lm.complete(messages, **{"max_tokens": 24, **options}))


def test_the_record_and_the_class_say_the_same() -> None:
    record = find("agent", "granite-speech")
    assert record.memory_mb == GraniteSpeech.memory_mb
    assert (record.longest_audio_s, GraniteSpeech.longest_clip_s) == (None, float("inf"))
    assert (record.hears, GraniteSpeech.most_clips) == ("one clip", 1)
    assert record.weights == (GraniteSpeech.name,)


def test_a_clip_is_three_tokens_for_each_three_tenths_of_a_second(lm: GraniteSpeech) -> None:
    usage = list(lm.complete([TOLD, HEARD], max_tokens=3))[-1].usage
    # 0.5 s are 25 steps of the encoder, which fill two of its windows of 15.
    assert usage["audio_input_tokens"] == 6


def test_another_sound_has_another_answer(lm: GraniteSpeech) -> None:
    low, high = (text(lm, TOLD, Message("user", "", tone(hertz))) for hertz in (200, 1500))
    assert low != high
    assert low == text(lm, TOLD, Message("user", "", tone(200)))


def test_the_adapter_is_loaded_from_beside_the_weights(lm: GraniteSpeech) -> None:
    # Query and value of two layers.
    assert len(_layers(lm._model)) == 4


def test_the_adapter_works_where_there_is_sound_and_rests_where_there_is_none(
    lm: GraniteSpeech, monkeypatch: pytest.MonkeyPatch
) -> None:
    states = []
    real = lm._model.generate

    def generate(**options: Any) -> Any:
        states.append({layer.disable_adapters for layer in _layers(lm._model)})
        return real(**options)

    monkeypatch.setattr(lm._model, "generate", generate)
    text(lm, TOLD, HEARD)
    text(lm, TOLD, Message("user", "घर चलो"))
    text(lm, TOLD, HEARD)
    assert states == [{False}, {True}, {False}]


def test_with_its_adapter_it_answers_otherwise(lm: GraniteSpeech, monkeypatch: pytest.MonkeyPatch) -> None:
    heard = text(lm, TOLD, HEARD)
    monkeypatch.setattr(type(_layers(lm._model)[0]), "enable_adapters", lambda self, on: None)
    for layer in _layers(lm._model):
        layer._disable_adapters = True
    assert text(lm, TOLD, HEARD) != heard


def test_a_folder_without_the_adapter_is_refused(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    (tmp_path / "adapter_config.json").unlink()
    with pytest.raises(UserError, match=r"granite-speech needs adapter_config\.json in this folder"):
        GraniteSpeech(path=tmp_path)


def test_an_adapter_that_was_not_loaded_is_noticed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voicebench_speech_lms._adapted._layers", lambda model: [])
    with pytest.raises(UserError, match="the LoRA adapter by which granite-speech hears was not loaded"):
        GraniteSpeech(path=folder)


def test_the_template_writes_the_placeholder_before_the_words(lm: GraniteSpeech) -> None:
    assert lm._prompt([TOLD, Message("user", "और यह?", tone())], ()) == (
        "<|start_of_role|>system<|end_of_role|>Call tools.<|end_of_text|>\n"
        "<|start_of_role|>user<|end_of_role|><|audio|>और यह?<|end_of_text|>\n"
        "<|start_of_role|>assistant<|end_of_role|>"
    )


def test_its_template_takes_tools(lm: GraniteSpeech) -> None:
    prompt = lm._prompt([TOLD, HEARD], [BASKET])
    assert prompt.startswith("<|start_of_role|>available_tools<|end_of_role|>[{")
    assert '"food.clear_basket"' in prompt
    assert text(lm, TOLD, HEARD, tools=[BASKET])


def test_a_second_clip_is_refused(lm: GraniteSpeech) -> None:
    with pytest.raises(AgentFailure, match=r"^2 clips in a conversation; granite-speech hears 1\.") as failed:
        text(lm, HEARD, Message("assistant", "कहाँ?"), HEARD)
    assert failed.value.kind == "unsupported"


@pytest.mark.parametrize("samples", [0, 256])
def test_a_clip_too_short_for_a_spectrogram_is_an_audio_failure(lm: GraniteSpeech, samples: int) -> None:
    with pytest.raises(AgentFailure, match=r"granite-speech hears 0\.016 s at least") as failed:
        text(lm, Message("user", "", tone(seconds=samples / 16_000)))
    assert failed.value.kind == "audio"


def test_the_shortest_clip_is_heard(lm: GraniteSpeech) -> None:
    usage = list(lm.complete([Message("user", "", tone(seconds=257 / 16_000))], max_tokens=2))[-1].usage
    assert usage["audio_input_tokens"] == 3


def test_sound_left_out_of_the_inputs_is_noticed(lm: GraniteSpeech, monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = lm._process([TOLD, HEARD], lm._clips([HEARD]), ())
    del inputs["input_features"]
    monkeypatch.setattr(lm, "_process", lambda *told: inputs)
    with pytest.raises(AgentFailure, match=r"^0\.00 s of 0\.50 s of sound are in what granite-speech"):
        text(lm, TOLD, HEARD)
