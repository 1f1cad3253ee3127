"""What the commands print: plain lines where nobody watches, tables and progress bars on a terminal."""

import json
import logging
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer

from voicebench.models import Progress


def say(text: str = "") -> None:
    """Print a line of results to standard output."""
    typer.echo(text)


def note(text: str) -> None:
    """Print a line about what is going on to standard error."""
    typer.echo(text, err=True)


def say_next(command: str) -> None:
    """Print the command to run next, with the program's path where `voicebench` alone would not be found."""
    called = Path(sys.argv[0])
    if called.name == "voicebench" and shutil.which("voicebench") is None:
        command = command.replace("voicebench", str(called), 1)
    say(f"Next: {command}")


def say_table(
    headers: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    as_json: bool = False,
    optional: Sequence[str] = (),
) -> None:
    """Print rows as aligned columns; with `as_json` as a JSON array of objects.

    Where nobody watches, lines are never wrapped or cut. On a terminal too narrow for all columns those of
    `optional` are left out.

    Args:
        headers: Column names.
        rows: Cells; None prints as an en dash.
        as_json: For machines.
        optional: Headers of the columns that matter least.
    """
    if as_json:
        objects = [dict(zip(headers, row, strict=True)) for row in rows]
        say(json.dumps(objects, ensure_ascii=False, indent=2, default=str))
        return
    cells = [list(headers), *([_cell(value) for value in row] for row in rows)]
    if sys.stdout.isatty():
        _terminal_table(cells, optional)
        return
    widths = [max(len(row[i]) for row in cells) for i in range(len(headers))]
    for row in cells:
        say("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _cell(value: object) -> str:
    return "–" if value is None else str(value)


LONGEST_FIGURE = 12
GAP = 3
"""Width in characters of what stands between two columns on a terminal."""


def _terminal_table(cells: Sequence[Sequence[str]], optional: Sequence[str]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    headers, *rows = cells
    widths = [max(len(row[i]) for row in cells) + GAP for i in range(len(headers))]
    shown = [i for i, header in enumerate(headers) if sum(widths) <= console.width or header not in optional]
    table = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False)
    for index in shown:
        # Texts may be folded on a narrow terminal, figures may not.
        table.add_column(headers[index], overflow="fold", no_wrap=widths[index] - GAP <= LONGEST_FIGURE)
    for row in rows:
        table.add_row(*(Text(row[index]) for index in shown))
    console.print(table)
    if len(shown) < len(headers):
        left_out = ", ".join(header for header in headers if header in optional)
        say(f"(left out on this narrow terminal: {left_out})")


@contextmanager
def progress() -> Iterator[Progress]:
    """Show how long work goes on: bars on a terminal, elsewhere a plain line every ten seconds."""
    if not sys.stderr.isatty():
        yield _PlainProgress()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns: list[Any] = [
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    ]
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        known: dict[str, Any] = {}

        def show(what: str, done: int, total: int) -> None:
            if what not in known:
                known[what] = bars.add_task(what, total=total)
            bars.update(known[what], completed=done, total=total)

        yield show


class _PlainProgress:
    """A plain line when something starts, when it ends, and every ten seconds between."""

    EVERY_S = 10.0

    def __init__(self) -> None:
        self._last: dict[str, float] = {}

    def __call__(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if done < total and now - self._last.get(what, -self.EVERY_S) < self.EVERY_S:
            return
        if done >= total and what not in self._last:
            return  # all of it was there before
        self._last[what] = now
        note(f"{what}: {done} of {total}")


class _LogLines(logging.Handler):
    """The package's log records as plain lines on standard error."""

    def emit(self, record: logging.LogRecord) -> None:
        prefix = "warning: " if record.levelno >= logging.WARNING else ""
        note(prefix + record.getMessage())


def show_log_lines() -> None:
    """Let warnings and announcements of the library reach the terminal."""
    for name in ("voicebench", "voicebench_tts", "voicebench_asr", "voicebench_speech_lms"):
        logger = logging.getLogger(name)
        if not any(isinstance(handler, _LogLines) for handler in logger.handlers):
            logger.addHandler(_LogLines())
        logger.setLevel(logging.INFO)
