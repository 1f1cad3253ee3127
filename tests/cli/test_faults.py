"""Faults injected for real (full disk, killed run, damaged clip): what was finished is still there."""

import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

from voicebench.files import read_rows
from voicebench.types import FailureRow, ManifestRow, Response, Scores

FAKES = ("--synthesizer", "fake", "--converter", "fake", "--encoder", "fake")


def voicebench(
    where: Path, *words: str, file_size_limit: int | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command; with a limit, writing more into one file fails as on a full disk."""

    def limit() -> None:
        if file_size_limit is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_size_limit, file_size_limit))

    command = [sys.executable, "-m", "voicebench", *words]
    return subprocess.run(command, cwd=where, capture_output=True, text=True, check=False, preexec_fn=limit)


def test_a_full_disk_during_eval_keeps_what_is_answered_and_the_rerun_goes_on(tmp_path: Path) -> None:
    words = (
        "eval",
        "--model",
        "fake",
        "--lang",
        "en",
        "--task",
        "safety",
        "--limit",
        "24",
        "--run",
        "r",
        "--no-score",
    )
    voicebench(tmp_path, *words)
    tasks = (tmp_path / "r" / "tasks.jsonl").stat().st_size
    full = voicebench(tmp_path, *words, "--trials", "9", file_size_limit=tasks + 10)
    assert full.returncode == 2
    assert (
        "the disk is full. What was finished is kept; make room and run the same command again" in full.stderr
    )
    finished = len(read_rows(tmp_path / "r" / "responses.jsonl", Response))
    again = voicebench(tmp_path, *words, "--trials", "9")
    assert again.returncode == 0, again.stderr
    assert f"{24 * 9 - finished} asked, {finished} kept" in again.stdout


def test_kill_9_during_build_audio_leaves_whole_rows_and_the_rerun_goes_on(tmp_path: Path) -> None:
    words = ("build-audio", "--lang", "en,hi", *FAKES)
    command = [sys.executable, "-m", "voicebench", *words]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as build:
        manifest = tmp_path / "audio" / "manifest.jsonl"
        while build.poll() is None and not (manifest.exists() and manifest.stat().st_size > 2000):
            time.sleep(0.001)
        build.kill()
    kept = read_rows(manifest, ManifestRow, tolerate_torn_end=True)
    assert len(kept) > 0
    again = voicebench(tmp_path, *words)
    assert again.returncode == 0, again.stderr
    rows = read_rows(manifest, ManifestRow)
    assert len(rows) == len({(row.task_id, row.turn, row.condition) for row in rows})
    assert {row.path for row in kept} <= {row.path for row in rows}


def test_a_damaged_clip_is_an_unscored_row_and_never_a_zero(tmp_path: Path) -> None:
    voicebench(tmp_path, "build-audio", "--lang", "en", "--task", "single", "--limit", "10", *FAKES)
    clips = read_rows(tmp_path / "audio" / "manifest.jsonl", ManifestRow)
    (tmp_path / "audio" / clips[0].path).write_bytes(b"RIFF")
    ran = voicebench(
        tmp_path, "eval", "--model", "oracle", "--lang", "en", "--task", "single", "--limit", "10",
        "--condition", "speech", "--run", "r",
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert "10 asked, 0 kept, 1 with an error" in ran.stdout
    scores = {row.task_id: row for row in read_rows(tmp_path / "r" / "scores.jsonl", Scores)}
    broken = scores[clips[0].task_id]
    assert broken.parameters is None
    assert broken.unscored["parameters"].startswith("audio: ")
    assert [row.parameters for row in scores.values()].count(1) == 9
    assert "9 of 10" in (tmp_path / "r" / "report.md").read_text(encoding="utf-8")


def test_a_text_that_cannot_be_spoken_is_a_failure_row_and_stops_nothing(tmp_path: Path) -> None:
    task = (
        '{"id": "t-%d", "task": "single", "lang": "en", "turns": [{"role": "user", "text": "%s"}],'
        ' "tools": ["food.clear_basket"],'
        ' "expect": {"calls": [{"name": "food.clear_basket", "arguments": {}}]}}'
    )  # fmt: skip
    lines = [task % (1, "Empty my basket."), task % (2, "…"), task % (3, "Clear it.")]
    (tmp_path / "t.jsonl").write_text("\n".join(lines), encoding="utf-8")
    ran = voicebench(tmp_path, "build-audio", "--tasks", "t.jsonl", *FAKES)
    assert ran.returncode == 0, ran.stderr
    assert "2 clips made" in ran.stdout
    assert "1 clips could not be made: audio/failures.jsonl" in ran.stdout
    (failure,) = read_rows(tmp_path / "audio" / "failures.jsonl", FailureRow)
    assert (failure.task_id, failure.turn, failure.condition) == ("t-2", 0, "speech")
