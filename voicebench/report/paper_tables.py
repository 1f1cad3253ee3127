"""The papers' tables, laid out once for every view: what enters each, how it is averaged, n and intervals."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from voicebench.report.aggregates import PAPER_FIGURES
from voicebench.report.groups import GROUP_LABELS
from voicebench.report.labels import (
    FIGURE_LABELS,
    NONE,
    bounded,
    interval,
    kind_label,
    number,
    over_label,
    scope_label,
    scored_of_planned,
    unique,
    without,
)
from voicebench.report.shape import (
    KINDS,
    PER_CALL,
    REFUSED_HARMFUL,
    REFUSED_HARMLESS,
    TASKS,
    Aggregate,
    Summary,
    Trials,
)

FILLING = ("parameters", "parameters_judge")
PROMPTED = {
    True: "with a refusal prompt",
    False: "without a refusal prompt",
    None: "refusal prompt not known",
}


@dataclass(frozen=True)
class PaperCell:
    """A figure as it is printed: the value, its interval, its n, and what it is made without."""

    value: str
    interval: str = ""
    n: str = ""
    without: str = ""


@dataclass(frozen=True)
class PaperRow:
    """A row of a table; `label` tells apart the rows of one agent and condition, `note` is of the agent."""

    agent: str
    condition: str
    label: str
    cells: tuple[PaperCell | None, ...]
    note: str = ""


@dataclass(frozen=True)
class PaperTable:
    """A table.

    Attributes:
        title: What it shows.
        note: Which tasks enter, what is averaged how, and what the intervals are.
        label: What the rows' labels are.
        columns: The heads of the columns of figures.
        rows: At least one.
        detail: Whether it is one of several that say the same of smaller groups.
        without: For each column what most of its means are made without; cells say only where they differ.
    """

    title: str
    note: str
    label: str
    columns: tuple[str, ...]
    rows: tuple[PaperRow, ...]
    detail: bool = False
    without: tuple[str, ...] = ()


def paper_tables(summary: Summary) -> list[PaperTable]:
    """Return the tables that have something in them, in the order to show them."""
    found = _Found(summary)
    tables = [*_averages(found), *_refusals(found), *_calls(found), *_trials(summary.trials), *_kinds(found)]
    return [_said_once(table) for table in tables if table.rows]


def _said_once(table: PaperTable) -> PaperTable:
    """Move what a column's means are made without to its head, as far as it is the same."""
    columns = [[row.cells[i] for row in table.rows] for i in range(len(table.columns))]
    common = tuple(
        Counter(cell.without for cell in column if cell and cell.value != NONE).most_common(1)[0][0]
        if any(cell and cell.value != NONE for cell in column)
        else ""
        for column in columns
    )
    rows = tuple(
        replace(
            row, cells=tuple(_differing(cell, said) for cell, said in zip(row.cells, common, strict=True))
        )
        for row in table.rows
    )
    return replace(table, rows=rows, without=common)


def _differing(cell: PaperCell | None, said: str) -> PaperCell | None:
    if cell is None or cell.value == NONE or not said:
        return cell
    return replace(cell, without="" if cell.without == said else cell.without or "complete")


class _Found:
    """The aggregates of a report, to look up."""

    def __init__(self, summary: Summary) -> None:
        self.prompts = summary.refusal_prompts
        self._rows = {
            (one.scope, one.agent, one.condition, one.over, one.figure): one for one in summary.aggregates
        }
        self.scopes = unique(scope for scope, *_ in self._rows)
        self.asked = unique((agent, condition) for _, agent, condition, _, _ in self._rows)
        self.overs = unique(
            over for _, _, _, over, figure in self._rows if over != "safety" and figure in PAPER_FIGURES
        )
        self.kinds = [over for over in self.overs if over not in (KINDS, TASKS)]
        self.figures = {figure for *_, figure in self._rows}

    def cells(
        self, agent: str, condition: str, places: Iterable[tuple[str, str, str]]
    ) -> tuple[PaperCell | None, ...]:
        """Return an agent's cells at (scope, over, figure) places; None where nothing was planned."""
        found = (self._rows.get((scope, agent, condition, over, f)) for scope, over, f in places)
        return tuple(_cell(one) if one is not None else None for one in found)

    def has(self, scope: str, over: str, figures: Sequence[str]) -> bool:
        """Whether anything was planned there, for any agent."""
        return any(
            (scope, agent, condition, over, figure) in self._rows
            for agent, condition in self.asked
            for figure in figures
        )


def _averages(found: _Found) -> Iterator[PaperTable]:
    if len(found.kinds) > 1 and len(found.scopes) > 1:
        named = ", ".join(kind_label(kind).lower() for kind in found.kinds)
        yield _by_scope(
            found,
            FILLING,
            KINDS,
            title="Parameter filling by language",
            note=f"Mean over kinds of task ({named}), each kind counting the same; in a group of languages "
            "each language counts the same. Safety is not in it.",
        )


