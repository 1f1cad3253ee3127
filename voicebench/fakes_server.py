"""A server on this machine that speaks OpenAI's wire formats and fails as servers do: for tests and trials.

It serves `/v1/chat/completions` (streamed and whole, native calls, clips as `input_audio` or `audio_url`),
`/v1/audio/transcriptions`, `/v1/models` and the websocket `/v1/realtime`. What it answers, the request's
model says: see `BEHAVIOURS`. Each request is kept with its body and with the true time at which each piece of
its answer was sent.

    python -m voicebench.fakes_server --port 8000
    voicebench eval --model whisper-base+http://127.0.0.1:8000/v1#fake
"""

import argparse
import asyncio
import base64
import json
import re
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self

from voicebench.audio.io import read_audio
from voicebench.errors import UserError

if TYPE_CHECKING:
    from aiohttp import web

StepKind = Literal["role", "reasoning", "content", "call", "finish", "usage", "done"]
AUDIO_TOKENS_A_SECOND = 25
_LARGEST_REQUEST = 64 * 1024 * 1024
_HTML = b"<html><body>Welcome to the captive portal.</body></html>"
_NOT_SUPPORTED = "Unsupported parameter: '{0}' is not supported with this model."
_PICKY_ABOUT = ("max_tokens", "temperature", "seed")


@dataclass(frozen=True)
class Schedule:
    """When the pieces of an answer are sent.

    Attributes:
        first_s: From the request to the first piece of the answer, in seconds.
        every_s: Between two pieces.
        pieces: How many pieces of text a "clock" answer has.
        letters: Of other texts, in a piece.
    """

    first_s: float = 0.0
    every_s: float = 0.0
    pieces: int = 8
    letters: int = 4


@dataclass(frozen=True)
class Behaviour:
    """How a model of this server answers.

    Attributes:
        does: What it is for.
        status: The HTTP status; with any but 200 the request is refused.
        headers: Of a refusal.
        only_once: Whether it fails the first time alone.
        raw: Sent instead of an answer.
        complaint: The body of a refusal; None tells what the behaviour is for.
        sent: How many pieces are sent before `end`; None for all.
        end: How the answer ends: as it should; without a goodbye ("hang up"); never ("stall"); by a broken
            piece ("cut"), an error ("error"), nothing ("stop") or more and more ("flood").
        thinks: Whether it reasons, in a field of its own or in the text.
        first_s: Before the first piece, in seconds, besides the schedule's.
    """

    does: str
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    only_once: bool = False
    raw: bytes | None = None
    complaint: Mapping[str, Any] | None = None
    sent: int | None = None
    end: Literal["finish", "hang up", "stall", "cut", "error", "stop", "flood"] = "finish"
    thinks: Literal["", "field", "aloud"] = ""
    first_s: float = 0.0


BEHAVIOURS: dict[str, Behaviour] = {
    "fake": Behaviour("calls the first tool without arguments, or says the user's words again"),
    "clock": Behaviour("says the time (perf_counter) at which each piece is sent"),
    "slow": Behaviour("begins after half a second", first_s=0.5),
    "reasoning": Behaviour("thinks in reasoning_content first", thinks="field"),
    "thinks-aloud": Behaviour("thinks in its text first, between <think> and </think>", thinks="aloud"),
    "plain-json": Behaviour("answers with one JSON document, though a stream was asked for"),
    "crumbs": Behaviour("sends three bytes at a time, wherever they end"),
    "picky": Behaviour("refuses max_tokens, temperature and seed, one after the other"),
    "rate-limited": Behaviour(
        "answers 429 once", 429, {"retry-after-ms": "50", "Retry-After": "1"}, only_once=True
    ),
    "busy": Behaviour("always answers 429", 429, {"retry-after-ms": "1"}),
    "broken-once": Behaviour("answers 503 once", 503, {"Retry-After": "0"}, only_once=True),
    "error-400": Behaviour("answers 400", 400),
    "error-403": Behaviour("answers 403", 403),
    "error-500": Behaviour("always answers 500", 500, {"retry-after-ms": "1"}),
    "redirects": Behaviour("is elsewhere", 307, {"Location": "http://127.0.0.1:9/v1/chat/completions"}),
    "garbage": Behaviour("answers with a page of a captive portal", raw=_HTML),
    "no-http": Behaviour(
        "answers with what is no HTTP", raw=b"\x00\x01\x02 220 ready\r\n\r\n", end="hang up"
    ),
    "hangs-up": Behaviour("hangs up without an answer", sent=0, end="hang up"),
    "hangs-up-once": Behaviour("hangs up the first time", sent=0, end="hang up", only_once=True),
    "drops": Behaviour("hangs up in the middle of its answer", sent=2, end="hang up"),
    "silent": Behaviour("accepts the request and never answers", sent=0, end="stall"),
    "stalls": Behaviour("stops sending in the middle of its answer", sent=2, end="stall"),
    "truncated": Behaviour("ends with half a piece", sent=2, end="cut"),
    "no-finish": Behaviour("ends without saying that it has", sent=2, end="stop"),
    "error-in-stream": Behaviour("tells of an error in the middle of its answer", sent=2, end="error"),
    "endless": Behaviour("never ends its answer", sent=2, end="flood"),
}
"""What a model's name makes of a request."""


