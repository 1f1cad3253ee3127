"""`voicebench report`: scores → report.html, report.md, report.json."""

from pathlib import Path
from typing import Annotated

import typer

from voicebench.cli import console
from voicebench.cli.options import Json

REPORT = "report"
DETAILS = ("structure", "lenient", "arguments", "calls", "prefix", "refusal right")
"""Columns that a narrow terminal can do without; the report has them."""


def report(
    run: Annotated[list[Path], typer.Option("--run", help="A run's folder; several make one report.")],
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for the report.", show_default="the first run's")
    ] = None,
    as_json: Json = False,
) -> None:
    """Write the report of one or several runs.

    Prints its table, and where report.html, report.md and report.json are.

    Example: voicebench report --run runs/2026-11-30-fake
    """
    write(run, out or run[0], as_json=as_json)


def write(runs: list[Path], out: Path, *, as_json: bool = False) -> None:
    """Write a report, print its table and where it is."""
    _show(*_made(runs, out), as_json=as_json)


def write_if_new(run: Path) -> None:
    """Write a run's report unless nothing has changed since it was written; print its table either way."""
    from voicebench import __version__
    from voicebench.running.made import fingerprint, recall, remember
    from voicebench.running.runs import INFO, SCORES

    inputs = fingerprint([run / SCORES, run / INFO], __version__)
    known = recall(run, REPORT, inputs)
    if known is None or not all((run / name).is_file() for name in known["files"]):
        table, paths = _made([run], run)
        known = {"table": table, "files": [path.name for path in paths]}
        remember(run, REPORT, inputs, known)
    _show(known["table"], [run / name for name in known["files"]], as_json=False)


def _made(runs: list[Path], out: Path) -> tuple[list[list[object]], list[Path]]:
    """Write a report, and return its table (the headers first) and its files."""
    from voicebench.report import rows, summarise, write_report
    from voicebench.report.collect import audio_folder, read_run

    data = [read_run(folder) for folder in runs]
    roots = {
        run.info.name: audio_folder(folder, run.info) or folder
        for folder, run in zip(runs, data, strict=True)
    }
    summary = summarise(data)
    paths = write_report(summary, out, roots)
    headers, table = rows(summary)
    lines: list[list[object]] = [list(headers)]
    lines += [list(row) for row in table]
    return lines, [paths.html, paths.markdown, paths.json]


def _show(table: list[list[object]], paths: list[Path], *, as_json: bool) -> None:
    headers, *lines = table
    console.say_table([str(header) for header in headers], lines, as_json=as_json, optional=DETAILS)
    if as_json:
        return
    console.say()
    for path in paths:
        console.say(f"written: {path}")
