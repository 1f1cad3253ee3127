"""What errors say."""

import pickle
from pathlib import Path

import pytest

import voicebench.errors
from voicebench.errors import (
    AgentFailure,
    MissingExtraError,
    UserError,
    VoicebenchError,
    did_you_mean,
    install_line,
)


def test_the_closest_name_is_offered() -> None:
    assert did_you_mean("book_cab", ["cab.book", "cab.get_fare"]) == " Did you mean 'cab.book'?"


def test_without_a_close_name_all_are_listed() -> None:
    assert did_you_mean("xyz", ["whisper-base", "fake"]) == " Known: fake, whisper-base."


def test_without_any_name_nothing_is_said() -> None:
    assert did_you_mean("xyz", []) == ""


def test_in_a_checkout_the_install_line_is_editable(monkeypatch: pytest.MonkeyPatch) -> None:
    checkout = Path(voicebench.errors.__file__).parent.parent
    monkeypatch.chdir(checkout)
    assert install_line("kimi-audio") == "pip install -e '.[kimi-audio]'"


def test_elsewhere_the_install_line_names_the_checkout(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    checkout = Path(voicebench.errors.__file__).parent.parent
    monkeypatch.chdir(tmp_path)
    assert install_line("gguf") == f"pip install -e '{checkout}[gguf]'"


def test_an_installed_wheel_is_extended_by_its_distribution(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(voicebench.errors, "__file__", str(tmp_path / "voicebench" / "errors.py"))
    assert install_line("gguf") == "pip install 'voicebench-agents[gguf]'"


def test_a_missing_extra_says_what_is_missing_and_how_to_get_it() -> None:
    message = str(MissingExtraError("kimi-audio", "kimi-audio", "kimia_infer"))
    assert message.startswith("kimi-audio is not installed (no package 'kimia_infer'). Run: pip install ")
    assert message.endswith("[kimi-audio]'")


@pytest.mark.parametrize(
    "error",
    [
        UserError("tasks.jsonl:3: नाम नहीं"),
        MissingExtraError("kokoro", "tts-kokoro", "kokoro"),
        AgentFailure("out_of_memory", "the GPU is full"),
    ],
)
def test_an_error_is_the_same_in_another_process(error: VoicebenchError) -> None:
    there = pickle.loads(pickle.dumps(error))
    assert type(there) is type(error)
    assert (str(there), there.__dict__) == (str(error), error.__dict__)
