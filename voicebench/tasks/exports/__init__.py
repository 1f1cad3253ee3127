"""Write tasks in the forms of others: what fits is written, what does not is listed with its reason."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from voicebench.errors import VoicebenchError
from voicebench.types import Task

T = TypeVar("T")


@dataclass(frozen=True)
class LeftOut:
    """A task that a form cannot hold.

    Attributes:
        task_id: Which one.
        reason: Why, in words that are the same for all of the same kind.
    """

    task_id: str
    reason: str


@dataclass(frozen=True)
class Written:
    """What an export wrote.

    Attributes:
        folder: Where.
        files: The files, in order.
        count: How many tasks are in them.
        left_out: The tasks that are not.
    """

    folder: Path
    files: tuple[Path, ...]
    count: int
    left_out: tuple[LeftOut, ...] = ()

    def by_reason(self) -> list[tuple[str, int, str]]:
        """Return each reason with its count and a task, most frequent first."""
        counts = Counter(one.reason for one in self.left_out)
        example = {one.reason: one.task_id for one in reversed(self.left_out)}
        return [(reason, count, example[reason]) for reason, count in counts.most_common()]


class DoesNotFit(VoicebenchError):
    """Raised where a form cannot hold a task; the message is a `LeftOut.reason`."""


def sorted_out(tasks: Sequence[Task], build: Callable[[Task], T]) -> tuple[list[T], list[LeftOut]]:
    """Return what `build` makes of each task, and the tasks of which it makes nothing.

    Args:
        tasks: The tasks.
        build: Writes one in another form; may raise `DoesNotFit`.
    """
    made, left_out = [], []
    for task in tasks:
        try:
            made.append(build(task))
        except DoesNotFit as reason:
            left_out.append(LeftOut(task.id, str(reason)))
    return made, left_out
