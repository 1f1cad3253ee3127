"""Schemas: every dialect is read, and a call fits or has a reason."""

from typing import Any

import pytest
from hypothesis import given

from tests.scoring.strategies import typed_calls
from voicebench.errors import UserError
from voicebench.scoring.schema import (
    check_call,
    compiled_parameters,
    defaults_of,
    parameters_of,
    types_of,
)
from voicebench.types import Tool, ToolCall

REF = {"$ref": "0.latitude"}


def tool(properties: dict[str, Any], **others: Any) -> Tool:
    return Tool(name="f", parameters={"type": "dict", "properties": properties} | others)


def faults(given: Tool, **arguments: Any) -> list[tuple[str | None, str | None]]:
    reasons = check_call(ToolCall(name="f", arguments=arguments), [given])
    return [(reason.parameter, reason.verdict) for reason in reasons]


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "float"}, 12),
        ({"type": "float"}, 12.5),
        ({"type": "number"}, 10**400),
        ({"type": "double"}, 1),
        ({"type": "integer"}, 12),
        ({"type": "int"}, 12.0),
        ({"type": "long"}, -3),
        ({"type": "str"}, "दिल्ली"),
        ({"type": "String"}, ""),
        ({"type": "bool"}, False),
        ({"type": "list", "items": {"type": "float"}}, [12, 15.5]),
        ({"type": "tuple", "items": {"type": "integer"}}, [1, 2]),
        ({"type": "array"}, [1, "a", None]),
        ({"type": "array", "items": {}}, [1, "a"]),
        ({"type": "array", "items": [{"type": "integer"}, {"type": "string"}]}, [1, "a", 3.5]),
        ({"type": "array", "items": [{"type": "integer"}, {"type": "string"}]}, [1]),
        ({"type": "dict"}, {"a": 1}),
        ({"type": "object", "properties": {"a": {"type": "int"}}}, {"a": 1, "b": 2}),
        ({"type": "any"}, [1, {"a": None}]),
        ({"description": "no type at all"}, 1.5),
        ({}, None),
        ({"type": ["string", "null"]}, None),
        ({"type": ["string", "integer"]}, 5),
        ({"type": ["any", "null"]}, 5),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, 5),
        ({"oneOf": [{"type": "string"}, {"type": "null"}]}, None),
        ({"allOf": [{"type": "number"}, {"enum": [1, 2]}]}, 2.0),
        ({"type": "string", "nullable": True}, None),
        ({"anyOf": [{"type": "string"}], "nullable": True}, None),
        ({"$ref": "#/$defs/P", "nullable": True}, None),
        ({"type": ["string", "null"], "enum": ["a", "b"]}, None),
        ({"type": "string", "enum": ["a", None]}, None),
        ({"enum": [1, "ऑटो"]}, 1.0),
        ({"const": 3}, 3),
        ({"$ref": "#/$defs/P"}, {"days": 3}),
        ({"$ref": "#/definitions/Q"}, {"next": {"next": None}}),
    ],
    ids=str,
)
def test_a_value_that_fits(schema: dict[str, Any], value: Any) -> None:
    period = {"type": "dict", "properties": {"days": {"type": "integer"}}, "required": ["days"]}
    chain = {
        "type": "object",
        "properties": {"next": {"anyOf": [{"$ref": "#/definitions/Q"}, {"type": "null"}]}},
    }
    assert faults(tool({"x": schema}, **{"$defs": {"P": period}, "definitions": {"Q": chain}}), x=value) == []


@pytest.mark.parametrize(
    ("schema", "value", "verdict"),
    [
        ({"type": "integer"}, 12.5, "type"),
        ({"type": "integer"}, True, "type"),
        ({"type": "integer"}, "12", "type"),
        ({"type": "float"}, True, "type"),
        ({"type": "number"}, "12.5", "type"),
        ({"type": "number"}, None, "type"),
        ({"type": "boolean"}, 1, "type"),
        ({"type": "boolean"}, "true", "type"),
        ({"type": "string"}, 5, "type"),
        ({"type": "array", "items": {"type": "integer"}}, 1, "type"),
        ({"type": "array", "items": {"type": "integer"}}, [1, "2"], "type"),
        ({"type": "array", "items": [{"type": "integer"}, {"type": "string"}]}, [1, 2], "type"),
        ({"type": "dict"}, [1], "type"),
        ({"type": "dict", "properties": {"a": {"type": "integer"}}, "required": ["a"]}, {}, "type"),
        ({"type": "dict", "properties": {"type": {"type": "string"}}}, {"type": 5}, "type"),
        ({"type": "dict", "additionalProperties": False}, {"a": 1}, "type"),
        ({"type": "dict", "additionalProperties": {"type": "int"}}, {"a": "1"}, "type"),
        ({"type": ["string", "null"]}, 5, "type"),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, 5.5, "type"),
        ({"type": "string", "enum": ["auto", "mini"]}, "bus", "wrong"),
        ({"enum": [1]}, True, "wrong"),
        ({"const": 3}, 4, "wrong"),
    ],
    ids=str,
)
def test_a_value_that_does_not_fit(schema: dict[str, Any], value: Any, verdict: str) -> None:
    assert faults(tool({"x": schema}), x=value) == [("x", verdict)]


