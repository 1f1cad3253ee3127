import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.audio.speakers.helpers import Array, cloud, gaps
from voicebench.audio.speakers import Coverage, coverage, mean_pairwise_distance, min_pairwise_distance
from voicebench.errors import UserError


def test_the_distances_of_a_unit_square_are_known() -> None:
    square = np.array([[0, 0], [1, 0], [0, 1], [1, 1]], float)
    assert mean_pairwise_distance(square) == pytest.approx((4 + 2 * np.sqrt(2)) / 6, abs=1e-6)
    assert min_pairwise_distance(square) == 1.0


def test_distances_over_several_blocks_are_those_of_all_pairs() -> None:
    points = cloud(1300, d=6)
    every = gaps(points)[np.triu_indices(1300, 1)]
    assert mean_pairwise_distance(points) == pytest.approx(every.mean(), abs=1e-6)
    assert min_pairwise_distance(points) == every.min()


def test_a_voice_that_is_there_twice_has_distance_0() -> None:
    points = cloud(1300, d=6)
    assert min_pairwise_distance(np.concatenate([points, points[:1]])) == 0.0


def test_two_close_voices_are_measured_exactly() -> None:
    points = np.array([[1.0, 0.0], [1.0, 1e-7], [0.0, 1.0]])
    assert min_pairwise_distance(points) == pytest.approx(1e-7, rel=1e-12)


@pytest.mark.parametrize("scale", [1e-160, 1e-30, 1e30, 1e150])
def test_distances_grow_with_the_embeddings(scale: float) -> None:
    points = cloud(50).astype(np.float64)
    every = gaps(points)[np.triu_indices(50, 1)]
    assert mean_pairwise_distance(scale * points) == pytest.approx(scale * every.mean(), rel=1e-6)
    assert min_pairwise_distance(scale * points) == pytest.approx(scale * every.min(), rel=1e-12)


def test_far_from_the_origin_distances_keep_their_digits() -> None:
    points = cloud(50).astype(np.float64)
    every = gaps(points)[np.triu_indices(50, 1)]
    assert mean_pairwise_distance(points + 1e5) == pytest.approx(every.mean(), rel=1e-6)


@settings(max_examples=60, deadline=None)
@given(
    arrays(np.float64, st.tuples(st.integers(2, 30), st.integers(1, 4)), elements=st.floats(-9, 9, width=16))
)
def test_the_closest_pair_is_that_of_all_pairs(points: Array) -> None:
    assert min_pairwise_distance(points) == gaps(points)[np.triu_indices(len(points), 1)].min()


def test_one_voice_has_no_distance() -> None:
    assert mean_pairwise_distance(np.eye(1)) is None
    assert min_pairwise_distance(np.zeros((0, 4))) is None


def test_coverage_is_the_distance_to_the_nearest_chosen_voice() -> None:
    line = np.array([[0.0], [1.0], [2.0], [10.0]])
    assert coverage(line, [0, 3]) == Coverage(mean_distance=0.75, max_distance=2.0)
    assert coverage(line, [0, 1, 2, 3]) == Coverage(0.0, 0.0)


def test_coverage_of_many_is_that_of_all_pairs() -> None:
    points, chosen = cloud(3000), [5, 900, 2999]
    nearest = gaps(points[:1000])[:, [5, 900]].min(axis=1)
    found = coverage(points[:1000], [5, 900])
    assert found is not None
    assert found.max_distance == nearest.max()
    assert found.mean_distance == pytest.approx(nearest.mean(), rel=1e-12)
    wider = coverage(points, chosen)
    assert wider is not None and wider.mean_distance > 0


def test_nothing_covers_nothing() -> None:
    assert coverage(cloud(4), []) is None


def test_distances_of_what_is_not_finite_are_refused() -> None:
    broken = np.array([[np.inf, 0.0], [0.0, 0.0]], np.float32)
    with pytest.raises(UserError, match="not finite"):
        mean_pairwise_distance(broken)
    with pytest.raises(UserError, match="not finite"):
        min_pairwise_distance(broken)
