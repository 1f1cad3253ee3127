"""Intervals of quantiles from order statistics: known ranks, open ends, and what holds for all values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.latency.quantiles import QuantileInterval, quantile, quantile_interval

SECONDS = st.lists(st.floats(-100, 100, allow_nan=False), min_size=1, max_size=60)


@pytest.mark.parametrize(
    ("n", "q", "low", "high"),
    [
        (100, 0.5, 40, 61),
        (10, 0.5, 2, 9),
        (5, 0.5, None, None),
        (6, 0.5, 1, 6),
        (100, 0.9, 84, 96),
        (100, 0.99, 97, None),
        (1000, 0.99, 983, 997),
        (1, 0.5, None, None),
    ],
)
def test_the_ends_are_the_order_statistics_of_the_binomial(
    n: int, q: float, low: int | None, high: int | None
) -> None:
    ranks = [float(rank) for rank in range(1, n + 1)]
    assert quantile_interval(ranks[::-1], q) == QuantileInterval(low, high)


@pytest.mark.parametrize("q", [0.5, 0.9, 0.99])
@pytest.mark.parametrize("n", [1, 7, 30, 100, 472, 5000])
def test_each_end_is_the_closest_one_that_leaves_no_more_than_its_tail(n: int, q: float) -> None:
    binom = pytest.importorskip("scipy.stats").binom(n, q)
    found = quantile_interval([float(rank) for rank in range(1, n + 1)], q)
    low = found.low or 0
    high = found.high or n + 1
    assert low == 0 or binom.cdf(low - 1) <= 0.025
    assert low > q * (n - 1) or binom.cdf(low) > 0.025
    assert high == n + 1 or binom.sf(high - 1) <= 0.025
    assert high < q * (n - 1) + 2 or binom.sf(high - 2) > 0.025


@given(SECONDS, st.sampled_from([0.5, 0.9, 0.99]))
def test_an_end_is_one_of_the_values_and_the_quantile_lies_between_both(
    values: list[float], q: float
) -> None:
    found = quantile_interval(values, q)
    assert {found.low, found.high} - {None} <= set(values)
    estimate = quantile(values, q)
    assert found.low is None or found.low <= estimate
    assert found.high is None or estimate <= found.high


def test_no_values_have_no_quantile() -> None:
    assert quantile_interval([], 0.5) == QuantileInterval(None, None)
    with pytest.raises(ValueError, match="no values"):
        quantile([], 0.5)


@pytest.mark.parametrize(("q", "confidence"), [(0.0, 0.95), (1.0, 0.95), (0.5, 1.0)])
def test_impossible_shares_are_refused(q: float, confidence: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        quantile_interval([1.0], q, confidence)
