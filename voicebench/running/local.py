"""Ask an agent on this machine: in batches that fit its memory, smaller ones once that ran out."""

import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from voicebench.errors import AgentFailure, UserError
from voicebench.faults import fault
from voicebench.protocols import Agent
from voicebench.running.wanted import Answer, Wanted
from voicebench.types import Request, Response

log = logging.getLogger(__name__)

MOST_REQUESTS = 4
"""Requests of a batch."""

MOST_AUDIO_S = 240.0
"""Sound of a batch, padded to its longest clip, in seconds: what memory is needed for."""


class LocalAsker:
    """Hands requests to an agent batch by batch.

    They come in the order given, in which neighbours have most of their prompt in common, so that a runtime
    can keep it; or by length, for an agent that pads the clips of a batch (`pads_batches = True`).

    A batch that runs out of memory is asked again in halves, and later batches are no larger than what went
    through; a single request that does so keeps its error. Whatever else fails as a whole is asked one by
    one, so that a bad item costs itself alone. While a batch is answered, the next one is read.
    """

    def __init__(self, agent: Agent, *, most_requests: int = MOST_REQUESTS) -> None:
        """Take an agent.

        Args:
            agent: Answers.
            most_requests: Requests of a batch at most; at most these are lost by a crash.
        """
        self._agent = agent
        self._most = most_requests

    @property
    def turned_away(self) -> int:
        """0: nobody counts it here."""
        return 0

    def answer(self, wanted: Sequence[Wanted], take: Callable[[int, Answer], None]) -> None:
        """Ask all; `take` is given (place in `wanted`, response or the failure of reading it) as they come.

        Raises:
            UserError: The agent refuses what it was asked to be.
            Exception: What `take` raised.
        """
        order = in_order(wanted, pads=pads_batches(self._agent))
        with ThreadPoolExecutor(1, thread_name_prefix="reader") as pool:
            at = 0
            ahead = self._start(pool, wanted, order[at:])
            while ahead:
                batch = [(place, future.result()) for place, future in ahead]
                at += len(ahead)
                ahead = self._start(pool, wanted, order[at:])
                self._answered(batch, take)

    def _start(
        self, pool: ThreadPoolExecutor, wanted: Sequence[Wanted], order: Sequence[int]
    ) -> list[tuple[int, "Future[Request | AgentFailure]"]]:
        places = order[: _fitting([wanted[place].audio_s for place in order[: self._most]])]
        return [(place, pool.submit(_read, wanted[place])) for place in places]

    def _answered(
        self, batch: Sequence[tuple[int, Request | AgentFailure]], take: Callable[[int, Answer], None]
    ) -> None:
        readable: list[tuple[int, Request]] = []
        for place, read in batch:
            if isinstance(read, Request):
                readable.append((place, read))
            else:
                take(place, read)
        responses = self._respond([request for _, request in readable])
        for (place, _), response in zip(readable, responses, strict=True):
            take(place, response)

    def _respond(self, requests: Sequence[Request]) -> list[Response]:
        if not requests:
            return []
        try:
            answers = self._agent.respond(requests)
            if len(answers) != len(requests):
                raise AgentFailure("crash", f"{len(answers)} answers to {len(requests)} requests")
        except UserError:
            raise
        # Whatever else an agent raises is a fault of the harness's side: it becomes the rows' error.
        except (Exception, SystemExit) as error:
            failure = fault(error)
            answers = [request.answer(error=failure) for request in requests]
            if len(requests) > 1 and failure.kind != "out_of_memory":
                return [answer for request in requests for answer in self._respond([request])]
        if len(requests) > 1 and any(_is_out_of_memory(answer) for answer in answers):
            return self._halved(requests, answers)
        return answers

    def _halved(self, requests: Sequence[Request], answers: Sequence[Response]) -> list[Response]:
        """Ask what ran out of memory again, in half the batch."""
        size = max(1, len(requests) // 2)
        if size < self._most:
            log.warning("out of memory with %d requests at once: going on with %d", len(requests), size)
            self._most = size
        places = [place for place, answer in enumerate(answers) if _is_out_of_memory(answer)]
        kept = dict(enumerate(answers))
        for start in range(0, len(places), size):
            part = places[start : start + size]
            kept |= dict(zip(part, self._respond([requests[place] for place in part]), strict=True))
        return [kept[place] for place in range(len(requests))]


def pads_batches(agent: Agent) -> bool:
    """Whether an agent pads the clips of a batch to one length."""
    return bool(getattr(agent, "pads_batches", False))


def in_order(wanted: Sequence[Wanted], *, pads: bool) -> list[int]:
    """Return the places of requests in the order in which they are asked.

    Args:
        wanted: The requests.
        pads: Whether their agent pads the clips of a batch.
    """
    order = list(range(len(wanted)))
    if pads:
        # Clips of like length fill a batch best; the longest first show early if memory is short.
        order.sort(key=lambda place: -wanted[place].audio_s)
    return order


def batches(wanted: Sequence[Wanted], most_requests: int, *, pads: bool) -> Iterator[list[int]]:
    """Yield the places of requests batch by batch, as an agent is given them while its memory lasts.

    Args:
        wanted: The requests.
        most_requests: Requests of a batch at most.
        pads: Whether their agent pads the clips of a batch.
    """
    order = in_order(wanted, pads=pads)
    at = 0
    while at < len(order):
        part = order[at : at + most_requests]
        n = _fitting([wanted[place].audio_s for place in part])
        yield part[:n]
        at += n


def _fitting(lengths_s: Sequence[float]) -> int:
    """Return how many of the first clips a batch holds if all are padded to the longest; one always fits."""
    longest_s = 0.0
    for n, length_s in enumerate(lengths_s):
        longest_s = max(longest_s, length_s)
        if n and longest_s * (n + 1) > MOST_AUDIO_S:
            return n
    return len(lengths_s)


def _read(wanted: Wanted) -> Request | AgentFailure:
    try:
        return wanted.read()
    except AgentFailure as failure:
        return failure


def _is_out_of_memory(answer: Response) -> bool:
    return answer.error is not None and answer.error.kind == "out_of_memory"
