"""One HTTP service as the remote synthesizers use it: JSON goes out, bytes come back, limits are honoured.

The key comes from the environment alone. It stands in the request's header and nowhere else: it is taken out
of whatever a server answers before that becomes a message, it goes over no unencrypted line, and no redirect
is followed with it.
"""

import email.utils
import http.client
import json
import logging
import os
import random
import socket
import ssl
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.message import Message
from typing import Any
from urllib.parse import urlsplit

from voicebench.errors import AgentFailure, UserError, first_line
from voicebench.types import ErrorKind

log = logging.getLogger(__name__)

ATTEMPTS = 6
TIMEOUT_S = 120.0
LONGEST_WAIT_S = 300.0
"""A server that asks for a longer wait than this is not waited for."""

LARGEST_ANSWER = 256 * 1024 * 1024
_FIRST_WAIT_S, _LONGEST_BACKOFF_S = 0.5, 30.0
_AGAIN = {408, 425, 429, 500, 502, 503, 504, 529}
_LONGEST_QUOTE = 200
_NO_SECRET = 5


@dataclass(frozen=True)
class Answer:
    """What a server answered: the body, and what it says that it is."""

    body: bytes
    content_type: str


@dataclass(frozen=True)
class Key:
    """A key and the environment variable that it came from; its value is in no repr.

    Attributes:
        variable: Where the user sets it.
        header: The header that carries it.
        prefix: What stands before it there, such as "Bearer ".
    """

    variable: str
    header: str
    prefix: str = ""

    def value(self) -> str | None:
        """Return the key, or None where none is set.

        Raises:
            UserError: It holds characters that no header can carry.
        """
        value = os.environ.get(self.variable, "").strip()
        if not all("!" <= char <= "~" for char in value):
            raise UserError(f"{self.variable} holds a space or a character that no key has. Set it again")
        return value or None


