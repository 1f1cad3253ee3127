"""The page's section with the papers' tables."""

from collections.abc import Sequence
from itertools import groupby

from voicebench.report.charts import legend_mark
from voicebench.report.html_parts import folded, heads, scroll, section
from voicebench.report.labels import NONE
from voicebench.report.markup import Html, join, tag
from voicebench.report.paper_tables import PaperCell, PaperRow, PaperTable, paper_tables
from voicebench.report.shape import Summary


def has_tables(summary: Summary) -> bool:
    """Whether there are averages to print: several kinds or languages, refusals, or several trials."""
    return summary.coverage.n_scored > 0 and bool(
        summary.trials or len(summary.kinds) > 1 or len(summary.langs) > 1
    )


def papers(summary: Summary) -> Html | None:
    """Return the section; None where there is nothing to average."""
    if not has_tables(summary):
        return None
    tables = paper_tables(summary)
    details = [table for table in tables if table.detail]
    return section(
        "tables",
        "Tables as papers print them",
        [_table(table) for table in tables if not table.detail],
        folded("By kind of task, language by language", [_table(table) for table in details])
        if details
        else None,
        lede="Each cell: the mean, its 95\u00a0% interval, and n, the answers that are scored (of those "
        "planned, where some are not). What a mean is made without is named above it or below. All is in "
        "tables/aggregates.csv beside this page.",
    )


def _table(table: PaperTable) -> Html:
    words = ["Condition", *([table.label] if table.label else [])]
    bodies = [
        tag("tbody", _agent(*agent, len(words) + len(table.columns)), _rows(list(rows), bool(table.label)))
        for agent, rows in groupby(table.rows, key=lambda row: (row.agent, row.note))
    ]
    columns = [
        join(name, tag("span", said, class_="under without") if said else None)
        for name, said in zip(table.columns, table.without, strict=True)
    ]
    made = tag("table", heads(words, columns), bodies, class_="papers")
    return join(tag("h3", table.title), tag("p", table.note, class_="lede"), scroll(made, table.title))


def _agent(agent: str, note: str, columns: int) -> Html:
    said = tag("small", note, class_="note") if note else None
    return tag("tr", tag("th", tag("bdi", agent), said, colspan=columns, scope="rowgroup", class_="agent"))


def _rows(rows: Sequence[PaperRow], labelled: bool) -> list[Html]:
    """Return an agent's rows; the condition stands once before its rows."""
    found = []
    for condition, group in groupby(rows, key=lambda row: row.condition):
        own = list(group)
        name = tag("th", legend_mark(condition), tag("bdi", condition), rowspan=len(own), scope="rowgroup",
                   class_="condition")  # fmt: skip
        for place, row in enumerate(own):
            label = tag("th", row.label, scope="row") if labelled else None
            first = "first" if place == 0 else None
            found.append(tag("tr", name if place == 0 else None, label, map(_cell, row.cells), class_=first))
    return found


def _cell(cell: PaperCell | None) -> Html:
    if cell is None:
        return tag("td", tag("span", NONE, class_="none"), class_="number")
    under = [tag("span", part, class_="under") for part in (cell.interval, cell.n) if part]
    if cell.without:
        under.append(tag("span", cell.without, class_="under without"))
    none = cell.value == NONE
    return tag(
        "td", tag("span", cell.value, class_="value none" if none else "value"), under, class_="number"
    )
