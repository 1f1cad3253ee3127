"""Intervals, quantiles and counts, against published values and their own definitions."""

from collections.abc import Hashable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.scoring.statistics import (
    Counts,
    Interval,
    bootstrap_mean,
    bootstrap_means,
    cluster_codes,
    clustered_mean,
    mean_interval,
    quantiles,
    ratio_interval,
    wilson,
)

FIGURES = st.lists(st.floats(0, 1), min_size=1, max_size=50)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        # Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_published_intervals(successes: int, n: int, low: float, high: float) -> None:
    found = wilson(successes, n)
    assert found is not None
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


def test_wilson_of_all_and_of_none() -> None:
    none, every = wilson(0, 10), wilson(10, 10)
    assert none is not None
    assert every is not None
    assert (none.low, every.high) == (0.0, 1.0)
    assert none.high == pytest.approx(1 - every.low)


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_share(drawn: tuple[int, int]) -> None:
    successes, n = drawn
    found = wilson(successes, n)
    assert found is not None
    assert 0 <= found.low <= successes / n <= found.high <= 1


def test_nothing_has_no_interval() -> None:
    assert wilson(0, 0) is None
    assert bootstrap_mean([]) is None
    assert mean_interval([]) is None
    assert quantiles([], [0.5]) is None


def test_the_bootstrap_of_a_known_spread() -> None:
    values = [0.0, 0.25, 0.5, 0.75, 1.0] * 40
    found = bootstrap_mean(values)
    assert found is not None
    # Of 200 values the mean's standard error is √(0.125 / 200) = 0.025.
    assert found.low == pytest.approx(0.5 - 1.96 * 0.025, abs=0.002)
    assert found.high == pytest.approx(0.5 + 1.96 * 0.025, abs=0.002)


def test_the_bootstrap_of_many_different_values() -> None:
    values = list(np.random.default_rng(7).random(3000))
    found = bootstrap_mean(values, resamples=4000)
    assert found is not None
    error = float(np.std(values)) / 3000**0.5
    assert found.low == pytest.approx(float(np.mean(values)) - 1.96 * error, abs=0.1 * error)
    assert found.high == pytest.approx(float(np.mean(values)) + 1.96 * error, abs=0.1 * error)


def test_a_seed_fixes_the_bootstrap() -> None:
    few, many = [(number % 7) ** 0.5 for number in range(50)], [number / 1000 for number in range(1000)]
    for values in (few, many):
        assert bootstrap_mean(values, seed=3) == bootstrap_mean(values, seed=3)
        assert bootstrap_mean(values, seed=3) != bootstrap_mean(values, seed=4)


def test_the_order_of_values_does_not_matter_to_the_bootstrap() -> None:
    assert bootstrap_mean([0.1, 0.5, 0.9, 0.1]) == bootstrap_mean([0.9, 0.1, 0.1, 0.5])


@given(FIGURES)
def test_the_bootstrap_stays_within_the_values(values: list[float]) -> None:
    found = bootstrap_mean(values, resamples=200)
    assert found is not None
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9


def test_one_value_alone_has_an_interval_of_no_width() -> None:
    found = bootstrap_mean([0.4])
    assert found is not None
    assert [found.low, found.high] == pytest.approx([0.4, 0.4])


def test_the_mean_of_figures_of_0_and_1_is_wilsons() -> None:
    assert mean_interval([0, 1, 1.0, 0]) == wilson(2, 4)
    assert mean_interval([0, 1, 0.5], seed=2) == bootstrap_mean([0, 1, 0.5], seed=2)


def test_a_higher_confidence_is_wider() -> None:
    narrow, wide = wilson(5, 20, 0.8), wilson(5, 20, 0.99)
    assert narrow is not None
    assert wide is not None
    assert wide.low < narrow.low < narrow.high < wide.high


def test_quantiles_are_interpolated() -> None:
    assert quantiles([4, 1, 3, 2], [0, 0.5, 0.9, 1]) == pytest.approx((1.0, 2.5, 3.7, 4.0))
    assert quantiles([5], [0.5, 0.99]) == (5.0, 5.0)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_value_that_is_no_finite_number_is_refused(value: float) -> None:
    for attempt in (bootstrap_mean, mean_interval):
        with pytest.raises(ValueError, match="finite"):
            attempt([0.5, value])
    with pytest.raises(ValueError, match="finite"):
        quantiles([value], [0.5])


