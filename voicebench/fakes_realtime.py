"""The websocket of `voicebench.fakes_server`: OpenAI's Realtime protocol, and the ways in which it fails."""

import asyncio
import base64
import json
import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

if TYPE_CHECKING:
    from aiohttp import web

PieceKind = Literal["content", "call", "usage"]
AUDIO_TOKENS_A_SECOND = 10
BYTES_A_SECOND = 2 * 24_000
PAUSE_S = 0.2
"""Silence that ends a turn, where the session detects turns; a real server waits for 0.5 s."""

_LOUD = 1000
_LEAST_BYTES = BYTES_A_SECOND // 10
_LARGEST_EVENT = 15 * 1024 * 1024
_CONTENT = {
    "user": {"input_text": "text", "input_audio": "audio"},
    "assistant": {"output_text": "text"},
    "system": {"input_text": "text"},
}

MODELS: dict[str, str] = {
    "beta": "names its text pieces as the beta did",
    "speaks": "answers with what it would say aloud, though text was asked for",
    "at-once": "tells its answer at the end alone",
    "deaf": "drops the sound",
    "bad-key": "accepts the connection and refuses the key",
    "mute": "says nothing at all",
    "silent": "never answers",
    "stalls": "stops in the middle of its answer",
    "drops": "is gone in the middle of its answer",
    "closes": "closes the connection in the middle of its answer",
    "error-in-stream": "tells of an error in the middle of its answer",
    "expires": "has its session expire in the middle of its answer",
    "garbage": "sends what is no JSON in the middle of its answer",
    "no-object": "sends JSON that is no event in the middle of its answer",
    "over-limit": "fails for its rate limit",
    "cancelled": "has its answer cancelled",
    "cut-call": "has no tokens left in the middle of a call's arguments",
}
"""What a model's name makes of a connection; any other one answers as it should."""

_AFTER = 2
"""Pieces that are sent before the answer fails."""


@dataclass(frozen=True)
class Pace:
    """When the pieces of an answer are sent.

    Attributes:
        first_s: From the request to the first piece, in seconds.
        every_s: Between two pieces.
        pieces: How many pieces an answer of the model "clock" has; each says when it is sent.
        letters: Of other texts, in a piece.
    """

    first_s: float = 0.0
    every_s: float = 0.0
    pieces: int = 8
    letters: int = 4


async def realtime(
    request: "web.Request",
    events: list[dict[str, Any]],
    pace: Pace,
    sent: Callable[[PieceKind], None],
) -> "web.WebSocketResponse":
    """Serve one connection until the client leaves.

    Args:
        request: The handshake; its query names the model.
        events: Takes the client's events as they come.
        pace: When the pieces of an answer are sent.
        sent: Told of each piece of an answer just before it is sent.
    """
    from aiohttp import web

    socket = web.WebSocketResponse(max_msg_size=_LARGEST_EVENT)
    await socket.prepare(request)
    session = _Session(request, socket, pace, sent)
    try:
        await session.begin()
        async for message in socket:
            events.append(json.loads(message.data))
            await session.take(events[-1])
    except ConnectionError:
        # The client has left; what was still to be said to it, nobody hears.
        pass
    finally:
        await session.end()
    return socket


