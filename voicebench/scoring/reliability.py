"""Several trials of a task: pass@k, pass^k and their ratio, with lost trials bounded and never dropped."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, isfinite
from statistics import fmean

from voicebench.scoring.statistics import Interval, mean_interval, ratio_interval

_SUCCESS = 1 - 1e-6


@dataclass(frozen=True)
class Bounded:
    """A figure of which trials may be missing.

    Attributes:
        estimate: The figure, unrounded; None unless every planned trial is there.
        low: The least it could be whatever the missing trials were; the estimate where none is missing.
        high: The most it could be.
    """

    estimate: float | None
    low: float
    high: float


@dataclass(frozen=True)
class AtK:
    """Reliability over k trials.

    Attributes:
        k: How many trials.
        pass_at: pass@k, at least one of k trials succeeds, averaged over tasks.
        pass_hat: pass^k, all k trials succeed, averaged over tasks.
        rho: ρ^k = pass^k ÷ pass^1 of unrounded values: how much of the success lasts over k trials. None
            where pass^1 must be 0; bounds are over those outcomes in which it is not.
        pass_at_interval: The 95 % bootstrap interval of pass@k over tasks, wide enough for any outcome of
            the missing trials.
        pass_hat_interval: The same for pass^k.
        rho_interval: The 95 % bootstrap interval of ρ^k over tasks; None where trials are missing.
    """

    k: int
    pass_at: Bounded
    pass_hat: Bounded
    rho: Bounded | None
    pass_at_interval: Interval | None
    pass_hat_interval: Interval | None
    rho_interval: Interval | None


@dataclass(frozen=True)
class Reliability:
    """Reliability of an agent over tasks.

    Attributes:
        n_tasks: How many tasks.
        planned: Trials planned of each task.
        n_planned_trials: n_tasks × planned.
        n_present: Trials that have a reward.
        by_k: For k from 1 to planned; empty where there are no tasks.
    """

    n_tasks: int
    planned: int
    n_planned_trials: int
    n_present: int
    by_k: tuple[AtK, ...]

    @property
    def complete(self) -> bool:
        """Whether every planned trial has a reward."""
        return self.n_present == self.n_planned_trials


def pass_at_k(n: int, c: int, k: int) -> float:
    """Return the chance that any of k trials succeeds, from c successes in n trials: 1 − C(n−c, k) / C(n, k).

    Unbiased; M. Chen et al., "Evaluating Large Language Models Trained on Code" (2021). Exact until the
    division.

    Raises:
        ValueError: c is not within 0 … n, or k not within 1 … n.
    """
    _check(n, c, k)
    return (comb(n, k) - comb(n - c, k)) / comb(n, k)


def pass_hat_k(n: int, c: int, k: int) -> float:
    """Return the chance that all of k trials succeed, from c successes in n trials: C(c, k) / C(n, k).

    Unbiased; S. Yao et al., "τ-bench: A Benchmark for Tool-Agent-User Interaction in Real-World Domains"
    (2024). Exact until the division.

    Raises:
        ValueError: c is not within 0 … n, or k not within 1 … n.
    """
    _check(n, c, k)
    return comb(c, k) / comb(n, k)


def reliability(trials_by_task: Mapping[str, Sequence[float | None]], planned: int) -> Reliability:
    """Return pass@k, pass^k and ρ^k for each k up to the number of planned trials.

    A trial succeeds with a reward of 1 (from 1 − 1e-6 on); a fraction is no success. A trial that is None or
    not in the list is missing, whatever kept it from running: it counts as a failure in the lower bound and
    as a success in the upper one, and there is no estimate.

    Args:
        trials_by_task: Each planned task's rewards; an empty list for a task of which nothing ran.
        planned: Trials planned of each task.

    Raises:
        ValueError: `planned` is not positive, a task has more trials, or a reward is no finite number.
    """
    if planned < 1:
        raise ValueError(f"planned trials must be positive, not {planned}")
    spans = [_span(task, trials, planned) for task, trials in trials_by_task.items()]
    n_present = sum(1 for trials in trials_by_task.values() for reward in trials if reward is not None)
    return Reliability(
        n_tasks=len(spans),
        planned=planned,
        n_planned_trials=len(spans) * planned,
        n_present=n_present,
        by_k=tuple(_at_k(spans, planned, k) for k in range(1, planned + 1)) if spans else (),
    )


# The fewest and the most successes that a task can have, once its missing trials are known.
_Span = tuple[int, int]


def _span(task: str, trials: Sequence[float | None], planned: int) -> _Span:
    if len(trials) > planned:
        raise ValueError(f"task {task!r} has {len(trials)} trials, planned are {planned}")
    present = [reward for reward in trials if reward is not None]
    if not all(isfinite(reward) for reward in present):
        raise ValueError(f"task {task!r} has a reward that is no finite number")
    successes = sum(1 for reward in present if reward >= _SUCCESS)
    return successes, successes + planned - len(present)


def _at_k(spans: Sequence[_Span], n: int, k: int) -> AtK:
    complete = all(least == most for least, most in spans)
    pass_at, pass_at_interval = _mean(pass_at_k, spans, n, k, complete)
    pass_hat, pass_hat_interval = _mean(pass_hat_k, spans, n, k, complete)
    return AtK(
        k=k,
        pass_at=pass_at,
        pass_hat=pass_hat,
        rho=_rho(spans, n, k, complete),
        pass_at_interval=pass_at_interval,
        pass_hat_interval=pass_hat_interval,
        rho_interval=_rho_interval(spans, n, k) if complete else None,
    )


def _mean(
    rate: Callable[[int, int, int], float], spans: Sequence[_Span], n: int, k: int, complete: bool
) -> tuple[Bounded, Interval | None]:
    worst, best = ([rate(n, ends[side], k) for ends in spans] for side in (0, 1))
    low, high = fmean(worst), fmean(best)
    ends = mean_interval(worst), mean_interval(best)
    hull = Interval(ends[0].low, ends[1].high) if ends[0] and ends[1] else None
    return Bounded(low if complete else None, low, high), hull


def _rho(spans: Sequence[_Span], n: int, k: int, complete: bool) -> Bounded | None:
    if not any(most for _, most in spans):
        return None
    low, high = (float(_extreme_rho(spans, n, k, sign)) for sign in (-1, 1))
    return Bounded(low if complete else None, low, high)


def _rho_interval(spans: Sequence[_Span], n: int, k: int) -> Interval | None:
    lasting, once = ([pass_hat_k(n, successes, of) for successes, _ in spans] for of in (k, 1))
    return ratio_interval(lasting, once)


def _extreme_rho(spans: Sequence[_Span], n: int, k: int, sign: int) -> Fraction:
    """Return the largest (sign 1) or smallest (−1) ρ^k over all outcomes of the missing trials.

    ρ^k is n Σ C(c, k) ÷ (C(n, k) Σ c). A ratio r of the sums is extreme when no outcome makes
    sign · Σ (C(c, k) − r c) positive, and that sum can be maximised task by task; an outcome that makes it
    positive has a better ratio. W. Dinkelbach, "On Nonlinear Fractional Programming" (1967).
    """
    chosen = [high for _, high in spans]
    ratio = Fraction(sum(comb(c, k) for c in chosen), sum(chosen))
    while True:
        gains = [max(_gains(span, k, ratio, sign)) for span in spans]
        if sum(gain for gain, _ in gains) <= 0:
            return ratio * n / comb(n, k)
        ratio = Fraction(sum(comb(c, k) for _, c in gains), sum(c for _, c in gains))


def _gains(span: _Span, k: int, ratio: Fraction, sign: int) -> Iterator[tuple[Fraction, int]]:
    low, high = span
    return ((sign * (comb(c, k) - ratio * c), c) for c in range(low, high + 1))


def _check(n: int, c: int, k: int) -> None:
    if not 0 <= c <= n:
        raise ValueError(f"successes must be within 0 and n = {n}, not {c}")
    if not 1 <= k <= n:
        raise ValueError(f"k must be within 1 and n = {n}, not {k}")
