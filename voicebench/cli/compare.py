"""`voicebench compare`: two agents, or two runs, on the same items."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from voicebench.cli import console
from voicebench.cli.options import Json, Kinds, Langs, split_list, task_kinds
from voicebench.errors import UserError, did_you_mean

if TYPE_CHECKING:
    from voicebench.compare.shape import Comparison


def compare(
    a: Annotated[
        Path,
        typer.Argument(metavar="A", help="The baseline: a run's folder, or a scores.jsonl or its folder."),
    ],
    b: Annotated[Path, typer.Argument(metavar="B", help="What is held against it, likewise.")],
    figure: Annotated[
        str, typer.Option("--figure", help="What is compared: right, or a figure of scores.jsonl.")
    ] = "right",
    agent: Annotated[str | None, typer.Option("--agent", help="The agent, on both sides.")] = None,
    agent_a: Annotated[str | None, typer.Option("--agent-a", help="The agent in A.")] = None,
    agent_b: Annotated[str | None, typer.Option("--agent-b", help="The agent in B.")] = None,
    condition: Annotated[
        str | None,
        typer.Option(
            "--condition", metavar="C[,…]", help="Only these conditions.", show_default="all that both have"
        ),
    ] = None,
    condition_a: Annotated[
        str | None, typer.Option("--condition-a", help="One condition of A, against another one of B.")
    ] = None,
    condition_b: Annotated[str | None, typer.Option("--condition-b", help="One condition of B.")] = None,
    lang: Langs = None,
    task: Kinds = None,
    tasks: Annotated[
        Path | None,
        typer.Option("--tasks", help="What was to be scored, for score files without a run."),
    ] = None,
    cluster: Annotated[
        str,
        typer.Option("--cluster", help="What varies together: item (with its translations), speaker, none."),
    ] = "item",
    force: Annotated[
        bool, typer.Option("--force", help="Compare different scoring rules all the same.")
    ] = False,
    show: Annotated[
        int, typer.Option("--show", min=0, help="Changed items to print of either kind; --out has all.")
    ] = 10,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE.md", help="Write it as Markdown.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Compare two runs or two agents, item by item.

    Prints the difference with its interval and p, by kind and language too, what is missing, and the items
    that changed.

    Example: voicebench compare runs/before runs/after --condition speech
    """
    from voicebench.compare.choice import Asked, check_figure
    from voicebench.compare.comparison import compare as compare_sides
    from voicebench.compare.pairs import CLUSTERS
    from voicebench.compare.source import read_source
    from voicebench.compare.view import markdown
    from voicebench.files import write_text
    from voicebench.tasks.read import read_tasks

    way = next((name for name in CLUSTERS if name == cluster), None)
    if way is None:
        raise UserError(f"--cluster {cluster!r} is unknown.{did_you_mean(cluster, CLUSTERS)}")
    if condition is not None and (condition_a or condition_b):
        raise UserError("--condition is for both sides; it does not go with --condition-a or --condition-b")
    asked = Asked(
        agents=(agent_a or agent, agent_b or agent),
        conditions=(condition_a, condition_b),
        among=tuple(split_list(condition) or ()),
        langs=tuple(split_list(lang) or ()),
        kinds=tuple(task_kinds(task) or ()),
    )
    known = read_tasks(tasks, langs=None, kinds=None) if tasks is not None else None
    first = read_source(a, known)
    second = first if a.resolve() == b.resolve() else read_source(b, known)
    result = compare_sides((first, second), asked, check_figure(figure), cluster=way, force=force)
    if out is not None:
        write_text(out, markdown(result))
    if as_json:
        console.say(result.model_dump_json(indent=2))
        return
    _say(result, show)
    if out is not None:
        console.say(f"written: {out}")


def _say(result: "Comparison", show: int) -> None:
    from voicebench.compare import view

    for line in view.head(result):
        console.say(line)
    rows = view.groups(result)
    if rows:
        console.say()
        console.say_table(view.GROUP_HEADERS, rows, optional=("test", "p", "worse", "better"))
    if result.family:
        console.say(f"p (Holm) is adjusted over {result.family}.")
    if result.reliability:
        console.say()
        console.say_table(view.RELIABILITY_HEADERS, view.reliability(result))
    console.say()
    console.say(view.flip_title(result))
    for change in ("worse", "better"):
        changed = view.flips(result, change)
        if changed and show:
            console.say()
            console.say(f"{change}:")
            console.say_table(view.FLIP_HEADERS, changed[:show])
            if len(changed) > show:
                console.say(f"… and {len(changed) - show} more (--show N, --out FILE.md or --json)")
