"""Tools in other sets' dialects become standard JSON Schema."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.tasks.doors import NoTask
from voicebench.tasks.doors.python_types import read_tool
from voicebench.types import Tool


def _property(schema: dict[str, Any]) -> dict[str, Any]:
    tool = read_tool({"name": "f", "parameters": {"type": "dict", "properties": {"p": schema}}})
    found: dict[str, Any] = tool.parameters["properties"]["p"]
    return found


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ({"type": "dict"}, {"type": "object"}),
        ({"type": "float"}, {"type": "number"}),
        ({"type": "tuple", "items": {"type": "float"}}, {"type": "array", "items": {"type": "number"}}),
        ({"type": "any"}, {}),
        ({"type": "json"}, {}),
        ({"type": "bool", "default": True}, {"type": "boolean", "default": True}),
        ({"type": "int", "enum": [1, 2]}, {"type": "integer", "enum": [1, 2]}),
        ({"type": "list(str)"}, {"type": "array", "items": {"type": "string"}}),
        (
            {"type": "List[List[int]]"},
            {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
        ),
        ({"type": "Optional[float]"}, {"anyOf": [{"type": "number"}, {"type": "null"}]}),
        ({"type": "Dict[str, int]"}, {"type": "object"}),
        (
            {"type": "array", "items": {"type": "dict", "properties": {"type": {"type": "float"}}}},
            {"type": "array", "items": {"type": "object", "properties": {"type": {"type": "number"}}}},
        ),
    ],
)
def test_a_type_of_theirs_becomes_one_of_json_schema(theirs: dict[str, Any], ours: dict[str, Any]) -> None:
    assert _property(theirs) == ours


def test_openais_wrapper_is_opened() -> None:
    inner = {"name": "f", "description": "d", "parameters": {"type": "object", "properties": {}}}
    assert read_tool({"type": "function", "function": inner}) == Tool(name="f", description="d")


def test_a_bare_mapping_of_parameters_is_a_schema_too() -> None:
    tool = read_tool({"name": "f", "input_parameters": {"type": {"type": "str"}, "n": {"type": "int"}}})
    assert tool.parameters == {
        "type": "object",
        "properties": {"type": {"type": "string"}, "n": {"type": "integer"}},
    }


def test_a_tool_without_parameters_takes_none() -> None:
    assert read_tool({"name": "f"}).parameters == {"type": "object", "properties": {}}


@pytest.mark.parametrize("raw", [None, "f", {}, {"name": ""}, {"description": "no name"}])
def test_what_has_no_name_is_no_tool(raw: Any) -> None:
    with pytest.raises(NoTask, match="a tool has no name"):
        read_tool(raw)


def test_an_unknown_type_breaks_the_schema_and_the_tool_is_named() -> None:
    with pytest.raises(NoTask, match="a tool's schema is broken") as caught:
        _property({"type": "HashTable"})
    assert caught.value.detail.startswith("f: parameters.properties.p.type: unknown type 'HashTable'")


@given(
    st.recursive(
        st.none() | st.booleans() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["type", "properties", "items", "enum", "p"]), inner)
        ),
    )
)
def test_nothing_breaks_the_reader_itself(parameters: Any) -> None:
    try:
        tool = read_tool({"name": "f", "parameters": parameters})
    except NoTask:
        return
    assert tool.parameters["type"] == "object"
