"""pass@k, pass^k and ρ^k, against enumeration, published results and every outcome of lost trials."""

import json
from collections import defaultdict
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voicebench.scoring.reliability import AtK, Bounded, pass_at_k, pass_hat_k, reliability
from voicebench.scoring.statistics import wilson

AIRLINE = Path(__file__).parents[3] / "shared/data/results/tau_bench_gpt-4o-airline.json"
TRIALS = st.lists(st.sampled_from([0.0, 1.0, None]), max_size=3)


def at(trials: dict[str, list[float | None]], planned: int, k: int) -> AtK:
    return reliability(trials, planned).by_k[k - 1]


def test_pass_hat_of_three_successes_in_four() -> None:
    assert pass_hat_k(4, 3, 2) == 0.5
    assert pass_at_k(4, 3, 2) == 1.0
    assert pass_at_k(4, 1, 2) == 0.5


@given(st.integers(1, 8).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_both_are_the_share_of_all_choices_of_k_trials(drawn: tuple[int, int, int]) -> None:
    n, c, k = drawn
    choices = list(combinations([True] * c + [False] * (n - c), k))
    assert pass_hat_k(n, c, k) == sum(all(choice) for choice in choices) / len(choices)
    assert pass_at_k(n, c, k) == sum(any(choice) for choice in choices) / len(choices)


def test_large_numbers_of_trials_stay_exact() -> None:
    assert pass_hat_k(2000, 1000, 1) == 0.5
    assert pass_at_k(2000, 1, 1000) == 0.5


@pytest.mark.parametrize(("n", "c", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 4), (3, 1, 0)])
def test_impossible_trials_are_refused(n: int, c: int, k: int) -> None:
    for rate in (pass_at_k, pass_hat_k):
        with pytest.raises(ValueError, match="must be within"):
            rate(n, c, k)


def test_a_lost_trial_bounds_and_cannot_push_rho_above_one() -> None:
    # Dropping task B where it has fewer than k trials gave pass^1 = 0.5, pass^3 = 1 and ρ^3 = 2.
    found = reliability({"A": [1, 1, 1], "B": [0, 0, None]}, planned=3)
    assert (found.n_tasks, found.n_planned_trials, found.n_present) == (2, 6, 5)
    assert not found.complete
    once, _, thrice = found.by_k
    assert once.pass_hat == Bounded(None, 0.5, pytest.approx(2 / 3))
    assert thrice.pass_hat == Bounded(None, 0.5, 0.5)
    assert thrice.rho == Bounded(None, 0.75, 1.0)
    assert thrice.rho_interval is None


def test_a_trial_that_is_not_in_the_list_is_as_lost_as_none() -> None:
    assert reliability({"A": [1, 1, 1], "B": [0, 0]}, 3) == reliability(
        {"A": [1, 1, 1], "B": [0, 0, None]}, 3
    )


def test_three_of_a_hundred_sessions_are_not_a_success_rate_of_one() -> None:
    trials: dict[str, list[float | None]] = {str(number): [1] if number < 3 else [] for number in range(100)}
    found = reliability(trials, planned=1)
    assert (found.n_present, found.n_planned_trials) == (3, 100)
    assert found.by_k[0].pass_hat == Bounded(None, 0.03, 1.0)
    worst = wilson(3, 100)
    assert worst is not None
    assert found.by_k[0].pass_hat_interval is not None
    assert found.by_k[0].pass_hat_interval.low == worst.low


def test_complete_trials_have_an_estimate_that_is_both_bounds() -> None:
    found = at({"A": [1, 1, 0], "B": [1, 0, 0]}, planned=3, k=2)
    assert found.pass_hat == Bounded(pytest.approx(1 / 6), pytest.approx(1 / 6), pytest.approx(1 / 6))
    assert found.pass_at.estimate == pytest.approx((1 + 2 / 3) / 2)
    assert found.rho is not None
    assert found.rho.estimate == pytest.approx((1 / 6) / 0.5)


def test_rho_comes_from_unrounded_values() -> None:
    # pass^1 = 2/3 and pass^2 = 1/3; rounded to three digits first it would be 0.333 / 0.667 = 0.49925.
    rho = at({"A": [1, 1, 0]}, planned=3, k=2).rho
    assert rho is not None
    assert rho.estimate == 0.5


