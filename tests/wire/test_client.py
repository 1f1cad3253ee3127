"""A server over HTTP, against a real one that fails in all the ways that servers do."""

import asyncio
import json
import logging
import socket
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import aclosing
from typing import Any

import pytest

from voicebench.errors import AgentFailure, UserError
from voicebench.fakes_server import Behaviour, FakeServer, Schedule
from voicebench.wire import loop
from voicebench.wire.client import Client, File
from voicebench.wire.keys import Key
from voicebench.wire.place import Place
from voicebench.wire.refusals import Refused

SECRET = "sk-planted-0123456789"
KEY = Key.bearer("A_KEY_OF_TESTS")
MORE = {
    "burst": Behaviour("sends all at once"),
    "empty": Behaviour("answers 200 and nothing", raw=b""),
    "keeps-alive": Behaviour("sends comments alone", raw=b": ping\n\n" * 3),
    "half-json": Behaviour("ends in the middle of a document", raw=b'{"choices": [{"message"'),
}


@pytest.fixture(scope="module")
def server() -> Iterator[FakeServer]:
    with FakeServer(behaviours=MORE) as running:
        yield running


@pytest.fixture(autouse=True)
def _fresh(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.forget()
    monkeypatch.delenv(KEY.variable, raising=False)


def client(server: FakeServer, **options: Any) -> Client:
    """A client that waits only a hundredth of what it should."""

    async def sleep(seconds: float) -> None:
        await asyncio.sleep(seconds / 100)

    settings: dict[str, Any] = {"attempts": 2, "sleep": sleep} | options
    return Client("test", Place.at(server.url, name="test"), settings.pop("key", None), **settings)


def ask(model: str, **more: Any) -> tuple[str, dict[str, Any]]:
    messages = [{"role": "user", "content": "नमस्ते, hello"}]
    return "/chat/completions", {"model": model, "messages": messages, "stream": True, **more}


def streamed(one: Client, model: str) -> list[tuple[float, bytes]]:
    async def read() -> list[tuple[float, bytes]]:
        return [piece async for piece in one.stream(*ask(model))]

    return loop.run(read())


def told(data: bytes) -> str:
    [choice] = json.loads(data)["choices"] or [{"delta": {}}]
    return str(choice["delta"].get("content", ""))


# ---- Answers ----


def test_a_stream_comes_in_pieces_up_to_its_end(server: FakeServer) -> None:
    *pieces, (_, last) = streamed(client(server), "fake")
    assert "".join(told(data) for _, data in pieces) == "नमस्ते, hello"
    assert last == b"[DONE]"
    [asked] = server.asked
    assert asked.body["messages"] == [{"role": "user", "content": "नमस्ते, hello"}]
    assert asked.headers["content-type"] == "application/json"
    assert asked.headers["accept-encoding"] == "identity"
    assert "authorization" not in asked.headers


def test_a_stream_in_crumbs_is_the_same(server: FakeServer) -> None:
    whole, crumbs = ([data for _, data in streamed(client(server), name)] for name in ("fake", "crumbs"))
    assert crumbs == whole


def test_a_piece_has_the_time_at_which_it_came() -> None:
    with FakeServer(schedule=Schedule(first_s=0.05, every_s=0.15, pieces=3)) as slow:
        pieces = streamed(client(slow), "clock")
    errors = [at_s - float(told(data)) for at_s, data in pieces if data != b"[DONE]" and told(data)]
    assert len(errors) == 3
    assert all(-1e-6 < error < 0.1 for error in errors)


def test_a_document_instead_of_a_stream_is_one_piece(server: FakeServer) -> None:
    [(_, data)] = streamed(client(server), "plain-json")
    assert json.loads(data)["choices"][0]["message"]["content"] == "नमस्ते, hello"


def test_a_connection_serves_again(server: FakeServer) -> None:
    one = client(server)
    ports = set()
    for _ in range(3):
        streamed(one, "fake")
        ports.add(server.asked[-1].port)
    assert len(ports) == 1


def test_json_goes_out_and_json_comes_back(server: FakeServer) -> None:
    one = client(server)
    assert loop.run(one.post_json(*ask("fake", stream=False)))["object"] == "chat.completion"
    assert {"id": "fake", "object": "model", "owned_by": "fakes"} in loop.run(one.get_json("/models"))["data"]


def test_a_form_carries_its_file_also_the_second_time(server: FakeServer, tone_wav: bytes) -> None:
    file = File("clip.wav", tone_wav, "audio/wav")
    fields = {"model": "rate-limited", "language": "hi"}
    heard = loop.run(client(server).post_form("/audio/transcriptions", fields, file))
    assert heard == {"text": "0.5 seconds"}
    assert [asked.body for asked in server.asked] == [fields] * 2


@pytest.fixture
def tone_wav() -> bytes:
    from tests.agent_requests import tone
    from voicebench.audio.io import wav_bytes

    return wav_bytes(tone(seconds=0.5))


# ---- What may pass ----


def test_a_rate_limit_is_waited_out(server: FakeServer) -> None:
    sent: list[float] = []

    async def read() -> int:
        pieces = client(server, sleep=asyncio.sleep).stream(*ask("rate-limited"), on_sent=sent.append)
        return len([piece async for piece in pieces])

    assert loop.run(read()) > 3
    assert len(server.asked) == len(sent) == 2
    assert sent[1] - sent[0] >= 0.05


@pytest.mark.parametrize("model", ["broken-once", "hangs-up-once"])
def test_what_fails_once_is_asked_again(server: FakeServer, model: str) -> None:
    assert len(streamed(client(server), model)) > 3
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("model", "kind", "said"),
    [
        ("busy", "rate_limit", "answers 429 (always answers 429) (2 attempts)"),
        ("error-500", "server", "answers 500 (always answers 500) (2 attempts)"),
        ("hangs-up", "server", "hung up without an answer (2 attempts)"),
        ("silent", "timeout", "did not answer within 0.3 s (2 attempts)"),
        ("empty", "server", "broke off its answer (2 attempts)"),
    ],
)
def test_what_does_not_pass_is_the_servers_failure(
    server: FakeServer, model: str, kind: str, said: str
) -> None:
    with pytest.raises(AgentFailure) as caught:
        streamed(client(server, first_byte_s=0.3), model)
    assert caught.value.kind == kind
    assert said in str(caught.value)
    assert len(server.asked) == 2


