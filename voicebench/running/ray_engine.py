"""Ask an agent on a Ray cluster: one actor a GPU or a share of the CPUs, each with the agent loaded once.

The process that runs `voicebench eval` reads clips, deals requests out and alone writes answers down; sound
travels through Ray's object store. An actor or a node that dies costs nobody's answer: what it was at is
dealt out again, in halves from the second time on, until a request that kills its worker stands alone.
"""

import logging
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from voicebench.clusters import Cluster, actor_count, as_actor, connect, deaths
from voicebench.errors import AgentFailure, first_line
from voicebench.protocols import Agent
from voicebench.running.askers import asker_of
from voicebench.running.local import MOST_REQUESTS
from voicebench.running.wanted import Answer, Asker, Wanted
from voicebench.types import Request, Response

log = logging.getLogger(__name__)

MOST_DEATHS = 20
"""So many actors may die in a run before it is given up."""

_AHEAD = 2
"""Batches that an actor is given: one that it is at, and one that waits for it there."""


@dataclass(frozen=True)
class _Batch:
    """Requests that go out together, and how often they have gone out in vain."""

    places: tuple[int, ...]
    deaths: int = 0


@dataclass
class _Actor:
    """An actor as the dealer sees it; `at` are its batches by Ray's reference of their answers."""

    handle: Any
    at: dict[Any, _Batch] = field(default_factory=dict)


class RayAsker:
    """Deals requests out to the actors of a cluster."""

    def __init__(
        self,
        make: Callable[[], Agent],
        cluster: Cluster,
        *,
        most_requests: int = MOST_REQUESTS,
        at_once: int = 16,
    ) -> None:
        """Connect to the cluster, or start one on this machine.

        Args:
            make: Makes the agent, in each actor; a GPU that an actor has is "cuda:0" there.
            cluster: Where, and how many actors.
            most_requests: Requests that an actor is given at once.
            at_once: Of an agent that waits for a server: its requests under way at once, in each actor.

        Raises:
            UserError: Ray is not installed, or the cluster cannot be reached.
        """
        self._ray = connect(cluster.address)
        self._make = make
        self._cluster = cluster
        self._most = most_requests
        self._at_once = at_once
        self._deaths = 0

    @property
    def turned_away(self) -> int:
        """0: nobody counts it here."""
        return 0

    def answer(self, wanted: Sequence[Wanted], take: Callable[[int, Answer], None]) -> None:
        """Ask all; `take` is given (place in `wanted`, response or the failure of reading it) as they come.

        Raises:
            UserError: The agent cannot be made, or refuses what it was asked to be.
            AgentFailure: Actor after actor died.
            Exception: What `take` raised.
        """
        actor_class = as_actor(self._ray, self._cluster, _Worker)
        todo = deque(_batches(wanted, self._most))
        actors = [
            self._start(actor_class) for _ in range(min(actor_count(self._ray, self._cluster), len(todo)))
        ]
        try:
            while todo or any(actor.at for actor in actors):
                for actor in actors:
                    while todo and len(actor.at) < _AHEAD:
                        self._give(actor, todo.popleft(), wanted, take)
                # An actor answers in order: if it dies, it died over the oldest of its batches.
                oldest = {next(iter(actor.at)): actor for actor in actors if actor.at}
                if not oldest:
                    continue
                [ready, *_], _ = self._ray.wait(list(oldest), num_returns=1)
                actor = oldest[ready]
                batch = actor.at.pop(ready)
                self._take(ready, batch, actor, actors, actor_class, todo, take)
        finally:
            for actor in actors:
                self._ray.kill(actor.handle)

    def _take(
        self,
        ready: Any,
        batch: _Batch,
        actor: _Actor,
        actors: list[_Actor],
        actor_class: Any,
        todo: "deque[_Batch]",
        take: Callable[[int, Answer], None],
    ) -> None:
        """Take a batch's answers, or deal it out again where its actor died."""
        try:
            answers: list[Response] = self._ray.get(ready)
        except deaths(self._ray) as error:
            self._deaths += 1
            died = first_line(error)
            if self._deaths > MOST_DEATHS:
                raise AgentFailure("crash", f"{self._deaths} workers died, the last one: {died}") from None
            log.warning("a worker died (%s); another one takes over", died)
            # What waited at the dead actor was not what killed it.
            todo.extendleft(actor.at.values())
            todo.extendleft(_again(batch))
            if len(batch.places) == 1 and batch.deaths:
                take(batch.places[0], AgentFailure("crash", f"workers died over this request ({died})"))
            actors[actors.index(actor)] = self._start(actor_class)
        except self._ray.exceptions.RayTaskError as error:
            cause = error.cause if isinstance(getattr(error, "cause", None), Exception) else error
            raise cause from None
        else:
            for place, answer in zip(batch.places, answers, strict=True):
                take(place, answer)

    def _give(
        self, actor: _Actor, batch: _Batch, wanted: Sequence[Wanted], take: Callable[[int, Answer], None]
    ) -> None:
        requests, places = [], []
        for place in batch.places:
            try:
                requests.append(wanted[place].read())
                places.append(place)
            except AgentFailure as failure:
                take(place, failure)
        if requests:
            reference = actor.handle.answer.remote(self._ray.put(requests))
            actor.at[reference] = _Batch(tuple(places), batch.deaths)

    def _start(self, actor_class: Any) -> _Actor:
        return _Actor(actor_class.remote(self._make, self._most, self._at_once))


class _Worker:
    """The actor: the agent, and whoever hands requests to it."""

    def __init__(self, make: Callable[[], Agent], most_requests: int, at_once: int) -> None:
        self._make, self._most, self._at_once = make, most_requests, at_once

    @cached_property
    def _asker(self) -> Asker:
        # Made with the first answer: what goes wrong while an actor starts reaches the caller as its death.
        return asker_of(self._make(), most_requests=self._most, at_once=self._at_once)

    def answer(self, requests: Sequence[Request]) -> list[Response]:
        found: dict[int, Answer] = {}
        wanted = [Wanted(request.audio_s, lambda request=request: request) for request in requests]  # type: ignore[misc]
        self._asker.answer(wanted, found.__setitem__)
        return [found[place] for place in range(len(requests))]  # type: ignore[misc]


def _batches(wanted: Sequence[Wanted], size: int) -> list[_Batch]:
    places = range(len(wanted))
    return [_Batch(tuple(places[start : start + size])) for start in range(0, len(wanted), size)]


def _again(batch: _Batch) -> list[_Batch]:
    """Return the batches that one whose actor died is dealt out in again: whole, then in halves.

    None is returned for a request that two actors died over.
    """
    places, deaths = batch.places, batch.deaths + 1
    if batch.deaths == 0:
        return [_Batch(places, deaths)]
    half = len(places) // 2
    return [_Batch(part, deaths) for part in (places[:half], places[half:]) if part] if half else []
