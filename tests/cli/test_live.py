"""How a run goes on, as people and machines see it."""

import json
from pathlib import Path

import pytest

from voicebench.cli import live
from voicebench.cli.live import cells, line, watching
from voicebench.errors import UserError
from voicebench.running.watch import Snapshot
from voicebench.types import Response

FULL = Snapshot("व्हिस्पर+qwen", 1200, 5000, 64, 3, 12, 0.51237, 41.26, 3725.0)


def row() -> Response:
    return Response(task_id="t", agent="a", condition="text", trial=0, text="x")


def test_a_line_says_all_that_is_known() -> None:
    assert line(FULL) == (
        "asking व्हिस्पर+qwen: 1200 of 5000, 41.3/s, 64 in flight, 3 failed, 12 retries, 0.5124 USD spent, "
        "1 h 02 min left"
    )


def test_what_is_not_known_is_not_said() -> None:
    assert line(Snapshot("a", 0, 7)) == "asking a: 0 of 7"


def test_cells_are_empty_where_nothing_is_known() -> None:
    assert cells(Snapshot("a", 0, 7)) == ("a", "0 of 7", "", "0", "0", "0", "", "")
    assert cells(FULL)[-1] == "1 h 02 min"


@pytest.mark.parametrize(("seconds", "said"), [(4.4, "4 s"), (75, "1 min 15 s"), (7260, "2 h 01 min")])
def test_durations_are_read_by_people(seconds: float, said: str) -> None:
    assert cells(Snapshot("a", 0, 7, left_s=seconds))[-1] == said


def test_where_nobody_watches_there_are_plain_lines_for_begin_and_end(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with watching() as watch:
        watch.begin("a", 0, 3)
        for _ in range(3):
            watch.kept(row())
        watch.begin("b", 4, 4)
    said = capsys.readouterr().err.splitlines()
    assert [one.split(",")[0] for one in said] == ["asking a: 0 of 3", "asking a: 3 of 3"]


def test_a_json_log_has_one_object_a_line_and_is_appended_to(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "run.jsonl"
    for agent in ("क", "b"):
        with watching(path) as watch:
            watch.begin(agent, 0, 2)
            watch.kept(row())
            watch.kept(row())
    entries = [json.loads(one) for one in path.read_text(encoding="utf-8").splitlines()]
    assert [(entry["agent"], entry["done"]) for entry in entries] == [("क", 0), ("क", 2), ("b", 0), ("b", 2)]
    assert all(entry["at"].endswith("+00:00") for entry in entries)


def test_a_json_log_on_standard_error_is_all_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    with watching(Path(live.STANDARD_ERROR)) as watch:
        watch.begin("a", 0, 1)
        watch.kept(row())
    assert [json.loads(one)["done"] for one in capsys.readouterr().err.splitlines()] == [0, 1]


def test_a_log_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be written"), watching(tmp_path / "file" / "log.jsonl"):
        pass


def test_a_terminal_gets_a_live_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    with watching() as watch:
        watch.begin("काम", 0, 2)
        watch.kept(row())
    said = capsys.readouterr().err
    assert "asking" not in said
    assert "in flight" in said and "काम" in said
