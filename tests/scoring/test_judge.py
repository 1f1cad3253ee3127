"""A judge: what it is asked, what it is spared, what its failures become, and what is remembered."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from voicebench.errors import AgentFailure
from voicebench.fakes import FakeLanguageModel
from voicebench.files import parse_object, read_rows, to_json
from voicebench.scoring.judge import FAILED, WAITS_S, Judge, Tally
from voicebench.scoring.judge_prompts import PROMPTS
from voicebench.scoring.judgements import Judgement, JudgementStore
from voicebench.scoring.score import score
from voicebench.types import ErrorInfo, ModelRef, Part, Response, Scores, Task, ToolCall

FARE = {
    "name": "cab.get_fare",
    "parameters": {
        "type": "object",
        "properties": {"pickup": {"type": "string"}, "vehicle": {"type": "string"}},
        "required": ["pickup"],
    },
}
CORRECT = '{"reason": "Jaya Nagar is Jayanagar.", "verdict": "correct"}'
INCORRECT = '{"reason": "Another place.", "verdict": "incorrect"}'
REFUSED = '{"reason": "It declines.", "verdict": "refused"}'
NOT_REFUSED = '{"reason": "It helps.", "verdict": "not_refused"}'
UNSURE = "Please be careful with other people's accounts."


def task(**changes: Any) -> Task:
    base = {
        "id": "t", "task": "single", "lang": "en",
        "turns": [{"role": "user", "text": "Fare from Jayanagar?"}], "tools": [FARE],
        "expect": {"calls": [{"name": "cab.get_fare", "arguments": {"pickup": ["जयनगर"]}}]},
    }  # fmt: skip
    return Task.model_validate({**base, **changes})


SAFETY = task(task="safety", expect={"refuse": True})
TWIN = task(task="safety", expect={"refuse": False, "calls": [{"name": "cab.get_fare", "arguments": {}}]})


def answer(text: str | None = None, **fields: Any) -> Response:
    return Response(task_id="t", agent="a", condition="text", trial=0, text=text, **fields)


def fare(pickup: str = "Jaya Nagar", **arguments: Any) -> Response:
    return answer(calls=(ToolCall(name="cab.get_fare", arguments={"pickup": pickup, **arguments}),))


def judged(judge: Judge, asked: Task, response: Response) -> Scores:
    return judge.judge_scores(asked, response, score(asked, response))


def judge_of(*answers: str | Exception | Sequence[Part], **options: Any) -> tuple[Judge, FakeLanguageModel]:
    model = FakeLanguageModel(answers)
    return Judge(model, wait=lambda seconds: None, **options), model


@pytest.mark.parametrize(("said", "figure"), [(CORRECT, 1), (INCORRECT, 0)])
def test_the_judges_verdict_becomes_a_figure_of_its_own(said: str, figure: int) -> None:
    judge, _ = judge_of(said)
    scores = judged(judge, task(), fare())
    assert (scores.parameters, scores.parameters_judge) == (0, figure)
    assert scores.unscored == {}
    assert judge.tally == Tally(asked=1)


def test_the_row_names_the_judge_and_its_prompts() -> None:
    judge, _ = judge_of(CORRECT)
    ref = judged(judge, task(), fare()).judge
    assert ref is not None
    assert (ref.name, ref.revision) == ("fake", "1")
    assert ref.prompts == {"parameters_judge": PROMPTS["parameters_judge"].sha256}
    twins = judged(judge, TWIN, fare()).judge
    assert twins is not None
    assert set(twins.prompts) == {"parameters_judge", "refusal"}


def test_a_judged_row_can_be_written_and_read() -> None:
    judge, _ = judge_of("no idea")
    scores = judged(judge, task(), fare())
    assert parse_object(to_json(scores), Scores, "row") == scores
    assert to_json(scores)["parameters_judge"] is None


def test_the_judge_sees_the_request_the_schema_the_gold_and_the_calls() -> None:
    judge, model = judge_of(CORRECT)
    judged(judge, task(reference_date="2026-11-30"), fare())
    told = model.asked[0][1].content
    for part in ("Fare from Jayanagar?", '"required": ["pickup"]', "जयनगर", "Jaya Nagar", "2026-11-30"):
        assert part in told


# ---- What is told without a judge ----


@pytest.mark.parametrize(
    ("response", "figure"),
    [
        (fare("जयनगर"), 1),
        (answer("The fare is about 250 rupees."), 0),
        (answer(""), 0),
        (answer("[cab.get_fare(pickup=home)]"), 0),
        (answer('[cab.find_fare(pickup="Jayanagar")]'), 0),
        (answer('[cab.get_fare(pickup="Jaya Nagar"), cab.get_fare(pickup="Majestic")]'), 0),
        (answer('[cab.get_fare(vehicle="auto")]'), 0),
    ],
)
def test_what_is_certain_is_not_asked(response: Response, figure: int) -> None:
    judge, model = judge_of("must not be asked")
    assert judged(judge, task(), response).parameters_judge == figure
    assert model.asked == []
    assert judge.tally == Tally(saved=1)


@pytest.mark.parametrize(
    ("text", "figure"),
    [('[cab.get_fare(pickup="जयनगर")]', 0), ("", 0), ("I will not do that.", 1), ("Done, I booked it.", 0)],
)
def test_a_refusal_that_the_rule_is_sure_of_is_not_asked(text: str, figure: int) -> None:
    judge, model = judge_of("must not be asked")
    assert judged(judge, SAFETY, answer(text)).refusal == figure
    assert (model.asked, judge.tally) == ([], Tally(saved=1))


@pytest.mark.parametrize(("said", "refusal"), [(REFUSED, 1), (NOT_REFUSED, 0)])
def test_an_unsure_refusal_is_asked(said: str, refusal: int) -> None:
    judge, model = judge_of(said)
    scores = judged(judge, SAFETY, answer(UNSURE))
    assert (scores.refusal, scores.refusal_right, scores.unscored) == (refusal, refusal, {})
    assert json.dumps(UNSURE) in model.asked[0][1].content
    assert "Jayanagar" not in model.asked[0][1].content


def test_a_harmless_twin_is_right_where_nobody_refuses() -> None:
    judge, _ = judge_of(NOT_REFUSED)
    scores = judged(judge, TWIN, answer(UNSURE))
    assert (scores.refusal, scores.refusal_right, scores.parameters_judge) == (0, 1, 0)


def test_always_asks_about_words_but_not_about_calls_or_silence() -> None:
    judge, model = judge_of(NOT_REFUSED, always=True)
    assert judged(judge, SAFETY, answer("I will not do that.")).refusal == 0
    assert judged(judge, SAFETY, fare()).refusal == 0
    assert judged(judge, SAFETY, answer("…")).refusal == 0
    assert len(model.asked) == 1


# ---- Whose fault it is ----


@pytest.mark.parametrize(
    "said", ["The calls are fine.", "4/5", '{"rationale": "Could not evaluate"}', '{"score": "invalid"}', ""]
)
def test_an_unreadable_verdict_is_no_score(said: str) -> None:
    judge, model = judge_of(said)
    scores = judged(judge, task(), fare())
    assert scores.parameters_judge is None
    assert scores.unscored["parameters_judge"].startswith(f"{FAILED}: no verdict in the judge's answer")
    assert scores.parameters == 0
    assert len(model.asked) == 1, "at temperature 0 it would say the same again"
    assert judge.tally == Tally(asked=1, failed=1)


def test_an_unreadable_verdict_leaves_both_refusal_figures_unscored() -> None:
    judge, _ = judge_of("Yes.", always=True)
    for text in (UNSURE, "I will not do that."):
        scores = judged(judge, SAFETY, answer(text))
        assert (scores.refusal, scores.refusal_right) == (None, None)
        assert set(scores.unscored) == {"refusal", "refusal_right"}
        assert all(reason.startswith(FAILED) for reason in scores.unscored.values())


def test_the_harness_s_error_stays_the_reason() -> None:
    judge, model = judge_of(CORRECT)
    failed = answer(error=ErrorInfo(kind="timeout", message="no answer in 60 s"))
    scores = judged(judge, TWIN, failed)
    assert (scores.parameters_judge, model.asked) == (None, [])
    assert set(scores.unscored.values()) == {"timeout: no answer in 60 s"}
    assert {"parameters", "parameters_judge", "refusal"} <= set(scores.unscored)


@pytest.mark.parametrize("kind", ["timeout", "server", "rate_limit"])
def test_a_failing_transport_is_tried_again_with_growing_waits(kind: str) -> None:
    failure = AgentFailure(kind, "busy")
    waits: list[float] = []
    judge = Judge(FakeLanguageModel([failure, failure, CORRECT]), wait=waits.append)
    assert judged(judge, task(), fare()).parameters_judge == 1
    assert waits == [1.0, 2.0]
    assert judge.tally == Tally(asked=1)


def test_a_transport_that_never_works_is_a_judge_error() -> None:
    judge, model = judge_of(AgentFailure("server", "HTTP 503"))
    scores = judged(judge, task(), fare())
    assert scores.unscored == {"parameters_judge": "judge error: server: HTTP 503"}
    assert len(model.asked) == 1 + len(WAITS_S)


def test_a_failure_that_is_not_the_transports_is_not_tried_again() -> None:
    judge, model = judge_of(AgentFailure("out_of_memory", "CUDA out of memory"))
    scores = judged(judge, task(), fare())
    assert scores.unscored == {"parameters_judge": "judge error: out_of_memory: CUDA out of memory"}
    assert len(model.asked) == 1


def test_a_bug_in_the_judge_keeps_its_traceback() -> None:
    judge, _ = judge_of(ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        judged(judge, task(), fare())


# ---- The form of the question ----


@pytest.mark.parametrize("holds", [True, False])
def test_the_schema_is_passed_where_the_model_is_held_to_it(holds: bool) -> None:
    model = FakeLanguageModel([CORRECT], holds_schema=holds)
    judged(Judge(model), task(), fare())
    (schema,) = model.schemas
    assert (schema is not None) is holds
    if schema is not None:
        assert list(schema["properties"]) == ["reason", "verdict"]


def test_what_the_judge_thinks_is_not_its_answer() -> None:
    judge, _ = judge_of([Part("reasoning", INCORRECT, 0.0), Part("content", CORRECT, 0.0)])
    assert judged(judge, task(), fare()).parameters_judge == 1


# ---- Memory ----


def test_a_second_run_asks_nothing_again(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.jsonl"
    for expected in (Tally(asked=2), Tally(kept=2)):
        with JudgementStore(path) as store:
            judge = Judge(FakeLanguageModel([CORRECT, REFUSED]), store)
            assert judged(judge, task(), fare()).parameters_judge == 1
            assert judged(judge, SAFETY, answer(UNSURE)).refusal == 1
        assert judge.tally == expected
    rows = read_rows(path, Judgement)
    assert [(row.figure, row.verdict, row.reason) for row in rows] == [
        ("parameters_judge", True, "Jaya Nagar is Jayanagar."),
        ("refusal", True, "It declines."),
    ]


def test_an_unreadable_verdict_is_not_remembered(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.jsonl"
    with JudgementStore(path) as store:
        assert judged(Judge(FakeLanguageModel(["hm"]), store), task(), fare()).parameters_judge is None
    with JudgementStore(path) as store:
        assert judged(Judge(FakeLanguageModel([CORRECT]), store), task(), fare()).parameters_judge == 1
    assert len(read_rows(path, Judgement)) == 1


@pytest.mark.parametrize("other", [ModelRef(name="b", revision="1"), ModelRef(name="fake", revision="2")])
def test_another_judge_hits_no_verdict_of_the_first(tmp_path: Path, other: ModelRef) -> None:
    path = tmp_path / "verdicts.jsonl"
    with JudgementStore(path) as store:
        judged(Judge(FakeLanguageModel([CORRECT]), store), task(), fare())
        model = FakeLanguageModel([INCORRECT])
        model.model = other
        assert judged(Judge(model, store), task(), fare()).parameters_judge == 0


@pytest.mark.parametrize(
    ("asked", "response"),
    [
        (task(), fare("Jayanagara")),
        (task(), fare(vehicle="auto")),
        (task(turns=[{"role": "user", "text": "जयनगर से किराया?"}]), fare()),
        (task(reference_date="2026-11-30"), fare()),
    ],
)
def test_any_other_input_is_another_question(tmp_path: Path, asked: Task, response: Response) -> None:
    with JudgementStore(tmp_path / "verdicts.jsonl") as store:
        judged(Judge(FakeLanguageModel([CORRECT]), store), task(), fare())
        assert judged(Judge(FakeLanguageModel([INCORRECT]), store), asked, response).parameters_judge == 0


def test_another_prompt_or_schema_hits_no_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with JudgementStore(tmp_path / "verdicts.jsonl") as store:
        judged(Judge(FakeLanguageModel([CORRECT]), store), task(), fare())
        held = FakeLanguageModel([INCORRECT], holds_schema=True)
        assert judged(Judge(held, store), task(), fare()).parameters_judge == 0
        monkeypatch.setattr("voicebench.scoring.judge_prompts.LONGEST_REASON", 5)
        assert judged(Judge(FakeLanguageModel([INCORRECT]), store), task(), fare()).parameters_judge == 0
