"""The shared part, through a real processor and `generate` on tiny random weights."""

import dataclasses
import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.agent_requests import BASKET, tone
from tests.speech_lms import tiny
from voicebench.errors import AgentFailure, UserError
from voicebench.types import Audio, Message, Part
from voicebench_speech_lms._transformers import TransformersSpeechLM, runs
from voicebench_speech_lms.qwen2_audio import Qwen2Audio

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

TOLD = Message("system", "Call tools.")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("qwen2-audio")
    tiny.qwen2_audio(made)
    return made


@pytest.fixture(scope="module")
def lm(folder: Path) -> TransformersSpeechLM:
    return Qwen2Audio(path=folder)


@pytest.fixture
def altered(lm: TransformersSpeechLM) -> Iterator[TransformersSpeechLM]:
    """The model, for tests that put something into it: its own parts come back afterwards."""
    before = dict(vars(lm))
    yield lm
    vars(lm).clear()
    vars(lm).update(before)


def heard(*clips: Audio, words: str = "") -> list[Message]:
    return [TOLD, *(Message("user", words, clip) for clip in clips)]


def ask(model: TransformersSpeechLM, messages: list[Message], **options: Any) -> list[Part]:
    return list(model.complete(messages, **{"max_tokens": 16, **options}))


def text(parts: list[Part]) -> str:
    return "".join(part.text for part in parts if part.kind == "content")


