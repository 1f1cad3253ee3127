import numpy as np
import pytest

from tests.audio.speakers.helpers import cloud, gaps
from voicebench.audio.speakers import METHODS, compare
from voicebench.errors import UserError


def test_each_method_has_a_row_a_run_and_the_figures_of_its_choice() -> None:
    points = cloud(150)
    rows = compare(points, 8, runs=3, seed=1)
    assert [(row.method, row.run) for row in rows] == [
        (method, run) for method in METHODS for run in range(3)
    ]
    for row in rows:
        assert len(set(row.chosen)) == 8
        every = gaps(points[list(row.chosen)])[np.triu_indices(8, 1)]
        assert row.mean_distance == pytest.approx(every.mean(), abs=1e-6)
        assert row.min_distance == every.min()
        assert row.coverage_max == gaps(points)[:, list(row.chosen)].min(axis=1).max()


def test_farthest_points_cover_best_and_keep_apart_most() -> None:
    rows = compare(cloud(400), 12, ["farthest_point", "random"], runs=5)
    farthest, random = rows[:5], rows[5:]
    assert min(row.min_distance or 0 for row in farthest) > max(row.min_distance or 0 for row in random)
    assert max(row.coverage_max or 9 for row in farthest) < min(row.coverage_max or 0 for row in random)


def test_the_same_seed_gives_the_same_rows_and_another_seed_others() -> None:
    points = cloud(60)
    assert compare(points, 4, runs=2, seed=3) == compare(points, 4, runs=2, seed=3)
    assert compare(points, 4, ["random"], runs=1, seed=3) != compare(points, 4, ["random"], runs=1, seed=4)


def test_groups_keep_their_shares_in_every_run() -> None:
    groups = ["f", "m", "m", "m"] * 10
    for row in compare(cloud(40), 6, runs=2, groups=groups):
        assert sum(groups[voice] == "f" for voice in row.chosen) == 3


def test_one_chosen_voice_has_no_pairwise_distance() -> None:
    (row,) = compare(cloud(5), 1, ["random"], runs=1)
    assert row.mean_distance is row.min_distance is None
    assert row.coverage_mean is not None


def test_none_chosen_has_no_figures() -> None:
    (row,) = compare(cloud(5), 0, ["random"], runs=1)
    assert (row.chosen, row.coverage_mean, row.coverage_max) == ((), None, None)


def test_no_runs_are_the_users_mistake() -> None:
    with pytest.raises(UserError, match="cannot compare 0 runs"):
        compare(cloud(5), 2, runs=0)
