"""One server over HTTP: JSON and files go out, answers come back whole or as a stream, limits are honoured.

The key stands in the request's header and nowhere else: it is taken out of whatever a server answers before
that becomes a message, it goes over no unencrypted line, and no redirect is followed with it.
"""

import asyncio
import json
import time
import urllib.request
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from pydantic_core import to_json

from voicebench.errors import AgentFailure, UserError
from voicebench.wire import loop
from voicebench.wire.keys import Key
from voicebench.wire.place import Place
from voicebench.wire.refusals import Peer
from voicebench.wire.retry import ATTEMPTS, Passing, Retries
from voicebench.wire.sse import DONE, EventReader

if TYPE_CHECKING:
    import aiohttp

T = TypeVar("T")
TIMEOUT_S = 120.0
LARGEST_ANSWER = 32 * 1024 * 1024
_LARGEST_COMPLAINT = 1 << 16
_GRACE_S = 0.2
_LONGEST_CLOSE_S = 1.0
_STOPPED = "stopped in the middle of its answer"
_JSON_STARTS = (b"{", b"[")


@dataclass(frozen=True)
class File:
    """A file that goes out in a form.

    Attributes:
        name: Its name there, such as "clip.wav".
        data: Its bytes.
        content_type: Its media type.
        field: The form's field.
    """

    name: str
    data: bytes
    content_type: str
    field: str = "file"


