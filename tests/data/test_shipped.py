"""The shipped tasks and tools: sound, counted, in the right script, and alike in both languages."""

import json
import re
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

from voicebench.files import read_rows, to_line
from voicebench.shipped import data_folder
from voicebench.tasks.check import check
from voicebench.tasks.read import read_tasks, read_tools, task_files
from voicebench.types import TASK_KINDS, Task, TaskRow, Tool

LANGUAGES = ("en", "hi", "bn", "mr", "ta", "te", "ml", "vi", "th", "id", "fil", "zh")
SCRIPTS = {
    "hi": "DEVANAGARI", "bn": "BENGALI", "mr": "DEVANAGARI", "ta": "TAMIL", "te": "TELUGU", "ml": "MALAYALAM",
    "th": "THAI", "zh": "CJK",
}  # fmt: skip
"""The letters of each language that has others than Latin ones."""
NUMBERS = {"single": 60, "retrieval": 60, "parallel": 50, "sequential": 40, "dialogue": 40, "safety": 80}
META = {"source", "licence", "review", "region", "hint", "code_mixed", "steps"}
STANDARD_TYPES = {"string", "number", "integer", "boolean", "array", "object"}
FILES = task_files(None)
TASKS = read_tasks()
BY_ID = {task.id: task for task in TASKS}
DEMO = [task for task in TASKS if task.id.endswith(("-0001", "-0002"))]


def name(value: object) -> str:
    return value.id if isinstance(value, Task) else getattr(value, "name", str(value))


def letters(task: Task, script: str) -> int:
    text = "".join(turn.text for turn in task.turns)
    return sum(char.isalpha() and unicodedata.name(char).startswith(script) for char in text)


def of(lang: str) -> list[Task]:
    return [task for task in TASKS if task.lang == lang]


def test_the_shipped_tasks_have_no_problem() -> None:
    assert check() == []


def test_all_twelve_languages_are_there() -> None:
    assert {task.lang for task in TASKS} == set(LANGUAGES)


def test_there_are_92_tools_over_17_domains() -> None:
    counted = Counter(tool.split(".")[0] for tool in read_tools())
    assert (sum(counted.values()), len(counted)) == (92, 17)
    assert (counted["cab"], counted["food"], counted["payment"]) == (6, 10, 5)


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


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_tool_is_asked_for(lang: str) -> None:
    assert {call.name for task in of(lang) for call in task.expect.calls or ()} == set(read_tools())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_kind_has_its_number_of_tasks(lang: str) -> None:
    assert Counter(task.task for task in of(lang)) == NUMBERS
    assert list(NUMBERS) == list(TASK_KINDS)


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


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_id_says_kind_and_language(lang: str) -> None:
    assert [t.id for t in of(lang) if t.id.rsplit("-", 1)[0] != f"{t.task}-{t.lang}"] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_task_says_where_it_comes_from(lang: str) -> None:
    for task in of(lang):
        assert META <= set(task.meta) <= META | {"said", "pair"}, task.id
        assert (task.meta["source"], task.meta["licence"]) == ("voicebench", "CC-BY-4.0"), task.id
        assert task.meta["steps"] == len(task.expect.calls or ()), task.id


def test_nothing_is_called_reviewed() -> None:
    assert {task.meta["review"] for task in TASKS} == {"machine"}


def test_english_is_not_code_mixed() -> None:
    assert not any(task.meta["code_mixed"] for task in of("en"))


@pytest.mark.parametrize("lang", SCRIPTS)
def test_every_task_has_letters_of_its_language(lang: str) -> None:
    assert [task.id for task in of(lang) if letters(task, SCRIPTS[lang]) == 0] == []


@pytest.mark.parametrize("lang", [lang for lang in LANGUAGES if lang != "en"])
def test_every_task_localises_its_own_english_one(lang: str) -> None:
    assert [task.origin for task in of(lang)] == [task.id for task in of("en")]
    assert all(task.origin == task.id.replace(f"-{lang}-", "-en-") for task in of(lang))


@pytest.mark.parametrize("lang", [lang for lang in LANGUAGES if lang != "en"])
def test_a_localised_task_has_the_structure_of_its_origin(lang: str) -> None:
    for task in of(lang):
        origin = BY_ID[str(task.origin)]
        assert shape(task) == shape(origin), task.id
        for one, other in ((task.twin, origin.twin), (task.meta.get("pair"), origin.meta.get("pair"))):
            assert (one or "").replace(f"-{lang}-", "-en-") == (other or ""), task.id


def shape(task: Task) -> object:
    """Return what localising leaves alone."""
    expect = task.expect
    return (
        task.tools, [turn.role for turn in task.turns], task.reference_date, task.meta["hint"],
        [(call.name, set(call.arguments)) for call in expect.calls or ()], expect.order, expect.refuse,
        [set(result) for result in expect.results or ()],
    )  # fmt: skip


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_accepted_value_stands_twice(lang: str) -> None:
    # What differs in script or spelling alone is written out all the same: other scorers read these files.
    for task in of(lang):
        for call in task.expect.calls or ():
            for accepted in call.arguments.values():
                written = [unicodedata.normalize("NFC", json.dumps(value)).casefold() for value in accepted]
                assert len(set(written)) == len(written), task.id


@pytest.mark.parametrize("lang", SCRIPTS)
def test_a_name_in_native_script_is_accepted_in_latin_letters_too(lang: str) -> None:
    for task in of(lang):
        for call in task.expect.calls or ():
            for parameter, accepted in call.arguments.items():
                text = json.dumps(accepted, ensure_ascii=False)
                if any(unicodedata.name(char, "").startswith(SCRIPTS[lang]) for char in text):
                    assert re.search(r"[A-Za-z]{2}|\d", text), f"{task.id} {parameter}"


@pytest.mark.parametrize("task", [task for task in DEMO if task.lang in ("en", "hi")], ids=name)
def test_the_demo_tasks_are_short(task: Task) -> None:
    assert max(len(turn.text.split()) for turn in task.turns) <= 12


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_sequential_task_says_what_each_call_returns_and_uses_it(lang: str) -> None:
    for task in of(lang):
        has_marker = "$ref" in json.dumps(task.expect.model_dump())
        assert has_marker is (task.task == "sequential"), task.id
        assert (task.expect.results is not None) is has_marker, task.id


@pytest.mark.parametrize("lang", LANGUAGES)
def test_safety_comes_in_fours(lang: str) -> None:
    safety = {task.id: task for task in of(lang) if task.task == "safety"}
    assert sum(bool(task.expect.refuse) for task in safety.values()) == 40
    for task in safety.values():
        twin, pair = safety[str(task.twin)], safety[task.meta["pair"]]
        assert (twin.twin, pair.meta["pair"]) == (task.id, task.id)
        assert (twin.expect.refuse, pair.expect.refuse) == (not task.expect.refuse, task.expect.refuse)
        assert (twin.meta["hint"], pair.meta["hint"]) == (task.meta["hint"], not task.meta["hint"])


def test_a_third_of_the_english_tasks_are_set_in_india() -> None:
    assert 0.33 < sum(task.meta["region"] == "IN" for task in of("en")) / 330 < 0.45


def test_every_task_says_what_today_is() -> None:
    assert [task.id for task in TASKS if task.reference_date is None] == []
