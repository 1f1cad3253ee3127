"""The four tables for people and machines: Markdown, the lines of a terminal, JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from voicebench.ablation.shape import Ablation, Change, Line, Recovery, Table
from voicebench.report.labels import (
    FIGURE_LABELS,
    NONE,
    interval,
    lost,
    number,
    over_label,
    scope_label,
    scored_of_planned,
    signed,
    unique,
)
from voicebench.report.markdown_parts import escaped, table, width
from voicebench.report.shape import REFUSED_HARMFUL, REFUSED_HARMLESS, Measure

NO_LOSS = "no loss to recover"
HEADLINES = ("parameters", REFUSED_HARMFUL, REFUSED_HARMLESS)
"""Figures that a terminal shows."""
MEANING = (
    "Each cell: the mean over tasks, its 95 % interval, and n, the answers that are scored. “Mean of kinds” "
    "counts each kind the same, and in a group of languages each language counts the same. A difference is "
    "over the n tasks that both columns have, with its 95 % bootstrap interval (tasks are drawn with their "
    "translations) and the two-sided p of the sign-flip test (McNemar's where all figures are 0 or 1), for "
    "kinds of task adjusted over the kinds by Holm's method. The recovered share is (second − first) ÷ "
    "(gold − first)."
)


@dataclass(frozen=True)
class Grid:
    """One scope's rows of a table in words; the first two columns are names."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def as_json(ablation: Ablation) -> str:
    """Return the tables as JSON."""
    return ablation.model_dump_json(indent=2)


def as_markdown(ablation: Ablation) -> str:
    """Return the tables as a Markdown page: for each language the kinds of task and the paper's figures."""
    parts = [f"# Ablations of {escaped(ablation.agent)}", MEANING]
    for one in ablation.tables:
        parts += [f"## {one.title}", *map(escaped, one.notes)]
        parts.append(
            "\n".join(
                f"- *{escaped(head.label)}*: {escaped(head.agent)} under {escaped(head.condition)}"
                for head in one.columns
            )
        )
        for grid in grids(one):
            parts += [f"### {grid.title}", table(grid.heads, grid.rows, text_columns=2)]
    return "\n\n".join(filter(None, parts)) + "\n"


def as_lines(ablation: Ablation) -> Iterator[str]:
    """Yield the tables as lines that align, of the paper's figures with the one that decides alone."""
    for place, one in enumerate(ablation.tables):
        if place:
            yield ""
        yield one.title
        yield from (f"  {note}" for note in one.notes)
        for grid in grids(one, HEADLINES):
            yield f"  {grid.title}"
            yield from (f"    {line}" for line in _aligned((grid.heads, *grid.rows)))


def grids(of: Table, figures: Sequence[str] | None = None) -> Iterator[Grid]:
    """Yield a table's rows by language and group of languages.

    Args:
        of: The table.
        figures: The figures to show; None shows all.
    """
    lines = [line for line in of.lines if figures is None or line.figure in figures]
    recovers = any(line.recovered for line in lines)
    heads = (
        "kind", "figure", *(column.label for column in of.columns),
        *(f"{end} − {start}" for start, end in of.steps), *(["recovered share"] if recovers else []),
    )  # fmt: skip
    for scope in unique(line.scope for line in lines):
        rows = tuple(_row(line, recovers) for line in lines if line.scope == scope)
        yield Grid(scope_label(scope), heads, rows)


def _row(line: Line, recovers: bool) -> tuple[str, ...]:
    names = (over_label(line.over), FIGURE_LABELS[line.figure])
    cells = map(_cell, line.cells, line.missing, line.absent)
    return (*names, *cells, *map(_change, line.changes), *([_share(line.recovered)] if recovers else []))


def _cell(one: Measure | None, missing: Sequence[str], absent: str) -> str:
    if one is None:
        return absent
    if one.mean is None:
        return "; ".join((scored_of_planned(one), *lost(one)))
    n = f"n {one.counts.scored:,}" if one.counts.complete else scored_of_planned(one)
    without = f"without {', '.join(missing)}" if missing else ""
    return _with(number(one.mean), interval(one.low, one.high), n, without)


def _change(one: Change | None) -> str:
    if one is None:
        return NONE
    ends = "" if one.low is None or one.high is None else f"{signed(one.low)} to {signed(one.high)}"
    p = one.p if one.p_adjusted is None else one.p_adjusted
    return _with(signed(one.difference), ends, "" if p is None else _p(p), f"n {one.n:,}")


def _share(one: Recovery | None) -> str:
    if one is None:
        return NONE
    if one.share is None:
        return _with(NO_LOSS, f"n {one.n:,}")
    return _with(number(one.share), interval(one.low, one.high), f"n {one.n:,}")


def _with(value: str, *details: str) -> str:
    return f"{value} ({'; '.join(filter(None, details))})"


def _p(p: float) -> str:
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(
            cell + " " * (to - width(cell)) for cell, to in zip(row, widths, strict=True)
        ).rstrip()
