"""Voxtral: real mistral-common tokenizer, processor and model class, tiny random weights."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from bench import random_models
from tests.agent_requests import BASKET, RIDE, tone
from voicebench.errors import AgentFailure, UserError
from voicebench.registry import find, load
from voicebench.scoring.calls import read_calls
from voicebench.types import Message, ToolCall
from voicebench_speech_lms.voxtral import Voxtral

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytest.importorskip("mistral_common")

TOLD = Message("system", "Call tools.")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("voxtral")
    random_models.save("voxtral", made)
    return made


@pytest.fixture(scope="module")
def lm(folder: Path) -> Voxtral:
    made: Voxtral = load(find("agent", "voxtral"), path=folder)
    return made


def prompt(lm: Voxtral, *messages: Message, tools: Any = ()) -> str:
    """What the model reads, without the placeholders of the sound."""
    ids = lm._process(messages, lm._clips(messages), tools)["input_ids"][0].tolist()
    text: str = lm._tokenizer.decode(ids)
    return text.replace("[AUDIO]", "")


def plain(folder: Path, copied: Path) -> Path:
    """A folder with a plain fast tokenizer, whose template even has a place for the sound."""
    shutil.copytree(folder, copied, dirs_exist_ok=True)
    words = random_models.words(
        400, ["[AUDIO]", "[BEGIN_AUDIO]"], end="</s>",
        template="{% for message in messages %}[INST]{% if message.content is string %}{{ message.content }}"
        "{% else %}{% for item in message.content %}{% if item.type == 'audio' %}[BEGIN_AUDIO][AUDIO]"
        "{% else %}{{ item.text }}{% endif %}{% endfor %}{% endif %}[/INST]{% endfor %}",
    )  # fmt: skip
    words.save_pretrained(copied)
    return copied


def test_the_record_and_the_class_say_the_same() -> None:
    record = find("agent", "voxtral")
    assert (record.memory_mb, record.longest_audio_s) == (Voxtral.memory_mb, Voxtral.longest_clip_s)
    assert record.hears == "several clips"
    assert record.weights == (Voxtral.name,)


def test_another_sound_has_another_answer(lm: Voxtral) -> None:
    def answer(hertz: float) -> str:
        # Shorter sound fills less of its window, and of a tiny model's attention.
        parts = lm.complete([TOLD, Message("user", "", tone(hertz, seconds=25))], max_tokens=16)
        return "".join(part.text for part in parts)

    assert answer(200) == answer(200) != answer(1500)


def test_each_clip_costs_whole_windows_of_half_a_minute(lm: Voxtral) -> None:
    chat = [
        TOLD, Message("user", "", tone(seconds=0.5)), Message("assistant", "कहाँ?"),
        Message("user", "", tone(300, seconds=31)),
    ]  # fmt: skip
    inputs = lm._process(chat, lm._clips(chat), ())
    assert tuple(inputs["input_features"].shape) == (3, 16, 3000)
    usage = list(lm.complete(chat, max_tokens=2))[-1].usage
    assert usage["audio_input_tokens"] == 3 * 375


def test_the_instruction_opens_the_first_user_turn_behind_its_sound(lm: Voxtral) -> None:
    later = Message("user", "", tone(300))
    assert prompt(lm, TOLD, Message("user", "", tone()), Message("assistant", "कहाँ?"), later) == (
        "<s>[INST][BEGIN_AUDIO]Call tools.[/INST]कहाँ?</s>[INST][BEGIN_AUDIO][/INST]"
    )


def test_a_request_in_words_comes_after_the_instruction(lm: Voxtral) -> None:
    assert prompt(lm, TOLD, Message("user", "घर चलो, வீடு")) == ("<s>[INST]Call tools.\n\nघर चलो, வீடு[/INST]")


def test_tools_stand_before_the_last_user_turn(lm: Voxtral) -> None:
    read = prompt(lm, TOLD, Message("user", "", tone()), tools=[BASKET])
    assert read.startswith(
        '<s>[AVAILABLE_TOOLS][{"type": "function", "function": {"name": "food_clear_basket", '
        '"description": "Empty the basket."'
    )
    assert read.endswith("[/AVAILABLE_TOOLS][INST][BEGIN_AUDIO]Call tools.[/INST]")


def test_a_name_that_the_format_forbids_is_read_back() -> None:
    answer = '[TOOL_CALLS][{"name": "food_clear_basket", "arguments": {}, "id": "abcdefghi"}]'
    assert read_calls(answer, [RIDE, BASKET]) == (ToolCall(name="food.clear_basket"),)


def test_with_native_tools_it_answers_too(lm: Voxtral) -> None:
    parts = list(lm.complete([TOLD, Message("user", "", tone())], tools=[RIDE, BASKET], max_tokens=3))
    assert parts[-1].usage["output_tokens"] > 0


def test_the_processor_of_a_plain_tokenizer_drops_the_sound_and_that_is_noticed(
    folder: Path, tmp_path: Path
) -> None:
    lm = Voxtral(path=folder)
    (plain(folder, tmp_path) / "tekken.json").unlink()
    words = transformers.PreTrainedTokenizerFast.from_pretrained(tmp_path)
    lm._processor = transformers.VoxtralProcessor(lm._processor.feature_extractor, words)
    with pytest.raises(AgentFailure) as failed:
        list(lm.complete([TOLD, Message("user", "", tone(seconds=0.5))], max_tokens=3))
    assert failed.value.kind == "audio"
    assert "in what voxtral was given" in str(failed.value)


def test_a_plain_tokenizer_beside_the_models_own_is_not_taken(folder: Path, tmp_path: Path) -> None:
    lm = Voxtral(path=plain(folder, tmp_path))
    assert type(lm._tokenizer).__name__ == "MistralCommonBackend"
    usage = list(lm.complete([TOLD, Message("user", "", tone())], max_tokens=3))[-1].usage
    assert usage["audio_input_tokens"] == 375


def test_a_folder_without_the_models_own_tokenizer_is_refused(folder: Path, tmp_path: Path) -> None:
    plain(folder, tmp_path)
    (tmp_path / "tekken.json").unlink()
    with pytest.raises(UserError, match=rf"^{tmp_path}: voxtral needs tekken\.json in this folder"):
        Voxtral(path=tmp_path)


def test_features_without_a_placeholder_are_noticed(lm: Voxtral, monkeypatch: pytest.MonkeyPatch) -> None:
    chat = [TOLD, Message("user", "", tone())]
    inputs = lm._process(chat, lm._clips(chat), ())
    del inputs["input_features"]
    monkeypatch.setattr(lm, "_process", lambda *told: inputs)
    with pytest.raises(AgentFailure, match=r"^0\.00 s of 0\.50 s of sound are in what voxtral was given"):
        list(lm.complete(chat, max_tokens=3))


def test_a_clip_longer_than_the_model_hears_is_refused(lm: Voxtral) -> None:
    with pytest.raises(AgentFailure, match=r"^a clip of 2401\.0 s; voxtral hears 2400 s at most"):
        list(lm.complete([Message("user", "", tone(seconds=2401, rate_hz=8))], max_tokens=3))
