"""Answers on disk: synced before they count, in groups, and a full disk is told to whoever asks."""

import threading
from pathlib import Path

import pytest

from voicebench.errors import UserError
from voicebench.files import Appender, read_rows
from voicebench.running import writer as module
from voicebench.running.writer import Writer
from voicebench.types import Response


def row(n: int) -> Response:
    return Response(task_id=f"काम-{n}", agent="a", condition="text", trial=0, text="x")


def test_rows_stand_in_the_file_in_their_order_when_the_writer_closes(tmp_path: Path) -> None:
    path, kept = tmp_path / "r.jsonl", []
    with Writer(path, kept.append) as writer:
        for n in range(1000):
            writer.put(row(n))
    assert read_rows(path, Response) == kept == [row(n) for n in range(1000)]


def test_a_row_counts_only_once_it_is_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    found: list[bool] = []
    with Writer(path, lambda one: found.append(one in read_rows(path, Response))) as writer:
        for n in range(20):
            writer.put(row(n))
    assert found == [True] * 20


def test_what_gathers_while_the_disk_is_busy_is_synced_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups: list[int] = []
    busy = threading.Event()
    real = Appender.add

    def slow(self: Appender, *rows: Response) -> None:
        groups.append(len(rows))
        busy.wait(5)
        real(self, *rows)

    monkeypatch.setattr(Appender, "add", slow)
    with Writer(tmp_path / "r.jsonl", lambda _: None) as writer:
        for n in range(module.MOST_ROWS + 101):
            writer.put(row(n))
        busy.set()
    assert sum(groups) == module.MOST_ROWS + 101
    assert len(groups) <= 4 and max(groups) <= module.MOST_ROWS


def test_a_full_disk_is_raised_and_what_was_kept_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, kept = tmp_path / "r.jsonl", []
    real = Appender.add

    def fills_up(self: Appender, *rows: Response) -> None:
        if len(kept) >= 3:
            raise UserError("the disk is full")
        real(self, *rows[:3])

    monkeypatch.setattr(Appender, "add", fills_up)
    with pytest.raises(UserError, match="full"), Writer(path, kept.append) as writer:
        for n in range(5000):
            writer.put(row(n))
    assert read_rows(path, Response)[:3] == [row(n) for n in range(3)]


def test_an_exception_of_the_asker_is_not_hidden_and_its_rows_are_kept(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), Writer(tmp_path / "r.jsonl", lambda _: None) as writer:
        writer.put(row(1))
        raise KeyboardInterrupt
    assert read_rows(tmp_path / "r.jsonl", Response) == [row(1)]
