"""Quantiles of delays, each with an interval between two of the values themselves."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, exp, floor, lgamma, log, log1p

from voicebench.scoring.statistics import quantiles


@dataclass(frozen=True)
class QuantileInterval:
    """A quantile's confidence interval; an end that the values cannot bound is None."""

    low: float | None
    high: float | None


def quantile(values: Sequence[float], q: float) -> float:
    """Return a quantile, linearly interpolated between the sorted values (`scoring.statistics.quantiles`).

    Raises:
        ValueError: There are no values, one is not finite, or `q` is not between 0 and 1.
    """
    found = quantiles(values, [q])
    if found is None:
        raise ValueError("no values have no quantile")
    return found[0]


def quantile_interval(values: Sequence[float], q: float, confidence: float = 0.95) -> QuantileInterval:
    """Return the interval of a quantile between two order statistics, whatever the values' distribution is.

    How many of n values lie below the true quantile is binomial (n, q). The lower end is the largest value
    that lies above the quantile with a probability of at most (1 - confidence) / 2, the upper end the
    smallest one that lies below it with at most the same. H. A. David and H. N. Nagaraja, "Order Statistics"
    (2003), section 7.1. Few values cannot bound an outer quantile: 100 of them leave the 99th percentile
    open above, for the largest lies below it in 37 % of all samples. The interval always takes in the
    estimate (`quantile`).

    Args:
        values: Independent of each other, in any order.
        q: Between 0 and 1, both excluded.
        confidence: Between 0 and 1, both excluded.

    Raises:
        ValueError: `q` or `confidence` is not between 0 and 1.
    """
    if not (0 < q < 1 and 0 < confidence < 1):
        raise ValueError(f"q and confidence lie between 0 and 1, not {q} and {confidence}")
    ordered = sorted(values)
    low, high = _ranks(len(ordered), q, (1 - confidence) / 2)
    return QuantileInterval(
        None if low is None else ordered[low - 1], None if high is None else ordered[high - 1]
    )


@lru_cache(maxsize=256)
def _ranks(n: int, q: float, tail: float) -> tuple[int | None, int | None]:
    """Return the ranks (from 1) of both ends; None where no rank leaves so little in its tail."""
    below, low = 0.0, 0
    while low < n and below + _share(n, q, low) <= tail:
        below += _share(n, q, low)
        low += 1
    above, high = 0.0, n + 1
    while high > 1 and above + _share(n, q, high - 1) <= tail:
        above += _share(n, q, high - 1)
        high -= 1
    # The estimate lies between these two: of a few values the interval takes both in.
    place = q * (n - 1)
    low, high = min(low, floor(place) + 1), max(high, ceil(place) + 1)
    return low or None, high if high <= n else None


def _share(n: int, q: float, k: int) -> float:
    """Return the binomial probability of k out of n."""
    ways = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
    return exp(ways + k * log(q) + (n - k) * log1p(-q))
