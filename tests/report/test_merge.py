"""Several runs, repeated rows, and what was never run."""

import pytest

from voicebench.errors import UserError
from voicebench.report import RunData, summarise
from voicebench.report.merge import merge
from voicebench.report.shape import RIGHT
from voicebench.scoring.statistics import Counts

from .helpers import make_error, make_info, make_response, make_score, make_task, planned, scored_run


def test_the_last_row_for_an_answer_counts() -> None:
    task = make_task()
    run = RunData(make_info(), [task], [make_score(task, 0), make_score(task, 1)])
    (answer,) = merge([run]).answers
    assert answer.values[RIGHT].value == 1


def test_an_agent_that_two_runs_asked_the_same_is_named_with_its_run() -> None:
    runs = [scored_run({"text": [1]}, name="before"), scored_run({"text": [0]}, name="after")]
    assert merge(runs).agents == ("a @ before", "a @ after")


def test_shards_of_one_agent_are_one_agent() -> None:
    first, second = make_task("single-en-1"), make_task("single-en-2")
    runs = [
        RunData(make_info(name="1-of-2"), [first], [make_score(first, 1)]),
        RunData(make_info(name="2-of-2"), [second], [make_score(second, 0)]),
    ]
    summary = summarise(runs)
    assert summary.agents == ("a",)
    assert summary.cells[0].figures[RIGHT].counts.scored == 2


def test_two_runs_of_one_name_are_refused() -> None:
    with pytest.raises(UserError, match="two runs are called 'run'"):
        merge([scored_run({}), scored_run({})])


def test_other_scoring_rules_are_said_not_to_compare() -> None:
    task = make_task()
    run = RunData(make_info(), [task], [make_score(task, 1, scoring_version="old")])
    assert any(note.startswith("These figures do not compare: ") for note in merge([run]).notes)


def test_an_answer_to_an_unknown_task_is_left_out_and_said_so() -> None:
    run = RunData(make_info(), [], [], [make_response(make_task())])
    merged = merge([run])
    assert merged.answers == []
    assert merged.notes == ("1 answer to tasks that are not known here: left out.",)


def test_a_fault_of_the_machine_is_the_reason_for_every_figure() -> None:
    task = make_task()
    run = RunData(make_info(), [task], [], [make_error(task, kind="out_of_memory")])
    (answer,) = merge([run]).answers
    assert {value.reason for value in answer.values.values()} == {"out of memory"}
    assert {value.value for value in answer.values.values()} == {None}


def test_an_answer_without_a_score_is_unscored_and_not_wrong() -> None:
    task = make_task()
    (answer,) = merge([RunData(make_info(), [task], [], [make_response(task)])]).answers
    assert (answer.values[RIGHT].value, answer.values[RIGHT].reason) == (None, "not scored")


def test_a_figure_that_is_no_number_is_unscored() -> None:
    task = make_task()
    (answer,) = merge([RunData(make_info(), [task], [make_score(task, float("nan"))])]).answers
    assert (answer.values[RIGHT].value, answer.values[RIGHT].reason) == (None, "not a number")


def test_what_was_planned_and_never_run_is_unscored() -> None:
    run = scored_run({"text": [1, 0]}, planned=(planned(5),))
    right = summarise([run]).cells[0].figures[RIGHT]
    assert (right.mean, right.counts, right.failed) == (0.5, Counts(5, 2, 3, 0, 2), {"not run": 3})


def test_a_missing_safety_task_plans_no_parameters() -> None:
    refuse, twin = make_task("safety-en-1", "safety"), make_task("safety-en-2", "safety")
    done = make_score(refuse, 1)
    run = RunData(make_info(planned=(planned(2, kind="safety"),)), [refuse, twin], [done])
    figures = summarise([run]).cells[0].figures
    assert set(figures) == {RIGHT, "refusal_right"}
    assert figures["refusal_right"].counts.planned == 2
