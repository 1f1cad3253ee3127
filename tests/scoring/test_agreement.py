"""Agreement of two raters, by hand and as scikit-learn computes it."""

import itertools

import pytest

from voicebench.scoring.agreement import NO_ITEMS, ONE_CLASS, Agreement, agreement_of


def test_the_table_counts_who_said_yes() -> None:
    pairs = [(True, True), (True, False), (True, False), (False, True), (False, False)]
    assert agreement_of(pairs) == Agreement(both_yes=1, only_first=2, only_second=1, both_no=1)


def test_kappa_of_a_worked_example() -> None:
    # 20 + 15 of 50 alike; by chance (25·30 + 25·20) / 2500 = 0.5: κ = (0.7 − 0.5) / 0.5.
    found = Agreement(both_yes=20, only_first=5, only_second=10, both_no=15)
    assert found.agreement == 0.7
    assert found.kappa == pytest.approx(0.4, abs=1e-15)


def test_kappa_of_the_example_in_scikit_learns_documentation() -> None:
    first = ["negative", "positive", "negative", "neutral", "positive"]
    second = ["negative", "positive", "negative", "neutral", "negative"]
    # Of its three classes, "positive or not": 4 of 5 alike; by chance (2·1 + 3·4) / 25: κ = 0.24 / 0.44.
    found = agreement_of((a == "positive", b == "positive") for a, b in zip(first, second, strict=True))
    assert found.kappa == pytest.approx(6 / 11, abs=1e-15)


def test_macro_f1_is_the_mean_over_both_words() -> None:
    found = Agreement(both_yes=2, only_first=1, only_second=1, both_no=0)
    assert found.macro_f1 == pytest.approx((2 / 3 + 0) / 2)
    assert Agreement(both_yes=5, both_no=5).macro_f1 == 1.0


def test_agreement_by_chance_alone_is_kappa_zero() -> None:
    assert Agreement(both_yes=25, only_first=25, only_second=25, both_no=25).kappa == 0.0


def test_one_who_always_says_yes_agrees_by_chance_alone() -> None:
    assert Agreement(both_yes=9, only_first=1).kappa == 0.0


@pytest.mark.parametrize("table", [Agreement(both_yes=9), Agreement(both_no=9)])
def test_kappa_and_f1_of_one_class_are_undefined_and_say_so(table: Agreement) -> None:
    assert (table.kappa, table.macro_f1, table.undefined) == (None, None, ONE_CLASS)
    assert table.agreement == 1.0


def test_nothing_is_defined_on_no_items() -> None:
    found = agreement_of([])
    assert (found.agreement, found.interval, found.kappa, found.macro_f1) == (None, None, None, None)
    assert found.undefined == NO_ITEMS


def test_the_interval_is_wilsons() -> None:
    interval = Agreement(both_yes=15, only_first=9).interval
    assert interval is not None
    assert (round(interval.low, 2), round(interval.high, 2)) == (0.43, 0.79)


def test_kappa_and_f1_agree_with_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    for cells in itertools.product((0, 1, 7), repeat=4):
        found = Agreement(*cells)
        if found.undefined:
            continue
        pairs = [(1, 1)] * cells[0] + [(1, 0)] * cells[1] + [(0, 1)] * cells[2] + [(0, 0)] * cells[3]
        first, second = zip(*pairs, strict=True)
        assert found.kappa == pytest.approx(metrics.cohen_kappa_score(first, second), abs=1e-12)
        f1 = metrics.f1_score(second, first, average="macro", labels=[0, 1], zero_division=0)
        assert found.macro_f1 == pytest.approx(f1, abs=1e-12)
