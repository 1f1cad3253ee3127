"""What going from one column to another changes, line by line."""

from collections import defaultdict
from collections.abc import Mapping
from math import sqrt

from voicebench.ablation.found import Found, Place
from voicebench.ablation.shape import Change
from voicebench.report.estimates import Estimate
from voicebench.report.shape import KINDS, Measure
from voicebench.scoring.paired import holm

Step = tuple[int, int]


def changes(found: Found) -> dict[Place, tuple[Change | None, ...]]:
    """Return each line's changes, one a step of the layout; None where two columns have no task in common."""
    steps = found.layout.steps
    own = _paired(found) if found.layout.paired else _unpaired(found)
    return {place: tuple(own.get((place, step)) for step in steps) for place in found.places}


def unpaired_difference(first: Measure, second: Measure) -> Estimate | None:
    """Return the difference second − first of two independent means, None where one of them is not there.

    With means m and n and their intervals (a, b) and (c, d) the ends are (n − m) − √((n − c)² + (b − m)²) and
    (n − m) + √((d − n)² + (m − a)²). R. G. Newcombe, "Interval estimation for the difference between
    independent proportions", Statistics in Medicine 17 (1998), method 10, where the intervals are Wilson's.
    """
    if first.mean is None or second.mean is None:
        return None
    difference = second.mean - first.mean
    if first.low is None or first.high is None or second.low is None or second.high is None:
        return Estimate(difference, None, None)
    below = sqrt((second.mean - second.low) ** 2 + (first.high - first.mean) ** 2)
    above = sqrt((second.high - second.mean) ** 2 + (first.mean - first.low) ** 2)
    return Estimate(difference, difference - below, difference + above)


def _paired(found: Found) -> dict[tuple[Place, Step], Change]:
    common = {
        (place, step): own
        for place in found.places
        for step in found.layout.steps
        if (own := found.shared(place, step)).n
    }
    drawn = found.estimator.estimates([own.difference(0, 1) for own in common.values()])
    labels = [column.label for column in found.layout.columns]
    changed = {
        (place, step): Change(
            start=labels[step[0]],
            end=labels[step[1]],
            n=own.n,
            difference=one.mean,
            low=one.low,
            high=one.high,
            p=own.p(0, 1),
        )
        for ((place, step), own), one in zip(common.items(), drawn, strict=True)
    }
    return changed | _adjusted(changed)


def _adjusted(changed: Mapping[tuple[Place, Step], Change]) -> dict[tuple[Place, Step], Change]:
    """Return the changes of kinds of task with p adjusted over the kinds of a scope, figure and step."""
    families: defaultdict[object, list[tuple[Place, Step]]] = defaultdict(list)
    for (scope, over, figure), step in changed:
        if over != KINDS:
            families[scope, figure, step].append(((scope, over, figure), step))
    found = {}
    for keys in families.values():
        if len(keys) > 1:
            for key, p in zip(keys, holm([changed[key].p or 0.0 for key in keys]), strict=True):
                found[key] = changed[key].model_copy(update={"p_adjusted": p})
    return found


def _unpaired(found: Found) -> dict[tuple[Place, Step], Change]:
    changed = {}
    for place in found.places:
        for step in found.layout.steps:
            first, second = (found.mean(column, place) for column in step)
            if first is None or second is None:
                continue
            one = unpaired_difference(first.measure, second.measure)
            if one is not None:
                changed[place, step] = Change(
                    start=found.layout.columns[step[0]].label,
                    end=found.layout.columns[step[1]].label,
                    n=first.measure.n_tasks + second.measure.n_tasks,
                    difference=one.mean,
                    low=one.low,
                    high=one.high,
                )
    return changed
