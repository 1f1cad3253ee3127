"""A sample of the gold itself for people to mark, and what their marks say of the whole."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field

from voicebench.errors import UserError
from voicebench.files import read_rows, write_text
from voicebench.scoring.statistics import Interval, wilson
from voicebench.types import Expect, Row, Task, TaskKind, Tool, Turn


class GoldMark(Row):
    """A line of the file of marks: what is asked, what is held to be right, and whether a person agrees.

    `right` is true, false, or null for not looked at yet.
    """

    task_id: str
    lang: str
    task: TaskKind
    turns: tuple[Turn, ...]
    reference_date: str | None = None
    expect: Expect
    tools: tuple[Tool, ...]
    right: bool | None = Field(default=None, strict=True)
    note: str = ""


@dataclass(frozen=True)
class GoldLine:
    """How much of the gold is right, by the marks on some of it.

    Attributes:
        name: A language, a kind of task, or "all".
        right: Items marked as right.
        marked: Items marked at all.
        sampled: Items in the file.
    """

    name: str
    right: int
    marked: int
    sampled: int

    @property
    def share(self) -> float | None:
        """Right ÷ marked; None where nothing is marked."""
        return self.right / self.marked if self.marked else None

    @property
    def interval(self) -> Interval | None:
        """Wilson's 95 % interval of that share; None where nothing is marked."""
        return wilson(self.right, self.marked)


def sample(tasks: Sequence[Task], n: int, *, seed: int) -> list[Task]:
    """Draw tasks, each language and kind by its share (the largest remainders are rounded up).

    The shares keep the mean over the sample an estimate of the mean over all tasks.

    Args:
        tasks: To draw from.
        n: How many; at most all.
        seed: The same seed draws the same tasks, whatever their order.

    Raises:
        UserError: `n` is less than 1 or there are fewer tasks.
    """
    if not 1 <= n <= len(tasks):
        raise UserError(f"a sample of {n} cannot be drawn from {len(tasks)} tasks")
    strata: dict[tuple[str, str], list[Task]] = defaultdict(list)
    for task in sorted(tasks, key=lambda task: _draw(seed, task.id)):
        strata[task.lang, task.task].append(task)
    exact = {stratum: n * len(members) / len(tasks) for stratum, members in strata.items()}
    taken = {stratum: int(share) for stratum, share in exact.items()}
    by_remainder = sorted(exact, key=lambda stratum: (taken[stratum] - exact[stratum], stratum))
    for stratum in by_remainder[: n - sum(taken.values())]:
        taken[stratum] += 1
    return [task for stratum in sorted(strata) for task in strata[stratum][: taken[stratum]]]


def write_sheet(path: Path, tasks: Sequence[Task]) -> None:
    """Write a file for people to mark.

    Raises:
        UserError: The file is there already (it may hold somebody's marks), or cannot be written.
    """
    if path.exists():
        raise UserError(f"{path}: is there already, and may hold marks. Give another --out")
    write_text(path, "".join(json.dumps(_sheet_row(task), ensure_ascii=False) + "\n" for task in tasks))


def read_sheet(path: Path) -> list[GoldMark]:
    """Read a file of marks.

    Raises:
        UserError: A line is wrong, or a task stands twice.
    """
    marks = read_rows(path, GoldMark)
    seen: set[str] = set()
    for mark in marks:
        if mark.task_id in seen:
            raise UserError(f"{path}: task {mark.task_id!r} stands twice")
        seen.add(mark.task_id)
    return marks


def gold_lines(marks: Sequence[GoldMark]) -> list[GoldLine]:
    """Return how much is right for each language and each kind, in the order they come, and over all."""
    langs, kinds = dict.fromkeys(mark.lang for mark in marks), dict.fromkeys(mark.task for mark in marks)
    return [
        *(_line(lang, [mark for mark in marks if mark.lang == lang]) for lang in langs),
        *(_line(kind, [mark for mark in marks if mark.task == kind]) for kind in kinds),
        _line("all", marks),
    ]


def _line(name: str, marks: Sequence[GoldMark]) -> GoldLine:
    marked = [mark for mark in marks if mark.right is not None]
    return GoldLine(name, sum(mark.right is True for mark in marked), len(marked), len(marks))


def _draw(seed: int, task_id: str) -> str:
    return hashlib.sha256(f"{seed}/{task_id}".encode()).hexdigest()


def _sheet_row(task: Task) -> dict[str, Any]:
    """Return a line with all its keys, so that a person sees what there is to fill in."""
    called = {call.name for call in task.expect.calls or ()}
    mark = GoldMark(
        task_id=task.id, lang=task.lang, task=task.task, turns=task.turns, reference_date=task.reference_date,
        expect=task.expect, tools=tuple(tool for tool in task.tools if tool.name in called),
    )  # fmt: skip
    row = mark.model_dump(mode="json", exclude_none=True)
    return {**row, "right": None, "note": ""}
