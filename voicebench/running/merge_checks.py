"""What keeps runs from being merged: overlaps, gaps and differences, all of them at once."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from voicebench.running.row_index import KEY, Legend, RunRows, Table, TaskLine, groups
from voicebench.running.run_info import RunInfo
from voicebench.running.shards import Shard

_NAMED = 3
"""Examples that a line names; of the rest it says how many there are."""


@dataclass(frozen=True)
class Problem:
    """Why runs cannot be merged, in one line.

    Attributes:
        kind: "unreadable", "overlap" (two runs answered one question), "gap" (something planned is not there)
            or "mixed" (the runs were not made alike).
        text: What and where.
    """

    kind: Literal["unreadable", "overlap", "gap", "mixed"]
    text: str


@dataclass(frozen=True)
class Part:
    """A run that is to be merged.

    Attributes:
        folder: Its folder, as it was given.
        info: What made it.
        shard: Which part of a whole it is, or None.
        tasks: Its tasks by id.
        rows: Its answers.
    """

    folder: Path
    info: RunInfo
    shard: Shard | None
    tasks: Mapping[str, TaskLine]
    rows: RunRows


def problems_of(parts: Sequence[Part], table: Table, legend: Legend) -> list[Problem]:
    """Return all that keeps runs from being merged.

    Args:
        parts: The runs, in the order of their numbers in the table.
        table: The answers of all runs, shape (rows,), of type `ROW`.
        legend: What the table's numbers stand for.
    """
    return [
        *(Problem("overlap", text) for text in _overlaps(parts, table, legend)),
        *(Problem("gap", text) for text in _missing_shards(parts)),
        *(Problem("gap", text) for text in _unplanned(parts)),
        *(Problem("gap", text) for part in parts for text in _missing_rows(part, legend)),
        *(Problem("mixed", text) for text in _differing_facts(parts)),
        *(Problem("mixed", text) for text in _differing_tasks(parts)),
        *(Problem("mixed", text) for part in parts for text in _strangers(part, legend)),
        *(Problem("mixed", text) for text in _differing_questions(parts, table, legend)),
    ]


def twins(table: Table) -> npt.NDArray[np.bool_]:
    """Tell which rows repeat the key of another run's row, shape (rows,), in the table's order."""
    order, continues = groups(table, *(table[name] for name in KEY))
    found = np.zeros(len(table), dtype=bool)
    found[order] = continues
    return found


def _overlaps(parts: Sequence[Part], table: Table, legend: Legend) -> Iterator[str]:
    order, continues = groups(table, *(table[name] for name in KEY))
    line, run = table["line"][order], table["run"][order]
    # A row that is the same to the byte is a copy of the same answer; anything else is a second answer.
    differs = np.flatnonzero(continues[1:] & (line[1:] != line[:-1])) + 1
    for one, other, places in _by_runs(run, differs):
        n = counted(len(places), "question")
        keys = _some([_key(table[order[place]], legend) for place in places[:_NAMED]], of=len(places))
        yield f"{parts[one].folder} and {parts[other].folder} both answered {n}, not alike: {keys}"


def _missing_shards(parts: Sequence[Part]) -> Iterator[str]:
    counts = {part.shard.count for part in parts if part.shard is not None}
    if len(counts) == 1:
        [count] = counts
        there = {part.shard.index for part in parts if part.shard is not None}
        missing = [f"{index}/{count}" for index in range(1, count + 1) if index not in there]
        if missing:
            is_are = "is" if len(missing) == 1 else "are"
            yield f"{counted(len(missing), 'shard')} {is_are} not there: {_some(missing, 20)}"


def _unplanned(parts: Sequence[Part]) -> Iterator[str]:
    """Find agents under conditions that some shards of a whole were asked for and others were not."""
    shards = [part for part in parts if part.shard is not None and part.info.planned]
    planned = [{(cell.agent, cell.condition) for cell in part.info.planned} for part in shards]
    everything = sorted(set().union(*planned))
    for part, cells in zip(shards, planned, strict=True):
        for agent, condition in everything:
            if (agent, condition) not in cells:
                yield f"{part.folder}: {agent} under {condition} was not planned, as it was in another shard"


def _missing_rows(part: Part, legend: Legend) -> Iterator[str]:
    agents, conditions, tasks = (names.all() for names in (legend.agents, legend.conditions, legend.tasks))
    present: Counter[tuple[str, str, str, str]] = Counter()
    columns = np.stack([part.rows.table[name] for name in ("agent", "condition", "task")], axis=1)
    for (agent, condition, task), n in zip(*np.unique(columns, axis=0, return_counts=True), strict=True):
        known = part.tasks.get(tasks[task])
        if known is not None:
            present[agents[agent], conditions[condition], known.kind, known.lang] += int(n)
    missing: Counter[tuple[str, str]] = Counter()
    planned: Counter[tuple[str, str]] = Counter()
    for cell in part.info.planned:
        there = present[cell.agent, cell.condition, cell.task, cell.lang]
        planned[cell.agent, cell.condition] += cell.n
        missing[cell.agent, cell.condition] += max(0, cell.n - there)
    for (agent, condition), n in sorted(missing.items()):
        if n:
            yield (
                f"{part.folder}: {n} of {planned[agent, condition]} planned answers of {agent} "
                f"under {condition} are not there"
            )


def _differing_facts(parts: Sequence[Part]) -> Iterator[str]:
    facts = (
        ("number of shards", lambda part: "whole" if part.shard is None else str(part.shard.count)),
        ("version of voicebench", lambda part: part.info.version),
        ("version of the prompts", lambda part: part.info.prompts_version),
        ("prompting", lambda part: repr(part.info.prompting)),
        ("number of trials", lambda part: str(part.info.trials)),
    )  # fmt: skip
    for what, fact in facts:
        yield from _differing(what, ((part, fact(part)) for part in parts))
    yield from _differing("version of the tasks", _task_versions(parts))
    named: defaultdict[str, list[tuple[Part, Hashable]]] = defaultdict(list)
    for part in parts:
        info = part.info
        for seed, value in info.seeds.items():
            named[f"seed {seed!r}"].append((part, value))
        for kind, refs in (
            ("synthesizer", info.synthesizers), ("converter", info.converters), ("encoder", info.encoders)
        ):  # fmt: skip
            for ref in refs:
                named[f"revision of the {kind} {ref.name}"].append((part, ref.revision))
        for agent in info.agents:
            made_of = ", ".join(f"{model.name} at {model.revision}" for model in agent.models)
            named[f"composition of {agent.name}"].append((part, made_of or "unknown"))
            for task, prompt in agent.prompts.items():
                named[f"prompt of {agent.name} for {task} tasks"].append((part, prompt[:12]))
        for name, model, revision in part.rows.models:
            named[f"model of the answers of {name}"].append((part, f"{model} at {revision}"))
    for what, values in named.items():
        yield from _differing(what, values)


def _task_versions(parts: Sequence[Part]) -> Iterator[tuple[Part, Hashable]]:
    for part in parts:
        yield part, part.info.tasks_version
        for version in part.rows.tasks_versions - {None}:
            yield part, version


def _differing(what: str, values: Iterable[tuple[Part, Hashable]]) -> Iterator[str]:
    by_value: defaultdict[Hashable, dict[str, None]] = defaultdict(dict)
    for part, value in values:
        by_value[value][str(part.folder)] = None
    if len(by_value) > 1:
        told = sorted(f"{value} ({_some(list(folders))})" for value, folders in by_value.items())
        yield f"the {what} differs: {'; '.join(told)}"


def _differing_tasks(parts: Sequence[Part]) -> Iterator[str]:
    first: dict[str, tuple[Part, int]] = {}
    pairs: defaultdict[tuple[Path, Path], list[str]] = defaultdict(list)
    for part in parts:
        for task in part.tasks.values():
            known, line = first.setdefault(task.id, (part, task.line))
            if line != task.line:
                pairs[known.folder, part.folder].append(task.id)
    for (one, other), ids in pairs.items():
        n = counted(len(ids), "task")
        yield f"{one} and {other} have {n} of the same id and other content: {_some(ids)}"


def _strangers(part: Part, legend: Legend) -> Iterator[str]:
    """Find tasks that are not of a run's shard, and answers to tasks that a run does not have."""
    if part.shard is not None:
        others = [task_id for task_id in part.tasks if not part.shard.holds(task_id)]
        if others:
            yield f"{part.folder}: {counted(len(others), 'task')} not of shard {part.shard}: {_some(others)}"
    names = legend.tasks.all()
    answered = [names[number] for number in np.unique(part.rows.table["task"])]
    unknown = sorted(name for name in answered if name not in part.tasks)
    if unknown:
        n = counted(len(unknown), "task")
        yield f"{part.folder}: answers to {n} not among its tasks: {_some(unknown)}"


