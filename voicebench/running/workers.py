"""Ask an agent in several processes on this machine, one or more a device, each with the agent loaded once.

The process that runs `voicebench eval` reads clips, deals requests out and alone writes answers down; it
loads no model. Batches are those of one process, so the answers are the same. A worker that dies (killed, out
of memory) is replaced and costs nobody's answer: see `voicebench.running.dealing`.
"""

import logging
import os
import signal
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from voicebench.errors import AgentFailure
from voicebench.processes import Caller, Message, Worker, end_all, speaking
from voicebench.protocols import Agent
from voicebench.running.dealing import AHEAD, Batch, Deal
from voicebench.running.local import MOST_REQUESTS, LocalAsker, batches, pads_batches
from voicebench.running.wanted import Answer, Wanted
from voicebench.types import Request

log = logging.getLogger(__name__)

MOST_LOADS = 3
"""So often is an agent loaded in a seat where the worker dies each time before it is ready."""


@dataclass(frozen=True)
class Seat:
    """A worker that is to be.

    Attributes:
        device: Where its models run: "cpu", "cuda" or "cuda:N".
        make: Makes the agent there; has to be picklable.
    """

    device: str
    make: Callable[[], Agent]


class WorkersAsker:
    """Deals requests out to processes on this machine."""

    def __init__(self, seats: Sequence[Seat], *, most_requests: int = MOST_REQUESTS) -> None:
        """Take the seats; nothing is started yet.

        Args:
            seats: The workers, one or more.
            most_requests: Requests of a batch.
        """
        self._seats = seats
        self._most = most_requests
        self._threads = max(1, (os.cpu_count() or 1) // len(seats))

    @property
    def turned_away(self) -> int:
        """0: nobody counts it here."""
        return 0

    def answer(self, wanted: Sequence[Wanted], take: Callable[[int, Answer], None]) -> None:
        """Ask all; `take` is given (place in `wanted`, response or the failure of reading it) as they come.

        Raises:
            UserError: The agent cannot be made, or refuses what it was asked to be.
            AgentFailure: Worker after worker died, or all did while they loaded the agent.
            Exception: What `take` raised, or a bug in a worker.
        """
        if not wanted:
            return
        workers = [self._start(seat) for seat in self._seats[: len(wanted)]]
        is_done = False
        try:
            self._deal(workers, wanted, take)
            is_done = True
        finally:
            end_all(workers, at_once=not is_done)

    def _deal(
        self, workers: "list[_Seated]", wanted: Sequence[Wanted], take: Callable[[int, Answer], None]
    ) -> None:
        deal: Deal | None = None
        try:
            while deal is None or deal or any(worker.at for worker in workers):
                for worker in speaking(workers):
                    message = worker.receive()
                    if message is None:
                        self._replace(worker, workers, deal)
                    elif message[0] == "ready":
                        deal = deal or Deal(wanted, batches(wanted, self._most, pads=message[1]), take)
                    else:
                        _understood(worker, message, deal)
                if deal is not None:
                    _hand_out(deal, workers)
        except KeyboardInterrupt:
            _take_what_is_said(workers, deal)
            raise

    def _replace(self, worker: "_Seated", workers: "list[_Seated]", deal: Deal | None) -> None:
        """Put another worker into a dead one's place; nobody where none has lived to load the agent."""
        place, death = workers.index(worker), worker.death
        is_given_up = not worker.is_ready and worker.load == MOST_LOADS
        if is_given_up:
            del workers[place]
        else:
            workers[place] = self._start(worker.seat, 1 if worker.is_ready else worker.load + 1)
        worker.close()
        if deal is not None and worker.at:
            # What waited at it was not what killed it.
            over, *waiting = worker.at
            deal.returned(waiting)
            deal.died_over(over, death)
        when = "" if worker.is_ready else " as it loaded the model"
        told = f"a worker on {worker.device} died{when} ({death})"
        if not workers:
            raise AgentFailure("crash", f"{told}. Fewer --workers need less memory")
        what_next = f"going on with {len(workers)}" if is_given_up else "another one takes over"
        log.warning("%s; %s", told, what_next)

    def _start(self, seat: Seat, load: int = 1) -> "_Seated":
        return _Seated(seat, self._most, self._threads, load)


class _Seated(Worker):
    """A worker, and the batches it has."""

    def __init__(self, seat: Seat, most_requests: int, threads: int, load: int) -> None:
        self.seat = seat
        self.load = load
        """How often, with this time, an agent has been loaded in its seat since one answered there."""
        self.at: deque[Batch] = deque()
        super().__init__(partial(_serve, seat.make, most_requests), device=seat.device, threads=threads)


def _hand_out(deal: Deal, workers: Sequence[_Seated]) -> None:
    """Give the workers batches; towards the end none waits at one worker while another is idle."""
    for ahead in range(AHEAD):
        for worker in workers:
            is_due = worker.is_ready and len(worker.at) == ahead
            if is_due and (ahead == 0 or len(deal) > len(workers)) and (dealt := deal.next()):
                batch, requests = dealt
                worker.at.append(batch)
                worker.send("batch", list(zip(batch.places, requests, strict=True)))


def _understood(worker: _Seated, message: Message, deal: Deal | None) -> None:
    kind, content = message
    if kind == "error":
        raise content
    if deal is not None:
        place, answer = content
        deal.answered(worker.at[0], place, answer)
        if not worker.at[0].places:
            worker.at.popleft()


def _take_what_is_said(workers: Sequence[_Seated], deal: Deal | None) -> None:
    """Take the answers that the workers have given already, without waiting."""
    for worker in workers:
        while worker.connection.poll():
            message = worker.receive()
            if message is None:
                break
            if message[0] == "answer":
                _understood(worker, message, deal)


# ---- In the worker's process ----


def _serve(make: Callable[[], Agent], most_requests: int, caller: Caller) -> None:
    """Answer what the caller's process asks until it says stop, or ends."""
    # As an exception it would become the answer to a request.
    signal.signal(signal.SIGTERM, lambda number, frame: os._exit(128 + number))
    agent = make()
    asker = LocalAsker(agent, most_requests=most_requests)
    caller.send("ready", pads_batches(agent))
    while True:
        kind, content = caller.listen()
        if kind == "stop":
            return
        places = [place for place, _ in content]

        def take(at: int, answer: Answer, places: list[int] = places) -> None:
            caller.send("answer", (places[at], answer))

        asker.answer([_read_already(request) for _, request in content], take)


def _read_already(request: Request) -> Wanted:
    return Wanted(request.audio_s, lambda: request)
