"""The texts of data/prompts, read once."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Any

from voicebench.errors import UserError
from voicebench.shipped import data_folder
from voicebench.types import TaskKind, Tool, Turn


@dataclass(frozen=True)
class Example:
    """A worked example: a request, the tools there are, and the right answer.

    Attributes:
        kinds: The kinds of task that it is shown with.
        tools: The tools that are offered in it.
        turns: The conversation.
        calls: The right calls, as JSON.
        refused: A request that is refused, and the sentence that refuses it; None for none.
    """

    kinds: tuple[TaskKind, ...]
    tools: tuple[Tool, ...]
    turns: tuple[Turn, ...]
    calls: tuple[dict[str, Any], ...]
    refused: tuple[str, str] | None = None


@cache
def text(name: str) -> str:
    """Return one of the texts, without the line break at its end.

    Raises:
        UserError: The installation lacks it.
    """
    path = data_folder() / "prompts" / name
    try:
        return path.read_text(encoding="utf-8").rstrip("\n")
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror}). Install voicebench again") from None


@cache
def task_text(kind: TaskKind) -> str:
    """Return what a kind of task is about, in one sentence or two."""
    said: str = json.loads(text("tasks.json"))[kind]
    return said


@cache
def examples() -> tuple[Example, ...]:
    """Return all worked examples, in the order in which they are tried."""
    data = json.loads(text("examples.json"))
    tools = {tool["name"]: Tool(**tool) for tool in data["tools"]}
    return tuple(
        Example(
            tuple(one["kinds"]),
            tuple(tools[name] for name in one["tools"]),
            tuple(Turn(role=role, text=said) for role, said in one["turns"]),
            tuple(one["calls"]),
            tuple(one["refused"]) if "refused" in one else None,
        )
        for one in data["examples"]
    )


def example_for(kind: TaskKind, offered: Collection[str]) -> Example | None:
    """Return the first example of a kind none of whose tools is offered; None where there is none.

    Args:
        kind: The kind of task.
        offered: Names of the tools that the request offers.
    """
    return next(
        (
            example
            for example in examples()
            if kind in example.kinds and not any(tool.name in offered for tool in example.tools)
        ),
        None,
    )
