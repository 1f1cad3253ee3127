"""Bring a tool as other sets write it, with Python's type names, into a tool with standard JSON Schema."""

import re
from collections.abc import Mapping
from typing import Any

from voicebench.errors import UserError
from voicebench.scoring.dialects import normal_schema
from voicebench.scoring.schema import compiled_parameters
from voicebench.tasks.doors.contract import NoTask
from voicebench.types import Tool

NAME_ALONE = "Only the name of this tool is known."
"""The description of a tool whose source gives no more."""

_GENERIC = re.compile(r"\s*(\w+)\s*[\[(](.*)[\])]\s*")
_MAPS = ("properties", "patternProperties", "$defs", "definitions")
_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_ANYTHING = frozenset(("json", "object_or_array", "object or array"))


def read_tool(raw: Any) -> Tool:
    """Return a tool.

    Read are `{name, description, parameters}`, the same inside OpenAI's `{"type": "function", "function"}`,
    and API-Bank's `input_parameters`. Parameters are a schema (`{"type": "dict", "properties": …}`), or a
    bare mapping from each parameter's name to its schema; of the bare form it is not known which must be
    given. Types are those of `voicebench.scoring.dialects`, and Python's `list(str)`, `List[int]`,
    `Optional[float]`, `Dict[str, int]`.

    Raises:
        NoTask: It is no tool, or its schema is broken.
    """
    if isinstance(raw, Mapping) and isinstance(raw.get("function"), Mapping):
        raw = raw["function"]
    if not isinstance(raw, Mapping) or not isinstance(raw.get("name"), str) or not raw["name"]:
        raise NoTask("a tool has no name")
    parameters = raw.get("parameters", raw.get("input_parameters"))
    if parameters is None:
        parameters = {}
    if not isinstance(parameters, Mapping):
        raise NoTask("a tool's schema is broken", f"{raw['name']}: parameters are no object")
    try:
        schema = normal_schema(_standard(_whole(parameters)))
        tool = Tool(name=raw["name"], description=str(raw.get("description") or ""), parameters=schema)
        compiled_parameters(tool)
    except UserError as error:
        raise NoTask("a tool's schema is broken", f"{raw['name']}: {error}") from None
    return tool


def name_alone(name: str) -> Tool:
    """Return a tool of which only the name is known: it takes no arguments."""
    return Tool(name=name, description=NAME_ALONE)


def _whole(parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return parameters as a schema; a bare mapping may have a parameter called `type` or `properties`."""
    properties = parameters.get("properties")
    if isinstance(parameters.get("type"), str) or isinstance(parameters.get("$ref"), str):
        return parameters
    if isinstance(properties, Mapping) and all(isinstance(item, Mapping) for item in properties.values()):
        return parameters
    return {"type": "object", "properties": parameters}


def _standard(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema without Python's generic types; `normal_schema` reads the rest."""
    found = dict(schema)
    for key in _MAPS:
        if isinstance(found.get(key), Mapping):
            found[key] = {name: _inner(item) for name, item in found[key].items()}
    for key in ("items", "additionalProperties"):
        found |= {key: _inner(found[key])} if key in found else {}
    for key in _LISTS:
        if isinstance(found.get(key), list):
            found[key] = [_inner(item) for item in found[key]]
    if isinstance(found.get("type"), str):
        return {**_generic(found.pop("type")), **found}
    return found


def _inner(schema: Any) -> Any:
    return _standard(schema) if isinstance(schema, Mapping) else schema


def _generic(name: str) -> dict[str, Any]:
    """Return the schema of a Python type by its name."""
    if name.lower() in _ANYTHING:
        return {}
    found = _GENERIC.fullmatch(name)
    if found is None:
        return {"type": name}
    outer, inner = found[1].lower(), found[2]
    if outer == "optional":
        return {"anyOf": [_generic(inner), {"type": "null"}]}
    if outer in ("list", "array", "set", "sequence"):
        return {"type": "array", "items": _generic(inner)}
    return {"type": outer}