def seen(model: TransformersSpeechLM, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What `generate` is given from now on."""
    calls: list[dict[str, Any]] = []
    real = model._model.generate

    def generate(**options: Any) -> Any:
        calls.append(options)
        return real(**options)

    monkeypatch.setattr(model._model, "generate", generate)
    return calls


def dropping(processor: Any) -> Any:
    """A processor that forgets the sound and leaves its placeholder, as a plain tokenizer would."""

    class Dropping:
        chat_template = processor.chat_template
        tokenizer = processor.tokenizer
        audio_token_id = processor.audio_token_id
        feature_extractor = processor.feature_extractor
        apply_chat_template = processor.apply_chat_template

        def __call__(self, *, audio: Any = None, sampling_rate: Any = None, **options: Any) -> Any:
            return processor.tokenizer(**options)

    return Dropping()


def test_the_answer_is_what_the_model_generated(
    lm: TransformersSpeechLM, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = seen(lm, monkeypatch)
    parts = ask(lm, heard(tone()))
    [options] = calls
    del options["streamer"]
    with torch.inference_mode():
        ids = lm._model.generate(**options)[0, options["input_ids"].shape[1] :].tolist()
    assert text(parts) == lm._tokenizer.decode(ids, skip_special_tokens=True)
    assert parts[-1].usage["output_tokens"] == len(ids) == 16


def test_usage_counts_what_is_sound_and_leaves_out_what_is_not_there(lm: TransformersSpeechLM) -> None:
    # 0.5 s are 50 frames, which the encoder halves twice: (50 - 1) // 2 + 1 = 25, (25 - 2) // 2 + 1 = 12.
    usage = ask(lm, heard(tone(seconds=0.5)))[-1].usage
    assert usage["audio_input_tokens"] == 12
    assert set(usage) == {"input_tokens", "output_tokens", "audio_input_tokens"}
    assert set(ask(lm, [TOLD, Message("user", "घर चलो")])[-1].usage) == {"input_tokens", "output_tokens"}


def test_parts_are_stamped_one_after_another_and_before_the_end(lm: TransformersSpeechLM) -> None:
    began_s = time.perf_counter()
    parts = ask(lm, heard(tone()), max_tokens=40)
    done_s = time.perf_counter()
    times = [part.at_s for part in parts if part.kind == "content"]
    assert len(times) > 5
    assert all(one < other for one, other in itertools.pairwise(times))
    assert began_s < times[0] < times[-1] <= done_s


def test_pieces_of_a_character_are_no_parts(lm: TransformersSpeechLM) -> None:
    parts = ask(lm, heard(tone()), max_tokens=60)
    assert all(part.text for part in parts if part.kind == "content")


def test_another_sound_is_another_input_and_another_answer(
    lm: TransformersSpeechLM, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = seen(lm, monkeypatch)
    low, high = ask(lm, heard(tone(200))), ask(lm, heard(tone(1500)))
    assert torch.equal(calls[0]["input_ids"], calls[1]["input_ids"])
    assert not torch.equal(calls[0]["input_features"], calls[1]["input_features"])
    assert text(low) != text(high)


def test_sound_comes_at_the_models_rate(lm: TransformersSpeechLM) -> None:
    one, other = (ask(lm, heard(tone(seconds=0.5, rate_hz=rate)))[-1].usage for rate in (48_000, 8_000))
    assert one["audio_input_tokens"] == other["audio_input_tokens"] == 12


def test_the_same_question_has_the_same_answer(lm: TransformersSpeechLM) -> None:
    assert text(ask(lm, heard(tone()))) == text(ask(lm, heard(tone())))


def test_a_temperature_draws_and_a_seed_repeats_it(lm: TransformersSpeechLM) -> None:
    drawn = {
        (temperature, seed, turn): text(ask(lm, heard(tone()), temperature=temperature, seed=seed))
        for temperature, seed in ((0.0, 1), (1.5, 1), (1.5, 2))
        for turn in (1, 2)
    }
    assert len(set(drawn.values())) == 3
    assert all(drawn[t, seed, 1] == drawn[t, seed, 2] for t, seed, _ in drawn)


def test_the_models_own_settings_do_not_change_how_it_decodes(
    lm: TransformersSpeechLM, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = text(ask(lm, heard(tone()), max_tokens=30))
    monkeypatch.setattr(lm._model.generation_config, "repetition_penalty", 5.0)
    assert text(ask(lm, heard(tone()), max_tokens=30)) == answer


def test_no_more_is_generated_than_was_asked_for(lm: TransformersSpeechLM) -> None:
    assert ask(lm, heard(tone()), max_tokens=3)[-1].usage["output_tokens"] == 3


def test_the_answer_ends_where_the_model_ends_it(
    lm: TransformersSpeechLM, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = seen(lm, monkeypatch)
    ask(lm, heard(tone()))
    assert calls[0]["eos_token_id"] == [lm._tokenizer.eos_token_id]
    bias = torch.zeros(len(lm._tokenizer))
    bias[lm._tokenizer.eos_token_id] = 1e6
    real = lm._model.lm_head.forward
    monkeypatch.setattr(lm._model.lm_head, "forward", lambda hidden: real(hidden) + bias)
    parts = ask(lm, heard(tone()))
    assert [part.kind for part in parts] == ["usage"]
    assert parts[-1].usage["output_tokens"] == 1


def test_a_reader_may_leave_early(lm: TransformersSpeechLM, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = []
    real = lm._model.lm_head.forward

    def step(hidden: Any) -> Any:
        steps.append(1)
        return real(hidden)

    monkeypatch.setattr(lm._model.lm_head, "forward", step)
    parts = lm.complete(heard(tone()), max_tokens=2000)
    next(parts)
    parts.close()  # type: ignore[attr-defined]
    assert 0 < len(steps) < 1000
    assert text(ask(lm, heard(tone())))


def test_words_in_any_script_reach_the_model_whole(lm: TransformersSpeechLM) -> None:
    said = "घर चलो, วันนี้ เร็ว, வீடு"
    inputs = lm._process([TOLD, Message("user", said)], [], ())
    assert said in lm._tokenizer.decode(inputs["input_ids"][0])


def test_an_empty_message_is_asked_too(lm: TransformersSpeechLM) -> None:
    assert ask(lm, [TOLD, Message("user", "")])[-1].usage["output_tokens"] > 0


def test_words_beside_a_clip_come_after_it(lm: TransformersSpeechLM) -> None:
    prompt = lm._prompt([Message("user", "और यह?", tone())], ())
    assert prompt.index("<|AUDIO|>") < prompt.index("और यह?")


def test_a_processor_that_drops_the_sound_is_noticed(altered: TransformersSpeechLM) -> None:
    altered._processor = dropping(altered._processor)
    with pytest.raises(AgentFailure, match=r"^0\.00 s of 0\.50 s of sound are in what qwen2-audio") as failed:
        ask(altered, heard(tone(seconds=0.5)))
    assert failed.value.kind == "audio"


def test_a_template_without_a_place_for_sound_is_noticed(altered: TransformersSpeechLM) -> None:
    real = altered._process
    altered._process = lambda messages, clips, tools: real([TOLD, Message("user", "")], [], tools)  # type: ignore[method-assign]
    with pytest.raises(AgentFailure, match=r"^0 of 2 clips are in what qwen2-audio was given") as failed:
        ask(altered, heard(tone(), tone()))
    assert failed.value.kind == "audio"


def test_a_clip_that_the_feature_extractor_cuts_is_noticed(lm: TransformersSpeechLM) -> None:
    long = tone(seconds=tiny.WINDOW_S + 1)
    with pytest.raises(AgentFailure, match=r"^2\.00 s of 3\.00 s of sound") as failed:
        ask(lm, heard(long))
    assert failed.value.kind == "audio"


def test_a_clip_longer_than_the_model_hears_is_refused(lm: TransformersSpeechLM) -> None:
    with pytest.raises(AgentFailure, match=r"^a clip of 30\.5 s; qwen2-audio hears 30 s at most") as failed:
        ask(lm, heard(tone(seconds=30.5)))
    assert failed.value.kind == "audio"


@pytest.mark.parametrize("samples", [0, 20])
def test_a_clip_without_a_single_frame_is_an_audio_failure(lm: TransformersSpeechLM, samples: int) -> None:
    with pytest.raises(AgentFailure) as failed:
        ask(lm, heard(Audio(np.zeros(samples, np.float32), 16_000)))
    assert failed.value.kind == "audio"


def test_native_tools_need_a_template_that_takes_them(lm: TransformersSpeechLM) -> None:
    with pytest.raises(AgentFailure, match=r"its chat template takes no tools. Write them") as failed:
        ask(lm, heard(tone()), tools=[BASKET])
    assert failed.value.kind == "unsupported"


def test_a_template_that_takes_tools_is_given_them(altered: TransformersSpeechLM) -> None:
    processor = altered._processor
    offered = "{% for tool in tools %}{{ tool.function.name }}: {{ tool.function.description }}\n{% endfor %}"
    own = processor.chat_template
    processor.chat_template = offered + own
    try:
        assert altered._prompt(heard(tone()), [BASKET]).startswith("food.clear_basket: Empty the basket.\n")
        assert text(ask(altered, heard(tone()), tools=[BASKET]))
    finally:
        processor.chat_template = own


def test_a_prompt_beyond_the_models_context_is_refused(lm: TransformersSpeechLM) -> None:
    with pytest.raises(AgentFailure, match=r"qwen2-audio takes fewer than 4096") as failed:
        ask(lm, [Message("user", "x" * 4200)])
    assert failed.value.kind == "unsupported"


def test_out_of_memory_is_said_and_the_next_request_is_served(
    lm: TransformersSpeechLM, monkeypatch: pytest.MonkeyPatch
) -> None:
    emptied = []

    def generate(**options: Any) -> None:
        raise torch.cuda.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")

    with monkeypatch.context() as broken:
        broken.setattr(lm._model, "generate", generate)
        broken.setattr(torch.cuda, "empty_cache", lambda: emptied.append(1))
        with pytest.raises(AgentFailure, match=r"^CUDA out of memory\. Tried to allocate") as failed:
            ask(lm, heard(tone()))
    assert failed.value.kind == "out_of_memory"
    assert emptied == [1]
    assert text(ask(lm, heard(tone())))


def test_loading_out_of_memory_says_what_it_needs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def load(self: Any, folder: Path) -> None:
        raise torch.cuda.OutOfMemoryError("CUDA out of memory.")

    monkeypatch.setattr(Qwen2Audio, "_load", load)
    with pytest.raises(UserError, match=r"^qwen2-audio does not fit: it needs about 18 GB on a GPU"):
        Qwen2Audio(path=folder)


def test_weights_that_are_not_there_are_not_drawn_at_random(folder: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    for file in folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    weights = load_file(tmp_path / "model.safetensors")
    del weights[next(name for name in weights if name.endswith("q_proj.weight"))]
    save_file(weights, tmp_path / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(UserError, match=r"1 weights of qwen2-audio are not in this folder, such as .*q_proj"):
        Qwen2Audio(path=tmp_path)


def test_a_folder_that_transformers_cannot_read_is_the_users_error(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(
        UserError, match=rf"^{tmp_path}: transformers cannot load qwen2-audio from this folder"
    ):
        Qwen2Audio(path=tmp_path)


def test_a_device_that_torch_does_not_find_is_the_users_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(UserError, match=r"finds no CUDA device for 'cuda:0'\. Install a torch"):
        Qwen2Audio(path=folder, device="cuda:0")


def test_runs_are_counted_in_order() -> None:
    assert runs([1, 7, 7, 2, 7, 7, 7], 7) == [2, 3]
    assert runs([], 7) == []


def test_messages_are_not_changed(lm: TransformersSpeechLM) -> None:
    messages = heard(tone())
    copies = [dataclasses.replace(message) for message in messages]
    ask(lm, messages)
    assert messages == copies
