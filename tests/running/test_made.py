"""What was made of what."""

from pathlib import Path

from voicebench.running.made import STATE, fingerprint, recall, remember


def test_what_was_made_of_the_same_is_recalled_with_its_note(tmp_path: Path) -> None:
    (tmp_path / "in").write_text("नमस्ते", encoding="utf-8")
    inputs = fingerprint([tmp_path / "in", tmp_path / "absent"], "2")
    assert recall(tmp_path, "scores", inputs) is None
    remember(tmp_path, "scores", inputs, {"table": [["शब्द", 1]]})
    assert recall(tmp_path, "scores", inputs) == {"table": [["शब्द", 1]]}
    assert recall(tmp_path, "report", inputs) is None


def test_another_content_or_version_is_something_else(tmp_path: Path) -> None:
    file = tmp_path / "in"
    file.write_text("a")
    first = fingerprint([file], "1")
    assert fingerprint([file], "2") != first
    file.write_text("b")
    assert fingerprint([file], "1") != first
    file.unlink()
    assert fingerprint([file], "1") != first


def test_two_things_are_remembered_beside_each_other(tmp_path: Path) -> None:
    remember(tmp_path, "scores", "x")
    remember(tmp_path, "report", "y")
    assert recall(tmp_path, "scores", "x") is True
    assert recall(tmp_path, "report", "y") is True


def test_a_broken_state_only_costs_work(tmp_path: Path) -> None:
    for broken in ("", "[1]", '{"scores": 3}', "\x00"):
        (tmp_path / STATE).write_text(broken)
        assert recall(tmp_path, "scores", "x") is None
        remember(tmp_path, "scores", "x")
        assert recall(tmp_path, "scores", "x") is True
