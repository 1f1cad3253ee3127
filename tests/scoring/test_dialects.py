"""Dialects of tool schemas, and the standard rendering of each."""

from typing import Any

import pytest

from voicebench.errors import UserError
from voicebench.scoring.dialects import normal_schema


def test_the_standard_rendering_of_a_dialect() -> None:
    dialect = {
        "type": "dict",
        "properties": {
            "amount": {"type": "float", "description": "in rupees"},
            "point": {"type": "tuple", "items": [{"type": "float"}, {"type": "float"}]},
            "extra": {"type": "any", "default": None},
            "kind": {"type": ["str", "null"], "enum": ["a"]},
            "note": {"type": "str", "nullable": True, "required": True},
            "plan": {"$ref": "#/definitions/Plan"},
            "type": {"type": "bool"},
        },
        "required": ["amount"],
        "definitions": {"Plan": {"type": "list", "items": {"type": "dict"}}},
    }
    assert normal_schema(dialect) == {
        "type": "object",
        "properties": {
            "amount": {"type": "number", "description": "in rupees"},
            "point": {"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}]},
            "extra": {"default": None},
            "kind": {"type": ["string", "null"], "enum": ["a", None]},
            "note": {"type": ["string", "null"]},
            "plan": {"$ref": "#/$defs/Plan"},
            "type": {"type": "boolean"},
        },
        "required": ["amount", "note"],
        "$defs": {"Plan": {"type": "array", "items": {"type": "object"}}},
    }
    assert list(normal_schema(dialect)["properties"]) == list(dialect["properties"])


def test_the_standard_rendering_stands_as_it_is_and_leaves_its_source_alone() -> None:
    source = {"type": "dict", "properties": {"a": {"type": ["int", "null"], "enum": [1]}}}
    once = normal_schema(source)
    assert normal_schema(once) == once
    assert source == {"type": "dict", "properties": {"a": {"type": ["int", "null"], "enum": [1]}}}


@pytest.mark.parametrize(
    ("written", "standard"),
    [
        ({"type": "FLOAT"}, {"type": "number"}),
        ({"type": "any", "description": "?"}, {"description": "?"}),
        ({"type": None}, {}),
        ({"type": ["int", "integer"]}, {"type": "integer"}),
        ({"type": ["dict", "any"]}, {}),
        ({"items": True}, {"items": {}}),
        ({"type": "string", "enum": ["a", None]}, {"type": ["string", "null"], "enum": ["a", None]}),
        (
            {"oneOf": [{"type": "str"}, {"type": "null"}], "nullable": True},
            {"oneOf": [{"type": "string"}, {"type": "null"}]},
        ),
        ({"type": "string", "nullable": False}, {"type": "string"}),
        (
            {"type": "dict", "additionalProperties": {"type": "float"}},
            {"type": "object", "additionalProperties": {"type": "number"}},
        ),
    ],
    ids=str,
)
def test_one_property(written: dict[str, Any], standard: dict[str, Any]) -> None:
    assert normal_schema({"properties": {"x": written}})["properties"]["x"] == standard


def test_a_nullable_reference_becomes_a_union() -> None:
    schema = {"properties": {"x": {"$ref": "#/definitions/P", "nullable": True}}, "definitions": {"P": {}}}
    assert normal_schema(schema)["properties"]["x"] == {"anyOf": [{"$ref": "#/$defs/P"}, {"type": "null"}]}


def test_a_broken_schema_is_named_by_its_place() -> None:
    with pytest.raises(UserError) as caught:
        normal_schema({"properties": {"x": {"anyOf": [{}, {"type": "text"}]}}}, where="pay")
    assert str(caught.value).startswith("pay.properties.x.anyOf.1.type: unknown type 'text'.")
