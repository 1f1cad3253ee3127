"""The report's averages, trials and causes as CSV, one figure a line, for whoever makes their own tables."""

import csv
import io
from collections.abc import Iterable, Sequence

from voicebench.report.shape import BoundedFigure, Summary

Line = Sequence[str | int | float | bool | None]


def csv_tables(summary: Summary) -> dict[str, str]:
    """Return file name to text ("" for a table without a line); numbers are unrounded."""
    prompts = summary.refusal_prompts
    aggregates: list[Line] = [
        (
            one.scope, one.agent, one.condition, one.over, one.figure, one.measure.mean, one.measure.low,
            one.measure.high, one.measure.n_tasks, one.measure.counts.planned, one.measure.counts.ran,
            one.measure.counts.failed, one.measure.counts.judge_failed, one.measure.counts.scored,
            " ".join(one.missing), prompts.get(one.agent),
        )
        for one in summary.aggregates
    ]  # fmt: skip
    trials: list[Line] = [
        (
            row.agent, row.condition, row.lang, row.k, *_bounds(row.pass_hat), row.low, row.high,
            *_bounds(row.pass_at), *_bounds(row.rho), row.n_tasks, row.planned, row.n_present,
        )
        for row in summary.trials
    ]  # fmt: skip
    causes: list[Line] = [
        (row.agent, row.condition, row.lang, cause, found.n, found.share, found.low, found.high, row.n_pairs,
         row.n_by_ear, row.n_unpaired)
        for row in summary.blames for cause, found in row.causes.items()
    ]  # fmt: skip
    tables = {
        "aggregates.csv": (
            "scope agent condition over figure mean low high n_tasks planned ran failed judge_failed scored "
            "missing refusal_prompt",
            aggregates,
        ),
        "trials.csv": (
            "agent condition lang k pass_hat pass_hat_least pass_hat_most low high pass_at pass_at_least "
            "pass_at_most rho rho_least rho_most n_tasks planned_trials n_present",
            trials,
        ),
        "causes.csv": ("agent condition lang cause n share low high n_pairs n_by_ear n_unpaired", causes),
    }
    return {name: _csv(head.split(), lines) if lines else "" for name, (head, lines) in tables.items()}


def _csv(head: Sequence[str], lines: Iterable[Line]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(lines)
    return text.getvalue()


def _bounds(figure: BoundedFigure | None) -> tuple[float | None, float | None, float | None]:
    return (figure.estimate, figure.low, figure.high) if figure else (None, None, None)
