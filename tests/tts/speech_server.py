"""A server on this machine that speaks OpenAI's and ElevenLabs' formats, and fails as they do."""

import json
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

from voicebench.audio.io import wav_bytes
from voicebench.types import Audio

Reply = Callable[[BaseHTTPRequestHandler], None]


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass
class SpeechServer:
    """What it was asked, and what it is to answer instead of speech, one after the other."""

    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    replies: deque[Reply] = field(default_factory=deque)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def texts(self) -> list[str]:
        """The texts that were to be spoken, in the order they came."""
        return [
            str(one.body.get("input", one.body.get("text"))) for one in self.asked if one.method == "POST"
        ]


def spoken(text: str) -> Audio:
    """What it says to a text: a tone, the longer the longer the text, at 16 kHz."""
    time_s = np.arange(400 * len(text)) / 16000
    return Audio((0.3 * np.sin(2 * np.pi * (200 + 10 * len(text)) * time_s)).astype(np.float32), 16000)


def answer(status: int, body: bytes | dict[str, Any] = b"", kind: str = "", **headers: str) -> Reply:
    """Answer with this status; a dict goes out as JSON, `Retry_After` as the header Retry-After."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    kind = kind or ("application/json" if isinstance(body, dict) else "audio/wav")

    def reply(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(data)

    return reply


def break_off(handler: BaseHTTPRequestHandler) -> None:
    """Send half of what was announced, then hang up."""
    data = wav_bytes(spoken("half"))
    handler.send_response(200)
    handler.send_header("Content-Type", "audio/wav")
    handler.send_header("Content-Length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data[: len(data) // 2])
    handler.close_connection = True


def hang_up(handler: BaseHTTPRequestHandler) -> None:
    """Close the connection without a word."""
    handler.connection.shutdown(socket.SHUT_RDWR)
    handler.close_connection = True


@contextmanager
def serving() -> Iterator[SpeechServer]:
    """Serve until the block ends."""
    state = SpeechServer()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.serve({})

        def do_POST(self) -> None:
            self.serve(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

        def serve(self, body: dict[str, Any]) -> None:
            with state.lock:
                headers = {name.lower(): value for name, value in self.headers.items()}
                state.asked.append(Asked(self.command, self.path, headers, body))
                reply = state.replies.popleft() if state.replies and self.command == "POST" else None
            (reply or self.speak(body))(self)

        def speak(self, body: dict[str, Any]) -> Reply:
            if self.path == "/v1/audio/voices":
                return answer(200, {"voices": ["asha", {"id": "ravi"}]})
            if self.path == "/v1/voices":
                return answer(200, {"voices": VOICES})
            if self.path == "/v1/audio/speech":
                return answer(200, wav_bytes(spoken(body["input"])))
            if self.path.startswith("/v1/text-to-speech/"):
                pcm = wav_bytes(spoken(body["text"]))[44:]
                return answer(200, pcm, "audio/pcm")
            return answer(404, {"error": {"message": f"no {self.path}"}})

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


VOICES: list[dict[str, Any]] = [
    {
        "voice_id": "v-en", "name": "Rachel", "labels": {"gender": "female", "language": "en"},
        "verified_languages": [{"language": "en", "model_id": "eleven_v3"}],
    },
    {
        "voice_id": "v-hi", "name": "Asha", "labels": {"gender": "female"},
        "verified_languages": [{"language": "hi"}, {"language": "en"}],
    },
    {"voice_id": "v-neutral", "name": "Kim", "labels": {"gender": "neutral"}, "verified_languages": None},
]  # fmt: skip
