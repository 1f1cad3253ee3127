"""`eval --ablate`: what it asks, refuses, writes and prints."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.ablation.helpers import AGENT, CASCADE, SPEECH, TEXT, column, run_of
from tests.cli.conftest import Run
from tests.compare.helpers import write_run
from voicebench.ablation import Ablation
from voicebench.ablation.shape import Line, Table
from voicebench.agents import forget_loaded
from voicebench.cli.ablate import ablation_subject, say_ablation
from voicebench.errors import UserError
from voicebench.fakes import FakeLanguageModel, right_calls
from voicebench.files import read_rows, write_rows
from voicebench.running.materials import TRANSCRIPTS, read_materials
from voicebench.tasks.read import read_tasks
from voicebench.types import Message, ModelRef, Part, Prompting, Response, Tool, TranscriptRow

FAKES = ("--synthesizer", "fake", "--converter", "fake", "--encoder", "fake")
SMALL = ("--lang", "en,hi", "--limit", "2")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    run = run_of({
        (AGENT, TEXT): column("single-hi", [1, 1]),
        (AGENT, SPEECH): column("single-hi", [0, 1]),
    })  # fmt: skip
    return write_run(tmp_path / "run", run.scores, run.tasks, 0, planned=())


def test_the_tables_are_printed_and_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    say_ablation(folder, CASCADE)
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "What hearing costs"
    assert printed[-2:] == [f"written: {folder / 'ablation.md'}", f"written: {folder / 'ablation.json'}"]
    assert (folder / "ablation.md").read_text("utf-8").startswith(f"# Ablations of {AGENT}")


def test_json_is_printed_as_it_is_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    say_ablation(folder, CASCADE, as_json=True)
    printed = capsys.readouterr().out
    assert Ablation.model_validate_json(printed).agent == AGENT
    assert printed == (folder / "ablation.json").read_text("utf-8")


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no run here"):
        say_ablation(tmp_path, CASCADE)


@pytest.mark.parametrize(
    ("model", "conditions", "heard"),
    [
        ("fake+fake", ("text", "speech/noise-10dB"), "speech/noise-10dB"),
        ("fake+fake", ("text", "transcript:fake"), "transcript:fake"),
        ("oracle", ("text", "transcript:fake"), "text"),
        ("fake+fake", ("text",), "text"),
    ],
)
def test_what_is_heard_is_sound_then_its_own_transcripts_then_words(
    model: str, conditions: tuple[str, ...], heard: str
) -> None:
    assert ablation_subject(model, conditions, Prompting(), None).condition == heard


# ---- From the command line ----


class Reader(FakeLanguageModel):
    """Makes the right calls where it reads a shipped task's own words and is shown an example."""

    def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Tool] = (),
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 512,
        temperature: float = 0.0,
        seed: int = 0,
    ) -> Iterator[Part]:
        known = {task.turns[-1].text: task for task in read_tasks(None, langs=["en", "hi"], kinds=None)}
        task = known.get(messages[-1].content) if "An example" in messages[0].content else None
        calls = right_calls(task.expect) if task is not None else ()
        yield Part("content", json.dumps([call.model_dump() for call in calls], ensure_ascii=False), 0.0)


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    forget_loaded()
    monkeypatch.setattr("voicebench.fakes.FakeLanguageModel", Reader)
    yield
    forget_loaded()


@pytest.fixture
def clips(run: Run) -> None:
    assert run("build-audio", *SMALL, *FAKES).exit_code == 0


def hear(asr: str, heard: Mapping[str, str]) -> None:
    """Write transcripts of all clips: of some tasks the given words, of the others nothing."""
    rows = [
        TranscriptRow(
            task_id=clip.task_id, turn=clip.turn, condition=clip.condition, asr=ModelRef(name=asr),
            text=heard.get(clip.task_id, ""), audio_sha256=clip.sha256,
        )
        for clip in read_materials(Path("audio")).clips.values()
    ]  # fmt: skip
    write_rows(Path("audio") / TRANSCRIPTS, rows)


def tables() -> dict[str, Table]:
    text = Path("r/ablation.json").read_text("utf-8")
    return {table.name: table for table in Ablation.model_validate_json(text).tables}


def line(table: Table, scope: str, over: str, figure: str = "parameters") -> Line:
    [found] = [one for one in table.lines if (one.scope, one.over, one.figure) == (scope, over, figure)]
    return found