@dataclass(frozen=True)
class Sent:
    """A piece of an answer: what it brought, and `time.perf_counter()` when it was sent."""

    kind: StepKind
    at_s: float


@dataclass
class Asked:
    """A request as it came, and what of its answer was sent.

    Attributes:
        path: Where to.
        headers: Names in lower case.
        body: Parsed JSON, or the fields of a form.
        at_s: `time.perf_counter()` when it had come.
        audio_s: Length of the clips in it, in seconds.
        sent: The pieces of the answer.
        is_cut: Whether the client left before the answer's end.
        port: The client's, by which connections are told apart.
    """

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    at_s: float
    audio_s: float = 0.0
    sent: list[Sent] = field(default_factory=list)
    is_cut: bool = False
    port: int = 0


class FakeServer:
    """The server, on a thread of its own, for the length of a `with` block.

    Attributes:
        asked: The requests so far, in the order in which they came.
    """

    def __init__(
        self,
        *,
        schedule: Schedule | None = None,
        key: str | None = None,
        transcript: str | None = None,
        behaviours: Mapping[str, Behaviour] | None = None,
        models: Sequence[str] | None = None,
        bears: int | None = None,
        port: int = 0,
    ) -> None:
        """Set what is served; nothing listens yet.

        Args:
            schedule: When the pieces of an answer are sent; None for at once.
            key: What requests must carry as a bearer's token; None lets everybody in.
            transcript: What every clip is heard as; None tells its length.
            behaviours: Models besides (or instead of) those of `BEHAVIOURS`.
            models: What `/v1/models` lists; None for all there are.
            bears: Chats under way at most; more are answered 429. None for any number.
            port: Where to listen; 0 takes a free one.
        """
        self.asked: list[Asked] = []
        self._schedule = schedule or Schedule()
        self._key = key
        self._transcript = transcript
        self._behaviours = {**BEHAVIOURS, **(behaviours or {})}
        self._listed = tuple(self._behaviours) if models is None else tuple(models)
        self._bears = bears
        self._under_way = 0
        self._port = port
        self._failed_once: set[str] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="fakes_server", daemon=True)

    def forget(self) -> None:
        """Begin as if nothing had been asked."""
        self.asked.clear()
        self._failed_once.clear()

    def let_in(self, key: str) -> None:
        """Demand another key from now on."""
        self._key = key

    @property
    def url(self) -> str:
        """The base URL, up to and with `/v1`."""
        return f"http://127.0.0.1:{self._port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._begin(), self._loop).result()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._runner.cleanup(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @cached_property
    def _runner(self) -> "web.AppRunner":
        from aiohttp import web

        app = web.Application(client_max_size=_LARGEST_REQUEST)
        app.router.add_get("/v1/models", self._models)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_post("/v1/audio/transcriptions", self._transcriptions)
        app.router.add_get("/v1/realtime", self._realtime)
        return web.AppRunner(app, access_log=None, handler_cancellation=True, shutdown_timeout=0.01)

    async def _begin(self) -> None:
        from aiohttp import web

        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port)
        await site.start()
        self._port = self._runner.addresses[0][1]

    # ---- What is served ----

    async def _models(self, request: "web.Request") -> "web.StreamResponse":
        if refusal := self._without_key(request):
            return refusal
        models = [{"id": name, "object": "model", "owned_by": "fakes"} for name in self._listed]
        return _json({"object": "list", "data": models})

    async def _chat(self, request: "web.Request") -> "web.StreamResponse":
        asked = self._keep(request, await request.json())
        if self._bears is not None and self._under_way >= self._bears:
            return _error(429, f"more than {self._bears} at once", headers={"retry-after-ms": "50"})
        self._under_way += 1
        try:
            return await self._answered(request, asked)
        finally:
            self._under_way -= 1

    async def _answered(self, request: "web.Request", asked: Asked) -> "web.StreamResponse":
        model = str(asked.body.get("model"))
        behaviour = self._now(model)
        refusal = self._without_key(request) or self._refusal(model, behaviour, asked.body)
        if refusal is not None or behaviour is None:
            return refusal or _error(404, f"The model '{model}' does not exist", code="model_not_found")
        try:
            asked.audio_s = _heard_s(asked.body)
        except (UserError, ValueError, KeyError) as error:
            return _error(400, f"Invalid audio: {error}")
        steps = list(self._steps(model, behaviour, asked))
        if model == "plain-json" or not asked.body.get("stream"):
            return _json(_whole(steps))
        return await self._stream(request, model, behaviour, asked, steps)

    async def _transcriptions(self, request: "web.Request") -> "web.StreamResponse":
        from aiohttp import web

        form = await request.post()
        asked = self._keep(request, {name: value for name, value in form.items() if isinstance(value, str)})
        model = asked.body.get("model", "")
        behaviour = self._now(model)
        if refusal := self._without_key(request) or self._refusal(model, behaviour, asked.body):
            return refusal
        file = form.get("file")
        if not isinstance(file, web.FileField):
            return _error(400, "no file")
        try:
            asked.audio_s = read_audio(file.file.read()).duration_s
        except UserError as error:
            return _error(400, f"Invalid audio: {error}")
        if behaviour is not None and behaviour.raw is not None:
            return web.Response(body=behaviour.raw)
        text = f"{asked.audio_s:.1f} seconds" if self._transcript is None else self._transcript
        wanted = asked.body.get("response_format", "json")
        if wanted == "text":
            return web.Response(text=text + "\n")
        if wanted == "verbose_json":
            lang = asked.body.get("language", "en")
            return _json({"task": "transcribe", "language": lang, "duration": asked.audio_s, "text": text})
        return _json({"text": text})

    async def _realtime(self, request: "web.Request") -> "web.StreamResponse":
        from voicebench.fakes_realtime import Pace, realtime

        asked = self._keep(request, {**request.query, "events": []})
        model = str(asked.body.get("model"))
        if refusal := self._without_key(request) or self._refusal(model, self._now(model), {}):
            return refusal
        schedule = self._schedule
        pace = Pace(schedule.first_s, schedule.every_s, schedule.pieces, schedule.letters)
        return await realtime(
            request, asked.body["events"], pace,
            lambda kind: asked.sent.append(Sent(kind, time.perf_counter())),
        )  # fmt: skip

    # ---- Refusals ----

    def _keep(self, request: "web.Request", body: dict[str, Any]) -> Asked:
        headers = {name.lower(): value for name, value in request.headers.items()}
        peer = request.transport.get_extra_info("peername") if request.transport else None
        asked = Asked(request.path, headers, body, time.perf_counter(), port=peer[1] if peer else 0)
        self.asked.append(asked)
        return asked

    def _without_key(self, request: "web.Request") -> "web.StreamResponse | None":
        said = request.headers.get("Authorization", "")
        if self._key is None or said == f"Bearer {self._key}":
            return None
        # As real ones do, it repeats what it was given.
        return _error(401, f"Incorrect API key provided: {said.removeprefix('Bearer ')}")

    def _refusal(
        self, model: str, behaviour: Behaviour | None, body: Mapping[str, Any]
    ) -> "web.StreamResponse | None":
        if model == "picky" and (named := next((name for name in _PICKY_ABOUT if name in body), None)):
            told = _NOT_SUPPORTED.format(named)
            return _error(400, told, code="unsupported_parameter", param=named)
        if behaviour is None or behaviour.status == 200:
            return None
        if behaviour.complaint is not None:
            return _json(behaviour.complaint, status=behaviour.status, headers=behaviour.headers)
        return _error(behaviour.status, behaviour.does, headers=behaviour.headers)

    def _now(self, model: str) -> Behaviour | None:
        """Return how a model behaves this time; None where there is no such model."""
        behaviour = self._behaviours.get(model)
        if behaviour is None or not behaviour.only_once:
            return behaviour
        if model in self._failed_once:
            return Behaviour(behaviour.does)
        self._failed_once.add(model)
        return behaviour

    # ---- Streams ----

    def _steps(self, model: str, behaviour: Behaviour, asked: Asked) -> Iterator["Step"]:
        """Yield the pieces of an answer, each with the time to wait before it."""
        schedule = self._schedule
        yield Step("role", 0.0, _chunk({"role": "assistant", "content": ""}))
        wait_s = schedule.first_s + behaviour.first_s
        deltas = list(_deltas(model, behaviour, asked, schedule))
        for kind, delta in deltas:
            yield Step(kind, wait_s, _chunk(delta))
            wait_s = schedule.every_s
        calls = model == "fake" and bool(asked.body.get("tools"))
        yield Step("finish", 0.0, _chunk({}, finish="tool_calls" if calls else "stop"))
        if (asked.body.get("stream_options") or {}).get("include_usage"):
            yield Step("usage", 0.0, {**_chunk(None), "usage": _usage(asked, [kind for kind, _ in deltas])})
        yield Step("done", 0.0, None)

    async def _stream(
        self, request: "web.Request", model: str, behaviour: Behaviour, asked: Asked, steps: "list[Step]"
    ) -> "web.StreamResponse":
        from aiohttp import web

        if behaviour.sent == 0 or (behaviour.raw is not None and behaviour.end == "hang up"):
            return await self._without_a_word(request, behaviour)
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        try:
            if behaviour.raw is not None:
                await response.write(behaviour.raw)
                return response
            await self._send(response, model, asked, steps[: behaviour.sent])
            await self._end(request, response, behaviour)
        except ConnectionError:
            asked.is_cut = True
        except asyncio.CancelledError:
            asked.is_cut = True
            raise
        return response

    async def _send(
        self, response: "web.StreamResponse", model: str, asked: Asked, steps: "list[Step]"
    ) -> None:
        due_s = time.perf_counter()
        for step in steps:
            due_s += step.wait_s
            if (left_s := due_s - time.perf_counter()) > 0:
                await asyncio.sleep(left_s)
            at_s = time.perf_counter()
            data = b"data: [DONE]\n\n" if step.chunk is None else _event(step.stamped(model, at_s))
            asked.sent.append(Sent(step.kind, at_s))
            if model == "crumbs":
                for start in range(0, len(data), 3):
                    await response.write(data[start : start + 3])
                    await asyncio.sleep(0)
            else:
                await response.write(data)

    async def _end(
        self, request: "web.Request", response: "web.StreamResponse", behaviour: Behaviour
    ) -> None:
        if behaviour.end == "hang up":
            _hang_up(request)
        elif behaviour.end == "stall":
            await asyncio.Event().wait()
        elif behaviour.end == "cut":
            await response.write(_event(_chunk({"content": "never whole"}))[:40])
        elif behaviour.end == "error":
            await response.write(_event({"error": {"message": "the engine died", "code": 500}}))
        while behaviour.end == "flood":
            await response.write(_event(_chunk({"content": "word " * 2000})))

    async def _without_a_word(self, request: "web.Request", behaviour: Behaviour) -> "web.StreamResponse":
        from aiohttp import web

        if behaviour.end == "stall":
            await asyncio.Event().wait()
        if behaviour.raw is not None and request.transport is not None:
            request.transport.write(behaviour.raw)
        _hang_up(request)
        return web.Response()


