"""Means of resampled clusters, of many figures at once: those of a kind share their random weights."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.intp]

_FEW = 256
"""Clusters that are drawn one by one; of more than these kinds are drawn, or weights."""
_FEW_KINDS = 16
_COLUMNS_AT_ONCE = 64
_DRAWS_AT_ONCE = 100_000
_WEIGHTS_AT_ONCE = 2_000_000
# How many of the 2¹⁶ values of a random word stand for the weights 0, 1, 2, …: Poisson(1) to 16 bits.
_POISSON_SHARES = (24109, 24109, 12055, 4018, 1005, 201, 33, 5, 1)
_POISSON = np.repeat(np.arange(len(_POISSON_SHARES), dtype=np.float32), _POISSON_SHARES)


@dataclass(frozen=True, eq=False)
class Column:
    """One figure by cluster: the sum of its values and how many there are, of shape (parts, clusters).

    A figure has one part, or it is the mean of its parts' means, whose clusters are drawn together. The
    clusters are sorted, so that neither their names nor the order of a file changes what is drawn. For a
    ratio of two figures the counts are the values of the second one.
    """

    sums: Floats
    counts: Floats

    @property
    def means(self) -> Floats:
        """Each part's mean over all values, of shape (parts,)."""
        return np.asarray(self.sums.sum(axis=1) / self.counts.sum(axis=1))

    @property
    def n_clusters(self) -> int:
        """How many clusters there are."""
        return int(self.sums.shape[1])


def column_of(values: Floats, codes: Numbers | None = None) -> Column:
    """Return values of shape (n,) by cluster; without codes each value is its own cluster.

    Args:
        values: At least one, of shape (n,).
        codes: The cluster of each value as a number from 0 on without gaps, of shape (n,).
    """
    if codes is None:
        return Column(np.sort(values)[np.newaxis], np.ones((1, len(values))))
    sums = np.bincount(codes, values).astype(np.float64)
    return ratio_of(sums, np.bincount(codes).astype(np.float64))


def ratio_of(sums: Floats, counts: Floats) -> Column:
    """Return the column whose mean is Σ sums ÷ Σ counts, or the mean of several such ratios.

    Args:
        sums: One a cluster, of shape (clusters,) or (parts, clusters).
        counts: Not below 0, of the same shape; the total of each part above 0.
    """
    sums, counts = np.atleast_2d(sums, counts)
    order = np.lexsort((*counts, *sums))
    return Column(sums[:, order], counts[:, order])


def resampled(columns: Sequence[Column], resamples: int, seed: int) -> Iterator[tuple[list[int], Floats]]:
    """Yield the means of resamples of each column's clusters, some columns at a time, in any order.

    A resample draws as many clusters as there are, with replacement, and divides the sum of their values by
    the number of their values. Up to 256 clusters are drawn one by one. Of more, it is drawn how many of each
    kind there are, if they are of few kinds; else each cluster's weight is Poisson(1) and the sum is divided
    by the weighted count, which conditions on the total: the same distribution up to terms of 1 / clusters
    (J. Hanley and B. MacGibbon, "Creating non-parametric bootstrap samples using Poisson frequencies", 2006;
    N. Chamandy et al., "Estimating Uncertainty for Massive Data Streams", 2012). Columns of as many clusters
    share their draws, and all share these weights, so that they are not independent of each other; each
    depends on its own values and the seed alone, up to the rounding of sums.

    Args:
        columns: Each with at least one cluster.
        resamples: At least one.
        seed: The same seed gives the same means.

    Yields:
        Places in `columns`, and their means, of shape (places, resamples). The mean of a resample in which a
        part has a count of 0 is nan; where every cluster has values in every part there is none.
    """
    few: defaultdict[int, list[int]] = defaultdict(list)
    many: list[int] = []
    for place, column in enumerate(columns):
        kinds, times = _kinds(column)
        if len(times) == 1 or (column.n_clusters > _FEW and len(times) <= _FEW_KINDS):
            yield [place], _by_draws([kinds], _kinds_drawn(times, resamples, seed))
        elif column.n_clusters <= _FEW:
            few[column.n_clusters].append(place)
        else:
            many.append(place)
    for n, places in few.items():
        drawn = _clusters_drawn(n, resamples, seed)
        for some in _some_at_a_time(places):
            yield some, _by_draws([columns[place] for place in some], drawn)
    # Columns of one length together, so that little is padded.
    for some in _some_at_a_time(sorted(many, key=lambda place: columns[place].n_clusters)):
        yield some, _by_weights([columns[place] for place in some], resamples, seed)


