"""Cases to run scorers on, and a folder for scorers that are written on the spot."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conformance.cases import case
from voicebench.types import ConformanceRow


@pytest.fixture
def three() -> list[ConformanceRow]:
    """Three cases of two kinds."""
    return [
        case("a", want={"parameters": 1}),
        case("b", kind="other", lang="ta", want={"parameters": 0, "tool_selection": 1}),
        case("c", want={"parameter_fraction": 0.666667}),
    ]


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Write a module into the current folder; nothing of it is left behind."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "modules", dict(sys.modules))

    def write(name: str, text: str) -> None:
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")

    return write
