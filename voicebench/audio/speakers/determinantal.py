"""A determinantal point process: voices that span as large a volume as they can."""

from typing import Literal, get_args

import numpy as np

from voicebench.audio.speakers.lazy import LazyGreedy
from voicebench.audio.speakers.points import Doubles, Embeddings, Indices, Points, prepare
from voicebench.audio.speakers.quotas import Seats
from voicebench.errors import UserError

Kernel = Literal["rbf", "cosine"]
# A voice that gains less is, to the digits of the kernel, a mixture of those chosen.
_NOTHING = 1e-6
_TIE = 1e-9
# Kernel entries in one matrix product.
_PRODUCTS = 1 << 18


def choose_determinantal(
    embeddings: Embeddings,
    seats: Seats,
    *,
    rng: np.random.Generator,
    kernel: Kernel = "rbf",
    width: float = 1.0,
) -> list[int]:
    """Choose greedily the most probable set of a k-DPP, within quotas and after the seeds.

    A k-DPP gives a set S a probability in proportion to det(L_S) (Kulesza & Taskar 2012); greedy MAP adds
    argmax_i det(L_{S+i}) / det(L_S), one voice after another. The kernels, both with L_ii = 1, so that all
    voices gain the same at first and the first is drawn:

    - "rbf": exp(-|e_i - e_j|² / (2 (w s)²)), s the root mean square distance over all pairs;
    - "cosine": e_i·e_j / (|e_i| |e_j|), of rank at most d: it cannot choose more than d voices.

    Gains that differ by less than 1e-9 are a tie, which the lowest index wins.

    Args:
        embeddings: Shape (voices, d).
        seats: How many are chosen from where.
        rng: Draws the first voice where there are no seeds.
        kernel: "rbf" or "cosine".
        width: w; a smaller one looks at near voices only.

    Returns:
        Indices in the order of choice, seeds first.

    Raises:
        UserError: The kernel tells fewer voices apart than are asked for, it is unknown, the width is not
            above 0, or an embedding is not finite.
    """
    if kernel not in get_args(Kernel):
        raise UserError(f"unknown kernel {kernel!r}. Known: {', '.join(get_args(Kernel))}")
    if not (np.isfinite(width) and width > 0):
        raise UserError(f"a kernel of width {width} is none. Give a number above 0")
    if kernel == "cosine" and seats.n > embeddings.shape[1]:
        raise _too_many(embeddings.shape[1], seats.n, kernel)
    entries = _Rbf(embeddings, width) if kernel == "rbf" else _Cosine(embeddings)
    try:
        return _Volume(entries, seats).run(rng)
    except _Exhausted as end:
        raise _too_many(end.rank, seats.n, kernel) from None


class _Exhausted(Exception):
    def __init__(self, rank: int) -> None:
        super().__init__(rank)
        self.rank = rank


class _Cosine:
    """L_ij = cos(e_i, e_j); a voice of length 0 has no direction and L_ii = 0."""

    def __init__(self, embeddings: Embeddings) -> None:
        # Only the direction counts, so a power of two more or less in the length does not.
        points = prepare(embeddings).given.astype(np.float64)
        points /= np.abs(points).max(axis=1, initial=0, keepdims=True) + (points == 0).all(
            axis=1, keepdims=True
        )
        norms = np.linalg.norm(points, axis=1, keepdims=True)
        self._points = (points / np.where(norms > 0, norms, 1)).astype(np.float32)
        self.diagonal = (norms[:, 0] > 0).astype(np.float64)

    def between(self, rows: Indices, columns: Indices) -> Doubles:
        return np.asarray(self._points[rows] @ self._points[columns].T, dtype=np.float64)


class _Rbf:
    """L_ij = exp(-|e_i - e_j|² / (2 (w s)²)); where all voices coincide, s = 0 and L_ij = 1."""

    def __init__(self, embeddings: Embeddings, width: float) -> None:
        points = prepare(embeddings)
        self._points, self._squares = points.fast, points.squares
        self._scale = 2 * width**2 * _mean_squared_distance(points) or 1.0
        self.diagonal = np.ones(len(points))

    def between(self, rows: Indices, columns: Indices) -> Doubles:
        squared = -2 * (self._points[rows] @ self._points[columns].T)
        squared += self._squares[rows, None]
        squared += self._squares[columns]
        np.maximum(squared, 0, out=squared)
        return np.asarray(np.exp(squared / -self._scale, dtype=np.float64))


def _mean_squared_distance(points: Points) -> float:
    """Return the mean of |x - y|² over all pairs: 2 N / (N - 1) times the variance."""
    count = len(points)
    if count < 2:
        return 0.0
    mean = points.fast.sum(axis=0, dtype=np.float64) / count
    variance = points.squares.mean(dtype=np.float64) - np.square(mean).sum()
    return float(2 * count / (count - 1) * max(variance, 0.0))


