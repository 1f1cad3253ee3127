"""Every figure of every planned answer, and the groups of them that figures are averaged over."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heapreplace
from typing import NamedTuple

from voicebench.report.derived import Derived, derived, derived_of_absent
from voicebench.report.merge import CellKey, Merged, Value, origin_of
from voicebench.report.shape import PER_CALL
from voicebench.scoring.statistics import Counts
from voicebench.types import Task

NOT_RUN = Value(None, "not run", failed=True)


class Observation(NamedTuple):
    """One answer's figure.

    Attributes:
        task_id: Its task.
        value: The figure, or None.
        reason: Why it is None.
        failed: Whether that is the harness's or the machine's fault (else the judge's).
        origin: The task that the task was localised from; itself where it was not.
        voice: The voice that was heard; None where none was, or it is not known.
        weight: How much it counts in a mean that is not over tasks (calls).
    """

    task_id: str
    value: float | None
    reason: str | None = None
    failed: bool = False
    origin: str | None = None
    voice: str | None = None
    weight: int = 1


class Sampled(NamedTuple):
    """A value that a mean is over (a task's, its trials averaged), with what it was drawn with."""

    task_id: str
    value: float
    origin: str
    voice: str | None


@dataclass(frozen=True)
class Group:
    """One figure over a group of answers.

    Attributes:
        drawn: The values that its mean is over; none where nothing is scored.
        n_tasks: Tasks that they are of.
        counts: What became of the answers.
        failed: Why some are not there: reason to number of answers.
        judge_failed: Why some that are there do not have the figure: reason to number of answers.
    """

    drawn: tuple[Sampled, ...]
    n_tasks: int
    counts: Counts
    failed: Mapping[str, int]
    judge_failed: Mapping[str, int]


Observed = Mapping[CellKey, Mapping[str, Sequence[Observation]]]
"""(agent, condition, kind, language) to the observations of each figure."""
Groups = Mapping[CellKey, Mapping[str, Group]]
"""The same, grouped."""


def observations(merged: Merged) -> Observed:
    """Return every figure of every planned answer; what was never run is there with the reason "not run"."""
    observed: defaultdict[CellKey, defaultdict[str, list[Observation]]]
    observed = defaultdict(lambda: defaultdict(list))
    present: defaultdict[CellKey, Counter[str]] = defaultdict(Counter)
    for answer in merged.answers:
        present[answer.cell][answer.task_id] += 1
        voice = answer.response.voice if answer.response else None
        figures = {figure: Derived(value) for figure, value in answer.values.items()} | derived(answer)
        _add(observed[answer.cell], figures, answer.task_id, answer.origin, voice)
    for cell, planned in merged.planned.items():
        absent = planned - present[cell].total()
        for task_id, task in _absent_tasks(cell, merged, present[cell], absent):
            names = merged.planned_figures(cell[2], task)
            figures = dict.fromkeys(names, Derived(NOT_RUN))
            figures |= derived_of_absent(cell[2], task, names, NOT_RUN)
            _add(observed[cell], figures, task_id, origin_of(task) if task else task_id, None)
    return observed


def groups_of(observed: Observed) -> Groups:
    """Return each cell's observations as groups."""
    return {
        cell: {
            figure: by_weight(rows) if figure == PER_CALL else by_task(rows)
            for figure, rows in figures.items()
        }
        for cell, figures in observed.items()
    }


def by_task(rows: Sequence[Observation]) -> Group:
    """Return observations as a group whose mean is over tasks: a task's trials are averaged first."""
    values: defaultdict[str, list[float]] = defaultdict(list)
    with_: dict[str, tuple[str, str | None]] = {}
    for row in rows:
        if row.value is not None:
            values[row.task_id].append(row.value)
            with_.setdefault(row.task_id, (row.origin or row.task_id, row.voice))
    drawn = (Sampled(task, sum(own) / len(own), *with_[task]) for task, own in values.items())
    return _group(rows, drawn)


def by_weight(rows: Sequence[Observation]) -> Group:
    """Return observations as a group in whose mean each counts as much as its weight."""
    drawn = (
        Sampled(row.task_id, row.value, row.origin or row.task_id, row.voice)
        for row in rows
        if row.value is not None
        for _ in range(row.weight)
    )
    return _group(rows, drawn)


def joined(groups: Iterable[Group]) -> Group:
    """Return several groups of different tasks as one; empty for none."""
    parts = list(groups)
    if len(parts) == 1:
        return parts[0]
    return Group(
        drawn=tuple(one for part in parts for one in part.drawn),
        n_tasks=sum(part.n_tasks for part in parts),
        counts=Counts.total(part.counts for part in parts),
        failed=added(part.failed for part in parts),
        judge_failed=added(part.judge_failed for part in parts),
    )


def added(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Return counts by reason added up, in the order of the reasons."""
    total: Counter[str] = Counter()
    for one in counts:
        total.update(one)
    return dict(sorted(total.items()))


def _add(
    cell: defaultdict[str, list[Observation]],
    figures: Mapping[str, Derived],
    task_id: str,
    origin: str,
    voice: str | None,
) -> None:
    for figure, (value, weight) in figures.items():
        cell[figure].append(
            Observation(task_id, value.value, value.reason, value.failed, origin, voice, weight)
        )


def _absent_tasks(
    cell: CellKey, merged: Merged, present: Counter[str], absent: int
) -> Iterator[tuple[str, Task | None]]:
    """Yield the tasks of `absent` answers of a cell: those with the fewest answers first, or unknown ones."""
    if absent < 1:
        return
    tasks = [task for task in merged.tasks.values() if (task.task, task.lang) == cell[2:]]
    fewest = [(present[task.id], place) for place, task in enumerate(tasks)]
    heapify(fewest)
    for i in range(absent):
        if fewest:
            n, place = fewest[0]
            heapreplace(fewest, (n + 1, place))
            yield tasks[place].id, tasks[place]
        else:
            yield f"?{i}", None


def _group(rows: Sequence[Observation], drawn: Iterable[Sampled]) -> Group:
    failed: Counter[str] = Counter()
    judge_failed: Counter[str] = Counter()
    for row in rows:
        if row.value is None:
            (failed if row.failed else judge_failed)[row.reason or "no reason given"] += 1
    ran = len(rows) - failed.total()
    values = tuple(drawn)
    return Group(
        drawn=values,
        n_tasks=len({one.task_id for one in values}),
        counts=Counts(
            planned=len(rows), ran=ran, failed=failed.total(), judge_failed=judge_failed.total(),
            scored=ran - judge_failed.total(),
        ),
        failed=dict(sorted(failed.items())),
        judge_failed=dict(sorted(judge_failed.items())),
    )  # fmt: skip
