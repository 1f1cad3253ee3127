"""Looking at the runs of a folder, and removing some: runs of ours alone, and nothing behind a link."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.running.run_folders import TASK_LIST, all_rows, failed, make_run, row
from voicebench.errors import UserError
from voicebench.running.listing import is_run, list_runs, look_at
from voicebench.running.prune import matching, parse_age, remove
from voicebench.running.runs import opened

A, B, *_ = TASK_LIST
NOW = datetime(2026, 12, 1, 10, tzinfo=UTC)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder of runs: an old one, an empty one, one that was never begun, and things that are no runs."""
    root = tmp_path / "runs"
    make_run(root / "old", [A, B], [row(A), failed(B)], created="2026-10-01T10:00:00+00:00")
    make_run(root / "empty", [A], [], planned=all_rows([A]))
    with opened(root / "unborn"):
        pass
    (root / "notes").mkdir()
    (root / "notes" / "run.txt").write_text("mine", encoding="utf-8")
    (root / "file").write_text("mine", encoding="utf-8")
    (root / "link").symlink_to(make_run(tmp_path / "elsewhere", [A], [row(A)]))
    return root


def names(runs: list) -> list[str]:  # type: ignore[type-arg]
    return [run.folder.name for run in runs]


def test_runs_are_listed_by_name_and_nothing_else_is(root: Path) -> None:
    found = list_runs(root)
    assert names(found) == ["empty", "old", "unborn"]
    assert [(run.answers, run.planned, run.errors) for run in found] == [(0, 8, 0), (2, 2, 1), (0, 0, 0)]
    files = (root / "old").iterdir()
    assert found[1].size_bytes == sum(path.stat().st_size for path in files)


def test_a_broken_run_is_listed_with_its_problem(root: Path) -> None:
    (root / "old" / "run.json").write_text("{", encoding="utf-8")
    broken = list_runs(root)[1]
    assert broken.info is None
    assert broken.problem is not None and broken.problem.startswith(f"{root}/old/run.json: cannot be read")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"nowhere: no such folder. Runs are made by: voicebench eval"):
        list_runs(tmp_path / "nowhere")


@pytest.mark.parametrize(("text", "age"), [("12h", 0.5), ("30d", 30), ("4w", 28)])
def test_an_age_is_a_number_and_a_unit(text: str, age: float) -> None:
    assert parse_age(text) == timedelta(days=age)


@pytest.mark.parametrize("text", ["", "30", "d", "-1d", "1.5d", "30 days", "३०d"])
def test_another_age_is_refused(text: str) -> None:
    with pytest.raises(UserError, match=r"is no age. Write a number and h, d or w, such as 30d"):
        parse_age(text)


def test_runs_match_that_are_all_of_what_is_said(root: Path) -> None:
    month = timedelta(days=30)
    assert names(matching(root, empty=True, now=NOW)) == ["empty", "unborn"]
    assert names(matching(root, older_than=month, now=NOW)) == ["old"]
    assert names(matching(root, names=["old", "empty"], empty=True, now=NOW)) == ["empty"]
    assert names(matching(root, empty=True, older_than=month, now=NOW)) == []


def test_a_run_from_the_future_is_not_old(root: Path) -> None:
    make_run(root / "old", [A], [row(A)], created="2030-01-01T00:00:00+00:00")
    assert names(matching(root, names=["old"], older_than=timedelta(0), now=NOW)) == []


def test_a_broken_run_is_not_taken_for_empty(root: Path) -> None:
    (root / "empty" / "responses.jsonl").write_text("{}\n", encoding="utf-8")
    assert names(matching(root, empty=True, now=NOW)) == ["unborn"]


def test_nothing_said_matches_nothing(root: Path) -> None:
    with pytest.raises(UserError, match=r"say which runs: names, --empty or --older-than 30d"):
        matching(root, now=NOW)


@pytest.mark.parametrize("name", ["notes", "link", "..", "../elsewhere", "old/..", "olt", "/tmp"])
def test_a_name_that_is_no_run_here_is_refused(root: Path, name: str) -> None:
    with pytest.raises(UserError, match=r"no run .* here\."):
        matching(root, names=[name], now=NOW)


def test_a_run_is_removed_and_what_its_links_lead_to_stays(root: Path) -> None:
    (root / "old" / "audio").symlink_to(root / "notes")
    remove(root / "old")
    assert not (root / "old").exists()
    assert (root / "notes" / "run.txt").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("name", ["notes", "link", "file", "nowhere"])
def test_what_is_no_run_is_not_removed(root: Path, name: str) -> None:
    with pytest.raises(UserError, match=r"no run, so it is not removed"):
        remove(root / name)
    assert (root / "link" / "responses.jsonl").is_file()


def test_a_run_that_is_being_written_is_not_removed(root: Path) -> None:
    with opened(root / "old"), pytest.raises(UserError, match=r"another process is writing this run"):
        remove(root / "old")
    assert look_at(root / "old").answers == 2


def test_a_folder_with_more_than_a_lock_and_no_record_is_no_run(root: Path) -> None:
    (root / "unborn" / "mine.txt").write_text("mine", encoding="utf-8")
    assert not is_run(root / "unborn")
