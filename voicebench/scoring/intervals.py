"""Confidence intervals, planned one by one and drawn together, from random weights that they share."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Protocol

import numpy as np
import numpy.typing as npt

from voicebench.scoring.resampling import Column, Floats, Numbers, column_of, ratio_of, resampled

Values = Sequence[float] | npt.NDArray[np.float64]
Labels = Sequence[Hashable]

_FEWEST_COMPLETE = 0.1
"""Share of the resamples that must have a mean, where some have none."""


@dataclass(frozen=True)
class Interval:
    """A confidence interval, both ends included."""

    low: float
    high: float


class Plan(Protocol):
    """An interval that is still to be drawn: what is resampled for it, and what is made of that."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """What is to be resampled."""
        ...

    def interval(self, drawn: Sequence[Interval | None], confidence: float) -> Interval | None:
        """Return the interval from the percentile intervals of the columns, in their order."""
        ...


@dataclass(frozen=True)
class Share:
    """Wilson's interval of a share (`wilson`): nothing is resampled."""

    successes: int
    n: int

    @property
    def columns(self) -> tuple[Column, ...]:
        """Nothing."""
        return ()

    def interval(self, drawn: Sequence[Interval | None], confidence: float) -> Interval | None:
        """Return Wilson's interval."""
        return wilson(self.successes, self.n, confidence)


@dataclass(frozen=True)
class Resampled:
    """The percentile interval of one column."""

    column: Column

    @property
    def columns(self) -> tuple[Column, ...]:
        """The column."""
        return (self.column,)

    def interval(self, drawn: Sequence[Interval | None], confidence: float) -> Interval | None:
        """Return the column's interval."""
        return drawn[0]


@dataclass(frozen=True)
class Widest:
    """From the lowest to the highest end of several plans; None where none of them has an interval."""

    plans: tuple[Plan, ...] = ()

    @property
    def columns(self) -> tuple[Column, ...]:
        """Those of all plans."""
        return tuple(column for plan in self.plans for column in plan.columns)

    def interval(self, drawn: Sequence[Interval | None], confidence: float) -> Interval | None:
        """Return the hull of the plans' intervals."""
        found = [one for one in _intervals(self.plans, iter(drawn), confidence) if one is not None]
        return Interval(min(one.low for one in found), max(one.high for one in found)) if found else None


@dataclass(frozen=True)
class Crossed:
    """The interval of values in two clusterings, as `voicebench.scoring.statistics.clustered_mean` says.

    Attributes:
        columns: The values by the first clustering, by the second, and by both.
        mean: Of the values.
        least: The least value.
        most: The greatest one.
    """

    columns: tuple[Column, ...]
    mean: float
    least: float
    most: float

    def interval(self, drawn: Sequence[Interval | None], confidence: float) -> Interval | None:
        """Return the mean with the two distances that the three intervals come to."""
        below = _combined([self.mean - one.low for one in drawn if one is not None])
        above = _combined([one.high - self.mean for one in drawn if one is not None])
        return Interval(max(self.mean - below, self.least), min(self.mean + above, self.most))


def mean_of(values: Values) -> Plan:
    """Plan a mean's interval: Wilson's where all values are 0 or 1, else the bootstrap's.

    Raises:
        ValueError: A value is not finite.
    """
    data = finite(values)
    if ((data == 0) | (data == 1)).all():
        return Share(int(data.sum()), len(data))
    return Resampled(column_of(data))


def by_cluster(values: Values, clusters: Labels | None) -> Plan:
    """Plan the bootstrap interval of a mean whose clusters are drawn as wholes; None for no values.

    Args:
        values: Of shape (n,).
        clusters: Of each value; None where each is drawn by itself.

    Raises:
        ValueError: A value is not finite, or the lengths differ.
    """
    data = finite(values)
    if clusters is not None and len(clusters) != len(data):
        raise ValueError(f"{len(data)} values but {len(clusters)} clusters")
    if not len(data):
        return Widest()
    return Resampled(column_of(data, None if clusters is None else cluster_codes(clusters)))


def clustered(values: Values, clusters: Labels, crossed: Labels | None = None) -> Plan:
    """Plan what `voicebench.scoring.statistics.clustered_mean` returns, with the same arguments.

    Raises:
        ValueError: A value is not finite, or the lengths differ.
    """
    ways = [clusters] if crossed is None else [clusters, crossed]
    for way in ways:
        if len(way) != len(values):
            raise ValueError(f"{len(values)} values but {len(way)} clusters")
    telling = [way for way in ways if len(set(way)) > 1]
    if not telling:
        return Widest()
    if len(telling) == 2:
        data = finite(values)
        codes = [cluster_codes(way) for way in (*ways, list(zip(*ways, strict=True)))]
        columns = tuple(column_of(data, own) for own in codes)
        return Crossed(columns, float(data.mean()), float(data.min()), float(data.max()))
    n_clusters = len(set(telling[0]))
    if n_clusters == len(values):
        return mean_of(values)
    first = float(values[0])
    if first in (0, 1) and all(value == first for value in values):
        return Share(int(first) * n_clusters, n_clusters)
    return by_cluster(values, telling[0])


