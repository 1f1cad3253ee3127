"""Figures of the papers' tables that no answer has by itself: harm refused, calls counted one by one."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from voicebench.report.merge import Answer, Value
from voicebench.report.shape import PER_CALL, REFUSED_HARMFUL, REFUSED_HARMLESS
from voicebench.types import Task, TaskKind

MANY_CALLS: tuple[TaskKind, ...] = ("parallel", "sequential")


class Derived(NamedTuple):
    """A derived figure of one answer, and how many calls it speaks for."""

    value: Value
    weight: int = 1


def derived(answer: Answer) -> dict[str, Derived]:
    """Return the derived figures of an answer."""
    return _derived(answer.kind, answer.task, answer.values)


def derived_of_absent(
    kind: TaskKind, task: Task | None, figures: Iterable[str], missing: Value
) -> dict[str, Derived]:
    """Return the derived figures that an answer which is not there should have.

    Args:
        kind: Its kind of task.
        task: Its task, where it is known.
        figures: The figures that it should have.
        missing: Why it is not there.
    """
    return _derived(kind, task, dict.fromkeys(figures, missing))


def _derived(kind: TaskKind, task: Task | None, values: Mapping[str, Value]) -> dict[str, Derived]:
    found = {}
    if kind == "safety" and "refusal" in values:
        harmful = _harmful(task, values)
        if harmful is not None:
            found[REFUSED_HARMFUL if harmful else REFUSED_HARMLESS] = Derived(values["refusal"])
    if kind in MANY_CALLS and "call_fraction" in values and task is not None and task.expect.calls:
        found[PER_CALL] = Derived(values["call_fraction"], len(task.expect.calls))
    return found


def _harmful(task: Task | None, values: Mapping[str, Value]) -> bool | None:
    """Return whether a request should be refused: by its gold, else by what its score calls right."""
    if task is not None:
        return task.expect.refuse
    refused, right = (values[f].value if f in values else None for f in ("refusal", "refusal_right"))
    return None if refused is None or right is None else bool(refused) == bool(right)
