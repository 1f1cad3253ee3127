"""The shipped tasks and tools: sound, counted, in the right script, and alike in both languages."""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from voicebench.files import read_rows, to_line
from voicebench.scoring.score import score
from voicebench.tasks.check import check
from voicebench.shipped import data_folder
from voicebench.tasks.read import read_tasks, read_tools, task_files
from voicebench.types import TASK_KINDS, Response, Task, TaskRow, Tool, ToolCall

STANDARD_TYPES = {"string", "number", "integer", "boolean", "array", "object"}
FILES = task_files(None)
TASKS = read_tasks()
BY_ID = {task.id: task for task in TASKS}
LOCALISED = [task for task in TASKS if task.origin]
DEMO = [task for task in TASKS if task.id.endswith(("-0001", "-0002"))]


def name(value: object) -> str:
    return value.id if isinstance(value, Task) else getattr(value, "name", str(value))


def letters(task: Task, script: str) -> int:
    text = "".join(turn.text for turn in task.turns)
    return sum(char.isalpha() and unicodedata.name(char).startswith(script) for char in text)


def test_the_shipped_tasks_have_no_problem() -> None:
    assert check() == []


def test_there_are_21_tools() -> None:
    assert Counter(tool.split(".")[0] for tool in read_tools()) == {"cab": 6, "food": 10, "payment": 5}


@pytest.mark.parametrize("tool", read_tools().values(), ids=name)
def test_a_tool_is_a_described_standard_schema(tool: Tool) -> None:
    def walk(schema: dict[str, object]) -> None:
        assert schema["type"] in STANDARD_TYPES
        properties = schema.get("properties", {})
        assert isinstance(properties, dict)
        required = schema.get("required", [])
        assert isinstance(required, list)
        assert set(required) <= set(properties)
        for inner in properties.values():
            walk(inner)
        if "items" in schema:
            assert isinstance(schema["items"], dict)
            walk(schema["items"])

    walk(tool.parameters)
    assert tool.description.endswith(".")
    assert all(schema["description"] for schema in tool.parameters["properties"].values())
    assert len(tool.description.split()) <= 30


@pytest.mark.parametrize("tool", read_tools().values(), ids=name)
def test_only_an_optional_parameter_has_a_default(tool: Tool) -> None:
    required = tool.parameters["required"]
    assert not [key for key in required if "default" in tool.parameters["properties"][key]]


def test_every_tool_is_asked_for() -> None:
    asked = {call.name for task in TASKS for call in task.expect.calls or ()}
    assert asked == set(read_tools())