def test_impossible_questions_are_refused() -> None:
    with pytest.raises(ValueError, match="successes"):
        wilson(3, 2)
    with pytest.raises(ValueError, match="confidence"):
        wilson(1, 2, 1.0)
    with pytest.raises(ValueError, match="resamples"):
        bootstrap_mean([0.5], resamples=0)
    with pytest.raises(ValueError, match="confidence"):
        bootstrap_mean([0.5], confidence=0)
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        quantiles([1.0], [2])
    with pytest.raises(ValueError, match="2 values but 1 clusters"):
        clustered_mean([1, 0], ["a"])
    with pytest.raises(ValueError, match="2 values but 3 clusters"):
        bootstrap_means([[1, 0]], [["a", "b", "c"]])


def width(found: Interval | None) -> float:
    assert found is not None
    return found.high - found.low


def test_many_columns_at_once_are_each_what_they_are_alone() -> None:
    rng = np.random.default_rng(1)
    columns = [list(rng.random(n)) for n in (500, 80, 3)] + [[1.0, 0.0, 1.0], []]
    for together, values in zip(bootstrap_means(columns, resamples=500), columns, strict=True):
        alone = bootstrap_mean(values, resamples=500)
        if alone is None:
            assert together is None
        else:
            assert together is not None
            assert (together.low, together.high) == pytest.approx((alone.low, alone.high), rel=1e-6)


def test_no_columns_have_no_intervals() -> None:
    assert bootstrap_means([]) == []


def test_repeating_every_item_does_not_narrow_the_clustered_interval() -> None:
    values = list(np.random.default_rng(2).random(200))
    once = bootstrap_mean(values)
    four = clustered_mean(values * 4, list(range(200)) * 4)
    assert width(four) == pytest.approx(width(once), rel=0.03)
    assert width(bootstrap_mean(values * 4)) == pytest.approx(width(once) / 2, rel=0.05)


