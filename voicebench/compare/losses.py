"""Is a run really worse than its baseline, on the baseline's items?"""

from dataclasses import dataclass

from voicebench.compare.checks import Check, Group, Limits, groups, no_figure
from voicebench.compare.choice import Asked, Chosen
from voicebench.compare.comparison import SAME, difference
from voicebench.compare.pairs import cluster_labels, pairs_of
from voicebench.compare.proper import warnings
from voicebench.compare.shape import Difference
from voicebench.compare.source import Source
from voicebench.compare.view import DIGITS, p_value, span
from voicebench.report.labels import count, number, signed
from voicebench.scoring.paired import holm
from voicebench.scoring.statistics import wilson


@dataclass(frozen=True)
class Losses:
    """The checks against a baseline, and what a reader must know about them."""

    checks: list[Check]
    notes: list[str]


def losses(sources: tuple[Source, Source], chosen: Chosen, asked: Asked, limits: Limits) -> Losses:
    """Check for each figure, condition and group that enough is shared and that there is no real loss.

    Args:
        sources: The baseline and the run.
        chosen: Their agents and conditions.
        asked: Languages and kinds to keep.
        limits: What must hold.

    Raises:
        UserError: One of the two has no item with one of the figures.
    """
    found: list[Group] = []
    notes: list[str] = []
    for figure in limits.figures:
        present = [False, False]
        for names in chosen.conditions:
            pairs = pairs_of(sources, Chosen(chosen.agents, (names,)), asked, figure)
            present[0] |= any(pair.first is not None for pair in pairs)
            present[1] |= any(pair.second is not None for pair in pairs)
            notes += warnings(sources, chosen, pairs, figure)
            # What only the run has was added since: there is nothing to hold it against.
            found += groups([pair for pair in pairs if pair.first is not None], figure, names[0], limits.by)
        for side, source in enumerate(sources):
            if not present[side]:
                raise no_figure(source, chosen.agents[side], figure, [c[side] for c in chosen.conditions])
    differences = [_difference(group, sources, limits) for group in found]
    adjusted = iter(holm([one.p for one in differences if one is not None]))
    checks: list[Check] = []
    for group, one in zip(found, differences, strict=True):
        checks.append(_shared(group, limits))
        checks.append(_loss(group, one, next(adjusted) if one is not None else 1.0, limits))
    return Losses(checks, list(dict.fromkeys(notes)))


def _difference(group: Group, sources: tuple[Source, Source], limits: Limits) -> Difference | None:
    shared = [pair for pair in group.pairs if pair.values is not None]
    labels, _ = cluster_labels(shared, limits.cluster, sources)
    return difference(shared, labels, "all", group.name)


def _shared(group: Group, limits: Limits) -> Check:
    n_shared = sum(pair.values is not None for pair in group.pairs)
    share = n_shared / len(group.pairs)
    passed = share >= limits.min_scored
    said = f"{n_shared:,} of the baseline's {count(len(group.pairs), 'item')} scored on both sides"
    return group.check(
        "scored", passed=passed, limit=limits.min_scored, value=share, n=len(group.pairs),
        message=said if passed else f"{said}: less than {limits.min_scored:.0%}",
        group="shared" if group.name == "all" else f"{group.name}, shared",
    )  # fmt: skip


def _loss(group: Group, found: Difference | None, adjusted: float, limits: Limits) -> Check:
    limit = -limits.margin
    if found is None:
        said = "no item is scored on both sides"
        return group.check("no worse", passed=False, message=said, limit=limit, value=None, n=0)
    if limits.rule_out:
        passed = _least(found) >= limit - SAME
        fault = f"a loss of more than {limits.margin:g} is not ruled out"
    else:
        passed = found.difference >= limit - SAME or adjusted >= limits.alpha
        fault = "a real loss" + (f" of more than {limits.margin:g}" if limits.margin else "")
    ends = span(found.low, found.high)
    said = (
        f"{number(found.a, DIGITS)} → {number(found.b, DIGITS)}, difference "
        f"{signed(found.difference, DIGITS)}, {f'95 % interval {ends}' if ends else 'no interval'}, "
        f"p (Holm) {p_value(adjusted)}, {count(found.n, 'item')}, {found.n_worse:,} worse, "
        f"{found.n_better:,} better"
    )
    return group.check(
        "no worse", passed=passed, message=said if passed else f"{said}: {fault}", limit=limit,
        value=found.difference, low=found.low, high=found.high, n=found.n, p=found.p, p_adjusted=adjusted,
    )  # fmt: skip


def _least(found: Difference) -> float:
    """Return the lower end of a difference; where no item differs from another, by Wilson's for none of n."""
    if found.low is not None:
        return found.low
    unseen = wilson(0, found.n_clusters)
    return found.difference - (unseen.high if unseen is not None else 1.0)
