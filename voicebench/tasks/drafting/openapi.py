"""Tools from an OpenAPI 3 description: one operation, one tool.

A tool's parameters are what a caller can say: the operation's path and query parameters, and the fields of
its JSON (or form) body, in one JSON Schema. Headers and cookies are the caller's program's business, and what
the server alone writes (`readOnly`) nobody sends. References are followed within the file: a schema stands
where it is referred to, unless it contains itself or is large, and is then a definition of the tool's own.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from voicebench.errors import UserError
from voicebench.types import Tool

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
LONGEST_NAME = 64
"""Characters of a tool's name, as chat APIs allow it."""

MOST_INLINE = 60
"""Parts that a schema may have to stand where it is referred to."""

_BODIES = ("application/json", "application/x-www-form-urlencoded", "multipart/form-data")
_LEFT_OUT = frozenset(
    {"xml", "externalDocs", "discriminator", "example", "examples", "readOnly", "writeOnly", "deprecated",
     "$schema", "$id", "$comment"}
)  # fmt: skip
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
_MAPS = ("properties", "patternProperties")
_SINGLE = ("items", "additionalProperties", "not")
_MOST_HOPS = 20


class _Unusable(Exception):
    """An operation that no tool can be made of, and why."""


def openapi_tools(document: Mapping[str, Any]) -> tuple[list[Tool], list[str]]:
    """Return a tool for each operation of an OpenAPI 3.0 or 3.1 description.

    A name is the `operationId`, or method and path; the description is summary and description.

    Args:
        document: The parsed file.

    Returns:
        The tools in the order of the file, and a note on each operation or parameter that is left out.

    Raises:
        UserError: It is no OpenAPI 3 description.
    """
    version = document.get("openapi")
    if not isinstance(version, str) or not version.startswith("3."):
        stated = version or document.get("swagger")
        raise UserError(f"OpenAPI {stated!r} is not read; convert it to 3.0 or 3.1")
    paths = document.get("paths")
    if not isinstance(paths, Mapping):
        raise UserError("the OpenAPI description has no paths")
    tools: list[Tool] = []
    notes: list[str] = []
    for path, item in paths.items():
        for method, operation, shared in _operations(item, document):
            what = f"{method.upper()} {path}"
            if operation.get("deprecated") is True:
                notes.append(f"{what} is deprecated and left out")
                continue
            try:
                tool, said = _tool(method, path, operation, shared, document)
            except _Unusable as error:
                notes.append(f"{what} is left out: {error}")
                continue
            notes += [f"{what}: {text}" for text in said]
            if any(tool.name == other.name for other in tools):
                tool = tool.model_copy(update={"name": _another(tool.name, tools)})
                notes.append(f"{what}: its name stands twice; this one is {tool.name}")
            tools.append(tool)
    return tools, notes


def _operations(
    item: Any, document: Mapping[str, Any]
) -> Iterator[tuple[str, Mapping[str, Any], Sequence[Any]]]:
    try:
        item = _followed(item, document)
    except _Unusable:
        return
    if not isinstance(item, Mapping):
        return
    shared = item.get("parameters")
    for method in METHODS:
        operation = item.get(method)
        if isinstance(operation, Mapping):
            yield method, operation, shared if isinstance(shared, list) else []


def _tool(
    method: str, path: str, operation: Mapping[str, Any], shared: Sequence[Any], document: Mapping[str, Any]
) -> tuple[Tool, list[str]]:
    notes: list[str] = []
    schemas = _Schemas(document)
    properties: dict[str, Any] = {}
    required: list[str] = []
    for parameter in _parameters(operation, shared, document):
        name, place = str(parameter.get("name")), parameter.get("in")
        needed = parameter.get("required") is True
        if place not in ("path", "query"):
            if needed:
                notes.append(f"the {place} parameter {name!r} is left out; the calling program sets it")
            continue
        if parameter.get("deprecated") is True and not needed:
            continue
        schema = schemas.resolved(_schema_of(parameter))
        said = parameter.get("description")
        properties[name] = {**schema, "description": said} if isinstance(said, str) and said else schema
        if needed or place == "path":
            required.append(name)
    parameters: dict[str, Any] = {"type": "object", "properties": properties, "required": required}
    _add_body(parameters, operation, schemas, document)
    if not parameters["required"]:
        del parameters["required"]
    if definitions := schemas.definitions(parameters):
        parameters["$defs"] = definitions
    said = operation.get("summary"), operation.get("description")
    words = dict.fromkeys(text.strip() for text in said if isinstance(text, str) and text.strip())
    description = " ".join(text if text[-1:] in ".!?।。" else f"{text}." for text in words)
    return Tool(name=_name(operation, method, path), description=description, parameters=parameters), notes


