"""Means and their intervals, asked for one by one and drawn together."""

from collections.abc import Sequence

import pytest

from voicebench.report.estimates import Difference, Estimate, Estimator, LanguageMean, Rate
from voicebench.report.observed import Sampled
from voicebench.scoring.statistics import Interval, clustered_mean, wilson


def rate(values: Sequence[float], origins: Sequence[object], voices: Sequence[str | None]) -> Estimate:
    return Estimator().estimates([Rate(tuple(values), tuple(map(str, origins)), tuple(voices))])[0]


def difference(values: Sequence[float], origins: Sequence[object], voices: Sequence[str | None]) -> Estimate:
    return Estimator().estimates([Difference(tuple(values), tuple(map(str, origins)), tuple(voices))])[0]


def alone(values: list[float]) -> tuple[list[float], list[int], list[None]]:
    return values, list(range(len(values))), [None] * len(values)


def test_a_rate_of_0_and_1_has_wilsons_interval() -> None:
    assert rate(*alone([1, 0])) == pytest.approx((0.5, 0.0945312, 0.9054688), abs=1e-6)


def test_one_task_right_has_an_interval_and_half_a_task_has_none() -> None:
    assert rate(*alone([1])) == pytest.approx((1, 0.206549, 1), abs=1e-6)
    assert rate(*alone([0.5])) == (0.5, None, None)


def test_a_task_in_several_languages_is_drawn_as_one() -> None:
    values = [1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]
    origins = ["a", "a", "b", "b", "c", "c", "d", "d"]
    mean, low, high = rate(values, origins, [None] * 8)
    expected = clustered_mean(values, origins)
    assert expected is not None
    assert (mean, low, high) == (0.5, expected.low, expected.high)
    independent = wilson(4, 8)
    assert independent is not None
    assert low < independent.low


def test_voices_that_repeat_widen_an_interval_and_never_narrow_it() -> None:
    values = [1.0] * 10 + [0.0] * 10
    origins = [str(i) for i in range(20)]
    by_task = rate(values, origins, [None] * 20)
    of_their_own = rate(values, origins, [f"v{i}" for i in range(20)])
    assert of_their_own == by_task
    split = rate(values, origins, ["one"] * 10 + ["two"] * 10)
    assert (split.low, split.high) == (0.0, 1.0)
    mixed = rate(values, origins, ["one", "two"] * 10)
    assert (mixed.low, mixed.high) == (by_task.low, by_task.high)


def test_where_all_are_right_voices_say_nothing() -> None:
    found = wilson(8, 8)
    assert found is not None
    voices = ["one", "two"] * 4
    assert rate([1.0] * 8, [str(i) for i in range(8)], voices) == (1.0, found.low, found.high)


def test_an_unknown_voice_leaves_voices_out() -> None:
    values, origins = [1.0, 0.0, 1.0, 0.0], ["a", "b", "c", "d"]
    assert rate(values, origins, ["v", "v", None, "w"]) == rate(values, origins, [None] * 4)


def test_differences_that_are_all_the_same_have_no_interval() -> None:
    assert difference(*alone([0, 0, 0])) == (0, None, None)
    assert difference(*alone([-1])) == (-1, None, None)


def test_a_difference_has_a_bootstrap_interval_even_where_all_are_0_or_1() -> None:
    # Four values, one of them 1: resampled means reach 0, which Wilson's interval of a share would not.
    assert difference(*alone([1, 0, 0, 0])) == (0.25, 0.0, 0.75)


def test_a_difference_that_one_voice_makes_is_as_wide_as_its_voices() -> None:
    values, origins = [-1.0] * 5 + [0.0] * 5, [str(i) for i in range(10)]
    found = difference(values, origins, ["one"] * 5 + ["two"] * 5)
    assert found == (-0.5, -1.0, 0.0)


def test_one_task_in_two_languages_says_nothing_of_other_tasks() -> None:
    assert difference([1.0, 0.0], ["a", "a"], [None, None]) == (0.5, None, None)
    assert rate([1.0, 0.0], ["a", "a"], [None, None]) == (0.5, None, None)


def test_the_same_values_give_the_same_interval() -> None:
    values, origins = [1.0, 0.0, 0.5, 0.25], ["a", "b", "c", "d"]
    first = rate(values, origins, ["x", "x", "y", "y"])
    assert first == rate(list(values), list(origins), ["x", "x", "y", "y"])
    assert Interval(first.low or 0, first.high or 0).low <= first.mean


def test_what_is_drawn_together_is_what_it_is_alone() -> None:
    values = tuple(i % 7 / 7 for i in range(40))
    origins, voices = tuple(str(i) for i in range(40)), tuple(f"v{i % 5}" for i in range(40))
    tasks = tuple(map(Sampled, origins, values, origins, voices))
    asked = [
        Rate(values, origins, voices), Difference(values, origins, voices),
        LanguageMean((tasks, tasks[:20])), Rate(values[:20], origins[:20], (None,) * 20),
    ]  # fmt: skip
    together = Estimator().estimates(asked)
    for one, found in zip(asked, together, strict=True):
        assert found == pytest.approx(Estimator().estimates([one])[0], rel=1e-9)


def test_a_mean_that_two_tables_ask_for_is_drawn_once() -> None:
    estimator = Estimator()
    one = Rate((0.25, 0.5, 1.0), ("a", "b", "c"), (None, None, None))
    first = estimator.estimates([one])
    assert estimator.estimates([one, one]) == first * 2
    assert estimator.estimates([one])[0] is first[0]


def test_a_rate_and_a_difference_of_the_same_values_are_not_confused() -> None:
    content: tuple[tuple[float, ...], tuple[str, ...], tuple[None, ...]] = (
        (1.0, 1.0),
        ("a", "b"),
        (None, None),
    )
    found = Estimator().estimates([Rate(*content), Difference(*content)])
    assert found[0].low is not None
    assert found[1].low is None


def test_voices_widen_a_rate_whose_tasks_are_localised_too() -> None:
    values = [1.0, 0.0] * 6
    origins = [f"o{i // 2}" for i in range(12)]
    voices = ["one" if value else "two" for value in values]
    found, expected = rate(values, origins, voices), clustered_mean(values, origins, crossed=voices)
    assert expected is not None
    assert (found.low, found.high) == (expected.low, expected.high)
