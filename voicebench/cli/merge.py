"""`voicebench merge`: the shards of a run → one run, scored and reported."""

from pathlib import Path
from typing import Annotated

import typer

from voicebench.cli import console
from voicebench.cli.options import Fresh

_MISTAKE = 2


def merge(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="The runs' folders.")],
    out: Annotated[Path, typer.Option("--out", metavar="RUN", help="Folder of the merged run.")],
    allow_gaps: Annotated[
        bool,
        typer.Option("--allow-gaps", help="Merge although shards or answers are missing; the run says so."),
    ] = False,
    no_score: Annotated[bool, typer.Option("--no-score", help="Only merge.")] = False,
    fresh: Fresh = False,
) -> None:
    """Merge the shards of a run and score them.

    Takes other parts of one plan, too. Refuses with a list of all that is in the way: questions answered
    twice, missing shards or answers, runs that were not made alike. The result is the same in whatever order
    the runs are named.

    Example: voicebench merge runs/big/shard-1 runs/big/shard-2 --out runs/big/all
    """
    from voicebench.running.evaluate import score_run
    from voicebench.running.merge import CannotMerge, merge_runs
    from voicebench.running.merge_checks import counted
    from voicebench.running.runs import opened

    try:
        merged = merge_runs(runs, out, allow_gaps=allow_gaps, fresh=fresh)
    except CannotMerge as error:
        n = len(error.problems)
        console.note(
            f"voicebench: {n} {'thing is' if n == 1 else 'things are'} in the way; nothing was merged"
        )
        for problem in error.problems:
            console.note(f"  {problem.kind}: {problem.text}")
        if all(problem.kind == "gap" for problem in error.problems):
            console.note("Run what is missing, or merge what is there with --allow-gaps")
        raise typer.Exit(_MISTAKE) from None
    for gap in merged.gaps:
        console.note(f"warning: {gap.text}")
    copies = f", {merged.copies} of them in more than one" if merged.copies else ""
    console.say(f"{counted(merged.answers, 'answer')} of {counted(merged.runs, 'run')}{copies}: {out}")
    if no_score or not merged.answers:
        console.say_next(f"voicebench score --run {out}")
        return
    with opened(out):
        score_run(out)
    from voicebench.cli.report import write

    write([out], out)