class _Refused(Exception):
    """An event that a real server answers with an error."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class _Session:
    """One connection: what the client has set and said so far."""

    def __init__(
        self,
        request: "web.Request",
        socket: "web.WebSocketResponse",
        pace: Pace,
        sent: Callable[[PieceKind], None],
    ) -> None:
        self._request, self._socket, self._pace, self._sent = request, socket, pace, sent
        self._model = request.query.get("model", "")
        self._config: dict[str, Any] = {}
        self._buffer = b""
        self._heard_bytes = 0
        self._last_words = ""
        self._is_spoken_to = False
        self._quiet_bytes = 0
        self._answering: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        if self._model == "mute":
            return
        if self._model == "bad-key":
            given = self._request.headers.get("Authorization", "").removeprefix("Bearer ")
            await self._error("invalid_api_key", f"Incorrect API key provided: {given}")
            await self._socket.close(code=3000, message=b"invalid_request_error.invalid_api_key")
            return
        await self._send("session.created", session={"type": "realtime", "model": self._model})

    async def end(self) -> None:
        """Leave nothing running."""
        await self._stopped()

    async def take(self, event: dict[str, Any]) -> None:
        """Do what an event asks for."""
        try:
            await self._obey(event)
        except _Refused as refused:
            await self._error(refused.code, str(refused))

    async def _obey(self, event: dict[str, Any]) -> None:
        kind = event.get("type")
        if kind == "session.update":
            if event["session"].get("type") != "realtime":
                raise _Refused("missing_required_parameter", "Missing required parameter: 'session.type'.")
            self._config |= event["session"]
            if self._model != "mute":
                await self._send("session.updated", session=self._config)
        elif kind == "input_audio_buffer.append":
            sound = base64.b64decode(event["audio"], validate=True)
            self._buffer += sound
            if self._config["audio"]["input"]["turn_detection"]:
                await self._listen(sound)
        elif kind == "input_audio_buffer.commit":
            await self._commit()
        elif kind == "conversation.item.create":
            await self._add(event["item"])
        elif kind == "response.create":
            await self._answer()
        else:
            raise _Refused("invalid_value", f"Invalid value: '{kind}'.")

    async def _commit(self) -> None:
        if len(self._buffer) < _LEAST_BYTES:
            told = f"Error committing input audio buffer: buffer too small. {len(self._buffer)} bytes."
            raise _Refused("input_audio_buffer_commit_empty", told)
        self._heard_bytes += len(self._buffer)
        self._buffer, self._last_words = b"", ""
        await self._send("input_audio_buffer.committed", item_id="item_0")
        await self._send("conversation.item.added", item={"id": "item_0", "role": "user"})

    async def _listen(self, sound: bytes) -> None:
        """Find out whether the user has begun or stopped to speak, and answer or stop answering."""
        if np.abs(np.frombuffer(sound, "<i2").astype(np.int32)).max(initial=0) >= _LOUD:
            self._quiet_bytes = 0
            if not self._is_spoken_to:
                self._is_spoken_to = True
                await self._send("input_audio_buffer.speech_started", item_id="item_0")
                if await self._stopped():
                    await self._done(cut_off=True)
        elif not self._is_spoken_to:
            self._buffer = b""
        else:
            self._quiet_bytes += len(sound)
            if self._quiet_bytes >= PAUSE_S * BYTES_A_SECOND:
                self._is_spoken_to = False
                await self._send("input_audio_buffer.speech_stopped", item_id="item_0")
                await self._commit()
                self._answering = asyncio.create_task(self._answer_meanwhile())

    async def _stopped(self) -> bool:
        """Stop the answer that is under way; return whether there was one."""
        answering, self._answering = self._answering, None
        if answering is None or answering.done():
            return False
        answering.cancel()
        with suppress(asyncio.CancelledError):
            await answering
        return True

    async def _answer_meanwhile(self) -> None:
        with suppress(ConnectionError):
            await self._answer()

    async def _add(self, item: dict[str, Any]) -> None:
        known = _CONTENT.get(item["role"], {})
        for part in item["content"]:
            if part["type"] not in known:
                raise _Refused("invalid_value", f"Invalid value: '{part['type']}'.")
            said = part[known[part["type"]]]
            if part["type"] == "input_audio":
                self._heard_bytes += len(base64.b64decode(said, validate=True))
            elif item["role"] == "user":
                self._last_words = said
        await self._send("conversation.item.added", item=item)

    # ---- The answer ----

    async def _answer(self) -> None:
        if self._model in ("silent", "mute"):
            return
        await self._send("response.created", response={"id": "resp_0", "status": "in_progress"})
        # As real ones do, it also says what nobody asked for.
        await self._send("rate_limits.updated", rate_limits=[])
        if self._model == "at-once":
            await self._done(text=self._words())
            return
        count = 0
        async for event in self._called() if self._config.get("tools") else self._said():
            if count == _AFTER and self._model in _FAILURES:
                await _FAILURES[self._model](self)
                return
            await self._socket.send_str(json.dumps(event, ensure_ascii=False))
            count += event["type"].endswith(".delta")
        await self._done()

    async def _said(self) -> AsyncIterator[dict[str, Any]]:
        """Yield the events of an answer in words."""
        text, step = self._words(), self._pace.letters
        pieces = [text[start : start + step] for start in range(0, len(text), step)]
        if self._model == "clock":
            pieces = [""] * self._pace.pieces
        kind = {
            "beta": "response.text.delta", "speaks": "response.output_audio_transcript.delta"
        }.get(self._model, "response.output_text.delta")  # fmt: skip
        yield {"type": "response.output_item.added", "item": {"id": "item_1", "type": "message"}}
        async for piece in self._paced(pieces):
            self._sent("content")
            said = f"{time.perf_counter():.6f} " if self._model == "clock" else piece
            yield {"type": kind, "item_id": "item_1", "delta": said}
        yield {"type": kind.replace(".delta", ".done"), "item_id": "item_1", "text": text}

    async def _called(self) -> AsyncIterator[dict[str, Any]]:
        """Yield the events of a call of the first tool."""
        item = {
            "id": "item_1", "type": "function_call", "call_id": "call_0",
            "name": self._config["tools"][0]["name"], "arguments": "",
        }  # fmt: skip
        yield {"type": "response.output_item.added", "item": item}
        pieces = ['{"pick', 'up": "J'] if self._model == "cut-call" else ["{", "}"]
        async for piece in self._paced(pieces):
            self._sent("call")
            yield {"type": "response.function_call_arguments.delta", "item_id": "item_1", "delta": piece}
        if self._model != "cut-call":
            whole = {"item_id": "item_1", "arguments": "".join(pieces)}
            yield {"type": "response.function_call_arguments.done", **whole}
            yield {"type": "response.output_item.done", "item": {**item, "arguments": "{}"}}

    async def _paced(self, pieces: list[str]) -> AsyncIterator[str]:
        due_s = time.perf_counter() + self._pace.first_s
        for piece in pieces:
            await asyncio.sleep(max(0.0, due_s - time.perf_counter()))
            yield piece
            due_s += self._pace.every_s

    async def _done(self, *, text: str = "", cut_off: bool = False) -> None:
        status: dict[str, Any] = {"status": "completed"}
        if self._model == "over-limit":
            error = {"type": "rate_limit_error", "code": "rate_limit_exceeded", "message": "Slow down."}
            status = {"status": "failed", "status_details": {"type": "failed", "error": error}}
        elif self._model == "cancelled" or cut_off:
            details = {"type": "cancelled", "reason": "turn_detected"}
            status = {"status": "cancelled", "status_details": details}
        elif self._model == "cut-call":
            details = {"type": "incomplete", "reason": "max_output_tokens"}
            status = {"status": "incomplete", "status_details": details}
        output = [{"type": "message", "content": [{"type": "output_text", "text": text}]}] if text else []
        self._sent("usage")
        await self._send("response.done", response={**status, "output": output, "usage": self._usage()})

    def _words(self) -> str:
        """Return a call of the first tool that the instruction lists; without one what the user said."""
        told = self._config.get("instructions", "")
        if named := re.search(r'^\{"name": ?"([^"]+)"', told, re.MULTILINE):
            return f"[{named[1]}()]"
        return self._last_words or f"{self._heard_bytes / BYTES_A_SECOND:.1f} seconds"

    def _usage(self) -> dict[str, Any]:
        heard_s = 0.0 if self._model == "deaf" else self._heard_bytes / BYTES_A_SECOND
        audio = round(heard_s * AUDIO_TOKENS_A_SECOND)
        text = len(self._config.get("instructions", "")) // 4 + 1
        return {
            "total_tokens": audio + text + 7, "input_tokens": audio + text, "output_tokens": 7,
            "input_token_details": {"text_tokens": text, "audio_tokens": audio, "cached_tokens": 0},
            "output_token_details": {"text_tokens": 7, "audio_tokens": 0},
        }  # fmt: skip

    # ---- Failures ----

    async def _stall(self) -> None:
        """Say nothing more."""

    async def _drop(self) -> None:
        if self._request.transport is not None:
            self._request.transport.abort()

    async def _close(self) -> None:
        await self._socket.close(code=1011, message=b"the engine died")

    async def _tell_error(self) -> None:
        await self._error("server_error", "The server had an error.", kind="server_error")

    async def _expire(self) -> None:
        told = "Your session hit the maximum duration of 60 minutes."
        await self._error("session_expired", told)
        await self._socket.close(code=1001, message=told.encode())

    async def _send_garbage(self) -> None:
        await self._socket.send_str("<html>Welcome to the captive portal.</html>")

    async def _send_no_object(self) -> None:
        await self._socket.send_str("[1, 2]")

    async def _error(self, code: str, message: str, *, kind: str = "invalid_request_error") -> None:
        await self._send("error", error={"type": kind, "code": code, "message": message, "param": None})

    async def _send(self, kind: str, **fields: Any) -> None:
        await self._socket.send_str(json.dumps({"type": kind, **fields}, ensure_ascii=False))


_FAILURES: dict[str, Callable[[_Session], Any]] = {
    "stalls": _Session._stall,
    "drops": _Session._drop,
    "closes": _Session._close,
    "error-in-stream": _Session._tell_error,
    "expires": _Session._expire,
    "garbage": _Session._send_garbage,
    "no-object": _Session._send_no_object,
}
