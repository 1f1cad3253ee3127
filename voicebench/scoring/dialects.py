"""Bring a tool's schema, in any of the dialects that tool sets are written in, into standard JSON Schema."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from voicebench.errors import UserError, did_you_mean

_STANDARD_TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")
_TYPE_NAMES = {name: name for name in _STANDARD_TYPES} | {
    "str": "string", "char": "string",
    "int": "integer", "long": "integer", "short": "integer", "byte": "integer", "bigint": "integer",
    "float": "number", "double": "number", "decimal": "number",
    "bool": "boolean",
    "list": "array", "tuple": "array", "arraylist": "array",
    "dict": "object", "hashmap": "object",
    "none": "null",
    "any": "any",
}  # fmt: skip
_SUBSCHEMA_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_SUBSCHEMA_MAPS = ("properties", "patternProperties", "$defs")
_DEFINITIONS = ("#/$defs/", "#/definitions/")
_NULL = {"type": "null"}
_NOTHING: dict[str, Any] = {"enum": []}


def normal_schema(schema: Mapping[str, Any], where: str = "parameters") -> dict[str, Any]:
    """Return a tool's parameters in standard JSON Schema.

    Type names become standard ones (`dict` → object, `float` → number, `tuple` → array, `any` → no `type`),
    `nullable` and an enum with null become a union with null, a list under `items` becomes `prefixItems`,
    `definitions` become `$defs`, and a property's own `required: true` moves to its object. What a `$ref`
    points at elsewhere in the schema (`#`, `#/properties/x`, `#/$defs/x/properties/y`) becomes a definition
    of its own. The schemas true and false become `{}` and an empty enum. The root is an object.

    Args:
        schema: The parameters of a tool, or any schema whose root is an object.
        where: Names the root in error messages.

    Raises:
        UserError: The schema is broken; the message starts with the place.
    """
    try:
        normal = _normal(schema, where)
        _define_what_is_pointed_at(normal, schema, where)
    except RecursionError:
        raise UserError(f"{where}: nested too deeply") from None
    if "object" not in normal.get("type", "object"):
        raise UserError(f"{where}.type: a tool's parameters are an object, not {normal['type']!r}")
    normal["type"] = "object"
    normal.setdefault("properties", {})
    _check_references(normal, normal.get("$defs", {}), where)
    return normal


def _normal(schema: Any, where: str) -> dict[str, Any]:
    if isinstance(schema, bool):
        return {} if schema else dict(_NOTHING)
    if not isinstance(schema, Mapping):
        raise UserError(f"{where}: a schema must be an object, not {json.dumps(schema)[:80]}")
    normal = {key: value for key, value in schema.items() if value is not None or key in ("default", "const")}
    for key in _SUBSCHEMA_LISTS:
        if key in normal:
            branches = _of(list, normal[key], f"{where}.{key}")
            normal[key] = [_normal(item, f"{where}.{key}.{place}") for place, item in enumerate(branches)]
    if isinstance(normal.get("items"), list):
        items = normal.pop("items")
        normal["prefixItems"] = [_normal(item, f"{where}.items.{place}") for place, item in enumerate(items)]
    if "items" in normal:
        normal["items"] = _normal(normal["items"], f"{where}.items")
    if not isinstance(normal.get("additionalProperties", True), bool):
        normal["additionalProperties"] = _normal(
            normal["additionalProperties"], f"{where}.additionalProperties"
        )
    if "patternProperties" in normal:
        patterns = _of(dict, normal["patternProperties"], f"{where}.patternProperties")
        normal["patternProperties"] = {
            _pattern(pattern, where): _normal(item, f"{where}.patternProperties.{pattern}")
            for pattern, item in patterns.items()
        }
    _normal_definitions(normal, where)
    _normal_properties(normal, where)
    _normal_type(normal, where)
    return normal


def _normal_definitions(normal: dict[str, Any], where: str) -> None:
    found = {}
    for key in ("definitions", "$defs"):
        for name, item in _of(dict, normal.pop(key, {}), f"{where}.{key}").items():
            found[name] = _normal(item, f"{where}.{key}.{name}")
    if found:
        normal["$defs"] = found
    target = normal.get("$ref")
    if target is not None:
        if not isinstance(target, str) or not target.startswith("#"):
            raise UserError(f"{where}.$ref: only '#…', into the schema itself, is followed, not {target!r}")
        prefix = next((prefix for prefix in _DEFINITIONS if target.startswith(prefix)), "")
        normal["$ref"] = _DEFINITIONS[0] + target.removeprefix(prefix)


def _pattern(pattern: str, where: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise UserError(f"{where}.patternProperties: {pattern!r} is no pattern ({error})") from None
    return pattern


def _define_what_is_pointed_at(normal: dict[str, Any], schema: Any, where: str) -> None:
    """Give each part of the schema that a `$ref` points at, and that is no definition, a definition."""
    definitions = normal.setdefault("$defs", {})
    left = [normal]
    while left:
        for name in _targets(left.pop()):
            if name in definitions:
                continue
            pointers = (name,) if name.startswith("#") else tuple(prefix + name for prefix in _DEFINITIONS)
            found = [part for pointer in pointers for part in _pointed_at(pointer, schema)]
            if found:
                part = _normal(found[0], f"{where}.{name}")
                part.pop("$defs", None)
                definitions[name] = part
                left.append(part)
    if not definitions:
        del normal["$defs"]


def _targets(node: Any) -> Iterator[str]:
    """Yield the name of each definition that a normal schema refers to."""
    if isinstance(node, dict) and isinstance(node.get("$ref"), str):
        yield node["$ref"].removeprefix(_DEFINITIONS[0])
    for _, part in _subschemas(node):
        yield from _targets(part)


def _pointed_at(pointer: str, schema: Any) -> list[Any]:
    """Return the part of a schema that a JSON pointer (RFC 6901, after "#") leads to, or nothing."""
    root, *tokens = unquote(pointer).split("/")
    if root != "#":
        return []
    part = schema
    for token in tokens:
        key = token.replace("~1", "/").replace("~0", "~")
        if isinstance(part, Mapping) and key in part:
            part = part[key]
        elif isinstance(part, list) and key.isdecimal() and int(key) < len(part):
            part = part[int(key)]
        else:
            return []
    return [part]


def _subschemas(node: Any) -> Iterator[tuple[str, Any]]:
    """Yield each schema right inside a normal schema, with its place."""
    if not isinstance(node, dict):
        return
    for key in ("items", "additionalProperties"):
        if key in node:
            yield key, node[key]
    for key in _SUBSCHEMA_LISTS:
        for place, item in enumerate(node.get(key, ())):
            yield f"{key}.{place}", item
    for key in _SUBSCHEMA_MAPS:
        for name, item in node.get(key, {}).items():
            yield f"{key}.{name}", item


def _normal_properties(normal: dict[str, Any], where: str) -> None:
    required = normal.pop("required", [])
    # Older dialects say `required: true` at the property itself; there, its parent has already read it.
    names = [] if isinstance(required, bool) else list(_of(list, required, f"{where}.required"))
    if not all(isinstance(name, str) for name in names):
        raise UserError(f"{where}.required: must be a list of parameter names")
    if "properties" in normal:
        properties = _of(dict, normal["properties"], f"{where}.properties")
        names += [
            name for name, item in properties.items()
            if isinstance(item, Mapping) and item.get("required") is True and name not in names
        ]  # fmt: skip
        normal["properties"] = {
            name: _normal(item, f"{where}.properties.{name}") for name, item in properties.items()
        }
    if names:
        normal["required"] = names


def _normal_type(normal: dict[str, Any], where: str) -> None:
    stated = normal.pop("type", "any")
    stated = stated if isinstance(stated, list) else [stated]
    if not stated:
        raise UserError(f"{where}.type: names no type")
    names = list(dict.fromkeys(_type_name(name, f"{where}.type") for name in stated))
    nullable = normal.pop("nullable", False) is True
    values = normal.get("enum")
    if values is not None:
        nullable = nullable or None in _of(list, values, f"{where}.enum")
    if nullable and "any" in names:
        if "$ref" in normal:
            normal["anyOf"] = [{"$ref": normal.pop("$ref")}, _NULL]
        for key in ("anyOf", "oneOf"):
            if key in normal and _NULL not in normal[key]:
                normal[key] = [*normal[key], _NULL]
    if "any" not in names:
        names += ["null"] if nullable and "null" not in names else []
        normal["type"] = names[0] if len(names) == 1 else names
    if values is not None and None not in values and (nullable or "null" in names):
        normal["enum"] = [*values, None]


def _type_name(name: Any, where: str) -> str:
    if isinstance(name, str) and name.lower() in _TYPE_NAMES:
        return _TYPE_NAMES[name.lower()]
    if isinstance(name, str):
        raise UserError(f"{where}: unknown type {name[:80]!r}.{did_you_mean(name[:80], _TYPE_NAMES)}")
    raise UserError(f"{where}: must be a type's name or a list of names, not {json.dumps(name)[:80]}")


def _of(kind: type, value: Any, where: str) -> Any:
    if not isinstance(value, kind):
        wanted = {"dict": "an object", "list": "a list"}[kind.__name__]
        raise UserError(f"{where}: must be {wanted}, not {json.dumps(value)[:80]}")
    return value


def _check_references(node: Any, definitions: Mapping[str, Any], where: str) -> None:
    if not isinstance(node, dict):
        return
    followed: list[str] = []
    target = node.get("$ref")
    while isinstance(target, str):
        name = target.removeprefix(_DEFINITIONS[0])
        if name not in definitions or name in followed:
            said = "leads back to itself" if name in followed else "is not defined"
            shown = name if name.startswith("#") else target
            raise UserError(f"{where}.$ref: {shown!r} {said}")
        followed.append(name)
        target = definitions[name].get("$ref")
    for place, part in _subschemas(node):
        _check_references(part, definitions, f"{where}.{place}")
