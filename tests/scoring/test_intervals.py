"""Intervals that are planned one by one and drawn together."""

import tracemalloc

import numpy as np
import pytest

from voicebench.scoring.intervals import (
    Interval,
    Plan,
    Resampled,
    Share,
    Widest,
    by_cluster,
    clustered,
    draw,
    mean_of,
    ratio,
)
from voicebench.scoring.resampling import column_of, ratio_of, resampled
from voicebench.scoring.statistics import bootstrap_mean, clustered_mean, ratio_interval, wilson

VALUES = list(np.random.default_rng(3).random(60))
PAIRS = [number // 2 for number in range(60)]
VOICES = [f"v{number % 7}" for number in range(60)]


def test_plans_of_many_kinds_are_drawn_as_if_alone_and_in_their_order() -> None:
    plans: list[Plan] = [
        mean_of([0, 1, 1]), mean_of(VALUES), clustered(VALUES, PAIRS, VOICES), Widest(),
        ratio(VALUES, [1.0, 2.0] * 30), by_cluster(VALUES, VOICES),
    ]  # fmt: skip
    alone = [draw([plan])[0] for plan in plans]
    assert alone[0] == wilson(2, 3)
    assert alone[1] == bootstrap_mean(VALUES)
    assert alone[2] == clustered_mean(VALUES, PAIRS, crossed=VOICES)
    assert alone[3] is None
    assert alone[4] == ratio_interval(VALUES, [1.0, 2.0] * 30)
    for together, own in zip(draw(plans), alone, strict=True):
        assert (together is None) == (own is None)
        if together is not None and own is not None:
            assert (together.low, together.high) == pytest.approx((own.low, own.high), rel=1e-9)


def test_no_plans_have_no_intervals() -> None:
    assert draw([]) == []


def test_the_widest_reaches_from_the_lowest_to_the_highest_end() -> None:
    low, high = Share(1, 10), Share(9, 10)
    one, other = wilson(1, 10), wilson(9, 10)
    assert one is not None
    assert other is not None
    assert draw([Widest((high, Widest(), low))]) == [Interval(one.low, other.high)]
    assert draw([Widest((Widest(), Widest()))]) == [None]


def test_the_widest_gives_each_plan_its_own_columns() -> None:
    spread, narrow = by_cluster([0.0, 1.0] * 20, None), by_cluster([0.4, 0.6] * 20, None)
    wide, slim = draw([spread])[0], draw([narrow])[0]
    assert draw([Widest((narrow, spread)), Widest((narrow,))]) == [wide, slim]


def test_confidence_reaches_every_plan() -> None:
    found = draw([Share(3, 10), mean_of(VALUES)], confidence=0.8)
    assert found == [wilson(3, 10, 0.8), bootstrap_mean(VALUES, 0.8)]


def test_where_hardly_a_resample_has_a_mean_there_is_no_interval() -> None:
    # Twelve parts of one cluster each, of twelve: a resample has them all with a chance of 12! ÷ 12¹².
    each = np.eye(12)
    assert draw([Resampled(ratio_of(each, each))]) == [None]


def test_resamples_without_a_mean_are_left_out() -> None:
    # Two parts, each in one of two clusters: half of the resamples have both.
    each = np.eye(2)
    assert draw([Resampled(ratio_of(np.diag([1.0, 0.0]), each))]) == [Interval(0.5, 0.5)]


def test_percentiles_are_interpolated_as_numpys() -> None:
    plan = Resampled(column_of(np.array(VALUES)))
    means = np.zeros((1, 999))
    for _, some in resampled([plan.column], 999, 4):
        means[:] = some
    (found,) = draw([plan], 0.9, 999, 4)
    assert found is not None
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(means, [0.05, 0.95])), abs=1e-15)


def test_memory_does_not_grow_with_the_number_of_plans() -> None:
    plans = [mean_of(VALUES[number:]) for number in range(40)] * 25
    tracemalloc.start()
    draw(plans, resamples=10_000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # All means at once would be 1,000 × 10,000 × 8 bytes = 80 MB.
    assert peak < 40_000_000
