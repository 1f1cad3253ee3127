"""`voicebench judge-check`: a judge, or the rule, against people; and the gold itself against people."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from voicebench.cli import console
from voicebench.cli.options import Device, Gpu, Json, Kinds, Langs, Seed, TasksFrom, split_list, task_kinds
from voicebench.errors import UserError

if TYPE_CHECKING:
    from voicebench.judging.check import Decision
    from voicebench.judging.labels import Item, JudgedFigure

RULE = "rule"


def judge_check(
    labels: Annotated[
        list[Path] | None,
        typer.Argument(help="Files of people's labels.", show_default="the shipped refusals"),
    ] = None,
    judge: Annotated[
        str, typer.Option("--judge", help="A language model, gguf:FILE, or rule: scoring without a judge.")
    ] = RULE,
    responses: Annotated[
        Path | None, typer.Option("--responses", help="The responses.jsonl that the labels name.")
    ] = None,
    tasks: TasksFrom = None,
    lang: Langs = None,
    task: Kinds = None,
    store: Annotated[
        Path | None, typer.Option("--store", help="File in which the judge's verdicts are kept.")
    ] = None,
    min_kappa: Annotated[
        float | None, typer.Option("--min-kappa", help="Exit with 1 if κ over all is less, or undefined.")
    ] = None,
    min_agreement: Annotated[
        float | None, typer.Option("--min-agreement", help="Exit with 1 if the agreement over all is less.")
    ] = None,
    show: Annotated[
        int, typer.Option("--show", min=0, help="Differences and failures to print; --json has all.")
    ] = 10,
    gold_sample: Annotated[
        int | None,
        typer.Option("--gold-sample", metavar="N", help="Draw N tasks for people to mark their gold."),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="The file that --gold-sample writes.")] = None,
    gold: Annotated[Path | None, typer.Option("--gold", help="Read a marked sample of gold back.")] = None,
    seed: Seed = 0,
    gpu: Gpu = None,
    device: Device = None,
    as_json: Json = False,
) -> None:
    """Measure a judge against people.

    Prints how often both said what, their agreement with its interval, Cohen's kappa and macro-F1, for each
    language and over all, and for each two raters where several people labelled. With --gold-sample and
    --gold it is the tasks' own right answers that people check.

    Example: voicebench judge-check labels.jsonl --judge smollm2 --min-kappa 0.6
    """
    if gold_sample is not None:
        _write_sample(gold_sample, out, tasks, lang, task, seed)
        return
    if gold is not None:
        _say_marks(gold, as_json)
        return
    from voicebench.judging.labels import read_items, shipped_labels
    from voicebench.running.engine import read_responses
    from voicebench.tasks.read import read_tasks, read_tools

    known = {each.id: each for each in read_tasks(tasks)} if responses is not None else {}
    if responses is not None and not responses.is_file():
        raise UserError(f"{responses}: no such file")
    items = read_items(
        labels or [shipped_labels()], tools=read_tools(), tasks=known,
        responses=read_responses(responses) if responses is not None else (),
    )  # fmt: skip
    items = _of_languages(items, split_list(lang))
    described, decisions = _decided(items, judge, store, (gpu, device))
    by_figure: dict[JudgedFigure, list[Decision]] = {}
    for decision in decisions:
        by_figure.setdefault(decision.item.figure, []).append(decision)
    _say(by_figure, described, show, as_json)
    gates = {"kappa": min_kappa, "agreement": min_agreement}
    failed = [figure for figure, rows in by_figure.items() if not _passes(figure, rows, gates)]
    if failed:
        raise typer.Exit(1)


def _of_languages(items: "Sequence[Item]", langs: Sequence[str] | None) -> "list[Item]":
    for lang in langs or ():
        if lang not in {item.lang for item in items}:
            raise UserError(f"--lang {lang}: no label is in this language")
    return [item for item in items if langs is None or item.lang in langs]


def _decided(
    items: "Sequence[Item]", judge: str, store: Path | None, device: tuple[str | None, str | None]
) -> "tuple[dict[str, Any], list[Decision]]":
    """Return what decided, and what it decided."""
    from voicebench import SCORING_VERSION
    from voicebench.judging.check import by_judge, by_rule, decide_all

    if judge == RULE:
        described: dict[str, Any] = {"name": RULE, "revision": SCORING_VERSION}
        return described, decide_all(items, by_rule)
    from voicebench.devices import choose_device
    from voicebench.judging.rescore import load_judge

    with load_judge(judge, device=choose_device(*device), store=store) as loaded:
        with console.progress() as progress:
            decisions = decide_all(items, by_judge(loaded), progress=progress)
        return loaded.ref.model_dump(), decisions


def _say(
    by_figure: "Mapping[JudgedFigure, Sequence[Decision]]", judge: dict[str, Any], show: int, as_json: bool
) -> None:
    from voicebench.judging import view
    from voicebench.judging.check import lines, rater_pairs

    if as_json:
        objects = [view.as_object(figure, judge, decisions) for figure, decisions in by_figure.items()]
        console.say(json.dumps(objects, ensure_ascii=False, indent=2))
        return
    for figure, decisions in by_figure.items():
        console.say(f"{figure}, judged by {judge['name']} ({judge['revision']})")
        found = lines(decisions)
        console.say_table(view.headers(figure), [view.row(line) for line in found], optional=view.OPTIONAL)
        for line in found:
            if line.agreement.undefined:
                console.say(f"{line.name}: no kappa and no F1: {line.agreement.undefined}")
        pairs = rater_pairs(decisions, judge["name"])
        if pairs:
            console.say()
            console.say_table(view.PAIR_HEADERS, [view.pair_row(pair) for pair in pairs])
        differences = [view.difference(each) for each in decisions if each.contradicts]
        failures = [view.failure(each) for each in decisions if each.failed]
        for title, told in (("differences", differences), ("failures", failures)):
            if told:
                console.say()
                console.say(f"{title} ({min(show, len(told))} of {len(told)}):")
                for each in told[:show]:
                    console.say(each)


def _passes(figure: str, decisions: "Sequence[Decision]", gates: Mapping[str, float | None]) -> bool:
    """Tell whether the agreement over all reaches what was asked for, and say what does not."""
    from voicebench.judging.check import lines

    *_, total = lines(decisions)
    passed = True
    for name, least in gates.items():
        value: float | None = getattr(total.agreement, name)
        if least is not None and (value is None or value < least):
            said = f"{value:.3f}" if value is not None else f"undefined ({total.agreement.undefined})"
            console.note(f"{figure}: {name} is {said}, less than {least:g}")
            passed = False
    return passed


def _write_sample(
    n: int, out: Path | None, tasks: Path | None, lang: str | None, kind: str | None, seed: int
) -> None:
    from voicebench.judging.gold_sample import sample, write_sheet
    from voicebench.tasks.read import read_tasks

    if out is None:
        raise UserError("--gold-sample needs --out FILE")
    drawn = sample(read_tasks(tasks, langs=split_list(lang), kinds=task_kinds(kind)), n, seed=seed)
    write_sheet(out, drawn)
    console.say(f"{len(drawn)} tasks to mark (right: true or false, and a note): {out}")
    console.say_next(f"voicebench judge-check --gold {out}")


def _say_marks(path: Path, as_json: bool) -> None:
    from voicebench.judging import view
    from voicebench.judging.gold_sample import gold_lines, read_sheet

    marks = read_sheet(path)
    found, wrong = gold_lines(marks), [mark for mark in marks if mark.right is False]
    if as_json:
        console.say(json.dumps(view.gold_object(found, wrong), ensure_ascii=False, indent=2))
        return
    console.say_table(view.GOLD_HEADERS, [view.gold_row(line) for line in found])
    for mark in wrong:
        console.say(f"wrong: {mark.task_id}: {mark.note or '(no note)'}")
