"""The averages that the papers' tables print: over kinds of task, over languages, over calls.

Every average is made of the same pieces. A kind's figure in a language is the mean over its tasks. In a
group of languages it is the mean of those means, each language counting the same. "kinds" is the mean over
the kinds of calls, each counting the same (macro); "tasks" is the mean over their tasks, each counting the
same (micro). Safety stands apart, by how often was refused what should be and what should not. Whatever an
average is made without is named.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from voicebench.report.derived import MANY_CALLS
from voicebench.report.estimates import Estimator
from voicebench.report.groups import scopes
from voicebench.report.measures import ByLanguage, mean_of_measures, measured
from voicebench.report.observed import Group, Groups, joined
from voicebench.report.shape import KINDS, PER_CALL, REFUSED_HARMFUL, REFUSED_HARMLESS, TASKS, Aggregate
from voicebench.types import TaskKind

PAPER_FIGURES = ("tool_selection", "call_structure", "parameters", "parameters_judge")
"""Tool selection, call structure and parameter filling by the rule and by the judge."""

Place = tuple[str, str, str, str, str]
"""(scope, agent, condition, over, figure), as `Aggregate` has them."""


@dataclass(frozen=True)
class _Average:
    """An average before it is taken.

    Attributes:
        place: Where it stands.
        of: The answers that it is over: of one language or of all alike, or by language.
        kinds: The averages that it is the mean of, where it is not over answers.
        missing: What it is made without.
    """

    place: Place
    of: Group | ByLanguage = ()
    kinds: tuple[Place, ...] = ()
    missing: tuple[str, ...] = ()


def aggregates(
    groups: Groups,
    agents: Sequence[str],
    conditions: Sequence[str],
    kinds: Sequence[TaskKind],
    langs: Sequence[str],
    estimator: Estimator,
) -> Iterator[Aggregate]:
    """Yield every average that has something planned in it, scope by scope.

    Args:
        groups: Every figure of every planned answer, by (agent, condition, kind, language).
        agents: Agents in order.
        conditions: Conditions in order.
        kinds: Kinds of task that occur, in order.
        langs: Languages that occur, in order.
        estimator: What draws the intervals.
    """
    averages = [
        average
        for (scope, members), agent, condition in product(scopes(langs).items(), agents, conditions)
        for average in _Asked(groups, agent, condition, members, scope).averages(kinds)
    ]
    found = measured({one.place: one.of for one in averages if not one.kinds}, estimator)
    for one in averages:
        scope, agent, condition, over, figure = one.place
        mean = mean_of_measures([found[kind] for kind in one.kinds]) if one.kinds else found[one.place]
        yield Aggregate(
            scope=scope, agent=agent, condition=condition, over=over, figure=figure, measure=mean,
            missing=one.missing,
        )  # fmt: skip


class _Asked:
    """What one agent was asked under one condition in the languages of one scope."""

    def __init__(
        self, groups: Groups, agent: str, condition: str, members: Sequence[str], scope: str
    ) -> None:
        self.groups = groups
        self.agent = agent
        self.condition = condition
        self.members = members
        self.scope = scope

    def averages(self, kinds: Sequence[TaskKind]) -> Iterator[_Average]:
        """Yield all averages of the scope."""
        calls = [kind for kind in kinds if kind != "safety"]
        for figure in PAPER_FIGURES:
            yield from self._over_kinds(figure, calls)
        for kind in calls:
            if kind in MANY_CALLS:
                yield from self._over_calls(kind)
        for figure in (REFUSED_HARMFUL, REFUSED_HARMLESS):
            yield from self._of_kind("safety", figure)

    def _over_kinds(self, figure: str, kinds: Sequence[TaskKind]) -> Iterator[_Average]:
        """Yield a figure for each kind, then their two averages."""
        found = {kind: one for kind in kinds for one in self._of_kind(kind, figure)}
        yield from found.values()
        if not found:
            return
        without = self._without_kinds(found, figure, kinds)
        means = tuple(one.place for one in found.values())
        yield _Average(self._place(KINDS, figure), kinds=means, missing=without)
        everything = joined(group for kind in found for group in self._by_language(kind, figure).values())
        yield _Average(self._place(TASKS, figure), everything, missing=without)

    def _of_kind(self, kind: TaskKind, figure: str) -> Iterator[_Average]:
        """Yield a kind's figure, if it is planned in one of the languages."""
        groups = self._by_language(kind, figure)
        if groups:
            yield _Average(
                self._place(kind, figure), tuple(groups.values()), missing=self._without(kind, figure)
            )

    def _over_calls(self, kind: TaskKind) -> Iterator[_Average]:
        """Yield the share of right calls, by task and by call; in a group all languages' tasks alike."""
        for figure in ("call_fraction", PER_CALL):
            groups = self._by_language(kind, figure)
            if groups:
                yield _Average(
                    self._place(kind, figure), joined(groups.values()), missing=self._without(kind, figure)
                )

    def _by_language(self, kind: TaskKind, figure: str) -> dict[str, Group]:
        """Return what is planned of a kind and figure, by language."""
        cells = {lang: self.groups.get((self.agent, self.condition, kind, lang), {}) for lang in self.members}
        return {lang: figures[figure] for lang, figures in cells.items() if figure in figures}

    def _without(self, kind: TaskKind, figure: str) -> tuple[str, ...]:
        """Return the languages of which nothing is scored; the only one goes without saying."""
        if len(self.members) == 1:
            return ()
        groups = self._by_language(kind, figure)
        return tuple(lang for lang in self.members if lang not in groups or not groups[lang].drawn)

    def _without_kinds(
        self, found: Mapping[TaskKind, _Average], figure: str, kinds: Sequence[TaskKind]
    ) -> tuple[str, ...]:
        """Return the kinds of which nothing is scored, then the languages, then kinds of languages."""
        there = {
            kind: one.missing
            for kind, one in found.items()
            if any(group.drawn for group in self._by_language(kind, figure).values())
        }
        nowhere = [
            lang for lang in self.members if there and all(lang in missing for missing in there.values())
        ]
        partly = [
            f"{kind}/{lang}" for kind, missing in there.items() for lang in missing if lang not in nowhere
        ]
        return (*(kind for kind in kinds if kind not in there), *nowhere, *partly)

    def _place(self, over: str, figure: str) -> Place:
        return self.scope, self.agent, self.condition, over, figure
