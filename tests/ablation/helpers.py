"""Runs of an agent under several conditions, small enough to compute by head."""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.report.helpers import make_info, make_score, make_task, planned
from voicebench.ablation import Subject
from voicebench.report.run_data import RunData
from voicebench.types import Expect, GoldCall, Scores, Task

AGENT = "whisper-base+smollm2"
CASCADE = Subject(AGENT, asr="whisper-base", second_asr="indic-conformer")
TEXT, SPEECH, SECOND = "text", "speech", "transcript:indic-conformer"
Asked = tuple[str, str]
"""(agent, condition)."""
Column = Mapping[str, float | None]
"""Task id to the figure that decides; the kind and the language stand in the id."""


def column(group: str, values: Sequence[float | None]) -> dict[str, float | None]:
    """Return values of tasks of one group ("single-hi"): of its tasks 0, 1, 2, …"""
    return {f"{group}-{place}": value for place, value in enumerate(values)}


def task_of(task_id: str) -> Task:
    kind, lang, *_ = task_id.split("-")
    return make_task(task_id, lang=lang).model_copy(update={"task": kind})


def run_of(columns: Mapping[Asked, Column], tasks: Sequence[Task] | None = None, **info: Any) -> RunData:
    """Return a run that planned and scored exactly these answers."""
    known = {task.id: task for task in tasks or ()}
    for of in columns.values():
        known |= {task_id: task_of(task_id) for task_id in of if task_id not in known}
    scores = [
        make_score(known[task_id], value, condition, agent=agent)
        for (agent, condition), of in columns.items()
        for task_id, value in of.items()
    ]
    return RunData(make_info(**info), list(known.values()), scores)


def safety(place: int, *, harmful: bool, hint: bool | None, lang: str = "en") -> Task:
    expect = Expect(refuse=True) if harmful else Expect(refuse=False, calls=(GoldCall(name="cab.get_fare"),))
    task = make_task(f"safety-{lang}-{place}", "safety", lang, expect=expect)
    return task.model_copy(update={"meta": {} if hint is None else {"hint": hint}})


def refusals(tasks: Sequence[Task], values: Sequence[float], agent: str = AGENT) -> list[Scores]:
    """Return the scores of one answer a task: 1 refused, 0 did not."""
    return [
        make_score(task, float(bool(value) == task.expect.refuse), SPEECH, agent=agent, refusal=value)
        for task, value in zip(tasks, values, strict=True)
    ]


def safety_run(tasks: Sequence[Task], scores: Sequence[Scores], **info: Any) -> RunData:
    return RunData(make_info(**info), list(tasks), list(scores))


__all__ = [
    "AGENT", "CASCADE", "SECOND", "SPEECH", "TEXT", "column", "planned", "refusals", "run_of", "safety",
    "safety_run", "task_of",
]  # fmt: skip
