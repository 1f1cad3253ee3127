"""Which corrections would break an item: the same check before and after, on a copy beside the same files."""

import os
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from voicebench.tasks.check import check
from voicebench.tasks.review.task_file import Changes, TaskFile, lines_of
from voicebench.types import Tool

# What the check says of a line names others by their number, which a line that is taken out shifts.
_LINE_NUMBER = re.compile(r"(?<=\.jsonl):\d+")

_Problems = Counter[tuple[str, str]]


def broken(files: Sequence[TaskFile], changes: Changes, tools: Mapping[str, Tool]) -> dict[str, str]:
    """Return which changes bring problems that were not there before, and what the check says of each.

    Without them, the others bring none.

    Args:
        files: The task files.
        changes: What items become.
        tools: What a task may name.
    """
    found: dict[str, str] = {}
    for file in files:
        kept = {id_: changes[id_] for id_ in file.by_id if id_ in changes}
        if kept:
            found |= _broken_in(file, kept, tools)
    return found


def _broken_in(file: TaskFile, kept: Changes, tools: Mapping[str, Tool]) -> dict[str, str]:
    found: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        copy = _beside_the_same(file.path, Path(folder))
        before = _problems(copy, file.raw, tools)
        while kept:
            blamed = _blamed(_problems(copy, file.changed(kept), tools) - before, kept)
            if not blamed:
                break
            found |= blamed
            kept = {id_: data for id_, data in kept.items() if id_ not in blamed}
    return found


def _beside_the_same(path: Path, folder: Path) -> Path:
    """Return a file's place in a folder where everything else is as in its own."""
    for other in path.parent.glob("*.jsonl"):
        if other.name != path.name:
            (folder / other.name).symlink_to(other.resolve())
    return folder / path.name


def _problems(path: Path, raw: bytes, tools: Mapping[str, Tool]) -> _Problems:
    """Return what the check finds in a file of these bytes: the item's id and the message of each."""
    path.write_bytes(raw)
    ids = [line.row.id if line.row is not None else "" for line in lines_of(raw)]
    return Counter(
        (ids[problem.line - 1] if ids else "", _without_place(problem.message, path.parent))
        for problem in check(path, tools=tools)
    )


def _without_place(message: str, folder: Path) -> str:
    return _LINE_NUMBER.sub("", message.replace(f"{folder}{os.sep}", ""))


def _blamed(new: Iterable[tuple[str, str]], kept: Changes) -> dict[str, str]:
    """Return which changes problems come from: of their own item, else of those they name, else all."""
    found: dict[str, str] = {}
    for id_, message in new:
        own = [id_] if id_ in kept else [other for other in kept if other in message]
        for guilty in own or list(kept):
            found.setdefault(guilty, message if guilty == id_ else f"{id_}: {message}")
    return found
