"""`voicebench tasks`: check a task set, and count it."""

from pathlib import Path
from typing import Annotated

import typer

from voicebench.cli import console
from voicebench.cli.options import Json, Kinds, Langs, split_list, task_kinds

Source = Annotated[
    Path | None,
    typer.Argument(help="A tasks.jsonl or a folder of them.", show_default="the shipped set"),
]
Why = Annotated[bool, typer.Option("--why", help="Print why each gold value can be known instead.")]
Strict = Annotated[
    bool, typer.Option("--strict", help="Hold all tasks to what the project's own ones promise.")
]
Quick = Annotated[bool, typer.Option("--quick", help="Do not try the scoring on wrong answers.")]
Balance = Annotated[
    bool,
    typer.Option(
        "--balance", help="Hold the set against the numbers that the shipped one promises, and print them."
    ),
]


def check(
    source: Source = None,
    why: Why = False,
    strict: Strict = False,
    quick: Quick = False,
    balance: Balance = False,
    as_json: Json = False,
) -> None:
    """Find every mistake, with file and line.

    Exits with 1 if there is one. Tasks that come from elsewhere (`meta.source`) are held to the format, and
    what else could be better is remarked.

    Example: voicebench tasks check my-tasks.jsonl
    """
    from voicebench.tasks.check import examine

    if why:
        _say_why(source, as_json=as_json)
        return
    findings = examine(source, strict=strict, quick=quick, balance=balance or source is None)
    if balance:
        _say_balance(source, as_json=as_json)
    for problem in findings.problems:
        (console.note if as_json else console.say)(str(problem))
    for remark in findings.remarks:
        console.note(f"{remark} (a remark; --strict makes it a problem)")
    for line in findings.notes:
        console.note(line)
    if findings.problems:
        count = len(findings.problems)
        console.note(f"{count} problem{'s' if count > 1 else ''}")
        raise typer.Exit(1)
    (console.note if as_json else console.say)("no problem found")


def stats(
    source: Source = None,
    lang: Langs = None,
    task: Kinds = None,
    detail: Annotated[
        bool,
        typer.Option("--detail", help="Turns, calls, tools, length and reviews of each kind and language."),
    ] = False,
    audio: Annotated[
        Path | None,
        typer.Option(
            "--audio", help="With --detail: measure spoken seconds from these clips.", show_default=False
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Count the items by kind and language.

    Example: voicebench tasks stats --lang hi --detail
    """
    from voicebench.tasks import stats as counted
    from voicebench.tasks.read import read_tasks

    tasks = read_tasks(source, langs=split_list(lang), kinds=task_kinds(task))
    if detail or audio is not None:
        found = counted.detail(tasks, audio)
        console.say_table(found.headers, found.rows, as_json=as_json, optional=counted.OPTIONAL)
        console.note(found.note)
    else:
        headers, rows = counted.counts(tasks)
        console.say_table(headers, rows, as_json=as_json)


def _say_why(source: Path | None, *, as_json: bool) -> None:
    from voicebench.tasks.read import read_tasks, read_tools
    from voicebench.tasks.sayable import why

    tools = read_tools()
    rows = [
        (task.id, reason.place, reason.value, reason.how, reason.turn, reason.detail)
        for task in read_tasks(source, tools=tools)
        for reason in why(task, tools)
    ]
    console.say_table(["task", "place", "value", "why", "turn", "words"], rows, as_json=as_json)


def _say_balance(source: Path | None, *, as_json: bool) -> None:
    from voicebench.tasks.balance import requirements
    from voicebench.tasks.read import read_tasks

    rows = [
        (needed.lang, needed.what, needed.wanted, needed.found, "kept" if needed.met else "not kept")
        for needed in requirements(read_tasks(source))
    ]
    console.say_table(["language", "what", "promised", "found", "promise"], rows, as_json=as_json)
