"""When a request is sent again, and how long it waits before that."""

import email.utils
import logging
import math
import random
import threading
import time
from collections.abc import Callable
from typing import Protocol

from voicebench.errors import AgentFailure
from voicebench.types import ErrorKind

log = logging.getLogger(__name__)

ATTEMPTS = 6
ATTEMPTS_IN_SILENCE = 2
"""How often a request is sent to a server that does not answer at all: each costs the whole deadline."""

LONGEST_WAIT_S = 300.0
"""A server that asks for a longer wait than this is not waited for."""

PATIENCE_S = 300.0
"""How long a request of a run is sent again and again to a server that limits the rate."""

_FIRST_WAIT_S, _LONGEST_BACKOFF_S = 0.5, 30.0
_LOOK_AGAIN_S, _LONGEST_TRIAL_S = 0.05, 5.0


class Headers(Protocol):
    """The headers of an answer, of whichever HTTP library; names are found in any case."""

    def get(self, name: str, /) -> str | None:
        """Return a header's value, None where it is not there."""
        ...


class Passing(Exception):
    """A failure that may pass.

    Attributes:
        kind: What it is if it does not.
        wait_s: How long the server asks to wait; None where it does not say.
        at_once: Whether the second attempt needs no wait.
    """

    def __init__(
        self, kind: ErrorKind, message: str, wait_s: float | None = None, *, at_once: bool = False
    ) -> None:
        super().__init__(message)
        self.kind: ErrorKind = kind
        self.wait_s = wait_s
        self.at_once = at_once

    def for_good(self) -> AgentFailure:
        """Return this as a failure that nothing more is done about."""
        return AgentFailure(self.kind, str(self))


class Retries:
    """How often and when a request is sent again.

    A server that says how long to wait is waited for, by all of a client's requests together; so is one that
    limits the rate without saying how long. Else the wait doubles each time, with jitter. When a wait for the
    rate ends, one request goes first; the others follow once the server has let it in.
    """

    def __init__(
        self,
        attempts: int = ATTEMPTS,
        *,
        patience_s: float = 0.0,
        seed: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin without a wait.

        Args:
            attempts: How often one request is sent at most.
            patience_s: For so long a request whose rate is limited is sent more often than that, unless it is
                to be sent once.
            seed: Of the jitter.
            clock: Seconds that only go forward.
        """
        self._attempts = attempts
        self.turned_away = 0
        """How many requests have failed in a way that may pass, so far."""
        self._jitter = random.Random(seed)
        self._clock = clock
        self._free_from_s = clock()
        self._is_limited = False
        self._trial_until_s = 0.0
        self._patience_s = patience_s
        self._lock = threading.Lock()

    def wait_s(self) -> float:
        """Return how long all requests have yet to wait, in seconds; 0 or less if they need not."""
        with self._lock:
            return self._free_from_s - self._clock()

    def turn_s(self) -> float:
        """Return how long a request has yet to wait, in seconds; 0 or less if it is to go now."""
        with self._lock:
            now_s = self._clock()
            if not self._is_limited or self._free_from_s > now_s:
                return self._free_from_s - now_s
            if self._trial_until_s > now_s:
                return _LOOK_AGAIN_S
            self._trial_until_s = now_s + _LONGEST_TRIAL_S
            return 0.0

    def let_in(self) -> None:
        """Take note that the server took a request: its rate is not limited now."""
        self._is_limited = False

    def own_wait_s(self, passing: Passing, attempt: int, *, tried_s: float = math.inf) -> float:
        """Return how long this request has to wait besides, and hold back all others where that is due.

        Args:
            passing: Why it failed.
            attempt: Which attempt that was, from 1.
            tried_s: How long it has been tried.

        Raises:
            AgentFailure: It is not to be sent again.
        """
        self.turned_away += 1
        most = min(self._attempts, ATTEMPTS_IN_SILENCE) if passing.kind == "timeout" else self._attempts
        if passing.at_once and attempt == 1:
            log.info("%s; again at once", passing)
            return 0.0
        wait_s = passing.wait_s if passing.wait_s is not None else self._backoff_s(attempt)
        if wait_s > LONGEST_WAIT_S:
            told = f"{passing}; it asks to wait {wait_s:.0f} s. Run the same command again then"
            raise AgentFailure(passing.kind, told)
        is_for_all = passing.wait_s is not None or passing.kind == "rate_limit"
        if is_for_all:
            self.hold_back(wait_s)
        is_limited = passing.kind == "rate_limit"
        self._is_limited |= is_limited
        self._trial_until_s = 0.0
        if attempt >= most and not (is_limited and most > 1 and tried_s < self._patience_s):
            counted = f" ({attempt} attempts)" if attempt > 1 else ""
            raise AgentFailure(passing.kind, f"{passing}{counted}")
        log.info("%s; again in %.1f s", passing, wait_s)
        return 0.0 if is_for_all else wait_s

    def hold_back(self, wait_s: float) -> None:
        """Let all requests wait so many seconds from now."""
        with self._lock:
            self._free_from_s = max(self._free_from_s, self._clock() + wait_s)

    def _backoff_s(self, attempt: int) -> float:
        with self._lock:
            jitter = self._jitter.uniform(0.5, 1.5)
        return min(_LONGEST_BACKOFF_S, _FIRST_WAIT_S * 2.0 ** (attempt - 1)) * jitter


def retry_after_s(headers: Headers, today_s: float) -> float | None:
    """Return how long an answer asks to wait, in seconds; None where it does not say.

    Args:
        headers: Of the answer (retry-after-ms; Retry-After in seconds or as a date).
        today_s: Seconds since the epoch, for a date in an answer that does not tell its own.
    """
    for name, unit_s in (("retry-after-ms", 1e-3), ("Retry-After", 1.0)):
        said = (headers.get(name) or "").strip()
        try:
            if said.replace(".", "", 1).isdecimal():
                return max(0.0, float(said) * unit_s)
            return seconds_until(said, headers.get("Date"), today_s)
        except (TypeError, ValueError):
            continue
    return None


def seconds_until(date: str, sent: str | None, today_s: float) -> float:
    """Return the seconds until an HTTP date, by the server's own clock where the answer tells it.

    Raises:
        ValueError: It is no date.
    """
    until_s = email.utils.parsedate_to_datetime(date).timestamp()
    now_s = email.utils.parsedate_to_datetime(sent).timestamp() if sent else today_s
    return max(0.0, until_s - now_s)
