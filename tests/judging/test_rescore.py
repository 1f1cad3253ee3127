"""A judge by name, and its figures for scores that stream by."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from voicebench.errors import UserError
from voicebench.fakes import FakeLanguageModel
from voicebench.judging.rescore import judged, load_judge
from voicebench.scoring.judge import Judge
from voicebench.scoring.score import score_stream
from voicebench.tasks.read import read_tasks
from voicebench.types import Response, Scores

TASKS = read_tasks(langs=["hi"], kinds=["safety"])
CAREFUL = "दूसरों के पैसों का ध्यान रखिए।"


def responses(n: int) -> Iterator[Response]:
    for trial in range(n):
        yield Response(task_id="safety-hi-0001", agent="a", condition="text", trial=trial, text=CAREFUL)


def rows(judge: Judge, n: int) -> list[Scores]:
    return list(score_stream(TASKS, responses(n), score_one=judged(judge)))


def test_scores_stream_by_one_at_a_time() -> None:
    model = FakeLanguageModel(['{"reason": "", "verdict": "refused"}'])
    stream = score_stream(TASKS, responses(3), score_one=judged(Judge(model)))
    assert next(stream).refusal == 1
    assert len(model.asked) == 1
    assert [row.trial for row in stream] == [1, 2]


def test_progress_is_told_where_the_total_is_known() -> None:
    told: list[tuple[str, int, int]] = []
    judge = Judge(FakeLanguageModel(['{"reason": "", "verdict": "refused"}']))
    rule = judged(judge, total=2, progress=lambda *at: told.append(at))
    list(score_stream(TASKS, responses(2), score_one=rule))
    assert told == [("judged", 1, 2), ("judged", 2, 2)]


def test_a_judge_is_loaded_by_its_models_name(tmp_path: Path) -> None:
    with load_judge("fake", store=tmp_path / "verdicts.jsonl") as judge:
        (row,) = rows(judge, 1)
    assert (judge.ref.name, set(judge.ref.prompts)) == ("fake", {"parameters_judge", "refusal"})
    assert row.refusal is None
    assert row.unscored["refusal"].startswith("judge error: no verdict")
    assert (tmp_path / "verdicts.jsonl").read_text(encoding="utf-8") == ""


def test_an_unknown_judge_is_the_users_mistake() -> None:
    with pytest.raises(UserError, match=r"unknown LLM 'smolm2'. Did you mean 'smollm2'?"):
        load_judge("smolm2")


@pytest.mark.weights
def test_a_small_real_model_gives_a_verdict_or_a_judge_error() -> None:
    judge = load_judge("smollm2", offline_first=True)
    (row,) = rows(judge, 1)
    assert row.judge is not None
    assert row.judge.name == "smollm2"
    assert row.refusal in (0, 1) or row.unscored["refusal"].startswith("judge error: ")
