"""The averages that the papers' tables print: over kinds of task, over languages, over calls.

Every average is made of the same pieces. A kind's figure in a language is the mean over its tasks. In a
group of languages it is the mean of those means, each language counting the same. "kinds" is the mean over
the kinds of calls, each counting the same (macro); "tasks" is the mean over their tasks, each counting the
same (micro). Safety stands apart, by how often was refused what should be and what should not. Whatever an
average is made without is named.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from voicebench.report.derived import MANY_CALLS
from voicebench.report.estimates import (
    Observation,
    mean_of_measures,
    mean_over_languages,
    measure,
    measure_weighted,
)
from voicebench.report.groups import scopes
from voicebench.report.merge import CellKey
from voicebench.report.shape import (
    KINDS,
    PER_CALL,
    REFUSED_HARMFUL,
    REFUSED_HARMLESS,
    TASKS,
    Aggregate,
    Measure,
)
from voicebench.types import TaskKind

PAPER_FIGURES = ("tool_selection", "call_structure", "parameters", "parameters_judge")
"""Tool selection, call structure and parameter filling by the rule and by the judge."""

Observed = Mapping[CellKey, Mapping[str, Sequence[Observation]]]
Group = Sequence[Sequence[Observation]]
"""The observations of each language of a scope, an empty one where it has none."""


def aggregates(
    observed: Observed,
    agents: Sequence[str],
    conditions: Sequence[str],
    kinds: Sequence[TaskKind],
    langs: Sequence[str],
) -> Iterator[Aggregate]:
    """Yield every average that has something planned in it, scope by scope.

    Args:
        observed: Every figure of every planned answer, by (agent, condition, kind, language).
        agents: Agents in order.
        conditions: Conditions in order.
        kinds: Kinds of task that occur, in order.
        langs: Languages that occur, in order.
    """
    call_kinds = [kind for kind in kinds if kind != "safety"]
    for (scope, members), agent, condition in product(scopes(langs).items(), agents, conditions):
        asked = _Asked(observed, agent, condition, members, scope)
        for figure in PAPER_FIGURES:
            yield from asked.over_kinds(figure, call_kinds)
        for kind in call_kinds:
            if kind in MANY_CALLS:
                yield from asked.over_calls(kind)
        for figure in (REFUSED_HARMFUL, REFUSED_HARMLESS):
            yield from asked.of_kind("safety", figure)


class _Asked:
    """What one agent was asked under one condition in the languages of one scope."""

    def __init__(
        self, observed: Observed, agent: str, condition: str, members: Sequence[str], scope: str
    ) -> None:
        self.observed = observed
        self.agent = agent
        self.condition = condition
        self.members = members
        self.scope = scope

    def over_kinds(self, figure: str, kinds: Sequence[TaskKind]) -> Iterator[Aggregate]:
        """Yield a figure for each kind, then their two averages."""
        found = {kind: one for kind in kinds for one in self.of_kind(kind, figure)}
        yield from found.values()
        if not found:
            return
        without = self._without_kinds(found, kinds)
        yield self._row(KINDS, figure, mean_of_measures([one.measure for one in found.values()]), without)
        pooled = [row for kind in found for rows in self._group(kind, figure) for row in rows]
        yield self._row(TASKS, figure, measure(pooled), without)

    def of_kind(self, kind: TaskKind, figure: str) -> Iterator[Aggregate]:
        """Yield a kind's figure, if it is planned in one of the languages."""
        group = self._group(kind, figure)
        if any(group):
            mean = measure(group[0]) if len(group) == 1 else mean_over_languages(group)
            yield self._row(kind, figure, mean, self._without(group))

    def over_calls(self, kind: TaskKind) -> Iterator[Aggregate]:
        """Yield the share of right calls, by task and by call; in a group all languages' tasks alike."""
        for figure, mean in (("call_fraction", measure), (PER_CALL, measure_weighted)):
            group = self._group(kind, figure)
            rows = [row for observations in group for row in observations]
            if rows:
                yield self._row(kind, figure, mean(rows), self._without(group))

    def _group(self, kind: TaskKind, figure: str) -> Group:
        cells = (self.observed.get((self.agent, self.condition, kind, lang), {}) for lang in self.members)
        return [cell.get(figure, ()) for cell in cells]

    def _without(self, group: Group) -> tuple[str, ...]:
        if len(self.members) == 1:
            return ()
        return tuple(
            lang
            for lang, rows in zip(self.members, group, strict=True)
            if all(row.value is None for row in rows)
        )

    def _without_kinds(
        self, found: Mapping[TaskKind, Aggregate], kinds: Sequence[TaskKind]
    ) -> tuple[str, ...]:
        """Return the kinds of which nothing is scored, then the languages, then kinds of languages."""
        there = {kind: one for kind, one in found.items() if one.measure.mean is not None}
        nowhere = [
            lang for lang in self.members if there and all(lang in one.missing for one in there.values())
        ]
        partly = [
            f"{kind}/{lang}" for kind, one in there.items() for lang in one.missing if lang not in nowhere
        ]
        return (*(kind for kind in kinds if kind not in there), *nowhere, *partly)

    def _row(self, over: str, figure: str, mean: Measure, missing: tuple[str, ...]) -> Aggregate:
        return Aggregate(
            scope=self.scope, agent=self.agent, condition=self.condition, over=over, figure=figure,
            measure=mean, missing=missing,
        )  # fmt: skip
