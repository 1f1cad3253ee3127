"""Which parts of gold another language says otherwise, and which stay."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.tasks.drafting.words import (
    is_in_script,
    is_latin,
    own_script_share,
    whole_values,
    words_of,
)
from voicebench.types import GoldCall, TaskRow, Tool

TOOL = Tool(
    name="act",
    parameters={
        "type": "object",
        "properties": {
            "place": {"type": "string"}, "sort": {"type": "string", "enum": ["price", "name"]},
            "day": {"type": "string", "format": "date"}, "n": {"type": "integer"}, "on": {"type": "boolean"},
            "id": {"type": "string"}, "who": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "items": {"type": "array", "items": {"$ref": "#/$defs/Item"}},
        },
        "$defs": {"Item": {"type": "object", "properties": {
            "name": {"type": "string"}, "size": {"enum": ["big", "small"]}, "count": {"type": "integer"}}}},
    },
)  # fmt: skip


def item(**arguments: list[Any]) -> TaskRow:
    return TaskRow.model_validate(
        {"id": "x", "task": "single", "lang": "en", "turns": [{"role": "user", "text": "x"}], "tools": [TOOL],
         "expect": {"calls": [{"name": "act", "arguments": arguments}]}}
    )  # fmt: skip


def places(**arguments: list[Any]) -> list[str]:
    return [word.place for word in words_of(item(**arguments))]


def test_free_texts_are_words_and_choices_numbers_and_days_are_not() -> None:
    assert places(
        place=["Jayanagar"], sort=["price"], day=["2026-12-01"], n=[3], on=[True], who=["Asha", ""],
    ) == ["0.place", "0.who"]  # fmt: skip


@pytest.mark.parametrize(
    "value",
    [
        "D-318",
        "19:30",
        "7:30 pm",
        "2026-12-01",
        "98450 12345",
        "asha@example.org",
        "https://x.example/a",
        "KA01AB1234",
    ],
)
def test_codes_times_and_addresses_are_no_words(value: str) -> None:
    assert places(id=[value]) == []


@pytest.mark.parametrize("value", ["42 MG Road", "seven thirty", "घर", "வீடு", "บ้าน", "A4 paper"])
def test_names_with_numbers_in_them_are_words(value: str) -> None:
    assert places(id=[value]) == ["0.id"]


def test_words_inside_lists_and_objects_are_found_by_their_schema() -> None:
    items = [[{"name": "rice", "size": "big", "count": 2}, {"name": {"$ref": "0.x"}, "size": "small"}]]
    assert places(items=items) == ["0.items.0.name"]


def test_all_variants_of_words_make_the_accepted_values() -> None:
    call = GoldCall(name="act", arguments={"items": [[{"name": "rice"}, {"name": "dal"}], "old"]})
    found = whole_values([call], {"0.items.0.name": ["चावल", "chawal"], "0.items.1.name": ["दाल", "dal"]})
    assert found == {"0.items": [
        [{"name": "चावल"}, {"name": "दाल"}], [{"name": "चावल"}, {"name": "dal"}],
        [{"name": "chawal"}, {"name": "दाल"}], [{"name": "chawal"}, {"name": "dal"}],
    ]}  # fmt: skip


def test_variants_that_multiply_beyond_bounds_are_their_first_ones() -> None:
    call = GoldCall(name="act", arguments={"items": [["a", "b", "c"]]})
    found = whole_values([call], {f"0.items.{n}": [f"{n}{v}" for v in "xyz"] for n in range(3)})
    assert found == {"0.items": [["0x", "1x", "2x"]]}


def test_scripts_are_told_by_their_letters() -> None:
    assert is_in_script("ऑटो", "mr") and not is_in_script("auto", "hi") and is_in_script("รถ", "th")
    assert is_latin("Đà Nẵng 2") and not is_latin("Majestic बस") and not is_latin("42")
    assert own_script_share("कैब book", "hi") == pytest.approx(2 / 6)
    assert own_script_share("123 ?", "ta") == 1.0 and own_script_share("xin chào", "vi") == 1.0


@given(st.text())
def test_a_share_is_a_share(text: str) -> None:
    assert 0.0 <= own_script_share(text, "ta") <= 1.0
