"""`voicebench demo`: the whole path on what packages carry."""

from pathlib import Path
from typing import Annotated

import typer

from voicebench.cli import console
from voicebench.cli.options import Fresh


def demo(
    out: Annotated[Path, typer.Option("--out", help="Folder for all that is made.")] = Path(
        "voicebench-demo"
    ),
    fresh: Fresh = False,
) -> None:
    """Run the whole path on small real models: en and hi.

    It speaks 24 tasks, asks two agents on this machine's CPU, scores them and writes the report.

    A second run finds everything there; after Ctrl-C the same command goes on.

    Example: voicebench demo
    """
    from voicebench.cli.report import write
    from voicebench.demo import run_demo

    with console.progress() as progress:
        done = run_demo(out, fresh=fresh, progress=progress)
    if done.asked == 0:
        console.note("everything was there already")
    write([done.folder], done.folder)
    console.say_next(
        "voicebench eval --model whisper-base+retrieve:smollm2 --lang en --condition text,speech "
        f"--audio {done.audio} --run runs/mine"
    )