TREE = Tool(
    name="f",
    parameters={
        "type": "object",
        "properties": {
            "size": {"type": "object", "properties": {"width": {"type": "integer"}}},
            "like": {"$ref": "#/properties/size/properties/width"},
            "deep": {"$ref": "#/$defs/Box/properties/side"},
            "child": {"$ref": "#"},
        },
        "$defs": {"Box": {"properties": {"side": {"$ref": "#/$defs/Side"}}}, "Side": {"type": "number"}},
    },
)


@pytest.mark.parametrize(
    ("arguments", "faulty"),
    [
        ({"like": 5, "size": {"width": 5}}, []),
        ({"like": "5"}, ["like"]),
        ({"deep": 2.5}, []),
        ({"deep": "2.5"}, ["deep"]),
        ({"child": {"size": {}, "child": {"child": {"like": 1}}}}, []),
        ({"child": {"child": {"child": {"like": "1"}}}}, ["child"]),
    ],
    ids=str,
)
def test_a_reference_leads_to_any_place_of_the_schema(arguments: dict[str, Any], faulty: list[str]) -> None:
    assert [name for name, _ in faults(TREE, **arguments)] == faulty


def test_a_reference_escapes_what_json_pointers_escape() -> None:
    properties = {"x": {"$ref": "#/$defs/a~1b%20c"}, "y": {"$ref": "#/definitions/Q/anyOf/1"}}
    either = {"anyOf": [{}, {"type": "null"}]}
    given = tool(properties, **{"$defs": {"a/b c": {"type": "boolean"}}, "definitions": {"Q": either}})
    assert faults(given, x=True, y=None) == []
    assert faults(given, x=1, y=1) == [("x", "type"), ("y", "type")]


@pytest.mark.parametrize(
    ("pointer", "said"),
    [
        ("#/properties/z", "'#/properties/z' is not defined"),
        ("#/$defs/P/properties/q", "'#/$defs/P/properties/q' is not defined"),
        ("#/properties/x", "'#/properties/x' leads back to itself"),
        ("#name", "'#name' is not defined"),
    ],
)
def test_a_reference_that_leads_nowhere(pointer: str, said: str) -> None:
    with pytest.raises(UserError) as caught:
        faults(tool({"x": {"$ref": pointer}}, **{"$defs": {"P": {}}}))
    assert said in str(caught.value)


def test_properties_by_a_pattern_of_their_names() -> None:
    prices = {
        "type": "object",
        "properties": {"note": {"type": "string"}},
        "patternProperties": {"^price_": {"type": "number"}, "दिन": {"type": "integer"}},
        "additionalProperties": False,
    }
    given = tool({"x": prices})
    assert faults(given, x={"note": "a", "price_in": 5, "कौन सा दिन": 3}) == []
    assert faults(given, x={"price_in": "5"}) == [("x", "type")]
    assert faults(given, x={"other": 5}) == [("x", "type")]
    root = Tool(name="f", parameters=prices)
    assert faults(root, note="a", price_in=5) == []
    assert faults(root, price_in="5") == [("price_in", "type")]
    assert faults(root, other=1) == [("other", "unexpected")]
    with pytest.raises(UserError, match="is no pattern"):
        faults(tool({"x": {"patternProperties": {"(": {}}}}))


def test_a_schema_that_is_only_true_or_false() -> None:
    given = tool({"any": True, "none": False, "pair": {"prefixItems": [{"type": "integer"}], "items": False}})
    assert faults(given, any=[1], pair=[1]) == []
    assert faults(given, none=1, pair=[1, 2]) == [("none", "wrong"), ("pair", "type")]


