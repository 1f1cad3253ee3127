import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.audio.speakers.helpers import Array, cloud, gaps, rng
from voicebench.audio.speakers import density_weights, neighbour_counts, select
from voicebench.audio.speakers.selection import Options
from voicebench.errors import UserError


def by_hand(points: Array, radius: float) -> list[int]:
    return [int(count) for count in (gaps(points) <= radius).sum(axis=1) - 1]


def test_neighbours_on_a_line_are_counted() -> None:
    line = np.array([[0.0], [1.0], [2.0], [10.0]])
    assert neighbour_counts(line, 1.0).tolist() == [1, 2, 1, 0]
    assert neighbour_counts(line, 0.0).tolist() == [0, 0, 0, 0]
    assert neighbour_counts(line, 100.0).tolist() == [3, 3, 3, 3]


def test_counts_over_several_blocks_are_those_of_all_pairs() -> None:
    points = cloud(1300, d=5)
    assert neighbour_counts(points, 0.8).tolist() == by_hand(points, 0.8)


def test_a_voice_exactly_at_the_radius_is_a_neighbour() -> None:
    corners = np.repeat(np.eye(30, dtype=np.float32), 20, axis=0)
    assert neighbour_counts(corners, float(np.sqrt(2))).tolist() == [599] * 600
    assert neighbour_counts(corners, float(np.nextafter(np.sqrt(2), 0))).tolist() == [19] * 600


@settings(max_examples=60, deadline=None)
@given(
    arrays(np.float64, st.tuples(st.integers(1, 30), st.integers(1, 4)), elements=st.floats(-9, 9, width=16)),
    st.floats(0, 20, width=16),
)
def test_counts_are_those_of_all_pairs_for_any_points(points: Array, radius: float) -> None:
    assert neighbour_counts(points, radius).tolist() == by_hand(points, radius)


@pytest.mark.parametrize("radius", [-0.1, float("nan"), float("inf")])
def test_a_radius_that_is_no_distance_is_the_users_mistake(radius: float) -> None:
    with pytest.raises(UserError, match="is no distance"):
        neighbour_counts(np.eye(2), radius)


def test_the_probability_falls_with_the_number_of_neighbours() -> None:
    points = np.array([[0.0], [0.1], [0.2], [9.0]])
    assert density_weights(points, radius=0.1).tolist() == pytest.approx([1 / 6, 1 / 6, 1 / 6, 1 / 2])


def test_where_all_are_alike_all_are_as_probable() -> None:
    assert density_weights(np.ones((5, 3))).tolist() == pytest.approx([0.2] * 5)


def test_none_of_no_voices_has_a_probability() -> None:
    assert density_weights(np.zeros((0, 3))).tolist() == []


def test_voices_are_drawn_as_often_as_their_weights_say() -> None:
    points = np.array([[0.0], [0.01], [0.02], [9.0], [-9.0]])
    weights = density_weights(points, radius=0.1)
    draws = rng(1)
    firsts = [
        select(points, 1, method="density", rng=draws, options=Options(radius=0.1))[0] for _ in range(4000)
    ]
    shares = np.bincount(firsts, minlength=5) / 4000
    # Four standard deviations of a share of 4000 draws.
    assert np.abs(shares - weights).max() < 4 * np.sqrt(0.25 / 4000)
    assert weights[3] == pytest.approx(3 * weights[0])


def test_a_smaller_radius_finds_the_lonely_ones_more_surely() -> None:
    points = cloud(200, d=4)
    wide, narrow = density_weights(points, radius=1.0), density_weights(points, radius=0.2)
    assert narrow.max() / narrow.min() > wide.max() / wide.min()
