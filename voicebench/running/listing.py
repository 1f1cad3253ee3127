"""The runs of a folder at a glance: what made each, how far it came, how much room it takes."""

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from voicebench.errors import UserError
from voicebench.running.row_index import Legend, read_responses_index
from voicebench.running.run_info import RunInfo
from voicebench.running.runs import INFO, LOCK, RESPONSES, read_info


@dataclass(frozen=True)
class Listed:
    """A run as a list shows it.

    Attributes:
        folder: The run's folder.
        info: What made it; None where it ended before that was written, or where that is broken.
        answers: Questions with a row, those with an error included.
        planned: Answers planned.
        errors: Rows with an error.
        size_bytes: What its files take.
        problem: Why it cannot be read; None where it can.
    """

    folder: Path
    info: RunInfo | None
    answers: int = 0
    planned: int = 0
    errors: int = 0
    size_bytes: int = 0
    problem: str | None = None


def is_run(folder: Path) -> bool:
    """Whether a folder is a run's: no link, with a `run.json` or nothing but a lock that one left."""
    if folder.is_symlink() or not folder.is_dir():
        return False
    return (folder / INFO).is_file() or [path.name for path in folder.iterdir()] == [LOCK]


def list_runs(root: Path) -> list[Listed]:
    """Return the runs that lie in a folder, by name; links are not followed.

    Raises:
        UserError: There is no such folder, or it cannot be read.
    """
    try:
        folders = sorted(root.iterdir())
    except FileNotFoundError:
        raise UserError(f"{root}: no such folder. Runs are made by: voicebench eval") from None
    except OSError as error:
        raise UserError(f"{root}: cannot be read ({error.strerror})") from None
    return [look_at(folder) for folder in folders if is_run(folder)]


def look_at(folder: Path) -> Listed:
    """Return one run as a list shows it; a broken one with its problem."""
    size = size_of(folder)
    try:
        info = read_info(folder)
        table = read_responses_index(folder / RESPONSES, Legend(), 0).table
    except UserError as error:
        return Listed(folder, None, size_bytes=size, problem=str(error))
    planned = sum(cell.n for cell in info.planned) if info is not None else 0
    return Listed(folder, info, len(table), planned, int(table["failed"].sum()), size)


def size_of(folder: Path) -> int:
    """Return what the files of a folder take in bytes; links are counted as links."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            # A run that is being written moves files into place while they are counted.
            with suppress(FileNotFoundError):
                total += (Path(place) / name).lstat().st_size
    return total
