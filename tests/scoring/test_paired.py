"""Paired differences and tests, against enumeration, published values and each other."""

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.scoring.paired import Paired, holm, mcnemar, paired_difference, sign_flip

SMALL = st.lists(st.integers(-4, 4), max_size=9)


def by_definition(sums: list[float]) -> float:
    """The share of all sign choices that reach the observed sum, one by one."""
    exact = [Fraction(one).limit_denominator(1000) for one in sums]
    totals = [
        abs(sum(sign * one for sign, one in zip(signs, exact, strict=True)))
        for signs in product((1, -1), repeat=len(exact))
    ]
    return sum(1 for total in totals if total >= abs(sum(exact))) / len(totals)


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [(0, 0, 1.0), (3, 3, 1.0), (3, 4, 1.0), (0, 5, 2 / 32), (1, 9, 22 / 1024), (10, 0, 2 / 1024)],
)
def test_mcnemar_of_few_is_counted_by_hand(first: int, second: int, p: float) -> None:
    assert mcnemar(first, second) == p
    assert mcnemar(second, first) == p


def test_mcnemar_gives_a_published_p() -> None:
    # R's mcnemar.exact of the approval ratings in A. Agresti, "Categorical Data Analysis": 150 against 86.
    assert mcnemar(150, 86) == pytest.approx(3.716e-05, rel=1e-3)


@given(st.integers(0, 120), st.integers(0, 120))
def test_mcnemar_is_twice_the_binomial_tail(first: int, second: int) -> None:
    n, fewer = first + second, min(first, second)
    tail = Fraction(2 * sum(comb(n, successes) for successes in range(fewer + 1)), 2**n)
    assert mcnemar(first, second) == float(min(Fraction(1), tail))


def test_mcnemar_of_a_hundred_thousand_is_near_its_normal_approximation() -> None:
    # z = (|b − c| − 1) / √(b + c) = 1.2617 …
    assert mcnemar(49_800, 50_200) == pytest.approx(0.20704, abs=1e-4)


def test_mcnemar_of_a_difference_beyond_all_floats_is_zero() -> None:
    assert mcnemar(0, 100_000) == 0.0


@given(SMALL)
def test_the_sign_flip_of_whole_numbers_is_its_definition(differences: list[int]) -> None:
    assert sign_flip(differences) == pytest.approx(by_definition([float(one) for one in differences]))


@given(st.lists(st.sampled_from([1 / 3, -0.25, 0.6, -1 / 6, 0.0]), max_size=9))
def test_the_sign_flip_of_fractions_is_its_definition(differences: list[float]) -> None:
    assert sign_flip(differences) == pytest.approx(by_definition(differences))


@given(st.lists(st.sampled_from([0.1234, -0.777, 0.3333, -0.501, 0.9]), max_size=9))
def test_the_sign_flip_of_any_few_numbers_is_its_definition(differences: list[float]) -> None:
    assert sign_flip(differences) == pytest.approx(by_definition(differences))


def test_the_sign_flip_of_scores_of_0_and_1_is_mcnemars() -> None:
    assert sign_flip([1] * 9 + [-1] + [0] * 50) == mcnemar(9, 1)
    assert sign_flip([0.2] * 9 + [-0.2]) == mcnemar(9, 1)


def test_no_difference_at_all_is_no_evidence() -> None:
    assert sign_flip([]) == 1.0
    assert sign_flip([0.0, 0.0]) == 1.0
    assert sign_flip([0.5, -0.5]) == 1.0


