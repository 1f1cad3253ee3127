"""Three files, whole or not at all."""

import json
from pathlib import Path

import pytest

from voicebench.errors import UserError
from voicebench.report import report_json, summarise, write_report
from voicebench.report.shape import Clip
from voicebench.report.write import clip_link

from .helpers import full_run, scored_run


def clip(path: str, run: str = "run") -> Clip:
    return Clip(run=run, condition="speech", path=path, duration_s=1.0, spoken_text="", synthesizer="kokoro")


def test_three_files_are_written_and_named(tmp_path: Path) -> None:
    paths = write_report(summarise([full_run()]), tmp_path / "new folder")
    assert sorted(path.name for path in (tmp_path / "new folder").iterdir()) == [
        "report.html", "report.json", "report.md", "tables",
    ]  # fmt: skip
    assert [path.name for path in paths.tables] == ["aggregates.csv", "causes.csv"]
    assert all(path.is_file() and path.parent.name == "tables" for path in paths.tables)
    assert (paths.html.name, paths.markdown.name, paths.json.name) == (
        "report.html",
        "report.md",
        "report.json",
    )


def test_a_second_report_replaces_the_first(tmp_path: Path) -> None:
    write_report(summarise([full_run()]), tmp_path)
    paths = write_report(summarise([scored_run({})]), tmp_path)
    assert json.loads(paths.json.read_text("utf-8"))["items"] == []
    assert paths.tables == ()
    assert list((tmp_path / "tables").iterdir()) == []


def test_a_folder_that_cannot_be_written_is_the_users_to_mend(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(UserError, match="cannot be written"):
        write_report(summarise([scored_run({})]), tmp_path / "file")


def test_the_json_is_documented_by_its_keys_and_keeps_null(tmp_path: Path) -> None:
    data = json.loads(report_json(summarise([scored_run({"text": [None, 1], "speech": [None, None]})])))
    assert data["format"] == "voicebench-report/2"
    assert set(data) == {
        "format", "runs", "agents", "conditions", "kinds", "langs", "finding", "notes", "coverage", "cells",
        "gaps", "blames", "aggregates", "refusal_prompts", "trials", "judges", "latency", "errors",
        "clip_failures", "voices", "items",
    }  # fmt: skip
    speech = next(c for c in data["cells"] if c["condition"] == "speech" and c["task"] is None)
    assert speech["figures"]["right"] == {
        "mean": None, "low": None, "high": None, "n_tasks": 0,
        "counts": {"planned": 2, "ran": 2, "failed": 0, "judge_failed": 2, "scored": 0},
        "failed": {}, "judge_failed": {"no judge": 2},
    }  # fmt: skip
    assert speech["kind_means"]["right"] is None


def test_letters_in_the_json_are_not_escaped() -> None:
    assert "जयनगर से <मैजेस्टिक> तक" in report_json(summarise([full_run()]))


@pytest.mark.parametrize(
    ("path", "link"),
    [
        ("clips/a.wav", "clips/a.wav"),
        ("clips/a #1?.wav", "clips/a%20%231%3F.wav"),
        ('clips/जय".wav', "clips/%E0%A4%9C%E0%A4%AF%22.wav"),
        ("javascript:alert(1)", "javascript%3Aalert%281%29"),
    ],
)
def test_a_link_is_percent_encoded(path: str, link: str, tmp_path: Path) -> None:
    assert clip_link(clip(path), tmp_path, None) == link


def test_a_link_leads_from_the_report_to_the_audio_folder(tmp_path: Path) -> None:
    out, audio = tmp_path / "runs" / "r1", tmp_path / "audio en"
    assert clip_link(clip("clips/a.wav"), out, audio) == "../../audio%20en/clips/a.wav"


def test_each_run_may_have_its_own_audio_folder(tmp_path: Path) -> None:
    roots = {"one": tmp_path / "x", "two": tmp_path / "y"}
    assert clip_link(clip("a.wav", "two"), tmp_path, roots) == "y/a.wav"
    assert clip_link(clip("a.wav", "three"), tmp_path, roots) == "a.wav"


def test_the_same_summary_gives_the_same_bytes(tmp_path: Path) -> None:
    first = write_report(summarise([full_run()]), tmp_path / "a", tmp_path)
    second = write_report(summarise([full_run()]), tmp_path / "b", tmp_path)
    for one, other in (
        (first.html, second.html),
        (first.markdown, second.markdown),
        (first.json, second.json),
    ):
        assert one.read_bytes() == other.read_bytes()
