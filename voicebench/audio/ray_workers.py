"""Make clips on a Ray cluster: one actor a GPU or a share of the CPUs, each with the backends loaded once.

The caller's process reads and writes every file of the build; clips travel through Ray's object store, so
the machines share no folder. Only what an effect mixes in must be at the same path on all of them. The
batches are those of one process, and so is what is made of them. An actor or a machine that dies takes
nothing along: what it was at is dealt out again in halves, until a turn that workers died over stands alone
and becomes a failure.
"""

import logging
import os
import socket
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from voicebench import __version__
from voicebench.audio.clip_store import CarriedClips
from voicebench.audio.effects import parse
from voicebench.audio.line import Line, collected
from voicebench.audio.studio import BATCH_ON_A_CPU, BATCH_ON_A_GPU, Studio
from voicebench.audio.voices import VoiceChoice
from voicebench.audio.wishes import VoiceWish, choose_voices
from voicebench.audio.work import Job, Models, Rows, TurnPlace, Work
from voicebench.audio.workers import Recipe, halves, lost
from voicebench.clusters import Cluster, actor_count, as_actor, connect, deaths, gpus_each
from voicebench.errors import AgentFailure, UserError, VoicebenchError, first_line
from voicebench.files import write_bytes
from voicebench.models import Progress, no_progress
from voicebench.processes import LOGGERS
from voicebench.types import Audio, ManifestRow, ModelRef, Voice

log = logging.getLogger(__name__)

MOST_DEATHS = 20
"""So many workers may die, with no clip finished in between, before a build is given up."""

_PATIENCE_S = 30.0
_WRITERS = 4
Mixed = Mapping[str, tuple[str, ...]]
"""What each effect's result depends on beside its name and seed."""


@dataclass(frozen=True)
class _Made:
    """What an actor finished: the rows of turns, and their clips by path."""

    rows: tuple[tuple[TurnPlace, Rows], ...] = ()
    clips: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class _Said:
    """What an actor answers.

    Attributes:
        value: What was asked for; what there is of it, if something went wrong.
        lines: What was logged meanwhile: logger, level, text.
        error: What went wrong: the kind of an `AgentFailure` or None for the user's mistake, and the message.
    """

    value: Any = None
    lines: tuple[tuple[str, int, str], ...] = ()
    error: tuple[str | None, str] | None = None


@dataclass
class _Actor:
    """An actor as the dealer sees it.

    Attributes:
        handle: Ray's.
        loading: The answer that comes once its backends are loaded; None from there on.
        sent: The batches that it has not answered yet, oldest first, by Ray's reference of the answer.
        works: The turns that it was given and whose rows it has not given back.
    """

    handle: Any
    loading: Any
    sent: dict[Any, tuple[Work, ...]] = field(default_factory=dict)
    works: dict[TurnPlace, Work] = field(default_factory=dict)

    @property
    def next(self) -> Any:
        """The reference of its next answer, or None: an actor answers in order."""
        return self.loading if self.loading is not None else next(iter(self.sent), None)


