"""Kimi-Audio against a stand-in for kimia_infer: this tests the shape of the calls alone, no weights ran."""

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import soundfile

from tests.agent_requests import request, tone
from voicebench import prompts
from voicebench.errors import UserError
from voicebench.types import Audio, InputTurn, Request
from voicebench_speech_lms.kimi_audio import KimiAudio


class Engine:
    """Remembers what it was given; reads the WAV files while they are there."""

    made: dict[str, Any]
    error: Exception | None = None

    def __init__(self, **options: Any) -> None:
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
    current: list[int] = []
    torch.cuda = SimpleNamespace(  # type: ignore[attr-defined]
        is_available=lambda: True, device_count=lambda: 2, set_device=current.append, current=current
    )
    kimia.KimiAudio = Fresh  # type: ignore[attr-defined]
    for module in (torch, package, api, kimia):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    return Fresh


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    return tmp_path


def kimi(folder: Path, **options: Any) -> KimiAudio:
    return KimiAudio(instruct=prompts.for_speech, path=folder, **options)


def test_the_weights_are_loaded_without_the_speech_decoder(engine: type[Engine], folder: Path) -> None:
    kimi(folder, device="cuda:1")
    assert engine.made == {"model_path": str(folder), "load_detokenizer": False}
    assert sys.modules["torch"].cuda.current == [1]


def test_the_instruction_comes_first_and_each_turn_as_sound_or_words(
    engine: type[Engine], folder: Path
) -> None:
    agent = kimi(folder, max_new_tokens=64)
    asked = request(tone(seconds=0.5, rate_hz=48_000), "Where to?", tone(seconds=0.25))
    [response] = agent.respond([asked])
    [(chats, options)] = agent._engine.asked
    assert [(m["role"], m["message_type"]) for m in chats] == [
        ("user", "text"), ("user", "audio"), ("assistant", "text"), ("user", "audio"),
    ]  # fmt: skip
    assert chats[0]["content"] == prompts.for_speech(asked)
    assert agent._engine.heard == [(8_000, 16_000), (4_000, 16_000)]
    assert options == {
        "output_type": "text", "text_temperature": 0.0, "text_top_k": 5, "audio_temperature": 0.8,
        "audio_top_k": 10, "max_new_tokens": 64,
    }  # fmt: skip
    assert response.text == "[cab.book_ride(pickup='घर')]"
    assert response.usage == {"audio_s": 0.75}


def test_a_request_in_words_goes_in_as_words(engine: type[Engine], folder: Path) -> None:
    agent = kimi(folder)
    agent.respond([request("घर चलो")])
    assert agent._engine.asked[0][0][-1] == {"role": "user", "message_type": "text", "content": "घर चलो"}


def test_the_clips_are_gone_afterwards(engine: type[Engine], folder: Path) -> None:
    agent = kimi(folder)
    agent.respond([request(tone())])
    assert not Path(agent._engine.asked[0][0][1]["content"]).exists()


def test_an_answer_in_one_piece_has_no_first_token(engine: type[Engine], folder: Path) -> None:
    [response] = kimi(folder).respond([request(tone())])
    assert response.timeline is not None
    assert set(response.timeline.model_dump(exclude_none=True)) == {"request_sent", "done"}


@pytest.mark.parametrize(
    ("error", "kind"),
    [(RuntimeError("CUDA out of memory. Tried to"), "out_of_memory"), (IndexError("list index"), "crash")],
)
def test_a_failure_costs_its_own_item_alone(
    engine: type[Engine], folder: Path, error: Exception, kind: str
) -> None:
    agent = kimi(folder)
    engine.error = error
    [bad] = agent.respond([request(tone())])
    engine.error = None
    [good] = agent.respond([request(tone())])
    assert bad.error is not None and bad.error.kind == kind
    assert good.error is None


def test_a_turn_with_neither_words_nor_sound_is_an_audio_error(engine: type[Engine], folder: Path) -> None:
    [response] = kimi(folder).respond(
        [Request("t", "kimi-audio", "speech", 0, "en", (InputTurn("user"),), ())]
    )
    assert response.error is not None and response.error.kind == "audio"


@pytest.mark.parametrize("device", ["cpu", "cuda:x"])
def test_without_a_cuda_device_it_says_so_in_one_line(folder: Path, device: str) -> None:
    with pytest.raises(UserError, match=r"^kimi-audio needs a CUDA device, not .* Give --gpu 0"):
        kimi(folder, device=device)


def test_a_cuda_device_that_is_not_there_is_the_users_error(engine: type[Engine], folder: Path) -> None:
    with pytest.raises(UserError, match="'cuda:2' is not there"):
        kimi(folder, device="cuda:2")


def test_an_empty_clip_is_written_as_an_empty_file(engine: type[Engine], folder: Path) -> None:
    agent = kimi(folder)
    agent.respond([request(Audio(tone().samples[:0], 16_000))])
    assert agent._engine.heard == [(0, 16_000)]