@dataclass(frozen=True)
class Step:
    """A piece of an answer that is to be sent.

    Attributes:
        kind: What it brings.
        wait_s: How long after the one before it, in seconds.
        chunk: Its JSON; None for the end of the stream.
    """

    kind: StepKind
    wait_s: float
    chunk: dict[str, Any] | None

    def stamped(self, model: str, at_s: float) -> dict[str, Any]:
        """Return its JSON; of the model "clock" with the time at which it is sent as its text."""
        if self.chunk is None or model != "clock" or self.kind != "content":
            return self.chunk or {}
        return _chunk({"content": f"{at_s:.6f} "})


def _deltas(
    model: str, behaviour: Behaviour, asked: Asked, schedule: Schedule
) -> Iterator[tuple[StepKind, dict[str, Any]]]:
    """Yield what an answer's pieces bring: reasoning, text, calls."""
    if model == "clock":
        yield from (("content", {"content": ""}) for _ in range(schedule.pieces))
        return
    if behaviour.thinks == "field":
        yield from (("reasoning", {"reasoning_content": text}) for text in ("The user ", "wants ", "it."))
    if behaviour.thinks == "aloud":
        yield from (("content", {"content": text}) for text in ("<thi", "nk>The user wants it.</think>"))
    if tools := asked.body.get("tools"):
        yield from (("call", delta) for delta in _call_deltas(tools[0]["function"]["name"]))
        return
    text = _words(asked)
    step = schedule.letters
    yield from (("content", {"content": text[start : start + step]}) for start in range(0, len(text), step))


