import builtins
from typing import Any

import numpy as np
import pytest

from tests.audio.speakers.helpers import cloud, gaps, rng
from voicebench.audio.speakers import project_2d
from voicebench.errors import UserError


def test_points_of_a_plane_keep_their_distances() -> None:
    flat = rng().standard_normal((30, 2))
    turned = flat @ np.linalg.qr(rng(1).standard_normal((5, 5)))[0][:2] + 3
    assert gaps(project_2d(turned)) == pytest.approx(gaps(flat), abs=1e-5)


def test_the_first_direction_is_that_of_the_largest_variance() -> None:
    points = rng().standard_normal((200, 3)) * [1.0, 9.0, 3.0]
    plane = project_2d(points)
    centred = points - points.mean(axis=0)
    assert abs(np.corrcoef(plane[:, 0], centred[:, 1])[0, 1]) > 0.99
    assert np.corrcoef(plane[:, 0], centred[:, 1])[0, 1] > 0
    assert np.corrcoef(plane[:, 1], centred[:, 2])[0, 1] > 0.95


@pytest.mark.parametrize("scale", [1.0, 1e20, 1e-20])
def test_the_variances_are_the_largest_two(scale: float) -> None:
    points = cloud(100) * scale
    values = np.linalg.eigvalsh(np.cov(points.astype(np.float64).T, bias=True))
    assert project_2d(points).var(axis=0) == pytest.approx(values[::-1][:2], rel=1e-5)


def test_the_same_points_lie_in_the_same_places() -> None:
    assert np.array_equal(project_2d(cloud(50)), project_2d(cloud(50)))


@pytest.mark.parametrize("shape", [(0, 4), (1, 4), (3, 1), (3, 0), (2, 2)])
def test_few_points_or_dimensions_have_a_place(shape: tuple[int, int]) -> None:
    plane = project_2d(np.ones(shape) * np.arange(shape[0])[:, None])
    assert plane.shape == (shape[0], 2)
    assert np.isfinite(plane).all()


def test_an_unknown_projection_is_the_users_mistake() -> None:
    with pytest.raises(UserError, match=r"unknown projection 'umap'\. Known: pca, tsne"):
        project_2d(cloud(9), method="umap")  # type: ignore[arg-type]


def test_t_sne_without_scikit_learn_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    load = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.startswith("sklearn"):
            raise ImportError(name)
        return load(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(UserError, match=r"t-SNE needs scikit-learn\. Run: pip install scikit-learn"):
        project_2d(cloud(9), method="tsne")


def test_t_sne_keeps_clusters_together() -> None:
    pytest.importorskip("sklearn")
    points = np.repeat(np.eye(3, 8), 10, axis=0) + 0.01 * rng().standard_normal((30, 8))
    plane = project_2d(points, method="tsne", seed=1)
    assert plane.shape == (30, 2)
    nearest = (gaps(plane) + np.diag(np.full(30, np.inf))).argmin(axis=1)
    assert (nearest // 10).tolist() == [0] * 10 + [1] * 10 + [2] * 10
    assert np.array_equal(plane, project_2d(points, method="tsne", seed=1))


def test_t_sne_of_four_points_is_their_pca() -> None:
    points = cloud(4)
    assert np.array_equal(project_2d(points, method="tsne"), project_2d(points))
