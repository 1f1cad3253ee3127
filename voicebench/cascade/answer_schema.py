"""The JSON Schema that holds an answer to calls of the offered tools, or to a refusal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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


def answer_schema(tools: Sequence[Tool], *, may_refuse: bool = True) -> dict[str, Any]:
    """Return the schema of an answer to a request that offers these tools.

    An answer is an array of one to `MOST_CALLS` calls, or (`may_refuse`) a sentence that refuses. From the
    second call on, a value may be a marker (`{"$ref": "0.amount"}`) wherever the tool's schema wants another
    value; the first call has no earlier one to point to.

    Raises:
        UserError: A tool's schema is broken.
    """
    if not tools:
        return {"type": "string", "maxLength": LONGEST_TEXT}
    definitions: dict[str, Any] = {}
    first = [_call(tool, _Holder(f"first.{n}.", marked=False), definitions) for n, tool in enumerate(tools)]
    later = [_call(tool, _Holder(f"later.{n}.", marked=True), definitions) for n, tool in enumerate(tools)]
    listed = {
        "type": "array",
        "prefixItems": [{"anyOf": first}],
        "items": {"anyOf": later},
        "minItems": 1,
        "maxItems": MOST_CALLS,
    }
    answer = {"anyOf": [listed, _REFUSAL]} if may_refuse else listed
    return answer | ({"$defs": definitions} if definitions else {})


def _call(tool: Tool, holder: "_Holder", definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a call, and add the tool's own definitions, kept apart by the holder's prefix."""
    schema = normal_schema(tool.parameters)
    for name, inner in schema.pop("$defs", {}).items():
        definitions[holder.prefix + name] = holder.value(inner)
    return {
        "type": "object",
        "properties": {"name": {"const": tool.name}, "arguments": holder.held(schema)},
        "required": ["name", "arguments"],
        "additionalProperties": False,
    }


@dataclass(frozen=True)
class _Holder:
    """Closes a schema's objects, bounds its texts and lists, and (`marked`) opens its values to markers."""

    prefix: str
    marked: bool

    def value(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        held = self.held(schema)
        return {"anyOf": [held, _MARKER]} if self.marked else held

    def held(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        if "$ref" in schema:
            return {"$ref": f"{_DEFINITIONS}{self.prefix}{schema['$ref'].removeprefix(_DEFINITIONS)}"}
        held = dict(schema)
        bounded = held.keys() & {"enum", "const", "format", "pattern", "maxLength"}
        if held.get("type") == "string" and not bounded:
            held["maxLength"] = LONGEST_TEXT
        if held.get("type") == "array":
            held.setdefault("maxItems", MOST_ITEMS)
        if "properties" in held:
            held["properties"] = {name: self.value(inner) for name, inner in held["properties"].items()}
            held.setdefault("additionalProperties", False)
        for key in ("items", "additionalProperties"):
            if isinstance(held.get(key), Mapping):
                held[key] = self.value(held[key])
        if "prefixItems" in held:
            held["prefixItems"] = [self.value(inner) for inner in held["prefixItems"]]
        for key in ("anyOf", "oneOf", "allOf"):
            if key in held:
                held[key] = [self.held(inner) for inner in held[key]]
        return held
