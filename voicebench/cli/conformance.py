"""`voicebench conformance`: our scorer, or another one, against cases with known verdicts."""

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from voicebench.cli import console
from voicebench.cli.options import Json, Langs, split_list
from voicebench.errors import UserError

if TYPE_CHECKING:
    from voicebench.conformance.answers import Scorer
    from voicebench.conformance.run import Outcome, Result

CHECK_FAILED = 1


def conformance(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE…", help="Files of cases.", show_default="the shipped ones"),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option("--kind", metavar="KIND[,…]", help="Only these kinds of case.", show_default="all"),
    ] = None,
    lang: Langs = None,
    scorer: Annotated[
        str | None,
        typer.Option(
            "--scorer",
            metavar="CMD",
            help="Another scorer: a command that reads and writes JSON Lines, or module:function.",
            show_default="ours",
        ),
    ] = None,
    rule: Annotated[
        str | None,
        typer.Option(
            "--rule", metavar="NAME", help="Another harness's rule, re-implemented: bfcl, tau2, au_harness."
        ),
    ] = None,
    timeout: Annotated[
        float, typer.Option("--timeout", metavar="S", min=0.0, help="Seconds a command may take in all.")
    ] = 300.0,
    as_json: Json = False,
) -> None:
    """Run a scorer on cases with known verdicts.

    Ours, another one, or another harness's rule: every disagreement is shown. Exits with 0 where all that the
    scorer says is right, and with 1 otherwise.

    Example: voicebench conformance --kind "extra call" --scorer "python my_scorer.py"
    """
    from voicebench.conformance.run import run
    from voicebench.conformance.suite import read_cases

    cases = read_cases(files or (), kinds=split_list(kind), langs=split_list(lang))
    result = run(_chosen(scorer, rule, timeout), cases)
    if as_json:
        console.say(json.dumps(_as_json(result), ensure_ascii=False, indent=2))
    else:
        _show(result)
    if not result.conforms:
        raise typer.Exit(CHECK_FAILED)


def _chosen(scorer: str | None, rule: str | None, timeout_s: float) -> "Scorer":
    from voicebench.conformance.answers import own_scorer
    from voicebench.conformance.external import external_scorer
    from voicebench.conformance.rules import rule_scorer

    if scorer is not None and rule is not None:
        raise UserError("--scorer and --rule name two scorers; give one")
    if rule is not None:
        return rule_scorer(rule)
    return own_scorer if scorer is None else external_scorer(scorer, timeout_s)


def _show(result: "Result") -> None:
    tallies = [*result.by_kind(), result.total]
    headers = ["kind", "cases", "passed", "failed", "not judged", "errors"]
    console.say_table(headers, [dataclasses.astuple(tally) for tally in tallies])
    for outcome in result.outcomes:
        for line in _lines(outcome):
            console.say(line)
    for fault in result.faults:
        console.say(f"fault: {fault}")
    total = result.total
    console.say(f"{total.passed} of {total.cases} cases passed")


def _lines(outcome: "Outcome") -> Sequence[str]:
    case = outcome.case
    where = f"{case.id} [{case.kind}, {case.lang}]"
    if outcome.error is not None:
        return [f"{where}: error: {outcome.error}"]
    why = f" ({case.why})" if case.why else ""
    return [
        f"{where}: {found.figure} should be {_figure(found.want)}, is {_figure(found.got)}{why}"
        for found in outcome.disagreements
    ]


def _figure(value: float | None) -> str:
    return "unscored" if value is None else f"{value:g}"


def _as_json(result: "Result") -> dict[str, object]:
    return {
        "total": dataclasses.asdict(result.total),
        "kinds": [dataclasses.asdict(tally) for tally in result.by_kind()],
        "disagreements": [
            {"id": outcome.case.id, "kind": outcome.case.kind, "lang": outcome.case.lang,
             **dataclasses.asdict(found), "why": outcome.case.why}
            for outcome in result.outcomes for found in outcome.disagreements
        ],
        "errors": [{"id": o.case.id, "error": o.error} for o in result.outcomes if o.error is not None],
        "faults": list(result.faults),
    }  # fmt: skip
