"""How a run goes on, as people and machines see it: a live table, plain lines, or a log of JSON lines."""

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from voicebench.cli import console
from voicebench.files import disk_error

if TYPE_CHECKING:
    from voicebench.running.watch import Snapshot, Watch

STANDARD_ERROR = "-"
LINES_EVERY_S = 10.0
LOG_EVERY_S = 1.0
_HEADERS = ("agent", "done", "rate", "in flight", "failed", "retries", "spent", "left")


@contextmanager
def watching(json_log: Path | None = None) -> Iterator["Watch"]:
    """Show how a run goes on: a live table on a terminal, elsewhere a plain line every ten seconds.

    Args:
        json_log: A file that JSON lines are appended to, one a second and one for each agent's beginning and
            end; "-" for standard error, and then nothing else is shown there. None for none.

    Raises:
        UserError: The log cannot be written.
    """
    from voicebench.running.watch import Watch

    with ExitStack() as stack:
        listeners = []
        on_stderr = json_log is not None and str(json_log) == STANDARD_ERROR
        if json_log is not None:
            log = sys.stderr if on_stderr else stack.enter_context(_appended(json_log))
            listeners.append(_Sometimes(lambda now: _log(log, now), every_s=LOG_EVERY_S))
        is_watched = sys.stderr.isatty() and not on_stderr
        if not is_watched and not on_stderr:
            listeners.append(_Sometimes(lambda now: console.note(line(now)), every_s=LINES_EVERY_S))
        watch = Watch(*listeners)
        if is_watched:
            stack.enter_context(_table(watch))
        yield watch


def line(now: "Snapshot") -> str:
    """Return a snapshot as one plain line; what is not known or 0 is left out."""
    said = dict(zip(_HEADERS, cells(now), strict=True))
    told = [f"asking {now.agent}: {now.done} of {now.total}"]
    if said["rate"]:
        told.append(said["rate"])
    counted = ("in flight", "failed", "retries")
    told += [f"{said[name]} {name}" for name in counted if said[name] not in ("", "0")]
    if said["spent"]:
        told.append(f"{said['spent']} spent")
    if said["left"] and now.done < now.total:
        told.append(f"{said['left']} left")
    return ", ".join(told)


def cells(now: "Snapshot") -> tuple[str, ...]:
    """Return a snapshot as the cells of the live table; "" where something is not known."""
    return (
        now.agent,
        f"{now.done:,} of {now.total:,}",
        "" if now.rate_per_s is None else f"{now.rate_per_s:.3g}/s",
        str(now.in_flight),
        str(now.failed),
        str(now.retries),
        "" if now.spent_usd is None else f"{now.spent_usd:.4f} USD",
        "" if now.left_s is None else _duration(now.left_s),
    )


@contextmanager
def _table(watch: "Watch") -> Iterator[None]:
    from rich.console import Console
    from rich.live import Live
    from rich.table import Table
    from rich.text import Text

    class View:
        """The table as it is when it is drawn."""

        def __rich__(self) -> Table:
            now = watch.snapshot()
            table = Table(box=None, header_style="bold", pad_edge=False)
            for header in _HEADERS:
                table.add_column(header, no_wrap=header != "agent", overflow="fold")
            if now.agent:
                table.add_row(*map(Text, cells(now)))
            return table

    with Live(View(), console=Console(stderr=True), refresh_per_second=4, transient=True):
        yield


class _Sometimes:
    """Passes on the first snapshot of an agent, the last one, and of those between one every few seconds."""

    def __init__(
        self,
        show: Callable[["Snapshot"], None],
        *,
        every_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._show, self._every_s, self._clock = show, every_s, clock
        self._agent: str | None = None
        self._next_s = 0.0
        self._lock = threading.Lock()

    def __call__(self, now: "Snapshot") -> None:
        with self._lock:
            is_first = now.agent != self._agent
            if is_first and now.done >= now.total:
                self._agent = now.agent
                return  # all of it was there before
            if is_first or now.done >= now.total or self._clock() >= self._next_s:
                self._agent = now.agent
                self._next_s = self._clock() + self._every_s
                self._show(now)


def _log(file: TextIO, now: "Snapshot") -> None:
    entry: dict[str, Any] = {"at": datetime.now(UTC).isoformat(timespec="milliseconds"), **now.as_json()}
    file.write(json.dumps(entry, ensure_ascii=False) + "\n")
    file.flush()


@contextmanager
def _appended(path: Path) -> Iterator[TextIO]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a", encoding="utf-8")
    except OSError as error:
        raise disk_error(path, error) from None
    with file:
        yield file


def _duration(seconds: float) -> str:
    minutes, rest_s = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest_s:02} s" if minutes else f"{rest_s} s"
