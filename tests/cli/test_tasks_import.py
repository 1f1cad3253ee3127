"""`voicebench tasks import`: from somebody else's files to a run."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import typer
from typer.testing import CliRunner, Result

from tests.tasks.doors.helpers import FIXTURES
from voicebench.audio.io import write_wav
from voicebench.cli.tasks_import import import_
from voicebench.errors import UserError
from voicebench.types import Audio


def _run(*words: str) -> Result:
    app = typer.Typer()
    app.command("import")(import_)
    return CliRunner().invoke(app, list(words))


def test_tasks_are_counted_and_the_next_command_is_named(tmp_path: Path) -> None:
    out = tmp_path / "bfcl.jsonl"
    ran = _run("bfcl", str(FIXTURES / "bfcl"), "--out", str(out))
    assert ran.exit_code == 0, ran.output
    lines = ran.stdout.splitlines()
    assert lines[0].startswith("10 tasks: ")
    assert any(line.startswith("left out: 1 × simple_java: its calls and types") for line in lines)
    assert lines[-2] == f"written: {out}"
    assert lines[-1].endswith(f"eval --model fake --tasks {out}")
    assert "licence of bfcl: Apache-2.0" in ran.stderr


def test_recordings_are_offered_to_the_next_command(tmp_path: Path) -> None:
    shutil.copytree(FIXTURES / "vab", tmp_path / "vab")
    clip = tmp_path / "vab/data/safety_data/hindi/audio/0.wav"
    write_wav(clip, Audio(np.zeros(16_000, np.float32), 16_000))
    ran = _run("vab", str(tmp_path / "vab"), "--out", str(tmp_path / "v"), "--lang", "hi")
    assert ran.exit_code == 0, ran.output
    assert "1 recording, 1 not readable (failures.jsonl)" in ran.stdout
    assert ran.stdout.splitlines()[-1].endswith(f"--condition text,speech --audio {tmp_path / 'v'}")


def test_where_no_recording_could_be_read_text_alone_is_offered(tmp_path: Path) -> None:
    ran = _run("vab", str(FIXTURES / "vab"), "--out", str(tmp_path / "v"), "--lang", "hi")
    assert "0 recordings, 2 not readable (failures.jsonl)" in ran.stdout
    assert ran.stdout.splitlines()[-1].endswith(f"--tasks {tmp_path / 'v' / 'tasks.jsonl'}")


def test_json_has_the_counts(tmp_path: Path) -> None:
    ran = _run("api-bank", str(FIXTURES / "api-bank"), "--out", str(tmp_path / "a.jsonl"), "--json")
    found = json.loads(ran.stdout)
    assert (found["count"], sum(one["count"] for one in found["left_out"])) == (4, 2)


def test_without_a_set_all_are_listed() -> None:
    ran = _run("--json")
    assert [row["set"] for row in json.loads(ran.stdout)] == [
        "vab", "bfcl", "api-bank", "agentharm", "audio-arena", "audio2tool", "openai",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("vba", "x"), "no door 'vba' into other task sets. Did you mean 'vab'"),
        (("vab",), "vab: say where it is"),
        (("vab", "hf:a/b"), "hf:a/b: give --revision"),
        (("vab", "nowhere"), "nowhere: no such file or folder"),
    ],
)
def test_mistakes_are_named(words: tuple[str, ...], message: str) -> None:
    ran = _run(*words)
    assert isinstance(ran.exception, UserError)
    assert message in str(ran.exception)
