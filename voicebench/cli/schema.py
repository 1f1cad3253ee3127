"""`voicebench schema`: the JSON Schema of a file between the stages."""

import json
from typing import Annotated

import typer

from voicebench.cli import console
from voicebench.errors import UserError, did_you_mean
from voicebench.types import (
    ConformanceRow,
    FailureRow,
    ManifestRow,
    Response,
    Row,
    Scores,
    TaskRow,
    TranscriptRow,
)

FORMATS: dict[str, type[Row]] = {
    "tasks": TaskRow,
    "manifest": ManifestRow,
    "failures": FailureRow,
    "transcripts": TranscriptRow,
    "responses": Response,
    "scores": Scores,
    "conformance": ConformanceRow,
}


def schema(
    name: Annotated[str, typer.Argument(metavar="NAME", help=f"One of {', '.join(FORMATS)}.")],
) -> None:
    """Print the JSON Schema of a file format.

    Example: voicebench schema responses
    """
    if name not in FORMATS:
        raise UserError(f"unknown format {name!r}.{did_you_mean(name, FORMATS)}")
    console.say(json.dumps(FORMATS[name].model_json_schema(), ensure_ascii=False, indent=2))
