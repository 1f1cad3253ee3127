"""Choosing voices that differ: ours against plain numpy, and against scipy where it is installed.

    python bench/sampling.py [--quick]

Prints one JSON object a line: ours_s and peer_s are CPU seconds with one BLAS thread, ratio = peer ÷ ours;
for a choice also the overlap of the two sets. `--quick` measures fewer peers and leaves out 1e6 points.
Embeddings are synthetic: unit vectors of 192 dimensions around 200 centres.
"""

# BLAS reads its number of threads when numpy is imported.
# ruff: noqa: E402

import argparse
import json
import os
import time
from collections.abc import Callable
from typing import Any

for _threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_threads] = "1"

import numpy as np
import numpy.typing as npt

from voicebench.audio.speakers import farthest_point, mean_pairwise_distance

Floats = npt.NDArray[np.float32]
DIMENSIONS = 192
CENTRES = 200


def main() -> None:
    """Run the cases and print their lines."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="end within a minute on two cores")
    quick = parser.parse_args().quick
    choices = [("fps 1e4", 10_000, 1000), ("fps 1e5", 100_000, 1000)]
    if not quick:
        choices.append(("fps 1e6", 1_000_000, 100))
    for case, count, k in choices:
        choice(case, embeddings(count), k)
    mean_distance("mean distance 1e4", embeddings(10_000))


def choice(case: str, points: Floats, k: int) -> None:
    """Measure farthest-point sampling of k points against one matrix-vector product a step."""
    chosen, ours_s = timed(lambda: farthest_point(points, k, rng=np.random.default_rng(0), start=0))
    plain, peer_s = timed(lambda: plain_farthest_point(points, k))
    overlap = len(set(chosen) & set(plain)) / k
    line(case, ours_s, "numpy", peer_s, same_result=overlap == 1.0, k=k, overlap=overlap)


def mean_distance(case: str, points: Floats) -> None:
    """Measure the mean pairwise distance against blockwise numpy, and against scipy's pdist."""
    ours, ours_s = timed(lambda: mean_pairwise_distance(points))
    rows, peer_s = timed(lambda: plain_mean_distance(points))
    line(case, ours_s, "numpy", peer_s, same_result=_same(ours, rows), difference=abs((ours or 0.0) - rows))
    try:
        from scipy.spatial.distance import pdist
    except ImportError:
        return
    pairs, peer_s = timed(lambda: float(pdist(points).mean()))
    line(case, ours_s, "scipy", peer_s, same_result=_same(ours, pairs), difference=abs((ours or 0.0) - pairs))


def _same(ours: float | None, theirs: float) -> bool:
    return ours is not None and abs(ours - theirs) < 1e-5


def plain_farthest_point(points: Floats, k: int) -> list[int]:
    """Choose k points with numpy as one writes it down: all distances are updated at every step."""
    squares = (points * points).sum(axis=1)
    nearest = np.full(len(points), np.inf, np.float32)
    chosen = [0]
    while len(chosen) < k:
        last = chosen[-1]
        np.minimum(nearest, squares + squares[last] - 2 * (points @ points[last]), out=nearest)
        nearest[last] = -np.inf
        chosen.append(int(nearest.argmax()))
    return chosen


def plain_mean_distance(points: Floats) -> float:
    """Return the mean over all pairs, one row of differences after another."""
    total = 0.0
    for index in range(1, len(points)):
        total += float(np.linalg.norm(points[:index] - points[index], axis=1).sum(dtype=np.float64))
    return 2 * total / (len(points) * (len(points) - 1))


def embeddings(count: int) -> Floats:
    """Return unit vectors around some centres, shape (count, 192)."""
    rng = np.random.default_rng(0)
    centres = rng.standard_normal((CENTRES, DIMENSIONS), dtype=np.float32)
    points = rng.standard_normal((count, DIMENSIONS), dtype=np.float32)
    points *= np.float32(0.7)
    points += centres[rng.integers(CENTRES, size=count)]
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    return points


def timed(run: Callable[[], Any]) -> tuple[Any, float]:
    """Return what a call returns, and the CPU seconds it took."""
    started = time.process_time()
    result = run()
    return result, time.process_time() - started


def line(case: str, ours_s: float, peer: str, peer_s: float, *, same_result: bool, **more: float) -> None:
    """Print one result."""
    measured = {
        "bench": "sampling", "case": case, "ours_s": round(ours_s, 4), "peer": peer,
        "peer_s": round(peer_s, 4), "ratio": round(peer_s / ours_s, 2), "same_result": same_result,
    }  # fmt: skip
    print(json.dumps(measured | {name: round(value, 6) for name, value in more.items()}), flush=True)


if __name__ == "__main__":
    main()
