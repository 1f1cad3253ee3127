"""The commands, from words to files: with fakes, so that each takes a moment."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from voicebench.files import read_rows
from voicebench.types import ManifestRow, Response, Scores

FAKES = ("--synthesizer", "fake", "--converter", "fake", "--encoder", "fake")


def test_the_controls_score_as_they_should(run: Run) -> None:
    ran = run("eval", "--model", "oracle", "--model", "random", "--lang", "hi", "--run", "r")
    assert ran.exit_code == 0, ran.output
    rows = read_rows(Path("r/scores.jsonl"), Scores)
    for figure in ("tool_selection", "call_structure", "parameters", "parameter_fraction", "call_fraction"):
        values = [getattr(row, figure) for row in rows if row.agent == "oracle"]
        assert {value for value in values if value is not None} == {1}
    random = [row.parameters for row in rows if row.agent == "random" and row.parameters is not None]
    assert sum(random) / len(random) < 0.1


def test_speech_runs_from_tasks_to_report(run: Run) -> None:
    built = run("build-audio", "--lang", "en,hi", "--limit", "1", "--effect", "telephony", *FAKES)
    assert built.exit_code == 0, built.output
    assert built.stdout.splitlines()[-1].endswith("--condition text,speech,speech/telephony --audio audio")
    clips = read_rows(Path("audio/manifest.jsonl"), ManifestRow)
    assert {clip.condition for clip in clips} == {"speech", "speech/telephony"}
    assert run("transcribe", "--asr", "fake", "--lang", "hi").exit_code == 0
    conditions = "text,speech,speech/telephony"
    asked = run("eval", "--model", "oracle", "--condition", conditions, "--limit", "1", "--run", "runs/one")
    assert asked.exit_code == 0, asked.output
    assert [path.name for path in Path("runs/one").glob("report.*")] != []
    page = Path("runs/one/report.html").read_text(encoding="utf-8")
    assert "../../audio/clips/" in page


def test_a_second_eval_asks_nothing(run: Run) -> None:
    words = ("eval", "--model", "fake", "--lang", "en", "--task", "single", "--limit", "10", "--run", "r")
    assert "fake: 10 asked, 0 kept, 0 with an error" in run(*words).output
    assert "fake: 0 asked, 10 kept, 0 with an error" in run(*words).output
    assert "fake: 10 asked, 0 kept, 0 with an error" in run(*words, "--fresh").output


def test_score_reads_files_from_anywhere(run: Run, tmp_path: Path) -> None:
    row = {
        "task_id": "single-hi-0002", "agent": "somebody's", "condition": "text", "trial": 0,
        "text": "[food.add_item(dish='वड़ा पाव', quantity=2)]",
    }  # fmt: skip
    (tmp_path / "theirs.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    ran = run("score", "--responses", "theirs.jsonl", "--out", "scored")
    assert ran.exit_code == 0, ran.output
    (scores,) = read_rows(Path("scored/scores.jsonl"), Scores)
    assert (scores.parameters, scores.tool_selection, scores.call_structure) == (1, 1, 1)


def test_a_run_can_be_scored_and_reported_again(run: Run) -> None:
    run("eval", "--model", "oracle", "--limit", "1", "--run", "r", "--no-score")
    assert not Path("r/scores.jsonl").exists()
    early = run("report", "--run", "r")
    assert early.exit_code == 2
    assert "r: not scored yet. Run: voicebench score --run r" in early.output
    assert run("score", "--run", "r").stdout.splitlines()[-1] == "Next: voicebench report --run r"
    assert run("report", "--run", "r", "--out", "elsewhere").exit_code == 0
    assert sorted(path.name for path in Path("elsewhere").iterdir()) == [
        "report.html",
        "report.json",
        "report.md",
        "tables",
    ]


def test_report_prints_its_table_as_json(run: Run) -> None:
    run("eval", "--model", "oracle", "--lang", "hi", "--limit", "1", "--task", "single", "--run", "r")
    (row,) = json.loads(run("report", "--run", "r", "--json").stdout)
    assert (row["agent"], row["right"], row["scored"]) == ("oracle", "1.00", "1 of 1")


def test_tasks_check_exits_with_1_and_names_file_and_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"id": "x"}\n', encoding="utf-8")
    ran = run("tasks", "check", "t.jsonl")
    assert ran.exit_code == 1
    assert ran.stdout.startswith("t.jsonl:1: ")
    assert run("tasks", "check", "--quick").stdout == "no problem found\n"


def test_audio_probe_prints_a_json_line_a_file(run: Run, tmp_path: Path) -> None:
    run("build-audio", "--lang", "en", "--task", "single", "--limit", "1", *FAKES)
    (clip,) = Path("audio/clips").iterdir()
    (tmp_path / "broken.wav").write_bytes(b"RIFF")
    ran = run("audio", "probe", str(clip), "broken.wav", "nowhere.wav")
    assert ran.exit_code == 1
    good, broken, nowhere = (json.loads(line) for line in ran.stdout.splitlines())
    assert (good["sample_rate_hz"], good["channels"]) == (16000, 1)
    assert "error" in broken
    assert "error" in nowhere


@pytest.mark.parametrize("name", ["tasks", "manifest", "transcripts", "responses", "scores", "conformance"])
def test_schema_prints_json_schema(run: Run, name: str) -> None:
    schema = json.loads(run("schema", name).stdout)
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False


def test_models_list_says_how_each_was_verified(run: Run) -> None:
    rows = json.loads(run("models", "list", "--json").stdout)
    verified = {row["name"]: row["verified"] for row in rows if row["kind"] in ("agent", "asr")}
    assert verified["kimi-audio"] == "never run"
    assert verified["whisper-base"] == "weights"


def test_doctor_says_what_each_command_needs(run: Run) -> None:
    rows = json.loads(run("doctor", "--json").stdout)
    by_name = {row["name"]: row for row in rows if row["part"] == "command"}
    assert by_name["eval --model kimi-audio"]["detail"].endswith("[kimi-audio]'")
    assert by_name["score, report, tasks, schema"]["state"] == "ok"


def test_without_a_condition_speech_is_asked_where_there_are_clips(run: Run) -> None:
    words = ("eval", "--model", "oracle", "--lang", "en", "--task", "single", "--limit", "1")
    early = run(*words, "--run", "a")
    assert "no clips in audio: only text is asked" in early.output
    run("build-audio", "--lang", "en", "--task", "single", "--limit", "1", *FAKES)
    run(*words, "--run", "b")
    asked = {folder: sorted(row.condition for row in read_rows(Path(folder) / "responses.jsonl", Response))
             for folder in ("a", "b")}  # fmt: skip
    assert asked == {"a": ["text"], "b": ["speech", "text"]}
