"""The schema of an answer: what it lets through and what not."""

import json
from typing import Any

import pytest

from tests.agent_requests import BASKET, RIDE
from voicebench.cascade.answer_schema import MOST_CALLS, answer_schema
from voicebench.errors import UserError
from voicebench.tasks.read import read_tools
from voicebench.types import Message, Tool

LIST_OF_CALLS, REFUSAL = 0, 1


def call_schemas(*tools: Tool) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = answer_schema(tools)["anyOf"][LIST_OF_CALLS]["items"]["anyOf"]
    return found


def test_each_offered_tool_can_be_called_by_its_own_name_only() -> None:
    assert [call["properties"]["name"] for call in call_schemas(RIDE, BASKET)] == [
        {"const": "cab.book_ride"}, {"const": "food.clear_basket"},
    ]  # fmt: skip


def test_arguments_are_closed_and_required_ones_stay_required() -> None:
    [call] = call_schemas(RIDE)
    arguments = call["properties"]["arguments"]
    assert arguments["additionalProperties"] is False
    assert arguments["required"] == ["pickup", "dropoff"]
    assert list(arguments["properties"]) == ["pickup", "dropoff", "vehicle"]


def test_every_value_may_be_a_marker_also_deep_inside() -> None:
    nested = Tool(
        name="trip",
        parameters={
            "type": "dict",
            "properties": {
                "start": {"type": "dict", "properties": {"latitude": {"type": "float"}}},
                "stops": {"type": "list", "items": {"type": "str"}},
            },
        },
    )
    properties = call_schemas(nested)[0]["properties"]["arguments"]["properties"]
    start, start_marker = properties["start"]["anyOf"]
    latitude, _ = start["properties"]["latitude"]["anyOf"]
    stops, _ = properties["stops"]["anyOf"]
    assert start_marker["required"] == ["$ref"]
    assert (start["type"], latitude["type"], stops["items"]["anyOf"][0]["type"]) == (
        "object",
        "number",
        "string",
    )


def test_definitions_of_two_tools_are_kept_apart() -> None:
    def tool(name: str, kind: str) -> Tool:
        return Tool(
            name=name,
            parameters={
                "type": "object", "properties": {"p": {"$ref": "#/$defs/Period"}},
                "$defs": {"Period": {"type": kind}},
            },
        )  # fmt: skip

    schema = answer_schema([tool("a", "string"), tool("b", "integer")])
    calls = schema["anyOf"][LIST_OF_CALLS]["items"]["anyOf"]
    targets = [call["properties"]["arguments"]["properties"]["p"]["anyOf"][0]["$ref"] for call in calls]
    assert targets == ["#/$defs/later.0.Period", "#/$defs/later.1.Period"]
    assert [schema["$defs"][t.removeprefix("#/$defs/")]["anyOf"][0]["type"] for t in targets] == [
        "string", "integer",
    ]  # fmt: skip


def test_texts_and_lists_without_a_bound_get_one() -> None:
    tool = Tool(name="t", parameters={"properties": {"a": {"type": "array", "items": {"type": "string"}}}})
    held, _ = call_schemas(tool)[0]["properties"]["arguments"]["properties"]["a"]["anyOf"]
    assert held["maxItems"] == 16
    assert held["items"]["anyOf"][0]["maxLength"] == 200


def test_the_first_call_holds_no_marker() -> None:
    listed = answer_schema([RIDE], may_refuse=False)
    first = listed["prefixItems"][0]["anyOf"][0]["properties"]["arguments"]["properties"]["pickup"]
    later = listed["items"]["anyOf"][0]["properties"]["arguments"]["properties"]["pickup"]
    assert first["type"] == "string"
    assert [kind["type"] for kind in later["anyOf"]] == ["string", "object"]


def test_a_refusal_is_one_sentence_where_refusing_is_spoken_of() -> None:
    assert answer_schema([RIDE])["anyOf"][REFUSAL]["pattern"].startswith("^I will not ")
    assert answer_schema([RIDE], may_refuse=False)["type"] == "array"


def test_without_tools_the_answer_is_a_sentence() -> None:
    assert answer_schema([])["type"] == "string"


def test_a_broken_tool_is_the_users_error() -> None:
    with pytest.raises(UserError):
        answer_schema([Tool(name="t", parameters={"properties": {"a": {"type": "strung"}}})])


@pytest.mark.weights
@pytest.mark.parametrize("offered", ["each alone", "all together"])
def test_real_decoding_can_be_held_to_the_shipped_tools(offered: str) -> None:
    pytest.importorskip("xllamacpp")
    from voicebench.llms.gguf import Gguf

    model = Gguf("smollm2", offline_first=True, context=512)
    tools = list(read_tools().values())
    for group in [[tool] for tool in tools] if offered == "each alone" else [tools]:
        schema = answer_schema(group)["anyOf"][LIST_OF_CALLS]
        schema["maxItems"] = 1
        parts = model.complete([Message("user", "Book, add, pay.")], schema=schema, max_tokens=16)
        text = "".join(part.text for part in parts)
        assert text.startswith('[{"name": "')
        assert any(text.startswith(f'[{{"name": {json.dumps(tool.name)}') for tool in group)


def test_the_list_of_calls_is_bounded() -> None:
    listed = answer_schema([RIDE])["anyOf"][LIST_OF_CALLS]
    assert (listed["minItems"], listed["maxItems"]) == (1, MOST_CALLS)
