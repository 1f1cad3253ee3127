"""Matching: the best pairing, one predicted call for one gold call, and nothing made up."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.scoring.match import Match, match_calls
from voicebench.types import Expect, GoldCall, Tool, ToolCall

NUMBER = {"type": "integer"}
TOOLS = [
    Tool(name="A", parameters={"type": "dict", "properties": {"x": NUMBER, "y": NUMBER}}),
    Tool(name="B", parameters={"type": "dict", "properties": {"x": NUMBER}}),
    Tool(
        name="clean",
        parameters={
            "type": "dict",
            "properties": {
                "text": {"type": "string"},
                "standardize": {"type": "boolean", "default": False},
                "unit": {"type": "string"},
            },
            "required": ["text"],
        },
    ),
    Tool(name="geo", parameters={"type": "dict", "properties": {"place": {"type": "string"}}}),
    Tool(
        name="go",
        parameters={"type": "dict", "properties": {"start": {"type": "dict"}, "end": {"type": "dict"}}},
    ),
]


def gold(name: str, **arguments: list[Any]) -> GoldCall:
    return GoldCall(name=name, arguments=arguments)


def call(name: str, **arguments: Any) -> ToolCall:
    return ToolCall(name=name, arguments=arguments)


def match(expected: list[GoldCall], calls: list[ToolCall], **others: Any) -> Match:
    return match_calls(Expect(calls=tuple(expected), **others), calls, TOOLS)


def verdicts(found: Match) -> list[tuple[str, str]]:
    return [(parameter.name, parameter.verdict) for pair in found.pairs for parameter in pair.parameters]


@pytest.mark.parametrize(
    ("expected", "calls", "right"),
    [
        # Greedy matching gives the first gold call what only the second can use.
        ([gold("A", x=[1, 2]), gold("A", x=[1])], [call("A", x=1), call("A", x=2)], True),
        ([gold("A", x=[1]), gold("A", x=[1], y=[2])], [call("A", x=1, y=2), call("A", x=1)], True),
        # One call does not stand for two.
        ([gold("A", x=[1]), gold("A", x=[1])], [call("A", x=1)], False),
        ([gold("A", x=[1]), gold("A", x=[1])], [call("A", x=1), call("A", x=1)], True),
        ([gold("A", x=[1])], [call("A", x=1), call("A", x=1)], False),
        ([gold("A", x=[1]), gold("B", x=[1])], [call("B", x=1), call("A", x=1)], True),
        ([gold("A", x=[1])], [call("B", x=1)], False),
        ([gold("A")], [call("A")], True),
        ([gold("A")], [], False),
        ([], [], True),
        ([], [call("A")], False),
    ],
)
def test_calls_in_any_order(expected: list[GoldCall], calls: list[ToolCall], right: bool) -> None:
    assert match(expected, calls).right is right
    assert match(expected, calls).right_but_for_types is right


def test_missing_and_extra_calls_are_named() -> None:
    found = match([gold("A", x=[1]), gold("B", x=[1])], [call("B", x=1), call("clean", text="a", unit="b")])
    assert [(pair.gold, pair.call) for pair in found.pairs] == [(1, 0)]
    assert (found.missing, found.extra) == ((0,), (1,))
    assert (found.missing_parameters, found.extra_parameters) == (1, 2)
    assert found.call_fraction == 1 / 2
    assert found.parameter_fraction == 1 / 4


def test_the_order_counts_where_it_is_said_to() -> None:
    expected = [gold("A", x=[1]), gold("B", x=[2])]
    swapped = [call("B", x=2), call("A", x=1)]
    assert match(expected, swapped).right
    found = match(expected, swapped, order="sequence")
    assert not found.right
    assert found.out_of_order
    assert (found.call_fraction, found.parameter_fraction) == (1 / 2, 1 / 3)
    in_order = match(expected, swapped[::-1], order="sequence")
    assert in_order.right
    assert not in_order.out_of_order


def test_wrong_values_are_not_called_out_of_order() -> None:
    found = match([gold("A", x=[1]), gold("B", x=[2])], [call("B", x=9), call("A", x=1)], order="sequence")
    assert not found.out_of_order


def test_a_sequence_with_a_call_too_many_keeps_the_rest() -> None:
    found = match(
        [gold("A", x=[1]), gold("A", x=[2])],
        [call("A", x=1), call("B", x=5), call("A", x=2)],
        order="sequence",
    )
    assert (found.call_fraction, found.parameter_fraction, found.right) == (1.0, 2 / 3, False)
    assert found.extra == (1,)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"text": "a"}, [("text", "ok")]),
        ({"text": "a", "standardize": False}, [("text", "ok")]),
        ({"text": "a", "standardize": True}, [("text", "ok"), ("standardize", "unexpected")]),
        ({"text": "a", "standardize": "false"}, [("text", "ok"), ("standardize", "coerced")]),
        ({"text": "a", "unit": "C"}, [("text", "ok"), ("unit", "unexpected")]),
        ({"text": "a", "made_up": 1}, [("text", "ok"), ("made_up", "unexpected")]),
        ({"text": "b"}, [("text", "wrong")]),
        ({"text": 5}, [("text", "type")]),
        ({"text": None}, [("text", "type")]),
        ({}, [("text", "missing")]),
    ],
)
def test_every_parameter_has_a_verdict(arguments: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    found = match([gold("clean", text=["a"])], [call("clean", **arguments)])
    assert verdicts(found) == expected
    assert found.right is all(verdict == "ok" for _, verdict in expected)
    assert found.right_but_for_types is all(verdict in ("ok", "coerced") for _, verdict in expected)


@pytest.mark.parametrize(
    ("given_unit", "right"),
    [
        ({}, True),
        ({"unit": ""}, True),
        ({"unit": None}, True),
        ({"unit": "C"}, True),
        ({"unit": "K"}, False),
        ({"unit": " "}, False),
    ],
)
def test_what_may_be_left_out(given_unit: dict[str, Any], right: bool) -> None:
    expected = [gold("clean", text=["a"], unit=["C", ""])]
    assert match(expected, [call("clean", text="a", **given_unit)]).right is right


def test_a_listed_value_that_is_the_default_may_be_left_out() -> None:
    assert match([gold("clean", text=["a"], standardize=[False])], [call("clean", text="a")]).right
    assert not match([gold("clean", text=["a"], standardize=[True])], [call("clean", text="a")]).right
    assert not match([gold("clean", text=["a"], unit=["C"])], [call("clean", text="a")]).right


def test_the_best_of_several_accepted_values_counts() -> None:
    expected = [gold("clean", text=["Jayanagar", "Jayanagar, Bengaluru", 5])]
    assert match(expected, [call("clean", text="मैजेस्टिक")]).pairs[0].parameters[0].verdict == "wrong"
    assert match(expected, [call("clean", text="5")]).pairs[0].parameters[0].verdict == "coerced"
    assert match(expected, [call("clean", text="jayanagar bengaluru")]).right


def test_a_call_right_but_for_types() -> None:
    found = match([gold("A", x=[500])], [call("A", x="500")])
    assert (found.right, found.right_but_for_types, found.parameter_fraction) == (False, True, 0.0)


def test_leniently_another_pairing_may_hold() -> None:
    found = match([gold("A", x=[1]), gold("A", x=[1, 2])], [call("A", x="1"), call("A", x=2)])
    assert (found.right, found.right_but_for_types, found.call_fraction) == (False, True, 1 / 2)


def test_fractions_of_nothing() -> None:
    assert match([gold("A")], [call("A")]).parameter_fraction == 1.0
    assert match([gold("A")], [call("B")]).parameter_fraction == 0.0
    assert (match([], []).call_fraction, match([], []).parameter_fraction) == (1.0, 1.0)
    assert match([], [call("A", x=1)]).call_fraction == 0.0


def test_a_gold_call_of_a_tool_that_is_not_offered_is_compared_all_the_same() -> None:
    assert match([gold("other", x=[1])], [call("other", x=1)]).right


ROUTE = [
    gold("geo", place=["जयनगर"]),
    gold("geo", place=["मैजेस्टिक"]),
    gold("go", start=[{"$ref": "0.point"}], end=[{"at": {"$ref": "1.point"}}]),
]
RESULTS = ({"point": {"lat": 1.5}}, {"point": {"lat": 2}}, {"id": "K-7"})


def route(first: str, second: str, start: Any, end: Any) -> list[ToolCall]:
    return [call("geo", place=first), call("geo", place=second), call("go", start=start, end={"at": end})]


def test_markers_stand_for_the_calls_of_their_own_answer() -> None:
    zero, one = {"$ref": "0.point"}, {"$ref": "1.point"}
    assert match(ROUTE, route("जयनगर", "मैजेस्टिक", zero, one)).right
    assert match(ROUTE, route("मैजेस्टिक", "जयनगर", one, zero)).right
    assert not match(ROUTE, route("मैजेस्टिक", "जयनगर", zero, one)).right
    assert not match(ROUTE, route("जयनगर", "मैजेस्टिक", one, zero)).right
    assert not match(ROUTE, route("मैजेस्टिक", "जयनगर", one, zero), order="sequence").right


def test_markers_are_counted_past_a_call_too_many() -> None:
    calls = [call("B", x=1), *route("जयनगर", "मैजेस्टिक", {"$ref": "1.point"}, {"$ref": "2.point"})]
    found = match(ROUTE, calls, order="sequence")
    assert (found.call_fraction, found.right) == (1.0, False)


def test_a_marker_to_a_call_that_was_not_made_is_wrong() -> None:
    found = match(ROUTE, [call("go", start={"$ref": "0.point"}, end={"at": {"$ref": "1.point"}})])
    assert verdicts(found) == [("start", "wrong"), ("end", "wrong")]


def test_the_literal_result_is_accepted_where_results_are_given() -> None:
    calls = route("जयनगर", "मैजेस्टिक", {"lat": 1.5}, {"$ref": "1.point"})
    assert match(ROUTE, calls, results=RESULTS).right
    assert not match(ROUTE, calls).right
    assert not match(ROUTE, route("जयनगर", "मैजेस्टिक", {"lat": 2}, {"lat": 2}), results=RESULTS).right


NEW, CART = gold("new"), [{"$ref": "0.id"}, {"$ref": "1.id"}]
CARTS = [NEW, NEW, gold("add", cart=CART[:1], item=["tea"]), gold("add", cart=CART[1:], item=["milk"])]


def carts(tea: dict[str, str], milk: dict[str, str]) -> list[ToolCall]:
    return [call("new"), call("new"), call("add", cart=tea, item="tea"), call("add", cart=milk, item="milk")]


def test_which_of_two_like_calls_is_which_is_free_where_the_order_is() -> None:
    one, other = CART
    assert match(CARTS, carts(one, other)).right
    assert match(CARTS, carts(other, one)).right
    assert not match(CARTS, carts(other, one), order="sequence").right
    for cart in CART:
        found = match(CARTS, carts(cart, cart))
        assert (found.right, found.call_fraction) == (False, 3 / 4)


def test_calls_that_variants_make_alike_may_be_numbered_either_way() -> None:
    expected = [
        gold("geo", place=["a", "b"]),
        gold("geo", place=["a", "b"]),
        gold("go", start=[{"$ref": "0"}], end=[{"$ref": "1"}]),
    ]
    for start, end, right in (("0", "1", True), ("1", "0", True), ("0", "0", False), ("2", "0", False)):
        calls = [call("geo", place="a"), call("geo", place="b")]
        assert match(expected, [*calls, call("go", start={"$ref": start}, end={"$ref": end})]).right is right


def test_markers_that_mean_each_other_in_a_circle_end_without_being_right() -> None:
    expected = [gold("new", of=[{"$ref": "1"}]), gold("new", of=[{"$ref": "0"}])]
    assert match(expected, [call("new", of={"$ref": "1"}), call("new", of={"$ref": "0"})]).right
    assert not match(expected, [call("new", of={"$ref": "0"}), call("new", of={"$ref": "1"})]).right


def test_many_like_calls_are_matched_soon() -> None:
    expected = [*([NEW] * 12), *(gold("add", cart=[{"$ref": f"{i}.id"}]) for i in range(12))]
    calls = [*([call("new")] * 12), *(call("add", cart={"$ref": f"{11 - i}.id"}) for i in range(12))]
    assert match(expected, calls).right


@pytest.mark.parametrize(
    ("calls", "prefix"),
    [
        ([call("A", x=1), call("B", x=2), call("A", x=3)], 3),
        ([call("A", x=1), call("B", x=2), call("A", x=4)], 2),
        ([call("A", x=1), call("B", x=9), call("A", x=3)], 1),
        ([call("A", x=9), call("B", x=2), call("A", x=3)], 0),
        ([call("A", x=1), call("B", x=2)], 2),
        ([call("A", x=1), call("A", x=3)], 1),
        ([call("B", x=2), call("A", x=1), call("B", x=2), call("A", x=3)], 0),
        ([call("A", x=1), call("B", x=2), call("A", x=3), call("A", x=3)], 3),
        ([call("A", x="1"), call("B", x=2)], 0),
        ([], 0),
    ],
)
def test_the_longest_correct_prefix(calls: list[ToolCall], prefix: int) -> None:
    expected = [gold("A", x=[1, 7]), gold("B", x=[2]), gold("A", x=[3])]
    found = match(expected, calls, order="sequence")
    assert (found.correct_prefix, found.prefix_fraction) == (prefix, prefix / 3)


def test_the_prefix_counts_markers_as_gold_does() -> None:
    calls = route("जयनगर", "मैजेस्टिक", {"$ref": "0.point"}, {"$ref": "0.point"})
    assert match(ROUTE, calls, order="sequence").correct_prefix == 2
    assert match(ROUTE, [calls[0], calls[2]], order="sequence").correct_prefix == 1
    assert (match([], []).prefix_fraction, match([], [call("A")]).prefix_fraction) == (1.0, 0.0)


GOLD_CALLS = st.lists(
    st.builds(gold, st.sampled_from(["A", "B"]), x=st.lists(st.integers(0, 3), min_size=1, max_size=2)),
    max_size=4,
)
PREDICTED = st.lists(st.builds(call, st.sampled_from(["A", "B"]), x=st.integers(0, 3)), max_size=4)


@given(GOLD_CALLS, PREDICTED, st.randoms(use_true_random=False))
def test_where_order_is_free_it_changes_nothing(
    expected: list[GoldCall], calls: list[ToolCall], rng: Any
) -> None:
    found = match(expected, calls)
    rng.shuffle(calls)
    again = match(expected, calls)
    assert (found.right, found.call_fraction, found.parameter_fraction) == (
        again.right,
        again.call_fraction,
        again.parameter_fraction,
    )


@given(GOLD_CALLS, PREDICTED, st.sampled_from(["any", "sequence"]))
def test_every_call_is_paired_once_or_missing_or_extra(
    expected: list[GoldCall], calls: list[ToolCall], order: str
) -> None:
    found = match(expected, calls, order=order)
    assert sorted([*(pair.gold for pair in found.pairs), *found.missing]) == list(range(len(expected)))
    assert sorted([*(pair.call for pair in found.pairs), *found.extra]) == list(range(len(calls)))
    assert 0.0 <= found.parameter_fraction <= 1.0
    assert not found.right or (found.call_fraction, found.parameter_fraction) == (1.0, 1.0)
    assert found.correct_prefix <= sum(pair.right for pair in found.pairs) or order == "any"
    assert not (found.right and order == "sequence") or found.correct_prefix == len(expected)
