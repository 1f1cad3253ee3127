import sys
from pathlib import Path

import pytest

from tests.audio.references.test_selection import ROWS, embedded
from voicebench.audio.references.comparison import compare_methods
from voicebench.audio.references.plots import draw
from voicebench.errors import MissingExtraError


def test_without_matplotlib_the_line_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(
        MissingExtraError, match=r"matplotlib is not installed .* Run: pip install .*\[plots\]"
    ):
        draw(compare_methods(ROWS, embedded(), 3, runs=2), tmp_path / "x.png")


def test_the_same_comparison_gives_the_same_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    compared = compare_methods(ROWS, embedded(), 3, runs=2)
    for name in ("a.png", "b.png"):
        draw(compared, tmp_path / name)
    data = (tmp_path / "a.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert len(data) > 10_000
    assert (tmp_path / "b.png").read_bytes() == data
