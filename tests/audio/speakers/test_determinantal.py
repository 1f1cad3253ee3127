from typing import Literal

import numpy as np
import pytest

from tests.audio.speakers.helpers import Array, cloud, gaps, rng
from voicebench.audio.speakers import Options, select
from voicebench.errors import UserError

Kernel = Literal["rbf", "cosine"]


def kernel_matrix(points: Array, kernel: str, width: float) -> Array:
    exact = points.astype(np.float64)
    if kernel == "cosine":
        unit = exact / np.linalg.norm(exact, axis=1, keepdims=True)
        return np.asarray(unit @ unit.T)
    squared = gaps(exact) ** 2
    mean = squared[np.triu_indices(len(exact), 1)].mean()
    return np.asarray(np.exp(-squared / (2 * width**2 * mean)))


def greedy_by_hand(matrix: Array, n: int, first: int) -> list[int]:
    """Add the voice with the largest determinant, computed anew for each."""
    chosen = [first]
    while len(chosen) < n:
        volumes = [
            -np.inf
            if voice in chosen
            else np.linalg.slogdet(matrix[np.ix_([*chosen, voice], [*chosen, voice])])[1]
            for voice in range(len(matrix))
        ]
        chosen.append(int(np.argmax(volumes)))
    return chosen


@pytest.mark.parametrize("kernel", ["rbf", "cosine"])
@pytest.mark.parametrize("width", [0.4, 1.0])
def test_each_voice_adds_the_largest_determinant(kernel: Kernel, width: float) -> None:
    points = cloud(60, d=12)
    chosen = select(points, 10, method="dpp", rng=rng(3), options=Options(kernel=kernel, width=width))
    assert chosen == greedy_by_hand(kernel_matrix(points, kernel, width), 10, chosen[0])


def test_the_first_voice_is_drawn() -> None:
    points = cloud(60)
    firsts = {select(points, 1, method="dpp", rng=rng(seed))[0] for seed in range(20)}
    assert len(firsts) > 5


def test_orthogonal_voices_are_chosen_before_their_copies() -> None:
    points = np.repeat(np.eye(5), 4, axis=0)
    for kernel in ("rbf", "cosine"):
        options = Options(kernel=kernel)
        chosen = select(points, 5, method="dpp", rng=rng(), options=options)
        assert sorted(voice // 4 for voice in chosen) == [0, 1, 2, 3, 4]


def test_a_cosine_kernel_cannot_choose_more_voices_than_dimensions() -> None:
    message = r"the cosine kernel tells only 8 voices apart, 9 are asked for.*the rbf kernel"
    with pytest.raises(UserError, match=message):
        select(cloud(100, d=8), 9, method="dpp", rng=rng(), options=Options(kernel="cosine"))
    assert len(select(cloud(100, d=8), 8, method="dpp", rng=rng(), options=Options(kernel="cosine"))) == 8
    assert len(select(cloud(100, d=8), 9, method="dpp", rng=rng())) == 9


def test_voices_in_a_plane_are_only_two_for_a_cosine_kernel() -> None:
    plane = np.outer(np.arange(1.0, 9.0), np.eye(4)[0]) + np.outer(np.ones(8), np.eye(4)[1])
    with pytest.raises(UserError, match="tells only 2 voices apart, 3 are asked for"):
        select(plane, 3, method="dpp", rng=rng(), options=Options(kernel="cosine"))


def test_copies_of_a_voice_add_nothing() -> None:
    with pytest.raises(UserError, match=r"the rbf kernel tells only 3 voices apart, 4 are asked for.*width"):
        select(np.repeat(np.eye(3), 5, axis=0), 4, method="dpp", rng=rng())
    with pytest.raises(UserError, match="tells only 1 voices apart"):
        select(np.ones((4, 2)), 2, method="dpp", rng=rng())


def test_a_voice_of_length_0_has_no_direction() -> None:
    points = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    chosen = select(points, 2, method="dpp", rng=rng(), options=Options(kernel="cosine"))
    assert sorted(chosen) == [1, 2]


def test_a_seed_that_others_make_up_stays_in_the_choice() -> None:
    points = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.7, 0.7]])
    options = Options(kernel="cosine")
    with pytest.raises(UserError, match="tells only 2 voices apart"):
        select(points, 3, method="dpp", rng=rng(), seeds=[0, 1], options=options)
    assert select(points, 3, method="dpp", rng=rng(), seeds=[0, 1]) == [0, 1, 2]


def test_the_choice_does_not_depend_on_the_length_of_voices_with_a_cosine_kernel() -> None:
    points = cloud(80, d=10)
    longer = points * rng(1).uniform(0.5, 2, (80, 1)).astype(np.float32)
    options = Options(kernel="cosine")
    assert select(points, 6, method="dpp", rng=rng(2), options=options) == select(
        longer, 6, method="dpp", rng=rng(2), options=options
    )


@pytest.mark.parametrize("width", [0.0, -1.0, float("nan")])
def test_a_width_that_is_none_is_the_users_mistake(width: float) -> None:
    with pytest.raises(UserError, match="Give a number above 0"):
        select(cloud(5), 2, method="dpp", rng=rng(), options=Options(width=width))


def test_an_unknown_kernel_is_the_users_mistake() -> None:
    with pytest.raises(UserError, match=r"unknown kernel 'linear'\. Known: rbf, cosine"):
        select(cloud(5), 2, method="dpp", rng=rng(), options=Options(kernel="linear"))  # type: ignore[arg-type]
