"""Check a call against its tool's schema: JSON Schema and the dialects that tool sets are written in.

A schema is first brought into standard JSON Schema (`normal_schema`) and then compiled, once for each
distinct schema, into a validator of pydantic-core, the engine beneath pydantic's models. Its typed dicts take
any property name as it is (`type`, `class`, `_id`), which a model's attributes would not.

Only types, enums and which properties there may be are checked here: a length, a range, a format or the
pattern of a string is a question of the right value. What relates the parts of a value to each other (`not`,
`if`, `dependentRequired`, `contains`, `unevaluatedProperties`) is not checked.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from weakref import ref

from pydantic import ValidationError
from pydantic_core import CoreSchema, PydanticCustomError, SchemaError, SchemaValidator, core_schema

from voicebench.errors import UserError, did_you_mean
from voicebench.scoring.dialects import normal_schema
from voicebench.scoring.markers import is_marker
from voicebench.types import Reason, Tool, ToolCall

__all__ = [
    "Parameters",
    "check_call",
    "compiled_parameters",
    "defaults_of",
    "normal_schema",
    "parameters_of",
    "tool_named",
    "types_of",
]

_DEFINITIONS = "#/$defs/"
_MESSAGES = {"missing": "is required", "extra_forbidden": "is not a parameter that the tool knows"}
_NULL = {"type": "null"}
_ALL_TYPES = frozenset(("string", "integer", "number", "boolean", "array", "object", "null"))
_canonical_json = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


@dataclass(frozen=True)
class Parameters:
    """A tool's parameters, compiled.

    Attributes:
        properties: Each parameter's schema in standard JSON Schema; it holds the root's `$defs` where there
            are any.
        required: The parameters that a call must name.
        defaults: The default of each parameter that has one.
        validator: Checks a call's arguments.
    """

    properties: Mapping[str, dict[str, Any]]
    required: frozenset[str]
    defaults: Mapping[str, Any]
    validator: SchemaValidator


# Writing a schema as JSON takes longer than checking a call, so a tool is also known by its identity, as long
# as it lives. Tools are frozen.
_known: dict[int, tuple[ref[Tool], Parameters]] = {}


def check_call(call: ToolCall, tools: Sequence[Tool], *, index: int | None = None) -> list[Reason]:
    """Return what is wrong with a call's structure; empty where nothing is.

    A call must name an offered tool, give every required argument and none that the schema does not know, and
    each value must fit its type: an int fits a number and an integral float an integer, a bool or a numeric
    string is no number, and a marker (`{"$ref": …}`) fits everything, also inside lists and objects.

    Args:
        call: The call.
        tools: What was offered.
        index: The call's place in its answer, for the reasons.

    Raises:
        UserError: The tool's schema is broken.
    """
    tool = tool_named(call.name, tools)
    if tool is None:
        hint = did_you_mean(call.name[:80], (tool.name for tool in tools))
        return [Reason(kind="tool", call=index, got=call.name, message=f"no such tool is offered.{hint}")]
    try:
        compiled_parameters(tool).validator.validate_python(call.arguments)
    except ValidationError as error:
        return _reasons(error, call, index)
    return []


def tool_named(name: str, tools: Sequence[Tool]) -> Tool | None:
    """Return the first tool of that name, or None."""
    for tool in tools:
        if tool.name == name:
            return tool
    return None


def parameters_of(tool: Tool) -> tuple[str, ...]:
    """Return the names of a tool's parameters in the order of its schema, which positional arguments follow.

    Raises:
        UserError: The tool's schema is broken.
    """
    properties = tool.parameters.get("properties") or {}
    return (
        *properties,
        *sorted(name for name in compiled_parameters(tool).required if name not in properties),
    )


def defaults_of(tool: Tool) -> dict[str, Any]:
    """Return the default of each parameter whose schema states one.

    Raises:
        UserError: The tool's schema is broken.
    """
    return dict(compiled_parameters(tool).defaults)


def compiled_parameters(tool: Tool) -> Parameters:
    """Return a tool's compiled parameters; each distinct schema is compiled once.

    Raises:
        UserError: The tool's schema is broken; the message names the tool and the place.
    """
    known = _known.get(id(tool))
    if known is not None and known[0]() is tool:
        return known[1]
    try:
        compiled = _compiled(_canonical_json(tool.parameters))
    except (TypeError, ValueError, RecursionError) as error:
        raise UserError(f"tool {tool.name!r}: parameters: not JSON ({error})") from None
    except UserError as error:
        raise UserError(f"tool {tool.name!r}: {error}") from None
    key = id(tool)
    _known[key] = (ref(tool, lambda _: _known.pop(key, None)), compiled)
    return compiled


def types_of(schema: Mapping[str, Any]) -> frozenset[str]:
    """Return the types that a value of a parameter may have, by JSON Schema's names.

    Args:
        schema: One of `Parameters.properties`.
    """
    return _types(schema, schema.get("$defs", {}), ())


def _types(
    schema: Mapping[str, Any], definitions: Mapping[str, Any], followed: tuple[str, ...]
) -> frozenset[str]:
    found = _ALL_TYPES
    target = schema.get("$ref", "").removeprefix(_DEFINITIONS)
    if target in definitions and target not in followed:
        found &= _types(definitions[target], definitions, (*followed, target))
    stated = schema.get("type", _implied_type(schema))
    if stated is not None:
        found &= {stated} if isinstance(stated, str) else set(stated)
    values = schema.get("enum", [schema["const"]] if "const" in schema else None)
    if values is not None:
        found &= {_type_name(value) for value in values}
    for key in ("anyOf", "oneOf"):
        if schema.get(key):
            found &= frozenset().union(*(_types(item, definitions, followed) for item in schema[key]))
    for item in schema.get("allOf", ()):
        found &= _types(item, definitions, followed)
    return found


def _type_name(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    names = {str: "string", int: "integer", float: "number", list: "array", dict: "object"}
    return names.get(type(value), "null")


@lru_cache(maxsize=2048)
def _compiled(canonical: str) -> Parameters:
    normal = normal_schema(json.loads(canonical))
    definitions = normal.get("$defs", {})
    own = {"$defs": definitions} if definitions else {}
    required = frozenset(normal.get("required", ()))
    properties = {name: item | own for name, item in normal["properties"].items()}
    properties = dict.fromkeys(sorted(required - properties.keys()), own) | properties
    try:
        root = _object(normal, closed="additionalProperties" not in normal)
        parts = [_fits(item) | {"ref": name} for name, item in definitions.items()]
        validator = SchemaValidator(core_schema.definitions_schema(root, parts) if parts else root)
    except (SchemaError, RecursionError) as error:
        raise UserError(f"parameters: cannot be compiled ({str(error).splitlines()[0]})") from None
    defaults = {name: item["default"] for name, item in properties.items() if "default" in item}
    return Parameters(properties, required, defaults, validator)


def _fits(schema: Mapping[str, Any]) -> Any:
    """Return the core schema of what fits a schema: a marker, or a value that meets all that it states."""
    stated: list[CoreSchema] = []
    if "$ref" in schema:
        stated.append(core_schema.definition_reference_schema(schema["$ref"].removeprefix(_DEFINITIONS)))
    types = schema.get("type", _implied_type(schema))
    if types is not None:
        stated.append(
            _any_of([_of_type(name, schema) for name in (types if isinstance(types, list) else [types])])
        )
    stated += [
        _any_of([core_schema.none_schema() if item == _NULL else _fits(item) for item in schema[key]])
        for key in ("anyOf", "oneOf")
        if schema.get(key)
    ]
    stated += [_fits(item) for item in schema.get("allOf", ())]
    values = schema.get("enum", [schema["const"]] if "const" in schema else None)
    if values is not None:
        stated.append(core_schema.no_info_plain_validator_function(_one_of(values)))
    fits = core_schema.any_schema() if not stated else stated[0] if len(stated) == 1 else _all_of(stated)
    return core_schema.no_info_wrap_validator_function(_marker_or, fits)


def _implied_type(schema: Mapping[str, Any]) -> str | None:
    if "properties" in schema:
        return "object"
    return "array" if "items" in schema or "prefixItems" in schema else None


def _marker_or(value: Any, fits: Callable[[Any], Any]) -> Any:
    return value if is_marker(value) else fits(value)


def _of_type(name: str, schema: Mapping[str, Any]) -> CoreSchema:
    match name:
        case "string":
            return core_schema.str_schema(strict=True)
        case "integer":
            integral = core_schema.float_schema(strict=True, multiple_of=1, allow_inf_nan=False)
            return _any_of([core_schema.int_schema(strict=True), integral], "a whole number")
        case "number":
            real = core_schema.float_schema(strict=True, allow_inf_nan=False)
            return _any_of([core_schema.int_schema(strict=True), real], "a number")
        case "boolean":
            return core_schema.bool_schema(strict=True)
        case "array":
            return _array(schema)
        case "object":
            return _object(schema, closed=False)
        case _:
            return core_schema.none_schema()


def _array(schema: Mapping[str, Any]) -> CoreSchema:
    rest = _fits(schema.get("items", {}))
    first = [_fits(item) for item in schema.get("prefixItems", ())]
    if not first:
        return core_schema.list_schema(rest, strict=True)
    # JSON Schema lets a list be shorter than its prefix, so every length is a choice of its own.
    whole = core_schema.tuple_schema([*first, rest], variadic_item_index=len(first))
    shorter = [core_schema.tuple_schema(first[:length]) for length in range(len(first))]
    return _all_of(
        [core_schema.list_schema(strict=True), _any_of([whole, *shorter], "a list of the stated types")]
    )


def _object(schema: Mapping[str, Any], *, closed: bool) -> CoreSchema:
    required = schema.get("required", ())
    properties = schema.get("properties", {})
    others: Any = False if closed else schema.get("additionalProperties", True)
    # A required name that nothing describes is known all the same; otherwise no answer at all would fit.
    undescribed = {} if isinstance(others, bool) else others
    fields = {
        name: core_schema.typed_dict_field(
            _fits(properties.get(name, undescribed)), required=name in required
        )
        for name in (*properties, *(name for name in required if name not in properties))
    }
    if schema.get("patternProperties"):
        return _object_with_patterns(fields, schema["patternProperties"], others)
    if others is False:
        return core_schema.typed_dict_schema(fields, strict=True, extra_behavior="forbid")
    extras = None if others is True else _fits(others)
    return core_schema.typed_dict_schema(fields, strict=True, extra_behavior="allow", extras_schema=extras)


def _object_with_patterns(
    fields: dict[str, core_schema.TypedDictField], patterns: Mapping[str, Any], others: Any
) -> CoreSchema:
    compiled = {pattern: re.compile(pattern) for pattern in patterns}
    stated: list[CoreSchema] = [
        core_schema.typed_dict_schema(fields, strict=True, extra_behavior="allow"),
        *(_members(_fits(item), compiled[name].search) for name, item in patterns.items()),
    ]
    if others is not True:
        fits = core_schema.no_info_plain_validator_function(_forbidden) if others is False else _fits(others)
        stated.append(
            _members(
                fits,
                lambda name: name not in fields and not any(p.search(name) for p in compiled.values()),
            )
        )
    return _all_of(stated)


def _members(fits: CoreSchema, chosen: Callable[[str], Any]) -> CoreSchema:
    """Return the core schema of an object whose chosen members all fit."""

    def check(value: Any, members_fit: Callable[[Any], Any]) -> Any:
        members_fit({name: item for name, item in value.items() if chosen(name)})
        return value

    return core_schema.no_info_wrap_validator_function(check, core_schema.dict_schema(values_schema=fits))


def _forbidden(value: Any) -> Any:
    raise PydanticCustomError("extra_forbidden", "is not allowed")


def _any_of(choices: list[Any], wanted: str | None = None) -> CoreSchema:
    nulls = [choice for choice in choices if choice["type"] == "none"]
    others = [choice for choice in choices if choice["type"] != "none"]
    if nulls and len(others) == 1:
        return core_schema.nullable_schema(others[0])
    if len(choices) == 1:
        return choices[0]  # type: ignore[no-any-return]
    return core_schema.union_schema(
        choices, mode="left_to_right", custom_error_type="union",
        custom_error_message=f"should be {wanted or 'one of the stated types'}",
    )  # fmt: skip


def _all_of(stated: list[CoreSchema]) -> CoreSchema:
    return core_schema.chain_schema(
        [core_schema.no_info_wrap_validator_function(_unchanged, part) for part in stated]
    )


def _unchanged(value: Any, fits: Callable[[Any], Any]) -> Any:
    # A validator may return a copy of another type, which the next one in a chain would then see.
    fits(value)
    return value


def _one_of(values: Sequence[Any]) -> Callable[[Any], Any]:
    allowed = {_canonical_json(_number_as_written_once(value)) for value in values}
    listed = ", ".join(json.dumps(value, ensure_ascii=False) for value in values)[:200]

    def check(value: Any) -> Any:
        if _canonical_json(_number_as_written_once(value)) not in allowed:
            raise PydanticCustomError("enum", "should be one of {listed}", {"listed": listed})
        return value

    return check


def _number_as_written_once(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_number_as_written_once(item) for item in value]
    if isinstance(value, dict):
        return {key: _number_as_written_once(item) for key, item in value.items()}
    return value


def _reasons(error: ValidationError, call: ToolCall, index: int | None) -> list[Reason]:
    found: dict[str, Reason] = {}
    for item in error.errors(include_url=False, include_context=False, include_input=False):
        name, *inner = (str(part) for part in item["loc"]) if item["loc"] else ("",)
        message = _MESSAGES.get(item["type"], item["msg"].removeprefix("Input "))
        if not inner and item["type"] == "missing":
            reason = Reason(kind="parameter", call=index, parameter=name, verdict="missing", message=message)
        elif not inner and item["type"] == "extra_forbidden":
            reason = Reason(
                kind="parameter", call=index, parameter=name, verdict="unexpected",
                got=call.arguments.get(name), message=message,
            )  # fmt: skip
        else:
            reason = Reason(
                kind="parameter", call=index, parameter=name,
                verdict="wrong" if item["type"] == "enum" else "type", got=call.arguments.get(name),
                message=f"{'.'.join(inner)} {message}" if inner else message,
            )  # fmt: skip
        found.setdefault(name, reason)
    return list(found.values())
