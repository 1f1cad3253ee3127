"""Score files and run folders written by hand, small enough to compute by head."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.report.helpers import make_info, make_response, make_score, make_task, planned
from voicebench.files import write_rows
from voicebench.running.runs import RESPONSES, SCORES, TASKS, write_info
from voicebench.types import Reason, Scores, Task

Values = Mapping[str, Sequence[float | None]]
"""Task id to the main figure of each trial."""

IDS = ("single-hi-जयनगर", "single-ta-கட்டணம்", "single-th-ค่ารถ", "single-en-1")
"""Items in four scripts; the language is in the id."""


def task_of(task_id: str, **fields: Any) -> Task:
    """Return a task whose kind and language stand in its id."""
    kind, lang, *_ = task_id.split("-")
    task = make_task(task_id, lang="en").model_copy(update={"task": kind, "lang": lang})
    return task.model_copy(update=fields)


def score_rows(values: Values, **fields: Any) -> list[Scores]:
    """Return a row a trial."""
    return [
        make_score(task_of(task_id), value, **({"trial": trial} | fields))
        for task_id, trials in values.items()
        for trial, value in enumerate(trials)
    ]


def write_scores(path: Path, values: Values, **fields: Any) -> Path:
    """Write a scores file from anywhere and return its path."""
    write_rows(path, score_rows(values, **fields))
    return path


def write_run(
    folder: Path, scores: Sequence[Scores], tasks: Sequence[Task], n_planned: int, **info: Any
) -> Path:
    """Write a scored run that planned `n_planned` answers to single English tasks; return its folder."""
    write_rows(folder / TASKS, tasks)
    write_rows(folder / SCORES, scores)
    known = {task.id: task for task in tasks}
    write_rows(
        folder / RESPONSES,
        [
            make_response(known[row.task_id], row.condition, agent=row.agent, trial=row.trial)
            for row in scores
            if row.task_id in known
        ],
    )
    about = {"name": folder.name, "planned": (planned(n_planned),)} | info
    write_info(folder, make_info(**about))
    return folder


def wrong(parameter: str = "pickup", gold: str = "जयनगर", got: str = "मैजेस्टिक") -> Reason:
    return Reason(kind="parameter", call=0, parameter=parameter, verdict="wrong", gold=[gold], got=got)
