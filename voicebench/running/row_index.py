"""Where each row of a run's files lies and what it answers: 65 bytes a row, whatever is in it.

Runs of a million answers are brought together by this index and copied line by line, byte for byte, so that
no more than one line at a time is in memory.
"""

import hashlib
import json
import logging
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from voicebench.errors import UserError
from voicebench.files import disk_error, iterate_rows, parse_row
from voicebench.types import Response, Task

log = logging.getLogger(__name__)

ROW = np.dtype(
    [
        ("agent", "<i4"), ("condition", "<i4"), ("trial", "<i8"), ("task", "<i4"), ("run", "<i4"),
        ("offset", "<i8"), ("length", "<i8"), ("line", "<u8"), ("prompt", "<u8"), ("audio", "<u8"),
        ("failed", "?"),
    ]
)  # fmt: skip
"""A row: its key as numbers, where it lies, and 64 bits of the hashes of its line and its question."""

KEY = ("agent", "condition", "trial", "task")
Table = npt.NDArray[np.void]
_BLOCK_ROWS = 8_192


class Names:
    """Names as numbers, in the order in which they first come; sorted, they are ranks."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def number(self, name: str) -> int:
        """Return a name's number; a new one gets the next."""
        return self._numbers.setdefault(name, len(self._numbers))

    def all(self) -> list[str]:
        """Return the names by their numbers."""
        return list(self._numbers)

    def ranks(self) -> npt.NDArray[np.int64]:
        """Return each name's place among all of them sorted, by number, shape (names,)."""
        ranks = np.empty(len(self._numbers), dtype=np.int64)
        for rank, name in enumerate(sorted(self._numbers)):
            ranks[self._numbers[name]] = rank
        return ranks


@dataclass(frozen=True)
class Legend:
    """What the numbers of an index stand for, shared by the runs that are compared."""

    agents: Names = field(default_factory=Names)
    conditions: Names = field(default_factory=Names)
    tasks: Names = field(default_factory=Names)


@dataclass(frozen=True)
class RunRows:
    """The answers of one run.

    Attributes:
        table: The last row of each key, shape (rows,), of type `ROW`, in the order of the file.
        models: (agent, model's name, its revision) of all rows.
        tasks_versions: The versions of the task set that the rows name.
    """

    table: Table
    models: frozenset[tuple[str, str | None, str | None]]
    tasks_versions: frozenset[str | None]


@dataclass(frozen=True)
class TaskLine:
    """A task as it stands in a run's tasks.jsonl.

    Attributes:
        id: The task's id.
        kind: The kind of task.
        lang: Its language.
        user_turns: How often the user speaks.
        line: 64 bits of the line's hash.
        offset: Where the line begins, in bytes.
        length: Its length in bytes.
    """

    id: str
    kind: str
    lang: str
    user_turns: int
    line: int
    offset: int
    length: int


def read_responses_index(path: Path, legend: Legend, run: int) -> RunRows:
    """Index a responses file; later rows count over earlier ones of the same key.

    Args:
        path: responses.jsonl; one that is not there has no rows.
        legend: Gets the names that are new.
        run: The run's number, kept in each row.

    Raises:
        UserError: A line is no response, or the file cannot be read.
    """
    blocks: list[Table] = []
    block: list[tuple[Any, ...]] = []
    models: set[tuple[str, str | None, str | None]] = set()
    versions: set[str | None] = set()
    for offset, line in whole_lines(path) if path.is_file() else ():
        try:
            row: dict[str, Any] = json.loads(line)
            model = row.get("model") or {}
            models.add((row["agent"], model.get("name"), model.get("revision")))
            versions.add(row.get("tasks_version"))
            entry = (
                legend.agents.number(row["agent"]), legend.conditions.number(row["condition"]),
                int(row["trial"]), legend.tasks.number(row["task_id"]), run, offset, len(line), _digest(line),
                _digest_of(row.get("prompt_sha256")), _digest_of(row.get("audio_sha256")),
                row.get("error") is not None,
            )  # fmt: skip
        except (ValueError, KeyError, TypeError, AttributeError):
            # Read once more with every check: it says which line this is and what is wrong with it.
            for _ in iterate_rows(path, Response, tolerate_torn_end=True):
                pass
            raise UserError(f"{path}: a line is no response") from None
        block.append(entry)
        if len(block) == _BLOCK_ROWS:
            blocks.append(np.array(block, dtype=ROW))
            block.clear()
    blocks.append(np.array(block, dtype=ROW))
    return RunRows(_last_of_each(np.concatenate(blocks)), frozenset(models), frozenset(versions))


def read_task_lines(path: Path) -> list[TaskLine]:
    """Index a run's tasks, in the order of the file; one that is not there has none.

    Raises:
        UserError: A line is no task, or the file cannot be read.
    """
    found = []
    for offset, line in whole_lines(path) if path.is_file() else ():
        task = parse_row(line.decode("utf-8", "replace"), Task, str(path))
        turns = len(task.user_turns)
        found.append(
            TaskLine(task.id, task.task, task.lang, turns, _digest(line), offset, len(line))
        )  # fmt: skip
    return found


def whole_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield (offset in bytes, line without its end) of each line that is not blank; a torn end is left out.

    Raises:
        UserError: The file cannot be read.
    """
    offset = 0
    try:
        with path.open("rb") as file:
            for raw in file:
                line = raw.rstrip()
                if not raw.endswith(b"\n") and not _is_json(line):
                    log.warning("%s: the last line was cut short and is left out", path)
                    return
                if line:
                    yield offset, line
                offset += len(raw)
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None


def copied(places: Iterable[tuple[Path, int, int]]) -> Iterator[bytes]:
    """Yield lines as they lie in files.

    Args:
        places: (file, offset, length) of each.

    Raises:
        UserError: A file cannot be read, or is shorter than it was.
    """
    with ExitStack() as stack:
        files: dict[Path, Any] = {}
        for path, offset, length in places:
            try:
                if path not in files:
                    files[path] = stack.enter_context(path.open("rb"))
                files[path].seek(offset)
                line: bytes = files[path].read(length)
            except OSError as error:
                raise disk_error(path, error) from None
            if len(line) != length:
                raise UserError(f"{path}: became shorter while it was read. Run the same command again")
            yield line


def groups(table: Table, *columns: npt.NDArray[Any]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Sort rows by columns and tell which continue the group of the row before.

    Args:
        table: The rows, shape (rows,).
        columns: What rows of one group have in common, each of shape (rows,); the first sorts first.

    Returns:
        (order, shape (rows,): indices into the table, by columns, then by run and place in the file;
        continues, shape (rows,): whether a row, in that order, has the same columns as the one before it.)
    """
    order = np.lexsort((table["offset"], table["run"], *columns[::-1]))
    continues = np.zeros(len(order), dtype=bool)
    if len(order):
        same = [column[order][1:] == column[order][:-1] for column in columns]
        continues[1:] = np.logical_and.reduce(same)
    return order, continues


def _last_of_each(table: Table) -> Table:
    order, continues = groups(table, *(table[name] for name in KEY))
    is_last = np.ones(len(order), dtype=bool)
    is_last[:-1] = ~continues[1:]
    last: Table = table[np.sort(order[is_last])]
    return last


def _digest(data: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest())


def _digest_of(text: str | None) -> int:
    return 0 if text is None else _digest(text.encode("utf-8", "surrogatepass"))


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True
