"""`voicebench audio`: look at audio files."""

import json
from pathlib import Path
from typing import Annotated

import typer

from voicebench.cli import console


def probe(files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Audio files.")]) -> None:
    """Print a JSON line a file: how long, which rate.

    Keys: path, duration_s, sample_rate_hz, channels, peak; or error.

    Exits with 1 if a file could not be read.

    Example: voicebench audio probe clips/a.wav
    """
    from voicebench.audio.io import probe as look

    found = [look(path) for path in files]
    for line in found:
        console.say(json.dumps(line, ensure_ascii=False))
    if any("error" in line for line in found):
        raise typer.Exit(1)
