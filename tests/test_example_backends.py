"""The example package of docs/: installed as a user would, and run by the commands of its README."""

import importlib.util
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.contract import test_agents
from tests.example_package import EXAMPLE, example
from tests.pages import DOCS, blocks
from voicebench.files import read_rows
from voicebench.types import ManifestRow, ModelRef, Response, Scores, TranscriptRow

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
    def command(*words: str, beside: Path | None = None) -> "subprocess.CompletedProcess[str]":
        paths = [str(path) for path in (installed, beside, os.environ.get("PYTHONPATH")) if path]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
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


def test_somebody_elses_broken_package_is_a_warning_and_takes_nothing_away(run: Run, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    (broken / "ruin-1.0.dist-info").mkdir(parents=True)
    (broken / "ruin.py").write_text("raise SystemExit(3)\n", encoding="utf-8")
    described = {
        "METADATA": "Metadata-Version: 2.1\nName: ruin\nVersion: 1.0\n",
        "entry_points.txt": "[voicebench.backends]\nruin = ruin:RECORD\n",
    }
    for name, text in described.items():
        (broken / "ruin-1.0.dist-info" / name).write_text(text, encoding="utf-8")
    ran = run("models", "list", "--kind", "asr", beside=broken)
    assert ran.returncode == 0, ran.stderr
    assert "backends of ruin are left out: ruin:RECORD cannot be loaded (3)" in " ".join(ran.stderr.split())
    assert "tone-reader" in ran.stdout and "whisper-base" in ran.stdout


def tool_of(response: Response) -> str:
    """Return the tool of the one call that was answered, native or written."""
    calls = (
        [call.model_dump() for call in response.calls] if response.calls else json.loads(response.text or "")
    )
    [call] = calls
    return str(call["name"])


def test_the_commands_of_its_readme_speak_hear_answer_and_score(run: Run, tmp_path: Path) -> None:
    lines = (EXAMPLE / "README.md").read_text(encoding="utf-8").splitlines()
    commands = [shlex.split(line)[1:] for line in lines if line.startswith("    voicebench ")]
    assert [words[0] for words in commands] == ["models", "build-audio", "transcribe", "eval"]
    for words in commands:
        ran = run(*words)
        assert ran.returncode == 0, ran.stderr
    clips = read_rows(tmp_path / "audio" / "manifest.jsonl", ManifestRow)
    assert {row.synthesizer for row in clips} == {ModelRef(name="tone", revision="1.0")}
    texts = [row.text for row in read_rows(tmp_path / "audio" / "transcripts.jsonl", TranscriptRow)]
    assert texts[0] == "get me an auto from jayanagar to majestic"
    answers = read_rows(tmp_path / "run" / "responses.jsonl", Response)
    assert all(row.error is None and row.timeline is not None for row in answers)
    # Of the first task, whose tools are cab.book_ride and cab.get_fare.
    assert {
        (row.agent, row.condition): tool_of(row) for row in answers if row.task_id == "single-en-0001"
    } == {
        ("tone-reader+first-tool", "text"): "cab.get_fare",
        ("tone-reader+first-tool", "speech"): "cab.get_fare",
        ("loudness", "text"): "cab.get_fare",
        ("loudness", "speech"): "cab.book_ride",
    }
    assert len(read_rows(tmp_path / "run" / "scores.jsonl", Scores)) == len(answers) == 8


AGENT_CASES = [case for name, case in vars(test_agents).items() if name.startswith("test_")]


@pytest.mark.parametrize("case", AGENT_CASES, ids=lambda case: case.__name__)
def test_its_agent_meets_the_contract_of_agents(case: Callable[..., None]) -> None:
    # The other three stand in the tables of tests/contract/.
    case(example("loudness"))


def test_a_language_that_it_does_not_know_is_refused_before_anything_is_made(
    run: Run, tmp_path: Path
) -> None:
    ran = run("build-audio", "--lang", "hi", "--limit", "1", "--synthesizer", "tone", "--converter", "none")
    assert ran.returncode == 2
    assert "tone does not know the language 'hi'" in " ".join(ran.stderr.split())
    assert not (tmp_path / "audio" / "manifest.jsonl").exists()


def test_the_page_shows_the_very_files() -> None:
    files = {path.name: path.read_text(encoding="utf-8") for path in EXAMPLE.rglob("*.py")}
    shown = {block.file: block.text for block in blocks(DOCS / "adding-a-backend.md", "python")}
    assert shown.keys() & files.keys() == {"tone.py", "first_tool.py", "loudness.py"}
    assert [name for name in shown.keys() & files.keys() if shown[name] != files[name]] == []


def test_the_backends_are_each_as_short_as_the_page_says() -> None:
    for path in EXAMPLE.rglob("*.py"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 40, path.name