def test_nobody_at_the_port_is_said_so() -> None:
    with FakeServer() as gone:
        pass
    with pytest.raises(AgentFailure, match=r"nothing answers there\. Is the server running\? \(2 attempts\)"):
        streamed(client(gone), "fake")


def test_a_host_that_is_not_known_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*args: object, **options: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    one = Client("test", Place.at("http://nowhere.example/v1", name="test"), sleep=sleep)
    with pytest.raises(AgentFailure, match=r"no such host is known\. Check the URL and the network"):
        streamed(one, "fake")
    assert waits == []


# ---- What does not pass ----


@pytest.mark.parametrize(
    ("model", "error", "said"),
    [
        ("error-400", UserError, "answers 400 (answers 400). Check the URL and the model"),
        ("error-403", UserError, "answers 403"),
        ("nobody", UserError, "answers 404 (The model 'nobody' does not exist)"),
        ("redirects", UserError, "the server is elsewhere"),
        ("garbage", AgentFailure, "answers what is no stream of events"),
        ("keeps-alive", AgentFailure, "answers what is no stream of events"),
        ("no-http", AgentFailure, "answers what is no HTTP"),
    ],
)
def test_a_refusal_or_nonsense_is_not_tried_again(
    server: FakeServer, model: str, error: type[Exception], said: str
) -> None:
    with pytest.raises(error) as caught:
        streamed(client(server), model)
    assert said in str(caught.value)
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("model", "kind", "said"),
    [
        ("drops", "server", "broke off its answer"),
        ("stalls", "timeout", "stopped in the middle of its answer"),
    ],
)
def test_a_stream_that_ends_after_its_first_piece_is_not_asked_for_again(
    server: FakeServer, model: str, kind: str, said: str
) -> None:
    pieces = []

    async def read() -> None:
        async for _, data in client(server, gap_s=0.3).stream(*ask(model)):
            pieces.append(told(data))

    with pytest.raises(AgentFailure) as caught:
        loop.run(read())
    assert pieces == ["", "नमस्"]
    assert (caught.value.kind, len(server.asked)) == (kind, 1)
    assert said in str(caught.value)


