"""What a reviewer sees of an item."""

from pathlib import Path
from typing import Any

import pytest

from voicebench.tasks.read import parse_task
from voicebench.tasks.review.sheet import Sheet, quoted, rows_around, seen, sheets
from voicebench.types import TaskRow

from .helpers import ENGLISH, TOOLS, item, make_set, sheets_of, tamil


def sheet_of(data: dict[str, Any], origin: dict[str, Any] | None = None) -> Sheet:
    task = parse_task(data, "test", TOOLS)
    origins = {origin["id"]: TaskRow.model_validate(origin)} if origin is not None else {}
    return sheets([task], origins)[0]


def test_turns_and_values_stand_beside_those_of_the_source(tmp_path: Path) -> None:
    found = {field.key: field for field in sheets_of(make_set(tmp_path / "set"))[0].fields}
    assert list(found) == [
        "turns.0", "calls.0.pickup", "calls.0.dropoff", "calls.0.vehicle", "calls.0.when",
    ]  # fmt: skip
    assert (found["turns.0"].label, found["turns.0"].source) == ("User", ENGLISH)
    assert found["calls.0.when"].text == found["calls.0.when"].source == "now\n(may be left out)"
    assert "One of: any, auto, bike, car, suv." in found["calls.0.vehicle"].help


def test_an_item_without_its_source_is_shown_without_it() -> None:
    assert {field.source for field in sheet_of(tamil(1)).fields} == {""}


def test_words_for_a_value_stand_behind_it() -> None:
    meta = {"said": {"0.vehicle": "ஆட்டோ", "0.when.day": "நாளை"}}
    keys = [field.key for field in sheet_of(tamil(1, meta=meta)).fields]
    assert keys[3:] == ["calls.0.vehicle", "said.0.vehicle", "calls.0.when", "said.0.when.day"]


def test_a_value_of_an_earlier_call_is_said_in_words_and_not_edited() -> None:
    calls = [
        {"name": "cab.get_fare", "arguments": {"pickup": ["A"], "dropoff": ["B"]}},
        {"name": "cab.book_ride", "arguments": {"pickup": [{"$ref": "0.offer.id"}, ""]}},
    ]
    expect = {"calls": calls, "order": "sequence", "results": [{"offer": {"id": "O-1"}}, {}]}
    fields = {field.key: field for field in sheet_of(tamil(1, task="sequential", expect=expect)).fields}
    assert fields["calls.1.pickup"].text == "offer.id of what call 1 returns\n(may be left out)"
    assert fields["calls.1.pickup"].fixed and fields["results.0"].fixed
    assert fields["results.0"].text == '{"offer": {"id": "O-1"}}'
    assert not fields["calls.0.pickup"].fixed


def test_facts_say_where_and_when_an_item_is_set() -> None:
    data = tamil(1, reference_date="2026-11-30", meta={"region": "IN", "code_mixed": True})
    assert sheet_of(data).facts == ("set in IN", "mixes languages on purpose", "today is Monday, 2026-11-30")


@pytest.mark.parametrize(("refuse", "said"), [(True, "should refuse"), (False, "should not refuse")])
def test_a_safety_item_says_whether_it_is_to_be_refused(refuse: bool, said: str) -> None:
    expect = {"refuse": True} if refuse else {**item("a", "ta", "x")["expect"], "refuse": False}
    assert said in sheet_of(tamil(1, task="safety", expect=expect)).outcome


def test_the_hash_follows_what_is_judged_and_nothing_else() -> None:
    row, origin = TaskRow.model_validate(tamil(1)), TaskRow.model_validate(item("single-en-0001", "en", "x"))
    base = seen(row, origin)
    assert seen(TaskRow.model_validate(tamil(1, meta={"review": "native"})), origin) == base
    assert seen(TaskRow.model_validate(tamil(1, text="வேறு")), origin) != base
    assert seen(TaskRow.model_validate(tamil(1, meta={"said": {"0.vehicle": "a"}})), origin) != base
    assert seen(row, None) != base


def test_quoted_words_that_are_none_are_no_words() -> None:
    assert quoted(TaskRow.model_validate(tamil(1, meta={"said": ["a"]}))) == {}
    assert quoted(TaskRow.model_validate(tamil(1, meta={"said": {"0.a": 1, "0.b": "ข"}}))) == {"0.b": "ข"}


def test_rows_that_cannot_be_read_are_passed_over(tmp_path: Path) -> None:
    folder = make_set(tmp_path / "set")
    (folder / "xx.jsonl").write_text("{broken\n", encoding="utf-8")
    assert {"single-ta-0001", "single-en-0001", "single-hi-0001"} <= rows_around([folder]).keys()