@pytest.mark.usefixtures("reader", "clips")
def test_four_tables_come_of_one_command(run: Run) -> None:
    tasks = read_tasks(None, langs=["en", "hi"], kinds=["single"])
    hear("whisper-base", {task.id: task.turns[0].text for task in tasks if task.id.endswith("0001")})
    words = ("--ablate", *SMALL, "--task", "single,safety", "--second-asr", "whisper-base", "--run", "r")
    said = run("eval", "--model", "fake+fake", *words)
    assert said.exit_code == 0, said.output
    assert "fake+fake@zero-shot: 4 asked, 0 kept, 0 with an error" in said.output
    asked = {(row.agent, row.condition) for row in read_rows(Path("r/responses.jsonl"), Response)}
    assert asked == {
        ("fake+fake", "text"), ("fake+fake", "speech"), ("fake+fake", "transcript:whisper-base"),
        ("fake+fake@zero-shot", "speech"), ("fake+fake@no-refusal", "speech"),
    }  # fmt: skip
    hearing = line(tables()["hearing"], "all", "single")
    assert [cell and cell.mean for cell in hearing.cells] == [1.0, 0.0, 0.5]
    assert [change and change.difference for change in hearing.changes] == [-1.0, -0.5, 0.5]
    assert hearing.recovered is not None
    assert (hearing.recovered.n, hearing.recovered.share) == (4, 0.5)
    assert "written: r/ablation.md" in said.output
    again = run("eval", "--model", "fake+fake", *words)
    assert "fake+fake@zero-shot: 0 asked, 4 kept, 0 with an error" in again.output


@pytest.mark.usefixtures("reader")
def test_without_sound_the_variants_are_over_words(run: Run) -> None:
    ran = run("eval", "--model", "fake+fake", "--ablate", *SMALL, "--task", "single", "--run", "r")
    assert ran.exit_code == 0, ran.output
    example = line(tables()["example"], "hi", "single")
    assert [cell and cell.mean for cell in example.cells] == [1.0, 0.0]
    assert "fake: not run (fake+fake under speech). Run: voicebench build-audio" in ran.output


@pytest.mark.usefixtures("clips")
def test_a_second_asr_without_a_transcript_is_told_before_anything_is_asked_or_removed(run: Run) -> None:
    words = ("eval", "--model", "fake+fake", *SMALL, "--task", "single", "--run", "r")
    assert run(*words).exit_code == 0
    ran = run(*words, "--ablate", "--second-asr", "whisper-base", "--fresh")
    assert ran.exit_code == 2
    [said] = ran.output.strip().splitlines()
    assert said.endswith(
        "it has no transcript by whisper-base. Run: voicebench transcribe --asr whisper-base"
    )
    assert len(read_rows(Path("r/responses.jsonl"), Response)) == 8


@pytest.mark.usefixtures("clips")
def test_a_language_that_the_second_asr_did_not_hear_is_told_once_and_is_no_0(run: Run) -> None:
    assert run("transcribe", "--asr", "fake", "--lang", "hi").exit_code == 0
    words = ("--ablate", *SMALL, "--task", "single", "--second-asr", "fake", "--run", "r")
    ran = run("eval", "--model", "oracle", *words)
    assert ran.exit_code == 0, ran.output
    told = [one for one in ran.output.splitlines() if one.startswith("transcript:fake: ")]
    assert told == [
        "transcript:fake: 2 of 4 tasks cannot be asked (single-en-0001 turn 0: it has no transcript by "
        "fake). Run: voicebench transcribe --asr fake"
    ]
    *_, second = line(tables()["hearing"], "en", "single").cells
    assert second is not None and (second.mean, second.counts.planned) == (None, 2)
    assert line(tables()["hearing"], "hi", "single").recovered is not None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("--model", "oracle", "--second-asr", "fake"),
            "--second-asr goes with --ablate. For a run of it: --condition transcript:fake",
        ),
        (
            ("--model", "oracle", "--model", "random", "--ablate"),
            "--ablate takes one agent a run, not 2: its tables are one agent's",
        ),
        (("--model", "oracle@native", "--ablate"), "--ablate makes variants itself. Name the agent without"),
        (
            ("--model", "oracle", "--ablate", "--second-asr", "whisperbase"),
            "unknown asr 'whisperbase'. Did you mean 'whisper-base'?",
        ),
        (("--model", "fake+fake", "--ablate", "--second-asr", "fake"), "the second ASR is the agent's own"),
    ],
)
@pytest.mark.usefixtures("clips")
def test_a_mistake_is_one_line_and_nothing_is_asked(run: Run, words: tuple[str, ...], said: str) -> None:
    ran = run("eval", *words, *SMALL, "--run", "r")
    assert ran.exit_code == 2
    assert said in ran.output
    assert ran.output.strip().count("\n") == 0
    assert not Path("r").exists()
