"""How different voices are from each other, and how well a choice covers those it was made from."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from voicebench.audio.speakers.accelerator import Accelerator
from voicebench.audio.speakers.pairs import sum_of_distances, upper_blocks
from voicebench.audio.speakers.points import Embeddings, prepare

_PRODUCTS = 1 << 20


def mean_pairwise_distance(embeddings: Embeddings, *, device: str | None = None) -> float | None:
    """Return the mean distance over all pairs, None for fewer than two voices.

    d = 2 / (N (N - 1)) sum_{i<j} |e_i - e_j|, in float32 with the sum in float64: right to about 1e-4 of
    the largest norm, and to 1e-6 where few voices coincide.

    Args:
        embeddings: Shape (voices, d).
        device: A torch device that computes it, or None for numpy.

    Raises:
        UserError: An embedding is not finite, or the device needs a package that is not installed.
    """
    points = prepare(embeddings)
    if len(points) < 2:
        return None
    total = sum_of_distances(points) if device is None else Accelerator(points, device).sum_of_distances()
    return 2 * total / (len(points) * (len(points) - 1)) * points.unit


def min_pairwise_distance(embeddings: Embeddings) -> float | None:
    """Return the distance of the two voices most alike, None for fewer than two voices.

    Pairs that float32 cannot tell from the closest are measured by direct difference in float64.

    Args:
        embeddings: Shape (voices, d).

    Raises:
        UserError: An embedding is not finite.
    """
    points = prepare(embeddings)
    if len(points) < 2:
        return None
    best = np.inf
    for block in upper_blocks(points, masked=np.inf):
        near = float(block.squared.min())
        if near - points.error > best:
            continue
        left, right = np.nonzero(block.squared <= min(near + 2 * points.error, best + points.error))
        exact = points.exact(left + block.rows.start, right + block.columns.start)
        best = min(best, float(exact.min(initial=np.inf)))
        if best == 0:
            break
    return float(np.sqrt(best)) * points.unit


@dataclass(frozen=True)
class Coverage:
    """How far candidates are from the nearest chosen voice.

    Attributes:
        mean_distance: Over all candidates, the chosen (at distance 0) among them.
        max_distance: That of the candidate worst served: the radius of the k-center problem.
    """

    mean_distance: float
    max_distance: float


def coverage(embeddings: Embeddings, chosen: Sequence[int]) -> Coverage | None:
    """Return how well `chosen` covers all voices; None where none is chosen.

    The nearest chosen voice is found in float32, its distance measured in float64.

    Args:
        embeddings: Shape (voices, d).
        chosen: Indices of the chosen voices.

    Raises:
        UserError: An embedding is not finite.
    """
    points = prepare(embeddings)
    if not len(chosen):
        return None
    centres = np.asarray(chosen, dtype=np.intp)
    towards = -2 * points.fast[centres].T
    nearest = np.empty(len(points), np.intp)
    step = max(1, _PRODUCTS // len(centres))
    for begin in range(0, len(points), step):
        part = slice(begin, begin + step)
        # |x|² is the same for all centres of a row.
        nearest[part] = centres[(points.fast[part] @ towards + points.squares[centres]).argmin(axis=1)]
    nearest[centres] = centres
    distances = np.sqrt(points.exact(np.arange(len(points)), nearest)) * points.unit
    return Coverage(float(distances.mean()), float(distances.max()))
