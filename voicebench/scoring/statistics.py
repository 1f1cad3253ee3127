"""Intervals, quantiles and honest counts for figures: what a mean over a few hundred items is worth."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from voicebench.scoring.intervals import (
    Interval,
    Labels,
    Values,
    by_cluster,
    cluster_codes,
    clustered,
    draw,
    finite,
    mean_of,
    ratio,
    wilson,
)

__all__ = [
    "Counts",
    "Interval",
    "Labels",
    "Values",
    "bootstrap_mean",
    "bootstrap_means",
    "cluster_codes",
    "clustered_mean",
    "mean_interval",
    "quantiles",
    "ratio_interval",
    "wilson",
]


@dataclass(frozen=True)
class Counts:
    """What became of the answers that were asked for, for one figure.

    planned = ran + failed, and ran = scored + judge_failed; anything else is a mistake and refused.

    Attributes:
        planned: Answers asked for: items × trials.
        ran: Answers that are there without an error of the harness.
        failed: Answers that are missing or ended in an error of the harness.
        judge_failed: Answers that are there but without this figure: its judge failed, was absent or unsure.
        scored: Answers with this figure, the agent's failures (0) among them.
    """

    planned: int
    ran: int
    failed: int
    judge_failed: int
    scored: int

    def __post_init__(self) -> None:
        if min(self.planned, self.ran, self.failed, self.judge_failed, self.scored) < 0:
            raise ValueError(f"a count below 0: {self}")
        if self.planned != self.ran + self.failed:
            raise ValueError(f"planned must be ran + failed: {self}")
        if self.ran != self.scored + self.judge_failed:
            raise ValueError(f"ran must be scored + judge_failed: {self}")

    @property
    def complete(self) -> bool:
        """Whether every answer asked for has the figure."""
        return self.scored == self.planned

    @staticmethod
    def total(counts: Iterable["Counts"]) -> "Counts":
        """Return the counts of several groups together; all 0 for no group."""
        rows = [(one.planned, one.ran, one.failed, one.judge_failed, one.scored) for one in counts]
        return Counts(*(sum(parts) for parts in zip(*rows, strict=True))) if rows else Counts(0, 0, 0, 0, 0)

    def describe(self) -> str:
        """Return the counts in words: `scored 412 of 420 (5 failed, 3 without a verdict)`."""
        lost = [
            f"{number} {what}"
            for number, what in ((self.failed, "failed"), (self.judge_failed, "without a verdict"))
            if number
        ]
        return f"scored {self.scored} of {self.planned}" + (f" ({', '.join(lost)})" if lost else "")


def bootstrap_mean(
    values: Values, confidence: float = 0.95, resamples: int = 10_000, seed: int = 0
) -> Interval | None:
    """Return the percentile bootstrap interval of a mean; None for no values.

    Each resample draws len(values) values with replacement; the ends are the (1 ∓ confidence) / 2 quantiles
    of the resamples' means. B. Efron and R. Tibshirani, "An Introduction to the Bootstrap" (1993), chapter
    13.

    Args:
        values: The figures, one an item, of shape (n,).
        confidence: Between 0 and 1.
        resamples: How many resamples.
        seed: The same seed gives the same interval.

    Raises:
        ValueError: A value is not finite, `confidence` is not between 0 and 1, or `resamples` not positive.
    """
    return bootstrap_means([values], None, confidence, resamples, seed)[0]


def bootstrap_means(
    columns: Sequence[Values],
    clusters: Sequence[Labels | None] | None = None,
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> list[Interval | None]:
    """Return the percentile bootstrap interval of each column's mean; None where there are no values.

    For many figures at once: columns share their resampling weights, which is what costs the time. Each
    interval is what `bootstrap_mean` gives for that column alone, up to rounding (1e-6 of its width).

    Args:
        columns: The figures of each cell, each of shape (n,); their lengths may differ.
        clusters: For each column None, or the cluster (item, speaker) of each value: whole clusters are
            drawn, and a resample's mean is the sum of the drawn clusters' values over their number. Without,
            each value is drawn by itself.
        confidence: Between 0 and 1.
        resamples: How many resamples.
        seed: The same seed gives the same intervals.

    Raises:
        ValueError: A value is not finite, a column and its clusters differ in length, `confidence` is not
            between 0 and 1, or `resamples` not positive.
    """
    labels = clusters if clusters is not None else [None] * len(columns)
    plans = [by_cluster(values, own) for values, own in zip(columns, labels, strict=True)]
    return draw(plans, confidence, resamples, seed)


def clustered_mean(
    values: Values,
    clusters: Labels,
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
    crossed: Labels | None = None,
) -> Interval | None:
    """Return the interval of a mean whose values come in clusters that are drawn as wholes.

    The cluster bootstrap (`bootstrap_means`); A. C. Cameron, J. Gelbach and D. Miller, "Bootstrap-Based
    Improvements for Inference with Clustered Errors" (2008). Where each value is its own cluster this is
    `mean_interval`; where all are 0 or all are 1, which no resample can vary, Wilson's for as many values as
    clusters.

    With `crossed` (items as clusters, speakers crossed with them) an end's distance from the mean is
    √(a² + b² − c²), where a and b are its distances under either clustering and c under their pairs, and at
    least the wider of a and b: the rule for variances of A. C. Cameron, J. Gelbach and D. Miller, "Robust
    Inference With Multiway Clustering" (2011). Where each item has one speaker that is the wider of both. An
    end does not leave the range of the values.

    Args:
        values: The figures, of shape (n,).
        clusters: Of each value: the item or the speaker it belongs to.
        confidence: Between 0 and 1.
        resamples: How many resamples.
        seed: The same seed gives the same interval.
        crossed: A second clustering; None where there is but one.

    Returns:
        None for no values, and for a single cluster, which says nothing about how clusters differ. Of two
        clusterings, one that has a single cluster is left out.

    Raises:
        ValueError: As `bootstrap_means`.
    """
    return draw([clustered(values, clusters, crossed)], confidence, resamples, seed)[0]


def ratio_interval(
    numerators: Values,
    denominators: Values,
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> Interval | None:
    """Return the percentile bootstrap interval of Σ numerators ÷ Σ denominators over items drawn in pairs.

    Resamples whose denominators add up to 0 have no ratio and are left out.

    Args:
        numerators: One an item, of shape (n,).
        denominators: Of the same items, none below 0, of shape (n,).
        confidence: Between 0 and 1.
        resamples: How many resamples.
        seed: The same seed gives the same interval.

    Returns:
        None where the denominators add up to 0, or there are none.

    Raises:
        ValueError: A value is not finite, a denominator below 0, the lengths differ, `confidence` is not
            between 0 and 1, or `resamples` not positive.
    """
    return draw([ratio(numerators, denominators)], confidence, resamples, seed)[0]


def mean_interval(
    values: Values, confidence: float = 0.95, seed: int = 0, resamples: int = 10_000
) -> Interval | None:
    """Return a mean's interval: Wilson's where all values are 0 or 1, else the bootstrap's; None for none.

    Args:
        values: The figures, one an item, of shape (n,).
        confidence: Between 0 and 1.
        seed: The same seed gives the same interval.
        resamples: How many resamples where it is the bootstrap's.

    Raises:
        ValueError: A value is not finite, or `confidence` is not between 0 and 1.
    """
    return draw([mean_of(values)], confidence, resamples, seed)[0]


def quantiles(values: Values, qs: Sequence[float]) -> tuple[float, ...] | None:
    """Return quantiles, linearly interpolated between the sorted values; None for no values.

    Type 7 of R. Hyndman and Y. Fan, "Sample Quantiles in Statistical Packages" (1996), which is numpy's
    default.

    Args:
        values: In any order, of shape (n,).
        qs: Each between 0 and 1; 0.5 is the median.

    Raises:
        ValueError: A value is not finite, or one of `qs` is not between 0 and 1.
    """
    data = finite(values)
    if not len(data):
        return None
    return tuple(float(value) for value in np.quantile(data, list(qs)))
