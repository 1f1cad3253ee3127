"""Bring gold calls with accepted variants, as BFCL and VoiceAgentBench write them, into ours."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from voicebench.scoring.schema import compiled_parameters, types_of
from voicebench.tasks.doors.contract import NoTask
from voicebench.types import GoldCall, Tool

MOST_VARIANTS = 512
"""How many accepted values of one parameter are listed at most; nested variants multiply."""

LEFT_OUT = ""
"""Among accepted values: the parameter may be left out."""


def read_calls(raw: Any, tools: Sequence[Tool]) -> tuple[GoldCall, ...]:
    """Return gold calls of the form `[{function: {parameter: [accepted, …]}}, …]`.

    Raises:
        NoTask: It has another form, names a tool that is not offered, or cannot be written down here.
    """
    if isinstance(raw, Mapping):
        raw = [raw]
    if not isinstance(raw, list) or not all(isinstance(call, Mapping) for call in raw):
        raise NoTask("its right calls are in a form that is not known")
    by_name = {tool.name: tool for tool in tools}
    calls = []
    for name, arguments in ((name, arguments) for call in raw for name, arguments in call.items()):
        if name not in by_name:
            raise NoTask("a right call names a tool that is not offered", str(name))
        if not isinstance(arguments, Mapping):
            raise NoTask("its right calls are in a form that is not known")
        calls.append(gold_call(by_name[name], arguments))
    return tuple(calls)


def gold_call(tool: Tool, arguments: Mapping[str, Any]) -> GoldCall:
    """Return one gold call.

    Variants inside an object (`{"city": ["Pune", "Poona"], "state": ["MH", ""]}`) are multiplied out, for
    with us nothing inside a value is a variant. `""` at a required parameter is dropped: their checkers fail
    a call that leaves it out. A parameter whose only variant is `""` is not listed, which means the same.
    `null` beside `""`, at a parameter that cannot be null, means that it is left out too, and is dropped.

    Args:
        tool: The tool, with standard JSON Schema.
        arguments: For each parameter the accepted values; a value that is no list is the only one.

    Raises:
        NoTask: There are too many variants, or none is left for a required parameter.
    """
    known = compiled_parameters(tool)
    listed = {}
    for name, raw in arguments.items():
        schema = known.properties.get(name, {})
        values = [value for variant in _variants(raw, schema) for value in _expanded(variant, schema)]
        if LEFT_OUT in values and "null" not in types_of(schema):
            values = [value for value in values if value is not None]
        given = _distinct(value for value in values if value != LEFT_OUT)
        if len(given) > MOST_VARIANTS:
            raise NoTask("a parameter has too many accepted values to list")
        if name in known.required:
            if not given:
                raise NoTask("a required parameter has no right value", f"{tool.name}.{name}")
            listed[name] = given
        elif given:
            listed[name] = given + ([LEFT_OUT] if LEFT_OUT in values else [])
    return GoldCall(name=tool.name, arguments=listed)


def _variants(raw: Any, schema: Mapping[str, Any]) -> list[Any]:
    """Return the accepted values of what takes a schema; a lone list, where a list is asked for, is one."""
    if not isinstance(raw, list):
        return [raw]
    lists = all(isinstance(value, list) or value in (LEFT_OUT, None) for value in raw)
    if types_of(schema) == {"array"} and raw and not lists:
        return [raw]
    return raw


def _expanded(variant: Any, schema: Mapping[str, Any]) -> list[Any]:
    """Return the values that a variant stands for: an object's members are lists of variants."""
    if isinstance(variant, Mapping):
        return _objects(variant, schema)
    if isinstance(variant, list) and any(isinstance(item, Mapping) for item in variant):
        items = schema.get("items") or {}
        return [list(chosen) for chosen in _product([_expanded(item, items) for item in variant])]
    return [variant]


def _objects(variant: Mapping[str, Any], schema: Mapping[str, Any]) -> list[Any]:
    properties = schema.get("properties") or {}
    members = [_variants(raw, properties.get(name, {})) for name, raw in variant.items()]
    return [
        {name: value for name, value in zip(variant, chosen, strict=True) if value != LEFT_OUT}
        for chosen in _product(members)
    ]


def _product(choices: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
    count = 1
    for choice in choices:
        count *= len(choice)
        if count > MOST_VARIANTS:
            raise NoTask("a parameter has too many accepted values to list")
    return list(itertools.product(*choices))


def _distinct(values: Any) -> list[Any]:
    """Return values without repetitions; True is not 1."""
    found: list[Any] = []
    for value in values:
        if not any(value == other and type(value) is type(other) for other in found):
            found.append(value)
    return found
