import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.audio.speakers.helpers import Array, cloud, farthest_by_hand, rng
from voicebench.audio.speakers import farthest, farthest_point, lazy
from voicebench.errors import UserError


def degenerate() -> dict[str, Array]:
    draws = rng(5)
    grid = np.stack(np.meshgrid(*[np.arange(6.0)] * 3), axis=-1).reshape(-1, 3)
    outliers = draws.standard_normal((200, 8))
    outliers[[3, 9]] = [[1e5], [-1e9]]
    return {
        "all equal": np.full((300, 24), 0.3, np.float32),
        "all zero": np.zeros((300, 4)),
        "a line": np.arange(300.0)[:, None] * 0.1,
        "a line in space": np.arange(300)[:, None] * draws.standard_normal((1, 24)),
        "a grid": grid,
        "each five times": np.repeat(draws.standard_normal((60, 12)), 5, axis=0),
        "corners, each ten times": np.repeat(np.eye(20), 10, axis=0),
        "whole numbers": draws.integers(-2, 3, (300, 3)),
        "huge": 1e140 * draws.standard_normal((200, 8)),
        "huge in float32": (1e30 * draws.standard_normal((200, 8))).astype(np.float32),
        "tiny": 1e-150 * draws.standard_normal((200, 8)),
        "far from the origin": 1e6 + draws.standard_normal((200, 8)),
        "far from the origin in float32": (1e3 + 0.1 * draws.standard_normal((200, 8))).astype(np.float32),
        "outliers": outliers,
        "nearly equal": 1 + 1e-9 * draws.standard_normal((200, 8)),
        "half precision": draws.standard_normal((200, 8)).astype(np.float16),
        "one": draws.standard_normal((1, 8)),
        "no dimensions": np.zeros((5, 0)),
    }


def test_on_a_line_the_ends_come_first_and_then_the_middle() -> None:
    line = np.arange(9.0)[:, None]
    assert farthest_point(line, 4, rng=rng(), start=0) == [0, 8, 4, 2]


def test_the_choice_is_that_of_the_plain_method() -> None:
    points = cloud(400)
    assert farthest_point(points, 50, rng=rng(), start=7) == farthest_by_hand(points, 50, [7])


@pytest.mark.parametrize("name", degenerate())
def test_all_points_of_a_degenerate_cloud_come_in_the_plain_methods_order(name: str) -> None:
    points = degenerate()[name]
    start = len(points) // 2
    chosen = farthest_point(points, len(points), rng=rng(), start=start)
    assert chosen == farthest_by_hand(points, len(points), [start])


@pytest.mark.parametrize("d", [2, 16])
def test_a_pool_smaller_than_the_points_changes_nothing(monkeypatch: pytest.MonkeyPatch, d: int) -> None:
    points = cloud(1500, d=d)
    monkeypatch.setattr(lazy, "_POOL", 16)
    monkeypatch.setattr(lazy, "_REFRESHED_POOLS", 2)
    monkeypatch.setattr(lazy, "_REFRESHED_SHARE", 64)
    monkeypatch.setattr(farthest, "_PAIRS", 8)
    assert farthest_point(points, 300, rng=rng(), start=0) == farthest_by_hand(points, 300, [0])


def test_more_points_than_the_pool_come_in_the_plain_methods_order() -> None:
    points = cloud(5000, d=8, seed=3)
    assert farthest_point(points, 80, rng=rng(), start=0) == farthest_by_hand(points, 80, [0])


def test_ties_go_to_the_lowest_index() -> None:
    corners = np.array([[0, 0], [1, 0], [0, 1], [1, 1], [1, 1]])
    assert farthest_point(corners, 5, rng=rng(), start=0) == [0, 3, 1, 2, 4]


def test_what_float32_cannot_tell_apart_float64_does() -> None:
    points = np.array([[0.0, 0.0], [1.0, 0.0], [1.0 + 1e-12, 0.0], [0.5, 0.5]])
    assert farthest_point(points, 2, rng=rng(), start=0) == [0, 2]


def test_duplicates_come_last() -> None:
    points = np.repeat(np.eye(4), 50, axis=0)
    assert farthest_point(points, 6, rng=rng(), start=120) == [120, 0, 50, 150, 1, 2]


@settings(max_examples=150, deadline=None)
@given(
    points=arrays(
        st.sampled_from([np.float32, np.float64]),
        st.tuples(st.integers(1, 30), st.integers(1, 5)),
        elements=st.one_of(st.floats(-4, 4, width=32), st.sampled_from([0.0, 1.0, -1.0, 1000.0, 2.0**-20])),
    ),
    data=st.data(),
)
def test_the_order_is_the_plain_methods_for_any_points(points: Array, data: st.DataObject) -> None:
    n = data.draw(st.integers(1, len(points)))
    start = data.draw(st.integers(0, len(points) - 1))
    assert farthest_point(points, n, rng=rng(), start=start) == farthest_by_hand(points, n, [start])


def test_the_first_voice_is_drawn_from_the_generator() -> None:
    points = cloud(100)
    firsts = {farthest_point(points, 1, rng=rng(seed))[0] for seed in range(20)}
    assert len(firsts) > 5
    assert farthest_point(points, 9, rng=rng(4)) == farthest_point(points, 9, rng=rng(4))


@pytest.mark.parametrize("n", [-1, 5])
def test_more_voices_than_there_are_is_the_users_mistake(n: int) -> None:
    with pytest.raises(UserError, match=f"cannot choose {n} of 4 voices"):
        farthest_point(np.eye(4), n, rng=rng())


def test_a_start_that_is_no_voice_is_the_users_mistake() -> None:
    with pytest.raises(UserError, match="voice 4 is none of the 4 voices"):
        farthest_point(np.eye(4), 2, rng=rng(), start=4)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_an_embedding_that_is_not_finite_is_refused(value: float, dtype: type) -> None:
    with pytest.raises(UserError, match="not finite"):
        farthest_point(np.array([[value, 0.0], [1.0, 0.0]], dtype), 1, rng=rng())


def test_embeddings_of_another_shape_are_the_callers_mistake() -> None:
    with pytest.raises(ValueError, match="shape"):
        farthest_point(np.zeros(4), 1, rng=rng())


def test_choosing_none_of_none_is_nothing() -> None:
    assert farthest_point(np.zeros((0, 3)), 0, rng=rng()) == []
