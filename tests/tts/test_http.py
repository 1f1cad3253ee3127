"""The transport of the remote synthesizers, against a server on this machine."""

import email.utils
import logging
import random
import socket
import time
import traceback
from collections.abc import Iterator

import pytest

from tests.tts.speech_server import SpeechServer, answer, break_off, hang_up, serving
from voicebench.errors import AgentFailure, UserError
from voicebench.wire.keys import Key
from voicebench.wire.retry import seconds_until
from voicebench_tts._http import Service

SECRET = "sk-planted-0123456789"
KEY = Key("A_KEY_OF_TESTS", header="Authorization", prefix="Bearer ")


@pytest.fixture
def server() -> Iterator[SpeechServer]:
    with serving() as state:
        yield state


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEY.variable, raising=False)


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 6))
        self.now_s += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


def service(server: SpeechServer, clock: Clock, **options: object) -> Service:
    settings = {"sleep": clock.sleep, "clock": clock, "today": lambda: 0.0, "key": KEY} | options
    return Service("test", server.url, **settings)  # type: ignore[arg-type]


SPEECH = ("/v1/audio/speech", {"input": "नमस्ते"})


def test_json_goes_out_in_utf_8_and_the_bytes_come_back(server: SpeechServer, clock: Clock) -> None:
    answered = service(server, clock).post(*SPEECH)
    assert server.asked[0].body == {"input": "नमस्ते"}
    assert server.asked[0].headers["content-type"] == "application/json"
    assert "authorization" not in server.asked[0].headers
    assert answered.content_type == "audio/wav"
    assert answered.body[:4] == b"RIFF"


def test_the_key_goes_into_its_header(
    server: SpeechServer, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY.variable, f"{SECRET}\n")
    service(server, clock).post(*SPEECH)
    assert server.asked[0].headers["authorization"] == f"Bearer {SECRET}"


# ---- What passes ----


@pytest.mark.parametrize("after", ["2", "2.0"])
def test_a_server_that_asks_to_wait_is_waited_for(server: SpeechServer, clock: Clock, after: str) -> None:
    server.replies.append(answer(429, Retry_After=after))
    service(server, clock).post(*SPEECH)
    assert clock.slept == [2.0]
    assert len(server.asked) == 2


def test_the_wait_may_be_a_date_by_the_servers_own_clock(server: SpeechServer, clock: Clock) -> None:
    until = email.utils.formatdate(1_000_007, usegmt=True)
    server.replies.append(answer(503, Retry_After=until))
    wrong_clock = 1_000_000.0  # the answer's own Date is of today, long after
    service(server, clock, today=lambda: wrong_clock).post(*SPEECH)
    assert clock.slept == []
    assert seconds_until(until, None, wrong_clock) == 7.0
    assert seconds_until(until, email.utils.formatdate(1_000_004, usegmt=True), 0.0) == 3.0


def test_the_wait_may_be_in_milliseconds(server: SpeechServer, clock: Clock) -> None:
    server.replies.append(answer(429, Retry_After="9", retry_after_ms="250"))
    service(server, clock).post(*SPEECH)
    assert clock.slept == [0.25]


def test_without_a_wait_it_doubles_with_jitter_from_a_seed(server: SpeechServer, clock: Clock) -> None:
    server.replies.extend([answer(500), answer(502, Retry_After="soon"), hang_up])
    service(server, clock, seed=7).post(*SPEECH)
    jitter = random.Random(7)
    assert clock.slept == [round(wait * jitter.uniform(0.5, 1.5), 6) for wait in (0.5, 1.0, 2.0)]


def test_a_wait_holds_for_all_threads(server: SpeechServer, clock: Clock) -> None:
    client = service(server, clock, attempts=2)
    server.replies.append(answer(429, Retry_After="5"))
    client.post(*SPEECH)
    client._retries.hold_back(3.0)
    client.post(*SPEECH)
    assert clock.slept == [5.0, 3.0]


def test_a_body_that_ends_early_is_asked_for_again(server: SpeechServer, clock: Clock) -> None:
    server.replies.append(break_off)
    assert service(server, clock).post(*SPEECH).body[:4] == b"RIFF"
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("reply", "kind", "said"),
    [
        (
            answer(429, {"error": {"message": "slow down"}}),
            "rate_limit",
            "answers 429 (slow down) (3 attempts)",
        ),
        (answer(500, b"<html>oops", "text/html"), "server", "answers 500 (<html>oops) (3 attempts)"),
        (break_off, "server", "broke off its answer"),
        (hang_up, "server", "Remote end closed connection"),
    ],
)
def test_what_does_not_pass_is_the_servers_failure(
    server: SpeechServer, clock: Clock, reply: object, kind: str, said: str
) -> None:
    server.replies.extend([reply] * 3)  # type: ignore[list-item]
    with pytest.raises(AgentFailure) as caught:
        service(server, clock, attempts=3).post(*SPEECH)
    assert caught.value.kind == kind
    assert said in str(caught.value)


