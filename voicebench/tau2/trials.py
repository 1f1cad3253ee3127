"""What a result file of another harness holds, in our terms: whose fault decides, and nothing is dropped."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Literal

from pydantic import Field

from voicebench.errors import UserError
from voicebench.types import Row

Layout = Literal["tau-bench", "tau2", "tau2-dir"]
"""tau-bench: a list of trials. tau2: one file. tau2-dir: results.json with a folder of simulations."""

BASES: Mapping[str, str] = {
    "DB": "state",
    "COMMUNICATE": "said",
    "ENV_ASSERTION": "assertions",
    "ACTION": "actions",
    "NL_ASSERTION": "judged",
}
"""What a reward is made of: τ²-bench's word and ours."""


class Trial(Row):
    """One conversation about one task, and what it was worth.

    Attributes:
        task_id: The task, as text.
        trial: Which trial of the task, from 0.
        reward: From 0 to 1; None where the harness failed or nobody judged what counts.
        unscored: Why there is no reward.
        harness_failed: Whether it was the harness or the machine that failed; otherwise a verdict is lacking.
        recorded: The reward that the file states, whoever failed.
        ended: How the conversation ended, in the harness's own word.
        breakdown: What each part of the reward came to, by our names (`BASES`), whether it counts or not.
        source: The file it was read from, where trials of several files stand together; so the next three.
        domain: The domain.
        agent: The agent's model.
        lang: The language.
    """

    task_id: str
    trial: int
    reward: float | None = None
    unscored: str | None = None
    harness_failed: bool = False
    recorded: float | None = None
    ended: str | None = None
    breakdown: dict[str, float] = Field(default_factory=dict)
    source: str | None = None
    domain: str | None = None
    agent: str | None = None
    lang: str | None = None


@dataclass(frozen=True)
class Results:
    """The trials of one agent in one domain.

    Attributes:
        source: Where they were read from.
        layout: How they were stored.
        task_ids: Every task that was planned; those of which nothing ran, too.
        planned: Trials planned of each task.
        trials: Those that left a trace, by task and number.
        domain: The name of the domain, or None where the file does not say it.
        agent: The agent's model.
        user: The simulated user's model.
        lang: The language of the conversations, where the file says it.
        problems: What cannot be as it stands in the file, a sentence each.
    """

    source: str
    layout: Layout
    task_ids: tuple[str, ...]
    planned: int
    trials: tuple[Trial, ...]
    domain: str | None = None
    agent: str | None = None
    user: str | None = None
    lang: str | None = None
    problems: tuple[str, ...] = ()

    def rows(self) -> Iterator[Trial]:
        """Yield the trials as they stand beside those of other files, each with where it is from."""
        about = {"source": self.source, "domain": self.domain, "agent": self.agent, "lang": self.lang}
        return (trial.model_copy(update=about) for trial in self.trials)


@dataclass(frozen=True)
class Planned:
    """What was planned, where a file does not say it or says too little.

    Attributes:
        trials: Trials of each task; None: what the file says, or the most trials that a task has.
        n_tasks: Tasks; None: those that the file names.
    """

    trials: int | None = None
    n_tasks: int | None = None


def numbered(found: list[tuple[str, int | None]]) -> list[int]:
    """Return the number of each trial; one without a number gets its place among those of its task.

    Args:
        found: Task and number of each trial.
    """
    before: Counter[str] = Counter()
    numbers = []
    for task, number in found:
        numbers.append(before[task] if number is None else number)
        before[task] += 1
    return numbers


def one_of_each(source: str, trials: list[Trial]) -> tuple[Trial, ...]:
    """Return the trials by task and number; of a trial that was run again, the one that has a reward.

    Raises:
        UserError: Two trials with the same task and number have a reward.
    """
    chosen: dict[tuple[str, int], Trial] = {}
    for trial in trials:
        key = (trial.task_id, trial.trial)
        before = chosen.get(key)
        if before is not None and before.reward is not None and trial.reward is not None:
            raise UserError(
                f"{source}: task {trial.task_id!r} has trial {trial.trial} twice. Keep one result a trial"
            )
        if before is None or before.reward is None:
            chosen[key] = trial
    return tuple(chosen.values())


def plan(
    source: str, named: list[str], said: int | None, trials: tuple[Trial, ...], planned: Planned
) -> tuple[tuple[str, ...], int]:
    """Return the planned tasks and the trials planned of each.

    Tasks that `planned` counts and the file does not name stand in with names of their own: nothing ran.

    Args:
        source: The file, for errors.
        named: Tasks that the file lists.
        said: Trials a task that the file states.
        trials: What is there.
        planned: What the user says.

    Raises:
        UserError: There is more than was planned, or nothing at all.
    """
    tasks = list(dict.fromkeys([*named, *(trial.task_id for trial in trials)]))
    if not tasks:
        raise UserError(f"{source}: no task and no trial in it")
    if planned.n_tasks is not None and planned.n_tasks < len(tasks):
        raise UserError(f"{source}: {len(tasks)} tasks are there, but --n-tasks says {planned.n_tasks}")
    # Some count trials from 0, some from 1.
    numbers = [trial.trial for trial in trials] or [0]
    most = max(numbers) - min(numbers) + 1
    if planned.trials is not None and planned.trials < most:
        raise UserError(f"{source}: {most} trials of a task are there, but --trials says {planned.trials}")
    tasks += [f"(task {n})" for n in range(len(tasks) + 1, (planned.n_tasks or 0) + 1)]
    return tuple(tasks), planned.trials or max(said or 0, most)


def checked_reward(where: str, reward: float | None) -> float | None:
    """Return a reward as it is.

    Raises:
        UserError: It is no number from 0 to 1.
    """
    if reward is not None and not (isfinite(reward) and 0 <= reward <= 1):
        raise UserError(f"{where}: reward {reward} is not within 0 and 1")
    return reward
