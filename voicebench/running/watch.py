"""How a run goes on, counted in one place: what is done, under way, failed, sent again, spent, and left."""

import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from voicebench.costs import COST
from voicebench.types import Response

RATE_OVER_S = 20.0
"""The rate is that of the last seconds: what it was an hour ago says nothing of the time that is left."""


@dataclass(frozen=True)
class Snapshot:
    """How asking one agent goes on.

    Attributes:
        agent: Its name in the results.
        done: Answers on disk, those of earlier runs among them.
        total: Answers that are planned.
        in_flight: Requests under way.
        failed: Answers of this run that carry an error.
        retries: Requests that its server turned away and that were sent again.
        spent_usd: What this run's answers cost, in US dollars, as far as it is known; None where nothing is.
        rate_per_s: Answers a second, of the last seconds; None while there is none.
        left_s: Seconds until all is done at that rate; None where that cannot be said.
    """

    agent: str
    done: int
    total: int
    in_flight: int = 0
    failed: int = 0
    retries: int = 0
    spent_usd: float | None = None
    rate_per_s: float | None = None
    left_s: float | None = None

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values; what is not known is left out."""
        return {name: value for name, value in asdict(self).items() if value is not None}


Listener = Callable[[Snapshot], None]


class Watch:
    """The counters of a run; may be told and asked from any thread.

    A listener is told of each answer that is on disk, and must be quick.
    """

    def __init__(self, *listeners: Listener, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with nothing to do.

        Args:
            listeners: Told of each answer.
            clock: Seconds that only go forward.
        """
        self._listeners = listeners
        self._clock = clock
        self._lock = threading.Lock()
        self.begin("", 0, 0)

    def begin(self, agent: str, done: int, total: int, retries: Callable[[], int] = lambda: 0) -> None:
        """Begin with an agent.

        Args:
            agent: Its name.
            done: What is there already.
            total: What is planned.
            retries: Says how many requests its server has turned away so far.
        """
        with self._lock:
            self._agent, self._done, self._total = agent, done, total
            self._in_flight = self._failed = 0
            self._spent_usd: float | None = None
            self._retries = retries
            self._marks = [(self._clock(), done)]
        if agent:
            self._tell()

    def started(self) -> None:
        """Take note of a request that is under way."""
        with self._lock:
            self._in_flight += 1

    def ended(self) -> None:
        """Take note of a request that is under way no more."""
        with self._lock:
            self._in_flight -= 1

    def kept(self, row: Response) -> None:
        """Take note of an answer that is on disk."""
        cost = (row.usage or {}).get(COST)
        now_s = self._clock()
        with self._lock:
            self._done += 1
            self._failed += row.error is not None
            if isinstance(cost, int | float):
                self._spent_usd = (self._spent_usd or 0.0) + cost
            if now_s - self._marks[-1][0] >= RATE_OVER_S / 20:
                self._marks.append((now_s, self._done))
                while len(self._marks) > 2 and now_s - self._marks[1][0] >= RATE_OVER_S:
                    del self._marks[0]
        self._tell()

    def snapshot(self) -> Snapshot:
        """Return how it goes on now."""
        retries = self._retries()
        with self._lock:
            (since_s, before), now_s = self._marks[0], self._clock()
            made, took_s = self._done - before, now_s - since_s
            rate = made / took_s if made and took_s > 0 else None
            left = (self._total - self._done) / rate if rate else None
            return Snapshot(
                self._agent, self._done, self._total, self._in_flight, self._failed, retries,
                self._spent_usd, rate, left,
            )  # fmt: skip

    def _tell(self) -> None:
        if self._listeners:
            now = self.snapshot()
            for listener in self._listeners:
                listener(now)