def test_a_wait_of_hours_is_not_waited_for(server: SpeechServer, clock: Clock) -> None:
    server.replies.append(answer(429, Retry_After="7200"))
    with pytest.raises(
        AgentFailure, match=r"it asks to wait 7200 s\. Run the same command again then"
    ) as caught:
        service(server, clock).post(*SPEECH)
    assert caught.value.kind == "rate_limit"
    assert clock.slept == []


def test_a_server_that_does_not_answer_in_time_is_a_timeout(server: SpeechServer, clock: Clock) -> None:
    server.replies.extend([lambda handler: time.sleep(0.5)] * 2)
    with pytest.raises(AgentFailure, match=r"did not answer within 0\.1 s") as caught:
        service(server, clock, attempts=2, timeout_s=0.1).post(*SPEECH)
    assert caught.value.kind == "timeout"


def test_an_answer_that_drips_has_an_end(server: SpeechServer, clock: Clock) -> None:
    def late() -> float:
        clock.now_s += 30.0
        return clock.now_s

    with pytest.raises(AgentFailure, match="did not answer within 20 s") as caught:
        Service("test", server.url, attempts=1, clock=late, timeout_s=20.0).post(*SPEECH)
    assert caught.value.kind == "timeout"


def test_nobody_at_the_port_is_said_so(clock: Clock) -> None:
    with serving() as gone:
        pass
    with pytest.raises(AgentFailure, match=r"nothing answers there\. Is the server running"):
        service(gone, clock, attempts=2).post(*SPEECH)


def test_a_host_that_is_not_known_is_not_tried_again(
    server: SpeechServer, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(*args: object, **options: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(AgentFailure, match=r"no such host is known\. Check the URL and the network"):
        service(server, clock).post(*SPEECH)
    assert clock.slept == []


# ---- The user's mistakes, said at once ----


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (
            401,
            {"detail": {"status": "invalid", "message": "bad key"}},
            "(bad key). Set the key in A_KEY_OF_TESTS",
        ),
        (400, {"error": {"message": "no such voice"}}, "answers 400 (no such voice). Check the URL"),
        (422, {"detail": [{"msg": "field required"}]}, "answers 422 (field required)"),
        (404, {"detail": "Not Found"}, "answers 404 (Not Found)"),
        (429, {"error": {"message": "quota", "code": "insufficient_quota"}}, "answers 429 (quota)"),
        (302, b"", "the server is elsewhere"),
    ],
)
def test_a_refusal_is_not_tried_again(
    server: SpeechServer, clock: Clock, status: int, body: object, said: str
) -> None:
    server.replies.append(answer(status, body, Location="http://127.0.0.1:9/"))  # type: ignore[arg-type]
    with pytest.raises(UserError) as caught:
        service(server, clock).post(*SPEECH)
    assert said in str(caught.value)
    assert len(server.asked) == 1


@pytest.mark.parametrize("url", ["", "127.0.0.1:80", "ftp://x/y", "http://", "http://x:y/z"])
def test_what_is_no_url_is_refused(url: str) -> None:
    with pytest.raises(UserError, match="is no URL"):
        Service("test", url)


def test_a_password_in_the_url_is_refused_and_not_repeated() -> None:
    with pytest.raises(UserError, match="must hold no password") as caught:
        Service("test", f"https://me:{SECRET}@host/v1")
    assert SECRET not in str(caught.value)


def test_a_key_goes_over_no_unencrypted_line(monkeypatch: pytest.MonkeyPatch) -> None:
    Service("test", "http://host.example/v1", key=KEY)
    monkeypatch.setenv(KEY.variable, SECRET)
    Service("test", "https://host.example/v1", key=KEY)
    with pytest.raises(UserError, match=r"would go to host\.example unencrypted\. Use https"):
        Service("test", "http://host.example/v1", key=KEY)


def test_a_key_that_no_header_can_carry_is_refused_and_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY.variable, f"{SECRET}\n{SECRET}")
    with pytest.raises(UserError, match="A_KEY_OF_TESTS holds a space") as caught:
        Service("test", "https://host.example/v1", key=KEY)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("status", [401, 400, 429, 500, 302])
def test_a_server_that_repeats_the_key_does_not_get_it_into_a_message(
    server: SpeechServer,
    clock: Clock,
    status: int,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv(KEY.variable, SECRET)
    echo = answer(status, {"error": {"message": f"key {SECRET} is wrong"}}, Location=f"/{SECRET}")
    server.replies.extend([echo] * 2)
    client = service(server, clock, attempts=2)
    with caplog.at_level(logging.DEBUG), pytest.raises((UserError, AgentFailure)) as caught:
        client.post(*SPEECH)
    assert server.asked[0].headers["authorization"] == f"Bearer {SECRET}"
    told = "".join(traceback.format_exception(caught.value)) + caplog.text + repr(client) + repr(vars(client))
    assert SECRET not in told
    assert "key *** is wrong" in str(caught.value)
