"""Judge the right answers of one task: gold calls against the tools' own schemas, and markers that resolve."""

from collections.abc import Iterator, Mapping
from typing import Any

from voicebench.errors import did_you_mean
from voicebench.scoring.schema import check_call
from voicebench.types import GoldCall, Reason, TaskRow, Tool, ToolCall

MARKER = "$ref"


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


def markers(value: Any) -> Iterator[str]:
    """Yield the path of each `{"$ref": path}` in a value, however deep."""
    if isinstance(value, dict):
        if set(value) == {MARKER}:
            yield str(value[MARKER])
        else:
            for inner in value.values():
                yield from markers(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from markers(inner)


def _schema_problems(call: GoldCall, tool: Tool) -> Iterator[str]:
    """Try every accepted value of every parameter, the others at their first one."""
    values = {name: _values(accepted) for name, accepted in call.arguments.items()}
    first = {name: found[0] for name, found in values.items() if found}
    for reason in _refusals(tool, first):
        if reason.verdict == "missing":
            if reason.parameter not in call.arguments:
                yield f"required parameter {reason.parameter!r} has no gold value"
        elif reason.verdict == "unexpected":
            known = tool.parameters.get("properties", {})
            yield f"unknown parameter {reason.parameter!r}.{did_you_mean(str(reason.parameter), known)}"
    for name, accepted in call.arguments.items():
        if "" in accepted and name in tool.parameters.get("required", ()):
            yield f"parameter {name!r} is required, so it cannot be left out ('')"
        for value in values[name]:
            for reason in _refusals(tool, {**first, name: value}):
                if reason.verdict == "type" and _is_about(reason, name):
                    yield f"parameter {name!r}: accepted value {value!r} does not fit the tool's schema"
                    break


def _refusals(tool: Tool, arguments: Mapping[str, Any]) -> list[Reason]:
    return check_call(ToolCall(name=tool.name, arguments=dict(arguments)), [tool])


def _is_about(reason: Reason, parameter: str) -> bool:
    return reason.parameter is not None and reason.parameter.split(".")[0].split("[")[0] == parameter


def _values(accepted: list[Any]) -> list[Any]:
    return [value for value in accepted if value != ""]


def _variant_problems(accepted: list[Any]) -> Iterator[str]:
    if not accepted:
        yield "has no accepted value"
    elif not _values(accepted):
        yield "has no accepted value but '' (leave the parameter out of gold instead)"


def _marker_problems(row: TaskRow, index: int, accepted: list[Any]) -> Iterator[str]:
    for path in markers(accepted):
        head, *keys = path.split(".")
        if not (head.isascii() and head.isdigit()):
            yield f"marker {path!r} does not start with the number of a call"
        elif int(head) >= index:
            yield f"marker {path!r} points to a call that does not come before"
        elif row.expect.results is not None and not _leads_somewhere(row.expect.results[int(head)], keys):
            yield f"marker {path!r} leads to nothing in expect.results[{head}]"


def _leads_somewhere(value: Any, keys: list[str]) -> bool:
    for key in keys:
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isascii() and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            return False
    return True