def ratio(numerators: Values, denominators: Values) -> Plan:
    """Plan what `voicebench.scoring.statistics.ratio_interval` returns, with the same arguments.

    Raises:
        ValueError: A value is not finite, a denominator below 0, or the lengths differ.
    """
    above, below = finite(numerators), finite(denominators)
    if len(above) != len(below):
        raise ValueError(f"{len(above)} numerators but {len(below)} denominators")
    if (below < 0).any():
        raise ValueError("a denominator is below 0")
    return Resampled(ratio_of(above, below)) if below.sum() > 0 else Widest()


def draw(
    plans: Sequence[Plan], confidence: float = 0.95, resamples: int = 10_000, seed: int = 0
) -> list[Interval | None]:
    """Return the interval of each plan, None where it has none; all are resampled at once.

    The ends of a percentile interval are the (1 ∓ confidence) / 2 quantiles of the resamples' means. Those
    that have no mean are left out; where nine of ten have none, there is no interval.

    Args:
        plans: In any number: memory is needed for some at a time.
        confidence: Between 0 and 1.
        resamples: How many resamples.
        seed: The same seed gives the same intervals.

    Raises:
        ValueError: `confidence` is not between 0 and 1, or `resamples` not positive.
    """
    checked(confidence)
    if resamples < 1:
        raise ValueError(f"resamples must be positive, not {resamples}")
    columns = [column for plan in plans for column in plan.columns]
    drawn: list[Interval | None] = [None] * len(columns)
    for places, means in resampled(columns, resamples, seed):
        for place, interval in zip(places, _percentiles(means, confidence), strict=True):
            drawn[place] = interval
    return list(_intervals(plans, iter(drawn), confidence))


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
    z = NormalDist().inv_cdf((1 + checked(confidence)) / 2)
    if n == 0:
        return None
    share, spread = successes / n, z * z / n
    middle = (share + spread / 2) / (1 + spread)
    half = z * sqrt(share * (1 - share) / n + spread / (4 * n)) / (1 + spread)
    # At 0 and n successes an end is exactly 0 or 1; rounding must not push it past.
    return Interval(0.0 if successes == 0 else middle - half, 1.0 if successes == n else middle + half)


def cluster_codes(clusters: Labels) -> Numbers:
    """Return clusters as numbers from 0 on in the order they first appear, of shape (n,)."""
    seen: dict[Hashable, int] = {}
    return np.array([seen.setdefault(label, len(seen)) for label in clusters], dtype=np.intp)


def finite(values: Values) -> Floats:
    """Return values as an array of shape (n,).

    Raises:
        ValueError: A value is not finite.
    """
    data = np.asarray(values, dtype=np.float64)
    if not np.isfinite(data).all():
        raise ValueError("every value must be a finite number")
    return data


def checked(confidence: float) -> float:
    """Return a confidence as it is.

    Raises:
        ValueError: It is not between 0 and 1.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, not {confidence}")
    return confidence


def _intervals(
    plans: Sequence[Plan], drawn: Iterator[Interval | None], confidence: float
) -> Iterator[Interval | None]:
    for plan in plans:
        yield plan.interval([next(drawn) for _ in plan.columns], confidence)


def _combined(distances: Sequence[float]) -> float:
    a, b, c = (distance * distance for distance in distances)
    return sqrt(max(a + b - c, a, b))


def _percentiles(means: Floats, confidence: float) -> Iterator[Interval | None]:
    """Yield the percentile interval of each row, linearly interpolated; sorts the rows in place."""
    means.sort(axis=1)
    resamples = means.shape[1]
    # What is no number is sorted behind all numbers.
    n = resamples - np.isnan(means).sum(axis=1)
    ends = [_quantile(means, n, q) for q in ((1 - confidence) / 2, (1 + confidence) / 2)]
    for complete, low, high in zip(n, *ends, strict=True):
        enough = complete >= max(1, _FEWEST_COMPLETE * resamples)
        yield Interval(float(low), float(high)) if enough else None


def _quantile(rows: Floats, n: npt.NDArray[np.intp], q: float) -> Floats:
    """Return the q-quantile of the first n values of each sorted row, of shape (rows,)."""
    place = q * np.maximum(n - 1, 0)
    below = place.astype(np.intp)
    every = np.arange(len(rows))
    low, high = rows[every, below], rows[every, np.minimum(below + 1, rows.shape[1] - 1)]
    return np.asarray(np.where(below == place, low, low + (high - low) * (place - below)))
