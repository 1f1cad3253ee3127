"""Ask an agent on a Ray cluster: one actor a GPU or a share of the CPUs, each with the agent loaded once.

The process that runs `voicebench eval` reads clips, deals requests out and alone writes answers down; sound
travels through Ray's object store. An actor or a node that dies costs nobody's answer: what it was at is
dealt out again, in halves from the second time on, until a request that kills its worker stands alone.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from voicebench.clusters import Cluster, actor_count, as_actor, connect, deaths
from voicebench.errors import first_line
from voicebench.protocols import Agent
from voicebench.running.askers import asker_of
from voicebench.running.dealing import AHEAD, Batch, Deal
from voicebench.running.local import MOST_REQUESTS, batches
from voicebench.running.wanted import Answer, Asker, Wanted
from voicebench.types import Request, Response

log = logging.getLogger(__name__)


@dataclass
class _Actor:
    """An actor as the dealer sees it; `at` are its batches by Ray's reference of their answers."""

    handle: Any
    at: dict[Any, Batch] = field(default_factory=dict)


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
        deal = Deal(wanted, batches(wanted, self._most, pads=False), take)
        actors = [
            self._start(actor_class) for _ in range(min(actor_count(self._ray, self._cluster), len(deal)))
        ]
        try:
            while deal or any(actor.at for actor in actors):
                for actor in actors:
                    self._hand_out(deal, actor)
                # An actor answers in order: if it dies, it died over the oldest of its batches.
                oldest = {next(iter(actor.at)): actor for actor in actors if actor.at}
                if not oldest:
                    continue
                [ready, *_], _ = self._ray.wait(list(oldest), num_returns=1)
                actor = oldest[ready]
                if not self._take(ready, actor, deal):
                    actors[actors.index(actor)] = self._start(actor_class)
        finally:
            for actor in actors:
                self._ray.kill(actor.handle)

    def _take(self, ready: Any, actor: _Actor, deal: Deal) -> bool:
        """Take a batch's answers; return False where its actor died instead."""
        batch = actor.at.pop(ready)
        try:
            answers: list[Response] = self._ray.get(ready)
        except deaths(self._ray) as error:
            died = first_line(error)
            log.warning("a worker died (%s); another one takes over", died)
            # What waited at the dead actor was not what killed it.
            deal.returned(actor.at.values())
            deal.died_over(batch, died)
            return False
        except self._ray.exceptions.RayTaskError as error:
            cause = error.cause if isinstance(getattr(error, "cause", None), Exception) else error
            raise cause from None
        for place, answer in zip(list(batch.places), answers, strict=True):
            deal.answered(batch, place, answer)
        return True

    def _hand_out(self, deal: Deal, actor: _Actor) -> None:
        while len(actor.at) < AHEAD and (dealt := deal.next()):
            batch, requests = dealt
            actor.at[actor.handle.answer.remote(self._ray.put(requests))] = batch

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
