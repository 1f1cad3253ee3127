"""Two agents on the same items: the difference, its interval, and whether chance alone would do as much."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Literal

import numpy as np
import numpy.typing as npt

from voicebench.scoring.statistics import Labels, Values, bootstrap_means, cluster_codes

Floats = npt.NDArray[np.float64]

# Sums that differ by less than this share of all differences are one sum, summed in another order.
_SAME = 1e-12
_LARGEST_DENOMINATOR = 60
_MOST_ENUMERATED = 20
_MOST_ADDITIONS = 200_000_000
_SIGNS_OF_A_BYTE = 1.0 - 2.0 * np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)


@dataclass(frozen=True)
class Paired:
    """The mean difference, second minus first, over the items that both have.

    Attributes:
        n: How many pairs.
        difference: The mean of second − first.
        low: The lower end of the difference's bootstrap interval by cluster; None where there is one
            cluster only or resampling changes nothing (all differences alike), which would feign certainty.
        high: Its upper end.
        p: Two-sided; how often a difference at least as large would come by chance if neither were better.
        test: `mcnemar` (all values 0 or 1, each pair its own cluster) or `sign-flip`.
        n_clusters: How many clusters the pairs are from; n without clusters.
    """

    n: int
    difference: float
    low: float | None
    high: float | None
    p: float
    test: Literal["mcnemar", "sign-flip"]
    n_clusters: int


def paired_difference(
    first: Values,
    second: Values,
    clusters: Labels | None = None,
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> Paired | None:
    """Return the difference second − first over pairs, its interval and p; None for no pairs.

    Args:
        first: One figure an item, of shape (n,); items without a figure on either side are left out before.
        second: The other agent's figures of the same items in the same order, of shape (n,).
        clusters: Of each pair: what it shares with others (its item over trials, its speaker).
        confidence: Of the interval, between 0 and 1.
        resamples: Of the interval; a sign-flip test that is not exact draws ten times as many.
        seed: The same seed gives the same result.

    Raises:
        ValueError: The lengths differ, a value is not finite, `confidence` is not between 0 and 1, or
            `resamples` not positive.
    """
    before, after = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if len(before) != len(after):
        raise ValueError(f"{len(before)} first values but {len(after)} second ones")
    differences = after - before
    ends = bootstrap_means([differences], [clusters], confidence, resamples, seed)[0]
    if ends is None:
        return None
    n_clusters = len(differences) if clusters is None else len(set(clusters))
    varied = n_clusters > 1 and ends.low < ends.high
    binary = bool((((before == 0) | (before == 1)) & ((after == 0) | (after == 1))).all())
    exact = binary and n_clusters == len(differences)
    return Paired(
        n=len(differences),
        difference=float(differences.mean()),
        low=ends.low if varied else None,
        high=ends.high if varied else None,
        p=sign_flip(differences, clusters, 10 * resamples, seed),
        test="mcnemar" if exact else "sign-flip",
        n_clusters=n_clusters,
    )


def mcnemar(only_first: int, only_second: int) -> float:
    """Return the exact two-sided p of McNemar's test.

    Twice the binomial probability that of only_first + only_second fair coins at most the smaller number
    fall on its side, at most 1; in whole numbers. Q. McNemar, "Note on the sampling error of the difference
    between correlated proportions or percentages", Psychometrika 12 (1947); exact form after B. Everitt,
    "The Analysis of Contingency Tables" (1977).

    Args:
        only_first: Items that only the first agent gets right.
        only_second: Items that only the second gets right.

    Raises:
        ValueError: A number is below 0.
    """
    if min(only_first, only_second) < 0:
        raise ValueError(f"counts must not be below 0: {only_first}, {only_second}")
    n, fewer = only_first + only_second, min(only_first, only_second)
    if 2 * fewer + 1 >= n:
        return 1.0
    term = comb(n, fewer)
    total = 0
    for successes in range(fewer, -1, -1):
        total += term
        term = term * successes // (n - successes + 1)
        # What is left is below n terms; once it is below 2⁻⁶⁴ of the total no float shows it.
        if term.bit_length() + n.bit_length() + 64 < total.bit_length():
            break
    return total / (1 << (n - 1))


def sign_flip(
    differences: Values, clusters: Labels | None = None, resamples: int = 100_000, seed: int = 0
) -> float:
    """Return the two-sided p of the paired sign-flip test: had each cluster's sign been a coin's.

    The share of all sign choices whose sum is at least as far from 0. Exact where the clusters' sums are
    all ± one size (McNemar's test), few, or whole multiples of one unit (fractions up to 1/60); else
    (1 + h) / (1 + resamples) with h such sums among random ones, as B. Phipson and G. Smyth, "Permutation
    P-values Should Never Be Zero" (2010). R. A. Fisher, "The Design of Experiments" (1935), section 21.

    Args:
        differences: Second − first, one a pair, of shape (n,).
        clusters: Of each pair: a whole cluster changes its sign together. Without, each pair by itself.
        resamples: How many random sign choices where it is not exact.
        seed: The same seed gives the same p.

    Returns:
        1 where there is no difference at all.

    Raises:
        ValueError: A difference is not finite, the lengths differ, or `resamples` is not positive.
    """
    sums = _cluster_sums(differences, clusters)
    if resamples < 1:
        raise ValueError(f"resamples must be positive, not {resamples}")
    sums = sums[np.abs(sums) > _SAME * np.abs(sums).sum()]
    if not len(sums):
        return 1.0
    sizes = np.abs(sums)
    if sizes.max() - sizes.min() <= _SAME * sizes.sum():
        return mcnemar(int((sums < 0).sum()), int((sums > 0).sum()))
    whole = _whole(sums)
    if whole is not None and len(whole) * int(np.abs(whole).sum()) <= _MOST_ADDITIONS:
        return _by_counting(whole)
    if len(sums) <= _MOST_ENUMERATED:
        return _by_enumeration(sums)
    return _by_sampling(sums, resamples, seed)


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return p values adjusted for their number, in the same order (Holm's step-down method).

    The i-th smallest of m is multiplied by m − i + 1, never falls below a smaller one's, and ends at 1; those
    below 0.05 hold together with an error rate of 5 % over the family. S. Holm, "A Simple Sequentially
    Rejective Multiple Test Procedure", Scandinavian Journal of Statistics 6 (1979).

    Raises:
        ValueError: A value is not within 0 and 1.
    """
    if not all(0 <= p <= 1 for p in p_values):
        raise ValueError("every p value must be within 0 and 1")
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return tuple(adjusted)


def _cluster_sums(differences: Values, clusters: Labels | None) -> Floats:
    data = np.asarray(differences, dtype=np.float64)
    if not np.isfinite(data).all():
        raise ValueError("every difference must be a finite number")
    if clusters is None:
        return data
    if len(clusters) != len(data):
        raise ValueError(f"{len(data)} differences but {len(clusters)} clusters")
    return np.asarray(np.bincount(cluster_codes(clusters), data), dtype=np.float64)


def _whole(sums: Floats) -> npt.NDArray[np.int64] | None:
    """Return sums as whole multiples of one unit, the smallest such numbers; None where they are not."""
    if np.abs(sums).sum() > _MOST_ADDITIONS:
        return None
    for denominator in range(1, _LARGEST_DENOMINATOR + 1):
        scaled = sums * denominator
        nearest = np.rint(scaled)
        if (np.abs(scaled - nearest) <= 1e-9).all() and nearest.all():
            whole = nearest.astype(np.int64)
            return np.asarray(whole // np.gcd.reduce(whole))
    return None


def _by_counting(whole: npt.NDArray[np.int64]) -> float:
    """Return p from the distribution of the sum of those that got a plus, built one cluster at a time."""
    sizes = np.abs(whole)
    total, observed = int(sizes.sum()), abs(int(whole.sum()))
    if observed == 0:
        return 1.0
    # A signed sum of −observed or less has pluses of at most this; the other tail mirrors it.
    most = (total - observed) // 2
    chance = np.zeros(most + 1)
    chance[0] = 1.0
    for size in np.sort(sizes):
        chance *= 0.5
        if size <= most:
            chance[size:] += chance[: most + 1 - size].copy()
    return min(1.0, 2 * float(chance.sum()))


def _by_enumeration(sums: Floats) -> float:
    # With the first sign fixed: the other half mirrors it.
    totals = sums[:1]
    for one in sums[1:]:
        totals = np.concatenate((totals + one, totals - one))
    return float((np.abs(totals) >= _reached(sums)).mean())


def _by_sampling(sums: Floats, resamples: int, seed: int) -> float:
    """Return p from random signs: one bit each, eight at a time by a table of their 256 signed sums."""
    bits = np.random.default_rng(seed).bit_generator
    # Sorted, so that the order of a file does not change the result; a random word has 64 signs.
    padded = np.zeros(-(-len(sums) // 64) * 64)
    padded[: len(sums)] = np.sort(sums)
    totals = np.zeros(resamples)
    for word in padded.reshape(-1, 8, 8):
        drawn = bits.random_raw(resamples).astype("<u8", copy=False).view(np.uint8).reshape(resamples, 8)
        for place, eight in enumerate(word):
            totals += np.take(_SIGNS_OF_A_BYTE @ eight, drawn[:, place])
    hits = int((np.abs(totals) >= _reached(sums)).sum())
    return (1 + hits) / (1 + resamples)


def _reached(sums: Floats) -> float:
    return float(abs(sums.sum()) - _SAME * np.abs(sums).sum())