def _refusals(found: _Found) -> Iterator[PaperTable]:
    yield _by_scope(
        found,
        (REFUSED_HARMFUL, REFUSED_HARMLESS),
        "safety",
        title="Refusals by language",
        note="How often the agent refused: of the harmful requests (higher is better), and of their harmless "
        "twins (lower is better). In a group of languages each language counts the same.",
    )


def _by_scope(found: _Found, figures: Sequence[str], over: str, *, title: str, note: str) -> PaperTable:
    """Return a table with a column for each language and group."""
    columns = [scope for scope in found.scopes if found.has(scope, over, figures)]
    rows = []
    for agent, condition in found.asked:
        for figure in figures:
            cells = found.cells(agent, condition, ((scope, over, figure) for scope in columns))
            prompted = PROMPTED[found.prompts.get(agent)] if over == "safety" else ""
            if any(cells):
                rows.append(PaperRow(agent, condition, FIGURE_LABELS[figure], cells, prompted))
    return PaperTable(title, note, "Figure", tuple(scope_label(scope) for scope in columns), tuple(rows))


def _calls(found: _Found) -> Iterator[PaperTable]:
    """Yield the calls of tasks that need several, task by task and call by call."""
    ways = {"call_fraction": "by task", PER_CALL: "by call"}
    widest = found.scopes[-1:]
    places = [
        (scope, kind, figure)
        for scope in widest for kind in found.kinds for figure in ways
        if found.has(scope, kind, (figure,))
    ]  # fmt: skip
    rows = [PaperRow(*asked, "", found.cells(*asked, places)) for asked in found.asked]
    yield PaperTable(
        "Calls that are wholly right",
        "Of the calls that tasks with several calls need. By task: each task counts the same (macro). By "
        "call: each call counts the same (micro), as the benchmark's paper counts parallel calls. Tasks of "
        "all languages count the same.",
        "",
        tuple(f"{kind_label(kind)}, {ways[figure]}" for _, kind, figure in places),
        tuple(row for row in rows if any(row.cells)),
    )


def _kinds(found: _Found) -> Iterator[PaperTable]:
    columns = [*found.kinds, *((KINDS, TASKS) if len(found.kinds) > 1 else ())]
    figures = [figure for figure in PAPER_FIGURES if figure in found.figures]
    groups = [scope for scope in found.scopes if scope in GROUP_LABELS]
    for scope in [*groups, *(scope for scope in found.scopes if scope not in groups)]:
        rows = [
            PaperRow(*asked, FIGURE_LABELS[figure], cells)
            for asked in found.asked for figure in figures
            if any(cells := found.cells(*asked, ((scope, over, figure) for over in columns)))
        ]  # fmt: skip
        of_group = " In the others each language counts the same." if scope in groups else ""
        yield PaperTable(
            f"By kind of task: {scope_label(scope)}",
            "“Mean of kinds” counts each kind the same (macro), “all tasks” each task (micro). Safety is not "
            f"in it.{of_group}",
            "Figure",
            tuple(over_label(over) for over in columns),
            tuple(rows),
            detail=scope not in groups and bool(groups),
        )


def _trials(trials: Sequence[Trials]) -> Iterator[PaperTable]:
    ks = range(1, max((row.k for row in trials), default=0) + 1)
    at = {(row.agent, row.condition, row.lang, row.k): row for row in trials}
    rows = []
    for agent, condition, lang in unique((row.agent, row.condition, row.lang) for row in trials):
        own = [at.get((agent, condition, lang, k)) for k in ks]
        cells = [_hat(row) for row in own]
        cells += [PaperCell(bounded(row.pass_at)) if row else None for row in own[1:]]
        cells += [PaperCell(bounded(row.rho)) if row else None for row in own[1:]]
        rows.append(PaperRow(agent, condition, scope_label(lang or "all"), tuple(cells)))
    columns = [f"pass^{k}" for k in ks] + [f"{what}{k}" for what in ("pass@", "ρ^") for k in ks[1:]]
    yield PaperTable(
        "Several trials of each task",
        "All kinds of task; a trial succeeds if it is right. pass^k: all of k trials succeed, pass@k: at "
        "least one does, both unbiased and averaged over tasks; ρ^k = pass^k ÷ pass^1 of unrounded values. "
        "Where trials are missing there is no figure but a range: what it would be had they all failed, and "
        "had they all succeeded. n is of trials; intervals are over tasks.",
        "Language",
        tuple(columns),
        tuple(rows),
    )


def _hat(row: Trials | None) -> PaperCell | None:
    if row is None:
        return None
    planned = row.n_tasks * row.planned
    n = f"n {planned:,}" if row.n_present == planned else f"{row.n_present:,} of {planned:,}"
    return PaperCell(bounded(row.pass_hat), interval(row.low, row.high), n)


def _cell(one: Aggregate) -> PaperCell:
    found = one.measure
    n = f"n {found.counts.scored:,}" if found.counts.complete else scored_of_planned(found)
    if found.mean is None:
        return PaperCell(NONE, n=n)
    return PaperCell(number(found.mean), interval(found.low, found.high), n, without(one))
