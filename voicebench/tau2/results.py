"""τ²-bench's and SEATauBench's results: one file, or results.json with a folder of simulations beside it."""

from collections.abc import Iterator, Sequence
from math import prod
from pathlib import Path
from typing import Any

from voicebench.report.labels import count
from voicebench.tau2.trials import BASES, Planned, Results, Trial, checked_reward, numbered, one_of_each, plan
from voicebench.tau2.wire import Wire, fitted, read_json

RESULTS = "results.json"
SIMULATIONS = "simulations"

FINISHED = ("user_stop", "agent_stop")
"""How a conversation ends that is worth what its checks say; any other end is worth 0."""
HARNESS_FAILURES = ("infrastructure_error", "unexpected_error", "timeout", "user_error")
"""Ends that say nothing about the agent: the machine, the clock, or the simulated user failed."""

_CLOSE = 1e-6


class _Database(Wire):
    db_match: bool | None = None


class _Reward(Wire):
    reward: float
    db_check: _Database | None = None
    nl_assertions: list[Any] | None = None
    reward_basis: list[str] | None = None
    reward_breakdown: dict[str, float] | None = None


class _Simulation(Wire):
    id: str | None = None
    task_id: int | str
    trial: int | None = None
    termination_reason: str | None = None
    reward_info: _Reward | None = None


class _Criteria(Wire):
    nl_assertions: list[Any] | None = None


class _Task(Wire):
    id: int | str
    evaluation_criteria: _Criteria | None = None


class _Model(Wire):
    llm: str | None = None
    implementation: str | None = None


class _Environment(Wire):
    domain_name: str | None = None


class _Localized(Wire):
    run_language: str | None = None


class _Info(Wire):
    num_trials: int | None = None
    agent_info: _Model | None = None
    user_info: _Model | None = None
    environment_info: _Environment | None = None
    lang_id: str | None = None
    seatau_info: _Localized | None = None


class _Entry(Wire):
    id: str
    task_id: int | str
    trial: int | None = None


class _File(Wire):
    info: _Info
    tasks: tuple[_Task, ...] = ()
    simulations: list[_Simulation] | None = None
    simulation_index: list[_Entry] | None = None


def is_results(data: Any) -> bool:
    """Tell whether a JSON value is such a file, with its simulations or without."""
    return isinstance(data, dict) and "info" in data and bool({"simulations", "tasks"} & data.keys())


def is_results_folder(path: Path) -> bool:
    """Tell whether a folder holds one run: results.json and a folder of simulations."""
    return (path / RESULTS).is_file() and (path / SIMULATIONS).is_dir()


def read_results(source: Path, data: Any, planned: Planned) -> Results:
    """Read results of either layout.

    Planned are the tasks that the file lists and those that have a simulation, each as often as
    `info.num_trials` says. What is missing of that, what the harness lost and what nobody judged has no
    reward; an agent that was stopped before it was done has 0.

    Args:
        source: The file; results.json for a folder.
        data: Its JSON value.
        planned: What was planned, where the file says too little.

    Raises:
        UserError: A simulation does not fit, or is there twice.
    """
    file = fitted(data, _File, str(source))
    folder = source.parent / SIMULATIONS
    in_folder = not file.simulations and (folder.is_dir() or file.simulation_index is not None)
    simulations = list(_from_folder(folder)) if in_folder else list(file.simulations or ())
    problems = tuple(_astray(file.simulation_index, simulations)) if in_folder else ()
    tasks = {str(task.id): task for task in file.tasks}
    numbers = numbered([(str(one.task_id), one.trial) for one in simulations])
    found = [
        _trial(str(source), one, number, tasks.get(str(one.task_id)))
        for one, number in zip(simulations, numbers, strict=True)
    ]
    trials = one_of_each(str(source), found)
    indexed = [str(entry.task_id) for entry in file.simulation_index or ()]
    task_ids, n_trials = plan(str(source), [*tasks, *indexed], file.info.num_trials, trials, planned)
    return Results(
        source=str(source), layout="tau2-dir" if in_folder else "tau2", task_ids=task_ids, planned=n_trials,
        trials=trials, problems=(*problems, *_contradictions(simulations, numbers)),
        **_about(file.info),
    )  # fmt: skip