def test_rho_of_no_success_is_undefined() -> None:
    assert at({"A": [0, 0], "B": [0, 0]}, planned=2, k=2).rho is None
    assert at({"A": [0, 0]}, planned=2, k=2).rho_interval is None


def test_rho_is_bounded_over_the_outcomes_in_which_it_exists() -> None:
    assert at({"A": [0, None], "B": [0, 0]}, planned=2, k=2).rho == Bounded(None, 0.0, 0.0)
    assert at({"A": [None, None]}, planned=2, k=2).rho == Bounded(None, 0.0, 1.0)


def outcomes(trials: list[list[float | None]], planned: int) -> list[list[int]]:
    """The successes of each task, for every way the missing trials may have gone."""
    spans = []
    for task in trials:
        present = [reward for reward in task if reward is not None]
        least = sum(1 for reward in present if reward == 1)
        spans.append(range(least, least + planned - len(present) + 1))
    return [list(chosen) for chosen in product(*spans)]


@settings(deadline=None, max_examples=60)
@given(st.lists(TRIALS, min_size=1, max_size=4), st.integers(1, 3))
def test_the_bounds_are_the_extremes_over_every_outcome(trials: list[list[float | None]], k: int) -> None:
    found = at({str(index): task for index, task in enumerate(trials)}, planned=3, k=k)
    every = outcomes(trials, 3)
    for bounded, rate in ((found.pass_at, pass_at_k), (found.pass_hat, pass_hat_k)):
        means = [sum(rate(3, c, k) for c in chosen) / len(chosen) for chosen in every]
        assert (bounded.low, bounded.high) == pytest.approx((min(means), max(means)))
    rhos = [
        float(sum(Fraction(pass_hat_k(3, c, k)) for c in chosen) / sum(Fraction(c, 3) for c in chosen))
        for chosen in every
        if any(chosen)
    ]
    if found.rho is None:
        assert rhos == []
    else:
        assert (found.rho.low, found.rho.high) == pytest.approx((min(rhos), max(rhos)))
        assert found.rho.high <= 1


@pytest.mark.parametrize(("reward", "succeeds"), [(1, True), (1 - 1e-7, True), (0.99, False), (0.5, False)])
def test_only_a_whole_reward_is_a_success(reward: float, succeeds: bool) -> None:
    assert at({"A": [reward]}, planned=1, k=1).pass_hat.estimate == float(succeeds)


def test_no_tasks_have_no_figures() -> None:
    found = reliability({}, planned=4)
    assert (found.n_tasks, found.by_k, found.complete) == (0, (), True)


def test_what_was_not_planned_is_refused() -> None:
    with pytest.raises(ValueError, match="'A' has 3 trials, planned are 2"):
        reliability({"A": [1, 1, 1]}, planned=2)
    with pytest.raises(ValueError, match="positive"):
        reliability({"A": []}, planned=0)
    with pytest.raises(ValueError, match="finite"):
        reliability({"A": [float("nan")]}, planned=1)


@pytest.mark.skipif(not AIRLINE.is_file(), reason="published trajectories are not beside this checkout")
def test_published_trajectories_give_the_published_figures() -> None:
    trials: defaultdict[str, list[float | None]] = defaultdict(list)
    for simulation in json.loads(AIRLINE.read_text(encoding="utf-8")):
        trials[str(simulation["task_id"])].append(simulation["reward"])
    found = reliability(trials, planned=4)
    assert (found.n_tasks, found.n_present, found.complete) == (50, 200, True)
    assert [one.pass_hat.estimate for one in found.by_k] == pytest.approx(
        [0.42, 0.273333, 0.22, 0.20], abs=1e-6
    )
    fourth = found.by_k[3]
    assert fourth.rho is not None
    assert fourth.rho.estimate == pytest.approx(0.20 / 0.42)
    assert fourth.rho_interval is not None
    assert 0.25 < fourth.rho_interval.low < 0.20 / 0.42 < fourth.rho_interval.high < 0.7
