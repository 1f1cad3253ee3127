"""A mean with its 95 % interval, and the figures of a group of answers."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from voicebench.report.shape import Measure
from voicebench.scoring.statistics import Interval, bootstrap_mean, mean_interval


class Estimate(NamedTuple):
    """A mean and the ends of its 95 % interval (None where there is no interval)."""

    mean: float
    low: float | None
    high: float | None


class Observation(NamedTuple):
    """One answer's figure: its task, the value, or None and the reason."""

    task_id: str
    value: float | None
    reason: str | None


def rate(values: Sequence[float]) -> Estimate:
    """Return the mean of figures in [0, 1] with its interval (Wilson's where all are 0 or 1).

    Args:
        values: At least one.
    """
    return _estimate(values, mean_interval(values))


def difference(values: Sequence[float]) -> Estimate:
    """Return the mean of paired differences with its bootstrap interval.

    Where all differences are the same there is none: resampling them would feign certainty.

    Args:
        values: At least one.
    """
    return _estimate(values, bootstrap_mean(values) if len(set(values)) > 1 else None)


def _estimate(values: Sequence[float], found: Interval | None) -> Estimate:
    return Estimate(sum(values) / len(values), *((found.low, found.high) if found else (None, None)))


def measure(observations: Iterable[Observation]) -> Measure:
    """Return one figure over a group of answers: trials averaged by task, then the mean over tasks."""
    by_task: defaultdict[str, list[float]] = defaultdict(list)
    unscored: Counter[str] = Counter()
    n_planned = 0
    for task_id, value, reason in observations:
        n_planned += 1
        if value is None:
            unscored[reason or "no reason given"] += 1
        else:
            by_task[task_id].append(value)
    means = task_means(by_task)
    mean, low, high = rate(means) if means else (None, None, None)
    return Measure(
        mean=mean,
        low=low,
        high=high,
        n_tasks=len(means),
        n_scored=n_planned - unscored.total(),
        n_planned=n_planned,
        unscored=dict(sorted(unscored.items())),
    )


def task_means(by_task: dict[str, list[float]]) -> list[float]:
    """Return each task's mean over its trials, in the order of the tasks."""
    return [sum(values) / len(values) for values in by_task.values()]
