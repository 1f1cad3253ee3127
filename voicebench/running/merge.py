"""Bring runs of one plan together: the shards of a run that several machines worked on, or any other parts.

The result does not depend on the order in which the runs are named: their rows are copied to the byte, sorted
by agent, condition, trial and task, and what is said of the run is put together in the order of the shards.
"""

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from voicebench import SCORING_VERSION
from voicebench.audio.build import MANIFEST
from voicebench.errors import UserError
from voicebench.files import write_lines
from voicebench.running.merge_checks import Part, Problem, counted, problems_of, twins
from voicebench.running.row_index import (
    ROW,
    Legend,
    Table,
    TaskLine,
    copied,
    read_responses_index,
    read_task_lines,
)
from voicebench.running.run_info import AgentInfo, PlannedCount, RunInfo
from voicebench.running.runs import INFO, RESPONSES, TASKS, held, opened, read_info, relative, write_info
from voicebench.running.shards import Shard


class CannotMerge(UserError):
    """Runs that do not go together; `problems` says everything that is in the way."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        rest = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        super().__init__(f"these runs cannot be merged: {problems[0].text}{rest}")
        self.problems = tuple(problems)


@dataclass(frozen=True)
class Merger:
    """What became of a merge.

    Attributes:
        runs: How many runs were merged.
        answers: How many answers the merged run holds.
        copies: How many rows stood in several runs, the same to the byte, and were taken once.
        gaps: What is not there, where gaps were allowed.
    """

    runs: int
    answers: int
    copies: int
    gaps: tuple[Problem, ...]


def merge_runs(
    folders: Sequence[Path], out: Path, *, command: str = "", allow_gaps: bool = False, fresh: bool = False
) -> Merger:
    """Merge runs into one; nothing is written where one problem is in the way.

    Rows of two runs with the same key (task, agent, condition, trial) are one answer if they are the same to
    the byte; if not, two answers were given and nobody can say which counts: that is an overlap, also where
    one of them is an error. The merged run is not scored yet.

    Args:
        folders: The runs' folders.
        out: The merged run's folder.
        command: What makes it again, for the record; "" is `voicebench merge` with the runs in their order.
        allow_gaps: Merge although shards or answers are missing; the run's notes say so.
        fresh: Take the place of a run that is there already.

    Raises:
        CannotMerge: The runs overlap, have gaps or are not made alike, or one is being written.
        UserError: There is a run in `out` already, or it cannot be written.
    """
    if out.resolve() in {folder.resolve() for folder in folders}:
        raise UserError(f"--out {out}: is one of the runs to merge. Name another folder")
    if (out / INFO).exists() and not fresh:
        raise UserError(
            f"--out {out}: there is a run already. Name another folder, or replace it with --fresh"
        )
    with ExitStack() as stack:
        legend = Legend()
        parts, table, unreadable = _gathered(folders, legend, stack)
        problems = [*unreadable, *(problems_of(parts, table, legend) if parts else ())]
        if any(problem.kind != "gap" or not allow_gaps for problem in problems):
            raise CannotMerge(problems)
        is_copy = twins(table)
        info = _merged_info(parts, out, _planned(parts, table[is_copy], legend), problems, command)
        with opened(out, fresh=fresh):
            tasks = _by_id(parts)
            write_lines(out / TASKS, copied(_task_places(tasks)))
            write_lines(out / RESPONSES, copied(_row_places(parts, table[~is_copy], legend)))
            write_info(out, info)
    return Merger(len(parts), int((~is_copy).sum()), int(is_copy.sum()), tuple(problems))


def _gathered(
    folders: Sequence[Path], legend: Legend, stack: ExitStack
) -> tuple[list[Part], Table, list[Problem]]:
    """Read all runs, writers kept out of them, in an order that does not depend on how they were named.

    Returns:
        (runs; their answers as one table, shape (rows,), in the order of the runs; what could not be read)
    """
    opened_runs: list[tuple[Path, RunInfo, Shard | None]] = []
    problems = []
    for folder in sorted({folder.resolve(): folder for folder in folders}.values(), key=str):
        try:
            info = read_info(folder)
            if info is None:
                raise UserError(f"{folder}: no run here")
            stack.enter_context(held(folder))
            opened_runs.append((folder, info, None if info.shard is None else Shard.parse(info.shard)))
        except UserError as error:
            problems.append(Problem("unreadable", str(error)))
    opened_runs.sort(key=lambda run: (0 if run[2] is None else run[2].index, str(run[0])))
    parts: list[Part] = []
    for folder, info, shard in opened_runs:
        try:
            tasks = {task.id: task for task in read_task_lines(folder / TASKS)}
            rows = read_responses_index(folder / RESPONSES, legend, len(parts))
            parts.append(Part(folder, info, shard, tasks, rows))
        except UserError as error:
            problems.append(Problem("unreadable", str(error)))
    table = np.concatenate([np.zeros(0, dtype=ROW), *(part.rows.table for part in parts)])
    ends = np.cumsum([len(part.rows.table) for part in parts])
    # Each run's rows are a view of the one table from here on, so that they are in memory once.
    views = np.split(table, ends[:-1])
    shared = [
        replace(part, rows=replace(part.rows, table=view)) for part, view in zip(parts, views, strict=False)
    ]
    return shared, table, problems


def _by_id(parts: Sequence[Part]) -> dict[str, tuple[Part, TaskLine]]:
    return {task.id: (part, task) for part in reversed(parts) for task in part.tasks.values()}


def _task_places(tasks: dict[str, tuple[Part, TaskLine]]) -> Iterator[tuple[Path, int, int]]:
    for _, (part, task) in sorted(tasks.items()):
        yield part.folder / TASKS, task.offset, task.length


def _row_places(parts: Sequence[Part], table: Table, legend: Legend) -> Iterator[tuple[Path, int, int]]:
    """Yield where each answer lies, by agent, condition, trial and task."""
    by = (
        legend.tasks.ranks()[table["task"]], table["trial"],
        legend.conditions.ranks()[table["condition"]], legend.agents.ranks()[table["agent"]],
    )  # fmt: skip
    for place in np.lexsort(by):
        row = table[place]
        yield parts[row["run"]].folder / RESPONSES, int(row["offset"]), int(row["length"])


def _planned(parts: Sequence[Part], copies: Table, legend: Legend) -> tuple[PlannedCount, ...]:
    """Return the sum of what was planned, what stands in several runs counted once."""
    cells: Counter[tuple[str, str, Any, str]] = Counter()
    for part in parts:
        for cell in part.info.planned:
            cells[cell.agent, cell.condition, cell.task, cell.lang] += cell.n
    agents, conditions, tasks = (names.all() for names in (legend.agents, legend.conditions, legend.tasks))
    known = _by_id(parts)
    for row in copies:
        _, task = known[tasks[row["task"]]]
        cells[agents[row["agent"]], conditions[row["condition"]], task.kind, task.lang] -= 1
    return tuple(
        PlannedCount(agent=agent, task=kind, lang=lang, condition=condition, n=n)
        for (agent, condition, kind, lang), n in sorted(cells.items())
    )


_TOLD_APART = {
    "name", "created", "command", "scoring_version", "agents", "synthesizers", "converters", "encoders",
    "judge", "seeds", "conditions", "languages", "audio", "notes", "planned", "shard",
}  # fmt: skip


def _merged_info(
    parts: Sequence[Part],
    out: Path,
    planned: tuple[PlannedCount, ...],
    gaps: Sequence[Problem],
    command: str,
) -> RunInfo:
    infos = [part.info for part in parts]
    first = infos[0]
    alike = {
        name for name in RunInfo.model_fields if all(getattr(i, name) == getattr(first, name) for i in infos)
    }
    unlike = [name for name in RunInfo.model_fields if name not in alike | _TOLD_APART]
    own = [
        f"Merged from {counted(len(parts), 'run')}: {', '.join(part.info.name for part in parts)}.",
        *([f"Not the same in all of them, so not said of the whole: {', '.join(unlike)}."] if unlike else []),
        *(f"Merged with a gap: {gap.text}." for gap in gaps),
    ]
    kept = {name: getattr(first, name) for name in alike - _TOLD_APART}
    return RunInfo(
        **kept,
        name=out.name,
        created=min((info.created for info in infos), key=_moment),
        command=command or _command(parts, out, allow_gaps=bool(gaps)),
        scoring_version=SCORING_VERSION,
        agents=_agents(infos),
        synthesizers=_union(ref for info in infos for ref in info.synthesizers),
        converters=_union(ref for info in infos for ref in info.converters),
        encoders=_union(ref for info in infos for ref in info.encoders),
        seeds={name: seed for info in reversed(infos) for name, seed in sorted(info.seeds.items())},
        conditions=_union(condition for info in infos for condition in info.conditions),
        languages=_union(lang for info in infos for lang in info.languages),
        audio=_audio(parts, out),
        notes=_union([*(note for info in infos for note in info.notes), *own]),
        planned=planned,
    )


def _agents(infos: Sequence[RunInfo]) -> tuple[AgentInfo, ...]:
    """Return each agent once, with its prompts for the kinds of task of all shards."""
    agents: dict[str, AgentInfo] = {}
    for agent in (agent for info in infos for agent in info.agents):
        before = agents.get(agent.name, agent)
        prompts = dict(sorted((agent.prompts | before.prompts).items()))
        agents[agent.name] = before.model_copy(update={"prompts": prompts})
    return tuple(agents.values())


def _command(parts: Sequence[Part], out: Path, *, allow_gaps: bool) -> str:
    words = ["voicebench", "merge", *(str(part.folder) for part in parts), "--out", str(out)]
    return shlex.join([*words, *(["--allow-gaps"] if allow_gaps else [])])


def _audio(parts: Sequence[Part], out: Path) -> str | None:
    """Return the first audio folder that is there, relative to the merged run."""
    for part in parts:
        if part.info.audio is not None and (part.folder / part.info.audio / MANIFEST).is_file():
            return relative((part.folder / part.info.audio).resolve(), out.resolve())
    return None


def _moment(created: str) -> tuple[float, str]:
    try:
        return datetime.fromisoformat(created).timestamp(), created
    except ValueError:
        return float("inf"), created


def _union(values: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(values))
