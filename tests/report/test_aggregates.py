"""The papers' averages, from small runs with exact values."""

from voicebench.report import RunData, summarise
from voicebench.report.shape import Aggregate, Summary
from voicebench.scoring.statistics import Counts
from voicebench.types import Expect, GoldCall, Scores, Task, TaskKind

from .helpers import make_error, make_info, make_response, make_score, make_task, planned


def run_of(rows: list[tuple[Task, float | None]], **fields: float) -> Summary:
    return summarise(
        [RunData(make_info(), [task for task, _ in rows], [make_score(t, v, **fields) for t, v in rows])]
    )


def task(kind: TaskKind, lang: str, n: int) -> Task:
    return make_task(f"{kind}-{lang}-{n}", kind, lang).model_copy(update={"origin": f"{kind}-en-{n}"})


def at(summary: Summary, scope: str, over: str, figure: str = "parameters") -> Aggregate:
    (found,) = [
        one for one in summary.aggregates if (one.scope, one.over, one.figure) == (scope, over, figure)
    ]
    return found


def test_a_language_averages_kinds_alike_and_tasks_alike() -> None:
    rows: list[tuple[Task, float | None]] = [
        (task("single", "hi", 1), 1), (task("single", "hi", 2), 1), (task("single", "hi", 3), 1),
        (task("parallel", "hi", 1), 0),
    ]  # fmt: skip
    summary = run_of(rows)
    assert at(summary, "hi", "single").measure.mean == 1
    assert at(summary, "hi", "kinds").measure.mean == 0.5
    assert at(summary, "hi", "tasks").measure.mean == 0.75
    assert at(summary, "hi", "kinds").measure.counts == Counts(4, 4, 0, 0, 4)


def test_a_group_averages_languages_alike() -> None:
    rows: list[tuple[Task, float | None]] = [
        (task("single", "hi", 1), 1), (task("single", "hi", 2), 1), (task("single", "hi", 3), 1),
        (task("single", "ta", 1), 0),
    ]  # fmt: skip
    summary = run_of(rows)
    indic = at(summary, "indic", "single")
    assert indic.measure.mean == 0.5
    assert indic.missing == ("bn", "mr", "te", "ml")
    assert at(summary, "indic", "tasks").measure.mean == 0.75


def test_a_kind_that_a_language_lacks_is_named_and_not_averaged_over() -> None:
    rows: list[tuple[Task, float | None]] = [
        (task("single", "bn", 1), 1), (task("dialogue", "bn", 1), 0), (task("single", "ta", 1), 1),
        (task("single", "hi", 1), 1), (task("dialogue", "hi", 1), 1),
    ]  # fmt: skip
    summary = run_of(rows)
    assert at(summary, "ta", "kinds").measure.mean == 1
    assert at(summary, "ta", "kinds").missing == ("dialogue",)
    assert at(summary, "indic", "dialogue").measure.mean == 0.5
    assert at(summary, "indic", "kinds").measure.mean == 0.75
    assert at(summary, "indic", "kinds").missing == ("mr", "te", "ml", "dialogue/ta")
    assert at(summary, "indic-without-hi", "kinds").measure.mean == 0.5


def test_what_is_planned_and_unscored_is_in_the_counts_and_named() -> None:
    tasks = [task("single", "hi", 1), task("single", "th", 1)]
    info = make_info(planned=(planned(1, lang="hi"), planned(1, lang="th")))
    summary = summarise([RunData(info, tasks, [make_score(tasks[0], 1)])])
    found = at(summary, "all", "single")
    assert (found.measure.mean, found.missing) == (1, ("th",))
    assert found.measure.counts == Counts(2, 1, 1, 0, 1)
    assert found.measure.failed == {"not run": 1}
    assert at(summary, "th", "single").measure.mean is None


def test_safety_is_in_no_average_of_calls() -> None:
    rows: list[tuple[Task, float | None]] = [(task("single", "hi", 1), 1), (task("safety", "hi", 1), 0)]
    summary = run_of(rows)
    assert {one.over for one in summary.aggregates if one.figure == "parameters"} == {
        "single",
        "kinds",
        "tasks",
    }


def test_refusals_are_counted_apart_for_harm_and_for_harmless_twins() -> None:
    gold = Expect(calls=(GoldCall(name="cab.get_fare"),), refuse=False)
    harm = [task("safety", "th", n) for n in (1, 2)]
    twin = make_task("safety-th-twin", "safety", "th", expect=gold)
    scores = [
        make_score(harm[0], 1, refusal=1),
        make_score(harm[1], 0, refusal=0),
        make_score(twin, 0, refusal=1),
    ]
    summary = summarise([RunData(make_info(), [*harm, twin], scores)])
    assert at(summary, "th", "safety", "refused_harmful").measure.mean == 0.5
    assert at(summary, "th", "safety", "refused_harmless").measure.mean == 1


def test_without_tasks_harm_is_known_by_what_is_right() -> None:
    harm = make_task("safety-hi-1", "safety", "hi")
    scores = [make_score(harm, 1, refusal=1), make_score(harm, 0, refusal=1, task_id="twin")]
    summary = summarise([RunData(make_info(), [], scores)])
    assert at(summary, "hi", "safety", "refused_harmful").measure.mean == 1
    assert at(summary, "hi", "safety", "refused_harmless").measure.mean == 1


def test_an_unsure_refusal_is_without_a_verdict_and_a_crash_is_a_failure() -> None:
    tasks = [task("safety", "hi", n) for n in (1, 2, 3)]
    unsure = make_score(tasks[1], None, unscored={"refusal": "unsure: x", "refusal_right": "unsure: x"})
    lost = Scores(**{
        **unsure.model_dump(), "task_id": tasks[2].id,
        "unscored": {"refusal": "timeout: no answer", "refusal_right": "timeout: no answer"},
    })  # fmt: skip
    responses = [make_response(tasks[0]), make_response(tasks[1]), make_error(tasks[2])]
    run = RunData(make_info(), tasks, [make_score(tasks[0], 1, refusal=1), unsure, lost], responses)
    found = at(summarise([run]), "hi", "safety", "refused_harmful").measure
    assert found.counts == Counts(planned=3, ran=2, failed=1, judge_failed=1, scored=1)
    assert (found.failed, found.judge_failed) == ({"timed out": 1}, {"unsure: x": 1})


def test_an_error_is_a_failure_without_its_response_too() -> None:
    one = task("single", "en", 1)
    lost = make_score(one, None, unscored={"parameters": "timeout: no answer"})
    found = at(summarise([RunData(make_info(), [one], [lost])]), "en", "single").measure
    assert found.counts == Counts(1, 0, 1, 0, 0)


def test_calls_count_by_task_and_by_call() -> None:
    def needing(n: int, lang: str) -> Task:
        calls = tuple(GoldCall(name=f"t{i}") for i in range(n))
        return make_task(f"parallel-{lang}-{n}", "parallel", lang, expect=Expect(calls=calls))

    tasks = [needing(1, "hi"), needing(4, "hi")]
    scores = [make_score(tasks[0], 1, call_fraction=1.0), make_score(tasks[1], 0, call_fraction=0.5)]
    summary = summarise([RunData(make_info(), tasks, scores)])
    assert at(summary, "hi", "parallel", "call_fraction").measure.mean == 0.75
    assert at(summary, "hi", "parallel", "per_call").measure.mean == 0.6
