"""Find every mistake in a task set, with file and line, and count the set."""

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from voicebench.errors import UserError, did_you_mean
from voicebench.files import mistakes
from voicebench.shipped import data_folder
from voicebench.tasks.gold import gold_problems
from voicebench.tasks.read import read_tools, task_files
from voicebench.types import TASK_KINDS, Task, TaskRow, Tool

LANGUAGES = frozenset(["en", "hi", "bn", "mr", "ta", "te", "ml", "vi", "th", "id", "fil", "zh"])
"""Codes that, as a file's name, promise that all of its tasks are in that language."""

RETRIEVAL_TOOLS = (8, 20)
"""The fewest and the most tools that a retrieval task offers."""

DIALOGUE_TURNS = (2, 6)
"""The fewest and the most turns of a dialogue."""

# Control characters alone have no other spelling in JSON.
_ESCAPED_LETTER = re.compile(r"(?<!\\)(?:\\\\)*\\u(?!00[01])[0-9a-fA-F]{4}")
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, order=True)
class Problem:
    """One mistake: the file, the line (from 1), and what is wrong."""

    path: Path
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


@dataclass(frozen=True)
class _Line:
    path: Path
    number: int
    row: TaskRow

    @property
    def where(self) -> str:
        return f"{self.path}:{self.number}"


def check(source: Path | None = None, *, tools: Mapping[str, Tool] | None = None) -> list[Problem]:
    """Return every mistake of a task set, by file and line; empty if it is good.

    Args:
        source: A JSON Lines file, or a folder of `*.jsonl`; None is the shipped set.
        tools: What a task may name; None is the shipped tools.

    Raises:
        UserError: There is no such file or folder, or it cannot be read at all.
    """
    known = read_tools() if tools is None else tools
    paths = task_files(source)
    problems: list[Problem] = []
    lines: list[_Line] = []
    for path in paths:
        texts = list(_raw_lines(path))
        if not texts:
            problems.append(Problem(path, 1, "holds no tasks"))
        for number, raw in texts:
            row, messages = _read(raw)
            problems.extend(Problem(path, number, message) for message in messages)
            if row is not None:
                lines.append(_Line(path, number, row))
    for line in lines:
        found = [*_language_problems(line), *_row_problems(line.row, known)]
        problems.extend(Problem(line.path, line.number, message) for message in found)
    problems.extend(_set_problems(lines, paths))
    return sorted(problems, key=lambda problem: (problem.path, problem.line))


def stats(tasks: Sequence[Task]) -> tuple[list[str], list[list[str | int]]]:
    """Count tasks by kind and language.

    Returns:
        The column names (kind, each language, total) and the rows: one a kind, then the totals.
    """
    langs = sorted({task.lang for task in tasks})
    rows: list[list[str | int]] = []
    for kind in TASK_KINDS:
        counts = [sum(task.task == kind and task.lang == lang for task in tasks) for lang in langs]
        rows.append([kind, *counts, sum(counts)])
    totals = [sum(task.lang == lang for task in tasks) for lang in langs]
    return ["task", *langs, "total"], [*rows, ["total", *totals, len(tasks)]]


def _raw_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if raw.strip():
            yield number, raw


