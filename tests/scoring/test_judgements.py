"""Kept verdicts survive a crash, and a broken file is the user's to see."""

from pathlib import Path

import pytest

from voicebench.errors import UserError
from voicebench.scoring.judgements import Judgement, JudgementStore
from voicebench.scoring.verdicts import Verdict
from voicebench.types import ModelRef

ROW = Judgement(
    key="k", figure="refusal", model=ModelRef(name="m"), prompt_sha256="p", verdict=True, reason="मना किया"
)


def test_a_verdict_is_found_again_at_once_and_after_reopening(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "verdicts.jsonl"
    for _ in range(2):
        with JudgementStore(path) as store:
            if store.find("k") is None:
                store.keep(ROW)
            assert store.find("k") == Verdict(True, "मना किया")
            assert store.find("other") is None
    assert len(path.read_text(encoding="utf-8").splitlines()) == 1


def test_a_torn_last_line_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.jsonl"
    with JudgementStore(path) as store:
        store.keep(ROW)
    path.write_text(path.read_text(encoding="utf-8") + '{"key": "torn', encoding="utf-8")
    with JudgementStore(path) as store:
        assert store.find("k") is not None


def test_a_no_is_kept_as_a_no(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.jsonl"
    with JudgementStore(path) as store:
        store.keep(ROW.model_copy(update={"verdict": False}))
    with JudgementStore(path) as store:
        assert store.find("k") == Verdict(False, "मना किया")


def test_a_file_of_something_else_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.jsonl"
    path.write_text('{"id": "task"}\n', encoding="utf-8")
    with pytest.raises(UserError, match=r"verdicts.jsonl:1: "):
        JudgementStore(path)
