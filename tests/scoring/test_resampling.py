"""Resampled means: the three ways of drawing against plain drawing, memory, what a column depends on."""

import tracemalloc
from collections.abc import Sequence

import numpy as np
import pytest

from voicebench.scoring import resampling
from voicebench.scoring.resampling import Column, column_of, ratio_of, resampled

SKEWED = np.random.default_rng(3).exponential(1.0, 300)


def resampled_means(columns: Sequence[Column], resamples: int, seed: int) -> np.ndarray:
    """The means of all columns, of shape (columns, resamples)."""
    means = np.zeros((len(columns), resamples))
    for places, some in resampled(columns, resamples, seed):
        means[places] = some
    return means


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


@pytest.mark.parametrize("n", [2, 8, 100, 256])
def test_clusters_that_are_drawn_one_by_one_are_the_plain_bootstrap(n: int) -> None:
    values = np.sort(SKEWED[:n])
    means = resampled_means([column_of(values)], 20_000, seed=1)[0]
    assert means.mean() == pytest.approx(values.mean(), abs=4 * values.std() / (n * 20_000) ** 0.5)
    assert means.std() == pytest.approx(values.std() / n**0.5, rel=0.03)
    if n > 2:
        assert_same_distribution(means, plain(values, np.ones(n), 20_000))


def test_every_resample_draws_as_many_clusters_as_there_are() -> None:
    for n in (1, 3, 168, 256):
        drawn = resampling._clusters_drawn(n, 1_000, seed=5)
        assert drawn.shape == (n, 1_000)
        assert set(drawn.sum(axis=0)) == {n}
        assert drawn.sum(axis=1) == pytest.approx(np.full(n, 1_000), abs=5 * 1_000**0.5)


def test_weights_of_many_clusters_are_the_plain_bootstrap() -> None:
    means = resampled_means([column_of(SKEWED)], 20_000, seed=1)[0]
    assert_same_distribution(means, plain(SKEWED, np.ones(300), 20_000))
    assert means.std() == pytest.approx(SKEWED.std() / 300**0.5, rel=0.02)


def test_counts_of_few_distinct_values_are_the_plain_bootstrap() -> None:
    values = np.repeat([0.0, 0.2, 0.9, 1.0], [160, 120, 40, 80])
    means = resampled_means([column_of(values)], 20_000, seed=1)[0]
    assert_same_distribution(means, plain(values, np.ones(400), 20_000))


@pytest.mark.parametrize("n", [100, 2000])
def test_scores_of_0_and_1_are_the_plain_bootstrap(n: int) -> None:
    values = np.repeat([0.0, 1.0], [7 * n // 10, 3 * n // 10])
    means = resampled_means([column_of(values)], 20_000, seed=1)[0]
    assert set(np.round(means * n, 9) % 1) == {0.0}
    assert_same_distribution(means, plain(values, np.ones(n), 20_000))


def test_a_mean_of_parts_draws_their_clusters_together() -> None:
    rng = np.random.default_rng(8)
    for n in (50, 700):
        one = rng.random(n)
        together = resampled_means([ratio_of(np.stack((one, one)), np.ones((2, n)))], 5_000, seed=1)[0]
        alone = resampled_means([column_of(one)], 5_000, seed=1)[0]
        np.testing.assert_allclose(together, alone, rtol=1e-6)
        mirrored = resampled_means([ratio_of(np.stack((one, 1 - one)), np.ones((2, n)))], 5_000, seed=1)[0]
        np.testing.assert_allclose(mirrored, 0.5, rtol=1e-6)


def test_a_mean_of_parts_weighs_them_alike_and_lacks_resamples_without_one_of_them() -> None:
    sums, counts = np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 0.0]]), np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 5.0]])
    means = resampled_means([ratio_of(sums, counts)], 2_000, seed=0)[0]
    assert set(means[~np.isnan(means)]) == {0.5}
    # Nine of the 27 ways to draw three leave a part out: 8 the second, 1 the first.
    assert np.isnan(means).mean() == pytest.approx(9 / 27, abs=0.05)


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
    columns = [column_of(long), column_of(short), column_of(np.ones(9)), column_of(SKEWED)]
    together = resampled_means(columns, 1_000, seed=2)
    for place in (1, 3):
        alone = resampled_means([columns[place]], 1_000, seed=2)
        np.testing.assert_allclose(together[place], alone[0], rtol=1e-5)
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
