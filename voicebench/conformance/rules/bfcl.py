"""BFCL's AST checker for Python calls, re-implemented from a description of it; not its code.

Described, and done here:

- As many calls as gold, exact names. Calls are paired greedily: each gold call takes the first call that fits
  and is free. No order between calls.
- Every required parameter is given. A parameter that the schema or gold does not have fails. A gold parameter
  may be left out, or given as "", if "" is among its variants; a wrong value fails, optional or not.
- Types by Python's `type()`: an int passes for a float at the top level only, not inside a list; a float, a
  numeric string or a bool passes for nothing else. A tuple is a list. A value of a gold variant's own type
  passes the check of types, and is then compared with `==`.
- Strings lose blanks and `, . / - _ * ^`, are lower-cased, and ' becomes ". So "1.5" is "15" and "-5" is "5".
- Lists keep their order. Objects key by key, with a list of variants for each key; an object inside an object
  by `==` alone. Lists of objects in order, of equal length.
- Type names are its own (string, integer, float, boolean, array, tuple, dict, any); others break it.

Adapted: a schema's `object`, `number`, `list`, `str`, `int` and `bool` are first renamed to its type names,
and each value inside a gold object is made a list of one variant. A union, a `$ref` or no type at all has
no such name, so the rule cannot judge the case.

Not covered: its own reading of answers, Java and JavaScript, multi-turn and irrelevance categories.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from voicebench.conformance.rules.common import CannotJudge, each_takes_the_first, tool_of
from voicebench.types import Expect, GoldCall, Tool, ToolCall

_NAMES = {
    "object": "dict", "number": "float", "list": "array", "str": "string", "int": "integer",
    "bool": "boolean",
}  # fmt: skip
_TYPES: Mapping[str, type] = {
    "string": str, "integer": int, "float": float, "boolean": bool, "array": list, "tuple": list,
    "dict": dict,
}  # fmt: skip
_DROPPED = re.compile(r"[ ,./\-_*^]")


def bfcl(expected: Expect, calls: Sequence[ToolCall], tools: Sequence[Tool]) -> bool:
    """Tell whether the calls are right by the checker's rule.

    Raises:
        CannotJudge: A type in a called tool's schema is none of the checker's.
    """
    return each_takes_the_first(expected, calls, lambda gold, call: _is_right(gold, call, tools))


def _is_right(gold: GoldCall, call: ToolCall, tools: Sequence[Tool]) -> bool:
    if call.name != gold.name:
        return False
    schema = tool_of(gold.name, tools).parameters
    properties, given = schema.get("properties", {}), call.arguments
    if not set(schema.get("required", ())) <= given.keys():
        return False
    if not given.keys() <= properties.keys() & gold.arguments.keys():
        return False
    return all(
        _value_is_right(given[name], variants, properties[name]) if name in given else "" in variants
        for name, variants in gold.arguments.items()
    )


def _value_is_right(value: Any, variants: Sequence[Any], schema: Mapping[str, Any]) -> bool:
    if value == "" and "" in variants:
        return True
    wanted = _type_of(schema)
    if wanted is float and type(value) is int:
        value = float(value)
    if wanted is not None and type(value) is not wanted:
        return any(type(value) is type(variant) and value == variant for variant in variants)
    if wanted is list and not _items_fit(value, schema):
        return False
    if isinstance(value, dict):
        return any(_object_is_right(value, variant) for variant in variants)
    if isinstance(value, list) and any(isinstance(item, dict) for item in value):
        return any(_objects_are_right(value, variant) for variant in variants)
    return _plain(value) in [_plain(variant) for variant in variants]


def _type_of(schema: Mapping[str, Any]) -> type | None:
    """Return the Python type of a schema; None for any."""
    name = schema.get("type")
    name = _NAMES.get(name, name) if isinstance(name, str) else name
    if name == "any":
        return None
    if not isinstance(name, str) or name not in _TYPES:
        raise CannotJudge(f"the rule knows no type {name!r}")
    return _TYPES[name]


def _items_fit(items: Sequence[Any], schema: Mapping[str, Any]) -> bool:
    wanted = _type_of(schema["items"]) if isinstance(schema.get("items"), Mapping) else None
    return wanted is None or all(type(item) is wanted for item in items)


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return _DROPPED.sub("", value).lower().replace("'", '"')
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _object_is_right(value: Any, variant: Any) -> bool:
    # An object in an object is a single variant, compared as it stands.
    return (
        isinstance(value, dict)
        and isinstance(variant, dict)
        and value.keys() == variant.keys()
        and all(_plain(value[key]) == _plain(variant[key]) for key in variant)
    )


def _objects_are_right(value: Sequence[Any], variant: Any) -> bool:
    return (
        isinstance(variant, list)
        and len(value) == len(variant)
        and all(_object_is_right(one, other) for one, other in zip(value, variant, strict=True))
    )
