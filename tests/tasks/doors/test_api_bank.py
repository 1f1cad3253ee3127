"""The door to API-Bank: quoted integers, residue of calls, and calls that are no Python."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tasks.doors.helpers import FIXTURES, assert_oracle_is_right, opened, row
from voicebench.tasks.doors import NoTask
from voicebench.tasks.doors.api_bank import read_call, reference_date
from voicebench.tasks.doors.python_types import read_tool
from voicebench.types import Tool

API_BANK = FIXTURES / "api-bank"


def _tool(**types: str) -> Tool:
    return read_tool(
        {"name": "F", "input_parameters": {name: {"type": kind} for name, kind in types.items()}}
    )


def test_every_right_answer_is_right() -> None:
    assert_oracle_is_right(opened("api-bank", API_BANK))


def test_a_quoted_integer_becomes_one_where_the_tool_takes_one() -> None:
    (call,) = row(opened("api-bank", API_BANK), "api-bank-HoldRoom-level-1-1-4").expect.calls or ()
    assert call.arguments == {"hotel": ["Sea View"], "room_count": [3], "from_day": ["2023-03-09"]}


def test_what_the_assistant_says_after_the_user_is_dropped() -> None:
    task = row(opened("api-bank", API_BANK), "api-bank-HoldRoom-level-1-1-4")
    assert (task.task, [turn.text for turn in task.turns]) == (
        "dialogue", ["I need rooms at Sea View.", "How many, and from when?", "Three, from March 9th."],
    )  # fmt: skip


def test_earlier_calls_are_cut_out_and_the_assistant_goes_on() -> None:
    task = row(opened("api-bank", API_BANK), "api-bank-LogReadings-level-1-1-0")
    assert [turn.text for turn in task.turns] == [
        "Hold two rooms at Sea View from March 9th.", "Done soon. They are held.",
        "Log my pulse, 70. Ravi and Mei were there.",
    ]  # fmt: skip


def test_quotes_inside_quotes_of_the_same_kind_are_read() -> None:
    (call,) = row(opened("api-bank", API_BANK), "api-bank-LogReadings-level-1-1-0").expect.calls or ()
    assert call.arguments == {
        "readings": [[{"name": "pulse", "value": "70"}]],
        "people": [["Ravi", "Mei"]],
    }


def test_pythons_types_become_json_schema() -> None:
    task = row(opened("api-bank", API_BANK), "api-bank-LogReadings-level-1-1-0")
    tool = task.tools[0]
    assert not isinstance(tool, str)
    assert tool.parameters["properties"]["people"] == {
        "type": "array",
        "items": {"type": "string"},
        "description": "Who was there.",
    }


def test_one_turn_is_no_dialogue() -> None:
    assert row(opened("api-bank", API_BANK), "api-bank-TellDate-level-1-1-0").task == "single"


def test_what_only_a_cut_result_says_nobody_can_know() -> None:
    found = opened("api-bank", API_BANK)
    assert {skip.reason for skip in found.skipped} == {
        "a right value stands only in the result of an earlier call",
        "a right value does not fit the type of its parameter",
    }


def test_the_year_of_the_instruction_is_the_reference() -> None:
    assert row(opened("api-bank", API_BANK), "api-bank-TellDate-level-1-1-0").reference_date == "2023-01-01"
    assert reference_date("Nothing about today.") is None


@pytest.mark.parametrize(
    ("kind", "written", "meant"),
    [
        ("int", "3", 3),
        ("float", "3", 3),
        ("float", "2.5", 2.5),
        ("str", "3", "3"),
        ("str", "it's two o\\'clock", "it's two o'clock"),
        ("bool", "True", True),
        ("list(str)", "['a', 'b']", ["a", "b"]),
        ("list", "Ravi, Mei", ["Ravi", "Mei"]),
        ("dict", '{"a": 1}', {"a": 1}),
        ("str", "तीन कमरे", "तीन कमरे"),
        ("str", "", ""),
    ],
)
def test_a_value_is_what_its_type_says(kind: str, written: str, meant: object) -> None:
    call = read_call(f"API-Request: [F(x='{written}')]", [_tool(x=kind)])
    assert call.arguments == {"x": [meant]}


@pytest.mark.parametrize(
    "text",
    ["", "F(x='1')", "API-Request: [F(y='1')]", "API-Request: [F(x=1)]", "API-Request: [F(x='1)]"],
)
def test_what_is_no_call_of_theirs_is_refused(text: str) -> None:
    with pytest.raises(NoTask, match="its right call cannot be read"):
        read_call(text, [_tool(x="str")])


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\\="), max_size=40))
def test_any_words_come_back_as_they_are_written(words: str) -> None:
    call = read_call(f"API-Request: [F(x='{words}', y='end')]", [_tool(x="str", y="str")])
    assert call.arguments == {"x": [words], "y": ["end"]}
