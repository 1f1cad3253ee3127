"""Make clips in several processes, one or more a device, each with backends of its own.

The caller's process loads no backend: it deals batches out, and gets rows back, which it alone writes down.
The batches are the same however many workers there are, and so is what is made of them. A worker that dies
takes nothing along but the batch it was at: that is dealt out again in halves, until a turn that kills a
worker stands alone and becomes a failure.

The processes are spawned: a script that uses this needs `if __name__ == "__main__":`.
"""

import logging
import os
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from voicebench.audio.line import Line
from voicebench.audio.studio import BATCH_ON_A_CPU, BATCH_ON_A_GPU, Studio
from voicebench.audio.voices import VoiceChoice
from voicebench.audio.wishes import VoiceWish
from voicebench.audio.work import Engines, Job, Rows, TurnPlace, Work
from voicebench.errors import AgentFailure
from voicebench.models import Progress, no_progress
from voicebench.processes import Caller, Message, Worker, end_all, speaking
from voicebench.registry import Record, load_on
from voicebench.types import FailureRow

log = logging.getLogger(__name__)

MOST_DEATHS = 20
"""So many workers may die in a build before it is given up."""


@dataclass(frozen=True)
class Recipe:
    """Which backends to load, by their records: what another process can be told.

    Attributes:
        synthesizer: Speaks.
        converter: Moves speech to other voices, or None.
        encoder: Tells voices apart, or None.
        transcriber: Hears clips for the round trip, or None.
        offline_first: Take the offline packages' weights before the hub's.
    """

    synthesizer: Record
    converter: Record | None = None
    encoder: Record | None = None
    transcriber: Record | None = None
    offline_first: bool = False

    def load(self, device: str) -> Engines:
        """Load the backends on a device.

        Raises:
            UserError: Packages, weights or the device are missing.
        """

        def loaded(record: Record | None) -> Any:
            return None if record is None else load_on(record, device, offline_first=self.offline_first)

        return Engines(
            loaded(self.synthesizer), loaded(self.converter), loaded(self.encoder), loaded(self.transcriber)
        )