def _from_folder(folder: Path) -> Iterator[_Simulation]:
    for path in sorted(folder.glob("*.json")):
        yield fitted(read_json(path), _Simulation, str(path))


def _astray(index: Sequence[_Entry] | None, simulations: Sequence[_Simulation]) -> Iterator[str]:
    """Yield how a folder differs from the index in its results.json."""
    if index is None:
        return
    listed, there = {entry.id for entry in index}, {one.id for one in simulations}
    if listed - there:
        yield f"of the index, not in the folder: {count(len(listed - there), 'simulation')}"
    if there - listed:
        yield f"in the folder, not in the index: {count(len(there - listed), 'simulation')}"


def _about(info: _Info) -> dict[str, str | None]:
    def model(of: _Model | None) -> str | None:
        return (of.llm or of.implementation) if of else None

    localized = info.seatau_info.run_language if info.seatau_info else None
    return {
        "domain": info.environment_info.domain_name if info.environment_info else None,
        "agent": model(info.agent_info),
        "user": model(info.user_info),
        "lang": info.lang_id or localized,
    }


def _trial(source: str, row: _Simulation, number: int, task: _Task | None) -> Trial:
    found = row.reward_info
    recorded = checked_reward(f"{source}: {_place(row, number)}", found.reward if found else None)
    trial = Trial(
        task_id=str(row.task_id), trial=number, recorded=recorded, ended=row.termination_reason,
        breakdown=_breakdown(found) if found else {},
    )  # fmt: skip
    return trial.model_copy(update=_verdict(row, task))


def _breakdown(found: _Reward) -> dict[str, float]:
    """Return what was looked at, by our names; the data bases also where they do not count."""
    match = found.db_check.db_match if found.db_check else None
    looked = ({} if match is None else {"DB": float(match)}) | (found.reward_breakdown or {})
    return {BASES.get(part, part): value for part, value in looked.items()}


def _verdict(row: _Simulation, task: _Task | None) -> dict[str, float | str | bool]:
    """Return the reward of a trial, or why it has none: whose fault decides."""
    if row.termination_reason in HARNESS_FAILURES:
        return {"unscored": row.termination_reason, "harness_failed": True}
    if _was_stopped(row):
        return {"reward": 0.0}
    found = row.reward_info
    if found is None:
        return {"unscored": "not evaluated"}
    unjudged = _unjudged(found, task)
    if unjudged and found.reward > 0:
        return {"unscored": f"unjudged: {unjudged}"}
    return {"reward": found.reward}


def _was_stopped(row: _Simulation) -> bool:
    return row.termination_reason is not None and row.termination_reason not in FINISHED


def _unjudged(found: _Reward, task: _Task | None) -> str | None:
    """Return a part that counts, has something to judge and was not judged in full; None for none."""
    criteria = task.evaluation_criteria if task else None
    wanted = None if criteria is None else len(criteria.nl_assertions or ())
    for part in found.reward_basis or ():
        statements = part == "NL_ASSERTION"
        if statements and wanted == 0:
            continue
        if found.reward_breakdown is not None and part not in found.reward_breakdown:
            return part
        if statements and wanted is not None and len(found.nl_assertions or ()) < wanted:
            return part
    return None


def _contradictions(simulations: Sequence[_Simulation], numbers: Sequence[int]) -> Iterator[str]:
    """Yield what cannot be true of one trial at once."""
    for row, number in zip(simulations, numbers, strict=True):
        found = row.reward_info
        if found is None or row.termination_reason in HARNESS_FAILURES:
            continue
        parts = found.reward_breakdown or {}
        basis = [part for part in found.reward_basis or () if part in parts]
        if _was_stopped(row) and found.reward > 0:
            ended = f"ended with {row.termination_reason}"
            yield f"{_place(row, number)}: {ended}, but has a reward of {found.reward:g}"
        elif basis and abs(prod(parts[part] for part in basis) - found.reward) > _CLOSE:
            said = ", ".join(f"{part} {parts[part]:g}" for part in basis)
            yield f"{_place(row, number)}: a reward of {found.reward:g}, but its parts are {said}"


def _place(row: _Simulation, number: int) -> str:
    return f"task {str(row.task_id)!r}, trial {number}"
