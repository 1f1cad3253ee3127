import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.audio.speakers.helpers import cloud, farthest_by_hand, rng
from voicebench.audio.speakers import METHODS, Method, lazy, select
from voicebench.errors import UserError

each_method = pytest.mark.parametrize("method", METHODS)


@each_method
def test_the_same_seed_gives_the_same_choice(method: Method) -> None:
    points = cloud(200)
    first, second = (select(points, 12, method=method, rng=rng(7)) for _ in range(2))
    assert first == second
    assert len(set(first)) == 12
    assert any(select(points, 12, method=method, rng=rng(seed)) != first for seed in range(3))


@each_method
def test_groups_give_equal_shares(method: Method) -> None:
    genders = ["f" if voice % 10 == 0 else "m" for voice in range(100)]
    chosen = select(cloud(100), 10, method=method, rng=rng(), groups=genders)
    assert sorted(genders[voice] for voice in chosen) == ["f"] * 5 + ["m"] * 5


@each_method
def test_groups_give_the_numbers_asked_for(method: Method) -> None:
    groups = ["hi", "ta", "te"] * 20
    chosen = select(cloud(60), 9, method=method, rng=rng(), groups=groups, balance={"hi": 2, "ta": 7})
    assert sorted(groups[voice] for voice in chosen) == ["hi"] * 2 + ["ta"] * 7


@each_method
def test_an_excluded_voice_is_never_chosen(method: Method) -> None:
    chosen = select(cloud(20), 12, method=method, rng=rng(), exclude={0, 1, 2, 3, 4, 19})
    assert len(set(chosen)) == 12
    assert set(chosen) <= set(range(5, 19))


@each_method
def test_what_is_excluded_is_as_if_it_were_not_there(method: Method) -> None:
    points = cloud(40)
    kept = select(points[10:], 8, method=method, rng=rng(3))
    assert select(points, 8, method=method, rng=rng(3), exclude=range(10)) == [voice + 10 for voice in kept]


@each_method
def test_seeds_come_first_and_count(method: Method) -> None:
    chosen = select(cloud(50), 6, method=method, rng=rng(), seeds=[41, 7])
    assert chosen[:2] == [41, 7]
    assert len(set(chosen)) == 6


@each_method
def test_all_voices_can_be_chosen_where_all_differ(method: Method) -> None:
    assert sorted(select(cloud(30, d=64), 30, method=method, rng=rng())) == list(range(30))


@each_method
def test_choosing_none_is_nothing(method: Method) -> None:
    assert select(cloud(5), 0, method=method, rng=rng()) == []
    assert select(np.zeros((0, 4)), 0, method=method, rng=rng(), groups=[]) == []


@each_method
def test_everything_at_once_keeps_every_constraint(method: Method) -> None:
    groups = ["a", "b", "c"] * 20
    chosen = select(
        cloud(60, d=32), 15, method=method, rng=rng(), groups=groups, exclude=range(0, 12), seeds=[13, 16, 20]
    )
    assert chosen[:3] == [13, 16, 20]
    assert not set(chosen) & set(range(12))
    assert [sum(groups[voice] == label for voice in chosen) for label in "abc"] == [5, 5, 5]


@each_method
def test_too_few_voices_are_the_users_mistake(method: Method) -> None:
    with pytest.raises(UserError, match="cannot choose 5 of 4 voices"):
        select(cloud(6), 5, method=method, rng=rng(), exclude=[0, 1])
    with pytest.raises(UserError, match=r"cannot choose 5 of 4 voices \('f' 1, 'm' 3\)"):
        select(cloud(6), 5, method=method, rng=rng(), groups=["m", "f"] + ["m"] * 3 + ["f"], exclude=[0, 1])


def test_farthest_point_sampling_goes_on_from_its_seeds() -> None:
    points = cloud(300)
    chosen = select(points, 30, method="farthest_point", rng=rng(), seeds=[5, 250, 17])
    assert chosen == farthest_by_hand(points, 30, [5, 250, 17])


@settings(max_examples=40, deadline=None)
@given(n=st.integers(2, 40), pool=st.sampled_from([2, 7, 1024]), seed=st.integers(0, 9))
def test_a_closed_group_leaves_the_farthest_of_the_others(n: int, pool: int, seed: int) -> None:
    points = cloud(120, d=4, seed=seed)
    groups = ["few"] * 3 + ["many"] * 117
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lazy, "_POOL", pool)
        patch.setattr(lazy, "_REFRESHED_SHARE", 64)
        chosen = select(points, n, method="farthest_point", rng=rng(), groups=groups, seeds=[60])
    few = [step for step, voice in enumerate(chosen) if voice < 3]
    assert len(few) == min(3, n // 2)
    # Up to the last voice of the small group the choice is free, and free of that group afterwards.
    by_hand = [60]
    room = {True: min(3, n // 2), False: n - min(3, n // 2) - 1}
    while len(by_hand) < n:
        closed = [voice for voice in range(120) if room[voice < 3] == 0]
        by_hand = farthest_by_hand(points, len(by_hand) + 1, by_hand, closed)
        room[by_hand[-1] < 3] -= 1
    assert chosen == by_hand


def test_random_draws_every_voice_as_often() -> None:
    draws = rng(2)
    counts = np.bincount(
        [voice for _ in range(2000) for voice in select(cloud(8), 2, method="random", rng=draws)], minlength=8
    )
    # Four standard deviations of a share of 1/4.
    assert np.abs(counts / 2000 - 0.25).max() < 4 * np.sqrt(0.25 * 0.75 / 2000)


def test_an_unknown_method_is_the_users_mistake() -> None:
    with pytest.raises(
        UserError, match=r"unknown method 'kmeans'\. Known: farthest_point, dpp, density, random"
    ):
        select(cloud(5), 2, method="kmeans", rng=rng())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("seeds", "message"),
    [
        ([1, 1], "a voice is given twice"),
        ([9], "voice 9 is none of the 5 voices"),
        ([-1], "voice -1 is none of the 5 voices"),
        ([2], "voice 2 is both given and excluded"),
        ([0, 1, 3], "3 voices are given, but only 2 are asked for"),
    ],
)
def test_seeds_that_cannot_be_are_the_users_mistake(seeds: list[int], message: str) -> None:
    with pytest.raises(UserError, match=message):
        select(cloud(5), 2, method="random", rng=rng(), seeds=seeds, exclude=[2])


def test_excluding_what_is_no_voice_is_the_users_mistake() -> None:
    with pytest.raises(UserError, match="voice 5 is none of the 5 voices"):
        select(cloud(5), 2, method="random", rng=rng(), exclude=[5])


def test_a_label_too_few_is_the_callers_mistake() -> None:
    with pytest.raises(ValueError, match="4 groups for 5 voices"):
        select(cloud(5), 2, method="random", rng=rng(), groups=["a"] * 4)
