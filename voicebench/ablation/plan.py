"""What must be asked for the four tables: each agent, condition and kind of task once."""

from collections import defaultdict
from dataclasses import dataclass

from voicebench.ablation.layout import READ, Subject, columns
from voicebench.running.materials import is_speech
from voicebench.types import TASK_KINDS, Prompting, TaskKind


@dataclass(frozen=True)
class Cell:
    """Questions to one agent under one condition.

    Attributes:
        agent: The agent's name in the results, `AGENT@VARIANT` where its instruction is changed.
        prompting: How it is instructed.
        condition: How the tasks reach it.
        kinds: The kinds of task that it is asked, in the usual order.
    """

    agent: str
    prompting: Prompting
    condition: str
    kinds: tuple[TaskKind, ...]


def plan(subject: Subject) -> tuple[Cell, ...]:
    """Return what must be asked, the subject as it is first; without sound only what is read."""
    asked: defaultdict[tuple[str, Prompting, str], set[TaskKind]] = defaultdict(set)
    for layout, column in columns(subject):
        if subject.condition != READ or not is_speech(column.condition):
            asked[column.agent, column.prompting, column.condition].update(layout.kinds)
    return tuple(
        Cell(agent, prompting, condition, tuple(kind for kind in TASK_KINDS if kind in kinds))
        for (agent, prompting, condition), kinds in asked.items()
    )