class RayWorkers:
    """Makes clips on a cluster; to be used in a `with` block.

    Attributes:
        models: The models of the backends.
        batch: How many turns an actor is given at once.
    """

    models: Models

    def __init__(self, recipe: Recipe, cluster: Cluster) -> None:
        """Connect to the cluster, start the actors, and wait for the first one.

        Args:
            recipe: The backends that each loads.
            cluster: Where, and how many actors.

        Raises:
            UserError: Ray is not installed, the cluster cannot be reached, or a backend cannot be loaded.
            AgentFailure: A worker died while it loaded them.
        """
        self._ray = connect(cluster.address)
        on_cpu = not gpus_each(self._ray, cluster)
        self.batch = BATCH_ON_A_CPU if on_cpu else BATCH_ON_A_GPU
        # On a GPU the next batch waits at the worker while one is spoken.
        self._ahead = 1 if on_cpu else 2
        self._deaths = 0
        self._job: Any = None
        self._class = as_actor(self._ray, cluster, _Worker)
        threads = max(1, int(cluster.cpus)) if on_cpu else None
        self._arguments = (recipe, "cpu" if on_cpu else "cuda:0", threads)
        self._pool = ThreadPoolExecutor(_WRITERS)
        self._actors: list[_Actor] = []
        try:
            self._actors.extend(self._started() for _ in range(actor_count(self._ray, cluster)))
            self._loaded_one()
        except BaseException:
            self.close()
            raise

    # ---- Choosing voices ----

    def choose(
        self, lang: str, wish: VoiceWish, *, folder: Path, seed: int, progress: Progress = no_progress
    ) -> VoiceChoice:
        """Choose the voices of a language; see `choose_voices`. Files are read and written here."""
        models = self.models
        return choose_voices(
            lang, wish, synthesizer=_FarSynthesizer(models.synthesizer, self._asked),
            encoder=None if models.encoder is None else _FarEncoder(models.encoder, self._asked),
            converts=models.converter is not None, folder=folder, seed=seed, progress=progress,
        )  # fmt: skip

    def _asked(self, backend: str, method: str, *arguments: Any, **options: Any) -> Any:
        """Return what a backend's method returns on one of the actors."""
        for is_last in (False, True):
            actor = self._loaded_one()
            try:
                said = self._heard(actor.handle.ask.remote(backend, method, arguments, options))
            except deaths(self._ray) as error:
                if is_last:
                    raise AgentFailure("crash", f"workers died over {method} ({first_line(error)})") from None
                self._replace(actor, error)
            else:
                _raise(said)
                return said.value

    def _loaded_one(self) -> _Actor:
        """Return an actor that has loaded its backends; wait for one."""
        while True:
            for actor in self._actors:
                if actor.loading is None:
                    return actor
            for actor in self._speaking():
                try:
                    self._take_models(actor, self._heard(actor.next))
                except deaths(self._ray) as error:
                    raise AgentFailure(
                        "crash",
                        f"a worker died while it loaded its backends ({first_line(error)}). The machines of "
                        "the cluster need voicebench, the backends' packages and their memory",
                    ) from None

    # ---- Making clips ----

    def rows(self, job: Job, batches: Sequence[Sequence[Work]]) -> Iterator[tuple[TurnPlace, Rows]]:
        """Make clips, as `Maker` says; in the order in which they are finished.

        Raises:
            UserError: The disk is full, or what an effect mixes in is not the same on a machine.
            AgentFailure: Worker after worker died.
        """
        todo = deque(tuple(batch) for batch in batches)
        died_over: Counter[TurnPlace] = Counter()
        self._job = self._ray.put((job, str(Path.cwd()), _mixed_in(job)))
        for actor in self._actors:
            self._begin(actor)
        try:
            while todo or any(actor.works for actor in self._actors):
                for actor in self._actors:
                    self._deal(actor, todo, job)
                for actor in self._speaking():
                    try:
                        said = self._heard(actor.next)
                    except deaths(self._ray) as error:
                        yield from _dealt_again(actor, todo, died_over, first_line(error))
                        self._replace(actor, error)
                        continue
                    if actor.loading is None:
                        yield from self._taken(actor, said, job)
                    if said.error is not None:
                        yield from self._said_already(job)
                    if actor.loading is not None:
                        self._take_models(actor, said)
                        self._begin(actor)
                    _raise(said)
        except KeyboardInterrupt:
            yield from self._said_already(job)
            raise
        finally:
            self._job = None

    def _begin(self, actor: _Actor) -> None:
        """Tell an actor of the job, once it has loaded its backends."""
        if self._job is not None and actor.loading is None:
            actor.sent[actor.handle.begin.remote(self._job)] = ()

    def _deal(self, actor: _Actor, todo: "deque[tuple[Work, ...]]", job: Job) -> None:
        """Give an actor what it has room for; where nothing is left, let it finish what it is at."""
        if actor.loading is not None:
            return
        while todo and len(actor.sent) < self._ahead:
            batch = todo.popleft()
            actor.works.update((work.place, work) for work in batch)
            actor.sent[actor.handle.make.remote(batch, _kept(batch, job))] = batch
        if not actor.sent and actor.works:
            actor.sent[actor.handle.finish.remote()] = ()

    def _taken(self, actor: _Actor, said: _Said, job: Job) -> Iterator[tuple[TurnPlace, Rows]]:
        """Write the clips that an actor made, and yield the rows of each turn once its clips are there."""
        del actor.sent[actor.next]
        made: _Made = said.value
        written = [
            (place, self._pool.submit(_written, job.out, made.clips, rows)) for place, rows in made.rows
        ]
        for place, rows in collected(written):
            actor.works.pop(place, None)
            self._deaths = 0
            yield place, rows

    def _said_already(self, job: Job) -> Iterator[tuple[TurnPlace, Rows]]:
        """Yield what the actors finished, without waiting."""
        for actor in self._actors:
            while actor.loading is None and actor.sent:
                if not self._ray.wait([actor.next], num_returns=1, timeout=0)[0]:
                    break
                try:
                    said = self._heard(actor.next)
                except deaths(self._ray):
                    break
                yield from self._taken(actor, said, job)

    # ---- Actors ----

    def _started(self) -> _Actor:
        handle = self._class.remote(*self._arguments)
        return _Actor(handle, handle.load.remote(__version__))

    def _take_models(self, actor: _Actor, said: _Said) -> None:
        _raise(said)
        self.models = said.value
        actor.loading = None

    def _replace(self, actor: _Actor, error: Exception) -> None:
        """Put another actor into a dead one's place."""
        self._deaths += 1
        died = first_line(error)
        if self._deaths > MOST_DEATHS:
            raise AgentFailure(
                "crash",
                f"{self._deaths} workers died, the last one: {died} What was finished is kept; run the same "
                "command again to go on",
            )
        log.warning("a worker died (%s); another one takes over", died)
        self._end(actor)
        self._actors[self._actors.index(actor)] = self._started()

    def _speaking(self) -> list[_Actor]:
        """Return the actors that answered, or died; wait for one."""
        waiting = [actor.next for actor in self._actors if actor.next is not None]
        ready: list[Any] = []
        told = False
        while not ready:
            ready, _ = self._ray.wait(waiting, num_returns=1, timeout=_PATIENCE_S)
            if not ready and not told and all(actor.loading is not None for actor in self._actors):
                told = True
                log.warning("no worker is ready yet: it loads, or the cluster has no room for it")
        ready, _ = self._ray.wait(waiting, num_returns=len(waiting), timeout=0)
        return [actor for actor in self._actors if actor.next in ready]

    def _heard(self, reference: Any) -> _Said:
        """Return an actor's answer, and log what it logged.

        Raises:
            RuntimeError: There is a bug in it; the message has its traceback.
        """
        try:
            said: _Said = self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:
            raise RuntimeError(f"in a worker on the Ray cluster:\n{error}") from None
        for name, level, text in said.lines:
            logging.getLogger(name).log(level, "%s", text)
        return said

    def _end(self, actor: _Actor) -> None:
        with suppress(Exception):  # it is gone already, or the cluster is
            self._ray.kill(actor.handle)

    def close(self) -> None:
        """End the actors."""
        for actor in self._actors:
            self._end(actor)
        self._pool.shutdown(cancel_futures=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _dealt_again(
    actor: _Actor, todo: "deque[tuple[Work, ...]]", died_over: Counter[TurnPlace], death: str
) -> Iterator[tuple[TurnPlace, Rows]]:
    """Put back what a dead actor had; yield the failures of a turn that stands alone and died before."""
    _, *waiting = actor.sent.values() or [()]
    # What waited at the dead actor was not what killed it.
    innocent = {work.place for batch in waiting for work in batch}
    left = [work for place, work in actor.works.items() if place not in innocent]
    todo.extendleft(batch for batch in reversed(waiting) if batch)
    died_over.update(work.place for work in left)
    if len(left) == 1 and died_over[left[0].place] > 1:
        yield left[0].place, lost(left[0], death)
    elif left:
        todo.extendleft(tuple(half) for half in reversed(halves(left)) if half)


def _kept(batch: Sequence[Work], job: Job) -> dict[TurnPlace, bytes]:
    """Return the dry clips of a batch that are there; one that cannot be read is missed where it is read."""
    found = {}
    for work in batch:
        if work.kept is not None:
            with suppress(OSError):
                found[work.place] = (job.out / work.kept.path).read_bytes()
    return found


def _written(out: Path, clips: Mapping[str, bytes], rows: Rows) -> Rows:
    """Write the clips of a turn; one that came with an earlier turn is there.

    Raises:
        UserError: The disk is full.
    """
    for row in rows:
        if isinstance(row, ManifestRow) and row.path in clips:
            write_bytes(out / row.path, clips[row.path])
    return rows


def _mixed_in(job: Job) -> Mixed:
    return {effect: parse(effect).made_from() for effect in job.plan.effects}


def _raise(said: _Said) -> None:
    """Raise the error that an actor tells of, if it does."""
    if said.error is not None:
        kind, message = said.error
        raise UserError(message) if kind is None else AgentFailure(kind, message)


# ---- Backends of an actor, as the caller's process sees them ----


class _FarSynthesizer:
    def __init__(self, model: ModelRef, ask: Callable[..., Any]) -> None:
        self.model = model
        self._ask = ask

    def voices(self, lang: str) -> Sequence[Voice]:
        found: Sequence[Voice] = self._ask("synthesizer", "voices", lang)
        return found

    def synthesize(
        self, texts: Sequence[str], *, lang: str, voice: str | None = None, seed: int
    ) -> list[Audio]:
        spoken: list[Audio] = self._ask(
            "synthesizer", "synthesize", list(texts), lang=lang, voice=voice, seed=seed
        )
        return spoken


class _FarEncoder:
    def __init__(self, model: ModelRef, ask: Callable[..., Any]) -> None:
        self.model = model
        self._ask = ask

    def embed(self, clips: Sequence[Audio]) -> npt.NDArray[np.float32]:
        placed: npt.NDArray[np.float32] = self._ask("encoder", "embed", list(clips))
        return placed


# ---- In the actor's process ----


class _Worker:
    """The actor: backends, and the line of the job that it was told of last."""

    def __init__(self, recipe: Recipe, device: str, threads: int | None) -> None:
        self._recipe, self._device, self._threads = recipe, device, threads
        self._lines = _Lines()
        for name in LOGGERS:
            logger = logging.getLogger(name)
            logger.addHandler(self._lines)
            logger.setLevel(logging.INFO)

    def load(self, version: str) -> _Said:
        """Load the backends; say their models."""

        def load() -> Models:
            if version != __version__:
                raise UserError(
                    f"voicebench {__version__} is installed, not {version} as where it was called"
                )
            self._engines = self._recipe.load(self._device)
            self._studio = Studio(self._engines, device=self._device, threads=self._threads)
            return self._engines.models

        return self._said(load)

    def ask(
        self,
        backend: Literal["synthesizer", "encoder"],
        method: str,
        arguments: Sequence[Any],
        options: Mapping[str, Any],
    ) -> _Said:
        """Call a method of a backend."""
        return self._said(lambda: getattr(getattr(self._engines, backend), method)(*arguments, **options))

    def begin(self, told: tuple[Job, str, Mixed]) -> _Said:
        """Be told of a job, the caller's working directory, and what its effects mix in there."""
        job, folder, mixed_in = told

        def begin() -> None:
            # A path of an effect may be written from there; where there is no such folder, `require` says so.
            with suppress(OSError):
                os.chdir(folder)
            for effect, expected in mixed_in.items():
                _require_same(effect, expected)
            self._clips = CarriedClips()
            self._line: Line = self._studio.line(job, self._clips)

        return replace(self._said(begin), value=_Made())

    def make(self, batch: Sequence[Work], kept: Mapping[TurnPlace, bytes]) -> _Said:
        """Make the clips of a batch; give what is finished of this one and those before."""
        self._clips.give(kept)
        return self._finished(self._line.add(batch))

    def finish(self) -> _Said:
        """Finish all batches."""
        return self._finished(self._line.drain())

    def _finished(self, done: Iterator[tuple[TurnPlace, Rows]]) -> _Said:
        rows: list[tuple[TurnPlace, Rows]] = []
        # What was finished before something went wrong is not lost.
        said = self._said(lambda: rows.extend(done))
        return replace(said, value=_Made(tuple(rows), self._clips.take(rows)))

    def _said(self, do: Callable[[], Any]) -> _Said:
        try:
            value, error = do(), None
        except VoicebenchError as mistake:
            kind = mistake.kind if isinstance(mistake, AgentFailure) else None
            value, error = None, (kind, f"{mistake} (on {socket.gethostname()} of the Ray cluster)")
        return _Said(value, self._lines.taken(), error)


def _require_same(effect: str, expected: tuple[str, ...]) -> None:
    """Refuse a machine that does not have what an effect mixes in.

    Raises:
        UserError: It lacks it, or has another.
    """
    chain = parse(effect)
    advice = "what an effect mixes in must be at the same path on every machine of the cluster"
    try:
        chain.require()
        found = chain.made_from()
    except UserError as error:
        raise UserError(f"{error}; {advice}") from None
    if found != expected:
        raise UserError(f"effect {chain.name!r} is made from other files or versions here; {advice}")


class _Lines(logging.Handler):
    """Keeps what is logged for the next answer: the caller's process shows it where it shows its own."""

    def __init__(self) -> None:
        super().__init__()
        self._kept: deque[tuple[str, int, str]] = deque()

    def emit(self, record: logging.LogRecord) -> None:
        self._kept.append((record.name, record.levelno, self.format(record)))

    def taken(self) -> tuple[tuple[str, int, str], ...]:
        """Return the lines, and forget them."""
        return tuple(self._kept.popleft() for _ in range(len(self._kept)))
