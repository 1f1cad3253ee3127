"""Is a figure really below the least it may be, and is enough of it scored to say so?"""

from collections.abc import Iterator, Sequence
from math import ceil, comb

from voicebench.compare.checks import Check, Group, Limits, groups, no_figure
from voicebench.compare.choice import Asked
from voicebench.compare.comparison import SAME
from voicebench.compare.pairs import Pair, cluster_labels
from voicebench.compare.source import Source
from voicebench.compare.units import counts_of, units_of, unscored_reasons
from voicebench.compare.view import DIGITS
from voicebench.report.labels import count, interval, number, reasons
from voicebench.scoring.statistics import Interval, clustered_mean, mean_interval


def minima(
    run: Source, agent: str, conditions: Sequence[str], asked: Asked, limits: Limits
) -> Iterator[Check]:
    """Yield for each minimum, condition and group whether enough is scored and whether the minimum holds.

    Raises:
        UserError: The run has no item with one of the figures.
    """
    found: list[Group] = []
    for figure in limits.minima:
        own = [
            group for condition in conditions
            for group in groups(_items(run, agent, condition, figure, asked), figure, condition, limits.by)
        ]  # fmt: skip
        if not own:
            raise no_figure(run, agent, figure, conditions)
        found += own
    for group in found:
        yield _scored(group, limits)
        yield _minimum(group, limits, limits.alpha / len(found), run)


def _items(run: Source, agent: str, condition: str, figure: str, asked: Asked) -> list[Pair]:
    """Return a run's items as pairs that have no first side."""
    units = units_of(run, agent, condition, figure)
    return [Pair(None, unit) for unit in units if asked.keeps(unit.kind, unit.lang)]


def _scored(group: Group, limits: Limits) -> Check:
    units = [pair.any for pair in group.pairs]
    counts = counts_of(units)
    share = counts.scored / counts.planned
    passed = share >= limits.min_scored
    why = f" ({reasons(unscored_reasons(units))})" if counts.scored < counts.planned else ""
    said = f"{counts.scored:,} of {counts.planned:,} planned answers scored{why}"
    return group.check(
        "scored", passed=passed, limit=limits.min_scored, value=share, n=counts.planned,
        message=said if passed else f"{said}: less than {limits.min_scored:.0%}",
    )  # fmt: skip


def _minimum(group: Group, limits: Limits, risk: float, run: Source) -> Check:
    limit = limits.minima[group.figure]
    scored = [pair for pair in group.pairs if pair.any.value is not None]
    values = [pair.any.value or 0.0 for pair in scored]
    if not values:
        return group.check("minimum", passed=False, message="nothing is scored", limit=limit, value=None, n=0)
    labels, _ = cluster_labels(scored, limits.cluster, (run, run))
    mean = sum(values) / len(values)
    found = _interval(values, labels, 1 - risk)
    low, high = (found.low, found.high) if found is not None else (None, None)
    n_clusters = len(values) if labels is None else len(set(labels))
    real = high is not None and high < limit and _chance(mean, n_clusters, limit) <= risk / 2
    passed = mean >= limit if limits.strict_minimum else not real
    return group.check(
        "minimum", passed=passed, limit=limit, value=mean, low=low, high=high, n=len(values),
        message=f"{number(mean, DIGITS)}, {100 * (1 - risk):.4g} % interval {interval(low, high) or 'none'}, "
        f"{count(len(values), 'item')}: {_verdict(mean, limit, passed)} {limit:g}",
    )  # fmt: skip


def _verdict(mean: float, limit: float, passed: bool) -> str:
    if mean >= limit:
        return "at least"
    return "by no more than chance allows below" if passed else "below"


def _interval(values: Sequence[float], labels: Sequence[str] | None, confidence: float) -> Interval | None:
    if labels is None:
        return mean_interval(values, confidence)
    return clustered_mean(values, labels, confidence)


def _chance(mean: float, n: int, limit: float) -> float:
    """Return how often n coins that show 1 with chance `limit` have at most this mean."""
    most = ceil(mean * n - SAME)
    return sum(comb(n, k) * limit**k * (1 - limit) ** (n - k) for k in range(most + 1))
