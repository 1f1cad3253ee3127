"""What is observed, and groups of it."""

from voicebench.report.merge import merge
from voicebench.report.observed import Observation, by_task, groups_of, joined, observations
from voicebench.report.run_data import RunData
from voicebench.scoring.statistics import Counts
from voicebench.types import Expect, GoldCall

from .helpers import make_info, make_response, make_score, make_task, planned


def test_an_answer_that_was_planned_and_never_run_is_observed_as_not_run() -> None:
    tasks = [make_task(f"single-hi-{i}", lang="hi") for i in range(3)]
    info = make_info(planned=(planned(3, lang="hi"),))
    groups = groups_of(observations(merge([RunData(info, tasks, [make_score(tasks[1], 1)])])))
    right = groups["a", "text", "single", "hi"]["right"]
    assert [(one.task_id, one.value) for one in right.drawn] == [("single-hi-1", 1.0)]
    assert right.counts == Counts(planned=3, ran=1, failed=2, judge_failed=0, scored=1)
    assert right.failed == {"not run": 2}


def test_a_value_knows_its_origin_and_voice() -> None:
    task = make_task("single-ta-1", lang="ta").model_copy(update={"origin": "single-en-1"})
    answer = make_response(task, "speech", voice="குரல்")
    run = RunData(make_info(), [task], [make_score(task, 1, "speech")], [answer])
    (one,) = groups_of(observations(merge([run])))["a", "speech", "single", "ta"]["right"].drawn
    assert one == ("single-ta-1", 1.0, "single-en-1", "குரல்")


def test_calls_are_drawn_as_often_as_there_are() -> None:
    calls = tuple(GoldCall(name=f"t{i}") for i in range(3))
    task = make_task("parallel-en-1", "parallel", expect=Expect(calls=calls))
    run = RunData(make_info(), [task], [make_score(task, 0, call_fraction=0.5)])
    figures = groups_of(observations(merge([run])))["a", "text", "parallel", "en"]
    assert [one.value for one in figures["per_call"].drawn] == [0.5] * 3
    assert figures["per_call"].n_tasks == 1
    assert [one.value for one in figures["call_fraction"].drawn] == [0.5]


def test_joined_groups_add_up() -> None:
    one = by_task([Observation("a", 1), Observation("a", 0), Observation("b", None, "timed out", True)])
    other = by_task([Observation("c", None, "unsure"), Observation("d", None, "timed out", True)])
    both = joined([one, other])
    assert [(task.task_id, task.value) for task in both.drawn] == [("a", 0.5)]
    assert both.n_tasks == 1
    assert both.counts == Counts(planned=5, ran=3, failed=2, judge_failed=1, scored=2)
    assert (both.failed, both.judge_failed) == ({"timed out": 2}, {"unsure": 1})


def test_no_groups_are_an_empty_one() -> None:
    assert joined([]) == by_task([])
    assert joined([]).counts == Counts(0, 0, 0, 0, 0)
