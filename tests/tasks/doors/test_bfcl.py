"""The door to BFCL: its categories, its types, and `""` as "may be left out"."""

import json
import shutil
from pathlib import Path

import pytest

from tests.tasks.doors.helpers import FIXTURES, assert_oracle_is_right, opened, reasons, row
from voicebench.errors import UserError
from voicebench.tasks.doors.bfcl import REFUSED
from voicebench.types import GoldCall

BFCL = FIXTURES / "bfcl"


def test_every_right_answer_is_right() -> None:
    assert_oracle_is_right(opened("bfcl", BFCL))


def test_kinds_follow_from_the_form_of_an_item() -> None:
    found = opened("bfcl", BFCL)
    assert {task.id: task.task for task in found.rows} == {
        "bfcl-simple_0": "single",
        "bfcl-simple_python_0": "single",
        "bfcl-simple_python_1": "single",
        "bfcl-simple_python_2": "single",
        "bfcl-multiple_0": "single",
        "bfcl-parallel_0": "parallel",
        "bfcl-live_multiple_0-0-0": "retrieval",
        "bfcl-live_multiple_2-1-0": "dialogue",
        "bfcl-live_multiple_3-2-0": "retrieval",
        "bfcl-irrelevance_0": "single",
    }


def test_types_become_json_schema_and_a_parameter_may_be_called_type() -> None:
    (tool,) = row(opened("bfcl", BFCL), "bfcl-simple_python_0").tools
    assert not isinstance(tool, str)
    assert tool.parameters == {
        "type": "object",
        "required": ["count", "type"],
        "properties": {
            "count": {"type": "integer", "description": "How many."},
            "tail_m": {"type": "number", "description": "Length of the tail in metres.", "default": 1.5},
            "type": {"type": "string", "description": "Shape of the kite.", "enum": ["diamond", "delta"]},
            "colours": {"type": "array", "items": {"type": "string"}, "description": "One or more."},
            "gift": {"type": "boolean", "description": "Wrap it.", "default": False},
        },
    }


def test_variants_inside_an_object_are_multiplied_out() -> None:
    task = row(opened("bfcl", BFCL), "bfcl-simple_python_1")
    assert task.expect.calls == (
        GoldCall(
            name="pond.measure",
            arguments={
                "place": [
                    {"village": "Hampi", "state": "Karnataka"},
                    {"village": "Hampi", "state": "KA"},
                    {"village": "Hampi"},
                    {"village": "Hampe", "state": "Karnataka"},
                    {"village": "Hampe", "state": "KA"},
                    {"village": "Hampe"},
                ],
                "corner": [[15.3, 76.4]],
            },
        ),
    )


def test_a_required_parameter_cannot_be_left_out_whatever_the_answer_says() -> None:
    (call,) = row(opened("bfcl", BFCL), "bfcl-simple_python_2").expect.calls or ()
    assert call.arguments == {"count": [2], "type": ["delta"]}


def test_an_optional_parameter_keeps_its_leave_to_be_left_out() -> None:
    (call,) = row(opened("bfcl", BFCL), "bfcl-simple_python_0").expect.calls or ()
    assert call.arguments["gift"] == [False, ""]


def test_where_no_tool_fits_no_call_is_right() -> None:
    assert row(opened("bfcl", BFCL), "bfcl-irrelevance_0").expect.calls == ()


def test_what_cannot_be_a_task_is_left_out_with_its_reason() -> None:
    assert reasons(opened("bfcl", BFCL)) == {
        "simple_python_3": "its right calls are missing (possible_answer/)",
        "live_multiple_1-0-1": "a system message belongs to it, and nobody says that aloud",
        "live_relevance_0-0-0": f"live_relevance: {REFUSED['live_relevance']}",
        "simple_java_0": f"simple_java: {REFUSED['java']}",
        "multi_turn_base_0": f"multi_turn_base: {REFUSED['multi_turn_base']}",
    }


def test_a_dialogue_in_one_item_keeps_who_says_what() -> None:
    task = row(opened("bfcl", BFCL), "bfcl-live_multiple_2-1-0")
    assert [turn.role for turn in task.turns] == ["user", "assistant", "user"]


def test_the_script_says_the_language_where_it_is_not_latin() -> None:
    found = opened("bfcl", BFCL, langs=("zh",))
    assert [task.id for task in found.rows] == ["bfcl-live_multiple_3-2-0"]


def test_a_question_may_be_a_string_and_the_tool_no_list() -> None:
    task = row(opened("bfcl", BFCL), "bfcl-simple_0")
    assert (task.turns[0].text, task.meta["category"]) == ("Hall lamp to 5.", "simple")


def test_one_file_is_read_with_the_answers_beside_it() -> None:
    assert [task.id for task in opened("bfcl", BFCL / "BFCL_v4_parallel.json").rows] == ["bfcl-parallel_0"]


def test_meta_says_whose_it_is_and_under_which_licence() -> None:
    assert row(opened("bfcl", BFCL), "bfcl-parallel_0").meta == {
        "source": "bfcl", "licence": "Apache-2.0", "review": "source", "id": "parallel_0",
        "category": "parallel",
    }  # fmt: skip


def test_a_category_that_is_not_there_is_a_mistake() -> None:
    with pytest.raises(UserError, match=r"'paralel' is unknown\. Did you mean 'parallel'"):
        opened("bfcl", BFCL, categories=("paralel",))


def test_a_folder_without_its_files_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="holds no BFCL_v3_<category>"):
        opened("bfcl", tmp_path)


def test_a_line_cut_short_is_named(tmp_path: Path) -> None:
    shutil.copytree(BFCL, tmp_path / "b")
    path = tmp_path / "b" / "BFCL_v4_parallel.json"
    path.write_text(path.read_text(encoding="utf-8") + '{"id": "par', encoding="utf-8")
    with pytest.raises(UserError, match=r"BFCL_v4_parallel\.json:2: neither one JSON array nor JSON Lines"):
        opened("bfcl", tmp_path / "b", categories=("parallel",))


def test_an_id_that_stands_twice_is_taken_once(tmp_path: Path) -> None:
    path = tmp_path / "BFCL_v4_irrelevance.json"
    item = {"id": "irrelevance_0", "question": "Why?", "function": [{"name": "f"}]}
    path.write_text(2 * (json.dumps(item) + "\n"), encoding="utf-8")
    found = opened("bfcl", path)
    assert len(found.rows) == 1
    assert [skip.reason for skip in found.skipped] == ["its id stands twice in the source"]
