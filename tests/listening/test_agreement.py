"""Agreement against published values, and at its ends."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.listening.agreement import krippendorff_alpha, weighted_kappa

# K. Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), section C: four observers, twelve
# units, answers missing; ordinal alpha = 0.815.
OBSERVERS = (
    (1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3),
    (None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None),
)
UNITS = [[grade for grade in unit if grade is not None] for unit in zip(*OBSERVERS, strict=True)]


def test_the_published_ordinal_alpha_is_reproduced() -> None:
    alpha = krippendorff_alpha(UNITS)
    assert alpha is not None
    assert round(alpha, 3) == 0.815


def test_alpha_by_hand_for_two_values() -> None:
    # Coincidences: 11 twice, 12 and 21 once each, 22 four times; n = 8, n1 = 3, n2 = 5.
    # D_o = 2/8, D_e = 2·15/(8·7): alpha = 1 - 7·1/15.
    assert krippendorff_alpha([[1, 1], [1, 2], [2, 2], [2, 2]]) == pytest.approx(8 / 15)


def test_full_agreement_is_1_and_systematic_disagreement_below_0() -> None:
    assert krippendorff_alpha([[1, 1, 1], [5, 5], [3, 3]]) == 1
    low = krippendorff_alpha([[1, 5], [5, 1], [1, 5], [5, 1]])
    assert low is not None and low < 0


@pytest.mark.parametrize("units", [[], [[3]], [[1], [5]], [[4, 4], [4, 4, 4]], [[4, 4], [1]]])
def test_alpha_is_undefined_without_variation_or_pairs(units: list[list[int]]) -> None:
    assert krippendorff_alpha(units) is None


grades = st.integers(1, 5)


@given(st.lists(st.lists(grades, max_size=4), max_size=8))
def test_alpha_depends_on_no_order_and_never_exceeds_1(units: list[list[int]]) -> None:
    alpha = krippendorff_alpha(units)
    assert krippendorff_alpha([unit[::-1] for unit in units[::-1]]) == (
        None if alpha is None else pytest.approx(alpha)
    )
    assert alpha is None or alpha <= 1


def test_weighted_kappa_by_hand() -> None:
    # Squared distances add up to 1 over 3 pairs, and to 51 over the 9 pairs that chance makes of them.
    assert weighted_kappa([(1, 1), (2, 3), (5, 5)]) == pytest.approx(1 - (1 / 3) / (51 / 9))


@pytest.mark.parametrize("seed", range(5))
def test_weighted_kappa_is_scikit_learns(seed: int) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    first, second = np.random.default_rng(seed).integers(1, 6, size=(2, 12)).tolist()
    theirs = metrics.cohen_kappa_score(first, second, weights="quadratic", labels=[1, 2, 3, 4, 5])
    assert weighted_kappa(list(zip(first, second, strict=True))) == pytest.approx(float(theirs))


def test_weighted_kappa_is_undefined_for_nothing_and_for_one_answer_to_everything() -> None:
    assert weighted_kappa([]) is None
    assert weighted_kappa([(4, 4), (4, 4)]) is None
