"""Every agent under every condition, for each kind of task and language, and over all of them."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import product

from voicebench.report.estimates import Estimator
from voicebench.report.measures import measured
from voicebench.report.merge import Merged
from voicebench.report.observed import Group, Groups, joined
from voicebench.report.shape import RIGHT, Cell, Measure
from voicebench.types import FIGURES, TaskKind

Place = tuple[str, str, TaskKind | None, str | None]
"""(agent, condition, kind or all, language or all)."""


def cells(groups: Groups, merged: Merged, estimator: Estimator) -> Iterator[Cell]:
    """Yield the cells: all kinds and languages first, then the margins, then each kind in each language.

    Args:
        groups: Every figure of every planned answer, by (agent, condition, kind, language).
        merged: The runs.
        estimator: What draws the intervals.
    """
    parts: defaultdict[Place, defaultdict[str, list[Group]]] = defaultdict(lambda: defaultdict(list))
    for (agent, condition, kind, lang), figures in groups.items():
        for over_kind, over_lang, figure in product((None, kind), (None, lang), (RIGHT, *FIGURES)):
            if figure in figures:
                parts[agent, condition, over_kind, over_lang][figure].append(figures[figure])
    whole = {
        (place, figure): joined(own) for place, figures in parts.items() for figure, own in figures.items()
    }
    found = measured(whole, estimator)
    measures = {place: {figure: found[place, figure] for figure in parts[place]} for place in parts}
    langs: tuple[str | None, ...] = (None, *merged.langs)
    kinds: tuple[TaskKind | None, ...] = (None, *merged.kinds)
    for some_lang, some_kind, agent, condition in product(langs, kinds, merged.agents, merged.conditions):
        own = measures.get((agent, condition, some_kind, some_lang))
        if own:
            by_kind = [measures.get((agent, condition, one, some_lang), {}) for one in merged.kinds]
            yield Cell(
                agent=agent, condition=condition, task=some_kind, lang=some_lang, figures=own,
                kind_means={f: _mean(f, by_kind) for f in own} if some_kind is None else {},
            )  # fmt: skip


def _mean(figure: str, by_kind: list[dict[str, Measure]]) -> float | None:
    """Return the mean over the kinds that have a figure scored."""
    means = [own[figure].mean for own in by_kind if figure in own]
    scored = [mean for mean in means if mean is not None]
    return sum(scored) / len(scored) if scored else None
