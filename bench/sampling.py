"""Choosing voices that differ: ours against plain numpy, and against packages where they are installed.

    python bench/sampling.py [--quick]

Prints one JSON object a line: ours_s and peer_s are CPU seconds with one BLAS thread, ratio = peer ÷ ours;
for a choice also the overlap of the two sets. A peer that is not installed has no line. `--quick` leaves out
1e6 points, the determinantal process and the slower peers. Embeddings are synthetic: unit vectors of 192
dimensions around 200 centres.
"""

# BLAS reads its number of threads when numpy is imported.
# ruff: noqa: E402

import argparse
import json
import os
import time
import tracemalloc
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

for _threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_threads] = "1"

import numpy as np
import numpy.typing as npt

from voicebench.audio.speakers import (
    Options,
    farthest_point,
    mean_pairwise_distance,
    neighbour_counts,
    select,
)

Floats = npt.NDArray[np.float32]
DIMENSIONS = 192
CENTRES = 200


def main() -> None:
    """Run the cases and print their lines."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="end within two minutes on two cores")
    quick = parser.parse_args().quick
    warm_up()
    points = embeddings(10_000)
    choice("fps 1e4", points, 1000, others=not quick)
    density("density 1e4", points)
    mean_distance("mean distance 1e4", points, quick=quick)
    points = embeddings(100_000)
    choice("fps 1e5", points, 1000, others=not quick)
    if quick:
        return
    determinantal("dpp 1e5", points, 200)
    points = embeddings(1_000_000)
    memory("fps 1e6 memory", points, 1000)
    choice("fps 1e6", points, 1000, others=False, quickfps=False)


def warm_up() -> None:
    """Load what the first call of each function loads."""
    few = embeddings(2000)
    farthest_point(few, 20, rng=np.random.default_rng(0), start=0)
    mean_pairwise_distance(few)
    neighbour_counts(few, 1.0)


def choice(case: str, points: Floats, k: int, *, others: bool, quickfps: bool = True) -> None:
    """Measure farthest-point sampling of k points against all distances at every step, and packages."""
    chosen, ours_s = timed(lambda: farthest_point(points, k, rng=np.random.default_rng(0), start=0))
    peers: dict[str, Callable[[], list[int]]] = {"numpy": lambda: plain_farthest_point(points, k)}
    if quickfps and find_spec("torch_quickfps"):
        peers["quickfps"] = quickfps_choice(points, k)
    if others and find_spec("fpsample"):
        peers["fpsample"] = fpsample_choice(points, k)
    for peer, choose in peers.items():
        theirs, peer_s = timed(choose)
        overlap = len(set(chosen) & set(theirs)) / k
        line(case, ours_s, peer, peer_s, same_result=overlap == 1.0, k=k, overlap=overlap)


def quickfps_choice(points: Floats, k: int) -> Callable[[], list[int]]:
    """Return a call of torch-quickfps, its import and the copy to a tensor done."""
    import torch
    import torch_quickfps

    torch.set_num_threads(1)
    tensor = torch.from_numpy(points)[None]
    return lambda: list(torch_quickfps.sample_idx(tensor, k, start_idx=0)[0].tolist())


def fpsample_choice(points: Floats, k: int) -> Callable[[], list[int]]:
    """Return a call of fpsample's exact sampling; its bucket trees end at 8 dimensions."""
    import fpsample

    return lambda: list(map(int, fpsample.fps_sampling(points, k, start_idx=0)))


def memory(case: str, points: Floats, k: int) -> None:
    """Measure the most memory that farthest-point sampling holds, the embeddings included."""
    tracemalloc.start()
    farthest_point(points, k, rng=np.random.default_rng(0), start=0)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    measured = {"ours_mb": round((points.nbytes + peak) / 1e6), "limit_mb": 2000}
    print(json.dumps({"bench": "sampling", "case": case, "peer": None} | measured | {"k": k}), flush=True)


def density(case: str, points: Floats) -> None:
    """Measure the counts of neighbours against scikit-learn's radius search.

    Its time is that in float32, where it counts a few pairs at the rim wrongly (`different`), its result that
    in float64.
    """
    radius = mean_pairwise_distance(points) or 0.0
    ours, ours_s = timed(lambda: neighbour_counts(points, radius))
    if not find_spec("sklearn"):
        return
    from sklearn.neighbors import NearestNeighbors

    def search(voices: npt.NDArray[np.floating]) -> npt.NDArray[np.intp]:
        index = NearestNeighbors(radius=radius, algorithm="brute").fit(voices)
        found = index.radius_neighbors(voices, return_distance=False)
        return np.array([len(neighbours) - 1 for neighbours in found])

    theirs, peer_s = timed(lambda: search(points))
    same = np.array_equal(ours, search(points.astype(np.float64)))
    line(case, ours_s, "sklearn", peer_s, same_result=same, different=int((ours != theirs).sum()))


def determinantal(case: str, points: Floats, k: int) -> None:
    """Measure a greedy DPP against the same with all gains at every step."""
    options = Options(kernel="rbf")
    chosen, ours_s = timed(
        lambda: select(points, k, method="dpp", rng=np.random.default_rng(0), options=options)
    )
    plain, peer_s = timed(lambda: plain_determinantal(points, k, chosen[0]))
    overlap = len(set(chosen) & set(plain)) / k
    line(case, ours_s, "numpy", peer_s, same_result=overlap == 1.0, k=k, overlap=overlap)


def mean_distance(case: str, points: Floats, *, quick: bool) -> None:
    """Measure the mean pairwise distance against scipy's pdist, and against row after row in numpy."""
    ours, ours_s = timed(lambda: mean_pairwise_distance(points))
    peers: dict[str, Callable[[], float]] = {}
    if find_spec("scipy"):
        from scipy.spatial.distance import pdist

        peers["scipy"] = lambda: float(pdist(points).mean())
    if not quick or not peers:
        peers["numpy"] = lambda: plain_mean_distance(points)
    for peer, measure in peers.items():
        theirs, peer_s = timed(measure)
        difference = abs((ours or 0.0) - theirs)
        line(case, ours_s, peer, peer_s, same_result=difference < 1e-5, difference=difference)


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


def plain_determinantal(points: Floats, k: int, first: int) -> list[int]:
    """Add the largest determinant k times (Chen et al. 2018), the gains of all points at every step."""
    squares = np.square(points, dtype=np.float64).sum(axis=1)
    spread = squares.mean() - np.square(points.mean(axis=0, dtype=np.float64)).sum()
    scale = 4 * spread * len(points) / (len(points) - 1)
    gains = np.ones(len(points))
    factor = np.empty((k, len(points)))
    chosen = [first]
    for rank in range(k - 1):
        last = chosen[-1]
        column = np.exp(-(squares + squares[last] - 2 * (points @ points[last])) / scale)
        column = (column - factor[:rank, last] @ factor[:rank]) / np.sqrt(gains[last])
        factor[rank] = column
        gains -= column**2
        gains[chosen] = -1
        chosen.append(int(gains.argmax()))
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
