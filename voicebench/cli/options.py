"""Options that several commands share, written once."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from voicebench.errors import UserError, did_you_mean
from voicebench.types import TASK_KINDS

Langs = Annotated[
    str | None, typer.Option("--lang", metavar="xx[,yy]", help="Only these languages.", show_default="all")
]
Kinds = Annotated[
    str | None,
    typer.Option("--task", metavar="KIND[,…]", help="Only these kinds of task.", show_default="all"),
]
TasksFrom = Annotated[
    Path | None,
    typer.Option("--tasks", help="A tasks.jsonl or a folder of them.", show_default="the shipped set"),
]
AudioFolder = Annotated[Path, typer.Option("--audio", help="Folder that build-audio wrote.")]
Gpu = Annotated[str | None, typer.Option("--gpu", metavar="N", help="Run on this CUDA device.")]
Gpus = Annotated[
    str | None, typer.Option("--gpu", metavar="N[,M]", help="Run on these CUDA devices, a process each.")
]
Device = Annotated[
    str | None,
    typer.Option("--device", help="cpu, cuda or cuda:N.", show_default="a GPU where one is, else cpu"),
]
Engine = Annotated[str, typer.Option("--engine", metavar="local|ray", help="This machine, or a Ray cluster.")]
Prices = Annotated[
    Path | None, typer.Option("--prices", help="A prices.jsonl of yours.", show_default="the shipped one")
]
TrustRemoteCode = Annotated[
    bool,
    typer.Option("--trust-remote-code", help="Let a model run code from its pinned hub repository."),
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Start anew instead of going on.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Seed = Annotated[int, typer.Option("--seed", help="For all that is drawn at random.")]


def split_list(value: str | None) -> list[str] | None:
    """Return the entries of a comma-separated option; None where it was not given.

    Raises:
        UserError: The option is given and empty.
    """
    if value is None:
        return None
    entries = [entry.strip() for entry in value.split(",") if entry.strip()]
    if not entries:
        raise UserError("an option that takes a list was given an empty one")
    return entries


def task_kinds(value: str | None) -> list[str] | None:
    """Return the kinds of task that `--task` names.

    Raises:
        UserError: One is unknown.
    """
    kinds = split_list(value)
    for kind in kinds or ():
        if kind not in TASK_KINDS:
            raise UserError(f"--task {kind!r} is unknown.{did_you_mean(kind, TASK_KINDS)}")
    return kinds


def on_ray(engine: str) -> bool:
    """Return whether `--engine` asks for a Ray cluster.

    Raises:
        UserError: It is neither local nor ray.
    """
    if engine not in ("local", "ray"):
        raise UserError(f"--engine {engine!r} is unknown.{did_you_mean(engine, ('local', 'ray'))}")
    return engine == "ray"


def tools_way(value: str) -> Literal["prompt", "native"]:
    """Return how tools are offered, as `--tools` says.

    Raises:
        UserError: It is neither prompt nor native.
    """
    if value == "prompt":
        return "prompt"
    if value == "native":
        return "native"
    raise UserError(f"--tools {value!r} is unknown.{did_you_mean(value, ('prompt', 'native'))}")
