"""Bring the rows of one or several runs together: one Answer for each task, agent, condition and trial."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite

from voicebench.errors import UserError
from voicebench.report.labels import (
    ERROR_LABELS,
    condition_order,
    count,
    kind_order,
    listed,
    one_line,
    unique,
)
from voicebench.report.run_data import RunData
from voicebench.report.shape import RIGHT
from voicebench.scoring.score import CALL_FIGURES, REFUSAL_FIGURES, figures_of
from voicebench.types import FIGURES, Response, Scores, Task, TaskKind

AnswerKey = tuple[str, str, str, int]
"""(task id, agent, condition, trial)."""
CellKey = tuple[str, str, TaskKind, str]
"""(agent, condition, kind, language)."""
Given = Mapping[TaskKind, frozenset[str]]
"""Kind of task to the figures that its score rows have; what a scorer never gives is not planned."""


@dataclass(frozen=True, slots=True)
class Value:
    """A figure of one answer: the number, or None and why; `failed` where the answer itself is not there."""

    value: float | None
    reason: str | None = None
    failed: bool = False


@dataclass(frozen=True)
class Answer:
    """What is known of one answer; `values` are the figures that apply to it, `right` first."""

    task_id: str
    agent: str
    condition: str
    trial: int
    kind: TaskKind
    lang: str
    task: Task | None
    score: Scores | None
    response: Response | None
    values: Mapping[str, Value]

    @property
    def key(self) -> AnswerKey:
        """What names it."""
        return self.task_id, self.agent, self.condition, self.trial

    @property
    def cell(self) -> CellKey:
        """The cell that it counts in."""
        return self.agent, self.condition, self.kind, self.lang

    @property
    def origin(self) -> str:
        """The task that its task was localised from; the task itself where it was not."""
        return origin_of(self.task) if self.task is not None else self.task_id

    @property
    def right(self) -> float | None:
        """How right it is, from 0 to 1; None where it is not scored."""
        return self.values[RIGHT].value


@dataclass(frozen=True)
class Merged:
    """Runs brought together.

    Attributes:
        tasks: Tasks by id.
        answers: All answers, in the order of tasks, agents, conditions and trials.
        planned: Answers planned for each cell, where the runs say so.
        given: The figures that score rows have, by kind.
        agents: Agents in the order to show them.
        renamed: (run, agent as in its rows) to the name shown.
        conditions: Conditions in the order to show them.
        kinds: Kinds that occur, in the order of `TASK_KINDS`.
        langs: Languages that occur, those of the runs' infos first.
        notes: What a reader must know about the merge.
        refusal_prompts: Agent to whether it was given leave to refuse; None where that is not known.
    """

    tasks: Mapping[str, Task]
    answers: Sequence[Answer]
    planned: Mapping[CellKey, int]
    given: Given
    agents: tuple[str, ...]
    renamed: Mapping[tuple[str, str], str]
    conditions: tuple[str, ...]
    kinds: tuple[TaskKind, ...]
    langs: tuple[str, ...]
    notes: tuple[str, ...]
    refusal_prompts: Mapping[str, bool | None]

    def planned_figures(self, kind: TaskKind, task: Task | None) -> tuple[str, ...]:
        """Return the figures that an answer to a task should have, `right` first."""
        return RIGHT, *_figures(kind, task, self.given)


def origin_of(task: Task) -> str:
    """Return the id of the task that a task was localised from; its own where it was not."""
    return task.origin or task.id


def main_figure(kind: TaskKind) -> str:
    """Return the figure that decides whether an answer to this kind of task is right."""
    return "refusal_right" if kind == "safety" else "parameters"


def merge(runs: Sequence[RunData]) -> Merged:
    """Bring runs together.

    Rows for the same answer within a run: the last one counts (a retry stands after what it retries). Where
    two runs answered the same task under the same agent's name, each run's agent becomes "agent @ run".

    Raises:
        UserError: Two runs have the same name.
    """
    twice = [name for name, n in Counter(run.info.name for run in runs).items() if n > 1]
    if twice:
        raise UserError(f"two runs are called {twice[0]!r}: rename one of their folders")
    renamed = _names(runs)
    tasks: dict[str, Task] = {}
    differing = 0
    for run in runs:
        for task in run.tasks:
            differing += tasks.setdefault(task.id, task) != task
    scores = {
        (row.task_id, renamed[run.info.name, row.agent], row.condition, row.trial): row
        for run in runs for row in run.scores
    }  # fmt: skip
    responses = {
        (row.task_id, renamed[run.info.name, row.agent], row.condition, row.trial): row
        for run in runs for row in run.responses
    }  # fmt: skip
    planned: Counter[CellKey] = Counter()
    for run in runs:
        for cell in run.info.planned:
            planned[renamed[run.info.name, cell.agent], cell.condition, cell.task, cell.lang] += cell.n

    given = _given(scores.values())
    found = [
        _answer(key, tasks.get(key[0]), scores.get(key), responses.get(key), given)
        for key in {**responses, **scores}
    ]
    answers = [answer for answer in found if answer is not None]
    agents = unique([*renamed.values()])
    position = {task_id: i for i, task_id in enumerate(tasks)}
    answers.sort(key=lambda a: (position.get(a.task_id, len(position)), a.task_id, agents.index(a.agent),
                                condition_order(a.condition), a.trial))  # fmt: skip
    said = [condition for run in runs for condition in run.info.conditions]
    kinds = {a.kind for a in answers} | {key[2] for key in planned} | {task.task for task in tasks.values()}
    langs = {a.lang for a in answers} | {key[3] for key in planned} | {task.lang for task in tasks.values()}
    ordered = [lang for run in runs for lang in run.info.languages if lang in langs]
    conditions = {a.condition for a in answers} | {key[1] for key in planned} | set(said)
    return Merged(
        tasks=tasks,
        answers=answers,
        planned=planned,
        given=given,
        agents=tuple(agents),
        renamed=renamed,
        conditions=tuple(sorted(conditions, key=condition_order)),
        kinds=tuple(sorted(kinds, key=kind_order)),
        langs=tuple(unique([*ordered, *sorted(langs)])),
        notes=tuple(_notes(runs, differing, len(found) - len(answers))),
        refusal_prompts=_refusal_prompts(runs, renamed),
    )


def _answer(
    key: AnswerKey, task: Task | None, score: Scores | None, response: Response | None, given: Given
) -> Answer | None:
    known = score or task
    if known is None:
        return None
    error = response.error if response else None
    fault = ERROR_LABELS[error.kind] if error else None
    if score:
        values = _scored(score, fault)
    else:
        missing = Value(None, fault or "not scored", failed=fault is not None)
        values = dict.fromkeys(_figures(known.task, task, given), missing)
    unknown = Value(None, fault or "no reason given", failed=fault is not None)
    right = values.get(main_figure(known.task), unknown)
    return Answer(
        *key, kind=known.task, lang=known.lang, task=task, score=score, response=response,
        values={RIGHT: right, **values},
    )  # fmt: skip


def _key(row: Response | Scores) -> AnswerKey:
    return row.task_id, row.agent, row.condition, row.trial


def _scored(score: Scores, fault: str | None) -> dict[str, Value]:
    found = {}
    for figure in FIGURES:
        value = getattr(score, figure)
        if value is not None:
            found[figure] = _value(value)
        elif figure in score.unscored:
            reason = one_line(score.unscored[figure], 80)
            # Scores from elsewhere may come without their responses: an error's kind begins its reason.
            failed = fault is not None or reason.partition(":")[0] in ERROR_LABELS
            found[figure] = Value(None, fault or reason, failed)
    return found


@lru_cache(maxsize=1000)
def _value(figure: float) -> Value:
    """Remembered: nearly all figures are one of a few numbers."""
    return Value(float(figure)) if isfinite(figure) else Value(None, "not a number")


def _given(scores: Iterable[Scores]) -> Given:
    """Return for each kind the figures that its score rows have."""
    given: defaultdict[TaskKind, set[str]] = defaultdict(set)
    for row in scores:
        given[row.task].update(f for f in FIGURES if getattr(row, f) is not None or f in row.unscored)
    return {kind: frozenset(figures) for kind, figures in given.items()}


def _figures(kind: TaskKind, task: Task | None, given: Given) -> list[str]:
    """Return the figures that an answer should have, going by its task's gold and by what scorers give."""
    guessed = REFUSAL_FIGURES if kind == "safety" else CALL_FIGURES
    figures = figures_of(task) if task is not None else guessed
    return [f for f in FIGURES if f in figures and f in given.get(kind, figures)]


