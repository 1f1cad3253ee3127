"""The example package of docs/: installed as a user would, and run by the commands of its README."""

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from voicebench.files import read_rows
from voicebench.types import Response, Scores, TranscriptRow

EXAMPLE = Path(__file__).parent.parent / "docs" / "example-backends"
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if importlib.util.find_spec("hatchling") is None:
        pytest.skip("hatchling builds the package")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps"]
    command += ["--no-build-isolation", "--no-index", "--target", str(folder), str(EXAMPLE)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return folder


@pytest.fixture
def run(installed: Path, tmp_path: Path) -> Run:
    paths = [str(installed), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}

    def command(*words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "voicebench", *words], cwd=tmp_path, env=environment,
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    return command


def test_its_backends_are_listed_with_the_built_in_ones(run: Run) -> None:
    ran = run("models", "list", "--json")
    assert ran.returncode == 0, ran.stderr
    listed = {(row["kind"], row["name"]) for row in json.loads(ran.stdout)}
    ours = {("tts", "tone"), ("asr", "tone-reader"), ("llm", "first-tool"), ("agent", "loudness")}
    assert ours < listed and ("asr", "whisper-base") in listed


def test_they_speak_hear_answer_and_are_scored(run: Run, tmp_path: Path) -> None:
    built = run(
        "build-audio", "--lang", "en", "--task", "single", "--limit", "2", "--synthesizer", "tone",
        "--converter", "none", "--encoder", "none",
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    heard = run("transcribe", "--asr", "tone-reader")
    assert heard.returncode == 0, heard.stderr
    texts = [row.text for row in read_rows(tmp_path / "audio" / "transcripts.jsonl", TranscriptRow)]
    assert texts[0] == "get me an auto from jayanagar to majestic"
    asked = run(
        "eval", "--model", "tone-reader+first-tool", "--model", "loudness", "--lang", "en",
        "--task", "single", "--limit", "2", "--run", "run",
    )  # fmt: skip
    assert asked.returncode == 0, asked.stderr
    answers = read_rows(tmp_path / "run" / "responses.jsonl", Response)
    assert {row.agent for row in answers} == {"tone-reader+first-tool", "loudness"}
    assert all(row.error is None for row in answers)
    assert len(read_rows(tmp_path / "run" / "scores.jsonl", Scores)) == len(answers) == 8
