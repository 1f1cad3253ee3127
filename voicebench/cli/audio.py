"""`voicebench audio`: look at audio files, and hand a folder of them on."""

import json
from pathlib import Path
from typing import Annotated

import typer

from voicebench.cli import console
from voicebench.cli.options import TasksFrom


def probe(files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Audio files.")]) -> None:
    """Print a JSON line a file: how long, which rate.

    Keys: path, duration_s, sample_rate_hz, channels, peak; or error.

    Exits with 1 if a file could not be read.

    Example: voicebench audio probe clips/a.wav
    """
    from voicebench.audio.io import probe as look

    failed = False
    for path in files:
        found = look(path)
        failed = failed or "error" in found
        # A byte of a name that is no UTF-8 becomes an escape, which JSON reads as that byte again.
        line = json.dumps(found, ensure_ascii=False).encode("utf-8", "backslashreplace")
        console.say(line.decode())
    if failed:
        raise typer.Exit(1)


def export(
    folder: Annotated[Path, typer.Argument(help="Folder that build-audio wrote.")],
    tasks: TasksFrom = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Folder for the data set.", show_default="parquet in the audio folder"),
    ] = None,
    shard_mb: Annotated[float, typer.Option("--shard-mb", help="About how large a file becomes.")] = 450,
) -> None:
    """Export an audio folder as a Hugging Face data set.

    It becomes Parquet files and a card, which datasets.load_dataset reads without any code.

    An older export in the same place is replaced.

    Example: voicebench audio export audio
    """
    from voicebench.audio.export import export as write
    from voicebench.tasks.read import read_tasks

    texts = read_tasks(tasks)
    with console.progress() as progress:
        written = write(folder, out, shard_mb=shard_mb, tasks=texts, progress=progress)
    console.say(written.summary)
