"""`voicebench latency`: what it prints, writes, and how it exits."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.running.helpers import add_clips, make_task
from voicebench.fakes import FakeAgent
from voicebench.files import read_rows, write_rows
from voicebench.types import Request, Response

TEXT = ("latency", "--model", "fake", "-n", "4", "--condition", "text")


def test_it_prints_moments_and_parts_and_where_they_are(run: Run, tmp_path: Path) -> None:
    said = run(*TEXT, "--out", "clock", "--lang", "hi")
    assert said.exit_code == 0, said.output
    lines = said.stdout.splitlines()
    assert lines[0] == "fake, text, hi: 4 of 4 answered"
    assert lines[2].startswith("loaded in ") and lines[2].endswith("(3 requests); neither counts")
    assert any(line.startswith("done          4  0.000 [–, –]") for line in lines)
    assert any(line.split() == ["together", "4", "0.000", "–"] for line in lines)
    assert lines[-1] == "Seconds after the user stopped speaking. Rows and summary: clock"
    assert len(read_rows(tmp_path / "clock" / "latency.jsonl", Response)) == 4


def test_json_is_the_summary_and_nothing_else(run: Run, tmp_path: Path) -> None:
    said = run(*TEXT, "--out", "clock", "--json", "--rate", "1000", "--arrivals", "even")
    found = json.loads(said.stdout)
    assert found == json.loads((tmp_path / "clock" / "latency.json").read_text(encoding="utf-8"))
    assert (found["answered"], found["rate_per_s"], found["arrivals"]) == (4, 1000.0, "even")
    assert found["queued"]["n"] == 4


def test_sound_is_heard_from_the_audio_folder(run: Run, tmp_path: Path) -> None:
    tasks = [make_task(number, "th") for number in range(1, 4)]
    write_rows(tmp_path / "tasks.jsonl", tasks)
    add_clips(tmp_path / "audio", tasks)
    said = run("latency", "--model", "fake", "-n", "5", "--tasks", "tasks.jsonl", "--out", "o")
    assert said.exit_code == 0, said.output
    assert "sound of a request: mean 0.05 s, p50 0.05 s, p90 0.05 s, total 0.2 s" in said.stdout
    assert "Note: 3 tasks for 8 requests: each was asked up to 3 times." in said.stdout


def test_the_default_folder_has_the_day_and_the_agent_in_its_name(run: Run, tmp_path: Path) -> None:
    assert run(*TEXT).exit_code == 0
    [folder] = (tmp_path / "runs").iterdir()
    assert folder.name.startswith("latency-20") and folder.name.endswith("-fake")


def test_a_measurement_is_replaced_only_if_asked_to(run: Run, tmp_path: Path) -> None:
    assert run(*TEXT, "--out", "o").exit_code == 0
    again = run(*TEXT, "--out", "o")
    assert again.exit_code == 2
    assert (
        "o: holds a measurement. Name another folder with --out, or replace it with --fresh" in again.output
    )
    assert run(*TEXT, "--out", "o", "--fresh").exit_code == 0


def test_nothing_answered_is_a_failure(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: FakeAgent, requests: list[Request]) -> list[Response]:
        return [request.failure("server", "gone") for request in requests]

    monkeypatch.setattr(FakeAgent, "respond", fail)
    said = run(*TEXT, "--warm-up", "0")
    assert said.exit_code == 1
    assert "4 server" in said.stdout
    assert "none of 4 requests was answered" in said.output
    failed = run(*TEXT, "--out", "o")
    assert failed.exit_code == 1
    assert "voicebench: the warm-up failed (3 of 3 requests): gone" in failed.output


def test_an_interrupt_shows_what_there_is_and_exits_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    own = FakeAgent.respond
    asked: list[Request] = []

    def stop(self: FakeAgent, requests: list[Request]) -> list[Response]:
        if len(asked) == 5:
            raise KeyboardInterrupt
        asked.extend(requests)
        return own(self, requests)

    monkeypatch.setattr(FakeAgent, "respond", stop)
    said = run(*TEXT, "--out", "o")
    assert said.exit_code == 130
    assert "2 of 2 answered; stopped, 4 were planned" in said.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--rate", "0"), "--rate 0: a rate is above 0"),
        (("--arrivals", "poison"), "Did you mean 'poisson'?"),
        (("--condition", "speach"), "Did you mean 'speech'?"),
        (("--tools", "nativ"), "Did you mean 'native'?"),
        (("--condition", "speech"), "Run: voicebench build-audio --out audio"),
    ],
)
def test_a_mistake_is_one_line(run: Run, words: tuple[str, ...], said: str) -> None:
    failed = run(*TEXT, *words)
    assert failed.exit_code == 2
    assert said in failed.output
