"""Ask an agent one request after the other, or so many at once, and keep when the moments of each came."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

from voicebench.errors import AgentFailure
from voicebench.faults import fault
from voicebench.latency.breakdown import QUEUED_S, moments
from voicebench.protocols import Agent, ServerAgent
from voicebench.running.askers import is_server
from voicebench.types import Request, Response, Timeline
from voicebench.wire import loop

Keep = Callable[[int, Response], None]
"""Told of each answer as it comes, with its place among the requests; maybe from the event loop's thread."""


@dataclass(frozen=True)
class Clock:
    """The time, and how it passes.

    Attributes:
        now_s: The time in seconds, from any origin.
        sleep: Lets seconds pass.
        run: Runs a coroutine to its end, in an event loop that goes by the same time.
    """

    now_s: Callable[[], float] = time.perf_counter
    sleep: Callable[[float], None] = time.sleep
    run: Callable[[Coroutine[Any, Any, None]], None] = loop.run


@dataclass(frozen=True)
class Measured:
    """What was measured.

    Attributes:
        responses: The answers by the place of their requests, errors among them; fewer where it was
            interrupted.
        warm_up_s: How long the warm-up took; its answers are not kept.
        span_s: How long the rest took.
        interrupted: Whether the user stopped it.
    """

    responses: dict[int, Response]
    warm_up_s: float
    span_s: float
    interrupted: bool = False


def measure(
    agent: Agent,
    requests: Sequence[Request],
    *,
    concurrency: int = 1,
    due_s: Sequence[float] | None = None,
    warm_up: Sequence[Request] = (),
    clock: Clock | None = None,
    keep: Keep = lambda place, response: None,
) -> Measured:
    """Ask an agent and keep the moments of each answer, in seconds after the end of the user's speech.

    An agent on this machine is asked one request at a time. Without `due_s` the next request is made when a
    slot is free (a closed loop: nobody waits for one). With it each is made when it is due, and waits if all
    slots are taken. That wait, and the wait inside an agent for what another request holds (an ASR on this
    machine), is no part of serving it: it is kept as `usage.queued_s`, and all moments come later by it,
    `request_sent` first, since they count from when the user stopped speaking.

    Args:
        agent: Made already: loading is not measured.
        requests: What is asked.
        concurrency: How many requests of a server agent are under way at most.
        due_s: When each request becomes due, in seconds from the start; None for a closed loop.
        warm_up: Asked before, and not kept.
        clock: The time; None is the machine's.
        keep: Told of each answer.

    Raises:
        AgentFailure: All of the warm-up failed.
    """
    clock = clock or Clock()
    begun_s = clock.now_s()
    heated = _Log(lambda place, response: None)
    _ask(agent, warm_up, None, concurrency, clock, heated)
    _check(list(heated.responses.values()))
    warm_s = clock.now_s()
    log, interrupted = _Log(keep), False
    try:
        _ask(agent, requests, due_s, concurrency, clock, log)
    except KeyboardInterrupt:
        interrupted = True
    log.close()
    return Measured(log.responses, warm_s - begun_s, clock.now_s() - warm_s, interrupted)


class _Log:
    """Answers by place. Once it is closed, a request that was still under way changes nothing."""

    def __init__(self, keep: Keep) -> None:
        self._answers: dict[int, Response] = {}
        self._keep = keep
        self._is_open = True

    @property
    def responses(self) -> dict[int, Response]:
        return dict(sorted(self._answers.items()))

    def add(self, place: int, response: Response) -> None:
        if self._is_open:
            self._answers[place] = response
            self._keep(place, response)

    def close(self) -> None:
        self._is_open = False


def _check(heated: Sequence[Response]) -> None:
    errors = [response.error for response in heated if response.error is not None]
    if errors and len(errors) == len(heated):
        raise AgentFailure(errors[0].kind, f"the warm-up failed ({len(errors)} of {len(errors)} requests): "
                           f"{errors[0].message}")  # fmt: skip


def _ask(
    agent: Agent,
    requests: Sequence[Request],
    due_s: Sequence[float] | None,
    concurrency: int,
    clock: Clock,
    log: _Log,
) -> None:
    if not requests:
        return
    if is_server(agent):
        clock.run(_at_once(agent, requests, due_s, concurrency, clock, log))
    else:
        _one_by_one(agent, requests, due_s, clock, log)


def _one_by_one(
    agent: Agent, requests: Sequence[Request], due_s: Sequence[float] | None, clock: Clock, log: _Log
) -> None:
    begun_s = clock.now_s()
    for place, request in enumerate(requests):
        waited_s = None
        if due_s is not None:
            due = begun_s + due_s[place]
            while (left_s := due - clock.now_s()) > 0:
                clock.sleep(left_s)
            waited_s = clock.now_s() - due
        try:
            [response] = agent.respond([request])
        # Whatever an agent raises is a fault of the harness's side: it becomes the row's error.
        except Exception as error:
            response = request.answer(error=fault(error))
        log.add(place, _queued(response, waited_s))


async def _at_once(
    agent: ServerAgent,
    requests: Sequence[Request],
    due_s: Sequence[float] | None,
    concurrency: int,
    clock: Clock,
    log: _Log,
) -> None:
    slots = asyncio.Semaphore(concurrency)
    begun_s = clock.now_s()

    async def one(place: int) -> None:
        due = None if due_s is None else begun_s + due_s[place]
        while due is not None and (left_s := due - clock.now_s()) > 0:
            await asyncio.sleep(left_s)
        async with slots:
            started_s = clock.now_s()
            response = await _answer(agent, requests[place])
            took_s = clock.now_s() - started_s
        waited_s = None
        if due is not None or concurrency > 1:
            waited_s = (0.0 if due is None else started_s - due) + _held_s(response, took_s)
        log.add(place, _queued(response, waited_s))

    await asyncio.gather(*(one(place) for place in range(len(requests))))


async def _answer(agent: ServerAgent, request: Request) -> Response:
    try:
        return await agent.answer(request)
    # Whatever an agent raises is a fault of the harness's side: it becomes the row's error.
    except Exception as error:
        return request.answer(error=fault(error))


def _held_s(response: Response, took_s: float) -> float:
    """Return how long an agent held a request without serving it: what its own clock leaves out."""
    found = moments(response)
    served_s = found.get("done", took_s) - found.get("request_sent", 0.0)
    return max(0.0, took_s - served_s)


def _queued(response: Response, waited_s: float | None) -> Response:
    """Return an answer whose moments count from when its request was due."""
    if waited_s is None:
        return response
    fields: dict[str, Any] = {"usage": (response.usage or {}) | {QUEUED_S: waited_s}}
    found = moments(response)
    if found:
        own = {"request_sent": 0.0} | found
        fields["timeline"] = Timeline(**{name: at_s + waited_s for name, at_s in own.items()})
    return response.model_copy(update=fields)
