"""The device's code on torch's CPU; where torch is missing, only its error."""

import builtins
from typing import Any

import numpy as np
import pytest

from tests.audio.speakers.helpers import cloud, rng
from tests.audio.speakers.test_farthest import degenerate
from voicebench.audio.speakers import (
    Options,
    accelerator,
    farthest_point,
    mean_pairwise_distance,
    neighbour_counts,
    select,
)
from voicebench.errors import UserError


def test_without_torch_a_device_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    load = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "torch":
            raise ImportError(name)
        return load(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(UserError, match=r"device 'cuda:0' needs torch\. Run: pip install"):
        farthest_point(cloud(4), 2, rng=rng(), device="cuda:0")


def test_a_device_that_torch_does_not_know_is_the_users_mistake() -> None:
    pytest.importorskip("torch")
    with pytest.raises(UserError, match="torch cannot use device 'abacus'"):
        farthest_point(cloud(4), 2, rng=rng(), device="abacus")


def test_a_device_gives_the_same_choice_as_numpy() -> None:
    pytest.importorskip("torch")
    points = cloud(3000, d=24)
    want = farthest_point(points, 150, rng=rng(1))
    assert farthest_point(points, 150, rng=rng(1), device="cpu") == want


@pytest.mark.parametrize("name", degenerate())
def test_a_device_gives_the_same_order_for_degenerate_points(name: str) -> None:
    pytest.importorskip("torch")
    points = degenerate()[name]
    want = farthest_point(points, len(points), rng=rng(2))
    assert farthest_point(points, len(points), rng=rng(2), device="cpu") == want


@pytest.mark.parametrize("method", ["farthest_point", "density"])
def test_a_device_keeps_every_constraint(method: Any) -> None:
    pytest.importorskip("torch")
    asked: dict[str, Any] = {
        "groups": ["a", "b", "c"] * 40, "exclude": range(10), "seeds": [13, 100],
        "balance": {"a": 3, "b": 20, "c": 2},
    }  # fmt: skip
    want = select(cloud(120), 25, method=method, rng=rng(), **asked)
    got = select(cloud(120), 25, method=method, rng=rng(), options=Options(device="cpu"), **asked)
    assert got == want


def test_a_device_counts_the_same_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr(accelerator, "_BLOCK", 100)
    corners = np.repeat(np.eye(30, dtype=np.float32), 20, axis=0)
    assert neighbour_counts(corners, float(np.sqrt(2)), device="cpu").tolist() == [599] * 600
    points = cloud(950, d=5)
    assert np.array_equal(neighbour_counts(points, 0.8, device="cpu"), neighbour_counts(points, 0.8))


def test_a_device_finds_the_same_mean_distance(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr(accelerator, "_BLOCK", 100)
    points = cloud(950, d=5)
    assert mean_pairwise_distance(points, device="cpu") == pytest.approx(
        mean_pairwise_distance(points), abs=1e-6
    )


@pytest.mark.gpu
def test_a_gpu_gives_the_same_choice_as_numpy() -> None:
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    points = cloud(20_000, d=192)
    want = farthest_point(points, 300, rng=rng(1))
    assert farthest_point(points, 300, rng=rng(1), device="cuda:0") == want
    assert np.array_equal(neighbour_counts(points, 0.8, device="cuda:0"), neighbour_counts(points, 0.8))
