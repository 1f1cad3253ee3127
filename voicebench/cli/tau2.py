"""`voicebench tau2 read`: what others' result files and published tables come to."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from voicebench.cli import console
from voicebench.cli.options import Json

if TYPE_CHECKING:
    from voicebench.tau2.shape import Report, Summary, Table


def read(
    path: Annotated[
        Path,
        typer.Argument(
            help="A result file, a run's folder, a table with p1, p2, … (CSV, JSON), or a folder."
        ),
    ],
    trials: Annotated[
        int | None,
        typer.Option(
            "--trials", min=1, help="Trials planned of each task.", show_default="what the file says"
        ),
    ] = None,
    n_tasks: Annotated[
        int | None,
        typer.Option("--n-tasks", min=1, help="Tasks planned.", show_default="those that the file names"),
    ] = None,
    digits: Annotated[
        int | None,
        typer.Option("--digits", min=1, max=12, help="Decimals of a table that dropped trailing zeros."),
    ] = None,
    lost: Annotated[
        int,
        typer.Option("--lost", min=0, help="Accept rows that so many silently lost trials would explain."),
    ] = 0,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write every trial here, a line of JSON each."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Read results of tau-bench, tau2-bench and SEATauBench, and tables made of them.

    Of results pass^k and rho^k with 95 % intervals over tasks, what the harness lost, and whether rewards
    contradict their parts; of tables which rows are impossible, and how languages go together. Exits with 1
    if something cannot be as it stands.

    Example: voicebench tau2 read results.json --trials 4
    """
    from voicebench.files import write_rows
    from voicebench.tau2.read import read as read_path
    from voicebench.tau2.trials import Planned

    found = read_path(path, Planned(trials, n_tasks), digits=digits)
    report = found.report()
    if as_json:
        console.say(report.model_dump_json(indent=2))
    else:
        _show(report, lost)
    if out is not None:
        written = write_rows(out, (trial for one in found.results for trial in one.rows()))
        (console.note if as_json else console.say)(f"{written} trials: {out}")
    if any(one.problems for one in report.results) or any(
        not row.accepted(lost) for table in report.tables for row in table.rows
    ):
        raise typer.Exit(1)


def _show(report: "Report", lost: int) -> None:
    for number, summary in enumerate(report.results):
        if number:
            console.say()
        _show_results(summary)
    for number, table in enumerate(report.tables):
        if number or report.results:
            console.say()
        _show_table(table, lost)
    for one in report.beside:
        console.say()
        same = f"{one.n - len(one.different)} of {one.n} rows are the same to 0.001"
        console.say(f"Table {one.table} of {one.printed} beside {one.own}: {same}")
        for row in one.different:
            console.say(row)
    if report.skipped:
        console.say()
        console.say(f"Neither results nor a table: {', '.join(report.skipped)}")


def _show_results(summary: "Summary") -> None:
    from voicebench.report.labels import bounded, count, interval, reasons

    named = (("", summary.domain), ("agent ", summary.agent), ("user ", summary.user), ("", summary.lang))
    about = " · ".join(f"{what}{name}" for what, name in named if name)
    console.say(f"{summary.source} ({summary.layout}){f': {about}' if about else ''}")
    console.say(
        f"{count(summary.n_tasks, 'task')} × {count(summary.trials, 'trial')}: "
        f"scored {summary.scored} of {summary.planned}"
    )
    for lost, what in ((summary.failed, "failed, not the agent"), (summary.no_verdict, "without a verdict")):
        if lost:
            console.say(f"{sum(lost.values())} {what}: {reasons(lost)}")
    headers = ("k", "pass^k", "95 %", "pass@k", "rho^k", "95 %")
    console.say_table(
        headers,
        [
            (
                at.k,
                bounded(at.pass_hat, 4),
                interval(at.pass_hat_low, at.pass_hat_high),
                bounded(at.pass_at, 4),
                bounded(at.rho, 4),
                interval(at.rho_low, at.rho_high),
            )
            for at in summary.by_k
        ],
    )
    if summary.parts:
        rows = [
            (part.name, f"{part.right} of {part.of}", interval(part.low, part.high)) for part in summary.parts
        ]
        console.say_table(("part", "right", "95 %"), rows)
    if summary.ended:
        console.say(f"Ended: {reasons(summary.ended)}")
    _show_usual(summary)
    for problem in summary.problems:
        console.say(f"impossible: {problem}")


def _show_usual(summary: "Summary") -> None:
    """Say what the usual rule prints, where that is not what stands above it."""
    from voicebench.compare.published import explanation

    if summary.usual is None or (summary.scored == summary.planned and summary.usual.possible):
        return
    printed = " ".join(f"{name} {text}" for name, text in summary.usual.printed.items())
    verdict = "possible" if summary.usual.possible else f"impossible: {explanation(summary.usual)}"
    console.say(f"By SEATauBench's rule, which drops what is missing: {printed}: {verdict}")


def _show_table(table: "Table", lost: int) -> None:
    from voicebench.compare.published import explanation
    from voicebench.report.labels import count

    bad = [row for row in table.rows if not row.accepted(lost)]
    for row in table.rows:
        if said := explanation(row):
            console.say(f"{row.place}: {row.label}: {'impossible' if row in bad else 'possible'}: {said}")
    console.say(
        f"{table.source}: {count(len(table.rows), 'row')}: "
        f"{len(table.rows) - len(bad)} possible, {len(bad)} impossible"
    )
    if table.n_rho:
        console.say(f"rho is p^k / p^1 within rounding in {table.n_rho_fitting} of {table.n_rho} rows")
    if table.rho_farthest is not None:
        where = f"{table.rho_farthest:.4f} at most ({table.rho_farthest_label})"
        console.say(f"Distance of a printed rho from the quotient of the printed numbers: {where}")
    _show_correlations(table)


_ENGLISH = ("en", "english")


def _show_correlations(table: "Table") -> None:
    """Show how languages go together: with English, where the table has it, else all pairs."""
    found = [one for one in table.correlations if one.r is not None]
    with_english = [one for one in found if {one.lang.lower(), one.other.lower()} & set(_ENGLISH)]
    pairs: dict[tuple[str, str, int], dict[str, float | None]] = {}
    for one in with_english or found:
        pairs.setdefault((one.lang, one.other, one.n), {})[one.figure] = one.r
    if pairs:
        from voicebench.report.labels import number

        figures = list(dict.fromkeys(figure for values in pairs.values() for figure in values))
        console.say("Pearson's r between languages, over domains × models")
        console.say_table(
            ("languages", "n", *figures),
            [
                (f"{lang} – {other}", n, *(number(values.get(figure), 3) for figure in figures))
                for (lang, other, n), values in pairs.items()
            ],
        )
