"""Schemas against jsonschema: what fits and what does not, where both speak of the same thing."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.scoring.strategies import JSON_VALUES
from voicebench.scoring.schema import check_call
from voicebench.types import Tool, ToolCall

jsonschema = pytest.importorskip("jsonschema")

NAMES = st.sampled_from(["a", "b", "type", "properties", "items", "enum", "दिन", "x-1"])
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "array", "object", "null"])
PLAIN = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([0.5, 1.0, -2.0, "", "a", "1", "दो"])
VALUES = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=6
)


def objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {"type": st.just("object")},
        optional={
            "properties": st.dictionaries(NAMES, inner, max_size=3),
            "required": st.lists(NAMES, max_size=2, unique=True),
            "additionalProperties": st.booleans() | inner,
            "patternProperties": st.dictionaries(st.sampled_from(["^[ab]$", "e", "न"]), inner, max_size=2),
        },
    ).filter(_is_satisfiable)


def _is_satisfiable(schema: dict[str, Any]) -> bool:
    """Tell whether every required name may be given: one that nothing describes may here, and not there."""
    described = schema.get("properties", {}).keys()
    return schema.get("additionalProperties") is not False or set(schema.get("required", ())) <= described


SCHEMAS: st.SearchStrategy[Any] = st.recursive(
    st.booleans()
    | st.builds(dict)
    | st.fixed_dictionaries({"type": TYPES | st.lists(TYPES, min_size=1, max_size=3, unique=True)})
    | st.fixed_dictionaries({"enum": st.lists(PLAIN, min_size=1, max_size=3)})
    | st.fixed_dictionaries({"const": VALUES.filter(lambda value: value is not None)})
    | st.just({"$ref": "#/$defs/Node"})
    | st.just({"$ref": "#/properties/x"}),
    lambda inner: (
        st.fixed_dictionaries({"anyOf": st.lists(inner, min_size=1, max_size=3)})
        | st.fixed_dictionaries({"allOf": st.lists(inner, min_size=1, max_size=2)})
        | st.fixed_dictionaries({"type": st.just("array"), "items": inner})
        | st.fixed_dictionaries(
            {"type": st.just("array"), "prefixItems": st.lists(inner, min_size=1, max_size=2)},
            optional={"items": inner},
        )
        | objects(inner)
    ),
    max_leaves=6,
)
NODE = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}},
    "required": ["a"],
}


def is_plain(value: Any) -> bool:
    """Tell whether a value is no marker and holds none, which fit everything here and not there."""
    if isinstance(value, dict):
        return "$ref" not in value and all(map(is_plain, value.values()))
    return all(map(is_plain, value)) if isinstance(value, list) else True


@given(SCHEMAS, VALUES | JSON_VALUES.filter(is_plain))
def test_both_find_the_same_values_to_fit(schema: Any, value: Any) -> None:
    parameters = {
        "type": "object",
        "properties": {"x": {"type": "integer"}, "y": schema},
        "required": ["y"],
        "additionalProperties": False,
        "$defs": {"Node": NODE},
    }
    arguments = {"y": value}
    fits = jsonschema.Draft202012Validator(parameters).is_valid(arguments)
    faults = check_call(ToolCall(name="f", arguments=arguments), [Tool(name="f", parameters=parameters)])
    assert (not faults) is fits


@given(objects(st.just({"type": "integer"})), st.dictionaries(NAMES, PLAIN, max_size=4))
def test_both_find_the_same_arguments_to_fit(schema: dict[str, Any], arguments: dict[str, Any]) -> None:
    # A tool without a word about further parameters takes none; JSON Schema takes all.
    parameters = {"additionalProperties": False} | schema
    assume(_is_satisfiable(parameters))
    fits = jsonschema.Draft202012Validator(parameters).is_valid(arguments)
    faults = check_call(ToolCall(name="f", arguments=arguments), [Tool(name="f", parameters=parameters)])
    assert (not faults) is fits
