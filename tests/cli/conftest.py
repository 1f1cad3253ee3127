"""Run the command line in this process, from a folder of its own."""

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from voicebench.cli.main import app

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `voicebench WORDS`; whatever is written lands in the test's folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("voicebench.devices.cuda_devices", lambda: ())

    def run_words(*words: str) -> Result:
        return CliRunner().invoke(app, list(words), prog_name="voicebench")

    return run_words
