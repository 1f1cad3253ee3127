"""Run a door: read, hold what was read against the format, and write tasks and recordings."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from voicebench.errors import UserError
from voicebench.files import write_rows
from voicebench.models import Progress, no_progress
from voicebench.tasks.doors import Door, Imported, Skipped, Source, Wanted
from voicebench.tasks.doors.clips import write_clips
from voicebench.tasks.structure import row_problems
from voicebench.types import FailureRow, ManifestRow, TaskRow

TASKS = "tasks.jsonl"
EVERYTHING = Wanted()
_PARTICULAR = re.compile(r"'[^']*'|\[\d+\]|\d+")


@dataclass(frozen=True)
class Counted:
    """Something that was found several times.

    Attributes:
        what: What it is.
        count: How often.
        example: One place.
    """

    what: str
    count: int
    example: str


@dataclass(frozen=True)
class Outcome:
    """What an import did.

    Attributes:
        tasks: The file of tasks.
        audio: The folder with the recordings, or None where there are none.
        rows: The tasks.
        skipped: What is no task here, by reason, most frequent first.
        objections: What `tasks check` says against the tasks' form, by kind.
        clips: The recordings that were written.
        failures: The recordings that could not be read.
        left_out: How many recordings were not asked for, because only a file of tasks was.
    """

    tasks: Path
    audio: Path | None
    rows: tuple[TaskRow, ...]
    skipped: tuple[Counted, ...]
    objections: tuple[Counted, ...]
    clips: tuple[ManifestRow, ...]
    failures: tuple[FailureRow, ...]
    left_out: int


def import_tasks(
    door: Door,
    source: Source,
    out: Path,
    *,
    wanted: Wanted = EVERYTHING,
    limit: int | None = None,
    progress: Progress = no_progress,
) -> Outcome:
    """Read a source through a door and write what it gives.

    Args:
        door: Which set it is.
        source: Where it is.
        out: A file `*.jsonl` for the tasks alone, or a folder for `tasks.jsonl` and, where the set has
            recordings, `manifest.jsonl`, `failures.jsonl` and `clips/`.
        wanted: Which languages and parts.
        limit: At most so many tasks of each kind, language and category; twins stay together.
        progress: Told how the recordings go on.

    Raises:
        UserError: Nothing could be read, or `out` cannot be written.
    """
    found = door.load()(source, wanted)
    rows = found.rows if limit is None else first_of_each(found.rows, limit)
    if not rows:
        raise UserError(f"{source.name}: no task could be read{_why(found)}")
    alone = out.suffix == ".jsonl"
    tasks = out if alone else out / TASKS
    write_rows(tasks, rows)
    ids = {row.id for row in rows}
    clips = [clip for clip in found.clips if clip.task_id in ids]
    made, failed = ([], []) if alone or not clips else write_clips(
        out, clips, total=len(clips), progress=progress
    )  # fmt: skip
    return Outcome(
        tasks=tasks, audio=out if clips and not alone else None, rows=rows,
        skipped=counted((skip.reason, skip.where) for skip in found.skipped),
        objections=objections(rows), clips=tuple(made), failures=tuple(failed),
        left_out=len(clips) if alone else 0,
    )  # fmt: skip


def first_of_each(rows: Sequence[TaskRow], n: int) -> tuple[TaskRow, ...]:
    """Return the first `n` tasks of each kind, language, category and side, and the twins of those."""
    taken: Counter[tuple[object, ...]] = Counter()
    chosen: set[str] = set()
    for row in rows:
        group = (row.task, row.lang, row.meta.get("category"), row.expect.refuse)
        if taken[group] < n:
            taken[group] += 1
            chosen |= {row.id, row.twin or row.id}
    return tuple(row for row in rows if row.id in chosen)


def objections(rows: Iterable[TaskRow]) -> tuple[Counted, ...]:
    """Return what the check of a task's form says against tasks, alike ones counted together."""
    return counted(
        (_PARTICULAR.sub("…", message), f"{row.id}: {message}")
        for row in rows
        for message in row_problems(row, {})
    )


def counted(found: Iterable[tuple[str, str]]) -> tuple[Counted, ...]:
    """Count (what, place) pairs by what, most frequent first, with the first place of each."""
    counts: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for what, place in found:
        counts[what] += 1
        examples.setdefault(what, place)
    return tuple(Counted(what, count, examples[what]) for what, count in counts.most_common())


def _why(found: Imported) -> str:
    skipped: Sequence[Skipped] = found.skipped
    reasons = counted((skip.reason, skip.where) for skip in skipped)
    if not reasons:
        return ". Look at --lang and --category, and at what the source holds"
    return ": " + "; ".join(f"{reason.what} ({reason.count})" for reason in reasons[:3])
