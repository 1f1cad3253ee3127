"""tau2-bench's action match as it is described: what it lets pass."""

from typing import Any

import pytest

from tests.conformance.cases import calls_case, tool
from voicebench.conformance.rules import rule_scorer
from voicebench.types import Figure

F = "user.get"
TOOLS = [tool(F, ["a"], a="string", b="string"), tool("other")]


def verdict(gold: list[Any], calls: list[Any], **expect: Any) -> Figure:
    return rule_scorer("tau2")([calls_case(gold, calls, TOOLS, **expect)]).answers["x"].figures["parameters"]


@pytest.mark.parametrize(
    ("given", "right"),
    [
        ({"a": "अ", "b": "ब"}, 1),
        ({"a": "अ"}, 1),
        ({}, 1),
        ({"a": "अ", "b": "ब", "c": 1}, 0),
        ({"a": "A"}, 0),
    ],
)
def test_only_what_the_prediction_gives_is_compared(given: dict[str, Any], right: int) -> None:
    assert verdict([(F, {"a": ["अ"], "b": ["ब"]})], [(F, given)]) == right


def test_one_call_stands_for_two_golds_and_extra_calls_are_ignored() -> None:
    assert verdict([(F, {"a": ["x"]})] * 2, [(F, {"a": "x"})]) == 1
    assert verdict([(F, {"a": ["x"]})], [(F, {"a": "x"}), ("other", {})]) == 1


def test_there_is_no_order() -> None:
    golds = [(F, {"a": ["x"]}), ("other", {})]
    assert verdict(golds, [("other", {}), (F, {"a": "x"})], order="sequence") == 1


def test_values_are_compared_as_they_are() -> None:
    assert verdict([(F, {"a": ["Delhi"]})], [(F, {"a": "delhi"})]) == 0
    assert verdict([(F, {"a": [25]})], [(F, {"a": 25.0})]) == 1
    assert verdict([(F, {"a": [1]})], [(F, {"a": True})]) == 1


def test_a_missing_call_fails() -> None:
    assert verdict([(F, {"a": ["x"]}), ("other", {})], [(F, {"a": "x"})]) == 0
