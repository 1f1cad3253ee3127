"""Embeddings made ready for distances: checked, and with a float32 copy that keeps its digits.

Distances are found fast in float32, as |x|² + |y|² - 2 x·y in matrix products, and wherever float32 cannot
decide, again by direct difference in float64. So what is chosen and counted depends on no block size, BLAS
or device.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from voicebench.errors import UserError

Embeddings = npt.NDArray[np.floating]
Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]

# Squared norms within these bounds need no scaling.
_LEAST, _MOST = 0.25, 4.0
# The mean is subtracted where its square is this many times the spread around it.
_FAR = 8.0
_SAMPLED = 1024
# Numbers below two to this power and above its inverse need no scaling before the mean is known.
_USUAL = 32
_BLOCK = 8192
# Rows times dimensions of one float64 difference.
_DIRECT = 1 << 21


@dataclass(frozen=True, eq=False)
class Points:
    """Embeddings for fast distances and for exact ones.

    Attributes:
        given: The embeddings, shape (voices, d).
        fast: The embeddings in float32, shape (voices, d), moved and scaled where that keeps digits.
        squares: The squared norms of `fast`, shape (voices,), none much above 4.
        exponents: Powers of two: distances of `fast` are those of `given` times 2**sum(exponents).
        error: How far a squared distance in float32 can be from the true one, in units of `fast`.
    """

    given: Embeddings
    fast: Floats
    squares: Floats
    exponents: tuple[int, int]
    error: float

    def __len__(self) -> int:
        return len(self.given)

    @property
    def unit(self) -> float:
        """What a distance in `fast` has to be multiplied with to be one of the embeddings."""
        return float(np.ldexp(1.0, -sum(self.exponents)))

    def exact(self, left: Indices, right: Indices) -> Doubles:
        """Return the squared distances of pairs by direct difference, in units of `fast`, shape (pairs,).

        Args:
            left: One voice of each pair, shape (pairs,).
            right: The other, shape (pairs,).
        """
        squared = np.empty(len(left))
        step = max(1, _DIRECT // max(1, self.given.shape[1]))
        for begin in range(0, len(left), step):
            part = slice(begin, begin + step)
            gaps = _scaled(self.given[left[part]], self.exponents[0])
            gaps -= _scaled(self.given[right[part]], self.exponents[0])
            if self.exponents[1]:
                gaps *= 2.0 ** self.exponents[1]
            # The same sum in the same order for every pair, so that equal voices are equally far.
            squared[part] = np.square(gaps, out=gaps).sum(axis=1)
        return squared


def prepare(embeddings: Embeddings) -> Points:
    """Return embeddings of shape (voices, d) made ready; unit vectors in float32 are not copied.

    Raises:
        ValueError: The array has another shape.
        UserError: An embedding is not finite.
    """
    if embeddings.ndim != 2:
        raise ValueError(f"embeddings have shape (voices, d), not {embeddings.shape}")
    given = embeddings if np.issubdtype(embeddings.dtype, np.floating) else embeddings.astype(np.float64)
    given = np.ascontiguousarray(given)
    if given.dtype == np.float32 and given.size:
        fast = given.astype(np.float32, copy=False)
        with np.errstate(over="ignore", invalid="ignore"):
            squares = squared_norms(fast)
        largest = float(squares.max())
        if _LEAST <= largest <= _MOST and not _is_far(fast):
            return Points(given, fast, squares, (0, 0), _error(largest, given.shape[1]))
    if not all(np.isfinite(given[rows]).all() for rows in _blocks(len(given))):
        raise UserError("an embedding holds values that are not finite. Embed the voices again")
    return _moved(given)


def squared_norms(points: Floats) -> Floats:
    """Return the squared length of each row: from shape (rows, d) to shape (rows,)."""
    return np.asarray(np.einsum("ij,ij->i", points, points), dtype=np.float32)


def _is_far(points: Floats) -> bool:
    """Return whether the points lie so far from the origin that float32 squares would lose their gaps."""
    sample = points[:: max(1, len(points) // _SAMPLED)].astype(np.float64)
    mean = np.square(sample.mean(axis=0)).sum()
    return bool(mean > _FAR * (np.square(sample).sum(axis=1).mean() - mean))


def _moved(given: Embeddings) -> Points:
    """Move the mean to the origin and scale the longest to a norm of at most 1, by powers of two."""
    count, d = given.shape
    fast = np.zeros((count, d), np.float32)
    if fast.size == 0:
        return Points(given, fast, np.zeros(count, np.float32), (0, 0), 0.0)
    first = _exponent(max(float(np.abs(given[rows]).max()) for rows in _blocks(count)))
    if abs(first) < _USUAL:
        first = 0
    mean = sum(_scaled(given[rows], first).sum(axis=0) for rows in _blocks(count)) / count
    for rows in _blocks(count):
        fast[rows] = _scaled(given[rows], first) - mean
    second = _exponent(float(np.abs(fast).max()) * float(np.sqrt(d)))
    fast *= np.float32(2.0**second)
    squares = squared_norms(fast)
    return Points(given, fast, squares, (first, second), _error(float(squares.max()), d))


def _scaled(rows: Embeddings, exponent: int) -> Doubles:
    scaled = rows.astype(np.float64)
    if exponent:
        scaled *= 2.0**exponent
    return scaled


def _exponent(length: float) -> int:
    """Return the power of two that brings a length to between 1/2 and 1, or as near as doubles can."""
    return max(-1024, min(1000, -int(np.frexp(length)[1])))


def _error(largest_square: float, d: int) -> float:
    """Return the bound of |fast - true| for a squared distance.

    A product of d terms is off by about sqrt(d) units in the last place (Higham & Mary 2019, with a factor of
    safety), relative to the product of the norms; |x|² + |y|² + 2 |x| |y| is at most four largest squares.
    """
    return float(4 * largest_square * np.finfo(np.float32).eps * (2 + np.sqrt(d) / 2))


def _blocks(count: int) -> Iterator[slice]:
    return (slice(begin, begin + _BLOCK) for begin in range(0, count, _BLOCK))
