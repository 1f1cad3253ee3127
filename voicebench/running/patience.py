"""When a run stops asking a server that has answered nothing for long: what is left stays as it is."""

import time
from collections.abc import Callable

from voicebench.errors import AgentFailure
from voicebench.running.wanted import Answer
from voicebench.types import Response

MOST_SILENT = 5
"""So many requests in a row may get no answer in time, or none but that the rate is limited."""

MOST_BROKEN = 20
"""So many requests in a row may fail at the server in any way."""

SHORTEST_S = 120.0
"""A server that is broken is waited for at least so long: it may be starting again."""

_OF_THE_SERVER = ("timeout", "rate_limit", "server")


class Patience:
    """Counts the failures that are the server's, since its last answer.

    A request that fails so has been sent several times already, and was waited for: a few in a row without
    one answer since they were sent mean that the rest would fail as well, each after as long a wait. One that
    was sent before the last answer says nothing of that: where some requests stall and the others are
    answered, those that stall fill all places in the end, and fail one after the other.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin without a failure.

        Args:
            clock: Seconds that only go forward.
        """
        self._clock = clock
        self._well_s = clock()
        self._silent = self._broken = 0
        self._last = ""

    def now_s(self) -> float:
        """Return the time, for `note`."""
        return self._clock()

    def note(self, answer: Answer, sent_s: float) -> None:
        """Take note of what became of a request; what could not be read says nothing of the server.

        Args:
            answer: The answer.
            sent_s: When it was asked for, by `now_s`.
        """
        error = answer.error if isinstance(answer, Response) else None
        if error is not None and error.kind in _OF_THE_SERVER:
            if sent_s < self._well_s:
                return
            self._broken += 1
            self._silent += error.kind != "server"
            self._last = error.message
        elif isinstance(answer, Response):
            self._well_s = self._clock()
            self._silent = self._broken = 0

    def check(self) -> None:
        """Make sure that it makes sense to ask on.

        Raises:
            AgentFailure: It does not.
        """
        is_gone = self._broken >= MOST_BROKEN and self._clock() - self._well_s >= SHORTEST_S
        if self._silent < MOST_SILENT and not is_gone:
            return
        raise AgentFailure(
            "server",
            f"{self._broken} requests in a row failed at the server, the last one: {self._last}. The rest is "
            "not asked, and what was finished is kept. See that the server is well, then run the same "
            "command again to go on",
        )
