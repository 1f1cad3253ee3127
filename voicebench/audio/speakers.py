"""Choose the n voices least alike: diversity sampling on speaker embeddings, and how diverse a choice is.

All functions take embeddings of shape (voices, d) and measure Euclidean distance; on unit vectors that is
sqrt(2 - 2 cosine), between 0 and 2.
"""

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from voicebench.errors import UserError

Embeddings = npt.NDArray[np.floating]
Floats = npt.NDArray[np.float32]
D = TypeVar("D", bound=np.floating)
Indices = npt.NDArray[np.intp]

# Points whose distances are kept exact at every step; they and their embeddings stay in the cache.
_POOL = 1024
# Points that are brought up to date at once when the pool no longer holds the farthest: this many pools, or
# this share of all points.
_REFRESHED_POOLS = 4
_REFRESHED_SHARE = 8
_BLOCK = 2048
# Relative to the largest squared norm: below this, float32 cannot tell two squared distances apart.
_TIE = 1e-6


def farthest_point(
    embeddings: Embeddings, n: int, *, rng: np.random.Generator, start: int | None = None
) -> list[int]:
    """Return n voices, each the farthest from those before it (Gonzalez 1985, greedy k-center).

    The next voice is argmax_i min_{j in S} |e_i - e_j|, computed in float32; where distances agree to
    float32's precision, the lowest index wins. The largest distance of any voice to the choice is at most
    twice the best possible one.

    Exact, but lazy: a distance to the choice can only shrink, so an old one is an upper bound. Only a pool of
    the largest is updated at every step, and the others when the pool's maximum falls to their bounds, in one
    matrix product with all voices chosen since.

    Args:
        embeddings: Shape (voices, d).
        n: How many to choose.
        rng: Draws the first voice.
        start: The first voice, instead of a drawn one.

    Returns:
        Indices in the order of choice.

    Raises:
        UserError: n is negative or more than there are, `start` is no voice, or an embedding is not finite.
    """
    points = _checked(embeddings, np.float32)
    if not 0 <= n <= len(points):
        raise UserError(f"cannot choose {n} of {len(points)} voices. Ask for fewer, or add voices")
    if n == 0:
        return []
    first = int(rng.integers(len(points))) if start is None else start
    if not 0 <= first < len(points):
        raise UserError(f"voice {first} is none of the {len(points)} voices (0 to {len(points) - 1})")
    return _Choice(points, n, first).complete()


def mean_pairwise_distance(embeddings: Embeddings) -> float | None:
    """Return the mean distance over all pairs, None for fewer than two voices.

    In float32 with the sum in float64: right to about 1e-4 of the largest norm.
    """
    points = _checked(embeddings, np.float32)
    if len(points) < 2:
        return None
    squares = _squared_norms(points)
    total = 0.0
    for row in range(0, len(points), _BLOCK):
        rows = slice(row, row + _BLOCK)
        for column in range(row, len(points), _BLOCK):
            columns = slice(column, column + _BLOCK)
            squared = points[rows] @ points[columns].T
            squared *= -2
            squared += squares[rows, None]
            squared += squares[columns]
            np.maximum(squared, 0, out=squared)
            if row == column:
                np.fill_diagonal(squared, 0)
            total += float(np.sqrt(squared, out=squared).sum(dtype=np.float64)) * (1 if row == column else 2)
    return total / (len(points) * (len(points) - 1))


def min_pairwise_distance(embeddings: Embeddings) -> float | None:
    """Return the distance of the two voices most alike, None for fewer than two voices."""
    points = _checked(embeddings, np.float64)
    if len(points) < 2:
        return None
    squares = np.einsum("ij,ij->i", points, points)
    best = np.inf
    for row in range(0, len(points), _BLOCK):
        rows = slice(row, row + _BLOCK)
        squared = squares[rows, None] + squares - 2 * (points[rows] @ points.T)
        squared[np.arange(squared.shape[0]), np.arange(row, row + squared.shape[0])] = np.inf
        # The expanded square loses digits where points are close, so the closest pair is measured directly.
        i, j = np.unravel_index(squared.argmin(), squared.shape)
        best = min(best, float(np.linalg.norm(points[row + i] - points[j])))
    return best