def test_an_answer_has_an_end_also_where_it_drips() -> None:
    with (
        FakeServer(schedule=Schedule(every_s=0.04, pieces=100)) as slow,
        pytest.raises(AgentFailure, match=r"did not end its answer within 0\.2 s") as caught,
    ):
        streamed(client(slow, timeout_s=0.2), "clock")
    assert caught.value.kind == "timeout"


def test_an_answer_has_a_size() -> None:
    with (
        FakeServer() as server,
        pytest.raises(AgentFailure, match=r"answers more than 0\.25 MiB"),
    ):
        streamed(client(server, largest_answer=1 << 18), "endless")


def test_half_a_document_is_no_json(server: FakeServer) -> None:
    async def read() -> Any:
        return await client(server).post_json(*ask("half-json"))

    with pytest.raises(AgentFailure, match="answers what is no JSON") as caught:
        loop.run(read())
    assert caught.value.kind == "server"


def test_leaving_early_ends_the_request(server: FakeServer) -> None:
    async def first() -> None:
        async with aclosing(client(server).stream(*ask("endless"))) as pieces:
            await anext(pieces)

    loop.run(first())
    assert eventually(lambda: server.asked[0].is_cut)


def test_many_requests_are_under_way_at_once() -> None:
    async def one(asked: Client) -> int:
        return len([piece async for piece in asked.stream(*ask("fake"))])

    async def all_of(asked: Client) -> list[int]:
        return await asyncio.gather(*(one(asked) for _ in range(40)))

    with FakeServer(schedule=Schedule(first_s=0.1)) as slow:
        started_s = time.perf_counter()
        assert len(set(loop.run(all_of(client(slow))))) == 1
        assert time.perf_counter() - started_s < 1.5


# ---- Websockets ----


def test_a_websocket_that_is_refused_says_why() -> None:
    async def opened(one: Client) -> None:
        async with one.websocket("/realtime?model=m"):
            raise AssertionError

    with FakeServer(key=SECRET) as guarded, pytest.raises(Refused, match="answers 401") as caught:
        loop.run(opened(client(guarded)))
    assert caught.value.status == 401
    with pytest.raises(AgentFailure, match="nothing answers there"):
        loop.run(opened(client(guarded)))


# ---- The key ----


def test_the_key_goes_into_its_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY.variable, SECRET)
    with FakeServer(key=SECRET) as guarded:
        assert streamed(client(guarded, key=KEY), "fake")
        assert guarded.asked[0].headers["authorization"] == f"Bearer {SECRET}"


@pytest.mark.parametrize("status", [401, 400, 429, 500, 302])
def test_a_server_that_repeats_the_key_does_not_get_it_into_a_message(
    status: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(KEY.variable, SECRET)
    echo = Behaviour(f"key {SECRET} is wrong", status, {"Location": f"/{SECRET}"})
    with FakeServer(behaviours={"echo": echo}) as server:
        one = client(server, key=KEY)
        with caplog.at_level(logging.DEBUG), pytest.raises((UserError, AgentFailure)) as caught:
            streamed(one, "echo")
        assert server.asked[0].headers["authorization"] == f"Bearer {SECRET}"
    seen = "".join(traceback.format_exception(caught.value)) + caplog.text + repr(one) + repr(vars(one))
    assert SECRET not in seen
    assert "key *** is wrong" in str(caught.value)


def eventually(holds: Callable[[], bool]) -> bool:
    until_s = time.perf_counter() + 2
    while not holds() and time.perf_counter() < until_s:
        threading.Event().wait(0.005)
    return holds()