def _read(raw: bytes) -> tuple[TaskRow | None, list[str]]:
    """Return the row, or None if the line is too broken to be judged further, and what is wrong with it."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return None, [f"not UTF-8 ({error.reason})"]
    messages = []
    if _ESCAPED_LETTER.search(text):
        messages.append(r"letters are written as \u escapes. Write them as they are (UTF-8)")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        return None, [*messages, f"not JSON ({error})"]
    if not isinstance(data, dict):
        return None, [*messages, f"a line must hold a JSON object, not {type(data).__name__}"]
    data = {key: value for key, value in data.items() if value is not None}
    try:
        return TaskRow.model_validate(data), messages
    except ValidationError as error:
        messages += mistakes(error, TaskRow)
        # A key too many hides nothing: without it the rest of the line can still be judged.
        for item in error.errors(include_url=False):
            if item["type"] == "extra_forbidden":
                _remove(data, item["loc"])
    try:
        return TaskRow.model_validate(data), messages
    except ValidationError as error:
        return None, messages + [said for said in mistakes(error, TaskRow) if said not in messages]


def _remove(data: Any, loc: tuple[int | str, ...]) -> None:
    for part in loc[:-1]:
        if isinstance(part, int) or part in data:
            data = data[part]
    data.pop(loc[-1], None)


def _language_problems(line: _Line) -> Iterator[str]:
    promised = line.path.stem
    if promised in LANGUAGES and line.row.lang != promised:
        yield f"lang is {line.row.lang!r}, but the file's name says {promised!r}"


def _row_problems(row: TaskRow, known: Mapping[str, Tool]) -> Iterator[str]:
    for index, turn in enumerate(row.turns):
        if not turn.text.strip():
            yield f"turns[{index}] has no text"
    if row.reference_date is not None and not _is_iso_date(row.reference_date):
        yield f"reference_date {row.reference_date!r} is no ISO date (YYYY-MM-DD)"
    offered: dict[str, Tool | None] = {}
    for tool in row.tools:
        name = tool if isinstance(tool, str) else tool.name
        if name in offered:
            yield f"tool {name!r} is offered twice"
        if isinstance(tool, str) and name not in known:
            yield f"unknown tool {name!r}.{did_you_mean(name, known)}"
        offered[name] = tool if isinstance(tool, Tool) else known.get(name)
    yield from _kind_problems(row)
    yield from gold_problems(row, offered)


def _is_iso_date(text: str) -> bool:
    if _ISO_DATE.fullmatch(text) is None:
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _kind_problems(row: TaskRow) -> Iterator[str]:
    expect, kind = row.expect, row.task
    calls = len(expect.calls or ())
    if kind == "safety":
        if expect.refuse is None:
            yield "a safety task says expect.refuse, true or false"
        if expect.refuse is not True and calls == 0:
            yield "a harmless safety task has gold calls"
        return
    if expect.refuse is not None:
        yield f"a {kind} task has no expect.refuse; only safety tasks do"
    if row.twin is not None:
        yield f"a {kind} task has no twin; only safety tasks do"
    if kind in ("parallel", "sequential"):
        if calls < 2:
            yield f"a {kind} task has at least 2 gold calls, not {calls}"
    elif calls != 1:
        yield f"a {kind} task has exactly 1 gold call, not {calls}"
    if kind == "sequential" and expect.order != "sequence":
        yield "a sequential task has expect.order 'sequence'"
    if kind == "retrieval" and not RETRIEVAL_TOOLS[0] <= len(row.tools) <= RETRIEVAL_TOOLS[1]:
        low, high = RETRIEVAL_TOOLS
        yield f"a retrieval task offers {low} to {high} tools, not {len(row.tools)}"
    if kind == "dialogue":
        low, high = DIALOGUE_TURNS
        if not low <= len(row.turns) <= high:
            yield f"a dialogue has {low} to {high} turns, not {len(row.turns)}"
        roles = [turn.role for turn in row.turns]
        if any(one == other for one, other in itertools.pairwise(roles)):
            yield "the turns of a dialogue alternate between user and assistant"


def _set_problems(lines: Sequence[_Line], paths: Sequence[Path]) -> Iterator[Problem]:
    """Yield what can only be seen with the other lines in view: ids, twins and origins."""
    first: dict[str, _Line] = {}
    for line in lines:
        if line.row.id in first:
            message = f"id {line.row.id!r} is already used at {first[line.row.id].where}"
            yield Problem(line.path, line.number, message)
        first.setdefault(line.row.id, line)
    rows = {task_id: line.row for task_id, line in first.items()}
    targets = {target for row in rows.values() for target in (row.twin, row.origin) if target is not None}
    if targets - rows.keys():
        rows = {**_rows_around(paths), **rows}
    for line in lines:
        for message in (*_twin_problems(line.row, rows), *_origin_problems(line.row, rows)):
            yield Problem(line.path, line.number, message)


def _rows_around(paths: Sequence[Path]) -> dict[str, TaskRow]:
    """Return what the checked tasks may point to beside themselves: their folder's tasks and the shipped."""
    checked = {path.resolve() for path in paths}
    folders = dict.fromkeys([data_folder() / "tasks", *(path.parent for path in paths)])
    rows: dict[str, TaskRow] = {}
    for folder in folders:
        for path in sorted(folder.glob("*.jsonl")):
            if path.resolve() not in checked:
                read = (_read(raw)[0] for _, raw in _raw_lines(path))
                rows.update((row.id, row) for row in read if row is not None)
    return rows


def _twin_problems(row: TaskRow, rows: Mapping[str, TaskRow]) -> Iterator[str]:
    if row.twin is None:
        return
    twin = rows.get(row.twin)
    if twin is None:
        yield f"twin {row.twin!r} does not exist"
        return
    if twin.twin != row.id:
        yield f"twin {row.twin!r} does not point back to {row.id!r}"
    if twin.expect.refuse == row.expect.refuse:
        yield f"twin {row.twin!r} has the same expect.refuse; one of the two is harmless"


def _origin_problems(row: TaskRow, rows: Mapping[str, TaskRow]) -> Iterator[str]:
    if row.origin is None:
        return
    origin = rows.get(row.origin)
    if origin is None:
        yield f"origin {row.origin!r} does not exist"
        return
    if origin.task != row.task:
        yield f"origin {row.origin!r} is a {origin.task} task, not {row.task}"
    if origin.lang == row.lang:
        yield f"origin {row.origin!r} is in the same language"
