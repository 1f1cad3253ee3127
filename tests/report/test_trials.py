"""Several trials: lost ones are bounded and never dropped."""

import pytest

from voicebench.report import RunData, summarise
from voicebench.report.shape import Summary

from .helpers import make_info, make_score, make_task, planned


def run_of(trials: dict[str, list[float | None]], *, of: int, lang: str = "en") -> Summary:
    """Return the report of tasks with so many trials planned; a trial beyond a list was never run."""
    tasks = {name: make_task(name, lang=lang) for name in trials}
    scores = [
        make_score(tasks[name], value, trial=i)
        for name, values in trials.items()
        for i, value in enumerate(values)
    ]
    info = make_info(planned=(planned(of * len(tasks), lang=lang),), trials=of)
    return summarise([RunData(info, list(tasks.values()), scores)])


def test_one_trial_each_has_no_table() -> None:
    assert run_of({"a": [1], "b": [0]}, of=1).trials == ()


def test_all_trials_there_are_estimated() -> None:
    one, two, three, four = run_of({"a": [1, 1, 1, 0]}, of=4).trials
    assert [row.pass_hat.estimate for row in (one, two, three, four)] == pytest.approx([0.75, 0.5, 0.25, 0])
    assert [row.pass_at.estimate for row in (one, two, three, four)] == pytest.approx([0.75, 1, 1, 1])
    assert two.rho is not None
    assert two.rho.estimate == pytest.approx(2 / 3)
    assert (one.n_tasks, one.planned, one.n_present) == (1, 4, 4)


def test_a_lost_trial_bounds_and_pushes_no_ratio_above_1() -> None:
    # The third trial of b was never run; dropping b would make pass^3 1 and rho 2.
    one, _, three = run_of({"a": [1, 1, 1], "b": [0, 0]}, of=3).trials
    assert (one.n_present, one.n_tasks * one.planned) == (5, 6)
    assert one.pass_hat.estimate is None
    assert (one.pass_hat.low, one.pass_hat.high) == pytest.approx((0.5, 2 / 3))
    assert (three.pass_hat.low, three.pass_hat.high) == (0.5, 0.5)
    assert three.rho is not None
    assert (three.rho.low, three.rho.high) == pytest.approx((0.75, 1.0))


def test_an_unscored_trial_is_missing_as_one_that_was_not_run() -> None:
    unscored = run_of({"a": [1, None]}, of=2).trials
    not_run = run_of({"a": [1]}, of=2).trials
    assert unscored == not_run


def test_few_of_many_are_not_everything() -> None:
    trials: dict[str, list[float | None]] = {f"t{i}": [1, 1] if i < 3 else [] for i in range(100)}
    first = run_of(trials, of=2).trials[0]
    assert first.pass_hat.estimate is None
    assert (first.pass_hat.low, first.pass_hat.high) == pytest.approx((0.03, 1.0))


def test_languages_come_after_all_of_them() -> None:
    tasks = [make_task("single-hi-1", lang="hi"), make_task("single-th-1", lang="th")]
    scores = [make_score(task, task.lang == "hi", trial=i) for task in tasks for i in (0, 1)]
    rows = summarise([RunData(make_info(), tasks, scores)]).trials
    assert [(row.lang, row.k, row.pass_hat.estimate) for row in rows] == [
        (None, 1, 0.5), (None, 2, 0.5), ("hi", 1, 1.0), ("hi", 2, 1.0), ("th", 1, 0.0), ("th", 2, 0.0),
    ]  # fmt: skip
