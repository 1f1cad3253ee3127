"""The server that stands in for real ones: that it speaks as they do and tells the truth about itself."""

import base64
import json
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from tests.agent_requests import tone
from voicebench.audio.io import wav_bytes
from voicebench.fakes_server import BEHAVIOURS, FakeServer, Schedule

WAV = wav_bytes(tone(seconds=0.5))


@pytest.fixture(scope="module")
def server() -> Iterator[FakeServer]:
    with FakeServer() as running:
        yield running


@pytest.fixture(autouse=True)
def _fresh(server: FakeServer) -> None:
    server.forget()


def post(server: FakeServer, path: str, data: bytes, kind: str = "application/json") -> tuple[int, bytes]:
    request = urllib.request.Request(server.url + path, data, {"Content-Type": kind})
    try:
        with urllib.request.urlopen(request, timeout=5) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


def chat(server: FakeServer, model: str, content: Any = "नमस्ते", **more: Any) -> tuple[int, bytes]:
    body = {"model": model, "messages": [{"role": "user", "content": content}], "stream": True, **more}
    return post(server, "/chat/completions", json.dumps(body).encode())


def chunks(answer: bytes) -> list[dict[str, Any]]:
    events = answer.decode().split("\n\n")
    assert events[-2:] == ["data: [DONE]", ""]
    return [json.loads(event.removeprefix("data: ")) for event in events[:-2]]


def test_a_stream_begins_with_the_role_and_ends_with_the_reason_and_the_usage(server: FakeServer) -> None:
    first, *pieces, finish, usage = chunks(chat(server, "fake", stream_options={"include_usage": True})[1])
    assert first["choices"][0]["delta"] == {"role": "assistant", "content": ""}
    assert [piece["choices"][0]["delta"]["content"] for piece in pieces] == ["नमस्", "ते"]
    assert finish["choices"][0]["finish_reason"] == "stop"
    assert (usage["choices"], usage["usage"]) == ([], {"prompt_tokens": 2, "completion_tokens": 2})


def test_usage_comes_only_where_it_is_asked_for(server: FakeServer) -> None:
    assert "usage" not in chunks(chat(server, "fake")[1])[-1]


def test_it_calls_the_first_tool_natively_or_as_the_instruction_names_it(server: FakeServer) -> None:
    tools = [{"type": "function", "function": {"name": name}} for name in ("cab_book", "pay")]
    deltas = [chunk["choices"][0]["delta"] for chunk in chunks(chat(server, "fake", tools=tools)[1])]
    pieces = [delta["tool_calls"][0]["function"] for delta in deltas if "tool_calls" in delta]
    assert pieces[0] == {"name": "cab_book", "arguments": ""}
    assert "".join(piece["arguments"] for piece in pieces) == "{}"
    messages = [
        {
            "role": "system",
            "content": 'Example: {"name": "x"}\n\nTools:\n{"name": "cab.book"}\n{"name": "pay"}',
        },
        {"role": "user", "content": "book"},
    ]
    _, answer = chat(server, "fake", stream=False, messages=messages)
    assert json.loads(answer)["choices"][0]["message"]["content"] == "[cab.book()]"


def test_a_whole_answer_says_what_its_stream_says(server: FakeServer) -> None:
    tools = [{"type": "function", "function": {"name": "go"}}]
    [choice] = json.loads(chat(server, "fake", tools=tools, stream=False)[1])["choices"]
    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["tool_calls"][0]["function"] == {"name": "go", "arguments": "{}"}


def test_it_keeps_what_it_was_asked_and_when_it_sent_what() -> None:
    with FakeServer(schedule=Schedule(first_s=0.1, every_s=0.05, pieces=3)) as slow:
        answer = chunks(chat(slow, "clock")[1])
        [asked] = slow.asked
    assert (asked.path, asked.body["model"]) == ("/v1/chat/completions", "clock")
    sent = [piece.at_s for piece in asked.sent if piece.kind == "content"]
    assert [piece.kind for piece in asked.sent] == ["role", *["content"] * 3, "finish", "done"]
    # It may be held up, but is never early.
    assert all(at_s - asked.at_s >= due_s for at_s, due_s in zip(sent, (0.1, 0.15, 0.2), strict=True))
    said = [chunk["choices"][0]["delta"].get("content") for chunk in answer]
    assert [float(text) for text in said if text] == [round(at_s, 6) for at_s in sent]


