"""The tasks that several columns have in common, part by part, so that their mean is the table's average."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from voicebench.report.estimates import RESAMPLES, SEED, Asked, Difference
from voicebench.report.observed import Group, Sampled
from voicebench.scoring.intervals import Interval, Labels, Plan, Resampled, Widest, cluster_codes
from voicebench.scoring.paired import sign_flip
from voicebench.scoring.resampling import ratio_of

Part = tuple[str, str]
"""(kind of task, language)."""
Row = tuple[Sampled, ...]
"""A task's values, one a column."""
Floats = npt.NDArray[np.float64]

_AT_ONCE = 1_000
_FEWEST_DEFINED = 0.1
"""Share of the resamples that must have a ratio, as of a mean (`voicebench.scoring.intervals.draw`)."""
_SAME = 1e-9


@dataclass(frozen=True)
class PartsDifference:
    """A mean of the mean differences of several parts.

    Its interval is the percentile bootstrap's over all tasks: of a resample each part's mean is taken over
    what was drawn of it. Where voices repeat, each end is the farther one of drawing tasks and of drawing
    voices. Where within every part all differences are the same there is none: resampling would feign
    certainty.

    Attributes:
        parts: The parts' differences, each of at least one task.
        shares: What each part counts; together 1.
    """

    parts: tuple[Difference, ...]
    shares: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean."""
        return sum(share * part.mean for share, part in zip(self.shares, self.parts, strict=True))

    def plan(self) -> Plan:
        """Return how its interval is drawn."""
        if all(len(set(part.values)) == 1 for part in self.parts):
            return Widest()
        origins = [origin for part in self.parts for origin in part.origins]
        voices = [voice for part in self.parts for voice in part.voices]
        repeat = None not in voices and len(set(voices)) < len(voices)
        ways: list[Labels] = [origins, voices] if repeat else [origins]
        return Widest(tuple(self._drawn_by(labels) for labels in ways if len(set(labels)) > 1))

    def _drawn_by(self, labels: Labels) -> Plan:
        codes = cluster_codes(labels)
        values = [np.asarray(part.values, dtype=np.float64) for part in self.parts]
        # A column of several parts is their plain mean, so that each is scaled to what it counts.
        scales = np.asarray(self.shares) * len(self.parts)
        sums, counts = _by_cluster(values, codes)
        return Resampled(ratio_of(sums * scales[:, np.newaxis], counts))


@dataclass(frozen=True)
class Shared:
    """Tasks that are scored in each of several columns.

    Attributes:
        parts: The tasks of each kind and language that has some.
        shares: What each part counts in the mean, together 1: languages count the same within a kind, and
            kinds count the same.
    """

    parts: tuple[tuple[Row, ...], ...]
    shares: tuple[float, ...]

    @property
    def n(self) -> int:
        """How many tasks there are."""
        return sum(map(len, self.parts))

    @property
    def origins(self) -> tuple[str, ...]:
        """Of each task the one that it was localised from: they are drawn together."""
        return tuple(row[0].origin for part in self.parts for row in part)

    def difference(self, start: int, end: int) -> Asked:
        """Return the mean of one column minus another, to be estimated; there must be a task."""
        own = tuple(_difference(part, start, end) for part in self.parts)
        return own[0] if len(own) == 1 else PartsDifference(own, self.shares)

    def p(self, start: int, end: int) -> float:
        """Return p of the sign-flip test of one column against another (McNemar's where it is exact)."""
        # A task weighs what its part counts, divided among the part's tasks.
        weighted = [
            share * self.n / len(part) * (row[end].value - row[start].value)
            for share, part in zip(self.shares, self.parts, strict=True)
            for row in part
        ]
        return sign_flip(weighted, self.origins)

    def ratio_interval(self, above: tuple[int, int], below: tuple[int, int]) -> Interval | None:
        """Return the 95 % interval of one mean difference over another.

        The percentile bootstrap's: tasks are drawn with all their columns, and a task with its translations.

        Args:
            above: Start and end of the difference that is divided.
            below: Start and end of the one that divides.

        Returns:
            None where there is one task only, hardly a resample has some of each part, or resampling changes
            nothing, which would feign certainty.
        """
        codes = cluster_codes(self.origins)
        if len(set(codes)) < 2:
            return None
        numerators, counts = self._sums(above, codes)
        denominators, _ = self._sums(below, codes)
        drawn = np.concatenate([
            self._ratios(times, numerators, denominators, counts)
            for times in _resamples(counts.shape[1])
        ])  # fmt: skip
        defined = drawn[np.isfinite(drawn)]
        if len(defined) < _FEWEST_DEFINED * len(drawn):
            return None
        low, high = (float(end) for end in np.quantile(defined, (0.025, 0.975)))
        return Interval(low, high) if high - low > _SAME else None

    def _sums(self, step: tuple[int, int], codes: npt.NDArray[np.intp]) -> tuple[Floats, Floats]:
        values = [np.asarray(_difference(part, *step).values) for part in self.parts]
        return _by_cluster(values, codes)

    def _ratios(self, times: Floats, numerators: Floats, denominators: Floats, counts: Floats) -> Floats:
        """Return each resample's ratio, of shape (resamples,); nan or infinite where there is none."""
        with np.errstate(divide="ignore", invalid="ignore"):
            sizes = times @ counts.T
            above, below = (
                (times @ sums.T / sizes) @ np.asarray(self.shares) for sums in (numerators, denominators)
            )
            return np.asarray(above / below)


def shared(columns: Sequence[Mapping[Part, Group]]) -> Shared:
    """Return the tasks that are scored in all of some columns.

    Args:
        columns: The groups of each column, by kind and language.
    """
    common = set.intersection(*(set(column) for column in columns)) if columns else set()
    parts: dict[Part, tuple[Row, ...]] = {}
    for part in sorted(common):
        by_id = [{one.task_id: one for one in column[part].drawn} for column in columns]
        ids = [task_id for task_id in by_id[0] if all(task_id in own for own in by_id)]
        if ids:
            parts[part] = tuple(tuple(own[task_id] for own in by_id) for task_id in ids)
    kinds = [kind for kind, _ in parts]
    shares = tuple(1 / (len(set(kinds)) * kinds.count(kind)) for kind in kinds)
    return Shared(tuple(parts.values()), shares)


def _difference(part: Sequence[Row], start: int, end: int) -> Difference:
    return Difference(
        tuple(row[end].value - row[start].value for row in part),
        tuple(row[0].origin for row in part),
        # The words of a text have no voice, so that the difference has that of the clip.
        tuple(row[end].voice or row[start].voice for row in part),
    )


def _by_cluster(parts: Sequence[Floats], codes: npt.NDArray[np.intp]) -> tuple[Floats, Floats]:
    """Return the sum of each part's values by cluster, and their number, both of shape (parts, clusters)."""
    n = int(codes.max()) + 1
    own = np.split(codes, np.cumsum([len(values) for values in parts])[:-1])
    sums = [np.bincount(at, values, minlength=n) for at, values in zip(own, parts, strict=True)]
    counts = [np.bincount(at, minlength=n) for at in own]
    return np.stack(sums).astype(np.float64), np.stack(counts).astype(np.float64)


def _resamples(n: int) -> Iterator[Floats]:
    """Yield how often each of n clusters is drawn, of shape (some resamples, n)."""
    rng = np.random.default_rng(SEED)
    for _ in range(RESAMPLES // _AT_ONCE):
        yield rng.multinomial(n, np.full(n, 1 / n), size=_AT_ONCE).astype(np.float64)
