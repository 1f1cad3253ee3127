"""Reading the task set: files, folders, tools by name, and errors with file and line."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from voicebench.errors import UserError
from voicebench.files import to_line, write_rows
from voicebench.tasks.read import (
    data_folder,
    first_of_each,
    parse_task,
    read_tasks,
    read_tools,
    stratified,
    task_files,
)
from voicebench.types import TASK_KINDS, TaskRow, Tool

FARE = Tool(
    name="cab.get_fare",
    parameters={"type": "object", "properties": {"pickup": {"type": "string"}}, "required": ["pickup"]},
)
TOOLS = {FARE.name: FARE}


def item(**changes: Any) -> dict[str, Any]:
    return {
        "id": "single-hi-0001",
        "task": "single",
        "lang": "hi",
        "turns": [{"role": "user", "text": "जयनगर से किराया कितना है?"}],
        "tools": ["cab.get_fare"],
        "expect": {"calls": [{"name": "cab.get_fare", "arguments": {"pickup": ["जयनगर"]}}]},
        **changes,
    }


def write(path: Path, *items: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(it, ensure_ascii=False) + "\n" for it in items), encoding="utf-8")
    return path


def test_a_tool_name_becomes_its_schema() -> None:
    assert parse_task(item(), "x:1", TOOLS).tools == (FARE,)


def test_a_whole_schema_stays_as_it_is() -> None:
    task = parse_task(item(tools=[{"name": "own.tool"}]), "x:1", {})
    assert task.tools == (Tool(name="own.tool"),)


def test_a_line_of_text_is_read_like_the_object_it_holds() -> None:
    assert parse_task(json.dumps(item()), "x:1", TOOLS) == parse_task(item(), "x:1", TOOLS)


def test_null_means_the_same_as_absent() -> None:
    assert parse_task(item(twin=None, meta=None), "x:1", TOOLS) == parse_task(item(), "x:1", TOOLS)


def test_an_unknown_tool_names_file_line_and_the_closest_one() -> None:
    with pytest.raises(UserError) as error:
        parse_task(item(tools=["cab.get_fair"]), "tasks/hi.jsonl:17", TOOLS)
    assert str(error.value) == "tasks/hi.jsonl:17: unknown tool 'cab.get_fair'. Did you mean 'cab.get_fare'?"


def test_an_unknown_key_names_file_line_and_the_closest_one(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", item(), item(id="b", tols=[]))
    with pytest.raises(UserError) as error:
        read_tasks(path, tools=TOOLS)
    assert str(error.value) == f"{path}:2: unknown key 'tols'. Did you mean 'tools'?"


def test_an_unknown_inner_key_names_the_closest_one_of_its_own_object() -> None:
    broken = item(expect={**item()["expect"], "ordr": "any"})
    with pytest.raises(UserError, match=r"^x:1: unknown key 'expect.ordr'\. Did you mean 'order'\?$"):
        parse_task(broken, "x:1", TOOLS)


def test_a_wrong_whole_schema_is_not_taken_for_a_wrong_name() -> None:
    with pytest.raises(
        UserError, match=r"^x:1: unknown key 'tools\.0\.Tool\.desc'\. Did you mean 'description'\?$"
    ):
        parse_task(item(tools=[{"name": "own.tool", "desc": ""}]), "x:1", {})


def test_a_line_that_is_not_json_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("\n{\n", encoding="utf-8")
    with pytest.raises(UserError, match=rf"^{path}:2: not JSON"):
        read_tasks(path, tools=TOOLS)


def test_an_id_used_in_two_files_is_an_error_that_names_both(tmp_path: Path) -> None:
    first, second = write(tmp_path / "a.jsonl", item()), write(tmp_path / "b.jsonl", item())
    with pytest.raises(UserError) as error:
        read_tasks(tmp_path, tools=TOOLS)
    assert str(error.value) == f"{second}:1: id 'single-hi-0001' is already used at {first}:1"


def test_a_folder_is_read_file_by_file_in_the_order_of_names(tmp_path: Path) -> None:
    write(tmp_path / "b.jsonl", item(id="second"))
    write(tmp_path / "a.jsonl", item(id="first"))
    (tmp_path / "notes.txt").write_text("not tasks", encoding="utf-8")
    assert [task.id for task in read_tasks(tmp_path, tools=TOOLS)] == ["first", "second"]


def test_languages_and_kinds_are_kept_as_asked(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.jsonl",
        item(id="ta-single", lang="ta"),
        item(id="hi-single"),
        item(id="hi-dialogue", task="dialogue"),
    )
    assert [t.id for t in read_tasks(path, langs=["hi"], tools=TOOLS)] == ["hi-single", "hi-dialogue"]
    assert [t.id for t in read_tasks(path, langs=["hi"], kinds=["dialogue"], tools=TOOLS)] == ["hi-dialogue"]


def test_a_language_that_is_not_there_names_those_that_are(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", item(), item(id="b", lang="ta"))
    with pytest.raises(UserError) as error:
        read_tasks(path, langs=["th"], tools=TOOLS)
    assert str(error.value) == f"{path}: no tasks in 'th'. The languages there are: hi, ta"


def test_a_kind_that_the_language_lacks_names_those_it_has(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", item(), item(id="b", lang="ta", task="dialogue"))
    with pytest.raises(UserError) as error:
        read_tasks(path, langs=["hi"], kinds=["dialogue"], tools=TOOLS)
    assert str(error.value) == f"{path}: no tasks of the kind 'dialogue'. The kinds there are: single"


def test_an_unknown_kind_names_the_closest_one() -> None:
    with pytest.raises(UserError, match=r"^unknown kind of task 'paralel'\. Did you mean 'parallel'\?$"):
        read_tasks(kinds=["paralel"])


def test_a_missing_source_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"gone: no such file or folder$"):
        task_files(tmp_path / "gone")


def test_a_folder_without_tasks_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"holds no tasks \(\*\.jsonl\)$"):
        task_files(tmp_path)


def test_tools_come_in_the_order_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text('[{"name": "b.one"}]', encoding="utf-8")
    (tmp_path / "a.json").write_text('[{"name": "a.two"}, {"name": "a.one"}]', encoding="utf-8")
    assert list(read_tools(tmp_path)) == ["a.two", "a.one", "b.one"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[{", "not JSON"),
        ('{"name": "a"}', "must hold a JSON array of tools"),
        ('[{"nam": "a"}]', r"tool 0: key 'name' is missing; unknown key 'nam'\. Did you mean 'name'\?"),
        ('[{"name": "a"}, {"name": "a"}]', "tool 'a' is defined twice"),
    ],
)
def test_a_wrong_tool_file_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "tools.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=rf"^{path}: {message}"):
        read_tools(tmp_path)


def test_a_folder_without_tools_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"holds no tools \(\*\.json\)$"):
        read_tools(tmp_path)


def test_the_shipped_folder_holds_tasks_and_tools() -> None:
    assert (data_folder() / "tasks").is_dir()
    assert (data_folder() / "tools").is_dir()


def test_rows_that_are_written_read_back_the_same(tmp_path: Path) -> None:
    row = TaskRow.model_validate(item(reference_date="2026-11-30", meta={"region": "IN"}))
    write_rows(tmp_path / "hi.jsonl", [row])
    assert parse_task(to_line(row), "x:1", TOOLS) == read_tasks(tmp_path, tools=TOOLS)[0]


def test_the_first_of_each_kind_and_language_are_taken_in_order() -> None:
    tasks = read_tasks(langs=["en", "hi"])
    chosen = first_of_each(tasks, 2)
    assert Counter((task.task, task.lang) for task in chosen) == {
        (kind, lang): 2 for kind in TASK_KINDS for lang in ("en", "hi")
    }
    assert [task.id for task in chosen if (task.task, task.lang) == ("dialogue", "hi")] == [
        "dialogue-hi-0001", "dialogue-hi-0002",
    ]  # fmt: skip


def test_a_stratified_draw_takes_so_many_of_each_kind_and_language_in_the_order_given() -> None:
    tasks = read_tasks(langs=["en", "hi"])
    drawn = stratified(tasks, 3, seed=1)
    assert Counter((task.task, task.lang) for task in drawn) == {
        (kind, lang): 3 for kind in TASK_KINDS for lang in ("en", "hi")
    }
    assert drawn == [task for task in tasks if task in drawn]
    assert drawn != first_of_each(tasks, 3)


def test_a_larger_draw_contains_a_smaller_one_and_another_seed_draws_others() -> None:
    tasks = read_tasks(langs=["en", "hi"])
    draws = [{task.id for task in stratified(tasks, n, seed=7)} for n in (1, 2, 5, 1000)]
    assert draws[0] < draws[1] < draws[2] < draws[3]
    assert draws[3] == {task.id for task in tasks}
    assert {task.id for task in stratified(tasks, 2, seed=8)} != draws[1]


def test_a_draw_does_not_depend_on_the_order_of_the_tasks() -> None:
    tasks = read_tasks(langs=["en", "hi"])
    assert stratified(tasks[::-1], 2, seed=7) == stratified(tasks, 2, seed=7)[::-1]


def test_the_same_items_are_drawn_in_every_language() -> None:
    english = [item(id=f"e{number}", lang="en") for number in range(9)]
    thai = [item(id=f"t{number}", lang="th", origin=f"e{number}") for number in range(9)]
    tasks = [parse_task(row, "x:1", TOOLS) for row in (*english, *thai)]
    drawn = [task.id for task in stratified(tasks, 4, seed=0)]
    assert [name[1:] for name in drawn[:4]] == [name[1:] for name in drawn[4:]]


def test_of_nothing_nothing_is_drawn() -> None:
    assert stratified([], 3, seed=0) == []
