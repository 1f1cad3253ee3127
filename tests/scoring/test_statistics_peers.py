"""Our statistics against scipy's and statsmodels', where these compute the same thing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.scoring.paired import holm, mcnemar, sign_flip
from voicebench.scoring.statistics import Interval, bootstrap_mean, bootstrap_means, quantiles, wilson

RESAMPLES = 10_000


def assert_same_ends(found: Interval | None, expected: tuple[float, float]) -> None:
    """Within three standard errors of the difference of two quantiles, each of 10,000 draws.

    Each has √(0.025 × 0.975 / 10,000) over a normal density of 0.0584 there: 0.0267 standard deviations.
    """
    assert found is not None
    deviation = (expected[1] - expected[0]) / (2 * 1.96)
    assert (found.low, found.high) == pytest.approx(expected, abs=3 * 2**0.5 * 0.0267 * deviation)


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
@pytest.mark.parametrize(("successes", "n"), [(0, 1), (1, 1), (0, 20), (13, 40), (412, 420), (6_000, 6_000)])
def test_wilson_is_scipys_and_statsmodels(successes: int, n: int, confidence: float) -> None:
    scipy_stats = pytest.importorskip("scipy.stats")
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    found = wilson(successes, n, confidence)
    assert found is not None
    theirs = scipy_stats.binomtest(successes, n).proportion_ci(confidence, method="wilson")
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
    ends = proportion.proportion_confint(successes, n, alpha=1 - confidence, method="wilson")
    assert (found.low, found.high) == pytest.approx(ends, abs=1e-12)


@given(st.integers(0, 400), st.integers(0, 400))
def test_mcnemar_is_the_exact_binomial_test(first: int, second: int) -> None:
    scipy_stats = pytest.importorskip("scipy.stats")
    contingency = pytest.importorskip("statsmodels.stats.contingency_tables")
    expected = scipy_stats.binomtest(first, first + second).pvalue if first + second else 1.0
    assert mcnemar(first, second) == pytest.approx(expected, rel=1e-9)
    if first + second:
        theirs = contingency.mcnemar([[7, first], [second, 9]], exact=True).pvalue
        assert mcnemar(first, second) == pytest.approx(theirs, rel=1e-9)


def test_mcnemar_of_a_hundred_thousand_is_scipys() -> None:
    scipy_stats = pytest.importorskip("scipy.stats")
    assert mcnemar(49_500, 50_500) == pytest.approx(scipy_stats.binomtest(49_500, 100_000).pvalue, rel=1e-9)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_holm_is_statsmodels(p_values: list[float]) -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    assert holm(p_values) == pytest.approx(multitest.multipletests(p_values, method="holm")[1])


@pytest.mark.parametrize("kind", ["0/1", "few values", "any value", "skewed"])
def test_the_bootstrap_is_scipys(kind: str) -> None:
    scipy_stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(21)
    values = {
        "0/1": (rng.random(400) < 0.3).astype(np.float64),
        "few values": rng.integers(0, 5, 400) / 4,
        "any value": rng.random(400),
        "skewed": rng.lognormal(0, 1, 400),
    }[kind]
    theirs = scipy_stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=RESAMPLES,
        method="percentile",
        batch=200,
        rng=1,
    ).confidence_interval
    assert_same_ends(bootstrap_mean(values, resamples=RESAMPLES), (theirs.low, theirs.high))


@pytest.mark.parametrize("binary", [True, False])
def test_the_cluster_bootstrap_is_scipys_of_sums_and_counts(binary: bool) -> None:
    scipy_stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(22)
    counts = rng.integers(1, 5, 300)
    items = np.repeat(np.arange(300), counts)
    level = rng.random(300)[items]
    values = (rng.random(len(items)) < level).astype(np.float64) if binary else level + rng.random(len(items))
    sums = np.bincount(items, values)
    theirs = scipy_stats.bootstrap(
        (sums, counts.astype(np.float64)), lambda s, c, axis: s.sum(axis=axis) / c.sum(axis=axis),
        paired=True, vectorized=True, n_resamples=RESAMPLES, method="percentile", batch=200,
        rng=1,
    ).confidence_interval  # fmt: skip
    found = bootstrap_means([values], [items.tolist()], resamples=RESAMPLES)[0]
    assert_same_ends(found, (theirs.low, theirs.high))


@pytest.mark.parametrize("n", [6, 9])
@pytest.mark.parametrize("whole", [True, False])
def test_the_exact_sign_flip_is_scipys_exact_permutation_test(n: int, whole: bool) -> None:
    scipy_stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(n)
    differences = rng.integers(-3, 5, n).astype(np.float64) if whole else rng.normal(0.4, 1, n)
    theirs = scipy_stats.permutation_test(
        (differences,), np.sum, permutation_type="samples", vectorized=True, n_resamples=np.inf
    )
    assert sign_flip(differences) == pytest.approx(theirs.pvalue, rel=1e-9)


def test_random_signs_are_scipys() -> None:
    scipy_stats = pytest.importorskip("scipy.stats")
    differences = np.random.default_rng(23).normal(0.06, 1, 700)
    theirs = scipy_stats.permutation_test(
        (differences,), np.mean, permutation_type="samples", vectorized=True, n_resamples=9_999, batch=500,
        rng=1,
    ).pvalue  # fmt: skip
    # Theirs is twice one tail's share, with the variance 4 (p/2)(1 − p/2)/R; ours is both tails' share.
    error = (theirs * (2 - theirs) / 9_999 + theirs * (1 - theirs) / 100_000) ** 0.5
    assert sign_flip(differences) == pytest.approx(theirs, abs=3 * error)


@given(st.lists(st.floats(-10, 10), min_size=1, max_size=40), st.floats(0, 1))
def test_quantiles_are_scipys(values: list[float], q: float) -> None:
    mstats = pytest.importorskip("scipy.stats.mstats")
    theirs = mstats.mquantiles(values, [q], alphap=1, betap=1)
    assert quantiles(values, [q]) == pytest.approx(tuple(theirs), abs=1e-9)
