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


def say_table(headers: Sequence[str], rows: Sequence[Sequence[object]], *, as_json: bool = False) -> None:
    """Print rows as aligned columns, never wrapped or cut; with `as_json` as a JSON array of objects.

    Args:
        headers: Column names.
        rows: Cells; None prints as an en dash.
        as_json: For machines.
    """
    if as_json:
        objects = [dict(zip(headers, row, strict=True)) for row in rows]
        say(json.dumps(objects, ensure_ascii=False, indent=2, default=str))
        return
    if sys.stdout.isatty():
        _rich_table(headers, rows)
        return
    cells = [list(headers), *([_cell(value) for value in row] for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(headers))]
    for row in cells:
        say("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _cell(value: object) -> str:
    return "–" if value is None else str(value)


def _rich_table(headers: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE, header_style="bold", pad_edge=False)
    for header in headers:
        table.add_column(header, overflow="fold")
    for row in rows:
        table.add_row(*(Text(_cell(value)) for value in row))
    Console().print(table)


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
