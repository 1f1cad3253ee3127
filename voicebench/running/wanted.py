"""A request that is not read yet: clips are decoded shortly before they are needed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from voicebench.errors import AgentFailure
from voicebench.types import Request, Response

Answer = Response | AgentFailure
"""What becomes of a request: a response, or why it could not even be read."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A request to be asked.

    Attributes:
        audio_s: How much sound it has, in seconds.
        read: Reads it; raises AgentFailure where its clip cannot be read.
    """

    audio_s: float
    read: Callable[[], Request]


class Asker(Protocol):
    """Whoever hands requests to an agent: here, at a server, or on a cluster."""

    @property
    def turned_away(self) -> int:
        """How many requests a server has turned away so far; they were sent again."""
        ...

    def answer(self, wanted: Sequence[Wanted], take: Callable[[int, Answer], None]) -> None:
        """Ask all; `take` is given (place in `wanted`, response or the failure of reading it) as they come.

        Raises:
            UserError: The agent refuses what it was asked to be.
            Exception: What `take` raised.
        """
        ...
