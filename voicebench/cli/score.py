"""`voicebench score`: responses → scores, for files from anywhere, and what changed since an older one."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from voicebench.cli import console
from voicebench.cli.options import Device, Gpu, Json
from voicebench.errors import UserError

if TYPE_CHECKING:
    from voicebench.scoring.diff import Diff, Key, Remembered
    from voicebench.types import Response, Scores, Task

    Rule = Callable[[Task, Response], Scores]

JUDGEMENTS = "judgements.jsonl"
_MOST_SHOWN = 20


def score(
    tasks: Annotated[
        Path | None,
        typer.Option("--tasks", help="tasks.jsonl, or a folder of them.", show_default="the shipped set"),
    ] = None,
    responses: Annotated[Path | None, typer.Option("--responses", help="responses.jsonl to score.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Folder for scores.jsonl.")] = None,
    run: Annotated[Path | None, typer.Option("--run", help="Score a run of ours again, in place.")] = None,
    judge: Annotated[
        str | None,
        typer.Option("--judge", help="A language model that judges what the rule cannot, or gguf:FILE."),
    ] = None,
    aliases: Annotated[
        Path | None, typer.Option("--aliases", help="A table of names, added to the shipped one.")
    ] = None,
    gpu: Gpu = None,
    device: Device = None,
    diff: Annotated[
        Path | None,
        typer.Option(
            "--diff", metavar="OLD", help="Show which items changed since this scores.jsonl, or its folder."
        ),
    ] = None,
    fail_on_change: Annotated[
        bool, typer.Option("--fail-on-change", help="With --diff: exit 1 where an item changed.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Score answers, ours or from anywhere.

    A run of ours, a hand-written file, or another harness's output brought into our form. Answers are read
    and scored one at a time, however many there are. With --judge, what the judge said is kept beside the
    scores, and nothing is asked twice.

    Example: voicebench score --tasks tasks.jsonl --responses responses.jsonl --out scored
    """
    if diff is None and (fail_on_change or as_json):
        raise UserError(f"{'--fail-on-change' if fail_on_change else '--json'} goes with --diff OLD")
    before = _before(diff) if diff is not None else {}
    tell = console.note if as_json else console.say
    files = _run_files(run, responses, tasks, out) if run is not None else _own_files(responses, tasks, out)
    with _rule(files, judge, aliases, (gpu, device), tell) as rule:
        count = _score(files, rule)
    scores = files.scores
    tell(f"{count} scores: {scores}")
    if diff is not None:
        changed = _compared(before, scores, as_json=as_json)
        if fail_on_change and changed:
            raise typer.Exit(1)
    elif run is not None:
        console.say_next(f"voicebench report --run {run}")


@dataclass(frozen=True)
class _Files:
    """Where answers are read and scores are written; `run` is the folder of a run of ours."""

    responses: Path
    scores: Path
    tasks: Path | None = None
    run: Path | None = None


def _run_files(run: Path, *others: Path | None) -> _Files:
    from voicebench.running.runs import RESPONSES, SCORES

    if any(other is not None for other in others):
        raise UserError("--run scores a run in place; it does not go with --tasks, --responses or --out")
    if not run.is_dir():
        raise UserError(f"{run}: no such run")
    return _Files(run / RESPONSES, run / SCORES, run=run)


def _own_files(responses: Path | None, tasks: Path | None, out: Path | None) -> _Files:
    from voicebench.running.runs import SCORES

    if responses is None or out is None:
        raise UserError(
            "score needs --responses FILE and --out DIR, or --run DIR. See: voicebench score --help"
        )
    if not responses.is_file():
        raise UserError(f"{responses}: no such file")
    return _Files(responses, out / SCORES, tasks)


