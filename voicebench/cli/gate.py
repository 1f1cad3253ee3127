"""`voicebench gate`: a step of somebody's CI that fails only for what is real."""

import math
from pathlib import Path
from typing import Annotated, Literal

import typer

from voicebench.cli import console
from voicebench.cli.options import Json, Kinds, Langs, split_list, task_kinds
from voicebench.errors import UserError, did_you_mean


def gate(
    run: Annotated[
        Path, typer.Argument(metavar="RUN", help="A run's folder, or a scores.jsonl or its folder.")
    ],
    minimum: Annotated[
        list[str] | None,
        typer.Option("--min", metavar="FIGURE=VALUE", help="The least a figure may be; may be repeated."),
    ] = None,
    no_worse_than: Annotated[
        Path | None, typer.Option("--no-worse-than", metavar="BASELINE", help="Scores to hold it against.")
    ] = None,
    figure: Annotated[
        str | None,
        typer.Option(
            "--figure",
            metavar="F[,…]",
            help="Held against the baseline.",
            show_default="those of --min, or right",
        ),
    ] = None,
    by: Annotated[
        str | None, typer.Option("--by", metavar="lang,task", help="Also check each language, each kind.")
    ] = None,
    alpha: Annotated[
        float, typer.Option("--alpha", help="Risk of a false alarm, over all checks of a kind.")
    ] = 0.05,
    margin: Annotated[
        float, typer.Option("--margin", help="Loss against the baseline that is tolerated, as a share.")
    ] = 0.0,
    rule_out: Annotated[
        bool,
        typer.Option(
            "--rule-out", help="Fail where a loss beyond --margin cannot be ruled out (non-inferiority)."
        ),
    ] = False,
    strict_min: Annotated[
        bool, typer.Option("--strict-min", help="Fail where a figure itself is below --min, real or not.")
    ] = False,
    min_scored: Annotated[
        float, typer.Option("--min-scored", help="Least share of what was planned that must be scored.")
    ] = 0.95,
    cluster: Annotated[
        str,
        typer.Option("--cluster", help="What varies together: item (with its translations), speaker, none."),
    ] = "item",
    agent: Annotated[
        str | None, typer.Option("--agent", help="The agent to check, of several in RUN.")
    ] = None,
    baseline_agent: Annotated[
        str | None, typer.Option("--baseline-agent", help="The agent of BASELINE.", show_default="the same")
    ] = None,
    condition: Annotated[
        str | None,
        typer.Option(
            "--condition", metavar="C[,…]", help="Only these conditions.", show_default="each by itself"
        ),
    ] = None,
    lang: Langs = None,
    task: Kinds = None,
    tasks: Annotated[
        Path | None, typer.Option("--tasks", help="What was to be scored, for score files without a run.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Hold different scoring rules against each other.")
    ] = False,
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE.xml", help="Write the checks as JUnit XML.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Check a run against minima and a baseline, for CI.

    Exits with 1 if a check fails, and one fails only for what is real: a figure whose whole interval is
    below its minimum, a loss that chance does not explain, or too little that is scored.

    Example: voicebench gate runs/new --min parameters=0.8 --no-worse-than runs/old --junit gate.xml
    """
    from voicebench.compare.checks import Limits
    from voicebench.compare.choice import Asked, check_figure
    from voicebench.compare.gate import gate as hold
    from voicebench.compare.junit import junit as to_xml
    from voicebench.compare.pairs import CLUSTERS
    from voicebench.compare.source import read_source
    from voicebench.files import write_text
    from voicebench.tasks.read import read_tasks

    way = next((name for name in CLUSTERS if name == cluster), None)
    if way is None:
        raise UserError(f"--cluster {cluster!r} is unknown.{did_you_mean(cluster, CLUSTERS)}")
    minima = {check_figure(name): value for name, value in map(_minimum, minimum or [])}
    figures = [check_figure(name) for name in split_list(figure) or []] or list(minima) or ["right"]
    for option, share in (("--min-scored", min_scored), ("--margin", margin)):
        if not 0 <= share <= 1:
            raise UserError(f"{option} must be a share from 0 to 1, not {share:g}")
    if not 0 < alpha < 1:
        raise UserError(f"--alpha must lie between 0 and 1, not {alpha:g}")
    limits = Limits(
        minima=minima, figures=tuple(figures), min_scored=min_scored, alpha=alpha, margin=margin,
        strict_minimum=strict_min, rule_out=rule_out,
        by=tuple(map(_margin, split_list(by) or [])), cluster=way,
    )  # fmt: skip
    asked = Asked(
        agents=(baseline_agent, agent),
        among=tuple(split_list(condition) or ()),
        langs=tuple(split_list(lang) or ()),
        kinds=tuple(task_kinds(task) or ()),
        flags=("--baseline-agent", "--agent"),
    )
    known = read_tasks(tasks, langs=None, kinds=None) if tasks is not None else None
    baseline = read_source(no_worse_than, known) if no_worse_than is not None else None
    result = hold(read_source(run, known), baseline, asked, limits, force=force)
    if junit is not None:
        write_text(junit, to_xml(result))
    if as_json:
        console.say(result.model_dump_json(indent=2))
    else:
        for check in result.checks:
            console.say(f"{'ok    ' if check.passed else 'FAILED'} {check.name}: {check.message}")
        for note in result.notes:
            console.say(f"! {note}")
        n_failed = sum(not check.passed for check in result.checks)
        console.say(f"{len(result.checks)} checks, {n_failed} failed")
        if n_failed and no_worse_than is not None:
            chosen = f" --agent-a {baseline_agent or result.agent} --agent-b {result.agent}"
            named = chosen if agent or baseline_agent else ""
            console.say_next(f"voicebench compare {no_worse_than} {run}{named}")
    if not result.passed:
        raise typer.Exit(1)


def _minimum(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not 0 <= number <= 1:
        raise UserError(
            f"--min {text!r} must be FIGURE=VALUE with a value from 0 to 1, such as parameters=0.8"
        )
    return name.strip(), number


def _margin(name: str) -> Literal["lang", "task"]:
    if name == "lang" or name == "task":
        return "lang" if name == "lang" else "task"
    raise UserError(f"--by {name!r} is unknown.{did_you_mean(name, ('lang', 'task'))}")
