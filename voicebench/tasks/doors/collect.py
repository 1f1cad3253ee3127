"""Gather what a door reads, item by item: tasks and recordings, or why an item is none."""

from collections.abc import Callable, Iterable, Sequence

from pydantic import ValidationError

from voicebench.errors import UserError, did_you_mean
from voicebench.files import describe
from voicebench.tasks.doors.contract import Clip, Imported, NoTask, Skipped, Wanted
from voicebench.types import TaskRow

TWICE = "its id stands twice in the source"


class Collector:
    """Takes items one by one."""

    def __init__(self) -> None:
        self._rows: dict[str, TaskRow] = {}
        self._skipped: list[Skipped] = []
        self._clips: list[Clip] = []

    def add(self, where: str, build: Callable[[], tuple[TaskRow, Iterable[Clip]]]) -> None:
        """Take what `build` returns, or note why it is no task.

        Args:
            where: Which item it is.
            build: Makes the task and its recordings; may raise `NoTask`.
        """
        try:
            row, clips = build()
        except NoTask as reason:
            self.skip(str(reason), f"{where} ({reason.detail})" if reason.detail else where)
        except ValidationError as error:
            self.skip("it does not fit the format of tasks", f"{where} ({describe(error, TaskRow)})")
        else:
            if row.id in self._rows:
                self.skip(TWICE, f"{where} ({row.id})")
            else:
                self._rows[row.id] = row
                self._clips.extend(clips)

    def skip(self, reason: str, where: str) -> None:
        """Note that an item is no task here."""
        self._skipped.append(Skipped(reason, where))

    def imported(self) -> Imported:
        """Return everything that was taken."""
        return Imported(tuple(self._rows.values()), tuple(self._skipped), tuple(self._clips))


def check_categories(wanted: Wanted, known: Sequence[str]) -> None:
    """Make sure that the wanted parts of a set exist.

    Raises:
        UserError: One does not; the message names the closest that does.
    """
    for name in wanted.categories or ():
        if name not in known:
            raise UserError(f"--category {name!r} is unknown.{did_you_mean(name, known)}")
