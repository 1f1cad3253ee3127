"""Ask an agent on a Ray cluster: one actor a GPU or a share of the CPUs, each with the agent loaded once.

The process that runs `voicebench eval` reads clips, deals requests out and alone writes answers down; sound
travels through Ray's object store. An actor or a node that dies costs nobody's answer: what it was at is
dealt out again, in halves from the second time on, until a request that kills its worker stands alone.
"""

import logging
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from voicebench.errors import AgentFailure, UserError, first_line, install_line
from voicebench.protocols import Agent, ServerAgent
from voicebench.running.local import MOST_REQUESTS, LocalAsker
from voicebench.running.server import ServerAsker
from voicebench.running.wanted import Answer, Wanted
from voicebench.types import Request, Response

log = logging.getLogger(__name__)

MOST_DEATHS = 20
"""So many actors may die in a run before it is given up."""

_AHEAD = 2
"""Batches that an actor is given: one that it is at, and one that waits for it there."""


@dataclass(frozen=True)
class Cluster:
    """Where actors run, and how many.

    Attributes:
        address: Of the cluster, as Ray takes it; None for the one in $RAY_ADDRESS or around this process, or
            else one that is started on this machine.
        actors: How many; None for one a GPU where the cluster has any, else one a CPU.
        gpus: GPUs of each; None for one where the cluster has any.
        cpus: CPUs of each.
    """

    address: str | None = None
    actors: int | None = None
    gpus: float | None = None
    cpus: float = 1.0


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
        actor_class = self._actor_class()
        todo = deque(_batches(wanted, self._most))
        actors = [self._start(actor_class) for _ in range(min(self._size(), len(todo)))]
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
        errors = self._ray.exceptions
        try:
            answers: list[Response] = self._ray.get(ready)
        except (errors.RayActorError, errors.ObjectLostError, errors.WorkerCrashedError) as error:
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
        except errors.RayTaskError as error:
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

    def _actor_class(self) -> Any:
        return self._ray.remote(_Worker).options(
            num_cpus=self._cluster.cpus, num_gpus=self._gpus(), max_restarts=0, max_concurrency=1
        )

    def _start(self, actor_class: Any) -> _Actor:
        return _Actor(actor_class.remote(self._make, self._most, self._at_once))

    def _gpus(self) -> float:
        if self._cluster.gpus is not None:
            return self._cluster.gpus
        return 1.0 if self._ray.cluster_resources().get("GPU") else 0.0

    def _size(self) -> int:
        if self._cluster.actors is not None:
            return self._cluster.actors
        there = self._ray.cluster_resources()
        gpus = self._gpus()
        room = there["GPU"] / gpus if gpus else there.get("CPU", 1) / max(self._cluster.cpus, 0.01)
        return max(1, int(room))


class _Worker:
    """The actor: the agent, and whoever hands requests to it."""

    def __init__(self, make: Callable[[], Agent], most_requests: int, at_once: int) -> None:
        agent = make()
        self._asker: LocalAsker | ServerAsker
        if hasattr(agent, "answer"):
            self._asker = ServerAsker(cast(ServerAgent, agent), at_once=at_once)
        else:
            self._asker = LocalAsker(agent, most_requests=most_requests)

    def answer(self, requests: Sequence[Request]) -> list[Response]:
        found: dict[int, Answer] = {}
        wanted = [Wanted(_audio_s(request), lambda request=request: request) for request in requests]  # type: ignore[misc]
        self._asker.answer(wanted, found.__setitem__)
        return [found[place] for place in range(len(requests))]  # type: ignore[misc]


def device_there(cluster: Cluster, gpu: str | None, device: str | None) -> str:
    """Return the device of agents on a cluster: a GPU that Ray gives an actor is the first one it sees.

    Args:
        cluster: The cluster.
        gpu: What `--gpu` said: no number, since Ray chooses.
        device: What `--device` said.

    Raises:
        UserError: A GPU is named by its number, or wanted where the cluster has none.
    """
    if gpu is not None or ":" in (device or ""):
        raise UserError("with --engine ray the cluster chooses GPUs. Give --device cuda, or nothing")
    there = connect(cluster.address).cluster_resources().get("GPU", 0)
    if device == "cuda" and not there:
        raise UserError("--device cuda: the Ray cluster has no GPU. On CPUs: --device cpu")
    return "cuda:0" if there and device != "cpu" else "cpu"


def connect(address: str | None) -> Any:
    """Return Ray, connected to a cluster.

    Raises:
        UserError: Ray is not installed, or the cluster cannot be reached.
    """
    try:
        import ray
    except ImportError:
        raise UserError(f"--engine ray needs the package 'ray'. Run: {install_line('ray')}") from None
    if not ray.is_initialized():
        try:
            ray.init(
                address=address, log_to_driver=False, include_dashboard=False, logging_level=logging.ERROR
            )
        except (ConnectionError, OSError, RuntimeError, ValueError) as error:
            raise UserError(f"no Ray cluster at {address or 'this machine'} ({first_line(error)})") from None
    return ray


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


def _audio_s(request: Request) -> float:
    return sum(turn.audio.duration_s for turn in request.turns if turn.audio is not None)
