"""Which part of the way an answer was lost on."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.pages import DOCS, json_of, tables
from voicebench.scoring.blame import CAUSES, Side, Words, blame
from voicebench.types import Reason

RIGHT = Side(right=True, right_tools=True)
SAID = {
    "en": ("Get me a cab from Jayanagar to Majestic at 5",),
    "hi": ("जयनगर से मैजेस्टिक तक गाड़ी दो",),
    "ta": ("ஜெயநகரிலிருந்து மெஜஸ்டிக் வரை வண்டி",),
    "th": ("เรียกรถจากสยามไปอโศก",),
}


def wrong(gold: Any, got: Any = "x", name: str = "pickup", verdict: str = "wrong") -> Reason:
    return Reason.model_validate(
        {"kind": "parameter", "call": 0, "parameter": name, "verdict": verdict, "gold": gold, "got": got}
    )


def side(*reasons: Reason, tools: bool | None = True) -> Side:
    return Side(right=False, reasons=reasons, right_tools=tools)


def heard(transcript: str | None, lang: str = "en", **fields: Any) -> Words:
    return Words(said=SAID[lang], transcript=transcript, lang=lang, **fields)


def test_right_both_ways_has_no_cause() -> None:
    assert blame(RIGHT, RIGHT, heard("rubbish")).cause == "none"


def test_what_is_right_only_when_heard_is_reported_apart() -> None:
    assert blame(side(wrong(["Jayanagar"])), RIGHT, heard("rubbish")).cause == "only_heard"


@pytest.mark.parametrize("verdict", ["wrong", "missing", "type", "coerced", "unexpected"])
def test_a_wrong_argument_of_the_right_tools_is_writing(verdict: str) -> None:
    reason = wrong(["जयनगर"], "Majestic", verdict=verdict)
    found = blame(side(reason), side(), heard(None))
    assert (found.cause, found.parameter, found.wanted, found.got) == (
        "writing",
        "pickup",
        ("जयनगर",),
        "Majestic",
    )


@pytest.mark.parametrize("kind", ["tool", "missing_call", "extra_call", "order", "unreadable"])
def test_wrong_calls_are_planning_whatever_their_arguments(kind: str) -> None:
    reason = Reason.model_validate({"kind": kind})
    assert blame(side(reason, wrong(["x"]), tools=False), side(), heard(None)).cause == "planning"
    assert blame(side(reason, wrong(["x"]), tools=True), side(), heard(None)).cause == "planning"


def test_a_safety_item_that_is_wrong_when_read_is_planning() -> None:
    assert blame(side(tools=None), side(tools=None), heard(None)).cause == "planning"


@pytest.mark.parametrize(
    ("lang", "gold", "transcript"),
    [
        ("en", ["Jayanagar", "Jayanagar, Bengaluru"], "Get me a cab from Jaya Nagar to Majestic at 5"),
        ("hi", ["जयनगर", "Jayanagar"], "जय नगर से मैजेस्टिक तक गाड़ी दो"),
        ("hi", ["जयनगर"], "जैन घर से मैजेस्टिक तक गाड़ी दो"),
        ("ta", ["ஜெயநகர்"], "செய நகரிலிருந்து மெஜஸ்டிக் வரை வண்டி"),
        ("th", ["สยาม"], "เรียกรถจากสายามไปอโศก"),
        ("en", [5], "Get me a cab from Jayanagar to Majestic at 9"),
    ],
)
def test_a_value_that_was_said_and_not_written_down_was_lost_by_ear(
    lang: str, gold: list[Any], transcript: str
) -> None:
    found = blame(RIGHT, side(wrong(gold)), heard(transcript, lang))
    assert (found.cause, found.parameter) == ("hearing", "pickup")


@pytest.mark.parametrize(
    ("lang", "gold", "transcript"),
    [
        ("en", ["Jayanagar"], "cap Jayanagar magic"),
        ("hi", ["जयनगर", "Jayanagar"], "Jayanagar se majestic"),
        ("ta", ["ஜெயநகர்"], "ஜெயநகருக்கு வந்தி"),
        ("th", ["สยาม"], "รถสยามครับ"),
    ],
)
def test_a_value_that_was_written_down_and_not_used_is_planning(
    lang: str, gold: list[Any], transcript: str
) -> None:
    assert blame(RIGHT, side(wrong(gold)), heard(transcript, lang)).cause == "planning"


def test_one_lost_value_among_kept_ones_is_hearing() -> None:
    reasons = (wrong(["Majestic"], name="dropoff"), wrong(["Jayanagar"]))
    found = blame(RIGHT, side(*reasons), heard("get a cab from janga to Majestic at 5"))
    assert (found.cause, found.parameter) == ("hearing", "pickup")


@pytest.mark.parametrize(
    ("transcript", "cause"),
    [
        ("Get me a cab from Jaya to Majestic at five", "planning"),
        ("Get me a cab from Jaya to Majestic at fife", "undecided"),
        ("Get me a cab from Jaya to Majestic at 9", "hearing"),
    ],
)
def test_a_number_may_be_there_in_words_and_is_lost_only_where_another_is(
    transcript: str, cause: str
) -> None:
    found = blame(RIGHT, side(wrong([5], name="at")), heard(transcript, lang="en"))
    assert found.cause == cause


def test_number_words_are_read_in_the_language_of_the_request() -> None:
    words = Words(("2 गाड़ी दो, जल्दी",), "दो गाडी दो जल्द", lang="hi")
    assert blame(RIGHT, side(wrong([2], name="seats")), words).cause == "planning"


def test_the_same_words_in_the_spoken_form_are_planning() -> None:
    words = Words(("My code is 4582", "My code is four five eight two"), "my code is four five eight two")
    assert blame(RIGHT, side(wrong(["4582"])), words).cause == "planning"


@pytest.mark.parametrize(
    ("transcript", "cause"),
    [
        ("Get me a cab from Jayanagar to Majestic at 5.", "planning"),
        ("Get me a cab from Jayanagar to Majestik at 5", "planning"),
        ("Get me a lap from Jaynagar to magistrate at 5", "undecided"),
        ("Thank you for watching", "hearing"),
        ("", "hearing"),
    ],
)
def test_a_wrong_tool_is_judged_by_the_words_as_a_whole(transcript: str, cause: str) -> None:
    gold = {"name": "cab.book", "arguments": {"when": ["now"]}}
    reasons = (Reason(kind="missing_call", call=0, gold=gold), Reason(kind="extra_call", call=0))
    assert blame(RIGHT, side(*reasons, tools=False), heard(transcript)).cause == cause


def test_a_missing_call_whose_value_was_lost_is_hearing() -> None:
    gold = {"name": "cab.book", "arguments": {"pickup": ["Jayanagar"], "seats": [2, ""]}}
    reason = Reason(kind="missing_call", call=0, gold=gold)
    found = blame(RIGHT, side(reason, tools=False), heard("Get me a cap from Janga to Majestic at 5"))
    assert (found.cause, found.parameter, found.wanted) == ("hearing", "pickup", ("Jayanagar",))


def test_the_values_of_a_missing_call_do_not_show_that_its_tool_was_heard() -> None:
    gold = {"name": "cab.book", "arguments": {"pickup": ["Jayanagar"]}}
    reason = Reason(kind="missing_call", call=0, gold=gold)
    found = blame(RIGHT, side(reason, tools=False), heard("Jayanagar to Majestic at 5"))
    assert found.cause == "undecided"


def test_a_romanised_transcript_is_not_compared_letter_by_letter() -> None:
    found = blame(
        RIGHT, side(wrong(["auto"], name="vehicle")), heard("jaynagar se majestic tak gadi do", "hi")
    )
    assert found.cause == "undecided"


def test_a_refusal_lost_by_ear_is_judged_by_the_words_as_a_whole() -> None:
    right = Side(right=True)
    assert blame(right, side(tools=None), heard("เรียกรถจากสยามไปอโศก", "th")).cause == "planning"
    assert blame(right, side(tools=None), heard("ขอบคุณครับ", "th")).cause == "hearing"


@pytest.mark.parametrize(
    ("from_a_transcript", "cause"), [(True, "hearing"), (False, "undecided"), (None, "undecided")]
)
def test_an_agent_without_a_transcript_is_judged_by_an_asrs(
    from_a_transcript: bool | None, cause: str
) -> None:
    words = heard(None, right_from_a_transcript=from_a_transcript)
    assert blame(RIGHT, side(wrong(["Jayanagar"])), words).cause == cause


def test_its_own_transcript_counts_more_than_an_asrs() -> None:
    words = heard("Jayanagar please", right_from_a_transcript=True)
    assert blame(RIGHT, side(wrong(["Jayanagar"])), words).cause == "planning"


def test_gold_that_was_cut_cannot_be_looked_up() -> None:
    found = blame(RIGHT, side(wrong('["a very long …')), heard("Get me a cab from Majestic at 5"))
    assert found.cause == "undecided"


any_value = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.booleans(),
    st.booleans(),
    st.lists(any_value, max_size=3),
    st.none() | st.text(max_size=30),
    st.text(max_size=30),
)
def test_there_is_one_cause_for_everything(
    read: bool, by_ear: bool, gold: list[Any], transcript: str | None, said: str
) -> None:
    found = blame(
        Side(read, (wrong(gold),), True), Side(by_ear, (wrong(gold),), True), Words((said,), transcript)
    )
    assert found.cause in CAUSES
    assert (found.cause == "none") == (read and by_ear)
    assert (found.cause == "writing") == (not read and not by_ear)


EXAMPLES = next(
    table.rows for table in tables(DOCS / "tables.md") if table.headers[:3] == ("language", "said", "heard")
)


@pytest.mark.parametrize("row", EXAMPLES, ids=lambda row: f"{row['heard']}-{row['failed']}")
def test_the_examples_of_the_page_are_so(row: Mapping[str, str]) -> None:
    words = Words((row["said"],), row["heard"], lang=row["language"])
    reason = wrong(json_of(row["accepted"]), name=row["failed"])
    assert blame(RIGHT, side(reason), words).cause == row["cause"]
