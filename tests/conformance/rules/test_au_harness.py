"""AU-Harness's comparison as it is described: scalars are never looked at."""

from typing import Any

import pytest

from tests.conformance.cases import calls_case, case, tool
from voicebench.conformance.rules import rule_scorer
from voicebench.types import Figure

F = "geometry.area"


def verdict(gold: list[Any], calls: list[Any], tools: list[Any]) -> Figure:
    return rule_scorer("au_harness")([calls_case(gold, calls, tools)]).answers["x"].figures["parameters"]


@pytest.mark.parametrize(
    ("schema", "variants", "got", "right"),
    [
        ("integer", [10], 999, 1),
        ("string", ["Delhi"], "मुंबई", 1),
        ({"type": "array", "items": {"type": "integer"}}, [[1]], 1, 1),
        ({"type": "array", "items": {"type": "integer"}}, [[1]], [2], 0),
        ({"type": "array", "items": {"type": "string"}}, [["चीज़", "Ham"]], ["चीज़", " ham"], 1),
        ("object", [{"a": {"b": "X"}}], {"a": {"b": "x"}}, 1),
        ("object", [{"a": 1}], {"a": 2}, 0),
    ],
)
def test_only_lists_and_objects_are_compared(schema: Any, variants: list[Any], got: Any, right: int) -> None:
    assert verdict([(F, {"base": variants})], [(F, {"base": got})], [tool(F, base=schema)]) == right


def test_optional_parameters_are_not_compared() -> None:
    tools = [tool(F, ["base"], base="integer", unit="string")]
    assert verdict([(F, {"base": [1], "unit": ["C", ""]})], [(F, {"base": 1, "unit": "K"})], tools) == 1


def test_unexpected_and_missing_parameters_fail() -> None:
    tools = [tool(F, ["base"], base="integer", unit="string")]
    assert verdict([(F, {"base": [1]})], [(F, {"base": 1, "unit": "K"})], tools) == 0
    assert verdict([(F, {"base": [1]})], [(F, {})], tools) == 0


def test_a_schema_without_required_cannot_be_judged() -> None:
    bare = {"name": F, "parameters": {"type": "object", "properties": {"base": {"type": "integer"}}}}
    row = case(
        tools=[bare],
        expect={"calls": [{"name": F, "arguments": {"base": [1]}}]},
        answer={"calls": [{"name": F, "arguments": {"base": 1}}]},
    )
    assert rule_scorer("au_harness")([row]).answers["x"].error == "the rule needs 'required' in a schema"
