"""Speech LMs behind chat servers, against a real server: what goes out, and what a deaf one gives away."""

import asyncio
import base64
import json
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest

from tests.agent_requests import BASKET, RIDE, request, tone
from voicebench.agents import make_agent, parse_agent
from voicebench.audio.io import read_audio, wav_bytes
from voicebench.errors import AgentFailure, UserError
from voicebench.fakes_server import Behaviour, FakeServer
from voicebench.types import Audio, Message, Part
from voicebench.wire import loop
from voicebench_speech_lms.audio_chat import AudioChat

SECRET = "sk-planted-0123456789"
CLIP = tone(seconds=1.0)
CHAT = [Message("system", "Call tools."), Message("user", "", CLIP)]


def counted(**usage: Any) -> bytes:
    """A whole streamed answer with these token counts."""
    chunks = [
        {"choices": [{"index": 0, "delta": {"content": "हाँ"}, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        {"choices": [], "usage": {"completion_tokens": 1, **usage}},
    ]
    return b"".join(f"data: {json.dumps(chunk)}\n\n".encode() for chunk in chunks) + b"data: [DONE]\n\n"


def complaint(message: str) -> Behaviour:
    return Behaviour(message, 400)


MODELS = {
    "counts-none": Behaviour("", raw=counted(prompt_tokens=500, prompt_tokens_details={"audio_tokens": 0})),
    "too-short": Behaviour("", raw=counted(prompt_tokens=1)),
    "just-long-enough": Behaviour("", raw=counted(prompt_tokens=2)),
    "deaf": Behaviour("", raw=counted(prompt_tokens=500)),
    "text-only": complaint("At most 0 audio(s) may be provided in one prompt."),
    "not-multimodal": complaint("m is not a multimodal model"),
    "too-long": complaint("This model's maximum context length is 100 tokens."),
    "no-modalities": complaint(
        'Invalid JSON payload received. Unknown name "modalities": Cannot find field.'
    ),
}


@pytest.fixture(scope="module")
def server() -> Iterator[FakeServer]:
    with FakeServer(behaviours=MODELS) as running:
        yield running


@pytest.fixture(autouse=True)
def _fresh(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.forget()
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def model(server: FakeServer, name: str = "fake", options: str = "", **more: Any) -> AudioChat:
    return AudioChat(argument=f"{server.url}#{name}{options}", **more)


def content(server: FakeServer) -> Any:
    return server.asked[-1].body["messages"][-1]["content"]


def words(parts: list[Part]) -> str:
    return "".join(part.text for part in parts if part.kind == "content")


def test_a_clip_goes_out_as_bare_base64_with_its_format(server: FakeServer) -> None:
    parts = list(model(server).complete(CHAT))
    [sound] = content(server)
    assert sound["type"] == "input_audio"
    assert sound["input_audio"]["format"] == "wav"
    assert base64.b64decode(sound["input_audio"]["data"], validate=True) == wav_bytes(CLIP)
    assert words(parts) == "1.0 seconds"
    assert parts[-1].usage["audio_input_tokens"] == 25


def test_a_clip_goes_out_as_a_data_url_where_that_is_asked_for(server: FakeServer) -> None:
    assert words(list(model(server, options="&audio=audio_url").complete(CHAT))) == "1.0 seconds"
    [sound] = content(server)
    head, _, data = sound["audio_url"]["url"].partition(",")
    assert (sound["type"], head) == ("audio_url", "data:audio/wav;base64")
    assert base64.b64decode(data, validate=True) == wav_bytes(CLIP)


def test_the_request_says_that_words_are_wanted_and_what_else_there_is_to_say(server: FakeServer) -> None:
    list(model(server).complete(CHAT, max_tokens=7, seed=3))
    body = dict(server.asked[-1].body)
    body.pop("messages")
    assert body == {
        "model": "fake", "modalities": ["text"], "max_tokens": 7, "temperature": 0.0, "seed": 3,
        "stream": True, "stream_options": {"include_usage": True},
    }  # fmt: skip


def test_a_conversation_keeps_its_clips_and_its_words_apart(server: FakeServer) -> None:
    chat = [
        Message("system", "Call tools."), Message("user", "", tone(300, seconds=0.5)),
        Message("assistant", "कहाँ?"), Message("user", "here:", tone(seconds=0.25)),
    ]  # fmt: skip
    list(model(server).complete(chat))
    told, first, answer, last = server.asked[-1].body["messages"]
    assert (told["content"], answer) == ("Call tools.", {"role": "assistant", "content": "कहाँ?"})
    assert [part["type"] for part in first["content"]] == ["input_audio"]
    assert [part["type"] for part in last["content"]] == ["text", "input_audio"]
    heard = read_audio(base64.b64decode(last["content"][1]["input_audio"]["data"]))
    assert (heard.duration_s, heard.sample_rate_hz) == (0.25, 16_000)


def test_native_tools_are_offered_and_called_by_their_own_names(server: FakeServer) -> None:
    parts = list(model(server).complete(CHAT, tools=[RIDE, BASKET]))
    offered = [tool["function"]["name"] for tool in server.asked[-1].body["tools"]]
    assert offered == ["cab_book_ride", "food_clear_basket"]
    assert [part.text for part in parts if part.kind == "call"] == [
        "", '{"name": "cab.book_ride", "arguments": {}}',
    ]  # fmt: skip


def test_as_an_agent_it_calls_the_tools_of_its_prompt(server: FakeServer) -> None:
    agent = make_agent(parse_agent(f"audio-chat:{server.url}#fake"))
    [response] = agent.respond([request(CLIP)])
    assert response.text == "[cab.book_ride()]"
    assert response.usage is not None and response.usage["audio_s"] == 1.0
    assert response.model is not None
    assert response.model.name == "audio-chat:fake"
    assert response.model.revision == f"fake@{server.url.split('/')[2]}"


# ---- The sound that does not arrive ----


@pytest.mark.parametrize(
    ("name", "counts"), [("counts-none", "0 audio tokens"), ("too-short", "1 input tokens")]
)
def test_an_answer_whose_counts_hold_no_sound_is_a_failure(
    server: FakeServer, name: str, counts: str
) -> None:
    with pytest.raises(
        AgentFailure, match=f"did not reach the model: 1.0 s were sent, and it counts {counts}"
    ) as told:
        list(model(server, name).complete(CHAT))
    assert told.value.kind == "audio"


def test_two_tokens_a_second_may_hold_it(server: FakeServer) -> None:
    assert words(list(model(server, "just-long-enough").complete(CHAT))) == "हाँ"


def test_words_alone_need_no_audio_tokens(server: FakeServer) -> None:
    assert words(list(model(server, "counts-none").complete([Message("user", "hello")]))) == "हाँ"


def test_a_model_that_hears_passes_its_check_with_one_question(server: FakeServer) -> None:
    model(server).check()
    assert [asked.audio_s for asked in server.asked] == [4.0]


@pytest.mark.parametrize("name", ["deaf", "counts-none"])
def test_a_prompt_that_is_no_longer_with_sound_fails_the_check(server: FakeServer, name: str) -> None:
    with pytest.raises(
        UserError, match="does not hear: its prompt has 500 tokens with 4 s of sound and 500 without"
    ):
        model(server, name).check()


def test_a_server_that_does_not_count_sound_apart_may_say_0(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts: list[Mapping[str, Any]] = [
        {"input_tokens": 120, "audio_input_tokens": 0}, {"input_tokens": 20, "audio_input_tokens": 0},
    ]  # fmt: skip

    async def counted_so(self: AudioChat, clip: Audio | None) -> Mapping[str, Any]:
        return counts.pop(0)

    monkeypatch.setattr(AudioChat, "_counted", counted_so)
    lm = model(server, "counts-none")
    lm.check()
    assert words(list(lm.complete(CHAT))) == "हाँ"


@pytest.mark.parametrize("name", ["text-only", "not-multimodal"])
def test_a_model_that_takes_no_sound_is_said_to_in_one_line(server: FakeServer, name: str) -> None:
    for ask in (lambda: list(model(server, name).complete(CHAT)), model(server, name).check):
        with pytest.raises(UserError) as told:
            ask()
        line = str(told.value)
        assert line.count("\n") == 0
        assert f"{name!r} takes no sound as input_audio ({MODELS[name].does})" in line
        assert f"Try &audio=audio_url, or let an ASR hear: whisper-base+{server.url}#{name}" in line


def test_other_refusals_are_told_as_they_are(server: FakeServer) -> None:
    with pytest.raises(UserError, match=r"answers 400 .*maximum context length"):
        list(model(server, "too-long").complete(CHAT))


def test_a_server_that_knows_no_modalities_is_asked_without_them(server: FakeServer) -> None:
    with pytest.raises(UserError, match="answers 400"):
        list(model(server, "no-modalities").complete([Message("user", "hello")]))
    assert ["modalities" in asked.body for asked in server.asked] == [True, False]


@pytest.mark.parametrize("sample", [np.nan, np.inf])
def test_samples_that_are_no_numbers_are_the_clips_fault(server: FakeServer, sample: float) -> None:
    with pytest.raises(AgentFailure, match="samples that are no numbers") as told:
        list(model(server).complete([Message("user", "", Audio(np.full(1_600, sample, np.float32), 16_000))]))
    assert told.value.kind == "audio"
    assert server.asked == []


# ---- Faults ----


@pytest.mark.parametrize(
    ("name", "kind"),
    [("drops", "server"), ("truncated", "server"), ("garbage", "server"), ("error-in-stream", "server")],
)
def test_an_answer_that_breaks_off_is_a_failure(server: FakeServer, name: str, kind: str) -> None:
    with pytest.raises(AgentFailure) as told:
        list(model(server, name).complete(CHAT))
    assert told.value.kind == kind


@pytest.mark.parametrize("name", ["silent", "stalls"])
def test_a_server_that_falls_silent_is_a_timeout(server: FakeServer, name: str) -> None:
    lm = model(server, name, timeout_s=0.1)
    lm._client._retries._attempts = 1
    with pytest.raises(AgentFailure) as told:
        list(lm.complete(CHAT))
    assert told.value.kind == "timeout"


def test_no_message_holds_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINE", SECRET)
    with FakeServer(key="another", behaviours=MODELS) as guarded:
        lm = model(guarded, options="&key=MINE")
        for ask in (lambda: list(lm.complete(CHAT)), lm.check):
            with pytest.raises(UserError, match="Check the key in MINE") as told:
                ask()
            assert SECRET not in str(told.value)
        assert guarded.asked[0].headers["authorization"] == f"Bearer {SECRET}"
        assert SECRET not in repr(vars(lm))


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("gpt-audio", "no server is named"),
        ("http://127.0.0.1:9/v1", "no model is named"),
        ("http://127.0.0.1:9/v1#m&audio=mp3", "&audio= is input_audio or audio_url, not 'mp3'"),
        ("http://127.0.0.1:9/v1#m&pace=burst", "not of the form audio-chat:URL#MODEL&audio=…&key=…"),
        ("http://h.example/v1#m&key=MINE", "would go to h.example unencrypted"),
    ],
)
def test_an_argument_that_cannot_be_used_is_said_so(
    argument: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINE", SECRET)
    with pytest.raises(UserError, match=message):
        AudioChat(argument=argument)


def test_sound_is_encoded_on_another_thread_than_that_of_the_streams(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = []
    lm = model(server)

    def slow(clip: Audio) -> bytes:
        threads.append(threading.current_thread().name)
        time.sleep(0.3)
        return wav_bytes(clip)

    monkeypatch.setattr(lm, "_wav", slow)

    async def longest_pause_s() -> float:
        asked = asyncio.create_task(drained(lm))
        longest_s, last_s = 0.0, time.perf_counter()
        while not asked.done():
            await asyncio.sleep(0.001)
            now_s = time.perf_counter()
            longest_s, last_s = max(longest_s, now_s - last_s), now_s
        return longest_s

    async def drained(asked: AudioChat) -> None:
        async for _ in asked.stream(CHAT):
            pass

    assert loop.run(longest_pause_s()) < 0.25
    assert threads and "voicebench.wire" not in threads


def test_clips_of_any_rate_go_out_as_they_are(server: FakeServer) -> None:
    clip = Audio(np.full(4_410, 0.25, np.float32), 44_100)
    list(model(server).complete([Message("user", "", clip)]))
    [sound] = content(server)
    heard = read_audio(base64.b64decode(sound["input_audio"]["data"]))
    assert (heard.sample_rate_hz, len(heard.samples)) == (44_100, 4_410)