@contextmanager
def _rule(
    files: _Files,
    judge: str | None,
    aliases: Path | None,
    device: tuple[str | None, str | None],
    tell: Callable[[str], None],
) -> "Iterator[Rule]":
    """Yield what scores one answer; at the end, say how the judge's figures came about."""
    from voicebench.scoring.names import read_aliases
    from voicebench.scoring.score import score as scored

    names = read_aliases(aliases) if aliases is not None else None
    if judge is None:
        yield partial(scored, aliases=names)
        return
    from voicebench.devices import choose_device
    from voicebench.files import read_lines
    from voicebench.judging.rescore import judged, load_judge

    store = files.scores.with_name(JUDGEMENTS)
    total = sum(1 for _ in read_lines(files.responses))
    with (
        load_judge(judge, device=choose_device(*device), store=store) as loaded,
        console.progress() as progress,
    ):
        yield judged(loaded, aliases=names, total=total, progress=progress)
    tally = loaded.tally
    tell(
        f"judge {judge}: {tally.asked} asked, {tally.kept} kept from before, "
        f"{tally.saved} told without it, {tally.failed} failed"
    )


def _score(files: _Files, rule: "Rule") -> int:
    from voicebench.files import write_rows
    from voicebench.running.engine import iterate_responses
    from voicebench.running.evaluate import score_run
    from voicebench.running.runs import opened
    from voicebench.scoring.score import score_stream
    from voicebench.tasks.read import read_tasks

    if files.run is not None:
        with opened(files.run):
            return score_run(files.run, rule=rule)
    tasks = read_tasks(files.tasks, langs=None, kinds=None)
    return write_rows(files.scores, score_stream(tasks, iterate_responses(files.responses), score_one=rule))


def _before(path: Path) -> "dict[Key, Remembered]":
    """Read the older scores; before the newer ones are written, which may take their place."""
    from voicebench.files import iterate_rows
    from voicebench.running.runs import SCORES
    from voicebench.scoring.diff import remember
    from voicebench.types import Scores

    file = path / SCORES if path.is_dir() else path
    if not file.is_file():
        raise UserError(f"--diff {path}: no scores here. It takes a scores.jsonl or the folder of one")
    return remember(iterate_rows(file, Scores))


def _compared(before: "dict[Key, Remembered]", scores: Path, *, as_json: bool) -> bool:
    """Print what changed, and tell whether anything did."""
    from voicebench.files import iterate_rows
    from voicebench.scoring.diff import difference
    from voicebench.types import Scores

    found = difference(before, iterate_rows(scores, Scores))
    if as_json:
        console.say(found.model_dump_json(indent=2))
    else:
        _show(found)
    return bool(found.changes)


def _show(found: "Diff") -> None:
    versions = " → ".join(", ".join(names) or "none" for names in (found.old_versions, found.new_versions))
    console.say(f"Scoring version {versions}: {len(found.changes)} of {found.items} items changed")
    for count, what in ((found.only_old, "only before"), (found.only_new, "only now")):
        if count:
            console.say(f"{count} items are there {what}")
    for names, what in (
        (found.figures_only_old, "no longer there"),
        (found.figures_only_new, "new"),
    ):
        if names:
            console.say(f"Figures that are {what}, and not compared: {', '.join(names)}")
    headers = ("figure", "items", "same", "up", "down", "newly scored", "newly unscored")
    console.say_table(headers, [tuple(counts.model_dump().values()) for counts in found.figures])
    for change in found.changes[:_MOST_SHOWN]:
        moved = ", ".join(f"{part.figure} {_value(part.old)} → {_value(part.new)}" for part in change.figures)
        place = f"{change.task_id} {change.agent} {change.condition} {change.trial}"
        console.say(f"{place}: {moved}{f' ({change.why})' if change.why else ''}")
    if len(found.changes) > _MOST_SHOWN:
        console.say(f"… and {len(found.changes) - _MOST_SHOWN} more; --json lists all")


def _value(figure: float | None) -> str:
    return "unscored" if figure is None else f"{figure:.3g}"
