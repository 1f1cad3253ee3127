"""Figures of groups of answers: a mean, its interval, and what became of the answers."""

from collections.abc import Hashable, Mapping, Sequence
from math import sqrt
from typing import TypeVar

from voicebench.report.estimates import Asked, Estimate, Estimator, LanguageMean, Rate
from voicebench.report.observed import Group, added, joined
from voicebench.report.shape import Measure
from voicebench.scoring.statistics import Counts

Key = TypeVar("Key", bound=Hashable)
ByLanguage = Sequence[Group]
"""Groups of which each counts the same."""


def measured(wanted: Mapping[Key, Group | ByLanguage], estimator: Estimator) -> dict[Key, Measure]:
    """Return the figure of each group, or the mean of several groups' figures.

    Args:
        wanted: Groups; of several (languages, that is, whose translated tasks are drawn together) those with
            nothing scored are in the counts and not in the mean.
        estimator: What draws the intervals.
    """
    whole = {key: one if isinstance(one, Group) else joined(one) for key, one in wanted.items()}
    asked = {key: mean for key, one in wanted.items() if (mean := _asked(one)) is not None}
    found = dict(zip(asked, estimator.estimates(list(asked.values())), strict=True))
    return {key: _measure(group, found.get(key)) for key, group in whole.items()}


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
        failed=added(one.failed for one in measures),
        judge_failed=added(one.judge_failed for one in measures),
    )  # fmt: skip


def _asked(one: Group | ByLanguage) -> Asked | None:
    languages = [group.drawn for group in ([one] if isinstance(one, Group) else one) if group.drawn]
    if len(languages) > 1:
        return LanguageMean(tuple(languages))
    return Rate.of(languages[0]) if languages else None


def _measure(group: Group, estimate: Estimate | None) -> Measure:
    mean, low, high = estimate or (None, None, None)
    return Measure(
        mean=mean, low=low, high=high, n_tasks=group.n_tasks, counts=group.counts, failed=dict(group.failed),
        judge_failed=dict(group.judge_failed),
    )  # fmt: skip
