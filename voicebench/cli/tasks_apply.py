"""`voicebench tasks apply`: reviewers' corrections → the task files, and a log of who agreed with whom."""

import dataclasses
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from voicebench.cli import console
from voicebench.cli.options import Json

if TYPE_CHECKING:
    from voicebench.tasks.review.apply import Applied
    from voicebench.tasks.review.log import Pair, Review
    from voicebench.tasks.review.submission import Submission

HEADERS = ("reviewers", "language", "native", "items", "same verdict", "right as it stands", "kappa")


def apply(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Workbooks (xlsx), or files that pages saved (json)."),
    ],
    source: Annotated[
        Path | None,
        typer.Option(
            "--source", help="The tasks to correct: a file or a folder.", show_default="the checkout's own"
        ),
    ] = None,
    log: Annotated[
        Path | None,
        typer.Option(
            "--log", metavar="FILE", help="Verdicts, for agreement.", show_default="reviews/LANG.jsonl"
        ),
    ] = None,
    drop: Annotated[
        bool, typer.Option("--drop", help="Take out items that a native speaker wants out.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be done, write nothing.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Write reviewers' corrections into the tasks.

    Only items that still are what the reviewer saw are changed, and only where they pass `tasks check`
    afterwards. Exits with 1 if a correction was stale or refused; the others are applied.

    Example: voicebench tasks apply review-ta-asha.json review-ta.xlsx --dry-run
    """
    from voicebench.tasks.review import log as logs
    from voicebench.tasks.review.apply import REFUSALS, apply, writable_source
    from voicebench.tasks.review.submission import read_submissions

    tasks = writable_source(source)
    submissions = read_submissions(files)
    for found in submissions:
        logs.refuse_inside(logs.log_path(found.lang, log), tasks if tasks.is_dir() else tasks.parent)
    applied = apply(submissions, tasks, drop=drop, dry_run=dry_run)
    told = _logged(submissions, log, dry_run=dry_run)
    pairs = logs.pairs(told)
    if as_json:
        console.say(_as_json(applied, pairs))
    else:
        _say(submissions, applied, pairs, dry_run=dry_run)
    if applied.count(*REFUSALS):
        raise typer.Exit(1)


def _logged(submissions: "Sequence[Submission]", log: Path | None, *, dry_run: bool) -> "list[Review]":
    from voicebench.tasks.review import log as logs

    told: list[Review] = []
    by_path: dict[Path, list[Submission]] = {}
    for found in submissions:
        by_path.setdefault(logs.log_path(found.lang, log), []).append(found)
    for path, own in by_path.items():
        rows = logs.rows_of(own)
        if dry_run:
            told += rows
        elif rows:
            told += logs.add_to_log(path, rows)
            console.note(f"verdicts kept in {path}")
    return told


def _say(
    submissions: "Sequence[Submission]", applied: "Applied", pairs: "Sequence[Pair]", *, dry_run: bool
) -> None:
    for found in submissions:
        if found.native is None:
            console.note(
                f"warning: {found.path} does not say whether the language is the reviewer's first, "
                "so nothing in it counts as reviewed"
            )
    for entry in applied.entries:
        if entry.done not in ("reviewed", "corrected") or entry.message:
            console.say(str(entry))
    counts = Counter(entry.done for entry in applied.entries)
    native = sum(entry.native for entry in applied.entries)
    said = [f"{n} {done}" for done, n in counts.items()]
    console.say(f"{', '.join(said) or 'nothing'}; {applied.open} left open; {native} reviewed natively")
    if pairs:
        console.say()
        console.say_table(HEADERS, [_row(pair) for pair in pairs])
        console.say()
    for path in applied.written:
        console.say(f"{'would be ' if dry_run else ''}written: {path}")
    if applied.written and not dry_run:
        console.say_next("voicebench tasks check")


def _row(pair: "Pair") -> list[str | None]:
    right = pair.right
    return [
        f"{pair.first[:6]} {pair.second[:6]}",
        pair.lang,
        "both" if pair.both_native else "not both",
        str(pair.items),
        f"{pair.same} of {pair.items}",
        f"{right.agreed} of {right.n}",
        right.undefined if right.kappa is None else f"{right.kappa:.2f}",
    ]


def _as_json(applied: "Applied", pairs: "Sequence[Pair]") -> str:
    found = {
        "items": [dataclasses.asdict(entry) for entry in applied.entries],
        "open": applied.open,
        "written": [str(path) for path in applied.written],
        "agreement": [
            dataclasses.asdict(pair) | {"kappa": pair.right.kappa, "agreement": pair.right.agreement}
            for pair in pairs
        ],
    }
    return json.dumps(found, ensure_ascii=False, indent=2)
