"""Intervals and quantiles for figures: what a mean over a few hundred items is worth."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, sqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

_FEW_VALUES = 64
_CELLS_AT_ONCE = 4_000_000


@dataclass(frozen=True)
class Interval:
    """A confidence interval, both ends included."""

    low: float
    high: float


def wilson(successes: int, n: int, confidence: float = 0.95) -> Interval | None:
    """Return the Wilson score interval of a share; None for n = 0.

    With p = successes / n and z the normal quantile of (1 + confidence) / 2, its ends are
    (p + z²/2n ± z √(p(1 − p)/n + z²/4n²)) / (1 + z²/n). E. B. Wilson, "Probable Inference, the Law of
    Succession, and Statistical Inference", JASA 22 (1927).

    Raises:
        ValueError: `successes` is not within 0 … n, or `confidence` not between 0 and 1.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"successes must be within 0 and n = {n}, not {successes}")
    z = NormalDist().inv_cdf((1 + _checked(confidence)) / 2)
    if n == 0:
        return None
    share, spread = successes / n, z * z / n
    middle = (share + spread / 2) / (1 + spread)
    half = z * sqrt(share * (1 - share) / n + spread / (4 * n)) / (1 + spread)
    # At 0 and n successes an end is exactly 0 or 1; rounding must not push it past.
    return Interval(0.0 if successes == 0 else middle - half, 1.0 if successes == n else middle + half)


def bootstrap_mean(
    values: Sequence[float], confidence: float = 0.95, resamples: int = 10_000, seed: int = 0
) -> Interval | None:
    """Return the percentile bootstrap interval of a mean; None for no values.

    Each resample draws len(values) values with replacement; the ends are the (1 ∓ confidence) / 2 quantiles
    of the resamples' means. B. Efron and R. Tibshirani, "An Introduction to the Bootstrap" (1993), chapter
    13.

    Args:
        values: The figures, one an item.
        confidence: Between 0 and 1.
        resamples: How many resamples.
        seed: The same seed gives the same interval.

    Raises:
        ValueError: A value is not finite, `confidence` is not between 0 and 1, or `resamples` not positive.
    """
    data = _finite(values)
    _checked(confidence)
    if resamples < 1:
        raise ValueError(f"resamples must be positive, not {resamples}")
    if not len(data):
        return None
    means = _resampled_means(data, resamples, np.random.default_rng(seed))
    low, high = np.quantile(means, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(float(low), float(high))


def mean_interval(values: Sequence[float], confidence: float = 0.95, seed: int = 0) -> Interval | None:
    """Return a mean's interval: Wilson's where all values are 0 or 1, else the bootstrap's; None for none.

    Raises:
        ValueError: A value is not finite, or `confidence` is not between 0 and 1.
    """
    if all(value in (0, 1) for value in values):
        return wilson(sum(1 for value in values if value == 1), len(values), confidence)
    return bootstrap_mean(values, confidence, seed=seed)


def quantiles(values: Sequence[float], qs: Sequence[float]) -> tuple[float, ...] | None:
    """Return quantiles, linearly interpolated between the sorted values; None for no values.

    Type 7 of R. Hyndman and Y. Fan, "Sample Quantiles in Statistical Packages" (1996), which is numpy's
    default.

    Args:
        values: In any order.
        qs: Each between 0 and 1; 0.5 is the median.

    Raises:
        ValueError: A value is not finite, or one of `qs` is not between 0 and 1.
    """
    data = _finite(values)
    if not len(data):
        return None
    return tuple(float(value) for value in np.quantile(data, list(qs)))


def _resampled_means(
    data: npt.NDArray[np.float64], resamples: int, rng: np.random.Generator
) -> npt.NDArray[np.float64]:
    n = len(data)
    distinct, counts = np.unique(data, return_counts=True)
    if len(distinct) <= _FEW_VALUES:
        # How often each distinct value is drawn is multinomial, so n draws a resample are not needed.
        drawn = rng.multinomial(n, counts / n, size=resamples)
        return np.asarray(drawn @ distinct / n, dtype=np.float64)
    at_once = max(1, _CELLS_AT_ONCE // n)
    parts = [
        data[rng.integers(0, n, size=(min(at_once, resamples - start), n))].mean(axis=1)
        for start in range(0, resamples, at_once)
    ]
    return np.concatenate(parts)


def _finite(values: Sequence[float]) -> npt.NDArray[np.float64]:
    if not all(isfinite(value) for value in values):
        raise ValueError("every value must be a finite number")
    return np.asarray(values, dtype=np.float64)


def _checked(confidence: float) -> float:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, not {confidence}")
    return confidence
