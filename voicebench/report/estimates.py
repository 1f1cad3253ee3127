"""A mean with its 95 % interval: of one group of answers, of paired differences, of several groups' means.

Tasks are drawn as wholes, and the same task in several languages (it has the same origin) is one of them.
Where answers were heard and a voice speaks several tasks, voices are drawn as wholes as well, and the
interval is that of both clusterings (`voicebench.scoring.statistics.clustered_mean`); where all are right, or
all wrong, tasks alone.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from voicebench.report.shape import Measure
from voicebench.scoring.statistics import Counts, Interval, bootstrap_means, clustered_mean, wilson

RESAMPLES = 10_000
SEED = 0
FEWEST_COMPLETE = 1_000
"""Resamples with tasks of every language that an average over languages needs for its interval."""


class Estimate(NamedTuple):
    """A mean and the ends of its 95 % interval (None where there is no interval)."""

    mean: float
    low: float | None
    high: float | None


class Observation(NamedTuple):
    """One answer's figure.

    Attributes:
        task_id: Its task.
        value: The figure, or None.
        reason: Why it is None.
        failed: Whether that is the harness's or the machine's fault (else the judge's).
        origin: The task that the task was localised from; itself where it was not.
        voice: The voice that was heard; None where none was, or it is not known.
        weight: How much it counts in a mean that is not over tasks (calls).
    """

    task_id: str
    value: float | None
    reason: str | None = None
    failed: bool = False
    origin: str | None = None
    voice: str | None = None
    weight: int = 1


class Sampled(NamedTuple):
    """A task's mean over its trials, with what it was drawn with."""

    value: float
    origin: Hashable
    voice: str | None


def rate(values: Sequence[float], origins: Sequence[Hashable], voices: Sequence[str | None]) -> Estimate:
    """Return the mean of figures in [0, 1] with its interval (Wilson's where all are 0 or 1 and independent).

    Args:
        values: At least one.
        origins: Of each value the task that it comes from.
        voices: Of each value the voice that was heard; if one is None, voices do not count.
    """
    return _rate(tuple(values), tuple(origins), tuple(voices) if _repeat(voices) else None)


def difference(
    values: Sequence[float], origins: Sequence[Hashable], voices: Sequence[str | None]
) -> Estimate:
    """Return the mean of paired differences with its bootstrap interval.

    Where all differences are the same there is none: resampling them would feign certainty. Where voices
    repeat, each end is the farther one of drawing tasks and of drawing voices.

    Args:
        values: At least one.
        origins: Of each value the task that it comes from.
        voices: Of each value the voice that was heard; if one is None, voices do not count.
    """
    clusterings = [origins, voices] if _repeat(voices) else [origins]
    clusterings = [labels for labels in clusterings if len(set(labels)) > 1]
    if len(set(values)) == 1 or not clusterings:
        return _estimate(values, None)
    ends = bootstrap_means([values] * len(clusterings), clusterings, resamples=RESAMPLES, seed=SEED)
    return _estimate(values, _widest(ends))


def measure(observations: Iterable[Observation]) -> Measure:
    """Return one figure over a group of answers: trials averaged by task, then the mean over tasks."""
    rows = list(observations)
    tasks = list(sampled(rows).values())
    estimate = rate(*zip(*tasks, strict=True)) if tasks else None
    return _measure(rows, len(tasks), estimate)


def measure_weighted(observations: Iterable[Observation]) -> Measure:
    """Return one figure over a group of answers, each counting as much as its weight; `n_tasks` are tasks."""
    rows = list(observations)
    scored = [row for row in rows if row.value is not None and row.weight > 0]
    values = [row.value for row in scored for _ in range(row.weight) if row.value is not None]
    origins = [row.origin or row.task_id for row in scored for _ in range(row.weight)]
    voices = [row.voice for row in scored for _ in range(row.weight)]
    estimate = rate(values, origins, voices) if values else None
    return _measure(rows, len({row.task_id for row in scored}), estimate)


def mean_over_languages(groups: Sequence[Sequence[Observation]]) -> Measure:
    """Return the mean of the means of languages, each language counting the same.

    The interval is the percentile bootstrap over tasks: a task is drawn in all languages at once. Where all
    values are 0, or all are 1, it is Wilson's for as many values as tasks. Voices are not drawn here. None
    where languages have so few tasks that hardly a resample has some of each.

    Args:
        groups: Each language's answers; one with nothing scored is in the counts and not in the mean.
    """
    rows = [row for group in groups for row in group]
    there = [tasks for group in groups if (tasks := list(sampled(group).values()))]
    if len(there) < 2:
        tasks = there[0] if there else []
        return _measure(rows, len(tasks), rate(*zip(*tasks, strict=True)) if tasks else None)
    means = [sum(task.value for task in tasks) / len(tasks) for tasks in there]
    found = _drawn_together(there)
    estimate = Estimate(sum(means) / len(means), *((found.low, found.high) if found else (None, None)))
    return _measure(rows, sum(map(len, there)), estimate)


def mean_of_measures(measures: Sequence[Measure]) -> Measure:
    """Return the mean of independent groups' means (kinds of task), each group counting the same.

    Its interval is made of theirs: with K groups of mean m and interval (l, u) the ends are
    M − √Σ(m − l)² / K and M + √Σ(u − m)² / K. G. Y. Zou, W. Huang and X. Zhang, "A note on confidence
    interval estimation for a linear function of binomial proportions", Computational Statistics & Data
    Analysis 53 (2009). A group of which nothing is scored is in the counts and not in the mean.
    """
    found = [one for one in measures if one.mean is not None]
    mean = low = high = None
    if found:
        mean = sum(one.mean or 0.0 for one in found) / len(found)
        ends = [(one.mean, one.low, one.high) for one in found]
        if all(end[1] is not None and end[2] is not None for end in ends):
            low = mean - sqrt(sum(((m or 0) - (lo or 0)) ** 2 for m, lo, _ in ends)) / len(found)
            high = mean + sqrt(sum(((hi or 0) - (m or 0)) ** 2 for m, _, hi in ends)) / len(found)
    return Measure(
        mean=mean, low=low, high=high, n_tasks=sum(one.n_tasks for one in found),
        counts=Counts.total(one.counts for one in measures),
        failed=_added(one.failed for one in measures),
        judge_failed=_added(one.judge_failed for one in measures),
    )  # fmt: skip


def sampled(observations: Iterable[Observation]) -> dict[str, Sampled]:
    """Return each scored task's mean over its trials, by task id, in the order of the tasks."""
    values: defaultdict[str, list[float]] = defaultdict(list)
    drawn: dict[str, tuple[Hashable, str | None]] = {}
    for row in observations:
        if row.value is not None:
            values[row.task_id].append(row.value)
            drawn.setdefault(row.task_id, (row.origin or row.task_id, row.voice))
    return {task_id: Sampled(sum(own) / len(own), *drawn[task_id]) for task_id, own in values.items()}


def _measure(rows: Sequence[Observation], n_tasks: int, estimate: Estimate | None) -> Measure:
    failed: Counter[str] = Counter()
    judge_failed: Counter[str] = Counter()
    for row in rows:
        if row.value is None:
            (failed if row.failed else judge_failed)[row.reason or "no reason given"] += 1
    ran = len(rows) - failed.total()
    counts = Counts(
        planned=len(rows), ran=ran, failed=failed.total(), judge_failed=judge_failed.total(),
        scored=ran - judge_failed.total(),
    )  # fmt: skip
    mean, low, high = estimate or (None, None, None)
    return Measure(
        mean=mean, low=low, high=high, n_tasks=n_tasks, counts=counts,
        failed=dict(sorted(failed.items())), judge_failed=dict(sorted(judge_failed.items())),
    )  # fmt: skip


@lru_cache(maxsize=50_000)
def _rate(
    values: tuple[float, ...], origins: tuple[Hashable, ...], voices: tuple[str | None, ...] | None
) -> Estimate:
    """Remembered: the same tasks are in many groups, and often have the same value in several figures."""
    alone = len(set(origins)) == len(values)
    if len(values) == 1 and values[0] in (0, 1):
        return _estimate(values, wilson(int(values[0]), 1))
    if len(set(values)) == 1:
        # Where nothing varies, nothing is seen of how voices differ.
        voices = None
    if voices is None or not alone:
        return _estimate(
            values, clustered_mean(values, origins, resamples=RESAMPLES, seed=SEED, crossed=voices)
        )
    # Where each task is heard once, drawing both comes to the wider of the two (see `clustered_mean`).
    ends = [clustered_mean(values, labels, resamples=RESAMPLES, seed=SEED) for labels in (origins, voices)]
    return _estimate(values, _widest(ends))


def _widest(ends: Sequence[Interval | None]) -> Interval | None:
    found = [end for end in ends if end is not None]
    return Interval(min(end.low for end in found), max(end.high for end in found)) if found else None


def _estimate(values: Sequence[float], found: Interval | None) -> Estimate:
    return Estimate(sum(values) / len(values), *((found.low, found.high) if found else (None, None)))


def _repeat(voices: Sequence[str | None]) -> bool:
    return None not in voices and 1 < len(set(voices)) < len(voices)


def _added(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for one in counts:
        total.update(one)
    return dict(sorted(total.items()))


def _drawn_together(groups: Sequence[Sequence[Sampled]]) -> Interval | None:
    """Return the bootstrap interval of the mean of the groups' means when tasks are drawn in all at once."""
    places: dict[Hashable, int] = {}
    for group in groups:
        for task in group:
            places.setdefault(task.origin, len(places))
    n = len(places)
    if n < 2:
        return None
    values = {task.value for group in groups for task in group}
    if values in ({0}, {1}):
        return wilson(n * int(max(values)), n)
    sums, counts = np.zeros((2, n, len(groups)), dtype=np.float32)
    for column, group in enumerate(groups):
        for task in group:
            sums[places[task.origin], column] += task.value
            counts[places[task.origin], column] += 1
    weights = _weights(n)
    drawn = weights @ counts
    # A resample without any task of a language has no mean of all of them.
    complete = (drawn > 0).all(axis=1)
    if complete.sum() < FEWEST_COMPLETE:
        return None
    means = ((weights[complete] @ sums) / drawn[complete]).mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return Interval(float(low), float(high))


@lru_cache(maxsize=8)
def _weights(n: int) -> npt.NDArray[np.float32]:
    """Return how often each of n tasks is drawn in each resample, of shape (resamples, n)."""
    rng = np.random.default_rng(SEED)
    return rng.multinomial(n, np.full(n, 1 / n), size=RESAMPLES).astype(np.float32)
