"""Intervals and quantiles, against published values and their own definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.scoring.statistics import bootstrap_mean, mean_interval, quantiles, wilson

FIGURES = st.lists(st.floats(0, 1), min_size=1, max_size=50)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        # Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_published_intervals(successes: int, n: int, low: float, high: float) -> None:
    found = wilson(successes, n)
    assert found is not None
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


def test_wilson_of_all_and_of_none() -> None:
    none, every = wilson(0, 10), wilson(10, 10)
    assert none is not None
    assert every is not None
    assert (none.low, every.high) == (0.0, 1.0)
    assert none.high == pytest.approx(1 - every.low)


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_share(drawn: tuple[int, int]) -> None:
    successes, n = drawn
    found = wilson(successes, n)
    assert found is not None
    assert 0 <= found.low <= successes / n <= found.high <= 1


def test_nothing_has_no_interval() -> None:
    assert wilson(0, 0) is None
    assert bootstrap_mean([]) is None
    assert mean_interval([]) is None
    assert quantiles([], [0.5]) is None


def test_the_bootstrap_of_a_known_spread() -> None:
    values = [0.0, 0.25, 0.5, 0.75, 1.0] * 40
    found = bootstrap_mean(values)
    assert found is not None
    # Of 200 values the mean's standard error is √(0.125 / 200) = 0.025.
    assert found.low == pytest.approx(0.5 - 1.96 * 0.025, abs=0.002)
    assert found.high == pytest.approx(0.5 + 1.96 * 0.025, abs=0.002)


def test_the_bootstrap_of_many_different_values() -> None:
    values = list(np.random.default_rng(7).random(3000))
    found = bootstrap_mean(values, resamples=4000)
    assert found is not None
    error = float(np.std(values)) / 3000**0.5
    assert found.low == pytest.approx(float(np.mean(values)) - 1.96 * error, abs=0.1 * error)
    assert found.high == pytest.approx(float(np.mean(values)) + 1.96 * error, abs=0.1 * error)


def test_a_seed_fixes_the_bootstrap() -> None:
    few, many = [number % 7 / 7 for number in range(50)], [number / 100 for number in range(100)]
    for values in (few, many):
        assert bootstrap_mean(values, seed=3) == bootstrap_mean(values, seed=3)
        assert bootstrap_mean(values, seed=3) != bootstrap_mean(values, seed=4)


def test_the_order_of_values_does_not_matter_to_the_bootstrap() -> None:
    assert bootstrap_mean([0.1, 0.5, 0.9, 0.1]) == bootstrap_mean([0.9, 0.1, 0.1, 0.5])


@given(FIGURES)
def test_the_bootstrap_stays_within_the_values(values: list[float]) -> None:
    found = bootstrap_mean(values, resamples=200)
    assert found is not None
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9


def test_one_value_alone_has_an_interval_of_no_width() -> None:
    found = bootstrap_mean([0.4])
    assert found is not None
    assert [found.low, found.high] == pytest.approx([0.4, 0.4])


def test_the_mean_of_figures_of_0_and_1_is_wilsons() -> None:
    assert mean_interval([0, 1, 1.0, 0]) == wilson(2, 4)
    assert mean_interval([0, 1, 0.5], seed=2) == bootstrap_mean([0, 1, 0.5], seed=2)


def test_a_higher_confidence_is_wider() -> None:
    narrow, wide = wilson(5, 20, 0.8), wilson(5, 20, 0.99)
    assert narrow is not None
    assert wide is not None
    assert wide.low < narrow.low < narrow.high < wide.high


def test_quantiles_are_interpolated() -> None:
    assert quantiles([4, 1, 3, 2], [0, 0.5, 0.9, 1]) == pytest.approx((1.0, 2.5, 3.7, 4.0))
    assert quantiles([5], [0.5, 0.99]) == (5.0, 5.0)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_value_that_is_no_finite_number_is_refused(value: float) -> None:
    for attempt in (bootstrap_mean, mean_interval):
        with pytest.raises(ValueError, match="finite"):
            attempt([0.5, value])
    with pytest.raises(ValueError, match="finite"):
        quantiles([value], [0.5])


def test_impossible_questions_are_refused() -> None:
    with pytest.raises(ValueError, match="successes"):
        wilson(3, 2)
    with pytest.raises(ValueError, match="confidence"):
        wilson(1, 2, 1.0)
    with pytest.raises(ValueError, match="resamples"):
        bootstrap_mean([0.5], resamples=0)
    with pytest.raises(ValueError, match="confidence"):
        bootstrap_mean([0.5], confidence=0)
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        quantiles([1.0], [2])
