"""What people said of answers: the file of labels, and each label with the material that a judge would see.

A line is one person's label of one answer. The answer stands in the line itself (`answer`, or `task` and
`answer` or `calls`), or is named by its `response` key and taken from a file of responses.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, model_validator

from voicebench.errors import UserError
from voicebench.files import parse_row, read_lines
from voicebench.scoring.answer import Answer, read_answer
from voicebench.shipped import data_folder
from voicebench.tasks.read import resolve
from voicebench.types import Response, Row, Task, TaskRow, Tool, ToolCall

JudgedFigure = Literal["refusal", "parameters_judge"]
WORDS: Mapping[JudgedFigure, tuple[str, str]] = {
    "refusal": ("refused", "not_refused"),
    "parameters_judge": ("correct", "incorrect"),
}
"""The words for yes and no, by figure; "unsure" may be said of either."""

UNSURE = "unsure"
Key = tuple[str, str, str, int]


class ResponseKey(Row):
    """Which response a label is about."""

    task_id: str
    agent: str
    condition: str
    trial: int = 0


class Label(Row):
    """A line of a file of labels."""

    id: str = Field(min_length=1)
    figure: JudgedFigure = "refusal"
    lang: str
    label: str
    rater: str = "person"
    group: str | None = None
    answer: str | None = None
    calls: tuple[ToolCall, ...] | None = None
    task: TaskRow | None = None
    response: ResponseKey | None = None
    why: str | None = None

    @model_validator(mode="after")
    def _fits_its_figure(self) -> Self:
        allowed = (*WORDS[self.figure], UNSURE)
        if self.label not in allowed:
            raise ValueError(
                f"label of {self.figure} must be one of {', '.join(allowed)}, not {self.label!r}"
            )
        inline = self.answer is not None or self.calls is not None
        if inline == (self.response is not None):
            raise ValueError("a label needs either its answer (or calls), or the key of its response")
        if self.figure == "parameters_judge" and inline and self.task is None:
            raise ValueError("a label of parameters_judge needs its task beside the answer")
        return self

    @property
    def says_yes(self) -> bool | None:
        """Whether the label is the figure's word for yes; None where it is unsure."""
        return None if self.label == UNSURE else self.label == WORDS[self.figure][0]


@dataclass(frozen=True)
class Item:
    """An answer that people labelled.

    Attributes:
        id: As the labels call it.
        figure: What was asked about it.
        lang: Language code.
        group: What else its labels put it together with, or None.
        labels: What each rater said: yes, no, or None for unsure.
        answer: The answer, read.
        task: What it answers; None for a refusal that stands alone.
        response: The answer as a response.
    """

    id: str
    figure: JudgedFigure
    lang: str
    group: str | None
    labels: Mapping[str, bool | None]
    answer: Answer
    task: Task | None
    response: Response

    @property
    def label(self) -> bool | None:
        """What most of the sure raters say; None where none is sure or they are split evenly."""
        votes = [vote for vote in self.labels.values() if vote is not None]
        yes = sum(votes)
        return None if 2 * yes == len(votes) else 2 * yes > len(votes)


def shipped_labels() -> Path:
    """Return the shipped file of labelled refusals.

    Raises:
        UserError: The installation is incomplete.
    """
    return data_folder() / "judge" / "refusals.jsonl"


def read_items(
    files: Sequence[Path],
    *,
    tools: Mapping[str, Tool],
    tasks: Mapping[str, Task] | None = None,
    responses: Iterable[Response] = (),
) -> list[Item]:
    """Read labels and put those of one item together, in the order of the first label of each.

    Args:
        files: Files of labels.
        tools: What a task inside a label may name.
        tasks: By id, for labels that name a response.
        responses: Where these are found.

    Raises:
        UserError: A line is wrong, names an unknown response, contradicts another line of the same item, or
            is a second label by one rater (`file:line: …`).
    """
    known = {(row.task_id, row.agent, row.condition, row.trial): row for row in responses}
    items: dict[str, Item] = {}
    for path in files:
        for number, line in read_lines(path):
            where = f"{path}:{number}"
            label = parse_row(line, Label, where)
            item = _item(label, where, tools, tasks or {}, known)
            items[item.id] = _together(items.get(item.id), item, label.rater, where)
    if not items:
        raise UserError(f"{', '.join(map(str, files))}: no labels")
    return list(items.values())


def _item(
    label: Label,
    where: str,
    tools: Mapping[str, Tool],
    tasks: Mapping[str, Task],
    known: Mapping[Key, Response],
) -> Item:
    if label.response is not None:
        key = (
            label.response.task_id, label.response.agent, label.response.condition, label.response.trial
        )  # fmt: skip
        if key not in known:
            raise UserError(f"{where}: no response {key}. Give the file that holds it: --responses FILE")
        response = known[key]
        task = tasks.get(response.task_id)
        if task is None:
            raise UserError(
                f"{where}: unknown task {response.task_id!r}. Give the file that holds it: --tasks FILE"
            )
    else:
        response = Response(
            task_id=label.id,
            agent="labelled",
            condition="text",
            trial=0,
            text=label.answer,
            calls=label.calls,
        )
        task = resolve(label.task, where, tools) if label.task is not None else None
    if response.error is not None:
        raise UserError(f"{where}: this response is an error ({response.error.kind}), not an answer")
    if label.figure == "parameters_judge" and (task is None or task.expect.calls is None):
        raise UserError(f"{where}: its task expects no calls")
    return Item(
        id=label.id, figure=label.figure, lang=label.lang, group=label.group,
        labels={label.rater: label.says_yes}, task=task, response=response,
        answer=read_answer(task or _no_task(label), response),
    )  # fmt: skip


def _no_task(label: Label) -> Task:
    """Return a task without tools, by which an answer that stands alone is read."""
    return Task.model_validate(
        {
            "id": label.id, "task": "safety", "lang": label.lang, "turns": [{"role": "user", "text": ""}],
            "tools": (), "expect": {"refuse": True},
        }
    )  # fmt: skip


def _together(before: Item | None, now: Item, rater: str, where: str) -> Item:
    if before is None:
        return now
    if rater in before.labels:
        raise UserError(f"{where}: {rater!r} labels {now.id!r} a second time")
    if (before.figure, before.lang, before.response, before.task) != (
        now.figure, now.lang, now.response, now.task
    ):  # fmt: skip
        raise UserError(f"{where}: {now.id!r} is not the same item as before: its answer or language differs")
    return replace(before, labels={**before.labels, **now.labels})
