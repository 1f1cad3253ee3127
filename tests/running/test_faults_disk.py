"""A disk that is full, a folder that cannot be written, a clock that runs backwards."""

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.running.commands import TASKS, evaluated, responses, seeds_asked
from tests.running.helpers import make_task
from voicebench.fakes_server import FakeServer
from voicebench.running.candidates import candidate
from voicebench.running.evaluate import Options, evaluate, score_run
from voicebench.running.runs import opened

Mount = Callable[[str], None]


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Mount]:
    """Mount a file system of memory at the run's folder, or again with other options."""
    run = tmp_path / "r"
    run.mkdir()

    def mount(options: str) -> None:
        with suppress(FileNotFoundError):
            command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(run)]
            if subprocess.run(command, capture_output=True, check=False).returncode == 0:
                return
        pytest.skip("file systems cannot be mounted here")

    yield mount
    with suppress(FileNotFoundError):
        subprocess.run(["umount", str(run)], capture_output=True, check=False)


def test_a_full_disk_ends_the_run_in_one_line_and_the_rerun_goes_on(tmp_path: Path, mounted: Mount) -> None:
    mounted("size=48k")
    with FakeServer() as server:
        words = (f"fake+{server.url}#fake", "--trials=9", "--no-score")
        full = evaluated(tmp_path, *words)
        assert full.returncode == 2
        [told] = full.stderr.strip().splitlines()[-1:]
        assert "the disk is full. What was finished is kept; make room and run the same command" in told
        assert "Traceback" not in full.stderr
        finished = {row.seed for row in responses(tmp_path / "r")}
        assert 0 < len(finished) < TASKS * 9
        mounted("remount,size=2m")
        server.forget()
        again = evaluated(tmp_path, *words)
        assert again.returncode == 0, again.stderr
        assert f"{TASKS * 9 - len(finished)} asked, {len(finished)} kept, 0 with an error" in again.stdout
        assert not finished & set(seeds_asked(server))


def test_a_read_only_run_folder_is_said_in_one_line_before_anything_is_asked(
    tmp_path: Path, mounted: Mount
) -> None:
    mounted("size=1m,ro")
    with FakeServer() as server:
        ran = evaluated(tmp_path, f"fake+{server.url}#fake")
        assert seeds_asked(server) == []
    assert ran.returncode == 2
    assert "r: cannot be written (Read-only file system)" in ran.stderr.strip().splitlines()[-1]


def test_a_file_where_the_run_folder_should_be_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "r").write_text("a file", encoding="utf-8")
    ran = evaluated(tmp_path, "fake")
    assert ran.returncode == 2
    assert "r: cannot be written (File exists)" in ran.stderr.strip().splitlines()[-1]


def test_a_clock_that_runs_backwards_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = [2_000_000_000.0]

    def backwards() -> float:
        now_s[0] -= 3600.0
        return now_s[0]

    monkeypatch.setattr(time, "time", backwards)
    tasks = [make_task(number) for number in range(20)]
    with FakeServer() as server, opened(tmp_path / "r") as folder:
        chosen = candidate(f"fake+{server.url}#rate-limited")
        for asked in (20, 0):
            [outcome] = evaluate(folder, [chosen], tasks, Options(("text",)))
            assert (outcome.asked, outcome.kept, outcome.errors) == (asked, 20 - asked, 0)
        assert score_run(folder) == 20
    for row in responses(tmp_path / "r"):
        timeline = row.timeline
        assert timeline is not None and timeline.done is not None
        assert 0 <= timeline.done < 60
