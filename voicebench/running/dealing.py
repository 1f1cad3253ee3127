"""Requests dealt out in batches to workers that may die: what is left, and what a death means."""

import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from voicebench.errors import AgentFailure
from voicebench.running.wanted import Answer, Wanted
from voicebench.types import Request

log = logging.getLogger(__name__)

AHEAD = 2
"""Batches that a worker is given: one that it is at, and one that waits for it there."""

MOST_DEATHS = 20
"""So many workers may die, with no answer in between, before a run is given up."""


@dataclass(eq=False)
class Batch:
    """Requests that go out together.

    Attributes:
        places: Of those that are not answered yet, in the order in which they are asked.
        deaths: How often a worker has died over them.
    """

    places: list[int]
    deaths: int = 0


class Deal:
    """What is left to be asked.

    A batch over which a worker died is dealt again: whole, then in halves, until a request over which two
    workers died stands alone and becomes a failure of kind "crash". A request is read once, and held until
    it is answered.
    """

    def __init__(
        self,
        wanted: Sequence[Wanted],
        batches: Iterable[Sequence[int]],
        take: Callable[[int, Answer], None],
    ) -> None:
        """Begin with all batches.

        Args:
            wanted: The requests.
            batches: Their places, in the order in which they are dealt.
            take: Given (place, response or failure) as they come.
        """
        self._wanted = wanted
        self._take = take
        self._todo = deque(Batch(list(places)) for places in batches)
        self._read: dict[int, Request] = {}
        self._deaths = 0

    def __len__(self) -> int:
        """How many batches nobody has."""
        return len(self._todo)

    def next(self) -> tuple[Batch, list[Request]] | None:
        """Return the next batch and its requests; None where there is none.

        What cannot be read is answered by its failure.
        """
        while self._todo:
            batch = self._todo.popleft()
            for place in list(batch.places):
                try:
                    if place not in self._read:
                        self._read[place] = self._wanted[place].read()
                except AgentFailure as failure:
                    self.answered(batch, place, failure)
            if batch.places:
                return batch, [self._read[place] for place in batch.places]
        return None

    def answered(self, batch: Batch, place: int, answer: Answer) -> None:
        """Take an answer to a request of a batch."""
        self._deaths = 0
        batch.places.remove(place)
        self._read.pop(place, None)
        self._take(place, answer)

    def returned(self, batches: Iterable[Batch]) -> None:
        """Take batches back that nobody has looked at; they are the next ones."""
        self._todo.extendleft(reversed(list(batches)))

    def died_over(self, batch: Batch, death: str) -> None:
        """Take back a batch over which a worker died.

        Raises:
            AgentFailure: Worker after worker died.
        """
        self._deaths += 1
        if self._deaths > MOST_DEATHS:
            raise AgentFailure(
                "crash",
                f"{self._deaths} workers died one after the other, the last one: {death}. What was finished "
                "is kept; run the same command again to go on",
            )
        batch.deaths += 1
        if batch.deaths == 1:
            self.returned([batch])
        elif len(batch.places) == 1:
            [place] = batch.places
            self.answered(batch, place, AgentFailure("crash", f"workers died over this request ({death})"))
        else:
            half = len(batch.places) // 2
            parts = (batch.places[:half], batch.places[half:])
            self.returned(Batch(part, batch.deaths) for part in parts)
