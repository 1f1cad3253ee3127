"""Several processes: the same clips as one makes, and none lost with a process that dies."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from tests.audio.helpers import make_task
from voicebench.audio.build import BuildReport, build
from voicebench.audio.studio import Studio
from voicebench.audio.wishes import VoiceWish
from voicebench.audio.workers import Recipe, Workers
from voicebench.errors import AgentFailure, UserError
from voicebench.files import read_rows
from voicebench.registry import Kind, Record, find
from voicebench.types import FailureRow, ManifestRow

FAKES = Recipe(find("tts", "fake"), find("converter", "fake"), find("encoder", "fake"))
TASKS = [make_task(n) for n in range(1, 12)] + [make_task(20, "hi"), make_task(30, "ta", turns=2)]


def helper(name: str, kind: Kind = "tts", **options: Any) -> Record:
    return Record(
        name=name, kind=kind, target=f"tests.audio.helpers:{name}", summary="", licence="", options=options
    )


def made(out: Path, recipe: Recipe = FAKES, count: int = 2, **options: Any) -> BuildReport:
    tasks = options.pop("tasks", TASKS)
    with Workers(recipe, ["cpu"] * count) as workers:
        return build(tasks, workers, out=out, **options)


def manifest(out: Path) -> list[ManifestRow]:
    return read_rows(out / "manifest.jsonl", ManifestRow)


def test_workers_make_the_same_bytes_as_one_process(tmp_path: Path) -> None:
    effects = ["noise-10dB", "babble:snr=5,talkers=2"]
    report = made(tmp_path / "two", effects=effects)
    with Studio(FAKES.load("cpu")) as studio:
        build(TASKS, studio, out=tmp_path / "one", effects=effects)
    assert (report.made, report.failed) == (42, 0)
    for name in ("manifest.jsonl", "failures.jsonl", "flagged.jsonl", "voices.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    clips = [{path.name for path in (tmp_path / name / "clips").iterdir()} for name in ("one", "two")]
    assert clips[0] == clips[1]
    assert made(tmp_path / "one", effects=effects).made == 0


@pytest.mark.weights
def test_a_real_synthesizer_and_converter_make_the_same_bytes_in_workers(tmp_path: Path) -> None:
    recipe = Recipe(find("tts", "espeak"), find("converter", "world"), find("encoder", "fake"))
    tasks = [make_task(n, lang) for n in range(1, 5) for lang in ("en", "hi")]
    made(tmp_path / "two", recipe, tasks=tasks, effects=["room"])
    with Studio(recipe.load("cpu")) as studio:
        build(tasks, studio, out=tmp_path / "one", effects=["room"])
    assert (tmp_path / "one/manifest.jsonl").read_bytes() == (tmp_path / "two/manifest.jsonl").read_bytes()


def test_a_turn_that_kills_a_worker_is_the_only_one_that_is_lost(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    report = made(tmp_path, Recipe(helper("Mortal", part="three")), voices=VoiceWish(n=1))
    assert (report.made, report.failed) == (13, 1)
    (failure,) = read_rows(tmp_path / "failures.jsonl", FailureRow)
    assert (failure.task_id, failure.kind) == ("single-en-0003", "crash")
    assert failure.message.startswith("a worker died over this turn (killed by SIGKILL")
    assert "another one takes over" in caplog.text


def test_what_a_worker_was_at_when_it_died_is_made_by_another(tmp_path: Path) -> None:
    recipe = Recipe(helper("Mortal", part="three", spared_by=str(tmp_path / "once")))
    report = made(tmp_path / "audio", recipe, voices=VoiceWish(n=1))
    assert (report.made, report.failed) == (14, 0)


def test_workers_that_die_without_end_end_the_build(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("voicebench.audio.workers.MOST_DEATHS", 1)
    with pytest.raises(AgentFailure, match=r"2 workers died, the last one killed by SIGKILL"):
        made(tmp_path, Recipe(helper("Mortal", part="Play")), count=1, tasks=TASKS[:9])


def test_why_a_backend_cannot_be_loaded_is_told_as_in_one_process() -> None:
    with pytest.raises(UserError, match=r"^no weights here$"):
        Workers(Recipe(helper("Unloadable", reason="no weights here")), ["cpu", "cpu"])


def test_a_bug_in_a_worker_keeps_its_traceback() -> None:
    with pytest.raises(RuntimeError, match=r"(?s)in a worker on cpu:.*helpers\.py.*RuntimeError: bug"):
        Workers(Recipe(helper("Unloadable", reason="bug")), ["cpu"])


def test_a_mistake_in_a_worker_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"fake has 4 voices for 'en', 9 are asked for"):
        made(tmp_path, count=1, voices=VoiceWish(n=9))


def test_a_worker_that_cannot_write_ends_the_build(tmp_path: Path) -> None:
    (tmp_path / "clips").write_text("in the way", encoding="utf-8")
    with pytest.raises(UserError, match=r"clips.*: cannot be written"):
        made(tmp_path, count=1, tasks=TASKS[:2])


def test_log_lines_of_workers_are_heard(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    made(tmp_path, count=1, tasks=[make_task(1, text="...")])
    assert "single-en-0001, turn 0, speech: not built" in caplog.text


SCRIPT = """
import json, sys
from pathlib import Path
from tests.audio.helpers import make_task
from tests.audio.test_workers import helper
from voicebench.audio.build import build
from voicebench.audio.wishes import VoiceWish
from voicebench.audio.workers import Recipe, Workers

if __name__ == "__main__":
    tasks: list = [make_task(n) for n in range(1, 200)]
    with Workers(Recipe(helper("Mortal", part="nothing", wait_s=0.1)), ["cpu", "cpu"]) as workers:
        build(tasks, workers, out=Path(sys.argv[1]), voices=VoiceWish(n=2))
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_build_that_is_stopped_leaves_what_is_finished_and_no_processes(
    tmp_path: Path, how: signal.Signals
) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    root = Path(__file__).parent.parent.parent
    process = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path / "audio")], cwd=root, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(root)}, start_new_session=True,
    )  # fmt: skip
    path = tmp_path / "audio" / "manifest.jsonl"
    _until(lambda: path.is_file() and path.read_bytes().count(b"\n") >= 20)
    if how == signal.SIGINT:
        os.killpg(process.pid, how)  # as a terminal does
    else:
        process.send_signal(how)
    process.communicate(timeout=30)
    # The workers were in the process's group, and nobody else is.
    _until(lambda: not _group_lives(process.pid))
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert 20 <= len(rows) < 199
    assert all((tmp_path / "audio" / row["path"]).is_file() for row in rows)
    assert not list((tmp_path / "audio" / "clips").glob(".*.part")) or how == signal.SIGKILL


def _until(true: Any, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def _group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_no_thread_is_left(tmp_path: Path) -> None:
    before = threading.active_count()
    made(tmp_path, count=1, tasks=TASKS[:2])
    assert threading.active_count() == before
