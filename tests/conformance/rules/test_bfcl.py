"""BFCL's rule as it is described: where it is strict, where it is loose, and what it cannot judge."""

from typing import Any

import pytest

from tests.conformance.cases import calls_case, tool
from voicebench.conformance.rules import rule_scorer
from voicebench.types import Figure

F = "shop.f"


def verdict(schema: Any, variants: list[Any], got: Any) -> Figure:
    row = calls_case([(F, {"v": variants})], [(F, {"v": got})], [tool(F, v=schema)])
    return rule_scorer("bfcl")([row]).answers["x"].figures["parameters"]


def of_calls(gold: list[Any], calls: list[Any], tools: list[Any]) -> Figure:
    return rule_scorer("bfcl")([calls_case(gold, calls, tools)]).answers["x"].figures["parameters"]


@pytest.mark.parametrize(
    ("schema", "variants", "got", "right"),
    [
        ("string", ["15"], "1.5", 1),
        ("string", ["5"], "-5", 1),
        ("string", ["Dr. Sharma"], "dr sharma", 1),
        ("string", ["Bandra, Mumbai"], "Bandra,Mumbai", 1),
        ("string", ["சென்னை"], "மதுரை", 0),
        ("integer", [5], "5", 0),
        ("integer", [5], 5.0, 0),
        ("integer", [1], True, 0),
        ("boolean", [True], 1, 0),
        ("number", [12.0], 12, 1),
        ("number", [12], 12.0, 1),
        ({"type": "array", "items": {"type": "number"}}, [[12.0, 15.0]], [12, 15], 0),
        ({"type": "array", "items": {"type": "number"}}, [[12.0, 15.0]], [12.0, 15.0], 1),
        ({"type": "array", "items": {"type": "string"}}, [["अ", "आ"]], ["आ", "अ"], 0),
        ("any", [["अ", 1]], ["अ", 1], 1),
        ("object", [{"a": 1, "b": "x-y"}], {"b": "XY", "a": 1}, 1),
        ("object", [{"a": 1}], {"a": 1, "b": 2}, 0),
        ("object", [{"a": {"b": "x"}}], {"a": {"b": "X"}}, 0),
        ({"type": "array", "items": {"type": "object"}}, [[{"a": 1}, {"a": 2}]], [{"a": 2}, {"a": 1}], 0),
        ({"type": "array", "items": {"type": "object"}}, [[{"a": "Ü"}]], [{"a": "ü"}], 1),
        ("integer", ["auto"], "auto", 1),
    ],
)
def test_a_value_by_the_described_rule(schema: Any, variants: list[Any], got: Any, right: int) -> None:
    assert verdict(schema, variants, got) == right


def test_an_optional_argument_may_be_left_out_or_empty_but_not_wrong() -> None:
    tools = [tool(F, ["a"], a="string", b="string")]
    gold = [(F, {"a": ["x"], "b": ["C", ""]})]
    given = [{"a": "x"}, {"a": "x", "b": ""}, {"a": "x", "b": "C"}, {"a": "x", "b": "K"}]
    assert [of_calls(gold, [(F, arguments)], tools) for arguments in given] == [1, 1, 1, 0]


def test_extra_and_missing_arguments_fail() -> None:
    tools = [tool(F, ["a"], a="string", b="string")]
    assert of_calls([(F, {"a": ["x"]})], [(F, {"a": "x", "b": "made up"})], tools) == 0
    assert of_calls([(F, {"a": ["x"]})], [(F, {})], tools) == 0


def test_calls_are_paired_greedily_and_without_order() -> None:
    tools = [tool(F, x="integer")]
    golds = [(F, {"x": [1, 2]}), (F, {"x": [1]})]
    assert of_calls(golds, [(F, {"x": 1}), (F, {"x": 2})], tools) == 0
    assert of_calls(golds, [(F, {"x": 2}), (F, {"x": 1})], tools) == 1


def test_the_number_of_calls_counts() -> None:
    tools = [tool(F, x="integer")]
    assert of_calls([(F, {"x": [1]})] * 2, [(F, {"x": 1})], tools) == 0


@pytest.mark.parametrize("schema", [{"type": ["string", "null"]}, {"anyOf": [{"type": "string"}]}, "strange"])
def test_a_type_that_it_does_not_know_is_no_verdict(schema: Any) -> None:
    row = calls_case([(F, {"v": ["a"]})], [(F, {"v": "a"})], [tool(F, v=schema)])
    answer = rule_scorer("bfcl")([row]).answers["x"]
    assert answer.error is not None and answer.error.startswith("the rule knows no type")
