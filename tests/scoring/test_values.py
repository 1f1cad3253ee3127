"""One value against one accepted value, strictly by type and content."""

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.strategies import JSON_VALUES
from voicebench.scoring.names import Aliases
from voicebench.scoring.setting import Setting
from voicebench.scoring.values import Verdict, compare, is_right

JSON_TEXT = {"type": "string", "contentMediaType": "application/json"}
SET = {"type": "array", "uniqueItems": True}
RESULTS = [{"latitude": 12.9716, "id": "K-7"}]


@pytest.mark.parametrize(
    ("got", "gold", "verdict"),
    [
        ("Mumbai", "Delhi", "wrong"),
        ("मुंबई ", "मुंबई", "ok"),
        ("सेक्टर १५", "सेक्टर 15", "ok"),
        ("₹१,००,०००", "₹1,00,000", "ok"),
        ("₹1,00,000", 100000, "coerced"),
        ("एक लाख", "₹1,00,000", "ok"),
        ("एक लाख", 100000, "coerced"),
        ("पाँच सौ", 500, "coerced"),
        ("500 रुपये", 500, "coerced"),
        (500, "पाँच सौ", "coerced"),
        ("5%", 5, "type"),
        ("5%", "5 प्रतिशत", "ok"),
        ("5%", "5", "wrong"),
        ("$500", "₹500", "wrong"),
        ("मुंबई", "Mumbai", "ok"),
        ("山田", "Yamada", "ok"),
        ("हज़रतगंज", "हजरतगंज", "ok"),
        ("B-12", "B 12", "ok"),
        ("12-13", "1213", "wrong"),
        ("1.5", "15", "wrong"),
        ("-5", "5", "wrong"),
        (25, 25.0, "ok"),
        (25.0, 25, "ok"),
        (12.5, 12, "wrong"),
        (-5, 5, "wrong"),
        (0.1 + 0.2, 0.3, "ok"),
        (0.3001, 0.3, "wrong"),
        (10_000_001, 10_000_000, "wrong"),
        (10_000_001.0, 10_000_000, "wrong"),
        (10**1000, 0.5, "wrong"),
        ("500", 500, "coerced"),
        (500, "500", "coerced"),
        ("५००", 500, "coerced"),
        ("501", 500, "type"),
        ("500", 500.0, "coerced"),
        ("true", True, "coerced"),
        (True, "true", "coerced"),
        ("yes", True, "type"),
        (True, 1, "type"),
        (1, True, "type"),
        (0, False, "type"),
        (True, True, "ok"),
        (True, False, "wrong"),
        (None, None, "ok"),
        (None, "x", "type"),
        ("x", None, "type"),
        (1, [1], "type"),
        ([1], 1, "type"),
        ([12, 15, 18], [12.0, 15.0, 18.0], "ok"),
        ([1, 2], [2, 1], "wrong"),
        ([1], [1, 2], "wrong"),
        ([], [], "ok"),
        (["1", 2], [1, 2], "coerced"),
        (["1", 3], [1, 2], "wrong"),
        ([True], [1], "type"),
        ({"a": "Delhi"}, {"a": "delhi"}, "ok"),
        ({"a": 1, "b": 2}, {"a": 1}, "wrong"),
        ({"a": 1}, {"a": 1, "b": 2}, "wrong"),
        ({"A": 1}, {"a": 1}, "wrong"),
        ({"a": {"b": ["1"]}}, {"a": {"b": [1]}}, "coerced"),
        ({"base": 10}, {"base": [10]}, "type"),
        ({}, [], "type"),
    ],
)
def test_what_a_value_is_worth(got: Any, gold: Any, verdict: Verdict) -> None:
    assert compare(got, gold, {}) == verdict


@given(JSON_VALUES)
def test_a_value_is_right_against_itself(value: Any) -> None:
    assert compare(value, value, {}) == "ok"


@given(JSON_VALUES, JSON_VALUES)
def test_any_two_values_have_a_verdict(one: Any, other: Any) -> None:
    assert compare(one, other, {}) in get_args(Verdict)


@given(st.integers(), st.integers())
def test_two_integers_are_equal_only_if_they_are(one: int, other: int) -> None:
    assert (compare(one, other, {}) == "ok") is (one == other)


@pytest.mark.parametrize(
    ("got", "gold", "schema", "verdict"),
    [
        ("30 November 2026", "2026-11-30", {}, "ok"),
        ("30 November", "2026-11-30", {}, "wrong"),
        ("2026-11-30T00:00:00", "2026-11-30", {}, "wrong"),
        ("6:05 pm", "18:05", {}, "ok"),
        ("18:05:00", "18:05", {}, "ok"),
        ("06:05", "18:05", {}, "wrong"),
        ("30/11/2026", "2026-11-30", {}, "wrong"),
        ("30/11/2026", "2026-11-30", {"description": "DD/MM/YYYY"}, "ok"),
        ("2026-11-30", "30/11/2026", {"description": "DD/MM/YYYY"}, "ok"),
        ("2026-11-30", "30 Nov 2026", {"format": "date"}, "ok"),
        ("2026-11-30", "30 Nov 2026", {}, "wrong"),
        ("kal", "kal", {"format": "date"}, "ok"),
    ],
)
def test_moments_are_compared_where_gold_or_schema_says_that_there_is_one(
    got: str, gold: str, schema: dict[str, Any], verdict: Verdict
) -> None:
    assert compare(got, gold, schema) == verdict


