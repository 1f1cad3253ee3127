"""Clouds of points, and the methods as they are written down."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def cloud(count: int, d: int = 16, seed: int = 0) -> npt.NDArray[np.float32]:
    """Unit vectors around eight centres."""
    draws = rng(seed)
    points = (
        draws.standard_normal((count, d)) + 2 * draws.standard_normal((8, d))[draws.integers(8, size=count)]
    )
    return np.asarray(points / np.linalg.norm(points, axis=1, keepdims=True), dtype=np.float32)


def farthest_by_hand(points: Array, n: int, first: Sequence[int], closed: Sequence[int] = ()) -> list[int]:
    """Farthest-point sampling in float64, all distances at every step."""
    exact = points.astype(np.float64)
    chosen = list(first)
    nearest = np.full(len(exact), np.inf)
    for centre in chosen:
        nearest = np.minimum(nearest, np.square(exact - exact[centre]).sum(axis=1))
    while len(chosen) < n:
        nearest[[*chosen, *closed]] = -1
        chosen.append(int(nearest.argmax()))
        nearest = np.minimum(nearest, np.square(exact - exact[chosen[-1]]).sum(axis=1))
    return chosen


def gaps(points: Array) -> npt.NDArray[np.float64]:
    """All pairwise distances by direct difference, shape (voices, voices)."""
    exact = points.astype(np.float64)
    return np.asarray(np.sqrt(np.square(exact[:, None] - exact).sum(axis=2)))
