"""A task file line by line: lines that are changed are written anew, all others keep their bytes."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voicebench.errors import UserError
from voicebench.tasks.lines import read_line
from voicebench.types import TaskRow

_MARK = b"\xef\xbb\xbf"
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")

Changes = Mapping[str, dict[str, Any] | None]
"""What items become, by id: the object of their line; None takes the line out."""


@dataclass(frozen=True)
class TaskLine:
    """A line: its bytes with their end, and the task, where it can be read."""

    raw: bytes
    row: TaskRow | None

    @property
    def data(self) -> dict[str, Any]:
        """The line's object, anew each time."""
        found: dict[str, Any] = json.loads(self.raw.removeprefix(_MARK))
        return found

    def written(self, data: Mapping[str, Any]) -> bytes:
        """Return the line with another object, between the same ends; the same bytes for the same object."""
        if repr(data) == repr(self.data):
            return self.raw
        start = _MARK if self.raw.startswith(_MARK) else b""
        end = self.raw[len(self.raw.rstrip(b"\r\n")) :]
        return start + self._dumped(data).encode() + end

    def _dumped(self, data: Mapping[str, Any]) -> str:
        """Return an object as JSON, with spaces after commas and colons where the line has them."""
        compact = json.dumps(self.data, ensure_ascii=False, separators=(",", ":"))
        tight = self.raw.removeprefix(_MARK).strip() == compact.encode()
        return json.dumps(data, ensure_ascii=False, separators=(",", ":") if tight else None)


@dataclass(frozen=True)
class TaskFile:
    """A task file: its path and its lines."""

    path: Path
    lines: tuple[TaskLine, ...]

    @property
    def raw(self) -> bytes:
        """The file's bytes."""
        return b"".join(line.raw for line in self.lines)

    @property
    def by_id(self) -> dict[str, TaskLine]:
        """The lines that can be read, by their item's id."""
        return {line.row.id: line for line in self.lines if line.row is not None}

    def changed(self, changes: Changes) -> bytes:
        """Return the file's bytes with some items changed."""
        return b"".join(_after(line, changes) for line in self.lines)


def read_task_files(paths: Iterable[Path]) -> list[TaskFile]:
    """Read task files, lines that are no tasks included.

    Raises:
        UserError: One cannot be read.
    """
    files = []
    for path in paths:
        try:
            raw = path.read_bytes()
        except OSError as error:
            raise UserError(f"{path}: cannot be read ({error.strerror})") from None
        files.append(TaskFile(path, lines_of(raw)))
    return files


def lines_of(raw: bytes) -> tuple[TaskLine, ...]:
    """Return the lines of a file's bytes; joined, they are the bytes again."""
    return tuple(TaskLine(line, _row(line)) for line in _LINE.findall(raw))


def _row(line: bytes) -> TaskRow | None:
    body = line.removeprefix(_MARK).strip()
    return read_line(body)[0] if body else None


def _after(line: TaskLine, changes: Changes) -> bytes:
    if line.row is None or line.row.id not in changes:
        return line.raw
    data = changes[line.row.id]
    return b"" if data is None else line.written(data)