class Client:
    """A server that is asked over HTTP, from the event loop of `voicebench.wire.loop`.

    What may pass is tried again before any byte of an answer was used: a broken connection, a timeout, 408,
    425, 429 and 5xx; how long it waits before that is told in `voicebench.wire.retry`. All else is said at
    once, and so is a stream that breaks off or stands still after its first piece.
    """

    def __init__(
        self,
        name: str,
        place: Place,
        key: Key | None = None,
        *,
        timeout_s: float = TIMEOUT_S,
        connect_s: float = 15.0,
        first_byte_s: float | None = None,
        gap_s: float | None = None,
        attempts: int = ATTEMPTS,
        patience_s: float = 0.0,
        largest_answer: int = LARGEST_ANSWER,
        check: str = "the URL and the model",
        seed: int = 0,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        today: Callable[[], float] = time.time,
    ) -> None:
        """Make a client; nothing is asked yet.

        Args:
            name: The backend, for messages.
            place: The server.
            key: The key that it is asked with (`voicebench.wire.keys.key_for`).
            timeout_s: For one request from its start to the last byte of the answer.
            connect_s: For the connection.
            first_byte_s: From a request's start to the first byte of its answer; None for `timeout_s`.
            gap_s: Between two pieces of a streamed answer; None for `timeout_s`.
            attempts: How often one request is sent at most; once more where a connection that had lain idle
                was closed.
            patience_s: For so long a request whose rate is limited is sent more often than that.
            largest_answer: Of an answer, in bytes.
            check: What the user is to look at where a request is refused.
            seed: Of the jitter of waits.
            sleep: Waits so many seconds.
            today: Seconds since the epoch, for a Retry-After that is a date.
        """
        self.peer = Peer(name, place, key, check)
        self.place = place
        self._timeout_s = timeout_s
        self._connect_s = min(connect_s, timeout_s)
        self._first_byte_s = min(first_byte_s or timeout_s, timeout_s)
        self._gap_s = min(gap_s or timeout_s, timeout_s)
        self._retries = Retries(attempts, patience_s=patience_s, seed=seed)
        self._largest = largest_answer
        self._sleep, self._today = sleep, today
        self._proxy = _proxy_to(place)

    @property
    def turned_away(self) -> int:
        """How many requests have failed in a way that may pass, so far."""
        return self._retries.turned_away

    @property
    def free_in_s(self) -> float:
        """How long the server asks to be left alone yet, in seconds; 0 or less if it does not."""
        return self._retries.wait_s()

    def quoted(self, said: bytes | str) -> str:
        """Return the beginning of what the server said as one line that is safe to show."""
        return self.peer.quoted(said)

    async def get_json(self, path: str) -> Any:
        """Return the JSON at a path.

        Raises:
            UserError: The server refuses the request; a mistake of the user's.
            AgentFailure: The server or the way to it failed ("server", "timeout", "rate_limit").
        """
        return self._json(await self._tried(lambda: self._whole("GET", path)))

    async def post_json(self, path: str, payload: Mapping[str, Any]) -> Any:
        """Return the JSON that answers a JSON object.

        Raises:
            UserError: The server refuses the request; a mistake of the user's.
            AgentFailure: The server or the way to it failed ("server", "timeout", "rate_limit").
        """
        body = _encoded(payload)
        return self._json(await self._tried(lambda: self._whole("POST", path, **body)))

    async def post_form(self, path: str, fields: Mapping[str, str], file: File) -> Any:
        """Return the JSON that answers a form with a file.

        Raises:
            UserError: The server refuses the request; a mistake of the user's.
            AgentFailure: The server or the way to it failed ("server", "timeout", "rate_limit").
        """
        import aiohttp

        def form() -> aiohttp.FormData:
            # One that was sent cannot be sent again.
            made = aiohttp.FormData(fields)
            made.add_field(file.field, file.data, filename=file.name, content_type=file.content_type)
            return made

        return self._json(await self._tried(lambda: self._whole("POST", path, data=form())))

    async def stream(
        self, path: str, payload: Mapping[str, Any], *, on_sent: Callable[[float], None] = lambda at_s: None
    ) -> AsyncGenerator[tuple[float, bytes], None]:
        """Yield the pieces of a streamed answer (server-sent events), each with its time of arrival.

        A piece is the data of one event; its time is `time.perf_counter()` when the bytes that complete it
        arrived. A server that answers with one JSON document instead of events gives one piece. Leaving early
        (`contextlib.aclosing`) ends the request.

        Args:
            path: Where to.
            payload: A JSON object.
            on_sent: Told `time.perf_counter()` when an attempt begins; the last one is the one answered.

        Yields:
            (seconds, data), also the `voicebench.wire.sse.DONE` that ends a chat's stream.

        Raises:
            UserError: The server refuses the request; a mistake of the user's.
            AgentFailure: The server or the way to it failed ("server", "timeout", "rate_limit"); also after
                pieces of the answer were yielded.
        """
        body = _encoded(payload)
        attempt, first_s = 0, time.monotonic()
        while True:
            attempt += 1
            await self._turn()
            on_sent(time.perf_counter())
            began = False
            try:
                async with aclosing(self._events(path, body)) as events:
                    async for event in events:
                        began = True
                        yield event
                return
            except Passing as passing:
                if began:
                    raise passing.for_good() from None
                await self._wait(passing, attempt, first_s)

    @asynccontextmanager
    async def websocket(
        self, path: str, *, headers: Mapping[str, str] | None = None
    ) -> "AsyncIterator[aiohttp.ClientWebSocketResponse]":
        """Open a websocket for a block; it is closed at the block's end.

        Args:
            path: Where to, with its query.
            headers: More of them.

        Raises:
            UserError: The server refuses; a mistake of the user's.
            AgentFailure: The server or the way to it failed ("server", "timeout", "rate_limit").
        """
        import aiohttp

        socket = await self._tried(lambda: self._connected(path, headers or {}))
        try:
            yield socket
        except aiohttp.ClientError as error:
            raise AgentFailure("server", str(self._failed(error))) from None
        finally:
            await socket.close()

    async def _tried(self, once: Callable[[], Awaitable[T]]) -> T:
        attempt, first_s = 0, time.monotonic()
        while True:
            attempt += 1
            await self._turn()
            try:
                return await once()
            except Passing as passing:
                await self._wait(passing, attempt, first_s)

    async def _turn(self) -> None:
        while (wait_s := self._retries.turn_s()) > 0:
            await self._sleep(wait_s)

    async def _wait(self, passing: Passing, attempt: int, first_s: float) -> None:
        tried_s = time.monotonic() - first_s
        if wait_s := self._retries.own_wait_s(passing, attempt, tried_s=tried_s):
            await self._sleep(wait_s)

    async def _whole(self, method: str, path: str, **body: Any) -> bytes:
        pieces = bytearray()
        async with aclosing(self._read(method, path, **body)) as arrived:
            async for _, piece, _ in arrived:
                pieces += piece
        return bytes(pieces)

    async def _events(self, path: str, body: dict[str, Any]) -> AsyncGenerator[tuple[float, bytes], None]:
        """Yield the events of one answer, or its one JSON document."""
        reader = EventReader()
        document: bytearray | None = None
        at_s, size, is_empty = 0.0, 0, True
        async with aclosing(self._read("POST", path, **body)) as arrived:
            async for at_s, piece, is_last in arrived:
                if not size:
                    # No line of an event stream begins so.
                    document = bytearray() if piece.lstrip().startswith(_JSON_STARTS) else None
                size += len(piece)
                if document is not None:
                    document += piece
                    continue
                for data in reader.feed(piece):
                    is_empty = False
                    yield at_s, data
                    if data == DONE:
                        if not is_last:
                            await _drained(arrived)
                        return
        if not size:
            raise self.peer.broke_off()
        rest = [bytes(document)] if document is not None else reader.end()
        if is_empty and not rest:
            raise AgentFailure("server", f"{self.peer} answers what is no stream of events")
        for data in rest:
            yield at_s, data

    async def _read(
        self, method: str, path: str, **body: Any
    ) -> AsyncGenerator[tuple[float, bytes, bool], None]:
        """Yield an answer's bytes as they arrive, each piece with its time and whether it is the last."""
        started_s = time.perf_counter()
        size = 0
        try:
            async with asyncio.timeout(self._first_byte_s):
                response = await self._sent(method, path, **body)
            async with response:
                content = response.content
                until_s = started_s + self._first_byte_s
                while not content.at_eof():
                    # What came with the head is there already.
                    piece = content.read_nowait()
                    if not piece:
                        async with asyncio.timeout(until_s - time.perf_counter()):
                            piece = await content.readany()
                    at_s = time.perf_counter()
                    if not piece:
                        return
                    size += len(piece)
                    if size > self._largest:
                        raise self.peer.too_much(self._largest)
                    yield at_s, piece, content.at_eof()
                    until_s = min(time.perf_counter() + self._gap_s, started_s + self._timeout_s)
        except Exception as error:
            took_s = time.perf_counter() - started_s
            raise self._failed(error, began=size > 0, is_late=took_s >= self._timeout_s) from None

    async def _sent(self, method: str, path: str, **body: Any) -> "aiohttp.ClientResponse":
        """Return an answer whose body is yet to be read.

        Raises:
            Passing: It is one that may pass.
            UserError: It is a refusal.
        """
        response = await loop.session().request(
            method, self.place.url + path, headers=self._headers(body.pop("headers", {})),
            allow_redirects=False, proxy=self._proxy, timeout=self._timeout(), **body,
        )  # fmt: skip
        if 200 <= response.status < 300:
            self._retries.let_in()
            return response
        async with response:
            try:
                said = await response.content.read(_LARGEST_COMPLAINT)
            except Exception:
                said = b""
            raise self.peer.refusal(response.status, response.headers, said, self._today())

    async def _connected(self, path: str, headers: Mapping[str, str]) -> "aiohttp.ClientWebSocketResponse":
        import aiohttp

        try:
            async with asyncio.timeout(self._first_byte_s):
                return await loop.session().ws_connect(
                    self.place.url + path, headers=self._headers(headers), proxy=self._proxy,
                    max_msg_size=self._largest, timeout=aiohttp.ClientWSTimeout(ws_close=_LONGEST_CLOSE_S),
                )  # fmt: skip
        except Exception as error:
            raise self._failed(error) from None

    def _headers(self, more: Mapping[str, str]) -> dict[str, str]:
        # Packed answers arrive later than they were sent.
        return {"Accept-Encoding": "identity", **more, **(self.peer.key.headers() if self.peer.key else {})}

    def _timeout(self) -> "aiohttp.ClientTimeout":
        import aiohttp

        return aiohttp.ClientTimeout(total=None, sock_connect=self._connect_s)

    def _json(self, body: bytes) -> Any:
        try:
            return json.loads(body)
        except ValueError:
            said = self.quoted(body)
            raise AgentFailure("server", f"{self.peer} answers what is no JSON ({said})") from None

    def _failed(self, error: Exception, *, began: bool = False, is_late: bool = False) -> Exception:
        """Return what an exception on the way to an answer means."""
        import aiohttp

        if isinstance(error, UserError | AgentFailure | Passing):
            return error
        if isinstance(error, TimeoutError) and began:
            how = f"did not end its answer within {self._timeout_s:g} s" if is_late else _STOPPED
            return Passing("timeout", f"{self.peer} {how}")
        if isinstance(error, aiohttp.WSServerHandshakeError):
            return self.peer.refusal(error.status, error.headers or {}, b"", self._today())
        if isinstance(error, aiohttp.ServerDisconnectedError | ConnectionResetError) and not began:
            # The usual cause is a connection that lay idle for longer than the server keeps one.
            return Passing("server", f"{self.peer} hung up without an answer", at_once=True)
        if isinstance(error, aiohttp.ClientPayloadError | ConnectionResetError):
            return self.peer.broke_off()
        if isinstance(error, aiohttp.ClientResponseError):
            return AgentFailure("server", f"{self.peer} answers what is no HTTP")
        if isinstance(error, aiohttp.ClientConnectorCertificateError):
            return self.peer.unreachable(error.certificate_error, self._timeout_s)
        if isinstance(error, aiohttp.ClientConnectorError):
            return self.peer.unreachable(error.os_error, self._connect_s)
        if isinstance(error, aiohttp.ConnectionTimeoutError):
            return self.peer.unreachable(error, self._connect_s)
        if isinstance(error, TimeoutError):
            return self.peer.unreachable(error, self._first_byte_s)
        if isinstance(error, aiohttp.ClientError | OSError):
            return self.peer.unreachable(error, self._timeout_s)
        return error


async def _drained(arrived: AsyncIterator[object]) -> None:
    """Read what little follows an answer: a connection that was read to its end serves again."""
    with suppress(TimeoutError, Passing):
        async with asyncio.timeout(_GRACE_S):
            async for _ in arrived:
                pass


def _encoded(payload: Mapping[str, Any]) -> dict[str, Any]:
    try:
        data = to_json(payload)
    # It alone takes what is no JSON by the book: half a surrogate pair becomes "?".
    except ValueError:
        data = json.dumps(payload, ensure_ascii=False).encode("utf-8", "replace")
    return {"data": data, "headers": {"Content-Type": "application/json"}}


def _proxy_to(place: Place) -> str | None:
    """Return the proxy that the environment names; a proxy could not reach this machine's own servers."""
    parts = urlsplit(place.url)
    if place.is_local or urllib.request.proxy_bypass(parts.netloc):
        return None
    return urllib.request.getproxies().get(parts.scheme)
