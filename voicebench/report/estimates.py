"""Means with their 95 % intervals, asked for one by one and drawn together.

Tasks are drawn as wholes, and the same task in several languages (it has the same origin) is one of them.
Where answers were heard and a voice speaks several tasks, voices are drawn as wholes as well, and the
interval is that of both clusterings (`voicebench.scoring.statistics.clustered_mean`); where all are right, or
all wrong, tasks alone.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from voicebench.report.observed import Sampled
from voicebench.scoring.intervals import Plan, Resampled, Share, Widest, by_cluster, clustered, draw
from voicebench.scoring.resampling import ratio_of

RESAMPLES = 10_000
SEED = 0

Values = tuple[float, ...]
Origins = tuple[Hashable, ...]
Voices = tuple[str | None, ...]


class Estimate(NamedTuple):
    """A mean and the ends of its 95 % interval (None where there is no interval)."""

    mean: float
    low: float | None
    high: float | None


class Asked(Protocol):
    """A mean whose interval is asked for; equal ones are drawn once."""

    @property
    def mean(self) -> float:
        """The mean."""
        ...

    def plan(self) -> Plan:
        """Return how its interval is drawn."""
        ...


@dataclass(frozen=True)
class Rate:
    """A mean of figures in [0, 1]; its interval is Wilson's where all are 0 or 1 and independent.

    Attributes:
        values: At least one.
        origins: Of each value the task that it comes from.
        voices: Of each value the voice that was heard; if one is None, voices do not count.
    """

    values: Values
    origins: Origins
    voices: Voices

    @classmethod
    def of(cls, drawn: Iterable[Sampled]) -> "Rate":
        """Return the mean of tasks' values; there must be one."""
        _, values, origins, voices = zip(*drawn, strict=True)
        return cls(values, origins, voices)

    @property
    def mean(self) -> float:
        """The mean."""
        return sum(self.values) / len(self.values)

    def plan(self) -> Plan:
        """Return how its interval is drawn."""
        if len(self.values) == 1 and self.values[0] in (0, 1):
            return Share(int(self.values[0]), 1)
        # Where nothing varies, nothing is seen of how voices differ.
        if len(set(self.values)) == 1 or not _repeat(self.voices):
            return clustered(self.values, self.origins)
        if len(set(self.origins)) < len(self.values):
            return clustered(self.values, self.origins, self.voices)
        # Where each task is heard once, drawing both comes to the wider of the two (see `clustered_mean`).
        return Widest(tuple(clustered(self.values, labels) for labels in (self.origins, self.voices)))


@dataclass(frozen=True)
class Difference:
    """A mean of paired differences, with its bootstrap interval.

    Where all differences are the same there is none: resampling them would feign certainty. Where voices
    repeat, each end is the farther one of drawing tasks and of drawing voices.

    Attributes:
        values: At least one.
        origins: Of each value the task that it comes from.
        voices: Of each value the voice that was heard; if one is None, voices do not count.
    """

    values: Values
    origins: Origins
    voices: Voices

    @property
    def mean(self) -> float:
        """The mean."""
        return sum(self.values) / len(self.values)

    def plan(self) -> Plan:
        """Return how its interval is drawn."""
        if len(set(self.values)) == 1:
            return Widest()
        ways = (self.origins, self.voices) if _repeat(self.voices) else (self.origins,)
        return Widest(tuple(by_cluster(self.values, labels) for labels in ways if len(set(labels)) > 1))


@dataclass(frozen=True, eq=False)
class LanguageMean:
    """The mean of the means of languages, each language counting the same.

    The interval is the percentile bootstrap over tasks: a task is drawn in all languages at once. Where all
    values are 0, or all are 1, it is Wilson's for as many values as tasks. Voices are not drawn here. None
    where languages have so few tasks that hardly a resample has some of each.

    Attributes:
        languages: Of each language the tasks' values, at least one.
    """

    languages: tuple[tuple[Sampled, ...], ...]

    @property
    def mean(self) -> float:
        """The mean."""
        means = [sum(task.value for task in tasks) / len(tasks) for tasks in self.languages]
        return sum(means) / len(means)

    def plan(self) -> Plan:
        """Return how its interval is drawn."""
        places: dict[str, int] = {}
        codes = [[places.setdefault(task.origin, len(places)) for task in tasks] for tasks in self.languages]
        n = len(places)
        if n < 2:
            return Widest()
        values = [[task.value for task in tasks] for tasks in self.languages]
        distinct = {value for own in values for value in own}
        if distinct in ({0}, {1}):
            return Share(n * int(max(distinct)), n)
        sums = [np.bincount(own, of, minlength=n) for own, of in zip(codes, values, strict=True)]
        counts = [np.bincount(own, minlength=n).astype(np.float64) for own in codes]
        return Resampled(ratio_of(np.stack(sums), np.stack(counts)))


class Estimator:
    """Draws the intervals of a report: many at once, and one that several tables ask for once."""

    def __init__(self) -> None:
        """Start with nothing drawn."""
        self._found: dict[Asked, Estimate] = {}

    def estimates(self, asked: Sequence[Asked]) -> list[Estimate]:
        """Return each mean with its interval, in their order."""
        new = [one for one in dict.fromkeys(asked) if one not in self._found]
        intervals = draw([one.plan() for one in new], resamples=RESAMPLES, seed=SEED)
        for one, interval in zip(new, intervals, strict=True):
            ends = (interval.low, interval.high) if interval else (None, None)
            self._found[one] = Estimate(one.mean, *ends)
        return [self._found[one] for one in asked]


def _repeat(voices: Voices) -> bool:
    return None not in voices and 1 < len(set(voices)) < len(voices)
