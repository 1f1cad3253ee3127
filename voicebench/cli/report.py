"""`voicebench report`: scores → report.html, report.md, report.json."""

from pathlib import Path
from typing import Annotated

import typer

from voicebench.cli import console
from voicebench.cli.options import Json

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
    from voicebench.report import rows, summarise, write_report
    from voicebench.report.collect import audio_folder, read_run

    data = [read_run(folder) for folder in runs]
    roots = {
        run.info.name: audio_folder(folder, run.info) or folder
        for folder, run in zip(runs, data, strict=True)
    }
    summary = summarise(data)
    paths = write_report(summary, out, roots)
    console.say_table(*rows(summary), as_json=as_json, optional=DETAILS)
    if as_json:
        return
    console.say()
    for path in (paths.html, paths.markdown, paths.json):
        console.say(f"written: {path}")