@pytest.mark.parametrize(
    ("schema", "types"),
    [
        ({"type": "string"}, {"string"}),
        ({"type": ["string", "null"]}, {"string", "null"}),
        ({"enum": ["a", 1, True, None]}, {"string", "integer", "boolean", "null"}),
        ({"anyOf": [{"type": "integer"}, {"const": 2.5}]}, {"integer", "number"}),
        ({"$ref": "#/$defs/P"}, {"array"}),
        ({"allOf": [{"type": ["string", "integer"]}, {"type": ["integer", "null"]}]}, {"integer"}),
        ({"properties": {}}, {"object"}),
        ({}, {"string", "integer", "number", "boolean", "array", "object", "null"}),
        ({"$ref": "#/$defs/Loop"}, {"null", "integer"}),
    ],
    ids=str,
)
def test_the_types_that_a_parameter_may_have(schema: dict[str, Any], types: set[str]) -> None:
    loop = {"anyOf": [{"type": "null"}, {"type": "integer"}, {"$ref": "#/$defs/Loop", "type": "integer"}]}
    given = tool({"x": schema}, **{"$defs": {"P": {"type": "list"}, "Loop": loop}})
    assert types_of(compiled_parameters(given).properties["x"]) == types


@pytest.mark.parametrize(
    "schema",
    [{"type": "number"}, {"type": "string", "enum": ["a"]}, {"type": "array"}, {"$ref": "#/$defs/P"}],
)
def test_a_marker_fits_every_type(schema: dict[str, Any]) -> None:
    assert faults(tool({"x": schema}, **{"$defs": {"P": {"type": "integer"}}}), x=REF) == []


def test_a_marker_fits_inside_lists_and_objects() -> None:
    point = {"type": "dict", "properties": {"lat": {"type": "number"}}}
    given = tool({"x": {"type": "array", "items": {"type": "integer"}}, "p": point})
    assert faults(given, x=[1, REF], p={"lat": REF}) == []
    assert faults(given, x=[1, REF, "a"], p={"lat": {"ref": 0}}) == [("p", "type"), ("x", "type")]


def test_a_property_called_type_is_no_keyword() -> None:
    inner = {"type": "object", "properties": {"type": {"type": "string"}, "area": {"type": "integer"}}}
    given = tool({"exclusion": inner, "type": {"type": "string"}, "properties": {"type": "integer"}})
    assert faults(given, exclusion={"type": "door", "area": 15}, type="a", properties=3) == []
    assert faults(given, exclusion={"type": "door", "area": "15"}) == [("exclusion", "type")]


def test_names_that_models_reserve_are_names_like_others() -> None:
    given = tool(
        {name: {"type": "integer"} for name in ("model_config", "schema", "class", "_id", "a.b", "शहर")}
    )
    arguments = {"model_config": 1, "schema": 1, "class": 1, "_id": 1, "a.b": 1, "शहर": 1}
    assert faults(given, **arguments) == []
    assert faults(given, **(arguments | {"_id": "x"})) == [("_id", "type")]


def test_required_and_unknown_arguments() -> None:
    given = tool({"a": {"type": "integer"}, "b": {"type": "string"}}, required=["a"])
    assert faults(given, a=1) == []
    assert faults(given) == [("a", "missing")]
    assert faults(given, a=1, c=2) == [("c", "unexpected")]
    assert faults(given, b=2, c=2) == [("a", "missing"), ("b", "type"), ("c", "unexpected")]


def test_a_property_may_say_itself_that_it_is_required() -> None:
    assert faults(
        tool({"a": {"type": "str", "required": True}, "b": {"type": "str", "required": False}})
    ) == [("a", "missing")]


def test_a_required_name_without_a_schema_may_hold_anything() -> None:
    given = tool({}, required=["a"])
    assert faults(given, a=[1]) == []
    assert parameters_of(given) == ("a",)


def test_a_schema_that_says_so_takes_further_arguments() -> None:
    assert faults(tool({}, additionalProperties=True), x=1) == []
    assert faults(tool({}, additionalProperties={"type": "int"}), x="1") == [("x", "type")]


