"""Figures of groups: means, intervals and honest denominators."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.report.estimates import Estimator
from voicebench.report.measures import mean_of_measures, measured
from voicebench.report.observed import Observation, by_task, by_weight
from voicebench.report.shape import Measure
from voicebench.scoring.statistics import Counts, wilson


def seen(
    task_id: str,
    value: float | None,
    reason: str | None = None,
    *,
    failed: bool = False,
    origin: str | None = None,
    voice: str | None = None,
    weight: int = 1,
) -> Observation:
    return Observation(task_id, value, reason, failed, origin, voice, weight)


def measure(rows: Sequence[Observation]) -> Measure:
    return measured({"it": by_task(rows)}, Estimator())["it"]


def mean_over_languages(groups: Sequence[Sequence[Observation]]) -> Measure:
    return measured({"it": [by_task(rows) for rows in groups]}, Estimator())["it"]


def test_nothing_scored_is_none_and_not_0() -> None:
    found = measure([seen("t1", None, "timed out", failed=True), seen("t2", None, "unsure")])
    assert (found.mean, found.low, found.high, found.n_tasks) == (None, None, None, 0)
    assert found.counts == Counts(planned=2, ran=1, failed=1, judge_failed=1, scored=0)
    assert (found.failed, found.judge_failed) == ({"timed out": 1}, {"unsure": 1})
    assert found.unscored == {"timed out": 1, "unsure": 1}


def test_what_is_unscored_is_not_in_the_mean() -> None:
    found = measure([seen("t1", 1), seen("t2", 0), seen("t3", None, "timed out", failed=True)])
    assert (found.mean, found.counts.scored, found.counts.planned) == (0.5, 2, 3)


def test_trials_are_averaged_by_task_before_tasks_are() -> None:
    found = measure([seen("t1", 1), seen("t1", 1), seen("t1", 1), seen("t2", 0)])
    assert (found.mean, found.n_tasks, found.counts.scored) == (0.5, 2, 4)


def test_weights_count_calls_and_their_task_is_drawn_as_one() -> None:
    rows = [seen("t1", 1, weight=1), seen("t2", 0.5, weight=4), seen("t3", None, "unsure", weight=2)]
    found = measured({"it": by_weight(rows)}, Estimator())["it"]
    assert found.mean == 0.6
    assert (found.n_tasks, found.counts.scored, found.counts.planned) == (2, 2, 3)
    assert (found.low, found.high) == (0.5, 1.0)


def test_each_language_counts_the_same_however_many_tasks_it_has() -> None:
    hindi = [seen(f"hi-{i}", 1, origin=f"o{i}") for i in range(6)]
    tamil = [seen(f"ta-{i}", 0, origin=f"o{i}") for i in range(2)]
    found = mean_over_languages([hindi, tamil, []])
    assert (found.mean, found.n_tasks, found.counts.planned) == (0.5, 8, 8)
    assert (found.low, found.high) == (0.5, 0.5)


def test_languages_that_fail_on_the_same_tasks_are_no_more_certain_than_one() -> None:
    values = [1, 0, 1, 1, 0, 0, 1, 0, 1, 1]
    hindi = [seen(f"hi-{i}", v, origin=f"o{i}") for i, v in enumerate(values)]
    tamil = [seen(f"ta-{i}", v, origin=f"o{i}") for i, v in enumerate(values)]
    other = [seen(f"te-{i}", v, origin=f"other{i}") for i, v in enumerate(values)]
    together, apart = mean_over_languages([hindi, tamil]), mean_over_languages([hindi, other])
    assert together.mean == apart.mean == 0.6
    assert together.low is not None
    assert together.high is not None
    assert apart.low is not None
    assert apart.high is not None
    assert together.high - together.low > 1.25 * (apart.high - apart.low)


def test_languages_that_are_all_right_have_wilsons_interval_for_their_tasks() -> None:
    group = [[seen(f"{lang}-{i}", 1, origin=f"o{i}") for i in range(5)] for lang in ("hi", "th")]
    found, expected = mean_over_languages(group), wilson(5, 5)
    assert expected is not None
    assert (found.mean, found.low, found.high) == (1.0, expected.low, expected.high)


def test_one_language_of_a_group_is_that_language() -> None:
    rows = [seen("bn-1", 1), seen("bn-2", 0)]
    assert mean_over_languages([rows, []]) == measure(rows)


def test_the_mean_of_kinds_combines_their_intervals() -> None:
    one, two = measure([seen("a", 1), seen("b", 0)]), measure([seen("c", 1), seen("d", 1)])
    found = mean_of_measures([one, two])
    assert found.mean == 0.75
    first, second = wilson(1, 2), wilson(2, 2)
    assert first is not None
    assert second is not None
    below = ((0.5 - first.low) ** 2 + (1 - second.low) ** 2) ** 0.5 / 2
    above = (first.high - 0.5) / 2
    assert (found.low, found.high) == pytest.approx((0.75 - below, 0.75 + above))
    assert (found.n_tasks, found.counts) == (4, Counts(4, 4, 0, 0, 4))


def test_a_kind_with_nothing_scored_is_counted_and_not_averaged() -> None:
    lost = measure([seen("x", None, "not run", failed=True)])
    found = mean_of_measures([measure([seen("a", 1)]), lost])
    assert (found.mean, found.counts) == (1.0, Counts(2, 1, 1, 0, 1))
    assert found.failed == {"not run": 1}
    assert mean_of_measures([lost]).mean is None


@given(st.lists(st.tuples(st.sampled_from("abc"), st.one_of(st.none(), st.floats(0, 1)))))
def test_a_mean_is_none_exactly_where_nothing_is_scored(rows: list[tuple[str, float | None]]) -> None:
    found = measure([seen(task_id, value, None if value is not None else "x") for task_id, value in rows])
    values = [value for _, value in rows if value is not None]
    assert (found.mean is None) == (not values)
    assert found.counts.scored == len(values)
    assert found.counts.scored + sum(found.unscored.values()) == found.counts.planned == len(rows)
    if found.mean is not None:
        assert min(values) - 1e-9 <= found.mean <= max(values) + 1e-9


shares = st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=6)


@given(st.lists(shares, min_size=1, max_size=4), st.booleans())
def test_an_average_lies_in_its_interval_and_in_0_to_1(groups: list[list[float]], same: bool) -> None:
    observed = [
        [seen(f"{g}-{i}", value, origin=str(i) if same else f"{g}-{i}") for i, value in enumerate(group)]
        for g, group in enumerate(groups)
    ]
    for found in (mean_over_languages(observed), mean_of_measures([measure(rows) for rows in observed])):
        assert found.mean is not None
        if found.low is not None and found.high is not None:
            assert -1e-6 <= found.low <= found.mean + 1e-6
            assert found.mean - 1e-6 <= found.high <= 1 + 1e-6


def test_groups_keep_their_keys() -> None:
    wanted = {("a", 1): by_task([seen("x", 1)]), ("a", 2): by_task([seen("y", 0)]), ("b", 1): by_task([])}
    found = measured(wanted, Estimator())
    assert {key: one.mean for key, one in found.items()} == {("a", 1): 1.0, ("a", 2): 0.0, ("b", 1): None}
