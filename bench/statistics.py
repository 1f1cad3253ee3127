"""Measure bootstrap intervals and paired tests against scipy's.

Prints JSON lines; seconds are a cell's (a pair's). Ours are measured over all cells and divided by their
number, since they share their random weights; scipy works cell by cell and is measured over the first few.
`same_result`: for every cell that both computed, the ends of the interval (the p) are within three Monte
Carlo standard errors of the difference between two such runs.

- `bootstrap`: 30 cells × 6,000 items scored 0 or 1, 10,000 resamples, percentile intervals.
- `real-valued`: the same with scores of any value.
- `clustered`: the same with 3 trials an item, scores of any value, whole items drawn; `clustered, 0/1`.
- `paired`: the sign-flip test of two agents on 6,000 items scored 0 or 1 (ours is exact: McNemar's test), 30
  pairs; `paired, real-valued` with scores of any value, as many random signs on either side.

    python bench/statistics.py
    python bench/statistics.py --quick
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from math import exp, pi, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from voicebench.scoring.statistics import Interval

# A script's own folder comes first in its path, where this file hides the standard library's module: from
# itself, and from a script beside it that wants that module and gets it here.
sys.path[:] = [folder for folder in sys.path if folder != str(Path(__file__).resolve().parent)]
if __name__ == "statistics":
    del sys.modules[__name__]
    __import__(__name__)

Floats = npt.NDArray[np.float64]

CELLS = 30
ITEMS = 6_000
TRIALS = 3
RESAMPLES = 10_000
Z = 1.959964
# Rows that scipy draws at a time: of 100 to 10,000 the fastest, and far from filling the memory.
SCIPY_BATCH = 200


def binary(rng: np.random.Generator, n: int) -> list[Floats]:
    """Return cells of n scores of 0 and 1, each cell with another share, of shape (n,)."""
    return [(rng.random(n) < 0.3 + 0.015 * cell).astype(np.float64) for cell in range(CELLS)]


def real(rng: np.random.Generator, n: int) -> list[Floats]:
    """Return cells of n skewed scores between 0 and 1, of shape (n,)."""
    return [rng.beta(2, 1 + 0.1 * cell, n) for cell in range(CELLS)]


def seconds(work: Callable[[], Any], rounds: int) -> tuple[float, Any]:
    """Return the best round's seconds and the last result."""
    best, found = float("inf"), None
    for _ in range(rounds):
        start = time.perf_counter()
        found = work()
        best = min(best, time.perf_counter() - start)
    return best, found


def scipy_bootstrap(cell: Floats) -> tuple[float, float]:
    """Return scipy's interval of a mean."""
    from scipy.stats import bootstrap

    found = bootstrap((cell,), np.mean, n_resamples=RESAMPLES, method="percentile", batch=SCIPY_BATCH, rng=1)
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


def scipy_clustered(cell: Floats) -> tuple[float, float]:
    """Return scipy's interval of a mean whose trials are drawn by item."""
    from scipy.stats import bootstrap

    by_item = cell.reshape(ITEMS, TRIALS)
    data = (by_item.sum(axis=1), np.full(ITEMS, float(TRIALS)))
    found = bootstrap(
        data, ratio, paired=True, vectorized=True, n_resamples=RESAMPLES, method="percentile",
        batch=SCIPY_BATCH, rng=1,
    )  # fmt: skip
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


def ratio(sums: Floats, counts: Floats, axis: int = -1) -> Any:
    """Return the mean from sums and counts by item, of any shape with the items along `axis`."""
    return sums.sum(axis=axis) / counts.sum(axis=axis)


def scipy_paired(differences: Floats) -> float:
    """Return scipy's two-sided p of the sign-flip test."""
    from scipy.stats import permutation_test

    found = permutation_test(
        (differences,), np.mean, permutation_type="samples", vectorized=True, n_resamples=RESAMPLES,
        batch=SCIPY_BATCH, rng=1,
    )  # fmt: skip
    return float(found.pvalue)


