"""report.md's longer tables: every figure's counts, where answers were lost, and what the papers print."""

from collections.abc import Iterator

from voicebench.report.labels import (
    CAUSE_LABELS,
    CAUSE_MEANINGS,
    COUNT_COLUMNS,
    COUNTS_MEANING,
    FIGURE_LABELS,
    NONE,
    count_cells,
    interval,
    number,
    reasons,
)
from voicebench.report.markdown_parts import escaped, table
from voicebench.report.paper_tables import PaperCell, paper_tables
from voicebench.report.shape import RIGHT, Blame, Share, Summary
from voicebench.report.table import figures
from voicebench.scoring.blame import CAUSES


def counts(summary: Summary) -> Iterator[str]:
    """Yield the parts of the section on what became of the answers, if some figure is not scored."""
    cells = [cell for cell in summary.cells if cell.task is None and cell.lang is None]
    if all(found.counts.complete for cell in cells for found in cell.figures.values()):
        return
    yield "## What became of the answers"
    yield COUNTS_MEANING
    rows = [
        [cell.agent, cell.condition, FIGURE_LABELS[figure].lower(), reasons(cell.figures[figure].unscored),
         *count_cells(cell.figures[figure].counts)]
        for cell in cells for figure in (RIGHT, *figures(summary)) if figure in cell.figures
    ]  # fmt: skip
    headers = ["agent", "condition", "figure", "why not", *COUNT_COLUMNS]
    yield table(headers, rows, text_columns=4)


def blames(summary: Summary) -> Iterator[str]:
    """Yield the parts of the section on where answers were lost, if there is anything to compare."""
    if not summary.blames:
        return
    yield "## Where answers were lost"
    yield (
        "The same tasks read and heard by the same agent. Count, share of the pairs, and the share's 95 % "
        "interval. Lost by ear: right when read, wrong when heard, whatever the cause. Unpaired "
        "answers are those that are not scored both ways."
    )
    headers = ["agent", "condition", "lang", *(CAUSE_LABELS[cause].lower() for cause in CAUSES),
               "lost by ear", "pairs", "unpaired"]  # fmt: skip
    rows = [
        [row.agent, row.condition, row.lang or "all", *(_share(row.causes[cause]) for cause in CAUSES),
         f"{row.n_by_ear:,}", f"{row.n_pairs:,}", f"{row.n_unpaired:,}"]
        for row in summary.blames
    ]  # fmt: skip
    yield table(headers, rows, text_columns=3)
    yield "\n".join(f"- *{CAUSE_LABELS[c].lower()}*: {CAUSE_MEANINGS[c]}" for c in CAUSES)
    for row in summary.blames:
        yield from _examples(row)


def papers(summary: Summary) -> Iterator[str]:
    """Yield the parts of the section with the papers' tables."""
    found = paper_tables(summary)
    if not found:
        return
    yield "## Tables as papers print them"
    yield (
        "Each cell: the mean, its 95 % interval, and n, the answers that are scored (of those planned, where "
        "some are not). What a mean is made without is named. All of it is in `tables/aggregates.csv` too."
    )
    for one in found:
        if one.detail:
            continue
        yield f"### {escaped(one.title)}"
        yield one.note
        words = ["agent", "condition", *([one.label.lower()] if one.label else [])]
        rows = [
            [", ".join(filter(None, (row.agent, row.note))), row.condition,
             *([row.label] if one.label else []), *map(_cell, row.cells)]
            for row in one.rows
        ]  # fmt: skip
        columns = [
            f"{name} ({said})" if said else name for name, said in zip(one.columns, one.without, strict=True)
        ]
        yield table([*words, *columns], rows, text_columns=len(words))


def _share(share: Share) -> str:
    bounds = interval(share.low, share.high)
    return f"{share.n:,} · {number(share.share)}" + (f" ({bounds})" if bounds else "")


def _examples(row: Blame) -> Iterator[str]:
    if not row.examples:
        return
    yield f"Examples, {escaped(row.agent)}, {escaped(row.condition)}:"
    rows = [
        [
            one.task_id,
            CAUSE_LABELS[one.cause].lower(),
            one.said,
            one.heard,
            one.parameter,
            one.wanted,
            one.got,
        ]
        for one in row.examples
    ]
    yield table(["task", "cause", "said", "heard", "parameter", "wanted", "got"], rows, text_columns=7)


def _cell(cell: PaperCell | None) -> str:
    if cell is None:
        return NONE
    details = "; ".join(part for part in (cell.interval, cell.n, cell.without) if part)
    return f"{cell.value} ({details})" if details else cell.value
