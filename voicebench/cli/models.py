"""`voicebench models`: the backends there are, and fetching their weights."""

from typing import Annotated, get_args

import typer

from voicebench import models as resolver
from voicebench.cli import console
from voicebench.cli.options import Json
from voicebench.errors import UserError, did_you_mean
from voicebench.model_catalog import CATALOG, OFFLINE_SET
from voicebench.registry import Kind, Record, find, records

HEADERS = (
    "kind",
    "name",
    "languages",
    "licence",
    "memory",
    "gpu",
    "verified",
    "installed",
    "weights",
    "what",
)
DETAILS = ("licence", "gpu", "what")
ALL_OFFLINE = "offline"


def list_models(
    kind: Annotated[
        str | None,
        typer.Option("--kind", help=f"Only one of {', '.join(get_args(Kind))}.", show_default="all"),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the backends and how each was verified.

    Example: voicebench models list --kind asr
    """
    kinds = get_args(Kind)
    if kind is not None and kind not in kinds:
        raise UserError(f"--kind {kind!r} is unknown.{did_you_mean(kind, kinds)}")
    chosen = [record for record in records() if kind in (None, record.kind)]
    console.say_table(HEADERS, [_row(record) for record in chosen], as_json=as_json, optional=DETAILS)


def fetch(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help=f"A model's name, or {ALL_OFFLINE!r} for all the demo needs."),
    ],
) -> None:
    """Fetch a model's weights into the cache and print the folder.

    Example: voicebench models fetch offline
    """
    with console.progress() as progress:
        if name == ALL_OFFLINE:
            for entry in OFFLINE_SET:
                found = resolver.fetch_offline(entry, progress=progress)
                console.say(f"{entry}: {found.path if found else 'left out'}")
            return
        for entry in _weights_of(name):
            console.say(f"{entry}: {resolver.locate(entry, progress=progress).path}")


def _weights_of(name: str) -> tuple[str, ...]:
    if name in CATALOG:
        return (name,)
    for kind in get_args(Kind):
        if any(record.name == name for record in records() if record.kind == kind):
            record = find(kind, name)
            if not record.weights:
                raise UserError(f"{name} has no weights to fetch")
            return record.weights
    known = {*CATALOG, ALL_OFFLINE, *(record.name for record in records())}
    raise UserError(f"unknown model {name!r}.{did_you_mean(name, known)}")


def _row(record: Record) -> tuple[object, ...]:
    have = [resolver.at_hand(name) is not None for name in record.weights]
    return (
        record.kind,
        record.name,
        ",".join(record.languages) or "any",
        record.licence,
        f"{record.memory_mb} MB" if record.memory_mb else None,
        "yes" if record.gpu else "no",
        record.verified,
        "yes" if record.missing is None else f"no: extra {record.extra}",
        ("at hand" if all(have) else "to fetch") if have else None,
        record.summary,
    )
