"""Trials of another harness → our figures: intervals by task, lost trials bounded, faults kept apart."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from voicebench.report.shape import BoundedFigure
from voicebench.scoring import reliability as rel
from voicebench.scoring.statistics import clustered_mean
from voicebench.tau2.shape import AtK, Part, Summary
from voicebench.tau2.trials import Results, Trial
from voicebench.tau2.usual import usual_row

NOT_RUN = "not run"


def summarize(results: Results) -> Summary:
    """Return what a result file comes to."""
    trials = _by_task(results)
    found = rel.reliability(trials, results.planned)
    return Summary(
        source=results.source, layout=results.layout, domain=results.domain, agent=results.agent,
        user=results.user, lang=results.lang, n_tasks=found.n_tasks, trials=found.planned,
        scored=found.n_present, failed=_failed(results), no_verdict=_no_verdict(results.trials),
        by_k=tuple(_at_k(at) for at in found.by_k), parts=tuple(_parts(results.trials)),
        ended=dict(Counter(trial.ended for trial in results.trials if trial.ended)),
        usual=usual_row(results), problems=results.problems,
    )  # fmt: skip


def _by_task(results: Results) -> dict[str, list[float | None]]:
    rewards: dict[str, list[float | None]] = {task: [] for task in results.task_ids}
    for trial in results.trials:
        rewards[trial.task_id].append(trial.reward)
    return rewards


def _failed(results: Results) -> dict[str, int]:
    lost = Counter(trial.unscored or "" for trial in results.trials if trial.harness_failed)
    missing = len(results.task_ids) * results.planned - len(results.trials)
    return dict(lost) | ({NOT_RUN: missing} if missing else {})


def _no_verdict(trials: Sequence[Trial]) -> dict[str, int]:
    return dict(Counter(one.unscored for one in trials if one.unscored and not one.harness_failed))


def _at_k(at: rel.AtK) -> AtK:
    passed, rho = at.pass_hat_interval, at.rho_interval
    return AtK(
        k=at.k, pass_hat=_bounded(at.pass_hat), pass_at=_bounded(at.pass_at),
        pass_hat_low=passed.low if passed else None, pass_hat_high=passed.high if passed else None,
        rho=_bounded(at.rho) if at.rho else None,
        rho_low=rho.low if rho else None, rho_high=rho.high if rho else None,
    )  # fmt: skip


def _bounded(found: rel.Bounded) -> BoundedFigure:
    return BoundedFigure(estimate=found.estimate, low=found.low, high=found.high)


def _parts(trials: Sequence[Trial]) -> list[Part]:
    """Return how often each part was right, over the trials that the harness did not lose."""
    looked: defaultdict[str, dict[tuple[str, int], float]] = defaultdict(dict)
    for trial in trials:
        if trial.harness_failed:
            continue
        place = trial.task_id, trial.trial
        for name, value in trial.breakdown.items():
            looked[name][place] = value
    return [_part(name, values) for name, values in looked.items()]


def _part(name: str, values: Mapping[tuple[str, int], float]) -> Part:
    interval = clustered_mean(list(values.values()), [task for task, _ in values])
    return Part(
        name=name, right=sum(value >= 1 for value in values.values()), of=len(values),
        low=interval.low if interval else None, high=interval.high if interval else None,
    )  # fmt: skip
