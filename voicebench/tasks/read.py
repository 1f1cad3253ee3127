"""Read the task set, the shipped one or the user's own, with each tool's name resolved to its schema."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from voicebench.errors import UserError, did_you_mean
from voicebench.files import parse_object, parse_row, read_lines, sha256_json
from voicebench.shipped import data_folder
from voicebench.types import TASK_KINDS, Task, TaskRow, Tool


def read_tools(folder: Path | None = None) -> dict[str, Tool]:
    """Return the tools that tasks can name, by name, in the order of the files.

    Args:
        folder: A folder of `*.json`, each an array of tools; None is the shipped folder.

    Raises:
        UserError: No such files, or one of them is wrong; the message starts with the file.
    """
    folder = data_folder() / "tools" if folder is None else folder
    paths = sorted(folder.glob("*.json"))
    if not paths:
        raise UserError(f"{folder}: holds no tools (*.json)")
    tools: dict[str, Tool] = {}
    for path in paths:
        for tool in _read_tool_file(path):
            if tool.name in tools:
                raise UserError(f"{path}: tool {tool.name!r} is defined twice")
            tools[tool.name] = tool
    return tools


def read_tasks(
    source: Path | None = None,
    *,
    langs: Sequence[str] | None = None,
    kinds: Sequence[str] | None = None,
    tools: Mapping[str, Tool] | None = None,
) -> list[Task]:
    """Return tasks in the order of the files.

    Args:
        source: A JSON Lines file, or a folder of `*.jsonl`; None is the shipped set.
        langs: Keep only these languages; None keeps all.
        kinds: Keep only these kinds of task; None keeps all.
        tools: What a task may name; None is the shipped tools.

    Raises:
        UserError: A line is wrong (`file:line: …`), an id stands twice, or a wanted language or kind is not
            there.
    """
    for kind in kinds or ():
        if kind not in TASK_KINDS:
            raise UserError(f"unknown kind of task {kind!r}.{did_you_mean(kind, TASK_KINDS)}")
    known = read_tools() if tools is None else tools
    tasks: list[Task] = []
    seen: dict[str, str] = {}
    for path in task_files(source):
        for number, line in read_lines(path):
            where = f"{path}:{number}"
            task = parse_task(line, where, known)
            if task.id in seen:
                raise UserError(f"{where}: id {task.id!r} is already used at {seen[task.id]}")
            seen[task.id] = where
            tasks.append(task)
    place = "the shipped tasks" if source is None else str(source)
    if langs is not None:
        _require(langs, (task.lang for task in tasks), f"{place}: no tasks in", "languages")
        tasks = [task for task in tasks if task.lang in langs]
    if kinds is not None:
        _require(kinds, (task.task for task in tasks), f"{place}: no tasks of the kind", "kinds")
        tasks = [task for task in tasks if task.task in kinds]
    return tasks


def task_files(source: Path | None) -> list[Path]:
    """Return the files of a task set: the file itself, or the folder's `*.jsonl` by name.

    Raises:
        UserError: There is no such file or folder, or the folder holds no `*.jsonl`.
    """
    source = data_folder() / "tasks" if source is None else source
    if not source.is_dir():
        if not source.exists():
            raise UserError(f"{source}: no such file or folder")
        return [source]
    paths = sorted(source.glob("*.jsonl"))
    if not paths:
        raise UserError(f"{source}: holds no tasks (*.jsonl)")
    return paths


def parse_task(line: str | Mapping[str, Any], where: str, tools: Mapping[str, Tool]) -> Task:
    """Read one task and resolve its tools.

    Args:
        line: A line of tasks.jsonl, or the object it holds.
        where: `file:line`, for the error.
        tools: The tools that a task may name.

    Raises:
        UserError: The line is wrong, or names an unknown tool; the message starts with `where`.
    """
    if isinstance(line, str):
        row = parse_row(line, TaskRow, where)
    else:
        row = parse_object(dict(line), TaskRow, where)
    return resolve(row, where, tools)


def resolve(row: TaskRow, where: str, tools: Mapping[str, Tool]) -> Task:
    """Return the task with every tool's name replaced by its schema.

    Raises:
        UserError: A tool is unknown; the message names the closest one.
    """
    resolved = []
    for tool in row.tools:
        if isinstance(tool, Tool):
            resolved.append(tool)
        elif tool in tools:
            resolved.append(tools[tool])
        else:
            raise UserError(f"{where}: unknown tool {tool!r}.{did_you_mean(tool, tools)}")
    fields = {name: getattr(row, name) for name in TaskRow.model_fields}
    return Task(**{**fields, "tools": tuple(resolved)})


def _read_tool_file(path: Path) -> list[Tool]:
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise UserError(f"{path}: not JSON ({error})") from None
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise UserError(f"{path}: must hold a JSON array of tools")
    return [parse_object(entry, Tool, f"{path}: tool {i}") for i, entry in enumerate(entries)]


def _require(wanted: Iterable[str], present: Iterable[str], missing: str, what: str) -> None:
    there = sorted(set(present))
    for name in wanted:
        if name not in there:
            raise UserError(f"{missing} {name!r}. The {what} there are: {', '.join(there) or 'none'}")


def first_of_each(tasks: Sequence[Task], n: int) -> list[Task]:
    """Return the first `n` tasks of each kind and language, in the order given."""
    taken: Counter[tuple[str, str]] = Counter()
    chosen = []
    for task in tasks:
        if taken[task.task, task.lang] < n:
            taken[task.task, task.lang] += 1
            chosen.append(task)
    return chosen


def stratified(tasks: Sequence[Task], n: int, seed: int) -> list[Task]:
    """Draw `n` tasks of each kind and language at random, the same ones whenever it is done again.

    A task's place in the draw is the SHA-256 of the seed and its id. So a larger `n` contains what a smaller
    one drew, the order of the tasks does not matter, and a task that is added or removed displaces one at
    most. A task that was localised from another one has the place of that one: the same items are drawn in
    every language, and languages can be compared item by item.

    Args:
        tasks: What to draw from.
        n: How many of each kind and language; where there are fewer, all of them.
        seed: Of the draw.

    Returns:
        The tasks drawn, in the order given.
    """
    strata: dict[tuple[str, str], list[Task]] = {}
    for task in tasks:
        strata.setdefault((task.task, task.lang), []).append(task)

    def place(task: Task) -> tuple[str, str]:
        return sha256_json([seed, task.origin or task.id]), task.id

    drawn = {task.id for stratum in strata.values() for task in sorted(stratum, key=place)[:n]}
    return [task for task in tasks if task.id in drawn]