@pytest.mark.parametrize(
    "parameters", [{}, {"type": "object"}, {"properties": {}}, {"type": "dict", "required": []}]
)
def test_a_tool_without_parameters(parameters: dict[str, Any]) -> None:
    bare = Tool(name="f", parameters=parameters)
    assert faults(bare) == []
    assert faults(bare, a=1) == [("a", "unexpected")]


def test_a_tool_that_is_not_offered() -> None:
    (reason,) = check_call(ToolCall(name="book_cab"), [Tool(name="book_taxi"), Tool(name="pay")], index=2)
    assert (reason.kind, reason.call, reason.got) == ("tool", 2, "book_cab")
    assert reason.message == "no such tool is offered. Did you mean 'book_taxi'?"


def test_a_reason_says_where_inside_a_value() -> None:
    given = tool(
        {"p": {"type": "dict", "properties": {"stops": {"type": "array", "items": {"type": "number"}}}}}
    )
    (reason,) = check_call(ToolCall(name="f", arguments={"p": {"stops": [1, "x"]}}), [given])
    assert (reason.message, reason.got) == ("stops.1 should be a number", {"stops": [1, "x"]})


@pytest.mark.parametrize(
    ("properties", "message"),
    [
        ({"x": {"type": "strin"}}, ".x.type: unknown type 'strin'. Did you mean 'string'?"),
        ({"x": {"type": 5}}, ".x.type: must be a type's name or a list of names, not 5"),
        ({"x": 7}, ".x: a schema must be an object, not 7"),
        ({"x": {"items": 3}}, ".x.items: a schema must be an object, not 3"),
        ({"x": {"enum": 3}}, ".x.enum: must be a list, not 3"),
        ({"x": {"required": [1]}}, ".x.required: must be a list of parameter names"),
        ({"x": {"anyOf": 1}}, ".x.anyOf: must be a list, not 1"),
        ({"x": {"$ref": "#/$defs/Q"}}, ".x.$ref: '#/$defs/Q' is not defined"),
        ([1], ": must be an object, not [1]"),
    ],
    ids=str,
)
def test_a_broken_schema_is_an_error_with_the_tool_and_the_place(properties: Any, message: str) -> None:
    with pytest.raises(UserError) as caught:
        faults(tool(properties))
    assert str(caught.value) == f"tool 'f': parameters.properties{message}"


def test_other_broken_schemas() -> None:
    nested: dict[str, Any] = {"type": "array"}
    for _ in range(5000):
        nested = {"type": "array", "items": nested}
    loop = {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}
    with pytest.raises(UserError, match="tool 'f': parameters"):
        faults(tool({"x": nested}))
    with pytest.raises(UserError, match="leads back to itself"):
        faults(tool({"x": {"$ref": "#/$defs/A"}}, **{"$defs": loop}))
    with pytest.raises(UserError, match="only '#…', into the schema itself, is followed"):
        faults(tool({"x": {"$ref": "https://example.org/schema"}}))
    with pytest.raises(UserError, match="parameters are an object, not 'string'"):
        check_call(ToolCall(name="f"), [Tool(name="f", parameters={"type": "string"})])
    with pytest.raises(UserError, match="not JSON"):
        faults(tool({"x": {"default": {1, 2}}}))


def test_parameters_keep_the_order_of_their_schema() -> None:
    one = tool({"b": {"type": "int"}, "a": {"type": "int"}})
    other = tool({"a": {"type": "int"}, "b": {"type": "int"}})
    assert parameters_of(one) == ("b", "a")
    assert parameters_of(other) == ("a", "b")


def test_defaults_are_those_that_are_stated() -> None:
    given = tool({"a": {"type": "int", "default": 0}, "b": {"type": "int"}, "c": {"default": None}})
    assert defaults_of(given) == {"a": 0, "c": None}


def test_one_schema_is_compiled_once() -> None:
    one = Tool(name="f", parameters={"type": "object", "properties": {"a": {"type": "integer"}}})
    other = Tool(name="g", parameters={"properties": {"a": {"type": "integer"}}, "type": "object"})
    assert compiled_parameters(one) is compiled_parameters(other)


def test_another_tool_in_the_same_place_is_another_tool() -> None:
    for kind, fits in (("integer", True), ("string", False)) * 50:
        assert (faults(tool({"x": {"type": kind}}), x=1) == []) is fits


@given(typed_calls())
def test_a_call_of_the_right_types_fits(drawn: tuple[Tool, ToolCall]) -> None:
    offered, call = drawn
    assert check_call(call, [offered]) == []
