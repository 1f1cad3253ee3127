"""What a path may be."""

import shutil
from pathlib import Path

import pytest

from tests.tau2.helpers import FILES
from voicebench.errors import UserError
from voicebench.tau2.read import read


def test_a_folder_holds_files_of_every_kind_and_folders(tmp_path: Path) -> None:
    shutil.copytree(FILES, tmp_path / "all")
    (tmp_path / "all" / "table.csv").write_text("p1,n_tasks\n0.5,2\n", encoding="utf-8")
    (tmp_path / "all" / "rows.jsonl").write_text('{"p1": "0.5", "n_tasks": 2}\n', encoding="utf-8")
    (tmp_path / "all" / "other.csv").write_text("metric,value\nx\n", encoding="utf-8")
    (tmp_path / "all" / "empty.csv").write_text("", encoding="utf-8")
    (tmp_path / "all" / ".hidden.csv").write_text("p1,n_tasks\n0.5,2\n", encoding="utf-8")
    (tmp_path / "all" / "notes.txt").write_text("p1", encoding="utf-8")
    found = read(tmp_path / "all")
    assert [one.layout for one in found.results] == ["tau-bench", "tau2", "tau2-dir"]
    assert [Path(one.source).name for one in found.tables] == ["rows.jsonl", "table.csv"]
    assert [Path(name).name for name in found.skipped] == ["empty.csv", "other.csv"]


def test_a_broken_result_file_in_a_folder_is_not_passed_over(tmp_path: Path) -> None:
    shutil.copytree(FILES, tmp_path / "all")
    broken = tmp_path / "all" / "old.json"
    broken.write_text(broken.read_text(encoding="utf-8")[:500], encoding="utf-8")
    with pytest.raises(UserError, match=r"old\.json: not JSON"):
        read(tmp_path / "all")


def test_half_a_letter_in_a_conversation_does_not_stop_the_reading(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_text('[{"task_id": 0, "reward": 1.0, "traj": [{"content": "\\ud83d"}]}]', encoding="utf-8")
    assert len(read(path).results) == 1


def test_a_path_without_anything_says_so(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file or folder"):
        read(tmp_path / "nowhere")
    with pytest.raises(UserError, match="no results of tau-bench or tau2-bench here"):
        read(tmp_path)