def _names(runs: Sequence[RunData]) -> dict[tuple[str, str], str]:
    """Return the name to show for each (run, agent), in the order to show them."""
    answered: defaultdict[str, Counter[AnswerKey]] = defaultdict(Counter)
    names: dict[tuple[str, str], None] = {}
    for run in runs:
        names.update(dict.fromkeys((run.info.name, agent.name) for agent in run.info.agents))
        names.update(dict.fromkeys((run.info.name, cell.agent) for cell in run.info.planned))
        rows = {_key(row) for row in run.responses} | {_key(row) for row in run.scores}
        names.update(dict.fromkeys((run.info.name, agent) for agent in sorted({key[1] for key in rows})))
        for key in rows:
            answered[key[1]][key] += 1
    twice = {agent for agent, keys in answered.items() if max(keys.values()) > 1}
    return {(run, agent): f"{agent} @ {run}" if agent in twice else agent for run, agent in names}


def _refusal_prompts(
    runs: Sequence[RunData], renamed: Mapping[tuple[str, str], str]
) -> dict[str, bool | None]:
    """Return whether each agent was given leave to refuse; None where runs differ or do not say."""
    prompting = {run.info.name: run.info.prompting for run in runs}
    variants = {
        (run.info.name, agent.name): agent.variant
        for run in runs
        for agent in run.info.agents
        if agent.prompts
    }
    said: defaultdict[str, set[bool | None]] = defaultdict(set)
    for (run, name), agent in renamed.items():
        instructed = prompting[run]
        if (run, name) in variants:
            said[agent].add("no-refusal" not in variants[run, name].split(","))
        else:
            said[agent].add(instructed.refusal_prompt if instructed is not None else None)
    return {agent: next(iter(found)) if len(found) == 1 else None for agent, found in said.items()}


def _notes(runs: Sequence[RunData], differing: int, homeless: int) -> Iterator[str]:
    for run in runs:
        prefix = f"{run.info.name}: " if len(runs) > 1 else ""
        yield from (prefix + note for note in run.info.notes)
    scoring = {run.info.scoring_version for run in runs} | {
        row.scoring_version for run in runs for row in run.scores
    }
    task_sets = {run.info.tasks_version for run in runs}
    for what, versions in (("scoring rules", scoring), ("task sets", task_sets)):
        if len(versions) > 1:
            yield f"These figures do not compare: they were made with {what} {listed(sorted(versions))}."
    if differing:
        yield (
            f"{count(differing, 'task')} with the same id but other content in a later run: "
            "the first run's are shown."
        )
    if homeless:
        yield f"{count(homeless, 'answer')} to tasks that are not known here: left out."