def _parameters(
    operation: Mapping[str, Any], shared: Sequence[Any], document: Mapping[str, Any]
) -> list[Mapping[str, Any]]:
    """Return an operation's parameters; its own go before those that its path shares."""
    own = operation.get("parameters")
    found: dict[tuple[Any, Any], Mapping[str, Any]] = {}
    for parameter in [*shared, *(own if isinstance(own, list) else [])]:
        parameter = _followed(parameter, document)
        if not isinstance(parameter, Mapping) or "name" not in parameter:
            raise _Unusable("one of its parameters has no name")
        found[str(parameter["name"]), str(parameter.get("in"))] = parameter
    return list(found.values())


def _schema_of(described: Mapping[str, Any]) -> Any:
    if "schema" in described:
        return described["schema"]
    content = described.get("content")
    if isinstance(content, Mapping):
        return next((item["schema"] for item in content.values() if _has_schema(item)), {})
    return {}


def _add_body(
    parameters: dict[str, Any],
    operation: Mapping[str, Any],
    schemas: "_Schemas",
    document: Mapping[str, Any],
) -> None:
    body = _followed(operation.get("requestBody"), document)
    content = body.get("content") if isinstance(body, Mapping) else None
    if not isinstance(content, Mapping) or not content:
        return
    kinds = {str(kind).partition(";")[0].strip().lower(): item for kind, item in content.items()}
    readable = [kind for kind in (*_BODIES, *kinds) if kind in kinds and (kind in _BODIES or "json" in kind)]
    if not readable:
        raise _Unusable(f"its body is {next(iter(kinds))}, not JSON")
    if not _has_schema(kinds[readable[0]]):
        raise _Unusable("its body has no schema")
    schema = _merged(schemas.opened(kinds[readable[0]]["schema"]), schemas)
    fields = schema.get("properties", {})
    known = parameters["properties"]
    is_object = schema.get("type", "object") == "object" and not any(key in schema for key in _LISTS)
    if not fields or not is_object or fields.keys() & known.keys():
        # A list, a choice, or fields that are named as parameters are: the body is a parameter itself.
        name = next(name for name in ("body", "request_body", "_body") if name not in known)
        known[name] = schema
        if isinstance(body, Mapping) and body.get("required") is True:
            parameters["required"].append(name)
        return
    known |= fields
    parameters["required"] += [name for name in schema.get("required", ()) if name in fields]
    if "additionalProperties" in schema:
        parameters["additionalProperties"] = schema["additionalProperties"]


def _merged(schema: dict[str, Any], schemas: "_Schemas") -> dict[str, Any]:
    """Return a body that is all of several plain objects as one object; else the schema as it is."""
    parts = schema.get("allOf")
    if not isinstance(parts, list):
        return schema
    opened = [_merged(schemas.opened(part), schemas) for part in parts]
    own = {key: value for key, value in schema.items() if key != "allOf"}
    objects = [*opened, own]
    if not all(part.keys() <= {"type", "properties", "required", "description", "title"} for part in objects):
        return schema
    merged: dict[str, Any] = {"type": "object", "properties": {}, "required": []}
    for part in objects:
        merged["properties"] |= part.get("properties", {})
        merged["required"] += [name for name in part.get("required", ()) if name not in merged["required"]]
    return merged


def _has_schema(item: Any) -> bool:
    return isinstance(item, Mapping) and isinstance(item.get("schema"), Mapping | bool)


def _name(operation: Mapping[str, Any], method: str, path: str) -> str:
    given = operation.get("operationId")
    if not isinstance(given, str) or not given.strip():
        words = re.sub(r"\{([^}]*)\}", r"by_\1", path)
        given = f"{method}_{words}"
    name = re.sub(r"[^A-Za-z0-9_.-]+", "_", given.strip()).strip("_")
    return (re.sub(r"__+", "_", name) or method)[:LONGEST_NAME]


def _another(name: str, tools: Sequence[Tool]) -> str:
    taken = {tool.name for tool in tools}
    numbers = (f"_{number}" for number in range(2, len(tools) + 3))
    return next(new for end in numbers if (new := name[: LONGEST_NAME - len(end)] + end) not in taken)


def _pointed_at(pointer: str, document: Mapping[str, Any]) -> Any:
    """Return the part of a document that a reference leads to.

    Raises:
        _Unusable: It leads out of the document, or nowhere.
    """
    root, *tokens = unquote(pointer).split("/")
    if root != "#":
        raise _Unusable(f"$ref {pointer[:80]!r} leads out of the file; bundle the files into one")
    part: Any = document
    for token in tokens:
        key = token.replace("~1", "/").replace("~0", "~")
        if isinstance(part, Mapping) and key in part:
            part = part[key]
        elif isinstance(part, list) and key.isdecimal() and int(key) < len(part):
            part = part[int(key)]
        else:
            raise _Unusable(f"$ref {pointer[:80]!r} leads to nothing")
    return part


