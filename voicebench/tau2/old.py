"""τ-bench's result files: a list of trials, each with its task, its reward and how that came about."""

from typing import Any, TypeGuard

from voicebench.tau2.trials import BASES, Planned, Results, Trial, checked_reward, numbered, one_of_each, plan
from voicebench.tau2.wire import Wire, fitted

_PARTS = {"r_actions": BASES["DB"], "r_outputs": BASES["COMMUNICATE"]}


class _Verdict(Wire):
    info: dict[str, Any] | None = None


class _Info(Wire):
    reward_info: _Verdict | None = None
    error: str | None = None


class _Trial(Wire):
    task_id: int | str
    reward: float | None = None
    trial: int | None = None
    info: _Info | None = None


def is_old(data: Any) -> TypeGuard[list[Any]]:
    """Tell whether a JSON value is such a file: a list of objects with a task and a reward."""
    return (
        isinstance(data, list)
        and bool(data)
        and all(isinstance(one, dict) for one in data)
        and {"task_id", "reward"} <= data[0].keys()
        and bool({"traj", "trial", "info"} & data[0].keys())
    )


def read_old(source: str, data: list[Any], planned: Planned) -> Results:
    """Read such a file; it names neither domain nor agent.

    A trial that ended in an error of the program was the harness's failure, though it stands there with a
    reward of 0. Planned are as many trials of each task as any task has, unless `planned` says more.

    Args:
        source: Where it was read from.
        data: Its JSON value.
        planned: What was planned.

    Raises:
        UserError: A trial does not fit, or is there twice.
    """
    rows = [fitted(one, _Trial, f"{source}, trial {place}") for place, one in enumerate(data, start=1)]
    numbers = numbered([(str(row.task_id), row.trial) for row in rows])
    trials = one_of_each(
        source, [_trial(source, row, number) for row, number in zip(rows, numbers, strict=True)]
    )
    task_ids, n_trials = plan(source, [], None, trials, planned)
    return Results(source, "tau-bench", task_ids, n_trials, trials)


def _trial(source: str, row: _Trial, number: int) -> Trial:
    task = str(row.task_id)
    recorded = checked_reward(f"{source}: task {task!r}, trial {number}", row.reward)
    info = row.info or _Info()
    failed = info.error is not None
    reason = "error of the harness" if failed else "no reward in the file" if recorded is None else None
    return Trial(
        task_id=task, trial=number, reward=None if reason else recorded, unscored=reason,
        harness_failed=failed, recorded=recorded, ended="error" if failed else None,
        breakdown=_parts(info.reward_info),
    )  # fmt: skip


def _parts(verdict: _Verdict | None) -> dict[str, float]:
    """Return the parts of a reward; of a task with things to be said the file keeps but that part."""
    info = (verdict.info if verdict else None) or {}
    return {
        part: float(info[key])
        for key, part in _PARTS.items()
        if isinstance(info.get(key), bool | int | float)
    }
