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


def check(source: Source = None) -> None:
    """Find every mistake, with file and line.

    Exits with 1 if there is one.

    Example: voicebench tasks check my-tasks.jsonl
    """
    from voicebench.tasks.check import check as find_problems

    problems = find_problems(source)
    for problem in problems:
        console.say(str(problem))
    if problems:
        console.note(f"{len(problems)} problem{'s' if len(problems) > 1 else ''}")
        raise typer.Exit(1)
    console.say("no problem found")


def stats(source: Source = None, lang: Langs = None, task: Kinds = None, as_json: Json = False) -> None:
    """Count the items by kind and language.

    Example: voicebench tasks stats --lang hi
    """
    from voicebench.tasks.check import stats as count
    from voicebench.tasks.read import read_tasks

    headers, rows = count(read_tasks(source, langs=split_list(lang), kinds=task_kinds(task)))
    console.say_table(headers, rows, as_json=as_json)
