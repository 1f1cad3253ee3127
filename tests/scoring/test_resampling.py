"""Resampled means: the two ways of drawing against plain drawing, memory and what a column depends on."""

import tracemalloc

import numpy as np
import pytest

from voicebench.scoring import resampling
from voicebench.scoring.resampling import column_of, ratio_of, resampled_means

SKEWED = np.random.default_rng(3).exponential(1.0, 300)


def plain(sums: np.ndarray, counts: np.ndarray, resamples: int) -> np.ndarray:
    """The bootstrap as its definition says, one draw of one cluster at a time."""
    rng = np.random.default_rng(11)
    drawn = rng.integers(0, len(sums), size=(resamples, len(sums)))
    return np.asarray(sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1))


def assert_same_distribution(found: np.ndarray, expected: np.ndarray) -> None:
    """Quantiles within three Monte Carlo standard errors, √(q(1 − q)/R)/density, of their difference."""
    spread = float(expected.std())
    for q, density in ((0.025, 0.0584), (0.25, 0.3178), (0.5, 0.3989), (0.75, 0.3178), (0.975, 0.0584)):
        error = (q * (1 - q) * 2 / len(expected)) ** 0.5 / density * spread
        assert np.quantile(found, q) == pytest.approx(np.quantile(expected, q), abs=3 * error)


def test_weights_of_many_clusters_are_the_plain_bootstrap() -> None:
    means = resampled_means([column_of(SKEWED)], 20_000, seed=1)[0]
    assert_same_distribution(means, plain(SKEWED, np.ones(300), 20_000))
    assert means.std() == pytest.approx(SKEWED.std() / 300**0.5, rel=0.02)


def test_counts_of_few_distinct_values_are_the_plain_bootstrap() -> None:
    values = np.repeat([0.0, 0.2, 0.9, 1.0], [40, 30, 10, 20])
    means = resampled_means([column_of(values)], 20_000, seed=1)[0]
    assert_same_distribution(means, plain(values, np.ones(100), 20_000))


def test_scores_of_0_and_1_are_the_plain_bootstrap() -> None:
    values = np.repeat([0.0, 1.0], [70, 30])
    means = resampled_means([column_of(values)], 20_000, seed=1)[0]
    assert set(np.round(means * 100, 9) % 1) == {0.0}
    assert_same_distribution(means, plain(values, np.ones(100), 20_000))


def test_clusters_of_unequal_size_are_the_plain_bootstrap_of_clusters() -> None:
    rng = np.random.default_rng(4)
    counts = rng.integers(1, 6, 200).astype(np.float64)
    sums = rng.random(200) * counts
    codes = np.repeat(np.arange(200), counts.astype(int))
    values = np.repeat(sums / counts, counts.astype(int))
    means = resampled_means([column_of(values, codes)], 20_000, seed=1)[0]
    assert_same_distribution(means, plain(sums, counts, 20_000))


def test_the_weights_of_a_random_word_are_poisson() -> None:
    table = resampling._POISSON
    assert len(table) == 2**16
    assert float(table.mean()) == pytest.approx(1, abs=1e-4)
    assert float(table.var()) == pytest.approx(1, abs=5e-4)
    assert float(((table - 1) ** 3).mean()) == pytest.approx(1, abs=5e-3)


def test_a_column_does_not_depend_on_its_neighbours() -> None:
    short, long = SKEWED[:100], np.random.default_rng(5).random(5_000)
    together = resampled_means([column_of(long), column_of(short), column_of(np.ones(9))], 1_000, seed=2)
    alone = resampled_means([column_of(short)], 1_000, seed=2)
    np.testing.assert_allclose(together[1], alone[0], rtol=1e-5)
    assert set(together[2]) == {1.0}


def test_neither_the_order_of_values_nor_the_numbering_of_clusters_matters() -> None:
    codes = np.arange(300) % 100
    order = np.random.default_rng(6).permutation(300)
    for found, other in (
        (column_of(SKEWED), column_of(SKEWED[order])),
        (column_of(SKEWED, codes), column_of(SKEWED, 99 - codes)),
    ):
        np.testing.assert_array_equal(resampled_means([found], 50, 0), resampled_means([other], 50, 0))


def test_a_number_of_resamples_that_fills_no_word_is_drawn_whole() -> None:
    assert resampled_means([column_of(SKEWED)], 7, seed=0).shape == (1, 7)
    assert resampled_means([], 7, seed=0).shape == (0, 7)


def test_a_mean_far_from_zero_keeps_its_digits() -> None:
    means = resampled_means([column_of(SKEWED + 1e6)], 1_000, seed=1)[0] - 1e6
    np.testing.assert_allclose(means, resampled_means([column_of(SKEWED)], 1_000, seed=1)[0], rtol=1e-4)


def test_a_resample_without_counts_has_no_mean() -> None:
    means = resampled_means([ratio_of(np.array([0.0, 1.0]), np.array([0.0, 1.0]))], 1_000, seed=0)[0]
    assert np.isnan(means).mean() == pytest.approx(0.25, abs=0.05)
    assert set(means[~np.isnan(means)]) == {1.0}


def test_memory_does_not_grow_with_clusters_times_resamples() -> None:
    # One array of all weights would have 20,000 × 10,000 × 4 bytes = 800 MB.
    values = np.random.default_rng(1).random(20_000)
    tracemalloc.start()
    resampled_means([column_of(values)], 10_000, seed=0)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 40_000_000