def test_the_clustered_interval_has_the_width_that_the_spread_of_clusters_gives() -> None:
    # 50 items of 4 trials, 25 always right and 25 always wrong: √(0.25 / 50) is the mean's standard error.
    values = [1.0] * 100 + [0.0] * 100
    found = clustered_mean(values, [number // 4 for number in range(200)])
    assert width(found) == pytest.approx(2 * 1.96 * (0.25 / 50) ** 0.5, rel=0.03)


def test_the_names_of_clusters_may_be_of_any_script_and_kind() -> None:
    values = [0.0, 1.0, 1.0, 0.5, 0.25, 1.0]
    plain: list[Hashable] = [0, 0, 1, 1, 2, 2]
    named: list[Hashable] = ["वक्ता", "वक्ता", ("ผู้พูด", 2), ("ผู้พูด", 2), None, None]
    assert clustered_mean(values, plain) == clustered_mean(values, named)
    assert cluster_codes(named).tolist() == plain


def test_values_that_are_their_own_clusters_have_the_ordinary_interval() -> None:
    assert clustered_mean([0, 1, 1, 0, 1], range(5)) == wilson(3, 5)
    assert clustered_mean([0, 0.5, 1], "abc") == bootstrap_mean([0, 0.5, 1])


def test_clusters_that_are_all_right_are_worth_as_many_items_as_there_are() -> None:
    assert clustered_mean([1] * 40, [number // 4 for number in range(40)]) == wilson(10, 10)
    assert clustered_mean([0] * 40, [number // 4 for number in range(40)]) == wilson(0, 10)


def test_a_single_cluster_and_no_values_have_no_clustered_interval() -> None:
    assert clustered_mean([0.2, 0.4], ["a", "a"]) is None
    assert clustered_mean([], []) is None
    assert clustered_mean([0.2, 0.4], ["a", "a"], crossed=["b", "b"]) is None


def crossed_values(items: int, speakers: int) -> tuple[list[float], list[int], list[int]]:
    """Every item by every speaker: the sum of what is the item's, the speaker's and chance."""
    rng = np.random.default_rng(9)
    of_item, of_speaker = rng.normal(0, 1, items), rng.normal(0, 1, speakers)
    rows = [(item, speaker) for item in range(items) for speaker in range(speakers)]
    values = [of_item[item] + of_speaker[speaker] + rng.normal(0, 0.2) for item, speaker in rows]
    return values, [item for item, _ in rows], [speaker for _, speaker in rows]


def test_items_crossed_with_speakers_add_up_the_spread_of_both() -> None:
    values, items, speakers = crossed_values(40, 25)
    by_item, by_speaker = clustered_mean(values, items), clustered_mean(values, speakers)
    both = clustered_mean(values, items, crossed=speakers)
    assert width(both) == pytest.approx((width(by_item) ** 2 + width(by_speaker) ** 2) ** 0.5, rel=0.02)
    assert both == clustered_mean(values, speakers, crossed=items)


def test_items_of_one_speaker_each_are_clustered_by_speaker() -> None:
    rng = np.random.default_rng(10)
    speakers = [number % 20 for number in range(200)]
    values = list(rng.normal(0, 1, 20)[speakers] + rng.normal(0, 0.1, 200))
    both = clustered_mean(values, range(200), crossed=speakers)
    by_speaker = clustered_mean(values, speakers)
    assert both is not None
    assert by_speaker is not None
    assert (both.low, both.high) == pytest.approx((by_speaker.low, by_speaker.high))


def test_a_single_speaker_leaves_the_clusters_of_items() -> None:
    values, items = [0.1, 0.2, 0.9, 0.4], ["a", "a", "b", "c"]
    assert clustered_mean(values, items, crossed=["v"] * 4) == clustered_mean(values, items)


def test_crossed_clusters_do_not_leave_the_range_of_the_values() -> None:
    found = clustered_mean([0, 1, 1, 1], ["a", "a", "b", "b"], crossed=["v", "w", "v", "w"])
    assert found is not None
    assert 0 <= found.low <= 0.75 <= found.high <= 1


def test_a_ratio_of_sums_has_the_interval_of_its_delta_method() -> None:
    rng = np.random.default_rng(12)
    below = rng.random(400) + 0.5
    above = 0.6 * below + rng.normal(0, 0.1, 400)
    found = ratio_interval(list(above), list(below))
    share = float(above.sum() / below.sum())
    error = float(np.std(above - share * below) / below.mean() / 400**0.5)
    assert found is not None
    assert found.low == pytest.approx(share - 1.96 * error, abs=0.1 * error)
    assert found.high == pytest.approx(share + 1.96 * error, abs=0.1 * error)


def test_a_ratio_over_nothing_has_no_interval() -> None:
    assert ratio_interval([], []) is None
    assert ratio_interval([0, 0], [0, 0]) is None
    assert ratio_interval([0, 1], [0, 1]) == Interval(1, 1)


def test_an_impossible_ratio_is_refused() -> None:
    with pytest.raises(ValueError, match="below 0"):
        ratio_interval([1], [-1])
    with pytest.raises(ValueError, match="2 numerators but 1 denominators"):
        ratio_interval([1, 2], [1])


def test_counts_say_what_became_of_every_answer() -> None:
    counts = Counts(planned=420, ran=415, failed=5, judge_failed=3, scored=412)
    assert counts.describe() == "scored 412 of 420 (5 failed, 3 without a verdict)"
    assert not counts.complete


def test_complete_counts_are_said_plainly() -> None:
    assert Counts(planned=3, ran=3, failed=0, judge_failed=0, scored=3).describe() == "scored 3 of 3"
    assert Counts(planned=3, ran=3, failed=0, judge_failed=0, scored=3).complete


def test_counts_of_groups_add_up() -> None:
    one, two = Counts(5, 4, 1, 1, 3), Counts(2, 2, 0, 0, 2)
    assert Counts.total([one, two]) == Counts(7, 6, 1, 1, 5)
    assert Counts.total([]) == Counts(0, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("numbers", "why"),
    [
        ((5, 4, 0, 0, 4), "ran \\+ failed"),
        ((5, 5, 0, 1, 5), "scored \\+ judge"),
        ((1, 2, -1, 0, 2), "below 0"),
    ],
)
def test_counts_that_do_not_add_up_are_refused(numbers: tuple[int, int, int, int, int], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Counts(*numbers)
