"""Shards of a run: every task in exactly one, wherever and in whatever order it is asked."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.running.helpers import make_task
from voicebench.errors import UserError
from voicebench.running.shards import Shard, of_shard, require_same
from voicebench.tasks.read import read_tasks


def test_a_shard_is_written_as_index_and_count() -> None:
    assert Shard.parse("2/8") == Shard(2, 8)
    assert Shard.parse(" 1/1 ") == Shard(1, 1)
    assert str(Shard(2, 8)) == "2/8"


@pytest.mark.parametrize("text", ["", "2", "2/", "/8", "a/b", "-1/8", "1.5/8", "2/8/3", "२/८", "2:8"])
def test_what_is_no_shard_is_refused_with_how_to_write_one(text: str) -> None:
    with pytest.raises(UserError, match=r"is no shard. Write i/n, such as 2/8"):
        Shard.parse(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0/8", "there is no such shard; they are counted from 1/8 to 8/8"),
        ("9/8", "there is no such shard; they are counted from 1/8 to 8/8"),
        ("1/0", "there is no such shard; there must be one"),
    ],
)
def test_a_shard_that_is_not_there_is_refused(text: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        Shard.parse(text)


def test_a_shard_cannot_be_made_wrong() -> None:
    with pytest.raises(ValueError, match="no shard 3 of 2"):
        Shard(3, 2)


@given(st.text(min_size=1), st.integers(1, 200))
def test_every_task_is_in_exactly_one_shard(task_id: str, count: int) -> None:
    assert [Shard(index, count).holds(task_id) for index in range(1, count + 1)].count(True) == 1


def test_the_assignment_is_the_same_on_every_machine_and_in_every_version() -> None:
    ids = ["single-en-0001", "parallel-hi-0007", "வணக்கம்", "สวัสดี"]
    assert [[s for s in range(1, 9) if Shard(s, 8).holds(task_id)] for task_id in ids] == [
        [4], [5], [6], [3],
    ]  # fmt: skip


def test_neither_order_nor_other_tasks_matter_and_the_order_given_is_kept() -> None:
    tasks = [make_task(number, lang) for lang in ("en", "hi", "th") for number in range(20)]
    shard = Shard(2, 3)
    there = of_shard(tasks, shard)
    assert of_shard(tasks[::-1], shard) == there[::-1]
    assert of_shard(tasks[:30], shard) == [task for task in tasks[:30] if task in there]


def test_kinds_and_languages_come_out_even() -> None:
    tasks = [make_task(number, lang) for lang in ("en", "hi", "th") for number in range(2000)]
    sizes = [Counter(task.lang for task in of_shard(tasks, Shard(index, 8))) for index in range(1, 9)]
    # 250 are expected; the standard deviation of a fair draw is 15.
    assert all(190 <= sizes[index][lang] <= 310 for index in range(8) for lang in ("en", "hi", "th"))


def test_the_shipped_tasks_are_divided_without_rest() -> None:
    tasks = read_tasks()
    parts = [of_shard(tasks, Shard(index, 4)) for index in range(1, 5)]
    assert sorted(task.id for part in parts for task in part) == sorted(task.id for task in tasks)
    assert all(parts)


def test_a_run_goes_on_as_the_shard_that_it_was_begun_as(tmp_path: Path) -> None:
    require_same(tmp_path, "2/8", Shard(2, 8))
    require_same(tmp_path, None, None)


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        ("2/8", Shard(3, 8), "holds shard 2/8, not shard 3/8"),
        ("2/8", Shard(2, 4), "holds shard 2/8, not shard 2/4"),
        ("2/8", None, "holds shard 2/8, not all of it"),
        (None, Shard(1, 2), "holds all of a run, not shard 1/2"),
    ],
)
def test_another_shard_in_the_same_folder_is_refused(
    tmp_path: Path, before: str | None, now: Shard | None, said: str
) -> None:
    with pytest.raises(UserError, match=f"{said}. Name another folder with --run"):
        require_same(tmp_path, before, now)
