"""Tasks as chats in OpenAI's form, and back again."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.tasks.doors.helpers import assert_oracle_is_right, opened, row
from tests.tasks.exports.tasks import ALL, DIALOGUE, HARMFUL, PARALLEL, SEQUENTIAL, SINGLE, call, task
from voicebench.errors import UserError
from voicebench.tasks.exports.openai import export_openai
from voicebench.types import Expect


def _lines(path: Path) -> dict[str, dict[str, Any]]:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {line["id"]: line for line in lines}


def test_there_is_a_file_a_language_and_the_tools_once(tmp_path: Path) -> None:
    written = export_openai(ALL, tmp_path)
    assert [path.name for path in written.files] == ["tools.json", "en.jsonl", "hi.jsonl"]
    tools = json.loads((tmp_path / "tools.json").read_text(encoding="utf-8"))
    assert [tool["type"] for tool in tools] == ["function"] * 4
    assert [tool["function"]["name"] for tool in tools] == ["alarm_set", "either", "oven_bake", "pot_stir"]


def test_the_right_calls_are_the_last_message_with_arguments_as_text(tmp_path: Path) -> None:
    export_openai([SINGLE], tmp_path)
    line = _lines(tmp_path / "hi.jsonl")["bread-hi"]
    assert line["messages"][0] == {"role": "user", "content": "रोटी सेंक दो।"}
    (made,) = line["messages"][1]["tool_calls"]
    assert line["messages"][1]["content"] is None
    assert json.loads(made["function"].pop("arguments")) == {
        "what": "रोटी", "minutes": 40, "heat": 180.5, "tray": {"rack": 2, "lined": True},
        "toppings": ["till", "nimbu"], "note": "x",
    }  # fmt: skip
    assert made == {"id": "call_0", "type": "function", "function": {"name": "oven_bake"}}
    assert (line["lang"], line["reference_date"]) == ("hi", "2026-11-30")


def test_letters_are_not_escaped_even_inside_text(tmp_path: Path) -> None:
    export_openai([SINGLE], tmp_path)
    assert '{\\"what\\": \\"रोटी\\"' in (tmp_path / "hi.jsonl").read_text(encoding="utf-8")


def test_dependent_calls_come_one_by_one_with_results_for_markers(tmp_path: Path) -> None:
    export_openai([SEQUENTIAL], tmp_path)
    line = _lines(tmp_path / "en.jsonl")["steps"]
    assert [message["role"] for message in line["messages"]] == ["user", "assistant", "tool", "assistant"]
    assert json.loads(line["messages"][2]["content"]) == {"dish": {"name": "khichdi"}}
    (last,) = line["messages"][3]["tool_calls"]
    assert json.loads(last["function"]["arguments"]) == {"what": "khichdi", "minutes": 5}
    assert line["parallel_tool_calls"] is False


def test_calls_at_once_are_in_one_message(tmp_path: Path) -> None:
    export_openai([PARALLEL], tmp_path)
    line = _lines(tmp_path / "en.jsonl")["pots"]
    assert [made["id"] for made in line["messages"][-1]["tool_calls"]] == ["call_0", "call_1"]
    assert line["parallel_tool_calls"] is True


def test_where_nothing_is_to_be_called_there_is_nothing_to_write(tmp_path: Path) -> None:
    written = export_openai(ALL, tmp_path)
    assert {one.task_id: one.reason for one in written.left_out} == dict.fromkeys(
        ("idle", "bad"), "nothing is to be called, and no words of an answer are known"
    )


def test_a_marker_without_results_cannot_be_said(tmp_path: Path) -> None:
    calls = SEQUENTIAL.expect.calls
    unknown = task("unknown", Expect(calls=calls, order="sequence"), *SEQUENTIAL.tools)
    astray = task("astray", Expect(calls=calls, order="sequence", results=({}, {})), *SEQUENTIAL.tools)
    written = export_openai([unknown, astray, PARALLEL], tmp_path)
    assert {one.task_id: one.reason for one in written.left_out} == {
        "unknown": "a value comes from an earlier call, whose result is not known",
        "astray": "a marker leads to nothing in the results",
    }


def test_the_door_reads_it_back(tmp_path: Path) -> None:
    export_openai([SINGLE, PARALLEL, DIALOGUE, SEQUENTIAL], tmp_path)
    back = opened("openai", tmp_path)
    assert back.skipped == ()
    assert_oracle_is_right(back)
    steps = row(back, "openai-steps")
    assert (steps.task, steps.expect.order) == ("sequential", "sequence")
    # A chat that ends with its calls does not hold what the last one returns.
    assert steps.expect.results == ({"dish": {"name": "khichdi"}}, None)
    assert [gold.arguments for gold in steps.expect.calls or ()] == [
        {"pot": ["red"]},
        {"what": [{"$ref": "0.dish.name"}], "minutes": [5]},
    ]
    assert (row(back, "openai-talk").task, len(row(back, "openai-talk").turns)) == ("dialogue", 3)
    assert row(back, "openai-bread-hi").lang == "hi"


def test_where_nothing_fits_the_reason_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no task fits a chat with calls: nothing is to be called"):
        export_openai([HARMFUL], tmp_path)


def test_a_parameter_that_may_be_left_out_is_given_where_it_has_a_value(tmp_path: Path) -> None:
    export_openai(
        [task("maybe", Expect(calls=(call("pot.stir", pot=["red", ""]),)), *PARALLEL.tools)], tmp_path
    )
    (made,) = _lines(tmp_path / "en.jsonl")["maybe"]["messages"][-1]["tool_calls"]
    assert json.loads(made["function"]["arguments"]) == {"pot": "red"}
