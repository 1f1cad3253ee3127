"""Build the clips of tasks: make what is missing, and say beside each clip how it was made.

A folder holds `clips/*.wav` named by their content, `manifest.jsonl`, `failures.jsonl`, `flagged.jsonl` and
`voices.json`. A build goes on where another stopped: a clip is kept as long as everything that it was made
from is unchanged.
"""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from voicebench.audio.checks import Limits
from voicebench.audio.clip_folder import (
    FAILURES,
    FLAGGED,
    MANIFEST,
    VOICES,
    ClipFolder,
    Place,
    keep_voices,
    place_of,
)
from voicebench.audio.effects import parse
from voicebench.audio.line import CLIPS, SAMPLE_RATE_HZ
from voicebench.audio.plan import BuildPlan, TurnPlan
from voicebench.audio.studio import Maker
from voicebench.audio.voices import VoiceChoice
from voicebench.audio.wishes import VoiceWish
from voicebench.audio.work import Job, Rows, Work
from voicebench.files import Appender
from voicebench.models import Progress, no_progress
from voicebench.types import FailureRow, ManifestRow, ModelRef, Task

__all__ = [
    "CLIPS", "FAILURES", "FLAGGED", "MANIFEST", "SAMPLE_RATE_HZ", "VOICES", "BuildReport", "build",
]  # fmt: skip


@dataclass(frozen=True)
class BuildReport:
    """What a build did.

    Attributes:
        folder: Where the clips and the manifest are.
        made: Clips made now.
        kept: Clips that were there already.
        remade: How many of those made now were spoken twice, because the first take failed a check.
        heard: Clips that were there, and that the ASR heard now.
        failures: Clips that could not be made.
        flagged: The clips of these tasks that are doubtful.
        audio_s: Seconds of sound made now.
        seconds: How long it took.
        voices: The voices of each language.
    """

    folder: Path
    made: int
    kept: int
    remade: int
    heard: int
    failures: tuple[FailureRow, ...]
    flagged: tuple[ManifestRow, ...]
    audio_s: float
    seconds: float
    voices: Mapping[str, VoiceChoice]

    @property
    def failed(self) -> int:
        """How many clips could not be made."""
        return len(self.failures)


def build(
    tasks: Sequence[Task],
    maker: Maker,
    *,
    out: Path,
    voices: VoiceWish = VoiceWish(),  # noqa: B008 (frozen)
    effects: Sequence[str] = (),
    limits: Limits = Limits(),  # noqa: B008 (frozen)
    seed: int = 0,
    fresh: bool = False,
    progress: Progress = no_progress,
) -> BuildReport:
    """Make the clips of tasks that are not there yet.

    Each user turn becomes one clip under `speech`, and one under `speech/EFFECT` for each effect. Clips of
    other tasks in the same folder are left alone. A text that cannot be spoken, or whose clip fails a check
    twice, goes to `failures.jsonl` and stops nothing; it is tried again the next time.

    Args:
        tasks: What to speak.
        maker: Makes the clips: a `Studio` with its backends, `Workers`, or `RayWorkers`.
        out: The folder.
        voices: Which voices are asked for.
        effects: Names of effects or chains of them (`voicebench.audio.effects`).
        limits: What the checks let pass.
        seed: Of everything that is drawn.
        fresh: Make the clips of these tasks anew.
        progress: Told (what, done, total) as the build goes on.

    Raises:
        UserError: An effect is unknown or lacks what it needs, the synthesizer does not speak a language,
            there are fewer voices than asked for, or the disk is full.
    """
    started = time.perf_counter()
    chains = [parse(effect) for effect in effects]
    for chain in chains:
        chain.require()
    choices = {
        lang: maker.choose(lang, voices, folder=out, seed=seed, progress=progress)
        for lang in sorted({task.lang for task in tasks})
    }
    keep_voices(out / VOICES, choices)
    plan = BuildPlan(
        voices=choices,
        synthesizer=maker.models.synthesizer,
        converter=maker.models.converter,
        encoder=maker.models.encoder,
        effects=tuple(dict.fromkeys(chain.name for chain in chains)),
        seed=seed,
    )
    turns = plan.turns(tasks)
    job = Job(out, plan, limits)
    folder = ClipFolder(out)
    there = folder.settle(job, turns, fresh=fresh)
    works = _works(turns, there, maker.models.transcriber)
    tally = _Tally(there)
    total = sum(_size(work) for work in works)
    with Appender(out / MANIFEST) as manifest, Appender(out / FAILURES) as failed:
        progress("building clips", 0, total)
        sizes = {work.place: _size(work) for work in works}
        done = 0
        for place, rows in maker.rows(job, _batches(works, maker.batch)):
            for file, kind in ((manifest, ManifestRow), (failed, FailureRow)):
                if found := [row for row in rows if isinstance(row, kind)]:
                    file.add(*found)
            tally.add(rows)
            done += sizes[place]
            progress("building clips", done, total)
    ids = {task.id for task in tasks}
    return BuildReport(
        folder=out,
        made=tally.counts["made"],
        kept=sum(len(turn.clips) for turn in turns) - sum(len(work.missing) for work in works),
        remade=tally.counts["remade"],
        heard=tally.counts["heard"],
        failures=tuple(tally.failures),
        flagged=tuple(row for row in folder.tidy() if row.task_id in ids),
        audio_s=tally.audio_s,
        seconds=time.perf_counter() - started,
        voices=choices,
    )


class _Tally:
    """Counts what is made."""

    def __init__(self, there: Mapping[Place, ManifestRow]) -> None:
        self.counts: Counter[str] = Counter()
        self.failures: list[FailureRow] = []
        self.audio_s = 0.0
        self._there = there

    def add(self, rows: Rows) -> None:
        """Count the rows of a turn."""
        for row in rows:
            if isinstance(row, FailureRow):
                self.failures.append(row)
                continue
            before = self._there.get(place_of(row))
            if before is not None and before.sha256 == row.sha256:
                self.counts["heard"] += 1
                continue
            self.counts["made"] += 1
            self.counts["remade"] += row.checks.get("takes") == 2
            self.audio_s += row.duration_s


def _works(
    turns: Sequence[TurnPlan], there: Mapping[Place, ManifestRow], transcriber: ModelRef | None
) -> list[Work]:
    """Return the turns of which something is missing, or that the ASR has not heard yet."""
    asr = None if transcriber is None else transcriber.model_dump()
    works = []
    for turn in turns:
        kept = there.get(turn.speech.place)
        effects = tuple(clip for clip in turn.effects if clip.place not in there)
        hear = kept is not None and asr is not None and kept.checks.get("asr") != asr
        if kept is None or effects or hear:
            works.append(Work(turn, kept, effects, hear))
    return works


def _size(work: Work) -> int:
    return len(work.missing) + work.hear


def _batches(works: Sequence[Work], size: int) -> list[list[Work]]:
    """Return works of one language and speaker together, so many at a time."""
    groups: dict[tuple[str, str], list[Work]] = {}
    for work in works:
        groups.setdefault((work.turn.speech.lang, work.turn.speech.speaker), []).append(work)
    return [group[at : at + size] for group in groups.values() for at in range(0, len(group), size)]
