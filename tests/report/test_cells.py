"""Cells and their margins, from groups."""

from voicebench.report import RunData
from voicebench.report.cells import cells
from voicebench.report.estimates import Estimator
from voicebench.report.merge import merge
from voicebench.report.observed import groups_of, observations
from voicebench.report.shape import RIGHT, Cell
from voicebench.types import Task, TaskKind

from .helpers import make_info, make_score, make_task


def found(*rows: tuple[TaskKind, str, float | None]) -> dict[tuple[str | None, str | None], Cell]:
    tasks: list[Task] = [
        make_task(f"{kind}-{lang}-{i}", kind, lang) for i, (kind, lang, _) in enumerate(rows)
    ]
    scores = [make_score(task, value) for task, (_, _, value) in zip(tasks, rows, strict=True)]
    merged = merge([RunData(make_info(), tasks, scores)])
    made = cells(groups_of(observations(merged)), merged, Estimator())
    return {(cell.task, cell.lang): cell for cell in made}


def test_the_whole_comes_first_then_margins_then_single_cells() -> None:
    order = list(found(("single", "hi", 1), ("single", "th", 0), ("safety", "hi", 1)))
    assert order == [
        (None, None), ("single", None), ("safety", None), (None, "hi"), ("single", "hi"), ("safety", "hi"),
        (None, "th"), ("single", "th"),
    ]  # fmt: skip


def test_a_margin_is_over_tasks_and_a_kind_mean_over_kinds() -> None:
    made = found(("single", "hi", 1), ("single", "hi", 1), ("single", "hi", 1), ("dialogue", "hi", 0))
    assert made[None, "hi"].figures[RIGHT].mean == 0.75
    assert made[None, "hi"].kind_means[RIGHT] == 0.5
    assert made["single", "hi"].kind_means == {}


def test_a_kind_without_a_score_is_in_no_mean() -> None:
    made = found(("single", "ta", 1), ("dialogue", "ta", None))
    assert made["dialogue", "ta"].figures[RIGHT].mean is None
    assert made[None, "ta"].kind_means[RIGHT] == 1.0
    assert made[None, "ta"].figures[RIGHT].counts.planned == 2
