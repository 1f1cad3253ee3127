"""`voicebench table-check`: which rows of a published pass^k table are arithmetically impossible."""

from pathlib import Path
from typing import Annotated

import typer

from voicebench.cli import console
from voicebench.cli.options import Json
from voicebench.errors import UserError


def table_check(
    file: Annotated[
        Path,
        typer.Argument(help="CSV, JSON or JSON Lines with columns p1, p2, …, n_tasks, trials, rho, label."),
    ],
    n_tasks: Annotated[
        int | None, typer.Option("--n-tasks", min=1, help="Tasks, where no column says it.")
    ] = None,
    trials: Annotated[
        int | None,
        typer.Option(
            "--trials", min=1, help="Trials a task, where no column says it.", show_default="the greatest k"
        ),
    ] = None,
    digits: Annotated[
        int | None,
        typer.Option("--digits", min=1, max=12, help="Decimals, where trailing zeros were dropped."),
    ] = None,
    lost: Annotated[
        int,
        typer.Option("--lost", min=0, help="Accept rows that so many silently lost trials would explain."),
    ] = 0,
    where: Annotated[
        list[str] | None,
        typer.Option("--where", metavar="COLUMN=VALUE", help="Only these rows; may be repeated."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Find impossible rows in a published pass^k table.

    pass^1, pass^2, … must all come from one count of successes over the tasks, and rho from pass^k / pass^1,
    within the rounding of what is printed. Exits with 1 if a row is impossible.

    Example: voicebench table-check table.csv --n-tasks 114 --trials 3
    """
    from voicebench.compare.published import Reading, check_table, explanation
    from voicebench.report.labels import count

    table = check_table(file, Reading(n_tasks, trials, digits, _where(where or [])))
    bad = [row for row in table.rows if not row.accepted(lost)]
    if as_json:
        console.say(table.model_dump_json(indent=2))
    else:
        for row in table.rows:
            said = explanation(row)
            if said:
                verdict = "impossible" if row in bad else "possible"
                console.say(f"{row.place}: {row.label}: {verdict}: {said}")
        console.say(
            f"{count(len(table.rows), 'row')}: {len(table.rows) - len(bad)} possible, {len(bad)} impossible"
        )
    if bad:
        raise typer.Exit(1)


def _where(given: list[str]) -> dict[str, str]:
    chosen = {}
    for text in given:
        column, equals, value = text.partition("=")
        if not equals or not column.strip():
            raise UserError(f"--where {text!r} must be COLUMN=VALUE, such as domain=airline")
        chosen[column.strip()] = value.strip()
    return chosen
