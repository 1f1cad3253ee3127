import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from voicebench.audio import speakers
from voicebench.audio.speakers import farthest_point, mean_pairwise_distance, min_pairwise_distance
from voicebench.errors import UserError

RNG = np.random.default_rng(0)


def plain(points: npt.NDArray[np.float64], n: int, start: int) -> list[int]:
    """Farthest-point sampling as it is written down, in float64."""
    chosen = [start]
    while len(chosen) < n:
        distances = np.linalg.norm(points[:, None] - points[chosen], axis=2).min(axis=1)
        distances[chosen] = -1
        chosen.append(int(distances.argmax()))
    return chosen


def cloud(count: int, d: int = 16, seed: int = 0) -> npt.NDArray[np.float32]:
    rng = np.random.default_rng(seed)
    points = rng.standard_normal((count, d)) + 2 * rng.standard_normal((8, d))[rng.integers(8, size=count)]
    return (points / np.linalg.norm(points, axis=1, keepdims=True)).astype(np.float32)


def test_on_a_line_the_ends_come_first_and_then_the_middle() -> None:
    line = np.arange(9.0)[:, None]
    assert farthest_point(line, 4, rng=RNG, start=0) == [0, 8, 4, 2]


def test_the_choice_is_that_of_the_plain_method() -> None:
    points = cloud(400)
    assert farthest_point(points, 50, rng=RNG, start=7) == plain(points.astype(np.float64), 50, 7)


def test_a_pool_smaller_than_the_points_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    points = cloud(1500)
    want = plain(points.astype(np.float64), 120, 0)
    monkeypatch.setattr(speakers, "_POOL", 16)
    monkeypatch.setattr(speakers, "_REFRESHED_POOLS", 2)
    monkeypatch.setattr(speakers, "_REFRESHED_SHARE", 64)
    monkeypatch.setattr(speakers, "_BLOCK", 50)
    assert farthest_point(points, 120, rng=RNG, start=0) == want


def test_more_points_than_the_pool_give_the_same_set_as_the_plain_method() -> None:
    points = cloud(5000, d=8, seed=3)
    chosen = farthest_point(points, 40, rng=RNG, start=0)
    assert set(chosen) == set(plain(points.astype(np.float64), 40, 0))


def test_ties_go_to_the_lowest_index() -> None:
    corners = np.array([[0, 0], [1, 0], [0, 1], [1, 1], [1, 1]])
    assert farthest_point(corners, 5, rng=RNG, start=0) == [0, 3, 1, 2, 4]


def test_duplicates_come_last() -> None:
    points = np.repeat(np.eye(4), 50, axis=0)
    chosen = farthest_point(points, 6, rng=RNG, start=120)
    assert [index // 50 for index in chosen[:4]] == [2, 0, 1, 3]
    assert chosen[:4] == [120, 0, 50, 150]
    assert chosen[4:] == [1, 2]


@settings(max_examples=40, deadline=None)
@given(
    points=arrays(
        np.float32, st.tuples(st.integers(1, 40), st.integers(1, 5)), elements=st.floats(-4, 4, width=32)
    ),
    data=st.data(),
)
def test_the_choice_has_no_voice_twice_and_each_is_nearly_the_farthest(
    points: npt.NDArray[np.float32], data: st.DataObject
) -> None:
    n = data.draw(st.integers(0, len(points)))
    chosen = farthest_point(points, n, rng=np.random.default_rng(1))
    assert len(set(chosen)) == len(chosen) == n
    exact = points.astype(np.float64)
    slack = 1e-2 * (1 + np.abs(exact).max(initial=0))
    for step in range(1, n):
        distances = np.linalg.norm(exact[:, None] - exact[chosen[:step]], axis=2).min(axis=1)
        assert distances[chosen[step]] >= distances.max() - slack


def test_the_first_voice_is_drawn_from_the_generator() -> None:
    points = cloud(100)
    firsts = {farthest_point(points, 1, rng=np.random.default_rng(seed))[0] for seed in range(20)}
    assert len(firsts) > 5
    assert farthest_point(points, 9, rng=np.random.default_rng(4)) == farthest_point(
        points, 9, rng=np.random.default_rng(4)
    )


@pytest.mark.parametrize("n", [-1, 5])
def test_more_voices_than_there_are_is_the_users_mistake(n: int) -> None:
    with pytest.raises(UserError, match=f"cannot choose {n} of 4 voices"):
        farthest_point(np.eye(4), n, rng=RNG)


def test_a_start_that_is_no_voice_is_the_users_mistake() -> None:
    with pytest.raises(UserError, match="voice 4 is none of the 4 voices"):
        farthest_point(np.eye(4), 2, rng=RNG, start=4)


def test_an_embedding_that_is_not_finite_is_refused() -> None:
    with pytest.raises(UserError, match="not finite"):
        farthest_point(np.array([[np.nan, 0.0]]), 1, rng=RNG)


def test_choosing_none_of_none_is_nothing() -> None:
    assert farthest_point(np.zeros((0, 3)), 0, rng=RNG) == []


def test_the_mean_distance_of_a_unit_square_is_known() -> None:
    square = np.array([[0, 0], [1, 0], [0, 1], [1, 1]], float)
    assert mean_pairwise_distance(square) == pytest.approx((4 + 2 * np.sqrt(2)) / 6, abs=1e-6)
    assert min_pairwise_distance(square) == 1.0


def test_distances_over_several_blocks_are_those_of_all_pairs() -> None:
    points = cloud(5000, d=6).astype(np.float64)
    sample = points[:700]
    gaps = np.linalg.norm(sample[:, None] - sample, axis=2)[np.triu_indices(700, 1)]
    assert mean_pairwise_distance(sample) == pytest.approx(gaps.mean(), abs=1e-4)
    assert min_pairwise_distance(sample) == pytest.approx(gaps.min(), abs=1e-9)
    doubled = np.concatenate([points, points[:1]])
    assert min_pairwise_distance(doubled) == 0.0
    assert mean_pairwise_distance(doubled) == pytest.approx(mean_pairwise_distance(points), abs=1e-3)


def test_two_close_voices_are_measured_exactly() -> None:
    points = np.array([[1.0, 0.0], [1.0, 1e-7], [0.0, 1.0]])
    assert min_pairwise_distance(points) == pytest.approx(1e-7, rel=1e-6)


def test_one_voice_has_no_distance() -> None:
    assert mean_pairwise_distance(np.eye(1)) is None
    assert min_pairwise_distance(np.zeros((0, 4))) is None
