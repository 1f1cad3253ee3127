"""An import writes what the other commands read, and counts what it left out."""

from pathlib import Path

import pytest

from tests.tasks.doors.helpers import FIXTURES
from voicebench.errors import UserError
from voicebench.tasks.check import check
from voicebench.tasks.doors import DOORS, Imported, Skipped, Source, Wanted, door
from voicebench.tasks.doors.importing import EVERYTHING, Counted, Outcome, first_of_each, import_tasks
from voicebench.tasks.read import read_tasks


def _imported(name: str, out: Path, wanted: Wanted = EVERYTHING, limit: int | None = None) -> Outcome:
    return import_tasks(door(name), Source(str(FIXTURES / name)), out, wanted=wanted, limit=limit)


@pytest.mark.parametrize("name", ["vab", "bfcl", "api-bank", "agentharm"])
def test_what_was_written_is_read_again_as_it_was(name: str, tmp_path: Path) -> None:
    done = _imported(name, tmp_path / "tasks.jsonl")
    assert [task.id for task in read_tasks(tmp_path / "tasks.jsonl")] == [row.id for row in done.rows]


@pytest.mark.parametrize("name", ["vab", "bfcl", "api-bank", "agentharm"])
def test_the_objections_are_those_of_the_check(name: str, tmp_path: Path) -> None:
    done = _imported(name, tmp_path / "tasks.jsonl")
    problems = check(tmp_path / "tasks.jsonl", tools={})
    assert sum(one.count for one in done.objections) == len(problems)
    assert all(
        any(str(p).endswith(one.example.partition(": ")[2]) for p in problems) for one in done.objections
    )


def test_a_file_takes_the_tasks_alone(tmp_path: Path) -> None:
    done = _imported("vab", tmp_path / "only.jsonl")
    assert (done.audio, done.left_out, done.clips) == (None, 9, ())
    assert [path.name for path in tmp_path.iterdir()] == ["only.jsonl"]


def test_reasons_are_counted_with_an_example(tmp_path: Path) -> None:
    done = _imported("bfcl", tmp_path / "t.jsonl", Wanted(categories=("simple_java", "simple_python")))
    assert done.skipped[0] == Counted(
        "simple_java: its calls and types are of another language than Python",
        1,
        f"{FIXTURES}/bfcl/BFCL_v4_simple_java.json#0 simple_java_0",
    )


def test_where_nothing_can_be_read_the_reasons_are_the_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no task could be read: simple_java: its calls .* \(1\)$"):
        _imported("bfcl", tmp_path / "t.jsonl", Wanted(categories=("simple_java",)))
    assert not (tmp_path / "t.jsonl").exists()


def test_where_nothing_was_wanted_the_options_are_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Look at --lang and --category"):
        _imported("vab", tmp_path / "t.jsonl", Wanted(langs=("th",), categories=("safety",)))


def test_a_limit_keeps_twins_together(tmp_path: Path) -> None:
    rows = _imported("agentharm", tmp_path / "t.jsonl").rows
    kept = {row.id for row in first_of_each(rows, 1)}
    assert {"agentharm-harmful-1-1", "agentharm-benign-1-1", "agentharm-benign-1-3"} == kept


def test_a_limit_counts_each_category(tmp_path: Path) -> None:
    done = _imported("bfcl", tmp_path / "t.jsonl", limit=1)
    assert sum(row.meta["category"] == "simple_python" for row in done.rows) == 1
    assert sum(row.meta["category"] == "parallel" for row in done.rows) == 1


@pytest.mark.parametrize("name", DOORS)
def test_a_door_says_what_it_is(name: str) -> None:
    entry = door(name)
    assert entry.name == name
    assert entry.title
    assert entry.licence


def test_an_unknown_door_is_a_mistake() -> None:
    with pytest.raises(UserError, match=r"no door 'bcfl' into other task sets\. Did you mean 'bfcl'"):
        door("bcfl")


def test_nothing_is_empty_by_itself() -> None:
    assert Imported(()).skipped == ()
    assert Skipped("why", "where").reason == "why"
