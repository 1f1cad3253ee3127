"""One HTTP service as the remote synthesizers use it: JSON goes out, bytes come back, limits are honoured.

Places, keys, waits and what a refusal means are those of `voicebench.wire`; the connections are this thread's
own, because a synthesizer is asked by a few threads at a time, one clip each.
"""

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from voicebench.wire.keys import Key, require_closed_line
from voicebench.wire.place import Place
from voicebench.wire.refusals import Peer
from voicebench.wire.retry import ATTEMPTS, Passing, Retries

TIMEOUT_S = 120.0
LARGEST_ANSWER = 256 * 1024 * 1024


@dataclass(frozen=True)
class Answer:
    """What a server answered: the body, and what it says that it is."""

    body: bytes
    content_type: str


class Service:
    """A server that speaks JSON over HTTP.

    What may pass is tried again: a broken connection or a body that ends early, a timeout, 408, 425, 429 and
    5xx. All else is said at once, and no redirect is followed.

    Args:
        name: The backend, for messages.
        url: Base URL; paths are appended to it.
        key: Which key, if any, it is asked with.
        timeout_s: For one request from its start to the last byte of the answer.
        attempts: How often one request is sent at most.
        seed: Of the jitter of waits.
        sleep: Waits so many seconds.
        clock: Seconds that only go forward.
        today: Seconds since the epoch, for a Retry-After that is a date.

    Raises:
        UserError: The URL cannot be used, or the key would go over an unencrypted line.
    """

    def __init__(
        self,
        name: str,
        url: str,
        *,
        key: Key | None = None,
        timeout_s: float = TIMEOUT_S,
        attempts: int = ATTEMPTS,
        seed: int = 0,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        today: Callable[[], float] = time.time,
    ) -> None:
        place = Place.at(url, name=name)
        if key is not None:
            require_closed_line(name, place, key)
        self.name = name
        self.url = place.url
        self.host = place.host
        self._key = key
        self._peer = Peer(name, place, key, check="the URL, the model and the voice")
        self._timeout_s = timeout_s
        self._retries = Retries(attempts, seed=seed, clock=clock)
        self._sleep, self._clock, self._today = sleep, clock, today
        # A proxy could not reach this machine's own servers.
        proxies = [urllib.request.ProxyHandler({})] if place.is_local else []
        self._opener = urllib.request.build_opener(_NoRedirect, *proxies)

    def get(self, path: str) -> Answer:
        """Return what is at a path.

        Raises:
            UserError: The server refuses the request; a mistake of the user's.
            AgentFailure: The server or the way to it failed ("server", "timeout", "rate_limit").
        """
        return self._send("GET", path, None)

    def post(self, path: str, payload: Mapping[str, Any]) -> Answer:
        """Return the answer to a JSON object.

        Raises:
            UserError: The server refuses the request; a mistake of the user's.
            AgentFailure: The server or the way to it failed ("server", "timeout", "rate_limit").
        """
        return self._send("POST", path, json.dumps(payload, ensure_ascii=False).encode("utf-8", "replace"))

    def quoted(self, data: bytes) -> str:
        """Return the beginning of an answer as one line that is safe to show."""
        return self._peer.quoted(data)

    def _send(self, method: str, path: str, data: bytes | None) -> Answer:
        attempt = 0
        while True:
            attempt += 1
            while (wait_s := self._retries.wait_s()) > 0:
                self._sleep(wait_s)
            try:
                return self._once(method, path, data)
            except Passing as passing:
                if own_wait_s := self._retries.own_wait_s(passing, attempt):
                    self._sleep(own_wait_s)

    def _once(self, method: str, path: str, data: bytes | None) -> Answer:
        request = urllib.request.Request(self.url + path, data=data, method=method)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        for header, value in (self._key.headers() if self._key else {}).items():
            request.add_unredirected_header(header, value)
        until_s = self._clock() + self._timeout_s
        try:
            with self._opener.open(request, timeout=self._timeout_s) as response:
                return Answer(self._read(response, until_s), response.headers.get("Content-Type", ""))
        except urllib.error.HTTPError as error:
            with error:
                raise self._refused(error) from None
        except urllib.error.URLError as error:
            raise self._peer.unreachable(error.reason, self._timeout_s) from None
        except http.client.IncompleteRead as error:
            raise self._peer.broke_off(error.expected or 0) from None
        except (http.client.HTTPException, OSError) as error:
            raise self._peer.unreachable(error, self._timeout_s) from None

    def _read(self, response: http.client.HTTPResponse, until_s: float) -> bytes:
        body = bytearray()
        while chunk := response.read1(1 << 16):
            body += chunk
            if len(body) > LARGEST_ANSWER:
                raise self._peer.too_much(LARGEST_ANSWER)
            if self._clock() > until_s:
                raise TimeoutError
        declared = response.headers.get("Content-Length")
        if declared is not None and declared.isdecimal() and len(body) < int(declared):
            raise http.client.IncompleteRead(bytes(body), int(declared) - len(body))
        return bytes(body)

    def _refused(self, error: urllib.error.HTTPError) -> Exception:
        """Return what an answer other than 200 means."""
        try:
            said = error.read(1 << 16)
        except (http.client.HTTPException, OSError):
            said = b""
        return self._peer.refusal(error.code, error.headers, said, self._today())


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any, **options: Any) -> None:
        return None
