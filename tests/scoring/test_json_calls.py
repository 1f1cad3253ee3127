"""Calls as JSON, in the shapes that models and servers write."""

from typing import Any

import pytest

from voicebench.scoring.json_calls import arguments_in, calls_in
from voicebench.scoring.offered import Offered
from voicebench.scoring.plain import Unreadable
from voicebench.types import Tool, ToolCall

OFFERED = Offered([Tool(name="f")])
CALL = ToolCall(name="f", arguments={"a": "दिल्ली"})
OPENAI = {"id": "1", "type": "function", "function": {"name": "f", "arguments": '{"a": "दिल्ली"}'}}


@pytest.mark.parametrize(
    "value",
    [
        {"name": "f", "arguments": {"a": "दिल्ली"}},
        {"name": "f", "parameters": {"a": "दिल्ली"}},
        {"name": "f", "arguments": '{"a": "दिल्ली"}'},
        {"id": "1", "name": "f", "arguments": {"a": "दिल्ली"}, "description": "said with its arguments"},
        OPENAI,
        [OPENAI],
        {"role": "assistant", "content": None, "tool_calls": [OPENAI]},
    ],
)
def test_one_call_in_every_shape(value: Any) -> None:
    assert calls_in(value, OFFERED) == [CALL]


@pytest.mark.parametrize(
    "value",
    [
        {},
        [],
        [1],
        "f",
        None,
        {"answer": 5},
        {"name": "Ravi"},
        {"name": 5, "arguments": {}},
        {"arguments": {}},
        {"name": "f", "description": "A tool.", "parameters": {"type": "object"}},
        {"name": "f", "a": "दिल्ली"},
        {"tool_name": "f", "tool_arguments": {"a": 1}},
        {"tool_calls": []},
        {"tool_calls": None, "content": "No."},
    ],
)
def test_other_json_is_no_call(value: Any) -> None:
    assert calls_in(value, OFFERED) == []


@pytest.mark.parametrize(
    "value",
    [
        {"name": "f"},
        {"id": "1", "type": "function", "name": "f"},
        {"name": "f", "arguments": None},
        {"name": "f", "arguments": ""},
    ],
)
def test_a_call_without_arguments(value: Any) -> None:
    assert calls_in(value, OFFERED) == [ToolCall(name="f")]


@pytest.mark.parametrize(
    "value",
    [
        [OPENAI, "and"],
        [OPENAI, {"answer": 5}],
        {"name": "f", "arguments": {}, "parameters": {}},
        {"name": "f", "arguments": [1]},
        {"name": "f", "arguments": "[1]"},
        {"name": "f", "arguments": 5},
        {"name": "f", "arguments": '"{}"'},
    ],
)
def test_a_broken_call_has_a_reason(value: Any) -> None:
    with pytest.raises(Unreadable):
        calls_in(value, OFFERED)


@pytest.mark.parametrize("text", ['{}""', '{"a": "x"}"', '{"a": "x"}]}', " {} ", "{}')"])
def test_stray_quotes_and_brackets_behind_an_object_are_ignored(text: str) -> None:
    assert arguments_in(text) in ({}, {"a": "x"})


@pytest.mark.parametrize(
    "text", ['{"a": "a"}{"a": "b"}', '{"a": "v"', "{} please", "{},", "{}[]", '{"a": 1, "a": 1}', '{"n": १२}']
)
def test_what_else_stands_behind_or_within_is_an_error(text: str) -> None:
    with pytest.raises(Unreadable):
        arguments_in(text)