class Workers:
    """Makes clips in other processes; to be used in a `with` block.

    Attributes:
        models: The models of the backends.
        batch: How many turns a worker is given at once.
    """

    def __init__(self, recipe: Recipe, devices: Sequence[str]) -> None:
        """Start the processes.

        Args:
            recipe: The backends that each loads.
            devices: Where each worker's backends run: "cpu" or "cuda:N", one worker an entry.

        Raises:
            VoicebenchError: The first worker cannot load its backends.
        """
        on_cpu = all(device == "cpu" for device in devices)
        self.batch = BATCH_ON_A_CPU if on_cpu else BATCH_ON_A_GPU
        # On a GPU the next batch waits at the worker while one is spoken.
        self._waiting = 0 if on_cpu else self.batch
        self._recipe = recipe
        self._threads = max(1, (os.cpu_count() or 1) // len(devices))
        self._workers = [_Worker(recipe, device, self._threads) for device in devices]
        self._deaths = 0
        try:
            self.models = self._answer(self._workers[0], "ready", no_progress)
        except BaseException:
            self.close(at_once=True)
            raise

    def choose(
        self, lang: str, wish: VoiceWish, *, folder: Path, seed: int, progress: Progress = no_progress
    ) -> VoiceChoice:
        """Let the first worker choose the voices of a language; see `choose_voices`."""
        first = self._workers[0]
        first.send("choose", (lang, wish, folder, seed))
        choice: VoiceChoice = self._answer(first, "chosen", progress)
        return choice

    def rows(self, job: Job, batches: Sequence[Sequence[Work]]) -> Iterator[tuple[TurnPlace, Rows]]:
        """Make clips, as `Maker` says; in the order in which they are finished.

        Raises:
            UserError: The disk is full.
            AgentFailure: Worker after worker died.
        """
        todo = deque(batches)
        for worker in self._workers:
            worker.send("job", job)
        try:
            while todo or any(worker.works for worker in self._workers):
                for worker in self._workers:
                    while todo and len(worker.works) <= self._waiting:
                        worker.give(todo.popleft())
                for worker in speaking(self._workers):
                    message = worker.receive()
                    if message is not None:
                        yield from self._understood(worker, message)
                        continue
                    left = list(worker.works.values())
                    if worker.is_ready and len(left) == 1:
                        yield left[0].place, lost(left[0], worker.death)
                    elif left:
                        todo.extendleft(halves(left) if worker.is_ready else [left])
                    self._replace(worker, job)
        except KeyboardInterrupt:
            yield from self._said_already()
            raise

    def _said_already(self) -> Iterator[tuple[TurnPlace, Rows]]:
        """Yield what the workers finished, without waiting."""
        for worker in self._workers:
            while worker.connection.poll():
                message = worker.receive()
                if message is None:
                    break
                if message[0] == "rows":
                    yield message[1]

    def _understood(self, worker: "_Worker", message: Message) -> Iterator[tuple[TurnPlace, Rows]]:
        kind, content = message
        if kind == "rows":
            worker.works.pop(content[0], None)
            yield content
        elif kind == "error":
            yield from self._said_already()
            raise content

    def _replace(self, worker: "_Worker", job: Job) -> None:
        """Put another worker into a dead one's place."""
        self._deaths += 1
        if self._deaths > MOST_DEATHS:
            raise AgentFailure(
                "crash",
                f"{self._deaths} workers died, the last one {worker.death}. What was finished is kept; run "
                "the same command again to go on",
            )
        log.warning("a worker on %s died (%s); another one takes over", worker.device, worker.death)
        other = _Worker(self._recipe, worker.device, self._threads)
        other.send("job", job)
        self._workers[self._workers.index(worker)] = other

    def _answer(self, worker: "_Worker", kind: str, progress: Progress) -> Any:
        """Wait for one kind of message from a worker."""
        while True:
            message = worker.receive()
            if message is None:
                raise AgentFailure("crash", f"a worker on {worker.device} died ({worker.death})")
            if message[0] == kind:
                return message[1]
            if message[0] == "progress":
                progress(*message[1])
            elif message[0] == "error":
                raise message[1]

    def close(self, *, at_once: bool = False) -> None:
        """End the processes.

        Args:
            at_once: Do not let them finish what they are at.
        """
        end_all(self._workers, at_once=at_once)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(at_once=error is not None)


class _Worker(Worker):
    """One process, seen from the caller's.

    Attributes:
        works: What it was given and has not given back.
    """

    def __init__(self, recipe: Recipe, device: str, threads: int) -> None:
        self.works: dict[TurnPlace, Work] = {}
        super().__init__(partial(_serve, recipe, device, threads), device=device, threads=threads)

    def give(self, batch: Sequence[Work]) -> None:
        """Give it a batch."""
        self.works.update((work.place, work) for work in batch)
        self.send("batch", list(batch))


def halves(works: list[Work]) -> tuple[list[Work], list[Work]]:
    """Return the two halves of a batch that a worker died over; the first of a lone turn is empty."""
    return works[: len(works) // 2], works[len(works) // 2 :]


def lost(work: Work, death: str) -> Rows:
    """Return the failures of a turn that killed a worker."""
    message = f"a worker died over this turn ({death})"
    return tuple(
        FailureRow(
            task_id=clip.task_id, turn=clip.turn, condition=clip.condition, kind="crash", message=message
        )
        for clip in work.missing
    )


# ---- In the worker's process ----


def _serve(recipe: Recipe, device: str, threads: int, caller: Caller) -> None:
    """Do what the caller's process says until it says stop, or ends."""
    with Studio(recipe.load(device), device=device, threads=threads) as studio:
        caller.send("ready", studio.models)
        _work(caller, studio)


def _work(caller: Caller, studio: Studio) -> None:
    line: Line | None = None
    while True:
        if line is not None and caller.is_silent:
            for done in line.drain():
                caller.send("rows", done)
        kind, content = caller.listen()
        if kind == "stop":
            return
        if kind == "choose":
            lang, wish, folder, seed = content
            choice = studio.choose(lang, wish, folder=folder, seed=seed, progress=caller.progress)
            caller.send("chosen", choice)
        elif kind == "job":
            line = studio.line(content)
        elif line is not None:
            for done in line.add(content):
                caller.send("rows", done)
