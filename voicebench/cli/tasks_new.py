"""`voicebench tasks new`: begin a task set of one's own, and make its items of a table."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from voicebench.cli import console
from voicebench.cli.options import Device, Fresh, Gpu, split_list
from voicebench.errors import UserError

if TYPE_CHECKING:
    from voicebench.tasks.drafting.draft import Drafts
    from voicebench.types import Tool

_MOST_SHOWN = 20


def new(
    folder: Annotated[
        Path | None, typer.Argument(help="Begin a set in this folder: an example, or one for --tools.")
    ] = None,
    table: Annotated[
        Path | None, typer.Option("--from", metavar="TABLE", help="Make items of this CSV file or workbook.")
    ] = None,
    tools: Annotated[
        Path | None,
        typer.Option(
            "--tools", help="tools.json in OpenAI's form, an MCP server's tools/list, or an OpenAPI file."
        ),
    ] = None,
    lang: Annotated[
        str | None,
        typer.Option(
            "--lang",
            metavar="xx[,yy]",
            help="Also in these languages; --model localises.",
            show_default="the table's own",
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--model", help="A language model that drafts missing calls and localises."),
    ] = None,
    region: Annotated[
        str | None, typer.Option("--region", help="The country of what is localised, such as IN.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="A .jsonl, or a folder for one file a language.")
    ] = None,
    gpu: Gpu = None,
    device: Device = None,
    concurrency: Annotated[
        int, typer.Option("--concurrency", min=1, help="Items under way at once, at a server.")
    ] = 16,
    fresh: Fresh = False,
) -> None:
    """Begin a task set of your own.

    With a folder: write an example that can be run at once, or, with --tools, your tools and a table to fill
    in. With --from: make the items. What a model drafts is checked, asked for once more if it has problems,
    and left out and reported if it still has; exits with 1 if any item has problems.

    Example: voicebench tasks new --from queries.csv --tools tools.json --lang hi --model smollm2 --out tasks
    """
    if folder is not None and table is not None:
        raise UserError(f"either a folder to begin ({folder}) or --from {table}, not both")
    if table is None:
        if folder is None:
            raise UserError(
                "tasks new needs a FOLDER to begin, or --from TABLE. See: voicebench tasks new --help"
            )
        _begin(folder, tools)
        return
    if tools is None or out is None:
        raise UserError(f"--from {table} needs --tools FILE and --out FILE")
    _draft(table, tools, out, split_list(lang) or [], model, region, (gpu, device), concurrency, fresh)


def _begin(folder: Path, tools: Path | None) -> None:
    from voicebench.tasks.drafting.example import TABLE, TASKS, TOOLS, begin

    begun = begin(folder, _tools(tools) if tools is not None else None)
    for path in begun.files:
        console.say(str(path))
    if begun.items:
        console.say_next(f"voicebench tasks check {folder / TASKS}")
        return
    console.say(f"Fill in {folder / TABLE}: an utterance and its language in each row")
    console.say_next(
        f"voicebench tasks new --from {folder / TABLE} --tools {folder / TOOLS} --out {folder / TASKS}"
    )


def _tools(path: Path) -> "tuple[Tool, ...]":
    from voicebench.tasks.drafting.tools import read_team_tools

    found = read_team_tools(path)
    for text in found.notes:
        console.note(f"{path}: {text}")
    console.note(f"{path}: {len(found.tools)} tool{'s' if len(found.tools) > 1 else ''}")
    return found.tools


def _draft(
    table: Path,
    tools: Path,
    out: Path,
    langs: list[str],
    model: str | None,
    region: str | None,
    device: tuple[str | None, str | None],
    concurrency: int,
    fresh: bool,
) -> None:
    from voicebench.agents import load_llm
    from voicebench.devices import choose_device
    from voicebench.tasks.drafting.draft import draft
    from voicebench.tasks.drafting.table import read_queries

    known = _tools(tools)
    queries, notes = read_queries(table, known)
    for text in notes:
        console.note(text)
    loaded = load_llm(model, device=choose_device(*device)) if model is not None else None
    with console.progress() as progress:
        drafts = draft(
            queries, known, out=out, name=table.stem, langs=langs, region=region, model=loaded, fresh=fresh,
            at_once=concurrency, progress=progress,
        )  # fmt: skip
    _show(drafts, out)


def _show(drafts: "Drafts", out: Path) -> None:
    from voicebench.tasks.drafting.draft import CHANGED

    for outcome in drafts.troubled[:_MOST_SHOWN]:
        kept = "not kept" if outcome.state == "failed" else "kept"
        for problem in outcome.problems:
            console.say(f"{outcome.where}: {outcome.id} ({kept}): {problem}")
    if len(drafts.troubled) > _MOST_SHOWN:
        console.say(f"… and {len(drafts.troubled) - _MOST_SHOWN} more")
    console.say(", ".join(f"{count} {state}" for state, count in drafts.counts.items()))
    console.say(f"Report: {drafts.report}")
    if drafts.troubled:
        changed = any(CHANGED in outcome.problems for outcome in drafts.troubled)
        console.note(
            "Put the rows right and run the same command again: only these are made anew"
            if not changed
            else "Put the rows right, or remove the items that were reviewed, and run the same command again"
        )
        raise typer.Exit(1)
    console.say_next(f"voicebench tasks check {out}")
