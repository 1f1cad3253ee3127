"""A run's folder: who may write it, what made it, and its files."""

import fcntl
import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from voicebench.errors import UserError
from voicebench.files import (
    disk_error,
    encoded,
    iterate_rows,
    parse_object,
    sha256_file,
    write_lines,
    write_text,
)
from voicebench.running.made import STATE, fingerprint, recall, remember
from voicebench.running.run_info import PlannedCount, RunInfo
from voicebench.types import Task, Tool

T = TypeVar("T")

INFO, TASKS, RESPONSES, SCORES = "run.json", "tasks.jsonl", "responses.jsonl", "scores.jsonl"
LOCK = ".lock"
_FILES = (INFO, TASKS, RESPONSES, SCORES, STATE)


def default_name(agents: Sequence[str], day: str) -> str:
    """Return a run's folder name from the day (ISO) and its first agent, fit for every file system."""
    slug = re.sub(r"[^A-Za-z0-9._+-]+", "-", agents[0]).strip("-")[:80]
    return f"{day}-{slug}"


@contextmanager
def opened(folder: Path, *, fresh: bool = False) -> Iterator[Path]:
    """Hold a run's folder for writing; it is made if it is not there.

    Args:
        folder: The run's folder.
        fresh: Remove what an earlier run left in it.

    Raises:
        UserError: Another process writes this run, or the folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / LOCK).open("w", encoding="utf-8")
    except OSError as error:
        raise disk_error(folder, error) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UserError(
                f"{folder}: another process is writing this run. Wait for it, or name another with --run"
            ) from None
        if fresh:
            for name in _FILES:
                (folder / name).unlink(missing_ok=True)
        yield folder


@contextmanager
def held(folder: Path) -> Iterator[Path]:
    """Keep writers out of a run while it is read or removed; others may read it meanwhile.

    Args:
        folder: The run's folder; nothing in it is made or changed.

    Raises:
        UserError: Another process writes this run, or the folder cannot be read.
    """
    try:
        lock = (folder / LOCK).open(encoding="utf-8")
    except FileNotFoundError:
        yield folder  # a run from elsewhere, which no process here writes
        return
    except OSError as error:
        raise UserError(f"{folder}: cannot be read ({error.strerror})") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            raise UserError(f"{folder}: another process is writing this run. Wait for it") from None
        yield folder


def read_info(folder: Path) -> RunInfo | None:
    """Return what made a run; None where the folder holds none.

    Raises:
        UserError: Its file is broken.
    """
    path = folder / INFO
    if not path.is_file():
        return None
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: cannot be read ({error}). Start anew with --fresh") from None
    return parse_object(data, RunInfo, str(path))


def write_info(folder: Path, info: RunInfo) -> None:
    """Write what made a run.

    Raises:
        UserError: The disk is full or the folder cannot be written.
    """
    write_text(folder / INFO, info.model_dump_json(indent=2, exclude_defaults=True) + "\n")


def merge_info(before: RunInfo | None, now: RunInfo) -> RunInfo:
    """Return the facts of a run that went on: the newest ones, and the union of what was asked."""
    if before is None:
        return now
    planned = {(p.agent, p.task, p.lang, p.condition): p for p in before.planned}
    for count in now.planned:
        key = (count.agent, count.task, count.lang, count.condition)
        planned[key] = max(planned.get(key, count), count, key=lambda p: p.n)
    agents = {agent.name: agent for agent in before.agents}
    for agent in now.agents:
        known = agents[agent.name].prompts if agent.name in agents else {}
        agents[agent.name] = agent.model_copy(update={"prompts": known | agent.prompts})
    return now.model_copy(
        update={
            "created": before.created,
            "agents": tuple(agents.values()),
            "synthesizers": _union(before.synthesizers, now.synthesizers),
            "converters": _union(before.converters, now.converters),
            "encoders": _union(before.encoders, now.encoders),
            "seeds": before.seeds | now.seeds,
            "conditions": _union(before.conditions, now.conditions),
            "languages": _union(before.languages, now.languages),
            "trials": max(before.trials, now.trials),
            "notes": _union(before.notes, now.notes),
            "planned": tuple(planned.values()),
        }
    )


def _union(first: Iterable[T], second: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def keep_tasks(folder: Path, tasks: Sequence[Task]) -> list[Task]:
    """Keep the tasks that were asked beside the answers, so that a run can be scored anywhere.

    Returns:
        All tasks of the run, those of earlier calls included.

    Raises:
        UserError: The file is broken or cannot be written.
    """
    lines = {task.id: encoded(task) for task in tasks}
    asked = hashlib.sha256(b"\n".join(lines.values())).hexdigest()
    path = folder / TASKS
    if recall(folder, TASKS, fingerprint([path], asked)):
        return list(tasks)
    before = {task.id: task for task in read_run_tasks(folder)}
    merged = before | {task.id: task for task in tasks}
    write_lines(path, [lines.get(task.id) or encoded(task) for task in merged.values()])
    _note_tasks(sha256_file(path), merged.values())
    if len(merged) == len(tasks):
        remember(folder, TASKS, fingerprint([path], asked))
    return list(merged.values())


def read_run_tasks(folder: Path) -> list[Task]:
    """Return the tasks that were asked in a run; empty where there is none.

    Raises:
        UserError: The file is broken.
    """
    path = folder / TASKS
    if not path.is_file():
        return []
    content = sha256_file(path)
    if content not in _last_tasks:
        _note_tasks(content, iterate_rows(path, Task, prepared=_Shared()))
    return list(_last_tasks[content])


_last_tasks: dict[str, tuple[Task, ...]] = {}
"""The tasks of one file, by its content: a command that asks scores right after, by the same tasks."""


def _note_tasks(content: str, tasks: Iterable[Task]) -> None:
    read = tuple(tasks)
    _last_tasks.clear()
    _last_tasks[content] = read


class _Shared:
    """Gives tasks that offer the same tool the same object, with its memory and what is made of it."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Any, Tool]] = {}

    def __call__(self, task: dict[str, Any]) -> dict[str, Any]:
        """Return a task's JSON object with tools in place of what is known to be one."""
        tools = task.get("tools")
        return {**task, "tools": [self._tool(data) for data in tools]} if isinstance(tools, list) else task

    def _tool(self, data: Any) -> Any:
        name = data.get("name") if isinstance(data, dict) else None
        if not isinstance(name, str):
            return data
        if name not in self._known:
            try:
                self._known[name] = (data, Tool.model_validate(data))
            # The task's own check says what is wrong, and where.
            except ValidationError:
                return data
        first, tool = self._known[name]
        return tool if data == first else data


def relative(path: Path, start: Path) -> str:
    """Return `path` as seen from `start`, with forward slashes."""
    return Path(os.path.relpath(path, start)).as_posix()


def counts(entries: Iterable[tuple[str, Task, str]]) -> tuple[PlannedCount, ...]:
    """Count (agent, task, condition) entries by cell."""
    cells: dict[tuple[str, str, str, str], PlannedCount] = {}
    for agent, task, condition in entries:
        key = (agent, task.task, task.lang, condition)
        n = cells[key].n if key in cells else 0
        cells[key] = PlannedCount(agent=agent, task=task.task, lang=task.lang, condition=condition, n=n + 1)
    return tuple(cells.values())
