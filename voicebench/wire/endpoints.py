"""How each of several servers fares, and where a request has failed so far."""

import asyncio
import math
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from voicebench.errors import AgentFailure, UserError
from voicebench.protocols import ServerModel
from voicebench.types import Part
from voicebench.wire.limit import Limit
from voicebench.wire.retry import ATTEMPTS, ATTEMPTS_IN_SILENCE, LONGEST_WAIT_S

_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.5, 30.0
_DOWN = 2
_SHORTEST_SILENCE_S, _TIMES_AS_SILENT = 10.0, 5.0
_FORGETTING = 0.95
_LATELY_S = 60.0
_MOST_AT_ONE = 4096


class Endpoint(ServerModel, Protocol):
    """A model on one server that sends a request once and leaves it to others to send it again."""

    @property
    def free_in_s(self) -> float:
        """How long the server asks to be left alone yet, in seconds; 0 or less if it does not."""
        ...

    @property
    def turned_away(self) -> int:
        """How many requests have failed in a way that may pass, so far."""
        ...

    def stream(self, *args: Any, **options: Any) -> AsyncGenerator[Part, None]:
        """Stream an answer; `aclose` ends the request."""
        ...

    async def checked(self) -> None:
        """Make sure that the server can be used.

        Raises:
            UserError: It cannot.
        """
        ...


class Waiting:
    """A request that waits for the first part of its answer; to be made on the event loop.

    Attributes:
        sent_s: When it was sent.
        deadline: Ends the waiting once it is given up.
        told: Why it was.
    """

    def __init__(self, sent_s: float) -> None:
        """Begin to wait, for as long as it takes."""
        self.sent_s = sent_s
        self.deadline = asyncio.timeout(None)
        self.told = ""

    def give_up(self, told: str) -> None:
        """End the waiting."""
        self.told = told
        self.deadline.reschedule(0.0)


class Line:
    """A server, and how it fares.

    Attributes:
        endpoint: The model there.
        under_way: How many requests are.
        turn: When it was last chosen, in requests.
        fault: Its last failure.
        longest_s: How long it takes to begin an answer at most, of late.
    """

    def __init__(self, endpoint: Endpoint, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Take a server of which nothing is known.

        Args:
            endpoint: The model there.
            clock: Seconds that only go forward.
        """
        self.endpoint = endpoint
        self._clock = clock
        self.under_way = 0
        self.turn = 0
        self.fault: AgentFailure | UserError | None = None
        self._limit = Limit(_MOST_AT_ONE)
        self._failures = 0
        self._failed_s = -math.inf
        self._shut_until_s = -math.inf
        self._is_sure = True
        self.longest_s = 0.0
        self._spoke_s = -math.inf
        self._waiting: dict[int, Waiting] = {}

    @property
    def is_down(self) -> bool:
        """Whether it has failed repeatedly, and no request went well since."""
        return self._failures >= _DOWN

    @property
    def is_busy(self) -> bool:
        """Whether it says that it is well, and would take requests later."""
        return isinstance(self.fault, AgentFailure) and self.fault.kind == "rate_limit"

    def free_in_s(self) -> float:
        """Return how long it takes no request, in seconds; infinity where an answer has to come first."""
        wait_s = max(self._shut_until_s - self._clock(), self.endpoint.free_in_s)
        if wait_s > 0:
            return wait_s
        slots = 1 if self.is_down else self._limit.slots
        return 0.0 if self.under_way < slots else math.inf

    async def found_fault(self) -> UserError | None:
        """Return why it cannot be used; None where it can."""
        try:
            await self.endpoint.checked()
        except UserError as error:
            self._is_sure = False
            self._failures = _DOWN - 1
            self.failed(error, self._clock())
            return error
        self._is_sure = True
        return None

    async def made_sure(self) -> None:
        """Check it now if it could not be used before.

        Raises:
            UserError: It still cannot.
        """
        if not self._is_sure:
            await self.endpoint.checked()
            self._is_sure = True

    @contextmanager
    def waiting(self, sent_s: float) -> Iterator[Waiting]:
        """Yield what ends the waiting of a request that was sent at a time; it waits for the block."""
        waiting = Waiting(sent_s)
        self._waiting[id(waiting)] = waiting
        try:
            yield waiting
        finally:
            self._waiting.pop(id(waiting), None)

    def spoke(self, sent_s: float) -> None:
        """Take note of an answer that began, to a request that was sent at a time."""
        self._spoke_s = self._clock()
        self.longest_s = max(self._spoke_s - sent_s, self.longest_s * _FORGETTING)

    @property
    def is_waited_for(self) -> bool:
        """Whether a request waits for its answer to begin."""
        return bool(self._waiting)

    def give_up_waiting(self, others: "Sequence[Line]") -> None:
        """End the waiting for answers that should have begun long ago, as those of other servers do.

        A server that has begun any other answer meanwhile is at work, and is waited for.

        Args:
            others: The other servers of the model.
        """
        now_s = self._clock()
        for key, waiting in list(self._waiting.items()):
            since_s = waiting.sent_s - _LATELY_S
            usual_s = [other.longest_s for other in others if other._spoke_s >= since_s]
            silent_s = now_s - max(waiting.sent_s, self._spoke_s)
            if usual_s and silent_s > max(_SHORTEST_SILENCE_S, _TIMES_AS_SILENT * min(usual_s)):
                del self._waiting[key]
                waiting.give_up(f"nothing for {silent_s:.0f} s, while another one answers")

    def went_well(self, sent_s: float) -> None:
        """Take note of an answer to a request that was sent at a time."""
        self._limit.went_well(is_full=self.under_way >= self._limit.slots)
        if sent_s >= self._failed_s:
            self._failures = 0

    def failed(self, error: AgentFailure | UserError, sent_s: float) -> None:
        """Take note of a failure; of the requests that were sent before the last one it tells nothing new."""
        self.fault = error
        if sent_s < self._failed_s:
            return
        self._failures += 1
        self._failed_s = self._clock()
        if self._failures == 1:
            self._limit.turned_away()
        if self.endpoint.free_in_s <= 0:
            pause_s = min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2.0 ** (self._failures - 1))
            self._shut_until_s = self._failed_s + pause_s


@dataclass
class Tried:
    """Where a request has failed so far.

    Attributes:
        failures: How often, by line.
        refused_by: Those that will not answer it however often they are asked.
        since_s: When it first failed.
        counted: Its failures by kind.
    """

    failures: Counter[Line] = field(default_factory=Counter)
    refused_by: set[Line] = field(default_factory=set)
    since_s: float = math.inf
    counted: Counter[str] = field(default_factory=Counter)

    def note(self, line: Line, error: AgentFailure | UserError) -> None:
        """Take note of a failure."""
        self.failures[line] += 1
        self.since_s = min(self.since_s, time.monotonic())
        if isinstance(error, AgentFailure):
            self.counted[error.kind] += 1
        else:
            self.refused_by.add(line)

    def is_enough(self, lines: Sequence[Line]) -> bool:
        """Whether it is given up: no line is left that might answer it.

        Rate limits are waited out; other failures count together, and timeouts for more.
        """
        if len(self.refused_by) == len(lines) or time.monotonic() - self.since_s > LONGEST_WAIT_S:
            return True
        if not all(line in self.failures or line.is_down for line in lines):
            return False
        silent, broken = self.counted["timeout"], self.counted["server"]
        return silent >= ATTEMPTS_IN_SILENCE or silent + broken >= ATTEMPTS
