"""Means, intervals and honest denominators."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.report.estimates import Observation, difference, measure, rate


def seen(task_id: str, value: float | None, reason: str | None = None) -> Observation:
    return Observation(task_id, value, reason)


def test_a_rate_of_0_and_1_has_wilsons_interval() -> None:
    assert rate([1, 0]) == pytest.approx((0.5, 0.0945312, 0.9054688), abs=1e-6)


def test_nothing_scored_is_none_and_not_0() -> None:
    found = measure([seen("t1", None, "timed out"), seen("t2", None, "not run")])
    assert (found.mean, found.low, found.high) == (None, None, None)
    assert (found.n_tasks, found.n_scored, found.n_planned) == (0, 0, 2)
    assert found.unscored == {"not run": 1, "timed out": 1}


def test_what_is_unscored_is_not_in_the_mean() -> None:
    found = measure([seen("t1", 1), seen("t2", 0), seen("t3", None, "timed out")])
    assert (found.mean, found.n_scored, found.n_planned) == (0.5, 2, 3)


def test_trials_are_averaged_by_task_before_tasks_are() -> None:
    found = measure([seen("t1", 1), seen("t1", 1), seen("t1", 1), seen("t2", 0)])
    assert (found.mean, found.n_tasks, found.n_scored) == (0.5, 2, 4)


def test_differences_that_are_all_the_same_have_no_interval() -> None:
    assert difference([0, 0, 0]) == (0, None, None)
    assert difference([-1]) == (-1, None, None)


def test_a_difference_has_a_bootstrap_interval_even_where_all_are_0_or_1() -> None:
    mean, low, high = difference([1, 0, 0, 0])
    assert mean == 0.25
    # Four values, one of them 1: resampled means reach 0, which Wilson's interval of a share would not.
    assert (low, high) == (0.0, 0.75)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.one_of(st.none(), st.floats(0, 1)))))
def test_a_mean_is_none_exactly_where_nothing_is_scored(rows: list[tuple[str, float | None]]) -> None:
    found = measure([seen(task_id, value, None if value is not None else "x") for task_id, value in rows])
    values = [value for _, value in rows if value is not None]
    assert (found.mean is None) == (not values)
    assert found.n_scored == len(values)
    assert found.n_scored + sum(found.unscored.values()) == found.n_planned == len(rows)
    if found.mean is not None:
        assert min(values) - 1e-9 <= found.mean <= max(values) + 1e-9
