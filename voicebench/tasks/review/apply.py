"""Corrections into the task files: only onto the text that was seen, and only what still checks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from voicebench.errors import UserError, did_you_mean
from voicebench.files import write_bytes
from voicebench.shipped import data_folder
from voicebench.tasks.read import read_tools, task_files
from voicebench.tasks.review.decide import Decision, Done, Entry, Said, decide, stale
from voicebench.tasks.review.recheck import broken
from voicebench.tasks.review.sheet import rows_around, rows_in, seen
from voicebench.tasks.review.submission import Filled, Submission
from voicebench.tasks.review.task_file import TaskFile, TaskLine, read_task_files
from voicebench.types import TaskRow, Tool

REFUSALS: tuple[Done, ...] = ("stale", "refused")
"""What was asked for and is not done, for a reason that somebody has to look at."""


@dataclass(frozen=True)
class Applied:
    """What became of everything.

    Attributes:
        entries: In the order of the reviewers' files; one an item, and one each that is of no item as it is.
        written: The task files that changed, or would.
        open: How many items nobody said anything of.
    """

    entries: tuple[Entry, ...]
    written: tuple[Path, ...]
    open: int

    def count(self, *done: Done) -> int:
        """Return how many items ended so."""
        return sum(entry.done in done for entry in self.entries)


def writable_source(source: Path | None) -> Path:
    """Return the task set that corrections go into; None is the shipped set of a checkout.

    Raises:
        UserError: The shipped set belongs to an installed package.
    """
    if source is not None:
        return source
    folder = data_folder()
    if folder.name == "_data":
        raise UserError(f"{folder}: belongs to the installed package. Give --source with tasks of your own")
    return folder / "tasks"


def apply(
    submissions: Sequence[Submission],
    source: Path,
    *,
    tools: Mapping[str, Tool] | None = None,
    drop: bool = False,
    dry_run: bool = False,
) -> Applied:
    """Write corrections into the files of a task set.

    An item is changed only if it still is what the reviewer saw, if its reviewers do not contradict each
    other, and if the check finds nothing wrong with it afterwards that was not wrong before. All other lines
    keep their bytes. An item counts as reviewed (`meta.review` is "native") where a native speaker found it
    right as it then stands, or made it so; where somebody else changes it, it counts as reviewed no longer.

    Args:
        submissions: What reviewers handed back.
        source: A JSON Lines file, or a folder of `*.jsonl`.
        tools: What a task may name; None is the shipped tools.
        drop: Take out the items that a native speaker wants out and that no other item points to.
        dry_run: Write nothing.

    Raises:
        UserError: There is no such file or folder, or it cannot be read or written.
    """
    files = read_task_files(task_files(source))
    here = {id_: line for file in files for id_, line in file.by_id.items()}
    folders = [file.path.parent for file in files]
    beside = rows_in(folders) | _rows(here)
    around = rows_around(folders) | _rows(here)
    said, entries = _sorted_out(submissions, here, around)
    decisions = {
        id_: decide(
            what, here[id_], drop=drop,
            pointing=[row.id for row in beside.values() if id_ in (row.origin, row.twin)],
        )
        for id_, what in said.items()
    }  # fmt: skip
    changes = {id_: decision.data for id_, decision in decisions.items() if decision.writes}
    for id_, message in broken(files, changes, read_tools() if tools is None else tools).items():
        decisions[id_] = _refused(decisions[id_], message)
        del changes[id_]
    written = _write(files, changes, dry_run=dry_run)
    entries += [decision.entry for decision in decisions.values()]
    items = [item for found in submissions for item in found.items]
    place = {item.where: number for number, item in enumerate(items)}
    judged = {item.id for item in items if not item.is_open}
    return Applied(
        entries=tuple(sorted(entries, key=lambda entry: place[entry.where])),
        written=tuple(written),
        open=len({item.id for item in items} - judged),
    )


def _rows(here: Mapping[str, TaskLine]) -> dict[str, TaskRow]:
    return {id_: line.row for id_, line in here.items() if line.row is not None}


def _sorted_out(
    submissions: Sequence[Submission], here: Mapping[str, TaskLine], around: Mapping[str, TaskRow]
) -> tuple[dict[str, list[Said]], list[Entry]]:
    """Return what is said of each item as it stands, and what cannot be applied to any."""
    said: dict[str, list[Said]] = {}
    entries: list[Entry] = []
    for found in submissions:
        for item in found.items:
            if item.is_open:
                continue
            if item.id not in here:
                message = f"there is no such item.{did_you_mean(item.id, here)}"
                entries.append(Entry(item.where, item.id, "refused", message=message))
            elif _as_seen(item, around):
                said.setdefault(item.id, []).append(Said(item, found.native is True))
            else:
                entries.append(stale(item, here[item.id]))
    return said, entries


def _as_seen(item: Filled, around: Mapping[str, TaskRow]) -> bool:
    row = around[item.id]
    return seen(row, around.get(row.origin or "")) == item.seen


def _refused(decision: Decision, message: str) -> Decision:
    entry = replace(decision.entry, done="refused", native=False, message=f"the check says: {message}")
    return Decision(entry)


def _write(
    files: Sequence[TaskFile], changes: Mapping[str, dict[str, object] | None], *, dry_run: bool
) -> list[Path]:
    written = []
    for file in files:
        after = file.changed(changes)
        if after == file.raw:
            continue
        if not dry_run:
            write_bytes(file.path, after)
        written.append(file.path)
    return written
