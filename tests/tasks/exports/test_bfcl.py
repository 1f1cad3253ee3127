"""Tasks in BFCL's shape: its files, its types, and back again with the same gold."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.tasks.doors.helpers import assert_oracle_is_right, opened
from tests.tasks.exports.tasks import (
    ALL,
    DAY,
    DIALOGUE,
    HARMFUL,
    MULTIPLE,
    NONE,
    PARALLEL,
    SEQUENTIAL,
    SINGLE,
    call,
    task,
)  # fmt: skip
from voicebench.errors import UserError
from voicebench.scoring.schema import compiled_parameters
from voicebench.tasks.exports.bfcl import export_bfcl
from voicebench.tasks.read import read_tasks
from voicebench.types import Expect, GoldCall, Task, Tool


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _granted(gold: GoldCall, tool: Tool) -> dict[str, tuple[list[Any], bool]]:
    """Return for each parameter what may be given, and whether it may be left out: what a gold call means."""
    known = compiled_parameters(tool)
    found: dict[str, tuple[list[Any], bool]] = {}
    for name, default in known.defaults.items():
        if name not in gold.arguments:
            found[name] = ([default], True)
    for name, accepted in gold.arguments.items():
        values = [value for value in accepted if value != ""]
        optional = name not in known.required
        found[name] = (values, "" in accepted or (optional and known.defaults.get(name, "") in values))
    return found


def _meaning(one: Task) -> list[dict[str, tuple[list[Any], bool]]]:
    tools: Mapping[str, Tool] = {tool.name: tool for tool in one.tools}
    return [_granted(gold, tools[gold.name]) for gold in one.expect.calls or ()]


def test_each_form_has_its_category_and_its_answers(tmp_path: Path) -> None:
    written = export_bfcl(ALL, tmp_path)
    assert [path.relative_to(tmp_path).as_posix() for path in written.files] == [
        "BFCL_v3_simple.json", "possible_answer/BFCL_v3_simple.json",
        "BFCL_v3_multiple.json", "possible_answer/BFCL_v3_multiple.json",
        "BFCL_v3_parallel.json", "possible_answer/BFCL_v3_parallel.json",
        "BFCL_v3_irrelevance.json",
    ]  # fmt: skip
    assert written.count == 4


def test_what_does_not_fit_is_listed_with_its_reason(tmp_path: Path) -> None:
    assert {one.task_id: one.reason for one in export_bfcl(ALL, tmp_path).left_out} == {
        "talk": "it has several turns, which BFCL judges by the state after them",
        "steps": "the order of its calls counts, which BFCL does not look at",
        "bad": "BFCL has no refusals",
        "good": "BFCL has no refusals",
        "early": "a right value is a day, and BFCL says no day of reference",
        "union": "a tool's schema has alternatives, which BFCL's types cannot say",
    }


def test_a_question_is_as_theirs_with_their_types(tmp_path: Path) -> None:
    export_bfcl([SINGLE], tmp_path)
    (question,) = _lines(tmp_path / "BFCL_v3_simple.json")
    (function,) = question.pop("function")
    assert question == {
        "id": "simple_0",
        "question": [[{"role": "user", "content": "रोटी सेंक दो।"}]],
        "source_id": "bread-hi",
        "lang": "hi",
    }
    assert function["parameters"] == {
        "type": "dict",
        "properties": {
            "what": {"type": "string"},
            "minutes": {"type": "integer", "default": 40},
            "heat": {"type": "float"},
            "tray": {
                "type": "dict",
                "properties": {"rack": {"type": "integer"}, "lined": {"type": "boolean"}},
            },
            "toppings": {"type": "array", "items": {"type": "string"}},
            "note": {"type": "any"},
        },
        "required": ["what"],
    }


def test_an_answer_has_lists_in_objects_and_says_what_a_default_grants(tmp_path: Path) -> None:
    export_bfcl([SINGLE], tmp_path)
    (answer,) = _lines(tmp_path / "possible_answer/BFCL_v3_simple.json")
    assert answer == {
        "id": "simple_0",
        "ground_truth": [
            {
                "oven.bake": {
                    "what": ["रोटी", "roti"],
                    "minutes": [40, ""],
                    "heat": [180.5, ""],
                    "tray": [{"rack": [2], "lined": [True]}],
                    "toppings": [["till", "nimbu"]],
                    "note": ["x"],
                }
            }
        ],
    }


def test_letters_are_not_escaped(tmp_path: Path) -> None:
    export_bfcl([SINGLE], tmp_path)
    assert "रोटी" in (tmp_path / "possible_answer/BFCL_v3_simple.json").read_text(encoding="utf-8")


def test_gold_comes_back_with_the_same_meaning(tmp_path: Path) -> None:
    fitting = [SINGLE, MULTIPLE, PARALLEL, NONE]
    export_bfcl(fitting, tmp_path)
    back = opened("bfcl", tmp_path)
    assert_oracle_is_right(back)
    by_id = {row.id: row for row in back.rows}
    for own, one in zip(("simple_0", "multiple_0", "parallel_0", "irrelevance_0"), fitting, strict=True):
        row = by_id[f"bfcl-{own}"]
        read = Task(**{name: getattr(row, name) for name in type(row).model_fields})
        assert (_meaning(read), read.turns, read.lang) == (_meaning(one), one.turns, one.lang)


@pytest.mark.parametrize("lang", ["en", "hi"])
def test_every_shipped_task_that_fits_comes_back_with_the_same_meaning(tmp_path: Path, lang: str) -> None:
    tasks = read_tasks(langs=[lang])
    written = export_bfcl(tasks, tmp_path)
    assert written.count > 20
    sources = {
        f"bfcl-{line['id']}": line["source_id"]
        for path in tmp_path.glob("BFCL_v3_*.json")
        for line in _lines(path)
    }
    ours = {one.id: one for one in tasks}
    rows = opened("bfcl", tmp_path).rows
    assert len(rows) == written.count
    for row in rows:
        read = Task(**{name: getattr(row, name) for name in type(row).model_fields})
        assert _meaning(read) == _meaning(ours[sources[row.id]]), sources[row.id]


def test_an_empty_text_inside_an_object_cannot_be_said(tmp_path: Path) -> None:
    (tool,) = SINGLE.tools
    odd = task("odd", Expect(calls=(call("oven.bake", what=["x"], tray=[{"rack": ""}]),)), tool)
    (left,) = export_bfcl([odd, MULTIPLE], tmp_path).left_out
    assert left.reason == "an object has an empty text in it, which means left out in BFCL"


def test_where_nothing_fits_the_reasons_are_told(tmp_path: Path) -> None:
    with pytest.raises(
        UserError, match=r"no task fits BFCL's shape: BFCL has no refusals; a right value is a day"
    ):
        export_bfcl([HARMFUL, DAY], tmp_path)


def test_reasons_are_counted_with_an_example(tmp_path: Path) -> None:
    written = export_bfcl([MULTIPLE, DIALOGUE, HARMFUL, SEQUENTIAL, HARMFUL], tmp_path)
    assert written.by_reason()[0] == ("BFCL has no refusals", 2, "bad")


def test_one_call_in_sequence_has_no_order_to_lose(tmp_path: Path) -> None:
    one = task("one", Expect(calls=(call("pot.stir", pot=["red"]),), order="sequence"), *PARALLEL.tools)
    assert export_bfcl([one], tmp_path).count == 1