def test_a_cluster_changes_its_sign_as_a_whole() -> None:
    # Three items of four trials: the least p that three signs allow is 2 / 8.
    differences, items = [1.0] * 12, [number // 4 for number in range(12)]
    assert sign_flip(differences, items) == 0.25
    assert sign_flip(differences) == 2 / 2**12
    assert sign_flip([1, -1, 0.5], ["a", "a", "b"]) == 1.0


def test_rounding_does_not_turn_a_cluster_of_no_difference_into_one() -> None:
    assert sign_flip([0.1, 0.2, -0.3, 1.0], ["a", "a", "a", "b"]) == 1.0


def test_many_clusters_of_whole_sums_are_still_exact() -> None:
    rng = np.random.default_rng(3)
    differences = rng.integers(-1, 2, 4_000)
    clusters = [number // 4 for number in range(4_000)]
    sums = differences.reshape(-1, 4).sum(axis=1)
    z = abs(sums.sum()) / (sums**2).sum() ** 0.5
    exact = sign_flip(differences.astype(float), clusters)
    assert exact == sign_flip(differences.astype(float), clusters, resamples=1, seed=5)
    assert exact == pytest.approx(normal_p(float(z)), abs=0.01)


def normal_p(z: float) -> float:
    from statistics import NormalDist

    return 2 * (1 - NormalDist().cdf(z))


@pytest.mark.parametrize("n", [21, 64, 65, 1_000])
def test_random_signs_are_near_the_normal_approximation(n: int) -> None:
    differences = np.random.default_rng(n).normal(0.3 / n**0.5 * 4, 1, n)
    z = abs(differences.sum()) / float((differences**2).sum()) ** 0.5
    assert sign_flip(differences) == pytest.approx(normal_p(z), abs=0.012)


def test_random_signs_are_never_a_p_of_zero() -> None:
    differences = np.random.default_rng(1).random(500) + 0.5
    assert sign_flip(differences, resamples=999) == 1 / 1000


def test_a_seed_fixes_the_random_signs_and_order_does_not_matter() -> None:
    differences = np.random.default_rng(2).normal(0.05, 1, 300)
    once = sign_flip(differences, resamples=2_000, seed=4)
    assert sign_flip(differences[::-1], resamples=2_000, seed=4) == once
    assert sign_flip(-differences, resamples=100_000) == pytest.approx(once, abs=0.05)
    assert sign_flip(differences, resamples=2_000, seed=5) != once


def test_holm_of_a_worked_example() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))


def test_holm_of_ties_of_one_and_of_none() -> None:
    assert holm([]) == ()
    assert holm([0.2]) == (0.2,)
    assert holm([0.02, 0.02]) == (0.04, 0.04)
    assert holm([1.0, 0.9]) == (1.0, 1.0)


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_keeps_the_order_and_never_lowers_a_p(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    assert all(p <= after <= 1 for p, after in zip(p_values, adjusted, strict=True))
    pairs = sorted(zip(p_values, adjusted, strict=True))
    assert [after for _, after in pairs] == sorted(adjusted)


def test_paired_scores_of_0_and_1_are_tested_by_mcnemar() -> None:
    first, second = [1] * 60 + [0] * 40, [1] * 55 + [0] * 25 + [1] * 20
    found = paired_difference(first, second)
    assert found is not None
    assert found.low is not None
    assert found.high is not None
    assert (found.n, found.n_clusters, found.test) == (100, 100, "mcnemar")
    assert found.difference == pytest.approx(0.15)
    assert found.p == mcnemar(5, 20)
    assert 0 < found.low < 0.15 < found.high < 0.3


def test_the_difference_is_second_minus_first() -> None:
    found = paired_difference([0.2, 0.1, 0.6], [0.9, 0.7, 0.8])
    assert found is not None
    assert found.difference == pytest.approx(0.5)
    assert found.test == "sign-flip"
    assert found.p == 0.25


def test_trials_of_one_item_are_one_cluster_to_test_and_interval() -> None:
    first, second = [0.0] * 40, [1.0] * 28 + [0.0] * 12
    items = [number // 4 for number in range(40)]
    clustered, apart = paired_difference(first, second, items), paired_difference(first, second)
    assert clustered is not None
    assert apart is not None
    assert (clustered.test, clustered.n, clustered.n_clusters) == ("sign-flip", 40, 10)
    assert clustered.p == mcnemar(0, 7)
    assert clustered.low is not None
    assert apart.low is not None
    assert clustered.low < apart.low


def test_differences_that_are_all_alike_have_no_interval() -> None:
    assert paired_difference([1, 0, 1], [1, 0, 1]) == Paired(3, 0.0, None, None, 1.0, "mcnemar", 3)
    assert paired_difference([0] * 10, [1] * 10) == Paired(10, 1.0, None, None, 2 / 2**10, "mcnemar", 10)


def test_one_cluster_alone_has_no_interval() -> None:
    found = paired_difference([0, 0.5], [1, 0.7], ["a", "a"])
    assert found is not None
    assert (found.low, found.high, found.p) == (None, None, 1.0)


def test_no_pairs_have_no_difference() -> None:
    assert paired_difference([], []) is None


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(ValueError, match="1 first values but 2 second"):
        paired_difference([1], [1, 0])
    with pytest.raises(ValueError, match="finite"):
        paired_difference([float("nan")], [1])
    with pytest.raises(ValueError, match="finite"):
        sign_flip([float("inf")])
    with pytest.raises(ValueError, match="2 differences but 1 clusters"):
        sign_flip([1, 2], ["a"])
    with pytest.raises(ValueError, match="resamples"):
        sign_flip([1, 2], resamples=0)
    with pytest.raises(ValueError, match="below 0"):
        mcnemar(-1, 2)
    with pytest.raises(ValueError, match="within 0 and 1"):
        holm([0.5, 1.5])
