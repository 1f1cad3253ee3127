"""Remove runs that nobody needs: only folders that are runs of ours, and never anything outside them."""

import re
import shutil
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from voicebench.errors import UserError, did_you_mean
from voicebench.files import disk_error
from voicebench.running.listing import Listed, is_run, list_runs
from voicebench.running.runs import held

_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


def parse_age(text: str) -> timedelta:
    """Return an age that is written as a number with a unit: 12h, 30d, 4w.

    Raises:
        UserError: It is not written so.
    """
    written = re.fullmatch(r"([0-9]{1,6})([hdw])", text.strip())
    if written is None:
        raise UserError(f"--older-than {text!r} is no age. Write a number and h, d or w, such as 30d")
    return int(written[1]) * _UNITS[written[2]]


def matching(
    root: Path,
    *,
    names: Sequence[str] = (),
    empty: bool = False,
    older_than: timedelta | None = None,
    now: datetime,
) -> list[Listed]:
    """Return the runs of a folder that are all of what is said.

    Args:
        root: Where the runs lie.
        names: Only these.
        empty: Only runs without an answer.
        older_than: Only runs that were started so long ago.
        now: The time to reckon from, with its zone.

    Raises:
        UserError: Nothing is said, or there is no run of a name.
    """
    if not (names or empty or older_than is not None):
        raise UserError("say which runs: names, --empty or --older-than 30d")
    runs = {run.folder.name: run for run in list_runs(root)}
    for name in names:
        if name not in runs:
            raise UserError(f"{root}: no run {name!r} here.{did_you_mean(name, runs)}")
    return [
        run
        for name, run in runs.items()
        if (not names or name in names)
        and (not empty or _is_empty(run))
        and (older_than is None or _age(run, now) > older_than)
    ]


def remove(folder: Path) -> None:
    """Remove a run's folder with all that is in it; a link in it is removed, what it leads to stays.

    Raises:
        UserError: It is no run, another process writes it, or it cannot be removed.
    """
    if not is_run(folder):
        raise UserError(f"{folder}: no run, so it is not removed")
    with held(folder):
        try:
            shutil.rmtree(folder)
        except OSError as error:
            raise disk_error(folder, error) from None


def _is_empty(run: Listed) -> bool:
    return run.answers == 0 and run.problem is None


def _age(run: Listed, now: datetime) -> timedelta:
    """Return how long ago a run was started: by its own record, or by its folder's time where it has none."""
    try:
        started = datetime.fromisoformat(run.info.created if run.info is not None else "")
    except ValueError:
        started = datetime.fromtimestamp(run.folder.lstat().st_mtime, now.tzinfo)
    if started.tzinfo is None:
        started = started.replace(tzinfo=now.tzinfo)
    return now - started
