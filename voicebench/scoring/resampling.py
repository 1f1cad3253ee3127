"""Means of resampled clusters: counted where few are distinct, else by weights that all columns share."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_FEW_DISTINCT = 16
_FEW_CLUSTERS = 64
_WEIGHTS_AT_ONCE = 2_000_000
# How many of the 2¹⁶ values of a random word stand for the weights 0, 1, 2, …: Poisson(1) to 16 bits.
_POISSON_SHARES = (24109, 24109, 12055, 4018, 1005, 201, 33, 5, 1)
_POISSON = np.repeat(np.arange(len(_POISSON_SHARES), dtype=np.float32), _POISSON_SHARES)


@dataclass(frozen=True)
class Column:
    """One figure by cluster, arrays of shape (clusters,): the sum of its values and how many there are.

    The clusters are sorted, so that neither their names nor the order of a file changes what is drawn. For a
    ratio of two figures the counts are the values of the second one.
    """

    sums: Floats
    counts: Floats

    @property
    def mean(self) -> float:
        """The mean over all values."""
        return float(self.sums.sum() / self.counts.sum())


def column_of(values: Floats, codes: npt.NDArray[np.intp] | None = None) -> Column:
    """Return values of shape (n,) by cluster; without codes each value is its own cluster.

    Args:
        values: At least one, of shape (n,).
        codes: The cluster of each value as a number from 0 on without gaps, of shape (n,).
    """
    if codes is None:
        return Column(np.sort(values), np.ones(len(values)))
    sums = np.asarray(np.bincount(codes, values), dtype=np.float64)
    return ratio_of(sums, np.bincount(codes).astype(np.float64))


def ratio_of(sums: Floats, counts: Floats) -> Column:
    """Return the column whose mean is Σ sums ÷ Σ counts.

    Args:
        sums: One a cluster, of shape (clusters,).
        counts: Not below 0, of the same shape; their total above 0.
    """
    order = np.lexsort((counts, sums))
    return Column(sums[order], counts[order])


def resampled_means(columns: Sequence[Column], resamples: int, seed: int) -> Floats:
    """Return the means of resamples of each column's clusters, of shape (columns, resamples).

    The mean of a resample with a count of 0 is nan; where every cluster has values there is none.

    A resample draws as many clusters as there are, with replacement, and divides the sum of their values by
    the number of their values. Where a column has few clusters or few distinct ones, how often each is drawn
    is multinomial. Else each cluster's weight is Poisson(1) and the sum is divided by the weighted count,
    which conditions on the total: the same distribution up to terms of 1 / clusters (J. Hanley and B.
    MacGibbon, "Creating non-parametric bootstrap samples using Poisson frequencies", 2006; N. Chamandy et
    al., "Estimating Uncertainty for Massive Data Streams", 2012). These weights are made once for all
    columns, so columns of one call are not independent of each other; each depends on its own values and
    the seed alone, up to the rounding of sums in 32 bits.

    Args:
        columns: Each with at least one cluster.
        resamples: At least one.
        seed: The same seed gives the same means.
    """
    means = np.empty((len(columns), resamples))
    many: list[int] = []
    for index, one in enumerate(columns):
        distinct, times = _distinct(one)
        if len(times) <= _FEW_DISTINCT or times.sum() <= _FEW_CLUSTERS:
            means[index] = _multinomial(distinct, times, resamples, seed)
        else:
            many.append(index)
    if many:
        means[many] = _poisson([columns[index] for index in many], resamples, seed)
    return means


def _distinct(one: Column) -> tuple[Column, npt.NDArray[np.int64]]:
    changes = (np.diff(one.sums) != 0) | (np.diff(one.counts) != 0)
    starts = np.concatenate(([0], np.flatnonzero(changes) + 1))
    times = np.diff(np.append(starts, len(one.sums)))
    return Column(one.sums[starts], one.counts[starts]), times


def _multinomial(distinct: Column, times: npt.NDArray[np.int64], resamples: int, seed: int) -> Floats:
    rng = np.random.default_rng(seed)
    n = int(times.sum())
    if len(times) == 1:
        drawn = np.full((resamples, 1), n)
    elif len(times) == 2:
        first = rng.binomial(n, times[0] / n, size=resamples)
        drawn = np.stack((first, n - first), axis=1)
    else:
        drawn = rng.multinomial(n, times / n, size=resamples)
    return _quotient(drawn @ distinct.sums, drawn @ distinct.counts)


def _poisson(columns: Sequence[Column], resamples: int, seed: int) -> Floats:
    n = max(len(one.sums) for one in columns)
    means = np.array([[one.mean] for one in columns])
    rows = np.zeros((2 * len(columns), n), dtype=np.float32)
    for index, one in enumerate(columns):
        # Centred, so that 32 bits hold the deviations and not the mean.
        rows[index, : len(one.sums)] = one.sums - one.mean * one.counts
        rows[len(columns) + index, : len(one.counts)] = one.counts
    totals = np.zeros((2 * len(columns), resamples))
    bits = np.random.default_rng(seed).bit_generator
    at_once = max(1, _WEIGHTS_AT_ONCE // resamples)
    # Cluster by cluster, so that a column's weights do not depend on how long other columns are.
    for start in range(0, n, at_once):
        block = rows[:, start : start + at_once]
        totals += block @ _weights(bits, block.shape[1], resamples)
    return means + _quotient(*np.split(totals, 2))


def _quotient(sums: Floats, counts: Floats) -> Floats:
    quotient = np.full(sums.shape, np.nan)
    np.divide(sums, counts, out=quotient, where=counts > 0)
    return quotient


def _weights(bits: np.random.BitGenerator, clusters: int, resamples: int) -> npt.NDArray[np.float32]:
    words = -(-resamples // 4)
    drawn = bits.random_raw(clusters * words).astype("<u8", copy=False).view("<u2")
    # Every 16-bit word is a place in the table, so nothing wraps: this mode only skips the check.
    return np.take(_POISSON, drawn.reshape(clusters, 4 * words)[:, :resamples], mode="wrap")
