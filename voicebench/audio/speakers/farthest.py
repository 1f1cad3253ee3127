"""Farthest-point sampling: each voice the farthest from those before it."""

import numpy as np

from voicebench.audio.speakers.accelerator import Accelerator
from voicebench.audio.speakers.lazy import LazyGreedy
from voicebench.audio.speakers.points import (
    Doubles,
    Embeddings,
    Floats,
    Indices,
    Points,
    prepare,
    squared_norms,
)
from voicebench.audio.speakers.quotas import Seats
from voicebench.errors import UserError

# Distances in one matrix product.
_PRODUCTS = 1 << 18
# Pairs of voices whose exact distances are looked for at once.
_PAIRS = 1 << 16


def farthest_point(
    embeddings: Embeddings,
    n: int,
    *,
    rng: np.random.Generator,
    start: int | None = None,
    device: str | None = None,
) -> list[int]:
    """Return n voices, each the farthest from those before it (Gonzalez 1985, greedy k-center).

    The next voice is argmax_i min_{j in S} |e_i - e_j|; the lowest index wins a tie. The largest distance of
    any voice to the choice is at most twice the best possible one.

    The order is that of direct differences in float64, whatever the machine: float32 finds the few voices
    that can be the farthest, float64 decides between them.

    Args:
        embeddings: Shape (voices, d).
        n: How many to choose.
        rng: Draws the first voice.
        start: The first voice, instead of a drawn one.
        device: A torch device ("cuda:0") that computes the distances, or None for numpy.

    Returns:
        Indices in the order of choice.

    Raises:
        UserError: n is negative or more than there are, `start` is no voice, an embedding is not finite, or
            the device cannot be used.
    """
    if start is not None and not 0 <= start < len(embeddings):
        raise UserError(f"voice {start} is none of the {len(embeddings)} voices (0 to {len(embeddings) - 1})")
    points = prepare(embeddings)
    seeds = () if start is None or n < 1 else (start,)
    return choose_farthest(points, Seats(len(points), n, seeds=seeds), rng=rng, device=device)


def choose_farthest(
    points: Points, seats: Seats, *, rng: np.random.Generator, device: str | None = None
) -> list[int]:
    """Choose like `farthest_point`, within quotas and after the seeds: argmax over the groups still open.

    Without seeds the first voice is drawn from those that have a seat.

    Raises:
        UserError: The device cannot be used.
    """
    if device is not None:
        return _run_on_device(points, seats, Accelerator(points, device), rng)
    return _Farthest(points, seats).run(rng)


class _Ranking:
    """Exact distances to the choice, found for the voices that float32 cannot rank."""

    def __init__(self, points: Points, chosen: list[int]) -> None:
        self._points = points
        self._chosen = chosen
        # Two distances that differ by more than this are ranked rightly by float32.
        self.tie = 2 * points.error
        self._nearest = np.full(len(points), np.inf)
        self._known = np.zeros(len(points), np.int32)

    def farthest(self, candidates: Indices) -> int | None:
        """Return which of these voices (in order of index) is the farthest, None at distance 0."""
        if len(candidates) == 1:
            return 0
        exact = self._exact(candidates)
        at = int(exact.argmax())
        return at if exact[at] > 0 else None

    def _exact(self, voices: Indices) -> Doubles:
        now = len(self._chosen)
        # Nothing gets nearer than 0.
        behind = voices[(self._known[voices] < now) & (self._nearest[voices] > 0)]
        for since in np.unique(self._known[behind]):
            rows = behind[self._known[behind] == since]
            centres = np.array(self._chosen[since:])
            step = max(1, _PAIRS // len(centres))
            for begin in range(0, len(rows), step):
                part = rows[begin : begin + step]
                self._nearest[part] = np.minimum(self._nearest[part], self._measured(part, centres))
        self._known[behind] = now
        return np.asarray(self._nearest[voices])

    def _measured(self, voices: Indices, centres: Indices) -> Doubles:
        """Return exact squared distances to the nearest centre: those are measured that can be it."""
        points = self._points
        squared = points.fast[voices] @ (-2 * points.fast[centres].T)
        squared += points.squares[centres]
        of, which = np.nonzero(squared <= squared.min(axis=1, keepdims=True) + self.tie)
        nearest = np.full(len(voices), np.inf)
        np.minimum.at(nearest, of, points.exact(voices[of], centres[which]))
        return nearest


class _Farthest(LazyGreedy):
    """The gain of a voice is its squared distance to the nearest one chosen."""

    def __init__(self, points: Points, seats: Seats) -> None:
        super().__init__(seats, np.full(len(points), np.inf, np.float32), tie=2 * points.error)
        self.points = points
        self._ranking = _Ranking(points, self.chosen)

    def fresh_gains(self, rows: Indices, since: int) -> Floats:
        """Return the squared distances of rows to the choice, shape (rows,)."""
        points = self.points
        centres = points.fast[self.chosen[since:]]
        norms = squared_norms(centres)[:, None]
        centres *= -2
        gains = np.empty(len(rows), np.float32)
        step = max(256, min(4096, _PRODUCTS // len(centres)))
        for begin in range(0, len(rows), step):
            part = rows[begin : begin + step]
            products = centres @ points.fast[_as_slice(part)].T
            products += norms
            gains[begin : begin + step] = products.min(axis=0) + points.squares[part]
        np.maximum(gains, 0, out=gains)
        return np.minimum(gains, self.bounds[rows], out=gains)

    def pool(self, rows: Indices) -> "_Pool":
        """Return a pool of rows, shape (rows,)."""
        return _Pool(self.points, rows, self.bounds[rows])

    def best(self, candidates: Indices, gain: float) -> int | None:
        """Return which is the farthest to the digits of float64."""
        return self._ranking.farthest(candidates)


class _Pool:
    def __init__(self, points: Points, rows: Indices, gains: Floats) -> None:
        self.gains = gains
        self._points = points
        self._fast = points.fast[rows]
        self._squares = points.squares[rows]

    def follow(self, voice: int, at: int) -> None:
        update = self._fast @ (-2 * self._fast[at])
        update += self._squares
        update += self._points.squares[voice]
        np.maximum(update, 0, out=update)
        np.minimum(self.gains, update, out=self.gains)

    def close(self) -> None:
        pass


def _run_on_device(points: Points, seats: Seats, device: Accelerator, rng: np.random.Generator) -> list[int]:
    """Update all distances at every step: memory is fast there, and a step short."""
    if seats.n == 0:
        return []
    chosen: list[int] = []
    ranking = _Ranking(points, chosen)
    device.start()
    for group in seats.closed():
        device.close(seats.members(group))

    def choose(voice: int) -> None:
        chosen.append(voice)
        device.approach(voice)
        closed = seats.take(voice)
        if closed is not None:
            device.close(seats.members(closed))

    for voice in seats.seeds:
        choose(voice)
    if not chosen:
        first = device.at_least(0.0)
        choose(int(first[rng.integers(len(first))]))
    while len(chosen) < seats.n:
        candidates = device.farthest(ranking.tie)
        best = ranking.farthest(candidates)
        if best is None:
            return seats.fill(device.at_least(0.0), chosen)
        choose(int(candidates[best]))
    return chosen


def _as_slice(rows: Indices) -> Indices | slice:
    """Return sorted rows as a slice where they have no gaps, so that they need no copy."""
    if int(rows[-1]) - int(rows[0]) + 1 == len(rows):
        return slice(int(rows[0]), int(rows[-1]) + 1)
    return rows