def same_ends(ours: "Interval", theirs: tuple[float, float]) -> bool:
    """Tell whether two 95 % intervals differ by no more than chance, three standard errors at either end.

    The standard error of a quantile q of R draws is √(q(1 − q)/R) over the density there, taken as normal.
    """
    deviation = (theirs[1] - theirs[0]) / (2 * Z)
    density = exp(-Z * Z / 2) / sqrt(2 * pi) / deviation
    error = sqrt(0.025 * 0.975 / RESAMPLES) / density
    return max(abs(ours.low - theirs[0]), abs(ours.high - theirs[1])) <= 3 * sqrt(2) * error


def same_p(ours: float, theirs: float, *, exact: bool) -> bool:
    """Tell whether two p values differ by no more than chance, three standard errors; ours may be exact.

    scipy's is twice the share of one tail, with the variance 4 (p/2)(1 − p/2)/R; ours is both tails' share.
    """
    p = max(ours, 1 / RESAMPLES)
    variance = p * (2 - p) + (0 if exact else p * (1 - p))
    return abs(ours - theirs) <= 3 * sqrt(variance / RESAMPLES)


def race(
    case: str,
    goal: float,
    ours: Callable[[], Sequence[Any]],
    peer: Callable[[Floats], Any],
    cells: Sequence[Floats],
    same: Callable[[Any, Any], bool],
) -> None:
    """Print one comparison; a ratio above 1 means that ours is faster. `cells` are those the peer does."""
    ours_s, found = seconds(ours, rounds=5)
    peer_s, expected = seconds(lambda: [peer(cell) for cell in cells], rounds=1)
    per_cell, peer_per_cell = ours_s / len(found), peer_s / len(cells)
    agree = all(same(mine, theirs) for mine, theirs in zip(found, expected, strict=False))
    result = {
        "bench": "statistics",
        "case": case,
        "ours_s": float(f"{per_cell:.4g}"),
        "peer": "scipy",
        "peer_s": float(f"{peer_per_cell:.4g}"),
        "ratio": round(peer_per_cell / per_cell, 2),
        "same_result": agree,
        "goal": goal,
        "note": f"seconds a cell: ours of {len(found)} cells, scipy's of {len(cells)}",
    }
    print(json.dumps(result), flush=True)


def bootstrap_cases(peer_cells: int) -> None:
    """Race the intervals."""
    from voicebench.scoring.statistics import bootstrap_means

    rng = np.random.default_rng(7)
    for case, goal, cells in (("bootstrap", 100, binary(rng, ITEMS)), ("real-valued", 15, real(rng, ITEMS))):
        ours = partial(bootstrap_means, cells, resamples=RESAMPLES)
        race(case, goal, ours, scipy_bootstrap, cells[:peer_cells], same_ends)
    # The item of each trial, by name as in a file of scores.
    items = [f"parallel-hi-{number // TRIALS:04d}" for number in range(ITEMS * TRIALS)]
    for case, cells in (
        ("clustered", real(rng, ITEMS * TRIALS)),
        ("clustered, 0/1", binary(rng, ITEMS * TRIALS)),
    ):
        ours = partial(bootstrap_means, cells, [items] * CELLS, resamples=RESAMPLES)
        race(case, 15, ours, scipy_clustered, cells[:peer_cells], same_ends)


def paired_cases(peer_cells: int) -> None:
    """Race the paired tests."""
    from voicebench.scoring.paired import sign_flip

    rng = np.random.default_rng(8)
    # Both agents right at the same rate, so that p is no round number.
    twos = [a - b for a, b in zip(binary(rng, ITEMS), binary(rng, ITEMS), strict=True)]
    race(
        "paired", 100, lambda: [sign_flip(pair) for pair in twos], scipy_paired, twos[:peer_cells],
        partial(same_p, exact=True),
    )  # fmt: skip
    reals = [a - b for a, b in zip(real(rng, ITEMS), real(rng, ITEMS), strict=True)]
    race(
        "paired, real-valued", 100, lambda: [sign_flip(pair, resamples=RESAMPLES) for pair in reals],
        scipy_paired, reals[:peer_cells], partial(same_p, exact=False),
    )  # fmt: skip


def main() -> None:
    """Run all cases."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="scipy on one cell a case instead of three")
    peer_cells = 1 if parser.parse_args().quick else 3
    # Loaded before the clock runs.
    import scipy.stats  # noqa: F401

    bootstrap_cases(peer_cells)
    paired_cases(peer_cells)


if __name__ == "__main__":
    main()
