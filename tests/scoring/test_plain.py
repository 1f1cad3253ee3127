"""Plain values: JSON is read strictly, and hostile text ends in a reason."""

import json
from typing import Any

import pytest
from hypothesis import given

from tests.scoring.strategies import JSON_VALUES
from voicebench.scoring.plain import MAX_DEPTH, Unreadable, decode_json, plain, writable


@given(JSON_VALUES)
def test_what_json_writes_is_read_back(value: Any) -> None:
    assert decode_json(json.dumps(value)) == (value, len(json.dumps(value)))


def test_a_value_is_read_from_the_middle_of_a_text() -> None:
    assert decode_json('see {"शहर": "दिल्ली"} there', 4) == ({"शहर": "दिल्ली"}, 21)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": 1, "a": 1}', "the key 'a' stands twice in one object"),
        ('[{"a": {"b": 1, "b": 2}}]', "the key 'b' stands twice in one object"),
        ("NaN", "NaN is no JSON value"),
        ("[-Infinity]", "-Infinity is no JSON value"),
        ("1e999", "a number is not finite"),
        ("9" * 100_000, "a number is too large"),
        ("9" * 309, "a number is too large"),
        ("[" * 100_000, f"nested deeper than {MAX_DEPTH} levels"),
        ("[" * 65 + "]" * 65, f"nested deeper than {MAX_DEPTH} levels"),
        ('{"n": १२}', "not JSON: Expecting value (character 6)"),
        ("", "not JSON: Expecting value (character 0)"),
    ],
    ids=lambda value: value[:20],
)
def test_what_is_no_plain_json_has_a_reason(text: str, reason: str) -> None:
    with pytest.raises(Unreadable) as caught:
        decode_json(text)
    assert caught.value.reason == reason


def test_the_deepest_nesting_that_is_read() -> None:
    text = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert decode_json(text)[1] == len(text)


@pytest.mark.parametrize("value", [b"x", {1: "a"}, {"a": {1, 2}}, 1j, float("nan"), [float("inf")], 2**1024])
def test_what_json_cannot_hold_is_not_plain(value: Any) -> None:
    with pytest.raises(Unreadable):
        plain(value)


def test_a_tuple_becomes_a_list() -> None:
    assert plain({"a": (1, (2.5, None))}) == {"a": [1, [2.5, None]]}


def test_half_surrogates_are_joined_or_replaced() -> None:
    assert writable("\ud83d\ude00 \ud800 தமிழ்") == "😀 \ufffd தமிழ்"
    assert plain({"\ud800": ["\udfff"]}) == {"\ufffd": ["\ufffd"]}


def test_a_joiner_parts_endless_marks_of_a_long_string() -> None:
    marks = "\u0301\u0323" * 500
    assert writable(f"a{marks}") == "a" + "\u034f".join([marks[:30]] * 33 + [marks[:10]])
    assert writable(f"a{marks[:990]}") == f"a{marks[:990]}"
    assert writable("हिन्दी मात्रा " * 100) == "हिन्दी मात्रा " * 100
