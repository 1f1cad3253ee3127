"""Compare two sides item by item: the difference with its interval and p, and what changed."""

from collections.abc import Iterator, Sequence

from voicebench.compare.choice import Asked, Chosen, choose
from voicebench.compare.pairs import Cluster, Pair, cluster_labels, pairs_of
from voicebench.compare.proper import (
    check_scoring,
    models_of,
    scoring_versions,
    tasks_versions,
    warnings,
)
from voicebench.compare.shape import (
    Comparison,
    Difference,
    DifferenceBounds,
    Flip,
    Margin,
    Pairing,
    SideFacts,
    SideReliability,
)
from voicebench.compare.source import Source
from voicebench.compare.units import NOT_RUN, Unit, counts_of, unscored_reasons
from voicebench.compare.why import why
from voicebench.errors import UserError
from voicebench.report.labels import condition_order, count, kind_order, listed
from voicebench.scoring.paired import holm, paired_difference
from voicebench.scoring.reliability import reliability

FEW_CLUSTERS = 10
"""Below so many clusters an interval is a guess, and a reader is told."""
SAME = 1e-9
"""Means over trials that differ by less are one value, summed in another order."""


def compare(
    sources: tuple[Source, Source],
    asked: Asked,
    figure: str,
    *,
    cluster: Cluster = "item",
    force: bool = False,
) -> Comparison:
    """Compare two sides.

    Args:
        sources: The baseline A and the other side B; one source may stand for both.
        asked: Which agents, conditions, languages and kinds.
        figure: What to compare: "right" or one of `FIGURES`.
        cluster: What is resampled and flipped together.
        force: Compare rows of different scoring rules all the same.

    Raises:
        UserError: Nothing to compare, a choice left open, or different scoring rules.
    """
    chosen = choose(sources, asked)
    notes = check_scoring(sources, chosen, force=force)
    pairs = pairs_of(sources, chosen, asked, figure)
    if not pairs:
        raise UserError(f"no item has the figure {figure!r} in {listed(unique_paths(sources))} as asked for")
    notes += warnings(sources, chosen, pairs, figure)
    shared = [pair for pair in pairs if pair.values is not None]
    labels, said = cluster_labels(shared, cluster, sources)
    notes += said
    overall = difference(shared, labels, "all", "all")
    if overall is not None and overall.n_clusters < FEW_CLUSTERS:
        notes.append(f"Only {count(overall.n_clusters, 'cluster')}: the interval and p say little.")
    groups = list(_groups(shared, labels))
    adjusted = holm([group.p for group in groups])
    return Comparison(
        figure=figure,
        cluster=cluster,
        a=_facts(sources[0], chosen, 0, [pair.first for pair in pairs]),
        b=_facts(sources[1], chosen, 1, [pair.second for pair in pairs]),
        pairing=_pairing(pairs),
        overall=overall,
        groups=tuple(
            group.model_copy(update={"p_adjusted": p}) for group, p in zip(groups, adjusted, strict=True)
        ),
        family=_family(groups),
        bounds=_bounds(pairs, sources),
        flips=tuple(_flips(shared)),
        reliability=tuple(_reliabilities(pairs)),
        notes=tuple(notes),
    )


def difference(
    pairs: Sequence[Pair], labels: Sequence[str] | None, by: Margin, name: str
) -> Difference | None:
    """Return B - A over pairs that are scored on both sides, with interval and p; None for no pair.

    Args:
        pairs: Each with values.
        labels: Each pair's cluster; None: each is its own.
        by: What makes the group.
        name: Which group.
    """
    values = [pair.values for pair in pairs if pair.values is not None]
    first, second = [a for a, _ in values], [b for _, b in values]
    found = paired_difference(first, second, labels)
    if found is None:
        return None
    return Difference(
        by=by,
        name=name,
        n=found.n,
        n_clusters=found.n_clusters,
        a=sum(first) / found.n,
        b=sum(second) / found.n,
        difference=found.difference,
        low=found.low,
        high=found.high,
        p=found.p,
        test=found.test,
        n_worse=sum(b < a - SAME for a, b in values),
        n_better=sum(b > a + SAME for a, b in values),
    )


def members(pairs: Sequence[Pair], by: Margin) -> dict[str, list[int]]:
    """Return the places of the pairs of each condition, kind or language, in the usual order."""
    found: dict[str, list[int]] = {}
    for place, pair in enumerate(pairs):
        names: dict[Margin, str] = {"condition": pair.condition, "task": pair.kind, "lang": pair.lang}
        found.setdefault(names.get(by, "all"), []).append(place)
    if by == "task":
        return dict(sorted(found.items(), key=lambda item: kind_order(item[0])))
    if by == "condition":
        return dict(sorted(found.items(), key=lambda item: condition_order(item[0])))
    return dict(sorted(found.items()))


def unique_paths(sources: tuple[Source, Source]) -> list[str]:
    """Return the sources' paths, each once."""
    return list(dict.fromkeys(str(source.path) for source in sources))


