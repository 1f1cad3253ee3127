"""Transcription servers, against a real server: what goes out, what comes back, and what goes wrong."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.agent_requests import request, tone
from voicebench.agents import make_agent, parse_agent
from voicebench.errors import AgentFailure, UserError
from voicebench.fakes_server import Behaviour, FakeServer
from voicebench.registry import find, load
from voicebench.types import Audio
from voicebench.wire import loop
from voicebench_asr import openai_transcriptions
from voicebench_asr._clips import samples_to_hear
from voicebench_asr._whisper_codes import ours_of, theirs_of
from voicebench_asr.openai_transcriptions import OpenAITranscriptions

SECRET = "sk-planted-0123456789"
NOT_VERBOSE = "response_format 'verbose_json' is not compatible with model 'plain'. Use 'json' instead."


def said(answer: Any) -> Behaviour:
    return Behaviour("", raw=json.dumps(answer).encode())


MODELS = {
    "plain": Behaviour(NOT_VERBOSE, 400),
    "too-large": Behaviour("Maximum content size limit (26214400) exceeded", 413),
    "wordless": said({"task": "transcribe"}),
    "listed": said(["text"]),
    "null": said({"text": None}),
    "names-hindi": said({"text": " नमस्ते \n", "language": "hindi"}),
    "codes-tagalog": said({"text": "kumusta", "language": "tl"}),
    "tells-no-language": said({"text": "hello"}),
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


def asr(server: FakeServer, name: str = "fake", **more: Any) -> OpenAITranscriptions:
    return OpenAITranscriptions(argument=f"{server.url}#{name}", **more)


def test_a_clip_goes_out_as_a_file_in_a_form(server: FakeServer) -> None:
    [heard] = asr(server).transcribe([tone(seconds=0.5, rate_hz=44_100)], lang="hi")
    [asked] = server.asked
    assert asked.path == "/v1/audio/transcriptions"
    assert asked.body == {"model": "fake", "temperature": "0", "response_format": "json", "language": "hi"}
    assert asked.audio_s == pytest.approx(0.5, abs=1e-3)
    assert (heard.text, heard.lang) == ("0.5 seconds", "hi")


def test_filipino_has_whispers_code_on_the_wire_and_ours_in_the_transcript(server: FakeServer) -> None:
    [heard] = asr(server).transcribe([tone()], lang="fil")
    assert server.asked[0].body["language"] == "tl"
    assert heard.lang == "fil"


@pytest.mark.parametrize(
    ("name", "text", "lang"),
    [
        ("names-hindi", "नमस्ते", "hi"),
        ("codes-tagalog", "kumusta", "fil"),
        ("tells-no-language", "hello", None),
    ],
)
def test_a_language_that_is_not_given_is_the_one_that_was_detected(
    server: FakeServer, name: str, text: str, lang: str | None
) -> None:
    [heard] = asr(server, name).transcribe([tone()], lang=None)
    assert (heard.text, heard.lang) == (text, lang)
    assert server.asked[0].body["response_format"] == "verbose_json"
    assert "language" not in server.asked[0].body


def test_a_model_that_tells_no_languages_is_asked_in_plain_json_from_then_on(server: FakeServer) -> None:
    heard_by = asr(server, "plain")
    with pytest.raises(UserError, match="answers 400"):
        heard_by.transcribe([tone()], lang=None)
    with pytest.raises(UserError, match="answers 400"):
        heard_by.transcribe([tone()], lang=None)
    assert [asked.body["response_format"] for asked in server.asked] == ["verbose_json", "json", "json"]


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [("tl", "fil"), ("Tagalog", "fil"), ("english", "en"), ("hi", "hi"), ("klingon", "klingon")],
)
def test_whispers_languages_are_read(theirs: str, ours: str) -> None:
    assert ours_of(theirs) == ours


def test_codes_that_are_alike_go_out_as_they_are() -> None:
    assert [theirs_of(code) for code in ("fil", "hi", "zh")] == ["tl", "hi", "zh"]


def test_silence_is_heard_as_nothing_without_asking(server: FakeServer) -> None:
    clips = [Audio(np.zeros(n, np.float32), 16_000) for n in (0, 1, 8_000)]
    heard = asr(server).transcribe(clips, lang="ta")
    assert [(item.text, item.lang) for item in heard] == [("", "ta")] * 3
    assert server.asked == []


def test_several_are_under_way_at_once_and_come_back_in_their_order(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard_by = asr(server)
    real = heard_by._client.post_form
    under_way = most = 0

    async def counted(*args: Any) -> Any:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        try:
            return await real(*args)
        finally:
            under_way -= 1

    monkeypatch.setattr(heard_by._client, "post_form", counted)
    clips = [tone(seconds=0.1 * n) for n in range(1, 10)]
    heard = heard_by.transcribe(clips, lang="en")
    assert [item.text for item in heard] == [f"0.{n} seconds" for n in range(1, 10)]
    assert most == heard_by.at_once == 4


def test_a_clip_that_waits_for_its_turn_is_not_slower_for_it(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard_by = asr(server)

    async def slow(*args: Any) -> Any:
        await asyncio.sleep(0.1)
        return {"text": "ok"}

    monkeypatch.setattr(heard_by._client, "post_form", slow)
    started_s = time.perf_counter()
    heard = heard_by.transcribe([tone(seconds=0.1)] * 12, lang="en")
    took_s = time.perf_counter() - started_s
    assert took_s >= 0.3
    assert all(0.1 <= item.seconds < 0.29 for item in heard)


def test_nothing_is_encoded_on_the_thread_of_the_streams(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = []
    real = samples_to_hear

    def noted(clip: Audio) -> Any:
        threads.append(threading.current_thread().name)
        return real(clip)

    monkeypatch.setattr(openai_transcriptions, "samples_to_hear", noted)
    asr(server).transcribe([tone()], lang="en")
    assert threads == [threading.current_thread().name]


# ---- What goes wrong ----


def test_a_clip_that_is_too_large_is_not_sent(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_transcriptions, "LARGEST_CLIP", 16_000)
    with pytest.raises(AgentFailure, match="a clip of 1 s is 0 MB; servers take 25 MB at most") as told:
        asr(server).transcribe([tone(seconds=1.0)], lang="en")
    assert told.value.kind == "audio"
    assert server.asked == []


def test_a_clip_that_the_server_finds_too_large_is_the_clips_fault(server: FakeServer) -> None:
    with pytest.raises(AgentFailure, match="answers 413") as told:
        asr(server, "too-large").transcribe([tone()], lang="en")
    assert told.value.kind == "audio"


def test_samples_that_are_no_numbers_are_the_clips_fault(server: FakeServer) -> None:
    with pytest.raises(AgentFailure) as told:
        asr(server).transcribe([Audio(np.full(1_600, np.nan, np.float32), 16_000)], lang="en")
    assert told.value.kind == "audio"


@pytest.mark.parametrize("name", ["wordless", "listed", "null"])
def test_an_answer_without_a_text_is_the_servers_fault(server: FakeServer, name: str) -> None:
    with pytest.raises(AgentFailure, match="answers without a text") as told:
        asr(server, name).transcribe([tone()], lang="en")
    assert told.value.kind == "server"


def test_a_page_instead_of_an_answer_is_the_servers_fault(server: FakeServer) -> None:
    with pytest.raises(AgentFailure, match=r"answers what is no JSON .*captive portal") as told:
        asr(server, "garbage").transcribe([tone()], lang="en")
    assert told.value.kind == "server"


def test_a_limited_rate_is_waited_for(server: FakeServer) -> None:
    [heard] = asr(server, "rate-limited").transcribe([tone()], lang="en")
    assert heard.text == "0.5 seconds"
    assert len(server.asked) == 2


def test_a_server_that_does_not_exist_is_said_before_the_run() -> None:
    heard_by = OpenAITranscriptions(argument="http://127.0.0.1:9/v1#m")
    with pytest.raises(UserError, match="nothing answers there"):
        heard_by.check()


def test_a_model_that_the_server_does_not_have_is_said_before_the_run(server: FakeServer) -> None:
    with pytest.raises(UserError, match="has no model 'whisper-9'"):
        asr(server, "whisper-9").check()


def test_no_message_holds_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINE", SECRET)
    with FakeServer(key="another") as guarded:
        heard_by = OpenAITranscriptions(argument=f"{guarded.url}#fake&key=MINE")
        for ask in (lambda: heard_by.transcribe([tone()], lang="en"), heard_by.check):
            with pytest.raises(UserError, match="Check the key in MINE") as told:
                ask()
            assert SECRET not in str(told.value)
        assert guarded.asked[0].headers["authorization"] == f"Bearer {SECRET}"


def test_the_record_makes_it_and_its_name_says_the_model_and_the_host(server: FakeServer) -> None:
    made = load(find("asr", f"openai-transcriptions:{server.url}#fake"))
    host = server.url.split("/")[2]
    assert (made.model.name, made.model.revision) == ("openai-transcriptions:fake", f"fake@{host}")


def test_without_a_url_openai_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert OpenAITranscriptions().model.revision == "whisper-1@api.openai.com"
    monkeypatch.setenv("OPENAI_BASE_URL", "https://gateway.example/v1")
    assert OpenAITranscriptions(argument="m").model.revision == "m@gateway.example"


def test_it_hears_for_a_cascade_whose_chat_model_is_behind_the_same_server(server: FakeServer) -> None:
    name = f"openai-transcriptions:{server.url}#fake+{server.url}#fake"
    agent: Any = make_agent(parse_agent(name))

    async def all_at_once() -> list[Any]:
        return list(await asyncio.gather(*(agent.answer(request(tone())) for _ in range(20))))

    responses = loop.run(all_at_once())
    assert {response.transcript for response in responses} == {"0.5 seconds"}
    assert {response.text for response in responses} == {"[cab.book_ride()]"}
    assert {response.error for response in responses} == {None}