def _some_at_a_time(places: Sequence[int]) -> Iterator[list[int]]:
    for start in range(0, len(places), _COLUMNS_AT_ONCE):
        yield list(places[start : start + _COLUMNS_AT_ONCE])


def _kinds(column: Column) -> tuple[Column, npt.NDArray[np.int64]]:
    """Return one cluster of each kind, and how many there are of it."""
    changes = (np.diff(column.sums) != 0).any(axis=0) | (np.diff(column.counts) != 0).any(axis=0)
    starts = np.concatenate(([0], np.flatnonzero(changes) + 1))
    times = np.diff(np.append(starts, column.n_clusters))
    return Column(column.sums[:, starts], column.counts[:, starts]), times


def _kinds_drawn(times: npt.NDArray[np.int64], resamples: int, seed: int) -> Floats:
    """Return how many clusters of each kind are drawn, of shape (kinds, resamples)."""
    rng, n = np.random.default_rng(seed), int(times.sum())
    if len(times) == 1:
        return np.full((1, resamples), float(n))
    if len(times) == 2:
        first = rng.binomial(n, times[0] / n, size=resamples)
        return np.stack((first, n - first)).astype(np.float64)
    return rng.multinomial(n, times / n, size=resamples).T.astype(np.float64)


def _clusters_drawn(n: int, resamples: int, seed: int) -> Floats:
    """Return how often each of n clusters is drawn, of shape (n, resamples).

    A draw is 16 random bits: one cluster's chance is another's to 1 in 256, the fewer clusters the nearer.
    """
    times = np.empty((resamples, n))
    bits = np.random.default_rng(seed).bit_generator
    at_once = _DRAWS_AT_ONCE // n
    for start in range(0, resamples, at_once):
        some = times[start : start + at_once]
        drawn = (_words(bits, some.size).astype(np.int64) * n >> 16).reshape(some.shape)
        places = drawn + n * np.arange(len(some))[:, np.newaxis]
        some[:] = np.bincount(places.ravel(), minlength=some.size).reshape(some.shape)
    return times.T


def _by_draws(columns: Sequence[Column], drawn: Floats) -> Floats:
    rows = [column.sums for column in columns] + [column.counts for column in columns]
    return _averaged(columns, _quotient(*np.split(np.concatenate(rows) @ drawn, 2)))


def _by_weights(columns: Sequence[Column], resamples: int, seed: int) -> Floats:
    means = np.concatenate([column.means for column in columns])[:, np.newaxis]
    rows = np.zeros((2, len(means), max(column.n_clusters for column in columns)), dtype=np.float32)
    row = 0
    for column in columns:
        own = rows[:, row : row + len(column.sums), : column.n_clusters]
        # Centred, so that 32 bits hold the deviations and not the mean.
        own[0] = column.sums - column.means[:, np.newaxis] * column.counts
        own[1] = column.counts
        row += len(column.sums)
    totals = np.zeros((2 * len(means), resamples))
    bits = np.random.default_rng(seed).bit_generator
    at_once = max(1, _WEIGHTS_AT_ONCE // resamples)
    # Cluster by cluster, so that a column's weights do not depend on how long other columns are.
    for start in range(0, rows.shape[2], at_once):
        block = rows[:, :, start : start + at_once].reshape(len(totals), -1)
        totals += block @ _weights(bits, block.shape[1], resamples)
    return _averaged(columns, means + _quotient(*np.split(totals, 2)))


def _quotient(sums: Floats, counts: Floats) -> Floats:
    """Return sums ÷ counts in the place of the sums, nan where a count is 0; spoils the counts."""
    counts[counts == 0] = np.nan
    return np.divide(sums, counts, out=sums)


def _averaged(columns: Sequence[Column], means: Floats) -> Floats:
    """Return the mean over each column's parts, from means of shape (parts of all columns, resamples)."""
    parts = [len(column.sums) for column in columns]
    if len(parts) == len(means):
        return means
    starts = np.cumsum([0, *parts[:-1]])
    return np.asarray(np.add.reduceat(means, starts, axis=0) / np.array(parts)[:, np.newaxis])


def _weights(bits: np.random.BitGenerator, clusters: int, resamples: int) -> npt.NDArray[np.float32]:
    words = 4 * -(-resamples // 4)
    drawn = _words(bits, clusters * words).reshape(clusters, words)[:, :resamples]
    # Every 16-bit word is a place in the table, so nothing wraps: this mode only skips the check.
    return np.take(_POISSON, drawn, mode="wrap")


def _words(bits: np.random.BitGenerator, n: int) -> npt.NDArray[np.uint16]:
    """Return n random words of 16 bits, the same on every machine."""
    return bits.random_raw(-(-n // 4)).astype("<u8", copy=False).view("<u2")[:n]
