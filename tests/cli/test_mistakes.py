"""A user's mistake is one line that says what, where and what next, and exits with 2; a bug is not."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from voicebench.errors import AgentFailure


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("build-audio", "--lang", "hi", "--gpu", "0"),
            "voicebench: --gpu 0: this machine has no CUDA device 0 (it has none). On the CPU: --device cpu",
        ),
        (("evall",), "voicebench: unknown command 'evall'. Did you mean 'eval'? See: voicebench --help"),
        (
            ("models", "lst"),
            "voicebench: unknown command 'lst'. Did you mean 'list'? See: voicebench models --help",
        ),
        (("build-audio", "--lang", "hindi"), "no tasks in 'hindi'"),
        (("build-audio", "--synthesizer", "kokro"), "unknown tts 'kokro'. Did you mean 'kokoro'?"),
        (("build-audio", "--effect", "nois-10dB"), "'nois-10dB'"),
        (("build-audio", "--engine", "rai"), "--engine 'rai' is unknown. Did you mean 'ray'?"),
        (("build-audio", "--engine", "ray", "--gpu", "0,1"), "with --engine ray the cluster chooses GPUs"),
        (("build-audio", "--engine", "ray", "--device", "tpu"), "--device 'tpu' is unknown"),
        (("eval", "--model", "fake", "--engine", "rai"), "--engine 'rai' is unknown. Did you mean 'ray'?"),
        (("eval", "--model", "orakle"), "Did you mean 'oracle'?"),
        (
            ("eval", "--model", "whisper-bas+smollm2"),
            "unknown ASR 'whisper-bas'. Did you mean 'whisper-base'?",
        ),
        (
            ("eval", "--model", "fake", "--condition", "speach"),
            "unknown condition 'speach'. Did you mean 'speech'?",
        ),
        (("eval", "--model", "fake", "--condition", "speech"), "Run: voicebench build-audio --out audio"),
        (
            ("eval", "--model", "fake", "--task", "singel"),
            "--task 'singel' is unknown. Did you mean 'single'?",
        ),
        (("eval", "--model", "fake", "--tasks", "nowhere.jsonl"), "nowhere.jsonl: no such file"),
        (("transcribe", "--asr", "whisper-tiny.en", "--lang", "hi"), "whisper-tiny.en hears en, not hi"),
        (("score", "--responses", "nowhere.jsonl", "--out", "o"), "nowhere.jsonl: no such file"),
        (("report", "--run", "nowhere"), "nowhere: no run here. Run: voicebench eval --run nowhere"),
        (("schema", "respones"), "Did you mean 'responses'?"),
        (("models", "fetch", "kokro"), "Did you mean 'kokoro'?"),
    ],
)
def test_a_mistake_is_one_line_and_exits_with_2(run: Run, words: tuple[str, ...], said: str) -> None:
    ran = run(*words)
    assert ran.exit_code == 2, ran.output
    assert said in ran.output
    assert ran.output.strip().count("\n") == 0
    assert "Traceback" not in ran.output


def test_a_missing_extra_ends_with_its_install_line(run: Run) -> None:
    ran = run("eval", "--model", "kimi-audio")
    assert ran.exit_code == 2
    line = ran.output.strip()
    assert line.startswith(
        "voicebench: kimi-audio is not installed (no package 'kimia_infer'). "
        "It needs 24 GB of GPU memory. Run: pip install"
    )
    assert line.endswith("[kimi-audio]'")


def test_a_wrong_option_names_the_one_that_was_meant(run: Run) -> None:
    ran = run("eval", "--modle", "fake")
    assert ran.exit_code == 2
    assert "--model" in ran.output


def test_a_broken_line_in_a_task_file_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"id": "a"}\n{"id": \n', encoding="utf-8")
    ran = run("eval", "--model", "fake", "--tasks", "t.jsonl")
    assert ran.exit_code == 2
    assert "t.jsonl:1: " in ran.output


def test_a_language_that_a_synthesizer_does_not_speak_names_those_that_do(run: Run, tmp_path: Path) -> None:
    tasks = tmp_path / "tasks.jsonl"
    tasks.write_text(
        '{"id": "a", "task": "single", "lang": "fil", "turns": [{"role": "user", "text": "Buksan ang ilaw"}],'
        ' "tools": [{"name": "lamp.on", "description": "", "parameters": {"type": "object"}}],'
        ' "expect": {"calls": [{"name": "lamp.on", "arguments": {}}]}}\n',
        encoding="utf-8",
    )
    ran = run("build-audio", "--tasks", str(tasks), "--synthesizer", "espeak")
    assert ran.exit_code == 2
    assert ran.output.startswith(
        "voicebench: espeak does not know the language 'fil'. These do: mms, elevenlabs"
    )


def test_a_server_that_fails_is_one_line_and_exits_with_1(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **options: object) -> None:
        raise AgentFailure("server", "openai-speech: 127.0.0.1:9: nothing answers there")

    monkeypatch.setattr("voicebench.audio.build.build", fail)
    ran = run(
        "build-audio", "--lang", "en", "--synthesizer", "fake", "--converter", "none", "--encoder", "none"
    )
    assert ran.exit_code == 1
    assert ran.output.strip() == "voicebench: openai-speech: 127.0.0.1:9: nothing answers there"


def test_a_bug_keeps_its_traceback(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("voicebench.doctor.examine", broken)
    assert isinstance(run("doctor").exception, ZeroDivisionError)


def test_ctrl_c_says_that_nothing_is_lost(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("voicebench.doctor.examine", interrupted)
    ran = run("doctor")
    assert ran.exit_code == 130
    assert "What is finished is kept; run the same command again to go on" in ran.output


def test_the_command_exits_as_a_process_too() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "voicebench", "schema", "x"], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr.startswith("voicebench: unknown format 'x'.")