class Service:
    """A server that speaks JSON over HTTP.

    What may pass is tried again: a broken connection or a body that ends early, a timeout, 408, 425, 429 and
    5xx. A server that says how long to wait (Retry-After, in seconds or as a date; retry-after-ms) is waited
    for, by all threads together; else the wait doubles each time, with jitter. All else is said at once.

    Args:
        name: The backend, for messages.
        url: Base URL; paths are appended to it.
        key: Which key, if any, it is asked with.
        timeout_s: For one request from its start to the last byte of the answer.
        attempts: How often one request is sent at most.
        seed: Of the jitter.
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
        self.name = name
        self.url = url.rstrip("/")
        self.host, is_local = _checked(name, url)
        self._key = key
        secret = key.value() if key else None
        if secret and key and urlsplit(url).scheme == "http" and not is_local:
            raise UserError(
                f"{name}: {key.variable} would go to {self.host} unencrypted. "
                f"Use https, or unset {key.variable}"
            )
        self._timeout_s = timeout_s
        self._attempts = attempts
        self._jitter = random.Random(seed)
        self._sleep, self._clock, self._today = sleep, clock, today
        self._free_from_s = clock()
        self._lock = threading.Lock()
        # A proxy could not reach this machine's own servers.
        proxies = [urllib.request.ProxyHandler({})] if is_local else []
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
        text = " ".join(data[:4096].decode("utf-8", "replace").split())
        secret = self._key.value() if self._key else None
        # One of a few letters is no secret, and would take ordinary words apart.
        if secret and len(secret) > _NO_SECRET:
            text = text.replace(secret, "***")
        return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"

    def _send(self, method: str, path: str, data: bytes | None) -> Answer:
        for attempt in range(1, self._attempts + 1):
            self._wait_for_turn()
            try:
                return self._once(method, path, data)
            except _Passing as passing:
                wait_s = passing.wait_s if passing.wait_s is not None else self._backoff_s(attempt)
                if wait_s > LONGEST_WAIT_S:
                    told = f"{passing}; it asks to wait {wait_s:.0f} s. Run the same command again then"
                    raise AgentFailure(passing.kind, told) from None
                if attempt == self._attempts:
                    raise AgentFailure(passing.kind, f"{passing} ({attempt} attempts)") from None
                log.info("%s; again in %.1f s", passing, wait_s)
                self._hold_back(
                    wait_s, all_threads=passing.wait_s is not None or passing.kind == "rate_limit"
                )
        raise AssertionError("unreachable")

    def _once(self, method: str, path: str, data: bytes | None) -> Answer:
        request = urllib.request.Request(self.url + path, data=data, method=method)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        secret = self._key.value() if self._key else None
        if self._key and secret:
            request.add_unredirected_header(self._key.header, self._key.prefix + secret)
        until_s = self._clock() + self._timeout_s
        try:
            with self._opener.open(request, timeout=self._timeout_s) as response:
                return Answer(self._read(response, until_s), response.headers.get("Content-Type", ""))
        except urllib.error.HTTPError as error:
            with error:
                raise self._refused(error) from None
        except urllib.error.URLError as error:
            raise self._unreachable(error.reason) from None
        except (http.client.HTTPException, OSError) as error:
            raise self._unreachable(error) from None

    def _read(self, response: http.client.HTTPResponse, until_s: float) -> bytes:
        body = bytearray()
        while chunk := response.read1(1 << 16):
            body += chunk
            if len(body) > LARGEST_ANSWER:
                raise UserError(f"{self.name}: {self.host} answers more than {LARGEST_ANSWER >> 20} MB")
            if self._clock() > until_s:
                raise TimeoutError
        declared = response.headers.get("Content-Length")
        if declared is not None and declared.isdecimal() and len(body) < int(declared):
            raise http.client.IncompleteRead(bytes(body), int(declared) - len(body))
        return bytes(body)

    def _refused(self, error: urllib.error.HTTPError) -> Exception:
        """Return what an answer other than 200 means."""
        try:
            said, code = _message(error.read(1 << 16))
        except (http.client.HTTPException, OSError):
            said, code = b"", ""
        told = f"{self.name}: {self.host} answers {error.code}" + (f" ({self.quoted(said)})" if said else "")
        if error.code in _AGAIN and code != "insufficient_quota":
            kind: ErrorKind = "rate_limit" if error.code == 429 else "server"
            return _Passing(kind, told, self._retry_after_s(error.headers))
        if error.code in (401, 403) and self._key is not None:
            what = "Check" if self._key.value() else "Set"
            return UserError(f"{told}. {what} the key in {self._key.variable}")
        if 300 <= error.code < 400:
            return UserError(f"{told}: the server is elsewhere. Give the URL that it redirects to")
        return UserError(f"{told}. Check the URL, the model and the voice")

    def _unreachable(self, reason: Any) -> Exception:
        """Return what a failure below HTTP means."""
        where = f"{self.name}: {self.host}"
        if isinstance(reason, TimeoutError):
            return _Passing("timeout", f"{where} did not answer within {self._timeout_s:g} s")
        if isinstance(reason, ssl.SSLCertVerificationError):
            return UserError(f"{where}: its certificate is not valid ({reason.verify_message})")
        if isinstance(reason, http.client.IncompleteRead):
            missing = f", {reason.expected} bytes early" if reason.expected else ""
            return _Passing("server", f"{where} broke off its answer{missing}")
        if isinstance(reason, socket.gaierror) and reason.errno != socket.EAI_AGAIN:
            return AgentFailure("server", f"{where}: no such host is known. Check the URL and the network")
        if isinstance(reason, ConnectionRefusedError):
            return _Passing("server", f"{where}: nothing answers there. Is the server running?")
        said = self.quoted(first_line(reason).encode()) if isinstance(reason, BaseException) else str(reason)
        return _Passing("server", f"{where} cannot be reached ({said})")

    def _retry_after_s(self, headers: Message) -> float | None:
        for name, unit_s in (("retry-after-ms", 1e-3), ("Retry-After", 1.0)):
            said = (headers.get(name) or "").strip()
            try:
                return (
                    max(0.0, float(said) * unit_s)
                    if said.replace(".", "", 1).isdecimal()
                    else _until(said, headers.get("Date"), self._today())
                )
            except (TypeError, ValueError):
                continue
        return None

    def _backoff_s(self, attempt: int) -> float:
        with self._lock:
            return min(_LONGEST_BACKOFF_S, _FIRST_WAIT_S * 2.0 ** (attempt - 1)) * self._jitter.uniform(
                0.5, 1.5
            )

    def _hold_back(self, wait_s: float, *, all_threads: bool) -> None:
        if not all_threads:
            self._sleep(wait_s)
            return
        with self._lock:
            self._free_from_s = max(self._free_from_s, self._clock() + wait_s)

    def _wait_for_turn(self) -> None:
        while True:
            with self._lock:
                wait_s = self._free_from_s - self._clock()
            if wait_s <= 0:
                return
            self._sleep(wait_s)


class _Passing(Exception):
    """A failure that may pass."""

    def __init__(self, kind: ErrorKind, message: str, wait_s: float | None = None) -> None:
        super().__init__(message)
        self.kind: ErrorKind = kind
        self.wait_s = wait_s


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any, **options: Any) -> None:
        return None


def _checked(name: str, url: str) -> tuple[str, bool]:
    """Return a URL's host and port, and whether that is this machine."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise UserError(f"{name}: {url!r} is no URL. Example: http://127.0.0.1:8000/v1") from None
    if parts.scheme not in ("http", "https") or not host:
        raise UserError(f"{name}: {url!r} is no URL. Example: http://127.0.0.1:8000/v1")
    if parts.username or parts.password:
        raise UserError(
            f"{name}: a URL is recorded, so it must hold no password. Set the key's variable instead"
        )
    shown = f"{host}:{port}" if port else host
    return shown, host in ("localhost", "::1") or host.startswith("127.")


def _message(body: bytes) -> tuple[bytes, str]:
    """Return what an error's body says, and its code; both of the usual shapes, or the body as it is.

    OpenAI and its likes say {"error": {"message", "code"}}, ElevenLabs {"detail": {"message", "status"}},
    FastAPI {"detail": "…"} or {"detail": [{"msg"}]}.
    """
    try:
        said = json.loads(body)
    except ValueError:
        return body, ""
    inner = said.get("error", said.get("detail", said)) if isinstance(said, dict) else said
    if isinstance(inner, list) and inner:
        inner = inner[0]
    if isinstance(inner, dict):
        text = inner.get("message") or inner.get("msg")
        code = inner.get("code") or inner.get("status") or ""
        return (str(text).encode() if text else body), str(code)
    return (inner.encode() if isinstance(inner, str) else body), ""


def _until(date: str, sent: str | None, today_s: float) -> float:
    """Return the seconds until an HTTP date, by the server's own clock where the answer tells it."""
    until_s = email.utils.parsedate_to_datetime(date).timestamp()
    now_s = email.utils.parsedate_to_datetime(sent).timestamp() if sent else today_s
    return max(0.0, until_s - now_s)