def _call_deltas(name: str) -> Iterator[dict[str, Any]]:
    """Yield a native call of a tool without arguments, in three pieces."""
    first = {"index": 0, "id": "call_0", "type": "function", "function": {"name": name, "arguments": ""}}
    yield {"tool_calls": [first]}
    yield from ({"tool_calls": [{"index": 0, "function": {"arguments": text}}]} for text in ("{", "}"))


def _words(asked: Asked) -> str:
    """Return a call of the first tool that the instruction lists; without one what the user said."""
    messages = asked.body.get("messages") or [{}]
    instruction = str(messages[0].get("content", "")) if messages[0].get("role") == "system" else ""
    if named := re.search(r'^\{"name": ?"([^"]+)"', instruction, re.MULTILINE):
        return f"[{named[1]}()]"
    return _text(messages[-1].get("content")) or f"{asked.audio_s:.1f} seconds"


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return " ".join(part["text"] for part in content or () if part.get("type") == "text")


def _heard_s(body: Mapping[str, Any]) -> float:
    """Return the length of all clips of a request, in seconds.

    Raises:
        UserError: One of them is no audio.
        ValueError: One of them is not in the form that it says.
    """
    parts = [
        part for message in body.get("messages") or () if isinstance(message.get("content"), list)
        for part in message["content"]
    ]  # fmt: skip
    return sum(read_audio(_clip(part)).duration_s for part in parts if part.get("type") != "text")


