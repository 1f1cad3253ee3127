"""Read the lines of a task set as far as they can be read, with everything that is wrong with each."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from voicebench.errors import UserError
from voicebench.files import mistakes
from voicebench.types import TaskRow

# Control characters alone have no other spelling in JSON.
_ESCAPED_LETTER = re.compile(r"(?<!\\)(?:\\\\)*\\u(?!00[01])[0-9a-fA-F]{4}")


@dataclass(frozen=True, order=True)
class Problem:
    """One mistake: the file, the line (from 1; 0 for the file as a whole), and what is wrong."""

    path: Path
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}" if self.line else f"{self.path}: {self.message}"


@dataclass(frozen=True)
class Line:
    """A task, and where it stands: the file and the line (from 1)."""

    path: Path
    number: int
    row: TaskRow

    @property
    def where(self) -> str:
        """`file:line`."""
        return f"{self.path}:{self.number}"

    def problem(self, message: str) -> Problem:
        """Return a problem of this line."""
        return Problem(self.path, self.number, message)


def raw_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield each line that is not blank, with its number from 1.

    Raises:
        UserError: The file cannot be read.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if raw.strip():
            yield number, raw


def read_line(raw: bytes) -> tuple[TaskRow | None, list[str]]:
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
