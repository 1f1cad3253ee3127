"""`voicebench score`: responses → scores, for files from anywhere."""

from pathlib import Path
from typing import Annotated

import typer

from voicebench.cli import console
from voicebench.errors import UserError


def score(
    tasks: Annotated[
        Path | None,
        typer.Option("--tasks", help="tasks.jsonl, or a folder of them.", show_default="the shipped set"),
    ] = None,
    responses: Annotated[Path | None, typer.Option("--responses", help="responses.jsonl to score.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Folder for scores.jsonl.")] = None,
    run: Annotated[Path | None, typer.Option("--run", help="Score a run of ours again, in place.")] = None,
) -> None:
    """Score answers, ours or from anywhere.

    A run of ours, a hand-written file, or another harness's output brought into our form.

    Example: voicebench score --tasks tasks.jsonl --responses responses.jsonl --out scored
    """
    from voicebench.files import write_rows
    from voicebench.running.engine import read_responses
    from voicebench.running.evaluate import score_run
    from voicebench.running.runs import SCORES, opened
    from voicebench.scoring.score import score_all
    from voicebench.tasks.read import read_tasks

    if run is not None:
        if responses is not None or tasks is not None or out is not None:
            raise UserError("--run scores a run in place; it goes with no other option")
        if not run.is_dir():
            raise UserError(f"{run}: no such run")
        with opened(run):
            rows = score_run(run)
        console.say(f"{len(rows)} scores: {run / SCORES}")
        console.say_next(f"voicebench report --run {run}")
        return
    if responses is None or out is None:
        raise UserError(
            "score needs --responses FILE and --out DIR, or --run DIR. See: voicebench score --help"
        )
    if not responses.is_file():
        raise UserError(f"{responses}: no such file")
    rows = score_all(read_tasks(tasks, langs=None, kinds=None), read_responses(responses))
    write_rows(out / SCORES, rows)
    console.say(f"{len(rows)} scores: {out / SCORES}")
