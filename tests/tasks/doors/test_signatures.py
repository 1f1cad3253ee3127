"""Tools that are written as heads of Python functions."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.tasks.doors.contract import NoTask
from voicebench.tasks.doors.signatures import literal, tool_of_signature


@pytest.mark.parametrize(
    ("head", "properties"),
    [
        ("f()", {}),
        ("f(a: int, b)", {"a": {"type": "integer"}, "b": {}}),
        ("f(a: Zone)", {"a": {}}),
        ("f(a: list[int] = None)", {"a": {"type": "array", "items": {"type": "integer"}}}),
        ("f(a: Optional[float])", {"a": {"type": "number"}}),
        ("f(a: str | None = 'x')", {"a": {"type": "string", "default": "x"}}),
        ("f(a: 'on' | 'off') -> None", {"a": {"type": "string", "enum": ["on", "off"]}}),
        ("f(a: Enum[On, Off]):", {"a": {"enum": ["On", "Off"]}}),
        (
            "f(a: dict, *, b: bool = True)",
            {"a": {"type": "object"}, "b": {"type": "boolean", "default": True}},
        ),
        ("f(from: str, to: str)", {"from": {"type": "string"}, "to": {"type": "string"}}),
    ],
)
def test_a_head_becomes_a_schema(head: str, properties: dict[str, Any]) -> None:
    tool = tool_of_signature(head)
    assert (tool.name, tool.parameters) == ("f", {"type": "object", "properties": properties})


def test_defaults_stand_in_an_object_as_json_or_python() -> None:
    for text in ('{"a": false}', "{'a': False}"):
        assert (
            tool_of_signature("f(a: bool)", defaults=text).parameters["properties"]["a"]["default"] is False
        )


def test_a_text_that_is_no_object_gives_no_defaults() -> None:
    assert tool_of_signature("f(a: bool)", defaults="a is off").parameters["properties"]["a"] == {
        "type": "boolean"
    }


@pytest.mark.parametrize("head", ["", "f", "f(", "f(a b)", "2f()"])
def test_what_is_no_head_is_no_task(head: str) -> None:
    with pytest.raises(NoTask, match="signature cannot be read"):
        tool_of_signature(head)


@given(st.text(max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        tool_of_signature(f"f({text}")
    except NoTask:
        return


@given(st.text(max_size=40))
def test_a_text_that_is_no_literal_stays_itself(text: str) -> None:
    assert literal(repr(text)) == text