@pytest.mark.parametrize("bare", [True, False])
def test_clips_are_decoded_and_counted(server: FakeServer, bare: bool) -> None:
    data = base64.b64encode(WAV).decode()
    sound = {"type": "input_audio", "input_audio": {"data": data, "format": "wav"}}
    if not bare:
        sound = {"type": "audio_url", "audio_url": {"url": f"data:audio/wav;base64,{data}"}}
    *_, usage = chunks(chat(server, "fake", [sound], stream_options={"include_usage": True})[1])
    assert server.asked[0].audio_s == 0.5
    assert usage["usage"]["prompt_tokens_details"] == {"audio_tokens": 12}


@pytest.mark.parametrize(
    "part",
    [
        {
            "type": "input_audio",
            "input_audio": {"data": base64.b64encode(b"noise").decode(), "format": "wav"},
        },
        {"type": "input_audio", "input_audio": {"data": "data:audio/wav;base64,AAAA", "format": "wav"}},
        {"type": "audio_url", "audio_url": {"url": base64.b64encode(WAV).decode()}},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
    ],
)
def test_what_is_no_clip_in_the_right_form_is_refused(server: FakeServer, part: dict[str, Any]) -> None:
    status, said = chat(server, "fake", [part])
    assert status == 400
    assert "Invalid audio" in json.loads(said)["error"]["message"]


def form(**fields: str) -> tuple[bytes, str]:
    parts = [
        f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    ]
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n'
    return b"".join(parts) + head + WAV + b"\r\n--x--\r\n", "multipart/form-data; boundary=x"


@pytest.mark.parametrize(
    ("wanted", "answer"),
    [
        ("json", {"text": "0.5 seconds"}),
        ("verbose_json", {"task": "transcribe", "language": "hi", "duration": 0.5, "text": "0.5 seconds"}),
    ],
)
def test_transcriptions_tell_the_length_of_the_clip(server: FakeServer, wanted: str, answer: Any) -> None:
    data, kind = form(model="fake", language="hi", response_format=wanted)
    assert json.loads(post(server, "/audio/transcriptions", data, kind)[1]) == answer
    assert server.asked[0].body == {"model": "fake", "language": "hi", "response_format": wanted}


def test_transcriptions_say_what_was_given() -> None:
    with FakeServer(transcript="नमस्ते") as told:
        data, kind = form(model="fake")
        assert json.loads(post(told, "/audio/transcriptions", data, kind)[1]) == {"text": "नमस्ते"}


def test_a_key_is_demanded_where_one_is_set() -> None:
    with FakeServer(key="secret") as guarded:
        assert chat(guarded, "fake")[0] == 401


def test_an_unknown_model_is_not_found(server: FakeServer) -> None:
    status, said = chat(server, "nobody")
    assert (status, json.loads(said)["error"]["code"]) == (404, "model_not_found")


def test_it_lists_its_models(server: FakeServer) -> None:
    with urllib.request.urlopen(server.url + "/models", timeout=5) as response:
        listed = json.load(response)["data"]
    assert [model["id"] for model in listed] == list(BEHAVIOURS)


def test_the_documented_behaviours_fail_as_they_say(server: FakeServer) -> None:
    assert [chat(server, "rate-limited")[0] for _ in range(2)] == [429, 200]
    assert [chat(server, "busy")[0] for _ in range(2)] == [429, 429]
    assert [chat(server, name)[0] for name in ("error-400", "error-500")] == [400, 500]
    assert chat(server, "garbage") == (200, b"<html><body>Welcome to the captive portal.</body></html>")


def test_it_runs_by_itself() -> None:
    command = [sys.executable, "-m", "voicebench.fakes_server", "--first-ms", "1", "--pieces", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/v1", url)
        with urllib.request.urlopen(f"{url}/models", timeout=5) as response:
            assert response.status == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(5) == 0
