"""A chat model behind a server, against a real one."""

import asyncio
import logging
import threading
import time
import traceback
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from typing import Any

import pytest

from tests.agent_requests import tone
from voicebench.audio.io import wav_bytes
from voicebench.errors import AgentFailure, UserError
from voicebench.fakes_server import Behaviour, FakeServer, Schedule
from voicebench.types import Message, Part, Tool
from voicebench.wire import loop
from voicebench.wire.chat_server import ChatServer
from voicebench.wire.place import Place

SECRET = "sk-planted-0123456789"
ASK = [Message("system", "Be brief."), Message("user", "नमस्ते, hello")]


@pytest.fixture(scope="module")
def server() -> Iterator[FakeServer]:
    with FakeServer() as running:
        yield running


@pytest.fixture(autouse=True)
def _fresh(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.forget()
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def model(server: FakeServer, name: str, **options: Any) -> ChatServer:
    place = Place.at(server.url, name="some", model=name)
    return ChatServer("some", place, **({"timeout_s": 5.0, "attempts": 2} | options))


def shape(parts: Iterator[Part] | list[Part]) -> list[tuple[str, str]]:
    return [(part.kind, part.text) for part in parts]


def said(parts: list[Part], kind: str = "content") -> str:
    return "".join(part.text for part in parts if part.kind == kind)


def test_it_names_its_model_and_its_host(server: FakeServer) -> None:
    made = model(server, "fake").model
    assert made.name == "some:fake"
    assert made.revision == f"fake@{Place.at(server.url, name='some').host}"


def test_an_answer_is_streamed_in_parts_and_its_usage_comes_last(server: FakeServer) -> None:
    parts = list(model(server, "fake").complete(ASK, max_tokens=9, temperature=0.5, seed=3))
    assert said(parts) == "नमस्ते, hello"
    assert parts[-1].usage == {"input_tokens": 6, "output_tokens": 4}
    [asked] = server.asked
    assert asked.body["messages"][0] == {"role": "system", "content": "Be brief."}
    wanted = {"model": "fake", "max_tokens": 9, "temperature": 0.5, "seed": 3, "stream": True}
    assert {key: asked.body[key] for key in wanted} == wanted


def test_a_native_call_goes_by_a_name_that_apis_take_and_comes_back_by_its_own(server: FakeServer) -> None:
    parts = list(model(server, "fake").complete(ASK, tools=[Tool(name="cab.book")]))
    assert shape(parts)[:2] == [("call", ""), ("call", '{"name": "cab.book", "arguments": {}}')]
    assert server.asked[0].body["tools"][0]["function"]["name"] == "cab_book"


@pytest.mark.parametrize("name", ["reasoning", "thinks-aloud"])
def test_thoughts_are_told_apart_in_a_field_of_their_own_or_in_the_text(
    server: FakeServer, name: str
) -> None:
    parts = list(model(server, name).complete(ASK))
    assert said(parts, "reasoning") == "The user wants it."
    assert said(parts) == "नमस्ते, hello"


def test_a_server_that_does_not_stream_gives_a_whole_answer(server: FakeServer) -> None:
    assert shape(model(server, "plain-json").complete(ASK)) == [("answer", "नमस्ते, hello"), ("usage", "")]


def test_the_moments_are_those_of_the_servers_schedule() -> None:
    with FakeServer(schedule=Schedule(first_s=0.1, every_s=0.15, pieces=3)) as slow:
        parts = [part for part in model(slow, "clock").complete(ASK) if part.kind == "content"]
        begun_s = slow.asked[0].at_s
    errors = [part.at_s - float(part.text) for part in parts]
    assert all(-1e-6 < error < 0.1 for error in errors)
    assert 0.1 <= parts[0].at_s - begun_s < 0.2


def test_many_threads_are_answered_at_once() -> None:
    with FakeServer(schedule=Schedule(first_s=0.2)) as slow:
        one = model(slow, "fake")
        started_s = time.perf_counter()
        answers: list[str] = []
        threads = [
            threading.Thread(target=lambda: answers.append(said(list(one.complete(ASK))))) for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert answers == ["नमस्ते, hello"] * 8
    assert time.perf_counter() - started_s < 1.2


def test_leaving_early_ends_the_request(server: FakeServer) -> None:
    parts = model(server, "endless").complete(ASK)
    assert next(parts).text == "नमस्"
    parts.close()  # type: ignore[attr-defined]
    until_s = time.perf_counter() + 2
    while not server.asked[0].is_cut and time.perf_counter() < until_s:
        threading.Event().wait(0.005)
    assert server.asked[0].is_cut


def test_cancelling_a_stream_ends_the_request(server: FakeServer) -> None:
    async def read() -> None:
        async with aclosing(model(server, "stalls").stream(ASK)) as parts:
            async for _ in parts:
                pass

    async def cancel() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(read(), 0.1)

    loop.run(cancel())
    until_s = time.perf_counter() + 2
    while not server.asked[0].is_cut and time.perf_counter() < until_s:
        threading.Event().wait(0.005)
    assert server.asked[0].is_cut


# ---- Parameters that models do not know ----


def test_what_a_model_does_not_know_is_left_out_or_renamed_and_said_once(
    server: FakeServer, caplog: pytest.LogCaptureFixture
) -> None:
    picky = model(server, "picky")
    assert said(list(picky.complete(ASK, max_tokens=9))) == "नमस्ते, hello"
    assert len(server.asked) == 4
    last = server.asked[-1].body
    assert last["max_completion_tokens"] == 9
    assert not {"max_tokens", "temperature", "seed"} & last.keys()
    list(picky.complete(ASK))
    assert len(server.asked) == 5
    assert [record.levelname for record in caplog.records] == ["WARNING"] * 3
    assert "takes no 'max_tokens'" in caplog.messages[0]
    assert caplog.messages[0].endswith("it is sent as max_completion_tokens")
    assert caplog.messages[1].endswith("it is left out")


def test_requests_that_learn_it_at_the_same_time_are_all_answered(
    server: FakeServer, caplog: pytest.LogCaptureFixture
) -> None:
    picky = model(server, "picky")

    async def all_at_once() -> list[int]:
        return await asyncio.gather(*(count(picky.stream(ASK)) for _ in range(6)))

    assert set(loop.run(all_at_once())) == {5}
    assert len(caplog.records) == 3


async def count(parts: AsyncGenerator[Part, None]) -> int:
    return len([part async for part in parts])


@pytest.mark.parametrize(
    ("status", "body", "learned"),
    [
        (400, {"error": {"message": "Unrecognized request argument supplied: seed"}}, {"seed"}),
        (422, {"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}, {"seed"}),
        (400, {"error": {"message": "unknown field: stream_options"}}, {"stream_options"}),
        (400, {"error": {"message": "'temperature' does not support 0 here", "param": "temperature"}},
         {"temperature"}),
        (400, {"error": {"message": "'max_tokens' is too large: 512. The context is 400"}}, set()),
        (400, {"error": {"message": "messages: unsupported role", "param": "messages"}}, set()),
        (400, {"error": {"message": "tools are not supported", "param": "tools"}}, set()),
        (404, {"error": {"message": "unknown seed", "param": "seed"}}, set()),
    ],
)  # fmt: skip
def test_only_a_parameter_that_is_not_known_is_learned(
    status: int, body: Any, learned: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[dict[str, Any]] = []
    behaviours = {"odd": Behaviour("", status, only_once=True, raw=None, complaint=body)}
    with FakeServer(behaviours=behaviours) as odd:
        made = model(odd, "odd")
        try:
            list(made.complete(ASK))
        except UserError:
            assert not learned
        asked += [one.body for one in odd.asked]
    assert asked[0].keys() - asked[-1].keys() == learned


# ---- Faults ----


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("drops", "server", "broke off its answer"),
        ("no-finish", "server", "broke off its answer"),
        ("truncated", "server", "not a piece of a chat completion"),
        ("error-in-stream", "server", "some: 127.0.0.1:PORT: the engine died"),
        ("garbage", "server", "answers what is no stream of events"),
        ("stalls", "timeout", "stopped in the middle of its answer"),
        ("busy", "rate_limit", "answers 429"),
        ("html-page", "server", "answers what is no stream of events"),
        ("a-list", "server", "not a piece of a chat completion: [1, 2]"),
    ],
)
def test_a_fault_of_the_server_is_a_failure_of_its_kind(name: str, kind: str, words: str) -> None:
    more = {
        "html-page": Behaviour("", raw=b"<!doctype html><p>hi</p>\n\n"),
        "a-list": Behaviour("", raw=b"data: [1, 2]\n\n"),
    }
    with FakeServer(behaviours=more) as server:
        port = Place.at(server.url, name="some").host.rpartition(":")[2]
        with pytest.raises(AgentFailure) as caught:
            list(model(server, name, gap_s=0.3).complete(ASK))
    assert caught.value.kind == kind
    assert words.replace("PORT", port) in str(caught.value)


def test_a_wait_for_a_rate_limit_is_no_time_of_the_models(server: FakeServer) -> None:
    parts = list(model(server, "rate-limited").complete(ASK))
    assert said(parts) == "नमस्ते, hello"
    assert 0.05 <= parts[-1].usage["waited_s"] < 1.0


def test_the_key_stands_in_no_message_log_or_repr(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    leaks = Behaviour("", raw=b'data: {"error": {"message": "key %s is blocked"}}\n\n' % SECRET.encode())
    odd = Behaviour("", raw=b"data: %s\n\n" % SECRET.encode())
    with FakeServer(key="another", behaviours={"leaks": leaks, "odd": odd}) as server:
        made = model(server, "fake")
        caplog.set_level(logging.DEBUG)
        seen = [repr(made), repr(vars(made)), repr(made._client), repr(vars(made._client))]
        for fails in (made.check, lambda: list(made.complete(ASK))):
            with pytest.raises(UserError, match=r"\*\*\*.*\. Check the key in OPENAI_API_KEY") as refused:
                fails()
            seen += traceback.format_exception(refused.value)
        server.let_in(SECRET)
        for name in ("leaks", "odd"):
            with pytest.raises(AgentFailure, match=r"\*\*\*") as failed:
                list(model(server, name).complete(ASK))
            seen += traceback.format_exception(failed.value)
    assert SECRET not in "".join(seen) + caplog.text


# ---- Before a run ----


def test_a_check_says_which_models_there_are(server: FakeServer) -> None:
    model(server, "fake").check()
    with pytest.raises(UserError, match=r"has no model 'faek'\. Did you mean 'fake'\?"):
        model(server, "faek").check()
    assert server.asked == []


# ---- Sound ----


@pytest.mark.parametrize("form", ["input_audio", "audio_url"])
def test_sound_reaches_the_server_in_either_form(server: FakeServer, form: Any) -> None:
    hears = model(server, "fake", audio=form, wav=wav_bytes)
    parts = list(hears.complete([Message("user", "", tone(seconds=0.5))]))
    assert said(parts) == "0.5 seconds"
    assert server.asked[0].audio_s == 0.5
    assert parts[-1].usage["audio_input_tokens"] == 12
