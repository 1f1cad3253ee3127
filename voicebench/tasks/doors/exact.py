"""Bring gold calls with one exact value a parameter, as agents' logs have them, into ours."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from voicebench.scoring.json_calls import arguments_in
from voicebench.scoring.offered import Offered
from voicebench.scoring.plain import Unreadable
from voicebench.scoring.schema import check_call, compiled_parameters, types_of
from voicebench.tasks.doors.contract import NoTask
from voicebench.tasks.doors.gold import LEFT_OUT
from voicebench.types import GoldCall, Tool, ToolCall

_ARGUMENTS = ("arguments", "args", "parameters", "input")


def exact_call(raw: Any, tools: Sequence[Tool]) -> GoldCall:
    """Return the gold call of an object that says a call.

    Read are `{name, arguments}`, the same with `args`, `parameters` or `input`, and either inside
    OpenAI's `{"type": "function", "function": …}`. Arguments are an object or its JSON text, also text that
    was written as JSON twice.

    Args:
        raw: The call.
        tools: The tools that are offered.

    Raises:
        NoTask: It is none of these, names a tool that is not offered, or does not fit the tool's schema.
    """
    if isinstance(raw, Mapping) and isinstance(raw.get("function"), Mapping):
        raw = raw["function"]
    if not isinstance(raw, Mapping) or not isinstance(raw.get("name"), str):
        raise NoTask("its right calls are in a form that is not known")
    offered = Offered(tools)
    tool = offered.get(raw["name"])
    if tool is None:
        raise NoTask("a right call names a tool that is not offered", raw["name"])
    given = next((raw[key] for key in _ARGUMENTS if key in raw), None)
    return with_values(tool, _arguments(given))


def with_values(tool: Tool, arguments: Mapping[str, Any]) -> GoldCall:
    """Return the gold call in which each parameter has exactly one right value.

    A `null` at a parameter that need not be given means that it may be left out, and must be where it cannot
    be null; an empty text means that it is left out. (Among our accepted values an empty text says just that,
    so it cannot be one itself.)

    Args:
        tool: The tool, with standard JSON Schema.
        arguments: The right value of each parameter.

    Raises:
        NoTask: A value does not fit, a parameter is unknown, or a required one has no value.
    """
    known = compiled_parameters(tool)
    listed = {}
    for name, value in arguments.items():
        if name not in known.properties:
            raise NoTask("a right call has a parameter that its tool does not know", f"{tool.name}.{name}")
        if value != LEFT_OUT and (value is not None or "null" in types_of(known.properties[name])):
            listed[name] = value
    for reason in check_call(ToolCall(name=tool.name, arguments=listed), [tool]):
        if reason.verdict == "missing":
            raise NoTask("a required parameter has no right value", f"{tool.name}.{reason.parameter}")
        raise NoTask(
            "a right value does not fit the type of its parameter", f"{tool.name}.{reason.parameter}"
        )
    return GoldCall(
        name=tool.name,
        arguments={
            name: [value, LEFT_OUT] if value is None and name not in known.required else [value]
            for name, value in listed.items()
        },
    )


def _arguments(given: Any) -> dict[str, Any]:
    try:
        return arguments_in(_written_once(given))
    except Unreadable as error:
        raise NoTask("the arguments of a right call are no JSON object", str(error)) from None


def _written_once(given: Any) -> Any:
    """Return arguments whose JSON text was itself written as JSON as that text."""
    if isinstance(given, str) and given.lstrip().startswith('"'):
        try:
            return json.loads(given)
        except ValueError:
            return given
    return given
