"""Judge the right answers of one task: gold calls fit the tools' own schemas, and markers lead somewhere."""

from collections.abc import Iterator, Mapping
from typing import Any

from voicebench.errors import UserError, did_you_mean
from voicebench.scoring.markers import is_marker, read_marker, resolve
from voicebench.scoring.schema import check_call, compiled_parameters
from voicebench.types import GoldCall, TaskRow, Tool, ToolCall


def gold_problems(row: TaskRow, offered: Mapping[str, Tool | None]) -> Iterator[str]:
    """Yield what is wrong with the gold calls of a task.

    Args:
        row: The task.
        offered: The tools it offers, by name; None for one whose schema is not known.
    """
    for index, call in enumerate(row.expect.calls or ()):
        where = f"expect.calls[{index}] {call.name}"
        if call.name not in offered:
            yield f"{where}: not among the offered tools.{did_you_mean(call.name, offered)}"
        elif (tool := offered[call.name]) is not None:
            for message in _schema_problems(call, tool):
                yield f"{where}: {message}"
        for parameter, accepted in call.arguments.items():
            for message in (*_variant_problems(accepted), *_marker_problems(row, index, accepted)):
                yield f"{where}: parameter {parameter!r}: {message}"


def _schema_problems(call: GoldCall, tool: Tool) -> Iterator[str]:
    """Try every accepted value of every parameter, the others at their first one."""
    try:
        known = compiled_parameters(tool)
    except UserError as error:
        yield str(error)
        return
    values = {name: _values(accepted) for name, accepted in call.arguments.items()}
    first = {name: found[0] for name, found in values.items() if found}
    for name in sorted(known.required - call.arguments.keys()):
        yield f"required parameter {name!r} has no gold value"
    for name, accepted in call.arguments.items():
        if name not in known.properties:
            yield f"unknown parameter {name!r}.{did_you_mean(name, known.properties)}"
        if name in known.required and "" in accepted:
            yield f"parameter {name!r}: is required, so it cannot be left out ('')"
        for value in values[name]:
            for reason in check_call(ToolCall(name=tool.name, arguments={**first, name: value}), [tool]):
                if reason.parameter == name and reason.verdict in ("type", "wrong"):
                    yield f"parameter {name!r}: accepted value {value!r} {reason.message}"


def _values(accepted: list[Any]) -> list[Any]:
    return [value for value in accepted if value != ""]


def _variant_problems(accepted: list[Any]) -> Iterator[str]:
    if not accepted:
        yield "has no accepted value"
    elif not _values(accepted):
        yield "has no accepted value but '' (leave the parameter out of gold instead)"


def _marker_problems(row: TaskRow, index: int, accepted: list[Any]) -> Iterator[str]:
    results = row.expect.results
    for marker in _markers(accepted):
        target = read_marker(marker)
        if target is None:
            yield f"marker {marker} does not start with the number of a call"
        elif target.call >= index:
            yield f"marker {marker} points to a call that does not come before"
        elif results is not None:
            try:
                resolve(marker, results)
            except LookupError:
                yield f"marker {marker} leads to nothing in expect.results[{target.call}]"


def _markers(value: Any) -> Iterator[dict[str, str]]:
    if is_marker(value):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _markers(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _markers(inner)