@pytest.mark.parametrize(
    ("got", "gold", "lang", "verdict"),
    [
        ("tomorrow", "2026-12-01", "en", "ok"),
        ("tomorrow at 6:30 am", "2026-12-01T06:30", "en", "ok"),
        ("आज शाम 6 बजे", "2026-11-30T18:00", "hi", "ok"),
        ("कल", "2026-12-01", "hi", "wrong"),
        ("30 พฤศจิกายน 2569", "2026-11-30", "th", "ok"),
        ("30 พฤศจิกายน 2569", "2026-11-30", "hi", "wrong"),
        ("শাম", "শাম", "bn", "ok"),
        ("1.500.000", "1500000", "id", "ok"),
        ("1.500.000", "1500000", "en", "wrong"),
    ],
)
def test_what_is_said_in_a_language_on_a_day(got: str, gold: str, lang: str, verdict: Verdict) -> None:
    assert compare(got, gold, {}, setting=Setting(lang, "2026-11-30")) == verdict


def test_no_relative_date_is_read_without_a_reference_date() -> None:
    assert compare("tomorrow", "2026-12-01", {}, setting=Setting("en")) == "wrong"


def test_the_names_of_a_setting_take_the_place_of_the_shipped_ones() -> None:
    assert compare("मुंबई", "Mumbai", {}, setting=Setting(aliases=Aliases())) == "wrong"
    assert compare({"city": ["मुंबई"]}, {"city": ["Mumbai"]}, {}) == "ok"


def test_a_list_is_without_order_only_where_its_schema_says_so() -> None:
    assert compare(["b", "A"], ["a", "b"], SET) == "ok"
    assert compare(["b", "1"], [1, "b"], SET) == "coerced"
    assert compare(["a", "a", "b"], ["a", "b", "b"], SET) == "wrong"
    assert compare({"x": [2, 1]}, {"x": [1, 2]}, {"properties": {"x": SET}}) == "ok"
    assert compare([[2, 1], [3]], [[1, 2], [3]], {"items": SET}) == "ok"
    assert compare([[3], [2, 1]], [[1, 2], [3]], {"items": SET}) == "wrong"


def test_a_list_inside_a_value_is_no_list_of_variants() -> None:
    assert compare({"city": "Delhi"}, {"city": ["Delhi", "New Delhi"]}, {}) == "type"


def test_the_schema_of_an_item_is_found_through_references_and_unions() -> None:
    schema = {
        "anyOf": [{"type": "string"}, {"$ref": "#/$defs/Plan"}],
        "$defs": {"Plan": {"type": "object", "properties": {"days": SET}}},
    }
    assert compare({"days": [2, 1]}, {"days": [1, 2]}, schema) == "ok"


def test_a_schema_that_leads_back_to_itself_ends() -> None:
    schema: dict[str, Any] = {"$ref": "#/$defs/A", "$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}]}}}
    assert compare([1], [1], schema) == "ok"


def test_json_text_compares_as_json() -> None:
    assert compare('{"b": [1, "Delhi"], "a": 1}', '{"a": 1.0, "b": [1, "delhi"]}', JSON_TEXT) == "ok"
    assert compare('{"a": 2}', '{"a": 1}', JSON_TEXT) == "wrong"
    assert compare({"a": 1}, '{"a": 1}', JSON_TEXT) == "coerced"
    assert compare('{"a": 1', '{"a": 1}', JSON_TEXT) == "wrong"
    assert compare('{"a": 1, "a": 1}', '{"a": 1}', JSON_TEXT) == "wrong"
    assert compare("not json", "not  json", JSON_TEXT) == "ok"
    assert compare('{"a": 1, "b": 2}', '{"b": 2, "a": 1}', {"type": "string"}) == "wrong"


@pytest.mark.parametrize("text", ['{"n": १२}', '{"n": 1२}', '{"n": ๑๒}'])
def test_native_digits_make_no_json(text: str) -> None:
    assert compare(text, '{"n": 12}', JSON_TEXT) == "wrong"


def test_markers_compare_by_call_and_path() -> None:
    marker = {"$ref": "0.latitude"}
    assert compare({"$ref": "0.latitude"}, marker, {"type": "number"}) == "ok"
    assert compare({"$ref": "1.latitude"}, marker, {}) == "wrong"
    assert compare({"$ref": "0.longitude"}, marker, {}) == "wrong"
    assert compare([{"$ref": "0.a"}], [{"$ref": "0.a"}], {}) == "ok"
    assert compare({"$ref": "0.a"}, 5, {}) == "wrong"


def test_the_returned_value_is_accepted_for_a_marker() -> None:
    marker = {"$ref": "0.latitude"}
    assert compare(12.9716, marker, {}, results=RESULTS) == "ok"
    assert compare("12.9716", marker, {}, results=RESULTS) == "coerced"
    assert compare(13, marker, {}, results=RESULTS) == "wrong"
    assert compare(12.9716, marker, {}) == "wrong"
    assert compare(12.9716, {"$ref": "3.latitude"}, {}, results=RESULTS) == "wrong"
    got = {"lat": 12.9716, "id": {"$ref": "0.id"}}
    assert compare(got, {"lat": marker, "id": {"$ref": "0.id"}}, {}, results=RESULTS) == "ok"


def test_coerced_is_right_only_leniently() -> None:
    assert is_right("ok")
    assert not is_right("coerced")
    assert is_right("coerced", lenient=True)
    assert not is_right("type", lenient=True)