class _Volume(LazyGreedy):
    """The gain of a voice is what it multiplies the volume with: g_i = det(L_{S+i}) / det(L_S).

    With L_S = V Vᵀ (Cholesky), g_i = L_ii - |c_i|² where V c_i = L_{S,i}. After j was chosen, c_i grows by
    one number, (L_ij - c_i·c_j) / sqrt(g_j): Chen, Zhang & Zhou 2018, "Fast greedy MAP inference for
    determinantal point process to improve recommendation diversity". The kernel is never made, only columns
    of chosen voices; the rows c are its low-rank factor, 8 n N bytes (160 MB for 200 of 1e5 voices).
    """

    def __init__(self, kernel: _Rbf | _Cosine, seats: Seats) -> None:
        super().__init__(seats, kernel.diagonal.copy(), tie=_TIE)
        self.kernel = kernel
        self.factor = np.zeros((len(kernel.diagonal), seats.n))
        self.cholesky = np.zeros((seats.n, seats.n))
        # That of V; the inverse of a block at V's end is the block there.
        self.inverse = np.zeros((seats.n, seats.n))
        self.rank = 0
        # Seeds that other seeds make up: they take nothing from anybody.
        self.idle = np.zeros(seats.n, bool)

    def extend(self, row: Doubles, gain: float) -> None:
        """Add the voice with this row of the factor, shape (n,), and this gain to V."""
        rank = self.rank
        self.idle[rank] = gain <= _NOTHING
        before = np.zeros(rank) if self.idle[rank] else row[:rank]
        length = 1.0 if self.idle[rank] else np.sqrt(gain)
        self.cholesky[rank, :rank], self.cholesky[rank, rank] = before, length
        self.inverse[rank, :rank] = before @ self.inverse[:rank, :rank] / -length
        self.inverse[rank, rank] = 1 / length
        self.rank += 1

    def admit(self, voice: int) -> None:
        """Add a seed or the first voice to V."""
        self.extend(self.factor[voice], float(self.bounds[voice]))

    def fresh_gains(self, rows: Indices, since: int) -> Doubles:
        """Return the gains of rows, shape (rows,), and complete their rows of the factor.

        The new columns X solve V_new Xᵀ = (L - C_old V_oldᵀ)ᵀ, so they come out of two matrix products.
        """
        now = len(self.chosen)
        centres = np.array(self.chosen[since:])
        old = self.cholesky[since:now, :since].T
        inverse = self.inverse[since:now, since:now].T
        gains = np.empty(len(rows))
        step = max(256, min(4096, _PRODUCTS // len(centres)))
        for begin in range(0, len(rows), step):
            part = rows[begin : begin + step]
            missing = self.kernel.between(part, centres)
            missing -= self.factor[part, :since] @ old
            missing[:, self.idle[since:now]] = 0
            added = missing @ inverse
            self.factor[part, since:now] = added
            gains[begin : begin + step] = self.bounds[part] - np.square(added).sum(axis=1)
        return gains

    def pool(self, rows: Indices) -> "_Pool":
        """Return a pool of rows, shape (rows,)."""
        return _Pool(self, rows)

    def best(self, candidates: Indices, gain: float) -> int:
        """Return the first: all gain the same.

        Raises:
            _Exhausted: They gain nothing.
        """
        if gain <= _NOTHING:
            raise _Exhausted(self.rank - int(self.idle.sum()))
        return 0


class _Pool:
    def __init__(self, volume: _Volume, rows: Indices) -> None:
        self.gains = volume.bounds[rows]
        self._volume = volume
        self._rows = rows
        self._begin = volume.rank
        self._factor = volume.factor[rows]

    def follow(self, voice: int, at: int) -> None:
        volume, rank = self._volume, self._volume.rank
        volume.extend(self._factor[at], float(self.gains[at]))
        column = volume.kernel.between(self._rows, np.array([voice]))[:, 0]
        column -= self._factor[:, :rank] @ self._factor[at, :rank]
        column /= volume.cholesky[rank, rank]
        self._factor[:, rank] = column
        self.gains -= np.square(column, out=column)

    def close(self) -> None:
        done = slice(self._begin, self._volume.rank)
        self._volume.factor[self._rows, done] = self._factor[:, done]


def _too_many(rank: int, n: int, kernel: Kernel) -> UserError:
    instead = "the rbf kernel" if kernel == "cosine" else "a smaller width"
    return UserError(
        f"the {kernel} kernel tells only {rank} voices apart, {n} are asked for. Ask for fewer, "
        f"or use {instead}"
    )
