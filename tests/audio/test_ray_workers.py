"""Actors on a Ray cluster of two nodes on this machine: the clips of one process, and none of them lost."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.audio.helpers import make_task
from tests.audio.references.helpers import voices
from tests.audio.test_workers import helper
from tests.ray_nodes import ROOT, two_nodes
from voicebench.audio import ray_workers
from voicebench.audio.build import BuildReport, build
from voicebench.audio.io import write_wav
from voicebench.audio.ray_workers import RayWorkers
from voicebench.audio.references.store import add
from voicebench.audio.studio import Studio
from voicebench.audio.wishes import VoiceWish
from voicebench.audio.workers import Recipe
from voicebench.clusters import Cluster
from voicebench.errors import AgentFailure, UserError
from voicebench.fakes_audio import FakeSynthesizer
from voicebench.files import read_rows
from voicebench.registry import find
from voicebench.types import FailureRow, ManifestRow

pytest.importorskip("ray")

FAKES = Recipe(find("tts", "fake"), find("converter", "fake"), find("encoder", "fake"))
TASKS = [make_task(n) for n in range(1, 12)] + [make_task(20, "hi"), make_task(30, "ta", turns=2)]
FILES = ("manifest.jsonl", "failures.jsonl", "flagged.jsonl", "voices.json")


@pytest.fixture(scope="module", autouse=True)
def nodes() -> Iterator[Any]:
    with two_nodes() as cluster:
        yield cluster


def made(out: Path, recipe: Recipe = FAKES, actors: int = 2, **options: Any) -> BuildReport:
    tasks = options.pop("tasks", TASKS)
    with RayWorkers(recipe, Cluster(actors=actors)) as workers:
        return build(tasks, workers, out=out, **options)


def made_here(out: Path, **options: Any) -> BuildReport:
    tasks = options.pop("tasks", TASKS)
    with Studio(FAKES.load("cpu")) as studio:
        return build(tasks, studio, out=out, **options)


def clips_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "clips").iterdir()}


def same(one: Path, other: Path) -> bool:
    return clips_of(one) == clips_of(other) and all(
        (one / name).read_bytes() == (other / name).read_bytes() for name in FILES
    )


def test_actors_make_the_same_bytes_as_one_process(tmp_path: Path) -> None:
    effects = ["noise-10dB", "babble:snr=5,talkers=2"]
    report = made(tmp_path / "two", effects=effects)
    made_here(tmp_path / "one", effects=effects)
    assert (report.made, report.failed) == (42, 0)
    assert same(tmp_path / "one", tmp_path / "two")
    assert made(tmp_path / "one", effects=effects).made == 0


def test_nothing_is_read_or_written_but_where_it_was_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The nodes were started in another working directory, where "audio" is no folder of ours.
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "there")
    made(Path("audio"))
    made(Path("audio"), effects=["noise-10dB"])  # made of the dry clips that are there
    monkeypatch.chdir(tmp_path / "here")
    made_here(Path("audio"), effects=["noise-10dB"])
    assert same(tmp_path / "here/audio", tmp_path / "there/audio")
    assert not (ROOT / "audio" / "manifest.jsonl").exists()


def test_voices_of_a_folder_need_not_be_on_the_nodes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    add(Path("voices"), voices(3))
    wish = VoiceWish(n=2, folder=Path("voices"))
    made(Path("two"), voices=wish)
    made_here(Path("one"), voices=wish)
    assert same(Path("one"), Path("two"))


def test_recordings_that_an_effect_mixes_in_are_found_from_the_callers_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (sound,) = FakeSynthesizer().synthesize(["noise of a street"], lang="en", seed=1)
    write_wav(Path("street.wav"), sound)
    made(Path("two"), effects=["noise-file:snr=10,path=street.wav"], tasks=TASKS[:3])
    made_here(Path("one"), effects=["noise-file:snr=10,path=street.wav"], tasks=TASKS[:3])
    assert same(Path("one"), Path("two"))


def test_recordings_that_are_not_the_same_on_a_node_are_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ray_workers, "_mixed_in", lambda job: {"noise-10dB": ("noise 0",)})
    with pytest.raises(UserError, match=r"^effect 'noise-10dB' .* same path on every .* \(on .* cluster\)$"):
        made(tmp_path, effects=["noise-10dB"])
    monkeypatch.setattr(ray_workers, "_mixed_in", lambda job: {"noise-file:snr=1,path=gone.wav": ()})
    with pytest.raises(UserError, match=r"^gone.wav: no such file or folder; what an effect mixes in must"):
        made(tmp_path, effects=["noise-10dB"])


def test_a_turn_that_kills_its_workers_is_the_only_one_that_is_lost(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    report = made(tmp_path, Recipe(helper("Mortal", part="three")), voices=VoiceWish(n=1))
    assert (report.made, report.failed) == (13, 1)
    (failure,) = read_rows(tmp_path / "failures.jsonl", FailureRow)
    assert (failure.task_id, failure.kind) == ("single-en-0003", "crash")
    assert failure.message.startswith("a worker died over this turn (")
    assert "another one takes over" in caplog.text


def test_what_a_worker_was_at_when_it_died_is_made_by_another(tmp_path: Path) -> None:
    recipe = Recipe(helper("Mortal", part="three", spared_by=str(tmp_path / "once")))
    report = made(tmp_path / "audio", recipe, voices=VoiceWish(n=1))
    assert (report.made, report.failed) == (14, 0)


def test_a_lone_turn_is_given_another_chance(tmp_path: Path) -> None:
    recipe = Recipe(helper("Mortal", part="one", spared_by=str(tmp_path / "once")))
    report = made(tmp_path / "audio", recipe, tasks=TASKS[:1], voices=VoiceWish(n=1))
    assert (report.made, report.failed) == (1, 0)


def test_a_worker_that_dies_while_voices_are_chosen_is_replaced(tmp_path: Path) -> None:
    recipe = Recipe(helper("Mortal", part="Hello", spared_by=str(tmp_path / "once")))
    assert made(tmp_path / "audio", recipe, tasks=TASKS[:2], voices=VoiceWish(n=1)).made == 2
    with pytest.raises(AgentFailure, match=r"^workers died over synthesize \("):
        made(tmp_path / "never", Recipe(helper("Mortal", part="Hello")), tasks=TASKS[:2])


def test_workers_that_die_without_end_end_the_build(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(ray_workers, "MOST_DEATHS", 1)
    with pytest.raises(AgentFailure, match=r"^2 workers died, the last one: .* go on$"):
        made(tmp_path, Recipe(helper("Mortal", part="Play")), actors=1, tasks=TASKS[:9])


def test_a_node_that_vanishes_takes_no_clip_with_it(
    tmp_path: Path, nodes: Any, caplog: pytest.LogCaptureFixture
) -> None:
    extra = nodes.add_node(num_cpus=1)
    nodes.wait_for_nodes()
    tasks = [make_task(n) for n in range(1, 60)]

    def watch(what: str, done: int, total: int) -> None:
        if what == "building clips" and done >= 8 and extra in nodes.list_all_nodes():
            nodes.remove_node(extra, allow_graceful=False)

    recipe = Recipe(helper("Mortal", part="nothing", wait_s=0.2))
    report = made(tmp_path / "two", recipe, actors=3, tasks=tasks, progress=watch, voices=VoiceWish(n=2))
    assert extra not in nodes.list_all_nodes()
    assert "another one takes over" in caplog.text
    assert (report.made, report.failed) == (59, 0)
    with Studio(Recipe(helper("Mortal", part="nothing")).load("cpu")) as studio:
        build(tasks, studio, out=tmp_path / "one", voices=VoiceWish(n=2))
    assert same(tmp_path / "one", tmp_path / "two")


def test_actors_that_the_cluster_has_no_room_for_hold_nothing_up(tmp_path: Path) -> None:
    assert made(tmp_path, actors=5).made == 14


def test_why_a_backend_cannot_be_loaded_is_told_with_the_machine() -> None:
    with pytest.raises(UserError, match=r"^no weights here \(on .* of the Ray cluster\)$"):
        RayWorkers(Recipe(helper("Unloadable", reason="no weights here")), Cluster(actors=2))


def test_a_bug_in_a_worker_keeps_its_traceback() -> None:
    with pytest.raises(RuntimeError, match=r"(?s)in a worker on the Ray cluster:.*helpers\.py.*bug"):
        RayWorkers(Recipe(helper("Unloadable", reason="bug")), Cluster(actors=1))


def test_another_version_on_the_cluster_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_workers, "__version__", "0.0.0")
    with pytest.raises(UserError, match=r"^voicebench .* is installed, not 0\.0\.0 as where it was called"):
        RayWorkers(FAKES, Cluster(actors=1))


def test_a_mistake_in_what_is_asked_for_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"^fake has 4 voices for 'en', 9 are asked for"):
        made(tmp_path, actors=1, voices=VoiceWish(n=9))


def test_clips_that_cannot_be_written_end_the_build(tmp_path: Path) -> None:
    (tmp_path / "clips").write_text("in the way", encoding="utf-8")
    with pytest.raises(UserError, match=r"clips.*: cannot be written"):
        made(tmp_path, actors=1, tasks=TASKS[:2])


def test_log_lines_of_workers_are_heard(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    made(tmp_path, actors=1, tasks=[make_task(1, text="...")])
    assert "single-en-0001, turn 0, speech: not built" in caplog.text


SCRIPT = """
import sys
from pathlib import Path
from tests.audio.helpers import make_task
from tests.audio.test_workers import helper
from voicebench.audio.build import build
from voicebench.audio.ray_workers import RayWorkers
from voicebench.audio.wishes import VoiceWish
from voicebench.audio.workers import Recipe
from voicebench.clusters import Cluster

tasks = [make_task(n) for n in range(1, 200)]
recipe = Recipe(helper("Mortal", part="nothing", wait_s=0.3))
with RayWorkers(recipe, Cluster(address=sys.argv[2], actors=2)) as workers:
    build(tasks, workers, out=Path(sys.argv[1]), voices=VoiceWish(n=2))
"""


def test_a_build_that_is_stopped_leaves_what_is_finished(tmp_path: Path, nodes: Any) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path / "audio"), nodes.address], cwd=tmp_path,
        stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)}, start_new_session=True,
    )  # fmt: skip
    path = tmp_path / "audio" / "manifest.jsonl"
    end = time.monotonic() + 60
    while not (path.is_file() and path.read_bytes().count(b"\n") >= 16):
        assert time.monotonic() < end and process.poll() is None, "waited in vain"
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    _, said = process.communicate(timeout=30)
    assert b"KeyboardInterrupt" in said
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert 16 <= len(rows) < 199
    assert all((tmp_path / "audio" / row["path"]).is_file() for row in rows)
    assert len(read_rows(path, ManifestRow)) == len(rows)
