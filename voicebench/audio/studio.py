"""A studio: backends that are loaded in this process, and the threads beside them."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from voicebench.audio.clip_store import ClipStore
from voicebench.audio.line import Line
from voicebench.audio.voices import VoiceChoice
from voicebench.audio.wishes import VoiceWish, choose_voices
from voicebench.audio.work import Engines, Job, Models, Rows, TurnPlace, Work
from voicebench.models import Progress, no_progress

BATCH_ON_A_CPU, BATCH_ON_A_GPU = 8, 64
"""Turns that a backend is handed at once: enough to fill a GPU; few where that gains nothing."""

_MOST_THREADS = 8


class Maker(Protocol):
    """What makes the clips of a build: a studio in this process, or workers in others."""

    models: Models
    batch: int

    def choose(
        self, lang: str, wish: VoiceWish, *, folder: Path, seed: int, progress: Progress = no_progress
    ) -> VoiceChoice:
        """Choose the voices of a language; see `choose_voices`."""
        ...

    def rows(self, job: Job, batches: Sequence[Sequence[Work]]) -> Iterator[tuple[TurnPlace, Rows]]:
        """Make clips; yield the rows of each turn as soon as its files are written.

        Args:
            job: What is the same for all clips.
            batches: Each of one language and one speaker, `batch` turns at most.

        Raises:
            UserError: The disk is full; the rows of all clips that were written were yielded before.
        """
        ...


class Studio:
    """Makes clips with the backends that it is given; to be closed, or used in a `with` block.

    Attributes:
        models: The models of its backends.
        batch: How many turns it is best given at once.
    """

    def __init__(self, engines: Engines, *, device: str = "cpu", threads: int | None = None) -> None:
        """Set up.

        Args:
            engines: The backends.
            device: Where they run: decides how much is done at once, and what goes on beside it.
            threads: For what no backend does; None takes one a core, eight at most.
        """
        self.models = engines.models
        on_cpu = device == "cpu"
        self.batch = BATCH_ON_A_CPU if on_cpu else BATCH_ON_A_GPU
        self._engines = engines
        self._ahead = 0 if on_cpu else 1
        self._pool = ThreadPoolExecutor(threads or min(_MOST_THREADS, os.cpu_count() or 1))

    def choose(
        self, lang: str, wish: VoiceWish, *, folder: Path, seed: int, progress: Progress = no_progress
    ) -> VoiceChoice:
        """Choose the voices of a language; see `choose_voices`."""
        return choose_voices(
            lang, wish, synthesizer=self._engines.synthesizer, encoder=self._engines.encoder,
            converts=self._engines.converter is not None, folder=folder, seed=seed, progress=progress,
        )  # fmt: skip

    def line(self, job: Job, clips: ClipStore | None = None) -> Line:
        """Return what takes the batches of a job one after the other; arguments as `Line`'s."""
        return Line(self._engines, self._pool, job, ahead=self._ahead, clips=clips)

    def rows(self, job: Job, batches: Sequence[Sequence[Work]]) -> Iterator[tuple[TurnPlace, Rows]]:
        """Make clips, as `Maker` says."""
        line = self.line(job)
        try:
            for batch in batches:
                yield from line.add(batch)
            yield from line.drain()
        except KeyboardInterrupt:
            yield from line.drain()
            raise

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown(cancel_futures=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