def _differing_questions(parts: Sequence[Part], table: Table, legend: Legend) -> Iterator[str]:
    """Find answers of different runs to a question that was put in other words, or heard in another clip."""
    several = {task.id for part in parts for task in part.tasks.values() if task.user_turns > 1}
    is_several = np.array([name in several for name in legend.tasks.all()], dtype=bool)
    agent, condition, task = (table[name] for name in ("agent", "condition", "task"))
    # Of a conversation some agents hear all clips and some the last alone; a single clip is the same to all.
    hearer = np.where(is_several[task], agent, -1) if len(table) else agent
    checks = (
        ("prompt", "asked {n} in other words", (agent, condition, task)),
        ("audio", "have other clips for {n}", (hearer, condition, task)),
    )
    for column, what, by in checks:
        order, continues = groups(table, *by)
        asked, run = table[column][order], table["run"][order]
        other = (asked[1:] != asked[:-1]) & (run[1:] != run[:-1])
        for one, two, places in _by_runs(run, np.flatnonzero(continues[1:] & other) + 1):
            n = counted(len(places), "question")
            keys = _some([_key(table[order[place]], legend) for place in places[:_NAMED]], of=len(places))
            yield f"{parts[one].folder} and {parts[two].folder} {what.format(n=n)}: {keys}"


def _by_runs(
    run: npt.NDArray[np.int32], places: npt.NDArray[np.int64]
) -> Iterator[tuple[int, int, npt.NDArray[np.int64]]]:
    """Yield (run, other run, places) of rows that follow a row of another run.

    Both arrays have the shape (n,); `run` is of all rows in their order, `places` are indices into it.
    """
    before, here = run[places - 1], run[places]
    for one, other in sorted({(int(a), int(b)) for a, b in zip(before, here, strict=True)}):
        yield one, other, places[(before == one) & (here == other)]


def _key(row: np.void, legend: Legend) -> str:
    agent, condition = legend.agents.all()[row["agent"]], legend.conditions.all()[row["condition"]]
    return f"{legend.tasks.all()[row['task']]} {agent} {condition} {row['trial']}"


def _some(names: Sequence[str], most: int = _NAMED, *, of: int | None = None) -> str:
    rest = (len(names) if of is None else of) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")


def counted(n: int, what: str) -> str:
    """Return a number with its noun, in the plural where it is not one."""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
