"""`voicebench runs list|show|prune`: the runs there are, what made one, and which can go."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from voicebench.cli import console
from voicebench.cli.options import Json
from voicebench.errors import UserError

if TYPE_CHECKING:
    from voicebench.running.listing import Listed

RUNS = Path("runs")
HEADERS = (
    "name", "created", "shard", "agents", "languages", "conditions", "answers", "planned", "errors",
    "size_mb",
)  # fmt: skip
DETAILS = ("created", "shard", "languages", "conditions")
"""Columns that a narrow terminal can do without."""

Root = Annotated[Path, typer.Option("--runs", metavar="FOLDER", help="Where the runs lie.")]


def list_runs(runs: Root = RUNS, as_json: Json = False) -> None:
    """List the runs of a folder: what was asked, how far it came, how much room it takes.

    Example: voicebench runs list
    """
    from voicebench.running import listing

    found = listing.list_runs(runs)
    for run in found:
        if run.problem is not None:
            console.note(f"warning: {run.problem}")
    if not found and not as_json:
        console.say(f"{runs}: no runs")
        return
    console.say_table(HEADERS, [_row(run, as_json) for run in found], as_json=as_json, optional=DETAILS)


def show(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print run.json.")] = False,
) -> None:
    """Show what made a run: versions, models, seeds, machine, and how many answers were planned.

    Example: voicebench runs show runs/2026-11-30-fake
    """
    from voicebench.running.listing import look_at
    from voicebench.running.runs import read_info

    info = read_info(run)
    if info is None:
        raise UserError(f"{run}: no run here. See: voicebench runs list")
    data = info.model_dump(mode="json")
    if as_json:
        console.say(json.dumps(data, ensure_ascii=False, indent=2))
        return
    for line in _lines(data):
        console.say(line)
    found = look_at(run)
    if found.problem is not None:
        raise UserError(found.problem)
    console.say()
    console.say(f"{found.answers} of {found.planned} planned answers, {found.errors} with an error")


def prune(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Only runs of these names.")
    ] = None,
    empty: Annotated[bool, typer.Option("--empty", help="Only runs without an answer.")] = False,
    older_than: Annotated[
        str | None, typer.Option("--older-than", metavar="AGE", help="Only older ones: 12h, 30d, 4w.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Remove them; without it they are only listed.")] = False,
    runs: Root = RUNS,
) -> None:
    """Remove the runs that are all of what is said, after listing them.

    Only folders that are runs are touched; links are not followed.

    Example: voicebench runs prune --empty --older-than 30d
    """
    from voicebench.running.prune import matching, parse_age, remove

    age = None if older_than is None else parse_age(older_than)
    found = matching(runs, names=names or (), empty=empty, older_than=age, now=datetime.now(UTC))
    if not found:
        console.say("no run is like that")
        return
    console.say_table(HEADERS, [_row(run, False) for run in found], optional=DETAILS)
    total = f"{len(found)} {'run' if len(found) == 1 else 'runs'}, {_megabytes(found)} MB"
    if not yes:
        console.say(f"{total}: nothing is removed. To remove: the same command with --yes")
        return
    for run in found:
        remove(run.folder)
    console.say(f"{total}: removed")


def _row(run: "Listed", as_json: bool) -> tuple[Any, ...]:
    info = run.info
    if info is None:
        return (run.folder.name, *(None,) * 5, run.answers, None, run.errors, _megabytes([run]))
    lists: list[Any] = [[agent.name for agent in info.agents], [*info.languages], [*info.conditions]]
    if not as_json:
        lists = [",".join(names) or None for names in lists]
    return (
        run.folder.name, info.created, info.shard, *lists, run.answers, run.planned, run.errors,
        _megabytes([run]),
    )  # fmt: skip


def _megabytes(runs: "list[Listed]") -> float:
    return round(sum(run.size_bytes for run in runs) / 1e6, 2)


def _lines(value: Any, indent: str = "") -> Iterator[str]:
    """Yield a JSON object as lines for people: a key each, an object without lists or objects on one line."""
    for key, inner in value.items():
        if _is_plain(inner):
            yield f"{indent}{key}: {_plain(inner)}"
        elif isinstance(inner, dict):
            yield f"{indent}{key}:"
            yield from _lines(inner, indent + "  ")
        else:
            yield f"{indent}{key}:"
            for item in inner:
                if _is_plain(item):
                    yield f"{indent}  - {_plain(item)}"
                else:
                    first, *rest = _lines(item, indent + "    ")
                    yield from (f"{indent}  - {first.strip()}", *rest)


def _is_plain(value: Any) -> bool:
    """Whether a value fits on a line: a scalar, or a list of scalars, or an object of scalars."""
    if isinstance(value, dict):
        return not any(isinstance(inner, dict | list) for inner in value.values())
    if isinstance(value, list):
        return all(isinstance(inner, int | float) or (isinstance(inner, str) and " " not in inner)
                   for inner in value)  # fmt: skip
    return True


def _plain(value: Any) -> str:
    if value is None or value in ("", [], {}):
        return "–"
    if isinstance(value, dict):
        return ", ".join(f"{key} {_plain(inner)}" for key, inner in value.items())
    if isinstance(value, list):
        return ", ".join(str(inner) for inner in value)
    return str(value)