def _followed(part: Any, document: Mapping[str, Any]) -> Any:
    """Return what a parameter, a body or a path item stands for, its references followed."""
    for _ in range(_MOST_HOPS):
        if not isinstance(part, Mapping) or not isinstance(part.get("$ref"), str):
            return part
        part = _pointed_at(part["$ref"], document)
    raise _Unusable("a $ref leads back to itself")


@dataclass
class _Schemas:
    """The schemas of a document, made ready for one tool; each is read once."""

    document: Mapping[str, Any]
    _ready: dict[str, dict[str, Any]] = field(default_factory=dict)
    _under_way: set[str] = field(default_factory=set)
    _in_itself: set[str] = field(default_factory=set)

    def opened(self, schema: Any) -> dict[str, Any]:
        """Return a schema with its own references followed, at its root whatever its size."""
        for _ in range(_MOST_HOPS):
            if not isinstance(schema, Mapping) or not isinstance(schema.get("$ref"), str):
                return self.resolved(schema)
            pointer = schema["$ref"]
            name = pointer.removeprefix("#/$defs/")
            schema = self._named[name] if name in self._named else _pointed_at(pointer, self.document)
        raise _Unusable("a $ref leads back to itself")

    def resolved(self, schema: Any) -> dict[str, Any]:
        """Return a schema in which every reference is followed, or leads to a definition by `name_of`."""
        if isinstance(schema, bool):
            return {} if schema else {"enum": []}
        if not isinstance(schema, Mapping):
            raise _Unusable("a schema is no object")
        pointer = schema.get("$ref")
        if isinstance(pointer, str):
            rest = {key: value for key, value in schema.items() if key == "description"}
            return {**self._referred(pointer), **rest}
        made: dict[str, Any] = {}
        for key, value in schema.items():
            if key in _LEFT_OUT or key.startswith("x-"):
                continue
            if key in _MAPS and isinstance(value, Mapping):
                sent = {name: item for name, item in value.items() if not self._is_read_only(item)}
                made[key] = {name: self.resolved(item) for name, item in sent.items()}
            elif key in _LISTS and isinstance(value, list):
                made[key] = [self.resolved(item) for item in value]
            elif key in _SINGLE and isinstance(value, Mapping):
                made[key] = self.resolved(value)
            else:
                made[key] = value
        if isinstance(made.get("required"), list) and "properties" in made:
            read_only = [n for n, item in schema["properties"].items() if self._is_read_only(item)]
            made["required"] = [name for name in made["required"] if name not in read_only]
        return made

    def definitions(self, schema: Any) -> dict[str, Any]:
        """Return the definitions that a resolved schema needs."""
        found: dict[str, Any] = {}
        named = self._named
        left = [schema]
        while left:
            for name in _references(left.pop()):
                if name not in found and name in named:
                    found[name] = named[name]
                    left.append(found[name])
        return found

    @property
    def _named(self) -> dict[str, dict[str, Any]]:
        return {_definition_name(pointer): made for pointer, made in self._ready.items()}

    def _is_read_only(self, schema: Any) -> bool:
        return isinstance(schema, Mapping) and schema.get("readOnly") is True

    def _referred(self, pointer: str) -> dict[str, Any]:
        as_reference = {"$ref": f"#/$defs/{_definition_name(pointer)}"}
        if pointer in self._under_way:
            self._in_itself.add(pointer)
            return as_reference
        if pointer not in self._ready:
            self._under_way.add(pointer)
            try:
                self._ready[pointer] = self.resolved(_pointed_at(pointer, self.document))
            except RecursionError:
                raise _Unusable("its schemas are nested too deeply") from None
            finally:
                self._under_way.discard(pointer)
        ready = self._ready[pointer]
        if ready == as_reference:
            raise _Unusable(f"$ref {pointer[:80]!r} leads back to itself")
        is_large = pointer in self._in_itself or _size(ready) > MOST_INLINE
        return as_reference if is_large else dict(ready)


def _definition_name(pointer: str) -> str:
    *_, kind, name = ["", "", *unquote(pointer).split("/")]
    name = name if kind in ("schemas", "$defs", "definitions") else unquote(pointer).removeprefix("#/")
    return re.sub(r"[^A-Za-z0-9_.-]+", "_", name.replace("~1", "_").replace("~0", "_")) or "root"


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, Mapping):
        target = schema.get("$ref")
        if isinstance(target, str):
            yield target.removeprefix("#/$defs/")
        for value in schema.values():
            yield from _references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _references(value)


def _size(schema: Any) -> int:
    if isinstance(schema, Mapping):
        return 1 + sum(_size(value) for value in schema.values())
    return 1 + sum(_size(value) for value in schema) if isinstance(schema, list) else 1
