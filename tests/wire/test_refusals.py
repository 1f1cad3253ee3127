"""What servers say when they refuse, and what becomes of it."""

import json
import socket
import ssl
from typing import Any

import pytest

from voicebench.errors import AgentFailure, UserError
from voicebench.wire.keys import Key
from voicebench.wire.place import Place
from voicebench.wire.refusals import Complaint, Peer, Refused, read_complaint
from voicebench.wire.retry import Passing

SECRET = "sk-planted-0123456789"
PEER = Peer("some", Place("https://h.example:8/v1"), Key.bearer("MINE"))


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MINE", raising=False)


def refusal(status: int, body: Any = None, **headers: str) -> Exception:
    said = body if isinstance(body, bytes) else json.dumps(body).encode() if body is not None else b""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return PEER.refusal(status, named, said, 0.0)


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ({"error": {"message": "no", "code": "c", "param": "seed"}}, Complaint("no", "c", "seed")),
        ({"error": {"message": "no", "type": "invalid_request_error", "code": None}},
         Complaint("no", "invalid_request_error")),
        ({"error": "model 'x' not found"}, Complaint("model 'x' not found")),
        ({"detail": {"status": "bad", "message": "no voice"}}, Complaint("no voice", "bad")),
        ({"detail": "Not Found"}, Complaint("Not Found")),
        ({"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs", "type": "extra_forbidden"}]},
         Complaint("Extra inputs", "extra_forbidden", "seed")),
        ([{"error": {"code": 400, "message": "नहीं", "status": "INVALID"}}], Complaint("नहीं", "400")),
        ({"object": "error", "message": "too long", "code": 400}, Complaint("too long", "400")),
        ({"message": "no"}, Complaint("no")),
        ("plain", Complaint("plain")),
        ({"error": {}}, Complaint('{"error": {}}')),
        ([], Complaint("[]")),
    ],
)  # fmt: skip
def test_every_shape_of_a_complaint_is_read(body: Any, complaint: Complaint) -> None:
    assert read_complaint(json.dumps(body, ensure_ascii=False).encode()) == complaint


def test_what_is_no_json_is_told_as_it_is() -> None:
    assert read_complaint(b"<html>\n  oops") == Complaint("<html>\n  oops")


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504, 529])
def test_what_may_pass_is_told_apart(status: int) -> None:
    passing = refusal(status, {"error": {"message": "later"}}, Retry_After="2")
    assert isinstance(passing, Passing)
    assert (passing.kind, passing.wait_s) == ("rate_limit" if status == 429 else "server", 2.0)
    assert str(passing) == f"some: h.example:8 answers {status} (later)"


def test_an_empty_account_does_not_fill_up() -> None:
    assert isinstance(refusal(429, {"error": {"message": "quota", "code": "insufficient_quota"}}), Refused)


def test_a_refusal_keeps_the_servers_words_and_what_they_are_about() -> None:
    refused = refusal(400, {"error": {"message": "no temperature", "param": "temperature"}})
    assert isinstance(refused, Refused)
    assert (refused.status, refused.said, refused.about) == (400, "no temperature", "temperature")
    assert str(refused) == "some: h.example:8 answers 400 (no temperature). Check the URL and the model"


def test_a_bad_key_names_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    assert str(refusal(401)) == "some: h.example:8 answers 401. Set the key in MINE"
    monkeypatch.setenv("MINE", SECRET)
    told = str(refusal(403, {"error": {"message": f"bad key {SECRET}"}}))
    assert told == "some: h.example:8 answers 403 (bad key ***). Check the key in MINE"
    nameless = Peer("some", PEER.place)
    assert "name the variable that holds it: &key=VARIABLE" in str(nameless.refusal(401, {}, b"", 0.0))


def test_a_redirect_is_not_followed() -> None:
    assert "the server is elsewhere. Give the URL that it redirects to" in str(refusal(307))


def test_a_long_answer_is_cut_to_one_line() -> None:
    said = str(refusal(400, ("a\n" * 500).encode()))
    assert "\n" not in said
    assert "…" in said
    assert len(said) < 300


@pytest.mark.parametrize(
    ("reason", "kind", "said"),
    [
        (TimeoutError(), Passing, "did not answer within 9 s"),
        (ConnectionRefusedError(), Passing, "nothing answers there. Is the server running?"),
        (socket.gaierror(socket.EAI_NONAME, "x"), AgentFailure, "no such host is known"),
        (socket.gaierror(socket.EAI_AGAIN, "try again"), Passing, "cannot be reached"),
        (ssl.SSLCertVerificationError("expired"), UserError, "its certificate is not valid"),
        (OSError("no route"), Passing, "cannot be reached (no route)"),
        ("odd", Passing, "cannot be reached (odd)"),
    ],
)
def test_a_failure_below_http_says_what_it_is(reason: object, kind: type[Exception], said: str) -> None:
    if isinstance(reason, ssl.SSLCertVerificationError):
        reason.verify_message = "expired"
    error = PEER.unreachable(reason, 9.0)
    assert type(error) is kind
    assert said in str(error)
