"""Published pass^k rows: which no outcome can have, which value is to blame, what lost trials explain."""

from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.scoring.table_check import (
    PublishedRow,
    check_row,
    printed,
    printed_ratio,
    repeated,
    rho_interval,
)


def row(*passes: str, n: int = 114, trials: int | None = None, rho: str | None = None) -> PublishedRow:
    values = {k: printed(text) for k, text in enumerate(passes, start=1) if text}
    return PublishedRow(
        "row", values, n, trials or len(passes), printed_ratio(rho) if rho is not None else None
    )


def test_a_printed_number_stands_for_all_that_round_to_it() -> None:
    found = printed("0.540")
    assert (found.low, found.high) == (Fraction("0.5395"), Fraction("0.5405"))
    assert (printed("54.0%").low, printed(" 54.0 % ").high) == (Fraction("0.5395"), Fraction("0.5405"))
    assert printed(".54").half == Fraction("0.005")
    assert printed("0.54", digits=3).half == Fraction("0.0005")
    assert printed("0").low == 0


@pytest.mark.parametrize("text", ["", "x", "1.2", "54", "-0.1", "0,54", "1e-3", "१", "nan", "0.5.1", "101%"])
def test_what_is_no_share_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        printed(text)


def test_more_decimals_than_stated_are_refused() -> None:
    with pytest.raises(ValueError, match="more than 2 decimals"):
        printed("0.540", digits=2)


def test_a_row_that_some_outcome_has_is_possible_and_the_outcome_is_given() -> None:
    verdict = check_row(row("0.50", "0.25", n=4, trials=2))
    # 4 tasks x 2 trials: one task succeeds twice, two succeed once, one never.
    assert verdict.possible is True
    assert verdict.counts == (1, 2, 1)


def test_numbers_that_are_each_fine_may_not_go_together() -> None:
    verdict = check_row(row("0.997", "0.953", "0.930", rho="0.933"))
    assert verdict.possible is False
    assert verdict.problems == (
        "no outcome of 114 tasks gives p1 0.997, p2 0.953, p3 0.930 together: "
        "the tasks by number of successes would be 106 with 3, 8 with 2, 7 with 1, -7 with 0",
    )
    assert verdict.suspects == ("p1",)
    assert verdict.lost is None
    assert check_row(row("0.977", "0.953", "0.930", rho="0.952")).possible is True


def test_a_value_between_two_counts_is_named_with_its_neighbours() -> None:
    verdict = check_row(row("0.607", n=114, trials=3))
    assert verdict.problems == (
        "no count gives p1 0.607: the nearest are 207/342 = 0.6053 and 208/342 = 0.6082",
    )


def test_lost_trials_that_were_left_out_explain_a_value_between_two_counts() -> None:
    # 11 of 113 tasks with three trials; the 114th lost one.
    verdict = check_row(row("0.228", "0.132", "0.097"))
    assert (verdict.possible, verdict.lost) == (False, 1)


def test_pass_k_cannot_grow_with_k() -> None:
    assert check_row(row("0.50", "0.51", n=100)).possible is False
    assert check_row(row("0.500", "0.500", n=100)).counts == (50, 0, 50)


def test_rho_must_come_from_what_is_printed_within_rounding() -> None:
    # 0.097 / 0.228 is 0.425, but 0.0965 / 0.2285 is 0.422.
    low, high = rho_interval(printed("0.097"), printed("0.228"))
    assert float(low) == pytest.approx(0.42232, abs=1e-5)
    assert float(high) == pytest.approx(0.42857, abs=1e-5)
    assert check_row(row("0.500", "0.300", "0.200", n=1000, rho="0.400")).possible is True
    wrong = check_row(row("0.500", "0.300", "0.200", n=1000, rho="0.300"))
    assert (wrong.possible, wrong.suspects) == (False, ("rho",))
    assert "rho 0.300 is not p3 / p1 = 0.200 / 0.500" in wrong.problems[0]


def test_a_rho_above_1_is_impossible() -> None:
    # Two tasks, the second lost its third trial: pass^1 .5 over both, pass^3 1 over the one left.
    verdict = check_row(row("0.5", "0.5", "1.0", n=2, rho="2.0"))
    assert verdict.possible is False
    assert "rho 2.0 is above 1, and pass^3 is never above pass^1" in verdict.problems


def test_a_rho_beside_no_success_at_all_is_not_judged() -> None:
    assert check_row(row("0", "0", n=3, rho="0.5")).possible is True


def test_values_may_be_missing_in_between() -> None:
    assert check_row(row("0.500", "", "", "0.250", n=40, trials=4)).possible is True
    assert check_row(row("0.250", "", "", "0.500", n=40, trials=4)).possible is False


@pytest.mark.parametrize(
    "bad",
    [PublishedRow("r", {}, 3, 3), row("0.5", n=0, trials=1), PublishedRow("r", {4: printed("0.5")}, 3, 3)],
)
def test_a_row_without_sense_is_refused(bad: PublishedRow) -> None:
    with pytest.raises(ValueError, match="a row needs"):
        check_row(bad)


def test_rows_with_the_same_three_numbers_are_pointed_out() -> None:
    same, other = row("0.330", "0.205", "0.149"), row("0.348", "0.231", "0.175")
    assert repeated([same, other, same]) == [(0, 2)]
    assert repeated([row("0.33", "0.20"), row("0.33", "0.20")]) == []
    assert repeated([row("1.0", "1.0", "1.0"), row("1.0", "1.0", "1.0")]) == []


@given(st.lists(st.integers(0, 3), min_size=1, max_size=60), st.integers(1, 4))
def test_whatever_happens_its_own_table_row_is_possible(successes: list[int], digits: int) -> None:
    n = len(successes)
    exact = [Fraction(sum(comb(c, k) for c in successes), n * comb(3, k)) for k in (1, 2, 3)]
    texts = [f"{float(value):.{digits}f}" for value in exact]
    rho = f"{float(exact[2] / exact[0]):.{digits}f}" if exact[0] else None
    verdict = check_row(row(*texts, n=n, rho=rho))
    assert verdict.possible is True, verdict
    assert sum(verdict.counts or ()) == n


@given(st.integers(1, 6), st.lists(st.integers(0, 20), min_size=2, max_size=2))
def test_the_verdict_is_that_of_trying_all_outcomes(n: int, twentieths: list[int]) -> None:
    texts = [f"{value / 20:.2f}" for value in twentieths]
    outcomes = combinations_with_replacement(range(3), n)
    fits = any(
        all(
            printed(text).low
            <= Fraction(sum(comb(c, k) for c in outcome), n * comb(2, k))
            <= printed(text).high
            for k, text in enumerate(texts, start=1)
        )
        for outcome in outcomes
    )
    assert check_row(row(*texts, n=n)).possible is fits
