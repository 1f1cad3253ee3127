"""Kimi-Audio against a stand-in for kimia_infer: this tests the shape of the calls alone, no weights ran."""

import sys
import time
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import soundfile

from tests.agent_requests import BASKET, tone
from voicebench.errors import AgentFailure, UserError
from voicebench.registry import find, load, trusted
from voicebench.types import Audio, Message, Part
from voicebench_speech_lms.kimi_audio import KimiAudio

TOLD = Message("system", "Call tools.")


class Engine:
    """Remembers what it was given; reads the WAV files while they are there."""

    made: dict[str, Any]
    error: Exception | None = None

    def __init__(self, **options: Any) -> None:
        if self.error is not None:
            raise self.error
        type(self).made = options
        self.asked: list[tuple[list[dict[str, str]], dict[str, Any]]] = []
        self.heard: list[tuple[int, int]] = []

    def generate(self, chats: list[dict[str, str]], **options: Any) -> tuple[None, str]:
        self.asked.append((chats, options))
        for message in chats:
            if message["message_type"] == "audio":
                samples, rate_hz = soundfile.read(message["content"])
                self.heard.append((len(samples), rate_hz))
        if self.error is not None:
            raise self.error
        return None, "[cab.book_ride(pickup='घर')]"


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> type[Engine]:
    class Fresh(Engine):
        pass

    torch, package = ModuleType("torch"), ModuleType("kimia_infer")
    api, kimia = ModuleType("kimia_infer.api"), ModuleType("kimia_infer.api.kimia")
    used = SimpleNamespace(devices=[], seeds=[], emptied=0)
    torch.used = used  # type: ignore[attr-defined]
    torch.manual_seed = used.seeds.append  # type: ignore[attr-defined]
    torch.cuda = SimpleNamespace(  # type: ignore[attr-defined]
        is_available=lambda: True,
        device_count=lambda: 2,
        set_device=used.devices.append,
        empty_cache=lambda: setattr(used, "emptied", used.emptied + 1),
    )
    kimia.KimiAudio = Fresh  # type: ignore[attr-defined]
    for module in (torch, package, api, kimia):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    return Fresh


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    return tmp_path


def ask(lm: KimiAudio, *messages: Message, **options: Any) -> list[Part]:
    return list(lm.complete(messages, **options))


def test_the_weights_are_loaded_without_the_speech_decoder(engine: type[Engine], folder: Path) -> None:
    KimiAudio(path=folder, device="cuda:1")
    assert engine.made == {"model_path": str(folder), "load_detokenizer": False}
    assert sys.modules["torch"].used.devices == [1]


def test_the_instruction_comes_first_and_each_turn_as_sound_or_words(
    engine: type[Engine], folder: Path
) -> None:
    lm = KimiAudio(path=folder)
    ask(
        lm,
        TOLD,
        Message("user", "", tone(seconds=0.5, rate_hz=48_000)),
        Message("assistant", "कहाँ?"),
        Message("user", "", tone(seconds=0.25)),
        max_tokens=64,
    )
    [(chats, options)] = lm._engine.asked
    assert [(m["role"], m["message_type"]) for m in chats] == [
        ("user", "text"), ("user", "audio"), ("assistant", "text"), ("user", "audio"),
    ]  # fmt: skip
    assert (chats[0]["content"], chats[2]["content"]) == ("Call tools.", "कहाँ?")
    assert lm._engine.heard == [(8_000, 16_000), (4_000, 16_000)]
    assert options == {
        "output_type": "text", "text_temperature": 0.0, "text_top_k": 5, "audio_temperature": 0.8,
        "audio_top_k": 10, "max_new_tokens": 64,
    }  # fmt: skip


def test_the_answer_comes_in_one_part_when_it_is_complete(engine: type[Engine], folder: Path) -> None:
    lm = KimiAudio(path=folder)
    asked_s = time.perf_counter()
    [part] = ask(lm, TOLD, Message("user", "", tone()))
    assert (part.kind, part.text) == ("answer", "[cab.book_ride(pickup='घर')]")
    assert asked_s < part.at_s < time.perf_counter()


def test_a_temperature_and_a_seed_are_passed_on(engine: type[Engine], folder: Path) -> None:
    lm = KimiAudio(path=folder, device="cuda:1")
    ask(lm, Message("user", "வணக்கம்"), temperature=0.7, seed=11)
    assert lm._engine.asked[0][1]["text_temperature"] == 0.7
    assert sys.modules["torch"].used.seeds == [11]
    # The current device is a thread's own, so it is set again where the model is asked.
    assert sys.modules["torch"].used.devices == [1, 1]


def test_the_clips_are_gone_afterwards(engine: type[Engine], folder: Path) -> None:
    lm = KimiAudio(path=folder)
    ask(lm, Message("user", "", tone()))
    assert not Path(lm._engine.asked[0][0][0]["content"]).exists()


def test_an_empty_clip_is_written_as_an_empty_file(engine: type[Engine], folder: Path) -> None:
    lm = KimiAudio(path=folder)
    ask(lm, Message("user", "", Audio(tone().samples[:0], 16_000)))
    assert lm._engine.heard == [(0, 16_000)]


def test_native_tools_are_refused(engine: type[Engine], folder: Path) -> None:
    with pytest.raises(AgentFailure, match="takes no native tools") as failed:
        ask(KimiAudio(path=folder), Message("user", "", tone()), tools=[BASKET])
    assert failed.value.kind == "unsupported"


def test_out_of_memory_is_said_and_the_next_request_is_served(engine: type[Engine], folder: Path) -> None:
    lm = KimiAudio(path=folder)
    engine.error = RuntimeError("CUDA out of memory. Tried to allocate")
    with pytest.raises(AgentFailure, match="CUDA out of memory") as failed:
        ask(lm, Message("user", "", tone()))
    assert failed.value.kind == "out_of_memory"
    assert sys.modules["torch"].used.emptied == 1
    engine.error = None
    assert ask(lm, Message("user", "", tone()))


def test_what_else_it_raises_is_left_as_it_is(engine: type[Engine], folder: Path) -> None:
    lm = KimiAudio(path=folder)
    engine.error = IndexError("list index")
    with pytest.raises(IndexError, match="list index"):
        ask(lm, Message("user", "", tone()))


def test_loading_out_of_memory_says_what_it_needs(engine: type[Engine], folder: Path) -> None:
    engine.error = RuntimeError("CUDA out of memory.")
    with pytest.raises(UserError, match=r"^kimi-audio does not fit: it needs about 24 GB, and cuda ran out"):
        KimiAudio(path=folder)


@pytest.mark.parametrize("device", ["cpu", "cuda:x"])
def test_without_a_cuda_device_it_says_so_in_one_line(folder: Path, device: str) -> None:
    with pytest.raises(UserError, match=r"^kimi-audio needs a CUDA device, not .* Give --gpu 0"):
        KimiAudio(path=folder, device=device)


def test_a_cuda_device_that_is_not_there_is_the_users_error(engine: type[Engine], folder: Path) -> None:
    with pytest.raises(UserError, match="'cuda:2' is not there"):
        KimiAudio(path=folder, device="cuda:2")


def test_its_hubs_code_runs_only_where_that_is_allowed(
    engine: type[Engine], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = find("agent", "kimi-audio")
    monkeypatch.setattr(type(record), "missing", None)
    with pytest.raises(UserError, match="--trust-remote-code"):
        load(record, path=folder)
    assert isinstance(load(trusted(record, allowed=True), path=folder), KimiAudio)
