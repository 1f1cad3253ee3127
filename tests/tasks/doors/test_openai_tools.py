"""The door for anybody's own: tools in OpenAI's form, and lines of words or chats with calls."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.tasks.doors.helpers import FIXTURES, assert_oracle_is_right, opened, row
from voicebench.errors import UserError
from voicebench.types import GoldCall, Tool

OWN = FIXTURES / "openai"


def _one(tmp_path: Path, line: dict[str, Any], **wanted: tuple[str, ...]) -> Any:
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps({"tools": [{"name": "wave"}], **line}) + "\n", encoding="utf-8")
    return opened("openai", path, **wanted)


def test_every_right_answer_is_right() -> None:
    assert_oracle_is_right(opened("openai", OWN))


def test_kinds_follow_from_the_form_of_a_line() -> None:
    assert {task.id: task.task for task in opened("openai", OWN).rows} == {
        "openai-plain": "single", "openai-escapes": "single", "openai-twice": "single",
        "openai-tuned": "parallel", "openai-steps": "sequential", "openai-talk-1": "single",
        "openai-talk-2": "dialogue", "openai-unsaid-1": "single", "openai-none": "single",
        "openai-older": "single", "openai-variants": "single", "openai-parts": "single",
        "openai-boats-17": "single", "openai-roman": "single",
    }  # fmt: skip


def test_what_cannot_be_a_task_says_why() -> None:
    assert {skip.where.split()[1]: skip.reason for skip in opened("openai", OWN).skipped} == {
        "unsaid-2": "a right value stands only in the result of an earlier call",
        "heard": "a message of the user has no words",
        "silent": "it does not say which calls are right",
        "broken": "the arguments of a right call are no JSON object",
        "stranger": "a right call names a tool that is not offered",
        "plain": "its id stands twice in the source",
    }


def test_escapes_inside_json_text_become_letters() -> None:
    task = row(opened("openai", OWN), "openai-escapes")
    (call,) = task.expect.calls or ()
    assert (call.arguments["pier"], task.lang) == (["मीरामार"], "hi")


def test_null_at_a_parameter_that_may_be_null_may_also_be_left_out() -> None:
    (call,) = row(opened("openai", OWN), "openai-escapes").expect.calls or ()
    assert call.arguments["seats"] == [None, ""]


def test_arguments_that_were_written_as_json_twice_are_read() -> None:
    (call,) = row(opened("openai", OWN), "openai-twice").expect.calls or ()
    assert call.arguments == {"pier": ["Dona Paula"]}


def test_calls_in_one_message_are_parallel_and_keep_their_own_results() -> None:
    task = row(opened("openai", OWN), "openai-tuned")
    assert (task.expect.order, task.expect.results) == ("any", ("none", {"boats": []}))
    assert [tool.name for tool in task.tools if isinstance(tool, Tool)] == ["find_boat"]


def test_a_system_message_is_not_said_but_may_tell_the_day() -> None:
    task = row(opened("openai", OWN), "openai-tuned")
    assert [turn.role for turn in task.turns] == ["user"]
    assert task.reference_date == "2026-03-02"


def test_calls_with_results_between_are_sequential_and_point_at_them() -> None:
    expect = row(opened("openai", OWN), "openai-steps").expect
    assert expect.order == "sequence"
    assert expect.calls == (
        GoldCall(name="find_boat", arguments={"pier": ["Miramar"]}),
        GoldCall(name="rent_boat", arguments={"boat_id": [{"$ref": "0.boats.0.boat_id"}], "hours": [3]}),
    )
    assert expect.results == ({"boats": [{"boat_id": "GB-12"}]}, "ok")


def test_each_turn_that_calls_follow_is_a_task() -> None:
    found = opened("openai", OWN)
    assert len(row(found, "openai-talk-1").turns) == 1
    assert [turn.text for turn in row(found, "openai-talk-2").turns] == [
        "A boat at Miramar?", "There is one, the Gull.", "And one at Panjim?",
    ]  # fmt: skip


def test_an_answer_without_a_call_means_that_none_is_right() -> None:
    assert row(opened("openai", OWN), "openai-none").expect.calls == ()


def test_accepted_variants_are_kept() -> None:
    (call,) = row(opened("openai", OWN), "openai-variants").expect.calls or ()
    assert call.arguments == {"pier": ["Old Goa", "Velha Goa"], "seats": [2, ""]}


def test_the_language_is_the_lines_or_the_files() -> None:
    found = opened("openai", OWN)
    assert row(found, "openai-boats-17").lang == "te"
    assert row(found, "openai-roman").lang == "hi"


def test_one_language_that_is_asked_for_is_that_of_latin_letters(tmp_path: Path) -> None:
    found = _one(tmp_path, {"text": "haath hilao", "expected": [{"name": "wave"}]}, langs=("hi",))
    assert [task.lang for task in found.rows] == ["hi"]


def test_a_line_of_another_language_is_left_out(tmp_path: Path) -> None:
    found = _one(tmp_path, {"text": "കൈ വീശൂ", "expected": [{"name": "wave"}]}, langs=("hi",))
    assert [skip.reason for skip in found.skipped] == ["it is in another language than asked for"]


def test_no_licence_is_guessed(tmp_path: Path) -> None:
    found = _one(tmp_path, {"text": "Wave.", "expected": [{"name": "wave"}]})
    assert found.rows[0].meta["licence"] == "unknown"
    found = _one(tmp_path, {"text": "Wave.", "expected": [{"name": "wave"}], "licence": "CC0-1.0"})
    assert found.rows[0].meta["licence"] == "CC0-1.0"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ({"tools": [], "text": "x", "expected": []}, "it offers no tools, and there is no tools.json"),
        ({"tools": ["nod"], "text": "x", "expected": []}, "it offers a tool that is not known"),
        ({"tools": "[", "text": "x", "expected": []}, "its tools are not JSON"),
        ({"messages": "[", "expected": []}, "its messages are not JSON"),
        ({"messages": [3], "expected": []}, "its messages are in a form that is not known"),
        (
            {"messages": [{"role": "user", "content": "x"}, {"role": "ghost"}]},
            "its messages are in a form that is not known",
        ),
        ({"expected": []}, "the user says nothing"),
        ({"text": "x", "expected": "["}, "its right calls are not JSON"),
        ({"text": "x", "expected": [3]}, "its right calls are in a form that is not known"),
        (
            {"text": "x", "expected": [{"name": "wave", "arguments": {"hand": "left"}}]},
            "a right call has a parameter that its tool does not know",
        ),
    ],
)  # fmt: skip
def test_a_line_that_does_not_fit_says_why(tmp_path: Path, line: dict[str, Any], reason: str) -> None:
    assert [skip.reason for skip in _one(tmp_path, line).skipped] == [reason]


def test_the_tools_file_may_hold_an_object_around_them(tmp_path: Path) -> None:
    (tmp_path / "tools.json").write_text('{"tools": [{"name": "wave"}]}', encoding="utf-8")
    (tmp_path / "a.jsonl").write_text('{"text": "Wave.", "calls": [{"name": "wave"}]}\n', encoding="utf-8")
    assert len(opened("openai", tmp_path).rows) == 1


def test_a_broken_tools_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "tools.json").write_text('[{"description": "?"}]', encoding="utf-8")
    (tmp_path / "a.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"tools\.json: a tool has no name"):
        opened("openai", tmp_path)


def test_a_folder_without_lines_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"holds no \*\.jsonl"):
        opened("openai", tmp_path)


def test_there_are_no_categories() -> None:
    with pytest.raises(UserError, match="--category 'x' is unknown"):
        opened("openai", OWN, categories=("x",))


def test_a_result_of_which_it_is_not_clear_whose_it_is_is_not_kept(tmp_path: Path) -> None:
    wave = {"type": "function", "function": {"name": "wave", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "Wave twice."},
        {"role": "assistant", "tool_calls": [{"id": "a", **wave}, {"id": "a", **wave}]},
        {"role": "tool", "tool_call_id": "a", "content": "waved"},
    ]
    (task,) = _one(tmp_path, {"messages": messages}).rows
    assert (len(task.expect.calls), task.expect.order, task.expect.results) == (2, "any", None)
