"""What is compared one by one: a task under a condition, with its trials, scored or not."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import ceil

from voicebench.compare.source import Source
from voicebench.report.merge import Answer, CellKey, Value
from voicebench.scoring.statistics import Counts
from voicebench.types import TaskKind

NOT_RUN = "not run"


@dataclass(frozen=True)
class Trial:
    """One answer, or the place of one that is not there.

    Attributes:
        value: The figure; None is unscored.
        reason: Why it is unscored.
        failed: Whether it is unscored because it never ran, or the harness or the machine failed.
        answer: What is known of it; None where there is no row.
    """

    value: float | None
    reason: str | None = None
    failed: bool = False
    answer: Answer | None = None


@dataclass(frozen=True)
class Unit:
    """A task under a condition.

    Attributes:
        task_id: The task.
        condition: How it was given.
        kind: The kind of task.
        lang: The task's language.
        trials: One a planned trial.
    """

    task_id: str
    condition: str
    kind: TaskKind
    lang: str
    trials: tuple[Trial, ...]

    @cached_property
    def value(self) -> float | None:
        """The mean of the scored trials; None where none is."""
        values = [trial.value for trial in self.trials if trial.value is not None]
        return sum(values) / len(values) if values else None

    @cached_property
    def reason(self) -> str | None:
        """Why the first unscored trial has no value; None where all are scored."""
        return next((t.reason or "no reason given" for t in self.trials if t.value is None), None)

    def with_missing(self, value: float) -> float:
        """Return the mean over all planned trials, each unscored one counted as `value`."""
        return sum(value if t.value is None else t.value for t in self.trials) / len(self.trials)


def units_of(source: Source, agent: str, condition: str, figure: str) -> list[Unit]:
    """Return every task that was planned for an agent under a condition and has the figure.

    What was planned and has no row is there, unscored ("not run"). Where the plan is not known, every task
    with a row is taken to be planned as often as trials occur.
    """
    found: defaultdict[CellKey, dict[str, dict[int, Answer | None]]] = defaultdict(dict)
    for answer in source.merged.answers:
        if (answer.agent, answer.condition) == (agent, condition):
            found[answer.cell].setdefault(answer.task_id, {})[answer.trial] = answer
    numbers = sorted({number for tasks in found.values() for trials in tasks.values() for number in trials})
    cells = {**found}
    if source.plan_known:
        for cell in source.merged.planned:
            if cell[:2] == (agent, condition):
                cells.setdefault(cell, {})
                _add_absent(source, cell, cells[cell])
    else:
        for tasks in cells.values():
            for trials in tasks.values():
                trials.update({number: None for number in numbers if number not in trials})
    units = [
        unit for cell, tasks in cells.items() for task_id, trials in tasks.items()
        if (unit := _unit(source, cell, task_id, trials, figure)) is not None
    ]  # fmt: skip
    position = {task_id: place for place, task_id in enumerate(source.merged.tasks)}
    return sorted(units, key=lambda unit: (position.get(unit.task_id, len(position)), unit.task_id))


def counts_of(units: Iterable[Unit]) -> Counts:
    """Return what became of all planned answers of some units."""
    trials = [trial for unit in units for trial in unit.trials]
    failed = sum(trial.failed for trial in trials)
    scored = sum(trial.value is not None for trial in trials)
    ran = len(trials) - failed
    return Counts(planned=len(trials), ran=ran, failed=failed, judge_failed=ran - scored, scored=scored)


def unscored_reasons(units: Iterable[Unit]) -> dict[str, int]:
    """Return why trials are unscored, with how many, the most frequent first."""
    found = Counter(t.reason or "no reason given" for u in units for t in u.trials if t.value is None)
    return dict(found.most_common())


def _add_absent(source: Source, cell: CellKey, tasks: dict[str, dict[int, Answer | None]]) -> None:
    """Add the trials of a cell that were planned and have no row, those of unknown tasks under "?"."""
    planned = source.merged.planned[cell]
    known = [task.id for task in source.merged.tasks.values() if (task.task, task.lang) == cell[2:]]
    absent = planned - sum(len(trials) for trials in tasks.values())
    free = _free_places(tasks, list(dict.fromkeys([*known, *tasks])), planned)
    for place in range(absent):
        task_id, number = next(free, (f"?{'-'.join(cell[2:])}-{place}", 0))
        tasks.setdefault(task_id, {})[number] = None


def _free_places(
    tasks: Mapping[str, Mapping[int, object]], names: list[str], planned: int
) -> Iterator[tuple[str, int]]:
    """Yield (task, trial) without a row: gaps of tasks that have some first, then those of all tasks."""
    taken = {(task_id, number) for task_id, trials in tasks.items() for number in trials}
    numbers = sorted({number for _, number in taken})
    n_trials = ceil(planned / len(names)) if names else 0
    gaps = [(task_id, number) for number in numbers for task_id in tasks]
    rest = [(task_id, number) for number in range(n_trials) for task_id in names]
    yield from (place for place in dict.fromkeys([*gaps, *rest]) if place not in taken)


def _unit(
    source: Source, cell: CellKey, task_id: str, trials: Mapping[int, Answer | None], figure: str
) -> Unit | None:
    _, condition, kind, lang = cell
    answers = [answer for answer in trials.values() if answer is not None]
    if answers:
        applies = any(figure in answer.values for answer in answers)
    else:
        applies = figure in source.merged.planned_figures(kind, source.merged.tasks.get(task_id))
    if not applies:
        return None
    return Unit(
        task_id, condition, kind, lang,
        tuple(_trial(answer, figure) for _, answer in sorted(trials.items())),
    )  # fmt: skip


def _trial(answer: Answer | None, figure: str) -> Trial:
    if answer is None:
        return Trial(None, NOT_RUN, failed=True)
    found = answer.values.get(figure, Value(None, "not scored"))
    return Trial(found.value, found.reason, found.failed, answer)
