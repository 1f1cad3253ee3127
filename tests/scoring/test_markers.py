"""Markers: what they point at, and how they are counted anew."""

from typing import Any

import pytest

from voicebench.scoring.markers import (
    Reference,
    holds_marker,
    is_marker,
    read_marker,
    renumber,
    resolve,
    same_target,
)

RESULTS = [{"latitude": 12.9, "stops": [{"name": "मैजेस्टिक"}]}, "K-7"]


@pytest.mark.parametrize(
    "value", [{"$ref": 0}, {"$ref": "0", "x": 1}, {"ref": "0"}, {}, "0.x", None, ["$ref"]]
)
def test_an_object_of_another_shape_is_no_marker(value: Any) -> None:
    assert not is_marker(value)
    assert not holds_marker([value])


def test_a_marker_is_found_inside_lists_and_objects() -> None:
    assert holds_marker({"a": [1, {"b": {"$ref": "0.x"}}]})


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("0", Reference(0, ())),
        ("12.latitude", Reference(12, ("latitude",))),
        ("0.stops[1].name", Reference(0, ("stops", "1", "name"))),
        (" 0.stops.1.name ", Reference(0, ("stops", "1", "name"))),
        ("-1.x", None),
        ("x.y", None),
        ("", None),
        ("१.x", None),
    ],
)
def test_a_marker_names_a_call_and_a_path(text: str, target: Reference | None) -> None:
    assert read_marker({"$ref": text}) == target


def test_two_spellings_of_one_path_are_the_same_target() -> None:
    assert same_target({"$ref": "0.a[0]"}, {"$ref": "0.a.0"})
    assert not same_target({"$ref": "0.a"}, {"$ref": "1.a"})
    assert not same_target({"$ref": "0.a"}, {"$ref": "0.A"})
    assert not same_target({"$ref": "x"}, {"$ref": "y"})
    assert same_target({"$ref": "x"}, {"$ref": "x"})


@pytest.mark.parametrize(
    ("text", "value"),
    [("0.latitude", 12.9), ("0.stops[0].name", "मैजेस्टिक"), ("1", "K-7"), ("0.stops", [{"name": "मैजेस्टिक"}])],
)
def test_a_marker_stands_for_a_part_of_a_result(text: str, value: Any) -> None:
    assert resolve({"$ref": text}, RESULTS) == value


@pytest.mark.parametrize("text", ["2.x", "0.longitude", "0.stops[5]", "0.stops.name", "1.x", "x"])
def test_a_marker_that_leads_nowhere_is_a_lookup_error(text: str) -> None:
    with pytest.raises(LookupError):
        resolve({"$ref": text}, RESULTS)


def test_calls_are_numbered_anew_everywhere_in_a_value() -> None:
    value = {"a": [{"$ref": "0.x[1]"}, {"$ref": "1"}], "b": {"$ref": "2.y"}, "c": {"$ref": "?"}, "d": 3}
    assert renumber(value, {0: 1, 1: 0}) == {
        "a": [{"$ref": "1.x.1"}, {"$ref": "0"}],
        "b": {"$ref": "none.y"},
        "c": {"$ref": "?"},
        "d": 3,
    }