class _Choice:
    """The state of one farthest-point run: bounds on squared distances, and when each was last exact."""

    def __init__(self, points: Floats, n: int, first: int) -> None:
        self.points = points
        self.n = n
        self.squares = _squared_norms(points)
        self.tie = float(_TIE * self.squares.max())
        self.chosen: list[int] = []
        self.centres = np.empty((n, points.shape[1]), np.float32)
        self.bounds = np.full(len(points), np.inf, np.float32)
        # How many of the chosen voices each bound accounts for.
        self.known = np.zeros(len(points), np.intp)
        self._choose(first)

    def complete(self) -> list[int]:
        """Choose until there are n."""
        while len(self.chosen) < self.n:
            self._choose_from(self._fresh_pool())
        return self.chosen

    def _choose(self, voice: int) -> None:
        self.centres[len(self.chosen)] = self.points[voice]
        self.chosen.append(voice)
        self.bounds[voice] = -np.inf

    def _fresh_pool(self) -> Indices:
        """Bring the largest bounds up to date; return, in order of index, those that matter now."""
        refreshed = max(_REFRESHED_POOLS * _POOL, len(self.points) // _REFRESHED_SHARE)
        self._refresh(_largest(self.bounds, min(refreshed, len(self.points))))
        while True:
            top = self.bounds[self.known == len(self.chosen)].max()
            stale = np.flatnonzero((self.bounds >= top - self.tie) & (self.known < len(self.chosen)))
            if not len(stale):
                break
            self._refresh(stale)
        fresh = np.flatnonzero(self.known == len(self.chosen))
        pool = fresh[_largest(self.bounds[fresh], min(_POOL, len(fresh)))]
        # Voices that tie with the farthest belong to the pool, however many they are.
        return np.union1d(pool, fresh[self.bounds[fresh] >= top - self.tie])

    def _choose_from(self, pool: Indices) -> None:
        """Choose as long as the farthest voice of all is certainly in the pool."""
        others = self.bounds.copy()
        others[pool] = -np.inf
        outside = float(others.max())
        points, squares, distances = self.points[pool], self.squares[pool], self.bounds[pool]
        certain = True
        while certain and len(self.chosen) < self.n:
            at = int((distances >= distances.max() - self.tie).argmax())
            voice = int(pool[at])
            self._choose(voice)
            update = points @ self.points[voice]
            update *= -2
            update += squares
            update += self.squares[voice]
            np.minimum(distances, update, out=distances)
            distances[at] = -np.inf
            certain = float(distances.max()) - self.tie > outside
        self.bounds[pool] = distances
        self.known[pool] = len(self.chosen)

    def _refresh(self, rows: Indices) -> None:
        """Make the bounds of rows exact: one matrix product for all that miss the same chosen voices."""
        now = len(self.chosen)
        for since in np.unique(self.known[rows]):
            if since == now:
                continue
            behind = rows[self.known[rows] == since]
            centres = self.centres[since:now]
            norms = _squared_norms(centres)
            for begin in range(0, len(behind), _BLOCK):
                part = behind[begin : begin + _BLOCK]
                products = self.points[part] @ centres.T
                products *= -2
                products += norms
                nearest = products.min(axis=1) + self.squares[part]
                # A chosen voice's bound is -inf and stays it.
                self.bounds[part] = np.minimum(self.bounds[part], nearest)
        self.known[rows] = now


def _largest(values: Floats, count: int) -> Indices:
    """Return the positions of the `count` largest values, in no order."""
    if count == len(values):
        return np.arange(count)
    return np.argpartition(values, len(values) - count)[len(values) - count :]


def _squared_norms(points: Floats) -> Floats:
    return np.asarray(np.einsum("ij,ij->i", points, points), dtype=np.float32)


def _checked(embeddings: Embeddings, dtype: type[D]) -> npt.NDArray[D]:
    if embeddings.ndim != 2:
        raise ValueError(f"embeddings have shape (voices, d), not {embeddings.shape}")
    points = np.ascontiguousarray(embeddings, dtype=dtype)
    if not np.isfinite(points).all():
        raise UserError("an embedding holds values that are not finite. Embed the voices again")
    return points
