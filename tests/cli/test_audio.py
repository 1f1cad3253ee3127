"""`voicebench audio`: one line of JSON a file, and a data set of a folder."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.audio.clip_folders import clip, make_folder, task
from tests.cli.conftest import Run
from voicebench.audio.io import write_wav
from voicebench.types import Audio


def test_probe_prints_a_line_for_each_file_and_fails_if_one_is_no_audio(run: Run, tmp_path: Path) -> None:
    write_wav(tmp_path / "क्लिप.wav", Audio(np.full(8000, 0.5, np.float32), 16000))
    (tmp_path / "words.wav").write_text("Not sound, but words.\n", encoding="utf-8")
    ran = run("audio", "probe", "words.wav", "क्लिप.wav", "nowhere.wav")
    assert ran.exit_code == 1
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [set(line) for line in lines[::2]] == [{"path", "error"}, {"path", "error"}]
    assert lines[1] == {
        "path": "क्लिप.wav", "duration_s": 0.5, "sample_rate_hz": 16000, "channels": 1, "peak": 0.5,
    }  # fmt: skip
    assert "क्लिप.wav" in ran.stdout


def test_probe_succeeds_where_every_file_is_audio(run: Run, tmp_path: Path) -> None:
    write_wav(tmp_path / "a.wav", Audio(np.zeros(1, np.float32), 16000))
    ran = run("audio", "probe", "a.wav")
    assert ran.exit_code == 0
    assert json.loads(ran.stdout)["duration_s"] == 1 / 16000


def test_a_name_that_is_no_utf_8_is_printed_as_json_can_tell_it(run: Run, tmp_path: Path) -> None:
    ran = run("audio", "probe", "a\udcff.wav")
    assert json.loads(ran.stdout)["path"] == "a\udcff.wav"


def test_a_folder_becomes_a_data_set(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    make_folder(tmp_path / "audio", [clip(task(1, "hi"))])
    ran = run("audio", "export", "audio", "--out", "set")
    assert ran.exit_code == 0, ran.output
    assert "1 clip in 1 file (" in ran.stdout
    assert "Load it: datasets.load_dataset('set')" in ran.stdout
    assert (tmp_path / "set" / "data" / "hi" / "test-00000-of-00001.parquet").is_file()


def test_a_folder_without_clips_is_a_mistake(run: Run) -> None:
    pytest.importorskip("pyarrow")
    ran = run("audio", "export", "nowhere")
    assert ran.exit_code == 2
    assert (
        ran.output
        == "voicebench: nowhere: no manifest.jsonl here. Run: voicebench build-audio --out nowhere\n"
    )