def _clip(part: Mapping[str, Any]) -> bytes:
    if part["type"] == "input_audio":
        return base64.b64decode(part["input_audio"]["data"], validate=True)
    head, _, data = part["audio_url"]["url"].partition(";base64,")
    if not head.startswith("data:audio/"):
        raise ValueError("audio_url wants a data URL")
    return base64.b64decode(data, validate=True)


def _usage(asked: Asked, said: Sequence[StepKind]) -> dict[str, Any]:
    """Return token counts: a token a piece, one for four letters asked, and those of the clips."""
    letters = sum(len(_text(message.get("content"))) for message in asked.body.get("messages") or ())
    audio = round(asked.audio_s * AUDIO_TOKENS_A_SECOND)
    thought = said.count("reasoning")
    usage: dict[str, Any] = {"prompt_tokens": letters // 4 + 1 + audio, "completion_tokens": len(said)}
    if audio:
        usage["prompt_tokens_details"] = {"audio_tokens": audio}
    if thought:
        usage["completion_tokens_details"] = {"reasoning_tokens": thought}
    return usage


def _chunk(delta: dict[str, Any] | None, *, finish: str | None = None) -> dict[str, Any]:
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    return {"id": "chatcmpl-fake", "object": "chat.completion.chunk", "choices": choices}


def _event(chunk: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(chunk, ensure_ascii=False).encode() + b"\n\n"


def _whole(steps: "list[Step]") -> dict[str, Any]:
    """Return an answer as one JSON document."""
    message: dict[str, Any] = {"role": "assistant", "content": ""}
    usage: dict[str, Any] = {}
    finish = "stop"
    for step in steps:
        chunk = step.chunk or {}
        usage = chunk.get("usage", usage)
        for choice in chunk.get("choices", ()):
            finish = choice["finish_reason"] or finish
            message["content"] += choice["delta"].get("content", "")
            for call in choice["delta"].get("tool_calls", ()):
                if "id" in call:
                    message.setdefault("tool_calls", []).append(call)
                else:
                    message["tool_calls"][-1]["function"]["arguments"] += call["function"]["arguments"]
    choices = [{"index": 0, "message": message, "finish_reason": finish}]
    return {"id": "chatcmpl-fake", "object": "chat.completion", "choices": choices, "usage": usage}


def _json(data: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> "web.StreamResponse":
    from aiohttp import web

    return web.json_response(data, status=status, headers=headers)


def _error(
    status: int,
    message: str,
    *,
    code: str | None = None,
    param: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> "web.StreamResponse":
    error = {"message": message, "type": "invalid_request_error", "code": code, "param": param}
    return _json({"error": error}, status=status, headers=headers)


def _hang_up(request: "web.Request") -> None:
    if request.transport is not None:
        request.transport.close()


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--port", type=int, default=0, help="where to listen; 0 takes a free one")
    parser.add_argument("--first-ms", type=float, default=0.0, help="from the request to the first piece")
    parser.add_argument("--every-ms", type=float, default=0.0, help="between two pieces")
    parser.add_argument("--pieces", type=int, default=8, help="of the model 'clock'")
    given = parser.parse_args()
    schedule = Schedule(given.first_ms / 1000, given.every_ms / 1000, given.pieces)
    with FakeServer(schedule=schedule, port=given.port) as server:
        try:
            sys.stdout.write(f"{server.url}\n")
            sys.stdout.flush()
            threading.Event().wait()
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()
