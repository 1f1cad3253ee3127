"""Several trials of a task: pass@k, pass^k and their ratio, with lost trials bounded and never dropped."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, isfinite
from statistics import fmean

from voicebench.scoring.intervals import Interval, Plan, Widest, draw, mean_of, ratio

_SUCCESS = 1 - 1e-6

Trials = Mapping[str, Sequence[float | None]]
"""Each planned task's rewards; an empty list for a task of which nothing ran."""


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


def reliability(trials_by_task: Trials, planned: int) -> Reliability:
    """Return pass@k, pass^k and ρ^k for each k up to the number of planned trials.

    A trial succeeds with a reward of 1 (from 1 − 1e-6 on); a fraction is no success. A trial that is None or
    not in the list is missing, whatever kept it from running: it counts as a failure in the lower bound and
    as a success in the upper one, and there is no estimate.

    Args:
        trials_by_task: Each planned task's rewards.
        planned: Trials planned of each task.

    Raises:
        ValueError: `planned` is not positive, a task has more trials, or a reward is no finite number.
    """
    return reliabilities([(trials_by_task, planned)])[0]


def reliabilities(groups: Iterable[tuple[Trials, int]]) -> list[Reliability]:
    """Return the reliability of each group of tasks; all intervals are drawn together.

    Args:
        groups: Of each group its trials by task and how many were planned of each task.

    Raises:
        ValueError: As `reliability`.
    """
    counted = [_Counted.of(trials, planned) for trials, planned in groups]
    drawn = iter(draw([plan for one in counted for plan in one.plans]))
    return [one.reliability([next(drawn) for _ in one.plans]) for one in counted]


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


@dataclass(frozen=True)
class _Counted:
    """The successes of a group of tasks, of so many planned trials each."""

    spans: tuple[_Span, ...]
    planned: int
    n_present: int

    @staticmethod
    def of(trials_by_task: Trials, planned: int) -> "_Counted":
        """Count a group's successes."""
        if planned < 1:
            raise ValueError(f"planned trials must be positive, not {planned}")
        spans = tuple(_span(task, trials, planned) for task, trials in trials_by_task.items())
        present = sum(reward is not None for trials in trials_by_task.values() for reward in trials)
        return _Counted(spans, planned, present)

    @property
    def complete(self) -> bool:
        """Whether no trial is missing."""
        return all(least == most for least, most in self.spans)

    @property
    def ks(self) -> range:
        """Every k; none where there are no tasks."""
        return range(1, self.planned + 1 if self.spans else 1)

    @property
    def plans(self) -> list[Plan]:
        """The intervals of pass@k, pass^k and ρ^k, for each k in turn."""
        return [plan for k in self.ks for plan in (
            self._interval(pass_at_k, k), self._interval(pass_hat_k, k), self._interval_of_rho(k)
        )]  # fmt: skip

    def reliability(self, drawn: Sequence[Interval | None]) -> Reliability:
        """Return the whole, from the intervals of the plans."""
        extremes = _Extremes(Counter(self.spans), self.planned)
        return Reliability(
            n_tasks=len(self.spans),
            planned=self.planned,
            n_planned_trials=len(self.spans) * self.planned,
            n_present=self.n_present,
            by_k=tuple(
                AtK(
                    k=k,
                    pass_at=self._bounded(*map(fmean, self._values(pass_at_k, k))),
                    pass_hat=self._bounded(*map(fmean, self._values(pass_hat_k, k))),
                    rho=self._bounded(*bounds) if (bounds := extremes.rho(k)) else None,
                    pass_at_interval=drawn[3 * k - 3],
                    pass_hat_interval=drawn[3 * k - 2],
                    rho_interval=drawn[3 * k - 1],
                )
                for k in self.ks
            ),
        )

    def _values(self, rate: Callable[[int, int, int], float], k: int) -> tuple[list[float], list[float]]:
        """Return each task's figure, at worst and at best."""
        rates = [rate(self.planned, successes, k) for successes in range(self.planned + 1)]
        return [rates[least] for least, _ in self.spans], [rates[most] for _, most in self.spans]

    def _interval(self, rate: Callable[[int, int, int], float], k: int) -> Plan:
        worst, best = self._values(rate, k)
        return mean_of(worst) if self.complete else Widest((mean_of(worst), mean_of(best)))

    def _interval_of_rho(self, k: int) -> Plan:
        if not self.complete:
            return Widest()
        return ratio(self._values(pass_hat_k, k)[0], self._values(pass_hat_k, 1)[0])

    def _bounded(self, low: float, high: float) -> Bounded:
        return Bounded(low if self.complete else None, low, high)


@dataclass(frozen=True)
class _Extremes:
    """The least and the greatest ρ^k over all outcomes of the missing trials.

    ρ^k is n Σ C(c, k) ÷ (C(n, k) Σ c). A ratio r of the sums is extreme when no outcome makes
    sign · Σ (C(c, k) − r c) positive, and that sum can be maximised task by task; an outcome that makes it
    positive has a better ratio. W. Dinkelbach, "On Nonlinear Fractional Programming" (1967).

    Attributes:
        spans: How many tasks have each span.
        n: Trials planned of each task.
    """

    spans: Counter[_Span]
    n: int

    def rho(self, k: int) -> tuple[float, float] | None:
        """Return both bounds of ρ^k; None where nothing can have succeeded."""
        if not any(most for _, most in self.spans):
            return None
        return float(self._extreme(k, -1)), float(self._extreme(k, 1))

    def _extreme(self, k: int, sign: int) -> Fraction:
        found = self._ratio({(least, most): most for least, most in self.spans}, k)
        while True:
            gains = {span: max(_gains(span, k, found, sign)) for span in self.spans}
            if sum(times * gains[span][0] for span, times in self.spans.items()) <= 0:
                return found * self.n / comb(self.n, k)
            found = self._ratio({span: successes for span, (_, successes) in gains.items()}, k)

    def _ratio(self, chosen: Mapping[_Span, int], k: int) -> Fraction:
        """Return Σ C(c, k) ÷ Σ c, for the successes c that are chosen for each span."""
        above = sum(times * comb(chosen[span], k) for span, times in self.spans.items())
        return Fraction(above, sum(times * chosen[span] for span, times in self.spans.items()))


def _gains(span: _Span, k: int, ratio: Fraction, sign: int) -> Iterator[tuple[Fraction, int]]:
    low, high = span
    return ((sign * (comb(c, k) - ratio * c), c) for c in range(low, high + 1))


def _check(n: int, c: int, k: int) -> None:
    if not 0 <= c <= n:
        raise ValueError(f"successes must be within 0 and n = {n}, not {c}")
    if not 1 <= k <= n:
        raise ValueError(f"k must be within 1 and n = {n}, not {k}")
