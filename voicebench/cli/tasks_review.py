"""`voicebench tasks review`: items → a workbook and an offline page for native speakers."""

from pathlib import Path
from typing import Annotated

import typer

from voicebench.cli import console
from voicebench.cli.options import Kinds, Seed, split_list, task_kinds


def review(
    lang: Annotated[str, typer.Option("--lang", metavar="xx[,yy]", help="A workbook and a page for each.")],
    task: Kinds = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", min=1, help="At most so many items of each kind, drawn at random."),
    ] = None,
    seed: Seed = 0,
    unreviewed: Annotated[
        bool, typer.Option("--unreviewed", help="Only items that no native speaker has reviewed.")
    ] = False,
    source: Annotated[
        Path | None,
        typer.Option("--source", help="A tasks.jsonl or a folder of them.", show_default="the shipped set"),
    ] = None,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where they go.")] = Path("review"),
) -> None:
    """Let native speakers read the items.

    Writes a workbook (xlsx) and a page that opens offline, with the same items: the source, what is said turn
    by turn, the right calls, and room for a verdict, corrections and notes. Send either to a reviewer.

    Example: voicebench tasks review --lang ta --limit 10
    """
    from voicebench.files import write_text
    from voicebench.report.labels import language_label
    from voicebench.tasks.read import read_tasks, stratified, task_files
    from voicebench.tasks.review.page import page
    from voicebench.tasks.review.sheet import rows_around, sheets
    from voicebench.tasks.review.workbook import check_installed, write_workbook

    check_installed()
    langs = split_list(lang) or []
    tasks = read_tasks(source, langs=langs, kinds=task_kinds(task))
    if unreviewed:
        tasks = [item for item in tasks if item.meta.get("review") != "native"]
    if limit is not None:
        tasks = stratified(tasks, limit, seed)
    origins = rows_around(path.parent for path in task_files(source))
    for code in dict.fromkeys(langs):
        found = sheets([item for item in tasks if item.lang == code], origins)
        workbook, html = out / f"review-{code}.xlsx", out / f"review-{code}.html"
        write_workbook(workbook, found, language_label(code))
        write_text(html, page(found, language_label(code)))
        console.say(f"{language_label(code)}: {len(found)} item{'' if len(found) == 1 else 's'}")
        console.say(f"written: {workbook}")
        console.say(f"written: {html}")
    console.say("Send a reviewer either of the two; both come back the same way.")
    given = "" if source is None else f" --source {source}"
    console.say_next(f"voicebench tasks apply review-*.json review-*.xlsx{given}")
