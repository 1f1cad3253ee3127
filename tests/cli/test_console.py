"""What the commands print."""

import pytest

from voicebench.cli import console


def test_the_next_command_can_be_run_as_it_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", [".venv/bin/voicebench", "demo"])
    monkeypatch.setattr("shutil.which", lambda name: None)
    console.say_next("voicebench report --run voicebench-demo")
    monkeypatch.setattr("shutil.which", lambda name: "/usr/bin/voicebench")
    console.say_next("voicebench report --run voicebench-demo")
    assert capsys.readouterr().out.splitlines() == [
        "Next: .venv/bin/voicebench report --run voicebench-demo",
        "Next: voicebench report --run voicebench-demo",
    ]


def test_a_table_is_aligned_and_never_cut(capsys: pytest.CaptureFixture[str]) -> None:
    console.say_table(("agent", "right"), [("a" * 200, 0.5), ("हिन्दी", None)])
    head, long, short = capsys.readouterr().out.splitlines()
    assert head == "agent" + " " * 195 + "  right"
    assert long == "a" * 200 + "  0.5"
    assert short.endswith("–")


def test_progress_is_a_plain_line_at_the_start_and_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    with console.progress() as progress:
        for done in range(101):
            progress("asking", done, 100)
    assert capsys.readouterr().err.splitlines() == ["asking: 0 of 100", "asking: 100 of 100"]


def test_what_was_there_before_shows_no_progress(capsys: pytest.CaptureFixture[str]) -> None:
    with console.progress() as progress:
        progress("asking", 100, 100)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("columns", "seen", "left_out"),
    [("120", {"agent", "tool", "structure"}, False), ("30", {"agent", "tool"}, True)],
)
def test_a_narrow_terminal_does_without_the_columns_that_matter_least(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    columns: str,
    seen: set[str],
    left_out: bool,
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    headers = ("agent", "tool", "structure")
    console.say_table(headers, [("whisper-base", "0.64", "1.00")], optional=("structure",))
    out = capsys.readouterr().out
    assert {header for header in headers if header in out.splitlines()[1]} == seen
    assert ("left out on this narrow terminal: structure" in out) is left_out
