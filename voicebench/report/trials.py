"""Several trials of each task: does what succeeds once succeed every time."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from voicebench.report.aggregates import Observed
from voicebench.report.estimates import Observation
from voicebench.report.merge import Merged
from voicebench.report.shape import RIGHT, BoundedFigure, Trials
from voicebench.scoring.reliability import AtK, Bounded, Reliability, reliability


def trials(observed: Observed, merged: Merged) -> Iterator[Trials]:
    """Yield pass^k, pass@k and ρ^k of `right` for every k, over all languages first, then for each one.

    A trial that is not scored, whoever failed, is missing: it is bounded and never dropped. Planned are as
    many trials of each task as any task of the same agent and condition has; where that is one, there is
    nothing.

    Args:
        observed: Every figure of every planned answer, by (agent, condition, kind, language).
        merged: The runs.
    """
    langs = (None, *(merged.langs if len(merged.langs) > 1 else ()))
    for agent in merged.agents:
        for condition in merged.conditions:
            planned = _planned(_rows(observed, agent, condition, None))
            for lang in langs if planned > 1 else ():
                by_task = _by_task(_rows(observed, agent, condition, lang))
                if by_task:
                    found = reliability(by_task, planned)
                    for at in found.by_k:
                        yield _row(agent, condition, lang, found, at)


def _rows(observed: Observed, agent: str, condition: str, lang: str | None) -> list[Observation]:
    return [
        row
        for (an_agent, a_condition, _, a_lang), figures in observed.items()
        if (an_agent, a_condition) == (agent, condition) and lang in (None, a_lang)
        for row in figures.get(RIGHT, ())
    ]


def _by_task(rows: Sequence[Observation]) -> dict[str, list[float | None]]:
    found: defaultdict[str, list[float | None]] = defaultdict(list)
    for row in rows:
        found[row.task_id].append(row.value)
    return found


def _planned(rows: Sequence[Observation]) -> int:
    return max((len(values) for values in _by_task(rows).values()), default=0)


def _row(agent: str, condition: str, lang: str | None, found: Reliability, at: AtK) -> Trials:
    interval = at.pass_hat_interval
    return Trials(
        agent=agent, condition=condition, lang=lang, k=at.k, n_tasks=found.n_tasks, planned=found.planned,
        n_present=found.n_present, pass_hat=_bounded(at.pass_hat), pass_at=_bounded(at.pass_at),
        low=interval.low if interval else None, high=interval.high if interval else None,
        rho=_bounded(at.rho) if at.rho else None,
    )  # fmt: skip


def _bounded(found: Bounded) -> BoundedFigure:
    return BoundedFigure(estimate=found.estimate, low=found.low, high=found.high)