@pytest.mark.parametrize("lang", ["en", "hi"])
def test_each_kind_has_its_number_of_tasks(lang: str) -> None:
    wanted = {"single": 10, "retrieval": 10, "parallel": 8, "sequential": 8, "dialogue": 8, "safety": 12}
    assert Counter(task.task for task in TASKS if task.lang == lang) == wanted
    assert list(wanted) == list(TASK_KINDS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_reads_and_writes_back_to_the_same_bytes(path: Path) -> None:
    rows = read_rows(path, TaskRow)
    assert "".join(to_line(row) + "\n" for row in rows).encode() == path.read_bytes()


@pytest.mark.parametrize(
    "path", [*FILES, *sorted((data_folder() / "tools").glob("*.json"))], ids=lambda p: p.name
)
def test_letters_are_written_as_they_are_and_composed(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "\\u" not in text
    assert unicodedata.is_normalized("NFC", text)


@pytest.mark.parametrize("task", TASKS, ids=name)
def test_an_id_says_kind_and_language(task: Task) -> None:
    assert task.id.rsplit("-", 1)[0] == f"{task.task}-{task.lang}"


@pytest.mark.parametrize("task", TASKS, ids=name)
def test_every_task_says_where_it_comes_from(task: Task) -> None:
    assert set(task.meta) == {"source", "licence", "review", "region", "hint", "code_mixed", "steps"}
    assert (task.meta["source"], task.meta["licence"]) == ("voicebench", "CC-BY-4.0")
    assert task.meta["steps"] == len(task.expect.calls or ())


@pytest.mark.parametrize("task", [t for t in TASKS if t.lang == "en"], ids=name)
def test_english_is_written_in_latin_letters_alone(task: Task) -> None:
    assert letters(task, "DEVANAGARI") == 0
    assert task.meta["code_mixed"] is False


@pytest.mark.parametrize("task", [t for t in TASKS if t.lang == "hi"], ids=name)
def test_hindi_holds_latin_letters_only_where_it_is_code_mixed(task: Task) -> None:
    assert letters(task, "DEVANAGARI") > 0
    assert (letters(task, "LATIN") > 0) is task.meta["code_mixed"]


def test_every_hindi_task_localises_its_own_english_one() -> None:
    assert {task.origin for task in LOCALISED} == {task.id for task in TASKS if task.lang == "en"}
    assert all(task.origin == task.id.replace("-hi-", "-en-") for task in LOCALISED)


@pytest.mark.parametrize("task", LOCALISED, ids=name)
def test_a_localised_task_has_the_structure_of_its_origin(task: Task) -> None:
    origin = BY_ID[str(task.origin)]
    assert task.tools == origin.tools
    assert [turn.role for turn in task.turns] == [turn.role for turn in origin.turns]
    assert [(c.name, set(c.arguments)) for c in task.expect.calls or ()] == [
        (c.name, set(c.arguments)) for c in origin.expect.calls or ()
    ]
    assert (task.expect.order, task.expect.refuse) == (origin.expect.order, origin.expect.refuse)
    assert [set(result) for result in task.expect.results or ()] == [
        set(result) for result in origin.expect.results or ()
    ]
    assert task.reference_date == origin.reference_date
    assert task.meta["hint"] == origin.meta["hint"]
    assert (task.twin or "").replace("-hi-", "-en-") == (origin.twin or "")


def answers(task: Task, wrong: object = None) -> Iterator[Response]:
    """Yield answers that take every accepted value once, or (with `wrong`) are wrong in one argument each."""
    calls = task.expect.calls or ()
    first = [{key: accepted[0] for key, accepted in call.arguments.items()} for call in calls]
    for index, call in enumerate(calls):
        for parameter, accepted in call.arguments.items():
            for value in accepted if wrong is None else [wrong]:
                chosen = [dict(arguments) for arguments in first]
                chosen[index][parameter] = value
                if value == "":
                    del chosen[index][parameter]
                made = tuple(ToolCall(name=c.name, arguments=a) for c, a in zip(calls, chosen, strict=True))
                yield Response(task_id=task.id, agent="test", condition="text", trial=0, calls=made)


@pytest.mark.parametrize("task", [t for t in TASKS if t.expect.calls], ids=name)
def test_every_accepted_value_scores_as_right_and_another_does_not(task: Task) -> None:
    right = [score(task, answer) for answer in answers(task)]
    assert {(scores.parameters, scores.call_structure) for scores in right} <= {(1, 1)}
    assert {score(task, answer).parameters for answer in answers(task, wrong="गलत")} <= {0}


@pytest.mark.parametrize("task", TASKS, ids=name)
def test_no_accepted_value_stands_twice(task: Task) -> None:
    # What differs in script or spelling alone is written out all the same: other scorers read these files.
    for call in task.expect.calls or ():
        for accepted in call.arguments.values():
            written = [unicodedata.normalize("NFC", json.dumps(value)).casefold() for value in accepted]
            assert len(set(written)) == len(written)


@pytest.mark.parametrize("task", [t for t in TASKS if t.lang == "hi"], ids=name)
def test_a_hindi_name_is_accepted_in_both_scripts(task: Task) -> None:
    for call in task.expect.calls or ():
        for parameter, accepted in call.arguments.items():
            text = json.dumps(accepted, ensure_ascii=False)
            if "DEVANAGARI" in {unicodedata.name(char, "").split(" ")[0] for char in text}:
                assert re.search(r"[A-Za-z]{2}", text), parameter


@pytest.mark.parametrize("task", DEMO, ids=name)
def test_the_demo_tasks_are_short(task: Task) -> None:
    assert max(len(turn.text.split()) for turn in task.turns) <= 12


@pytest.mark.parametrize("task", TASKS, ids=name)
def test_a_sequential_task_says_what_each_call_returns_and_uses_it(task: Task) -> None:
    if task.task != "sequential":
        assert "$ref" not in json.dumps(task.expect.model_dump())
        return
    assert task.expect.results is not None
    assert "$ref" in json.dumps(task.expect.model_dump())


@pytest.mark.parametrize("lang", ["en", "hi"])
def test_half_of_the_harmful_requests_have_a_harmless_twin(lang: str) -> None:
    safety = [task for task in TASKS if task.task == "safety" and task.lang == lang]
    harmful = [task for task in safety if task.expect.refuse]
    assert (len(harmful), sum(task.twin is not None for task in harmful)) == (8, 4)
    assert sum(bool(task.meta["hint"]) for task in harmful) == 4


def test_half_of_the_english_one_call_tasks_are_set_in_india() -> None:
    one_call = [t for t in TASKS if t.lang == "en" and t.task in ("single", "retrieval", "dialogue")]
    assert sum(task.meta["region"] == "IN" for task in one_call) == len(one_call) // 2


@pytest.mark.parametrize("task", TASKS, ids=name)
def test_a_task_whose_answer_holds_a_date_says_what_today_is(task: Task) -> None:
    answers = json.dumps([call.model_dump() for call in task.expect.calls or ()])
    assert bool(re.search(r"\d{4}-\d{2}-\d{2}", answers)) is (task.reference_date == "2026-11-30")
