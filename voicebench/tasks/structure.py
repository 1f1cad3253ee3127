"""Judge one task by itself: its kind asks for so many turns, tools and calls; its names and dates hold."""

import itertools
import re
from collections.abc import Iterator, Mapping
from datetime import date

from voicebench.errors import did_you_mean
from voicebench.scoring.dates import is_iso, states_a_format
from voicebench.tasks.gold import gold_problems
from voicebench.types import GoldCall, TaskRow, Tool

RETRIEVAL_TOOLS = (8, 20)
"""The fewest and the most tools that a retrieval task offers."""

DIALOGUE_TURNS = (2, 6)
"""The fewest and the most turns of a dialogue."""

_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def row_problems(row: TaskRow, known: Mapping[str, Tool]) -> Iterator[str]:
    """Yield what is wrong with the form of a task and with its gold.

    A task whose gold is an empty list of calls is one where nothing is to be called, whatever its kind.

    Args:
        row: The task.
        known: The tools that a task may name.
    """
    for index, turn in enumerate(row.turns):
        if not turn.text.strip():
            yield f"turns[{index}] has no text"
    if row.reference_date is not None and not _is_iso_date(row.reference_date):
        yield f"reference_date {row.reference_date!r} is no ISO date (YYYY-MM-DD)"
    offered: dict[str, Tool | None] = {}
    for tool in row.tools:
        name = tool if isinstance(tool, str) else tool.name
        if name in offered:
            yield f"tool {name!r} is offered twice"
        if isinstance(tool, str) and name not in known:
            yield f"unknown tool {name!r}.{did_you_mean(name, known)}"
        offered[name] = tool if isinstance(tool, Tool) else known.get(name)
    yield from _kind_problems(row)
    yield from gold_problems(row, offered)


def promise_problems(row: TaskRow, known: Mapping[str, Tool]) -> Iterator[str]:
    """Yield what the project's own tasks must not have, where other sets may.

    Args:
        row: The task.
        known: The tools that a task may name.
    """
    calls = row.expect.calls or ()
    yield from _size_problems(row)
    if row.reference_date is None and any(_holds_a_day(call.arguments) for call in calls):
        yield "a gold value is a day, so the task says what today is (reference_date)"
    if row.task == "safety" and row.expect.refuse is False and row.twin is None:
        yield "a harmless safety task has its harmful twin"
    for index, call in enumerate(calls):
        if call.name in known:
            for message in _moment_problems(call, known[call.name]):
                yield f"expect.calls[{index}] {call.name}: {message}"


def _moment_problems(call: GoldCall, tool: Tool) -> Iterator[str]:
    """Yield the texts that stand where the tool asks for a date or a time, and are none."""
    properties = tool.parameters.get("properties") or {}
    for name, accepted in call.arguments.items():
        schema = properties.get(name)
        if not isinstance(schema, dict) or not states_a_format(schema):
            continue
        for value in accepted:
            if isinstance(value, str) and value not in ("", schema.get("default")) and not is_iso(value):
                yield f"parameter {name!r}: {value!r} is no ISO 8601 date or time"


def _holds_a_day(value: object) -> bool:
    if isinstance(value, dict):
        return any(_holds_a_day(inner) for inner in value.values())
    if isinstance(value, list):
        return any(_holds_a_day(inner) for inner in value)
    return isinstance(value, str) and is_iso(value) and value[2:3] != ":"


def _is_iso_date(text: str) -> bool:
    if _ISO_DATE.fullmatch(text) is None:
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _kind_problems(row: TaskRow) -> Iterator[str]:
    expect, kind = row.expect, row.task
    calls = len(expect.calls or ())
    if kind == "safety":
        if expect.refuse is None:
            yield "a safety task says expect.refuse, true or false"
        if expect.refuse is not True and calls == 0:
            yield "a harmless safety task has gold calls"
        return
    if expect.refuse is not None:
        yield f"a {kind} task has no expect.refuse; only safety tasks do"
    if row.twin is not None:
        yield f"a {kind} task has no twin; only safety tasks do"
    if kind in ("parallel", "sequential"):
        if calls < 2:
            yield f"a {kind} task has at least 2 gold calls, not {calls}"
    elif calls > 1 or expect.calls is None:
        yield f"a {kind} task has exactly 1 gold call, not {calls}"
    if kind == "sequential" and expect.order != "sequence":
        yield "a sequential task has expect.order 'sequence'"


def _size_problems(row: TaskRow) -> Iterator[str]:
    """Yield the numbers of calls, tools and turns that the kind has in the project's own set."""
    kind = row.task
    if kind in ("single", "retrieval", "dialogue") and row.expect.calls == ():
        yield f"a {kind} task has exactly 1 gold call, not 0"
    if kind == "retrieval" and not RETRIEVAL_TOOLS[0] <= len(row.tools) <= RETRIEVAL_TOOLS[1]:
        low, high = RETRIEVAL_TOOLS
        yield f"a retrieval task offers {low} to {high} tools, not {len(row.tools)}"
    if kind == "dialogue":
        low, high = DIALOGUE_TURNS
        if not low <= len(row.turns) <= high:
            yield f"a dialogue has {low} to {high} turns, not {len(row.turns)}"
        roles = [turn.role for turn in row.turns]
        if any(one == other for one, other in itertools.pairwise(roles)):
            yield "the turns of a dialogue alternate between user and assistant"
