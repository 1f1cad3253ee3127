"""What a run holds for one table: the mean of every line and column, and the tasks that columns share."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from voicebench.ablation.layout import CALLS, Layout
from voicebench.ablation.shared import Part, Shared, shared
from voicebench.report.aggregates import aggregates
from voicebench.report.estimates import Estimator
from voicebench.report.groups import scopes
from voicebench.report.merge import CellKey, Merged
from voicebench.report.observed import Group, Observed, by_task
from voicebench.report.shape import KINDS, REFUSED_HARMFUL, REFUSED_HARMLESS, Aggregate
from voicebench.types import Task

NOT_RUN = "not run"
NONE_IN_SET = "none in the set"

Place = tuple[str, str, str]
"""(language or group, kind or their mean, figure) of a line."""


class Found:
    """What is there for a table, to look up.

    Attributes:
        layout: The table's layout.
        places: The lines in which some column has something.
        estimator: What draws the intervals.
    """

    def __init__(self, layout: Layout, merged: Merged, observed: Observed, estimator: Estimator) -> None:
        """Average what belongs to the table.

        Args:
            layout: The table's layout.
            merged: The run.
            observed: Every figure of its answers.
            estimator: What draws the intervals.
        """
        self.layout = layout
        self.estimator = estimator
        self._kinds = [kind for kind in merged.kinds if kind in layout.kinds]
        self._scopes = scopes(merged.langs)
        self._tasks = [task for task in merged.tasks.values() if task.task in layout.kinds]
        self._groups = _groups(layout, merged.tasks, observed)
        # A column is an agent of its own here: its label names both the agent and what it was given.
        labels = [column.label for column in layout.columns]
        means = aggregates(self._groups, labels, ("",), self._kinds, merged.langs, estimator)
        self._means = {(one.agent, one.scope, one.over, one.figure): one for one in means}
        self.places = tuple(self._places())

    def mean(self, column: int, place: Place) -> Aggregate | None:
        """Return a line's mean in a column; None where nothing was planned or answered."""
        return self._means.get((self.layout.columns[column].label, *place))

    def shared(self, place: Place, columns: Sequence[int]) -> Shared:
        """Return the tasks of a line that are scored in all of some columns."""
        scope, over, figure = place
        kinds = [str(kind) for kind in self._kinds] if over == KINDS else [over]
        return shared([self._parts(column, self._scopes[scope], kinds, figure) for column in columns])

    def absent(self, column: int, place: Place | None = None) -> str:
        """Return why there is nothing in a column, or at a place of it; "" where there is something."""
        places = self.places if place is None else (place,)
        if any(self.mean(column, one) is not None for one in places):
            return ""
        hint = self.layout.columns[column].hint
        if hint is None:
            return NOT_RUN
        langs = {lang for scope, *_ in places for lang in self._scopes[scope]}
        figures = {figure for *_, figure in places}
        asked = [
            task for task in self._tasks
            if _hint(task) is hint and task.lang in langs and _refusal_figure(task) in figures
        ]  # fmt: skip
        return NOT_RUN if asked else NONE_IN_SET

    def _places(self) -> Iterator[Place]:
        average = [KINDS] if self.layout.kinds == CALLS and len(self._kinds) > 1 else []
        for scope in self._scopes:
            for over in (*self._kinds, *average):
                for figure in self.layout.figures:
                    if any((one.label, scope, over, figure) in self._means for one in self.layout.columns):
                        yield scope, over, figure

    def _parts(
        self, column: int, langs: Sequence[str], kinds: Sequence[str], figure: str
    ) -> dict[Part, Group]:
        own = self.layout.columns[column].label
        return {
            (kind, lang): figures[figure]
            for (label, _, kind, lang), figures in self._groups.items()
            if label == own and kind in kinds and lang in langs and figure in figures
        }


def _groups(layout: Layout, tasks: Mapping[str, Task], observed: Observed) -> dict[CellKey, dict[str, Group]]:
    """Return the groups of each column by (its label, "", kind, language), without empty ones."""
    found: defaultdict[CellKey, dict[str, Group]] = defaultdict(dict)
    for column in layout.columns:
        for (agent, condition, kind, lang), figures in observed.items():
            if (agent, condition) != (column.agent, column.condition) or kind not in layout.kinds:
                continue
            for figure in layout.figures:
                rows = [
                    row for row in figures.get(figure, ())
                    if column.hint is None or _hint(tasks.get(row.task_id)) is column.hint
                ]  # fmt: skip
                if rows:
                    found[column.label, "", kind, lang][figure] = by_task(rows)
    return dict(found)


def _hint(task: Task | None) -> bool | None:
    """Return whether a request names the tool to use; None where the task set does not say."""
    return task.meta.get("hint") if task is not None else None


def _refusal_figure(task: Task) -> str:
    return REFUSED_HARMFUL if task.expect.refuse else REFUSED_HARMLESS
