"""Several trials of each task: does what succeeds once succeed every time."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import product

from voicebench.report.merge import Merged
from voicebench.report.observed import Observed
from voicebench.report.shape import RIGHT, BoundedFigure, Trials
from voicebench.scoring.reliability import AtK, Bounded, Reliability, reliabilities


def trials(observed: Observed, merged: Merged) -> Iterator[Trials]:
    """Yield pass^k, pass@k and ρ^k of `right` for every k, over all languages first, then for each one.

    A trial that is not scored, whoever failed, is missing: it is bounded and never dropped. Planned are as
    many trials of each task as any task of the same agent and condition has; where that is one, there is
    nothing.

    Args:
        observed: Every figure of every planned answer, by (agent, condition, kind, language).
        merged: The runs.
    """
    groups = _by_language(observed)
    langs = (None, *(merged.langs if len(merged.langs) > 1 else ()))
    wanted = {}
    for agent, condition in product(merged.agents, merged.conditions):
        planned = max((len(rewards) for rewards in groups[agent, condition, None].values()), default=0)
        for lang in langs if planned > 1 else ():
            if tasks := groups[agent, condition, lang]:
                wanted[agent, condition, lang] = tasks, planned
    for (agent, condition, lang), found in zip(wanted, reliabilities(wanted.values()), strict=True):
        for at in found.by_k:
            yield _row(agent, condition, lang, found, at)


def _by_language(observed: Observed) -> Mapping[tuple[str, str, str | None], dict[str, list[float | None]]]:
    """Return the values of each task's trials, by (agent, condition, language or all)."""
    found: defaultdict[tuple[str, str, str | None], defaultdict[str, list[float | None]]]
    found = defaultdict(lambda: defaultdict(list))
    for (agent, condition, _, lang), figures in observed.items():
        for row in figures.get(RIGHT, ()):
            for some_lang in (None, lang):
                found[agent, condition, some_lang][row.task_id].append(row.value)
    return found


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
