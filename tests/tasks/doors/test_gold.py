"""Accepted values as others list them become ours."""

import pytest

from voicebench.tasks.doors import NoTask
from voicebench.tasks.doors.gold import MOST_VARIANTS, gold_call, read_calls
from voicebench.types import Tool

PLACE = {"type": "object", "properties": {"city": {"type": "string"}, "tags": {"type": "array"}}}
TOOL = Tool(
    name="f",
    parameters={
        "type": "object",
        "required": ["n"],
        "properties": {
            "n": {"type": "integer"},
            "text": {"type": "string"},
            "maybe": {"type": ["string", "null"]},
            "tags": {"type": "array", "items": {"type": "string"}},
            "place": PLACE,
            "places": {"type": "array", "items": PLACE},
        },
    },
)


def _of(name: str, accepted: object) -> list[object] | None:
    return gold_call(TOOL, {"n": [1], name: accepted}).arguments.get(name)


def test_variants_stay_in_order_without_repetition() -> None:
    assert _of("text", ["चाय", "chai", "चाय", ""]) == ["चाय", "chai", ""]


def test_true_is_not_one() -> None:
    assert _of("text", [1, True, 1.0]) == [1, True, 1.0]


def test_only_leave_to_leave_out_means_that_it_must_not_be_there() -> None:
    assert _of("text", [""]) is None


def test_null_beside_leave_to_leave_out_is_dropped_where_null_does_not_fit() -> None:
    assert _of("text", ["", None]) is None
    assert _of("maybe", ["", None]) == [None, ""]


def test_a_lone_list_where_a_list_is_asked_for_is_one_value() -> None:
    assert _of("tags", ["a", "b"]) == [["a", "b"]]
    assert _of("tags", [["a", "b"], ["b"], ""]) == [["a", "b"], ["b"], ""]
    assert _of("tags", [[]]) == [[]]


def test_variants_in_an_object_are_multiplied_and_lists_in_it_stay_whole() -> None:
    assert _of("place", [{"city": ["Pune", "Poona"], "tags": [["a", "b"], ""]}]) == [
        {"city": "Pune", "tags": ["a", "b"]}, {"city": "Pune"},
        {"city": "Poona", "tags": ["a", "b"]}, {"city": "Poona"},
    ]  # fmt: skip


def test_variants_in_objects_of_a_list_are_multiplied() -> None:
    assert _of("places", [[{"city": ["A", "B"]}, {"city": ["C"]}]]) == [
        [{"city": "A"}, {"city": "C"}],
        [{"city": "B"}, {"city": "C"}],
    ]


def test_members_that_are_no_lists_are_taken_as_they_are() -> None:
    assert _of("place", [{"city": "Pune"}]) == [{"city": "Pune"}]


def test_too_many_variants_are_not_listed() -> None:
    many = [{f"k{n}": [0, 1] for n in range(MOST_VARIANTS.bit_length())}]
    with pytest.raises(NoTask, match="too many accepted values"):
        _of("place", many)


def test_a_required_parameter_needs_a_value() -> None:
    with pytest.raises(NoTask, match="a required parameter has no right value"):
        gold_call(TOOL, {"n": [""]})


@pytest.mark.parametrize("raw", [None, "f(n=1)", [1], [{"f": [1]}]])
def test_other_forms_of_calls_are_refused(raw: object) -> None:
    with pytest.raises(NoTask, match="in a form that is not known"):
        read_calls(raw, [TOOL])


def test_one_call_need_not_be_in_a_list() -> None:
    assert len(read_calls({"f": {"n": [1]}}, [TOOL])) == 1
