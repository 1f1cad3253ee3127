"""The demo: the whole path, here with stand-ins for its models."""

from pathlib import Path

import pytest

from voicebench import demo
from voicebench.demo import NO_E5, NO_VOICES, run_demo
from voicebench.errors import UserError
from voicebench.files import read_rows
from voicebench.models import LocalModel
from voicebench.running.runs import read_info
from voicebench.types import ManifestRow, Response


@pytest.fixture
def stand_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SYNTHESIZER", "CONVERTER", "ENCODER", "SECOND_ASR"):
        monkeypatch.setattr(demo, name, "fake")
    monkeypatch.setattr(demo, "SHOWN_ALL", "oracle")
    monkeypatch.setattr(demo, "RETRIEVES", "random")
    found = LocalModel(Path(), "offline", None)
    monkeypatch.setattr(demo, "fetch_offline", lambda name, progress: found)


@pytest.mark.usefixtures("stand_ins")
def test_two_items_a_kind_and_language_are_asked_in_text_speech_and_a_second_transcript(
    tmp_path: Path,
) -> None:
    done = run_demo(tmp_path / "demo")
    rows = read_rows(done.folder / "responses.jsonl", Response)
    asked = {(row.agent, row.condition): 0 for row in rows}
    for row in rows:
        asked[row.agent, row.condition] += 1
    assert asked == {
        ("oracle", "text"): 24, ("oracle", "speech"): 24, ("random", "text"): 24, ("random", "speech"): 24,
        ("random", "transcript:fake"): 12,
    }  # fmt: skip
    assert done.asked == len(rows) == 108
    clips = read_rows(done.audio / "manifest.jsonl", ManifestRow)
    assert {clip.lang for clip in clips} == {"en", "hi"}
    assert len(clips) == 28


@pytest.mark.usefixtures("stand_ins")
def test_a_second_run_finds_everything_there(tmp_path: Path) -> None:
    first = run_demo(tmp_path / "demo")
    before = {path: path.read_bytes() for path in first.audio.rglob("*") if path.is_file()}
    again = run_demo(tmp_path / "demo")
    assert again.asked == 0
    assert {path: path.read_bytes() for path in again.audio.rglob("*") if path.is_file()} == before


@pytest.mark.usefixtures("stand_ins")
def test_a_demo_that_was_stopped_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(what: str, done: int, total: int) -> None:
        if what == "asking random" and done >= 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_demo(tmp_path / "demo", progress=stop)
    finished = len(read_rows(tmp_path / "demo" / "responses.jsonl", Response))
    assert 48 < finished < 108
    assert run_demo(tmp_path / "demo").asked == 108 - finished


@pytest.mark.usefixtures("stand_ins")
def test_fresh_starts_anew_and_touches_no_other_folder(tmp_path: Path) -> None:
    run_demo(tmp_path / "demo")
    assert run_demo(tmp_path / "demo", fresh=True).asked == 108
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("x", encoding="utf-8")
    with pytest.raises(UserError, match=r"mine: no demo is in it; nothing was removed"):
        run_demo(tmp_path / "mine", fresh=True)
    assert (tmp_path / "mine" / "thesis.txt").exists()


@pytest.mark.usefixtures("stand_ins")
def test_what_is_missing_is_said_in_the_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "fetch_offline", lambda name, progress: None)
    monkeypatch.setattr("voicebench.registry.importlib.util.find_spec", lambda name: None)
    run_demo(tmp_path / "demo")
    info = read_info(tmp_path / "demo")
    assert info is not None
    assert {NO_VOICES, NO_E5} <= set(info.notes)
