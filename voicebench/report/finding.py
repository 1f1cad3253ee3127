"""The one sentence that says what came out, with its numbers, and no more certain than they are."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from voicebench.backends import RECORDS
from voicebench.report.labels import count, interval, number, reasons, signed
from voicebench.report.shape import RIGHT, Cell, Coverage, Gap, Measure

T = TypeVar("T", Gap, Cell)

INTERVAL = "95\N{NO-BREAK SPACE}% interval"

CONTROLS = frozenset(
    record.name for record in RECORDS if record.kind == "agent" and record.verified == "control"
)
"""Agents that are no contestants (oracle, random, fake): left out where there are others."""


def finding(coverage: Coverage, overall: Mapping[tuple[str, str], Cell], gaps: Sequence[Gap]) -> str:
    """Return the sentence.

    Args:
        coverage: How much is there.
        overall: (agent, condition) to its cell over all kinds and languages, in the order to show.
        gaps: All chains.
    """
    if coverage.n_planned == 0:
        return "There is nothing to show yet: no answers were planned or found."
    if coverage.n_scored == 0:
        lost: dict[str, int] = {}
        for cell in overall.values():
            for reason, n in cell.figures[RIGHT].unscored.items():
                lost[reason] = lost.get(reason, 0) + n
        return f"None of {count(coverage.n_planned, 'answer')} could be scored: {reasons(lost)}."
    whole = [
        gap for gap in gaps
        if gap.lang is None and (gap.whole.start, gap.whole.end) == ("text", "speech")
    ]  # fmt: skip
    if whole:
        widest: dict[str, Gap] = {}
        for gap in sorted(_contestants(whole), key=lambda gap: -gap.n_pairs):
            widest.setdefault(gap.agent, gap)
        return _of_gap(max(widest.values(), key=lambda gap: gap.points[-1].mean), len(widest))
    scored = [cell for cell in overall.values() if cell.figures[RIGHT].mean is not None]
    return _of_best(max(_contestants(scored), key=lambda cell: cell.figures[RIGHT].mean or 0.0))


def _contestants(rows: Sequence[T]) -> Sequence[T]:
    return [row for row in rows if row.agent not in CONTROLS] or rows


def _of_gap(gap: Gap, n_agents: int) -> str:
    read, hear = gap.points[0].mean, gap.points[-1].mean
    who = gap.agent if n_agents == 1 else f"{gap.agent}, the best of {n_agents} agents at listening,"
    step = gap.whole
    said = (
        f"{who} gets {_share(read, gap.n_pairs)} requests right when it reads them and "
        f"{_share(hear, gap.n_pairs, short=True)} when it hears them"
    )
    if step.low is None or step.high is None:
        return f"{said}: a difference of {signed(step.difference)}."
    within = f"{signed(step.difference)} ({INTERVAL} {interval(step.low, step.high)})"
    if step.low <= 0 <= step.high:
        return f"{said}; {within} is no clear difference on {count(gap.n_pairs, 'task')}."
    return f"{said}: a difference of {within}."


def _of_best(cell: Cell) -> str:
    right = cell.figures[RIGHT]
    assert right.mean is not None
    bounds = interval(right.low, right.high)
    within = f" ({INTERVAL} {bounds})" if bounds else ""
    return (
        f"{cell.agent} gets {_share(right.mean, right.n_tasks)} requests right {_how(cell.condition)}"
        f"{within}{_rest(right)}."
    )


def _how(condition: str) -> str:
    return {"text": "when it reads them", "speech": "when it hears them"}.get(condition, f"under {condition}")


def _rest(right: Measure) -> str:
    missing = right.counts.planned - right.counts.scored
    return f"; {count(missing, 'more answer')} could not be scored" if missing else ""


def _share(mean: float, n: int, *, short: bool = False) -> str:
    """Return "15 of 24" where the mean is a whole number of tasks, else the mean ("0.63 of 24")."""
    right = mean * n
    whole = abs(right - round(right)) < 1e-9
    if short and whole:
        return f"{round(right):,}"
    return f"{round(right):,} of {n:,}" if whole else f"a share of {number(mean)} of {n:,}"
