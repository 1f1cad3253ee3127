"""A sample of the gold for people: drawn by shares and seed, marked, read back."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from voicebench.errors import UserError
from voicebench.judging.gold_sample import GoldLine, gold_lines, read_sheet, sample, write_sheet
from voicebench.tasks.read import first_of_each, read_tasks
from voicebench.types import Task

TASKS = first_of_each(read_tasks(langs=["en", "hi"]), 9)
"""Nine of each kind in two languages."""


def mark(path: Path, **by_id: Any) -> None:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    marked = [{**row, **by_id.get(row["task_id"].replace("-", "_"), {})} for row in rows]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in marked), encoding="utf-8")


def test_each_language_and_kind_has_its_share() -> None:
    assert len(TASKS) == 108
    drawn = sample(TASKS, 36, seed=0)
    counts = Counter((task.lang, task.task) for task in drawn)
    everything = Counter((task.lang, task.task) for task in TASKS)
    assert counts == {stratum: count // 3 for stratum, count in everything.items()}


@pytest.mark.parametrize("n", [1, 7, 55, 108])
def test_exactly_as_many_are_drawn_as_were_asked_for_and_none_twice(n: int) -> None:
    assert len({task.id for task in sample(TASKS, n, seed=3)}) == n


def test_the_seed_alone_decides_whatever_the_order() -> None:
    assert sample(TASKS, 20, seed=1) == sample(TASKS[::-1], 20, seed=1)
    assert sample(TASKS, 20, seed=1) != sample(TASKS, 20, seed=2)


@pytest.mark.parametrize("n", [0, -1, 109])
def test_more_than_there_are_cannot_be_drawn(n: int) -> None:
    with pytest.raises(UserError, match=f"a sample of {n} cannot be drawn from 108 tasks"):
        sample(TASKS, n, seed=0)


def test_a_sheet_shows_what_there_is_to_fill_in(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    task = next(task for task in TASKS if task.id == "single-hi-0001")
    write_sheet(path, [task])
    row = json.loads(path.read_text(encoding="utf-8"))
    assert (row["right"], row["note"]) == (None, "")
    assert row["turns"][0]["text"] == "हज़रतगंज से चारबाग़ स्टेशन तक एक ऑटो बुला दो।"
    assert [tool["name"] for tool in row["tools"]] == ["cab.book_ride"]


def test_a_sheet_that_is_there_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    write_sheet(path, TASKS[:1])
    with pytest.raises(UserError, match="may hold marks"):
        write_sheet(path, TASKS[:1])


def test_marks_become_shares_and_what_is_not_marked_does_not_count(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    chosen: list[Task] = [task for task in TASKS if task.task == "single"][:3]
    write_sheet(path, chosen)
    mark(path, single_en_0001={"right": True}, single_en_0002={"right": False, "note": "the other station"})
    marks = read_sheet(path)
    assert gold_lines(marks) == [
        GoldLine("en", 1, 2, 3),
        GoldLine("single", 1, 2, 3),
        GoldLine("all", 1, 2, 3),
    ]
    assert gold_lines(marks)[-1].share == 0.5


def test_an_unmarked_sheet_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    write_sheet(path, TASKS[:2])
    total = gold_lines(read_sheet(path))[-1]
    assert (total.share, total.interval) == (None, None)


def test_the_papers_496_of_507_have_wilsons_interval() -> None:
    interval = GoldLine("all", 496, 507, 507).interval
    assert interval is not None
    assert (round(interval.low, 4), round(interval.high, 4)) == (0.9616, 0.9878)


@pytest.mark.parametrize("right", ["yes", 2, "wrong"])
def test_a_mark_is_true_false_or_null(tmp_path: Path, right: Any) -> None:
    path = tmp_path / "gold.jsonl"
    write_sheet(path, TASKS[:1])
    mark(path, single_en_0001={"right": right})
    with pytest.raises(UserError, match=r"gold.jsonl:1: right"):
        read_sheet(path)


def test_a_task_is_marked_once(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    write_sheet(path, [TASKS[0], TASKS[0]])
    with pytest.raises(UserError, match="stands twice"):
        read_sheet(path)