def _groups(pairs: Sequence[Pair], labels: Sequence[str] | None) -> Iterator[Difference]:
    """Yield the differences by condition, kind and language; one alone is all, and not shown twice."""
    margins: tuple[Margin, ...] = ("condition", "task", "lang")
    for by in margins:
        found = members(pairs, by)
        for name, places in found.items() if len(found) > 1 else ():
            own = [labels[place] for place in places] if labels is not None else None
            group = difference([pairs[place] for place in places], own, by, name)
            if group is not None:
                yield group


def _family(groups: Sequence[Difference]) -> str:
    words = {"condition": "condition", "task": "kind of task", "lang": "language"}
    plurals = {"task": "kinds of task"}
    parts = [
        count(n, words[by], plurals.get(by)) for by in words if (n := sum(group.by == by for group in groups))
    ]
    return f"{len(groups)} tests: {listed(parts)}" if groups else ""


def _facts(source: Source, chosen: Chosen, side: int, found: Sequence[Unit | None]) -> SideFacts:
    units = [unit for unit in found if unit is not None]
    values = [unit.value for unit in units if unit.value is not None]
    counts = counts_of(units)
    agent = chosen.agents[side]
    return SideFacts(
        path=str(source.path),
        agent=agent,
        conditions=tuple(dict.fromkeys(unit.condition for unit in units)),
        mean=sum(values) / len(values) if values else None,
        planned=counts.planned,
        ran=counts.ran,
        failed=counts.failed,
        judge_failed=counts.judge_failed,
        scored=counts.scored,
        unscored=unscored_reasons(units),
        scoring_versions=scoring_versions(source, agent),
        tasks_versions=tasks_versions(source, agent),
        models=models_of(source, agent),
    )


def _pairing(pairs: Sequence[Pair]) -> Pairing:
    both = [(pair.first, pair.second) for pair in pairs if pair.first and pair.second]
    unscored = [(a, b) for a, b in both if a.value is None or b.value is None]
    return Pairing(
        shared=len(both) - len(unscored),
        only_a=sum(pair.second is None for pair in pairs),
        only_b=sum(pair.first is None for pair in pairs),
        unscored=len(unscored),
        unscored_a=_reasons([a for a, _ in unscored]),
        unscored_b=_reasons([b for _, b in unscored]),
    )


def _reasons(units: Sequence[Unit]) -> dict[str, int]:
    found: dict[str, int] = {}
    for unit in units:
        if unit.value is None:
            reason = unit.reason or NOT_RUN
            found[reason] = found.get(reason, 0) + 1
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def _bounds(pairs: Sequence[Pair], sources: tuple[Source, Source]) -> DifferenceBounds | None:
    """Return what unscored answers could change; an item without a row counts where no plan explains it."""
    known = [source.plan_known for source in sources]
    counted = [
        pair for pair in pairs
        if (pair.first is not None or not known[0]) and (pair.second is not None or not known[1])
    ]  # fmt: skip
    incomplete = [pair for pair in counted if not pair.complete]
    if not incomplete:
        return None
    return DifferenceBounds(
        n=len(counted),
        n_incomplete=len(incomplete),
        low=sum(_filled(p.second, 0.0) - _filled(p.first, 1.0) for p in counted) / len(counted),
        high=sum(_filled(p.second, 1.0) - _filled(p.first, 0.0) for p in counted) / len(counted),
    )


def _filled(unit: Unit | None, missing: float) -> float:
    return missing if unit is None else unit.with_missing(missing)


def _flips(pairs: Sequence[Pair]) -> list[Flip]:
    found = []
    for pair in pairs:
        if pair.values is None or pair.first is None or pair.second is None:
            continue
        a, b = pair.values
        if abs(b - a) <= SAME:
            continue
        found.append(
            Flip(
                task_id=pair.task_id, condition=pair.condition, task=pair.kind, lang=pair.lang, a=a, b=b,
                change="worse" if b < a else "better", why=why(pair.second if b < a else pair.first),
            )
        )  # fmt: skip
    return sorted(found, key=lambda flip: (flip.change == "better", -abs(flip.b - flip.a)))


def _reliabilities(pairs: Sequence[Pair]) -> Iterator[SideReliability]:
    sides = {"a": [pair.first for pair in pairs], "b": [pair.second for pair in pairs]}
    for side, found in sides.items():
        units = [unit for unit in found if unit is not None]
        for condition in sorted({unit.condition for unit in units}, key=condition_order):
            own = {unit.task_id: unit for unit in units if unit.condition == condition}
            trials = max(len(unit.trials) for unit in own.values())
            rewards = {name: [trial.value for trial in unit.trials] for name, unit in own.items()}
            binary = all(value in (None, 0, 1) for values in rewards.values() for value in values)
            if trials < 2 or not binary:
                continue
            result = reliability(rewards, trials)
            yield SideReliability(
                side="a" if side == "a" else "b", condition=condition, n_tasks=result.n_tasks, trials=trials,
                n_present=result.n_present, by_k=result.by_k,
            )  # fmt: skip
