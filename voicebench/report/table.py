"""The main table as plain rows, for the terminal and for whatever prints tables."""

from voicebench.report.labels import FIGURE_LABELS, interval, number, scored_of_planned
from voicebench.report.shape import RIGHT, Cell, Summary
from voicebench.types import FIGURES

Rows = list[list[str | None]]


def rows(summary: Summary) -> tuple[list[str], Rows]:
    """Return the headers and the rows of the main table: agents and conditions over all kinds of task.

    Cells are text; None is a figure that nothing was scored for or that does not apply. With several
    languages each has its rows, after those over all of them.
    """
    columns = figures(summary)
    many = len(summary.langs) > 1
    headers = ["agent", "condition", *(["lang"] if many else []), "right", "95 %",
               *(FIGURE_LABELS[f].lower() for f in columns), "scored"]  # fmt: skip
    found: Rows = []
    for cell in totals(summary):
        right = cell.figures[RIGHT]
        found.append([
            cell.agent, cell.condition, *([cell.lang or "all"] if many else []), _mean(cell, RIGHT),
            interval(right.low, right.high) or None, *(_mean(cell, f) for f in columns),
            scored_of_planned(right),
        ])  # fmt: skip
    return headers, found


def totals(summary: Summary) -> list[Cell]:
    """Return the cells over all kinds: over all languages first, then (several languages) for each one."""
    langs = (None, *summary.langs) if len(summary.langs) > 1 else (None,)
    return [cell for cell in summary.cells if cell.task is None and cell.lang in langs]


def figures(summary: Summary) -> list[str]:
    """Return the figures beside `right` that occur, in the order of `FIGURES`.

    `refusal` alone says nothing about quality and is left to the JSON.
    """
    present = {figure for cell in summary.cells for figure in cell.figures}
    return [figure for figure in FIGURES if figure in present and figure != "refusal"]


def _mean(cell: Cell, figure: str) -> str | None:
    measure = cell.figures.get(figure)
    return None if measure is None or measure.mean is None else number(measure.mean)
