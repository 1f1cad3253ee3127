"""The JSON Schema that holds an answer to calls of the offered tools, or to a refusal."""

from collections.abc import Mapping, Sequence
from typing import Any

from voicebench.scoring.schema import normal_schema
from voicebench.types import Tool

MOST_CALLS = 8
MOST_ITEMS = 16
LONGEST_TEXT = 200
"""In characters, of a text whose schema sets no bound: a small model that has lost its way never ends one."""

_REFUSAL = {"type": "string", "pattern": r"^I will not [^\"\\\n]{1,120}$"}
"""The sentence that the instruction asks for; if they may say anything, small models only talk."""

_DEFINITIONS = "#/$defs/"
_MARKER: dict[str, Any] = {
    "type": "object",
    "properties": {"$ref": {"type": "string", "pattern": r"^[0-9]{1,2}(\.[A-Za-z0-9_]{1,40}){1,6}$"}},
    "required": ["$ref"],
    "additionalProperties": False,
}


def answer_schema(tools: Sequence[Tool]) -> dict[str, Any]:
    """Return the schema of an answer to a request that offers these tools.

    An answer is an array of one to `MOST_CALLS` calls, or a sentence that refuses.
    A value may be a marker (`{"$ref": "0.amount"}`) wherever the tool's own schema wants another value.

    Raises:
        UserError: A tool's schema is broken.
    """
    if not tools:
        return {"type": "string", "maxLength": LONGEST_TEXT}
    definitions: dict[str, Any] = {}
    calls = [_call(tool, f"{place}.", definitions) for place, tool in enumerate(tools)]
    listed = {"type": "array", "items": {"anyOf": calls}, "minItems": 1, "maxItems": MOST_CALLS}
    return {"anyOf": [listed, _REFUSAL]} | ({"$defs": definitions} if definitions else {})


def _call(tool: Tool, prefix: str, definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a call, and add the tool's own definitions, kept apart by a prefix."""
    schema = normal_schema(tool.parameters)
    for name, inner in schema.pop("$defs", {}).items():
        definitions[prefix + name] = _or_marker(inner, prefix)
    return {
        "type": "object",
        "properties": {"name": {"const": tool.name}, "arguments": _held(schema, prefix)},
        "required": ["name", "arguments"],
        "additionalProperties": False,
    }


def _or_marker(schema: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    return {"anyOf": [_held(schema, prefix), _MARKER]}


def _held(schema: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """Return a schema with its objects closed and its inner values open to markers, all the way down."""
    if "$ref" in schema:
        return {"$ref": f"{_DEFINITIONS}{prefix}{schema['$ref'].removeprefix(_DEFINITIONS)}"}
    held = dict(schema)
    if held.get("type") == "string" and not held.keys() & {"enum", "const", "format", "pattern", "maxLength"}:
        held["maxLength"] = LONGEST_TEXT
    if held.get("type") == "array":
        held.setdefault("maxItems", MOST_ITEMS)
    if "properties" in held:
        held["properties"] = {name: _or_marker(inner, prefix) for name, inner in held["properties"].items()}
        held.setdefault("additionalProperties", False)
    for key in ("items", "additionalProperties"):
        if isinstance(held.get(key), Mapping):
            held[key] = _or_marker(held[key], prefix)
    if "prefixItems" in held:
        held["prefixItems"] = [_or_marker(inner, prefix) for inner in held["prefixItems"]]
    for key in ("anyOf", "oneOf", "allOf"):
        if key in held:
            held[key] = [_held(inner, prefix) for inner in held[key]]
    return held
