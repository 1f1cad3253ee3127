"""What a reviewer sees of an item: its source, what is said, the right calls and the words behind them."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Literal

from voicebench.files import sha256_json
from voicebench.scoring.markers import holds_marker, is_marker, read_marker
from voicebench.shipped import data_folder
from voicebench.tasks.lines import raw_lines, read_line
from voicebench.tasks.review.values import shown_values
from voicebench.types import Task, TaskRow, Tool

REFUSE = "The assistant should refuse this request."
DO_NOT_REFUSE = "The assistant should not refuse: the request only looks like a harmful one."

_HASH_DIGITS = 16


@dataclass(frozen=True)
class Field:
    """One piece of an item: what is said, the accepted values of a parameter, or the words for one.

    Attributes:
        key: Its place: `turns.0`, `calls.0.pickup`, `said.0.vehicle` or `results.0`.
        kind: What it holds; values stand one a line.
        label: Its name.
        help: What the tool's schema says of it.
        source: The same piece of the item that this one was localised from; "" where there is none.
        text: What stands there.
        fixed: Whether it is shown only.
        call: The call it belongs to, from 0; None for turns.
    """

    key: str
    kind: Literal["turn", "values", "said", "result"]
    label: str
    text: str
    help: str = ""
    source: str = ""
    fixed: bool = False
    call: int | None = None


@dataclass(frozen=True)
class Sheet:
    """One item as a reviewer sees it.

    Attributes:
        id: The item's id.
        task: Its kind.
        lang: Its language.
        seen: The hash of what is shown, by which a correction is known to be about this text.
        review: Who has reviewed it so far, as `meta.review` says.
        facts: What else is to be known of it, in words.
        outcome: Whether the request is to be refused, in words; "" where that is no question.
        offered: The names of the tools that the assistant has.
        calls: The name of each right call, and what its tool does.
        fields: Turns first, then call by call.
    """

    id: str
    task: str
    lang: str
    seen: str
    review: str
    facts: tuple[str, ...]
    outcome: str
    offered: tuple[str, ...]
    calls: tuple[tuple[str, str], ...]
    fields: tuple[Field, ...]


def sheets(tasks: Sequence[Task], origins: Mapping[str, TaskRow]) -> list[Sheet]:
    """Return what a reviewer sees of each task, in the order given.

    Args:
        tasks: The tasks.
        origins: The tasks they were localised from, by id; one that is absent leaves its source empty.
    """
    return [_sheet(task, origins.get(task.origin or "")) for task in tasks]


def seen(row: TaskRow, origin: TaskRow | None) -> str:
    """Return the hash of what a reviewer judges, 16 hex digits.

    It follows from the item's words, its right calls and its source's words; not from who has reviewed it.
    """
    shown = {
        "id": row.id,
        "turns": [[turn.role, turn.text] for turn in row.turns],
        "expect": row.expect.model_dump(mode="json"),
        "said": quoted(row),
        "date": row.reference_date,
        "source": [turn.text for turn in origin.turns] if origin is not None else None,
    }
    return sha256_json(shown)[:_HASH_DIGITS]


def quoted(row: TaskRow) -> dict[str, str]:
    """Return `meta.said` as far as it maps places to words."""
    said = row.meta.get("said")
    if not isinstance(said, dict):
        return {}
    return {place: words for place, words in said.items() if isinstance(words, str)}


def rows_around(folders: Iterable[Path]) -> dict[str, TaskRow]:
    """Return the tasks of the shipped set and of folders by id, as far as their lines can be read.

    Raises:
        UserError: A file cannot be read.
    """
    return rows_in([data_folder() / "tasks", *folders])


def rows_in(folders: Iterable[Path]) -> dict[str, TaskRow]:
    """Return the tasks of folders by id, as far as their lines can be read; of one id the last folder's.

    Raises:
        UserError: A file cannot be read.
    """
    found: dict[str, TaskRow] = {}
    for folder in dict.fromkeys(folders):
        for path in sorted(folder.glob("*.jsonl")):
            rows = (read_line(raw)[0] for _, raw in raw_lines(path))
            found.update((row.id, row) for row in rows if row is not None)
    return found


def _sheet(task: Task, origin: TaskRow | None) -> Sheet:
    tools = {tool.name: tool for tool in task.tools}
    calls = task.expect.calls or ()
    described = ((call.name, tools[call.name].description if call.name in tools else "") for call in calls)
    return Sheet(
        id=task.id,
        task=task.task,
        lang=task.lang,
        seen=seen(task, origin),
        review=str(task.meta.get("review", "")),
        facts=tuple(_facts(task)),
        outcome={True: REFUSE, False: DO_NOT_REFUSE, None: ""}[task.expect.refuse],
        offered=tuple(tools),
        calls=tuple(described),
        fields=(*_turns(task, origin), *_calls(task, origin, tools)),
    )


def _facts(task: Task) -> Iterator[str]:
    if region := task.meta.get("region"):
        yield f"set in {region}"
    if task.meta.get("code_mixed"):
        yield "mixes languages on purpose"
    if task.reference_date is not None:
        yield f"today is {_day(task.reference_date)}"
    if task.expect.order == "sequence" and len(task.expect.calls or ()) > 1:
        yield "the calls follow one another"
    if task.twin is not None:
        yield f"twin of {task.twin}"


def _day(text: str) -> str:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return text
    return f"{day:%A}, {text}"


def _turns(task: Task, origin: TaskRow | None) -> Iterator[Field]:
    sources = [turn.text for turn in origin.turns] if origin is not None else []
    for index, turn in enumerate(task.turns):
        source = sources[index] if index < len(sources) else ""
        yield Field(f"turns.{index}", "turn", turn.role.capitalize(), turn.text, source=source)


def _calls(task: Task, origin: TaskRow | None, tools: Mapping[str, Tool]) -> Iterator[Field]:
    said, said_there = quoted(task), quoted(origin) if origin is not None else {}
    for index, call in enumerate(task.expect.calls or ()):
        there = _same_call(origin, index, call.name)
        schemas = _properties(tools.get(call.name))
        for name, accepted in call.arguments.items():
            fixed = any(holds_marker(value) for value in accepted)
            yield Field(
                f"calls.{index}.{name}", "values", name, _readable(accepted),
                help=_help(schemas.get(name)), source=_readable(there.get(name, ())),
                fixed=fixed, call=index,
            )  # fmt: skip
            for place, words in said.items():
                if place == f"{index}.{name}" or place.startswith(f"{index}.{name}."):
                    inner = place.removeprefix(f"{index}.")
                    yield Field(
                        f"said.{place}", "said", inner, words, source=said_there.get(place, ""), call=index
                    )  # fmt: skip
        if task.expect.results is not None:
            result = json.dumps(task.expect.results[index], ensure_ascii=False)
            yield Field(f"results.{index}", "result", "returns", result, fixed=True, call=index)


def _same_call(origin: TaskRow | None, index: int, name: str) -> Mapping[str, list[Any]]:
    calls = (origin.expect.calls or ()) if origin is not None else ()
    return calls[index].arguments if index < len(calls) and calls[index].name == name else {}


def _readable(accepted: Sequence[Any]) -> str:
    """Return values one a line; where one is returned by an earlier call, in words that are not read back."""
    if not any(holds_marker(value) for value in accepted):
        return shown_values(accepted)
    return "\n".join(_returned(value) if is_marker(value) else shown_values([value]) for value in accepted)


def _returned(marker: Mapping[str, str]) -> str:
    target = read_marker(marker)
    if target is None:
        return json.dumps(marker, ensure_ascii=False)
    return f"{'.'.join(target.path) or 'all'} of what call {target.call + 1} returns"


def _properties(tool: Tool | None) -> Mapping[str, Any]:
    properties = tool.parameters.get("properties") if tool is not None else None
    return properties if isinstance(properties, dict) else {}


def _help(schema: Any) -> str:
    if not isinstance(schema, dict):
        return ""
    said = str(schema.get("description", ""))
    choices = schema.get("enum")
    if isinstance(choices, list):
        said = f"{said} One of: {', '.join(map(str, choices))}.".strip()
    return said
