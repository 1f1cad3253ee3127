"""Greedy choice by a gain that only shrinks as more is chosen, most voices looked at rarely."""

from abc import ABC, abstractmethod
from typing import Protocol

import numpy as np
import numpy.typing as npt

from voicebench.audio.speakers.points import Indices
from voicebench.audio.speakers.quotas import Seats

Gains = npt.NDArray[np.floating]

CLOSED = -1.0
"""Below every gain: what can no longer be chosen."""

# Voices whose gains are kept exact at every step; they and their embeddings stay in the cache.
_POOL = 512
_LARGE_POOL = 8192
_POOL_SHARE = 128
# Voices that are brought up to date at once when the pool no longer holds the best: this many pools, or
# this share of all voices.
_REFRESHED_POOLS = 4
_REFRESHED_SHARE = 8


class Pool(Protocol):
    """Some voices whose gains follow every choice."""

    gains: Gains

    def follow(self, voice: int, at: int) -> None:
        """Bring the gains up to date after a voice was chosen, the one at position `at` of the pool."""
        ...

    def close(self) -> None:
        """Hand back what the next refresh builds on."""
        ...


class LazyGreedy(ABC):
    """One greedy run: argmax of the gain over the open voices, again and again, the lowest index in a tie.

    A gain can only shrink, so an old one is an upper bound (Minoux 1978). Only a pool of the largest is kept
    exact at every step; when its best falls to the bounds outside, those above it are brought up to date, in
    matrix products with all voices chosen since.

    Attributes:
        chosen: Indices in the order of choice.
        bounds: Upper bounds of the gains, shape (voices,), `CLOSED` where a voice cannot be chosen.
        known: How many of the chosen voices each bound accounts for, shape (voices,).
    """

    def __init__(self, seats: Seats, bounds: Gains, *, tie: float) -> None:
        """Begin with the gains of an empty choice, shape (voices,), which differ for certain above `tie`."""
        self.seats = seats
        self.chosen: list[int] = []
        self.bounds = bounds
        self.known = np.zeros(len(bounds), np.int32)
        self._tie = tie
        self._pool_size = max(_POOL, min(_LARGE_POOL, len(bounds) // _POOL_SHARE))
        for group in seats.closed():
            self.bounds[seats.members(group)] = CLOSED

    @abstractmethod
    def fresh_gains(self, rows: Indices, since: int) -> Gains:
        """Return the gains of rows whose bounds account for the first `since` choices, shape (rows,)."""

    @abstractmethod
    def pool(self, rows: Indices) -> Pool:
        """Return a pool of up-to-date rows, shape (rows,)."""

    @abstractmethod
    def best(self, candidates: Indices, gain: float) -> int | None:
        """Return which of these voices is best, None if none gains at all.

        Args:
            candidates: Voices that may be, in order of index, shape (voices,).
            gain: The largest of their gains.
        """

    def run(self, rng: np.random.Generator) -> list[int]:
        """Take the seeds, or a drawn first voice, and choose on until all seats are taken."""
        if self.seats.n == 0:
            return []
        first = self.seats.seeds
        if not first:
            equal = np.flatnonzero(self.bounds == self.bounds.max())
            first = (int(equal[rng.integers(len(equal))]),)
        for voice in first:
            self._refresh(np.array([voice]))
            self.admit(voice)
            self._choose(voice)
        while len(self.chosen) < self.seats.n:
            if not self._choose_from(self._fresh_rows()):
                return self.seats.fill(np.flatnonzero(self.bounds > CLOSED), self.chosen)
        return self.chosen

    def admit(self, voice: int) -> None:  # noqa: B027 (not every gain needs it)
        """Take note of an up-to-date voice that is to be chosen outside of a pool."""

    def _choose(self, voice: int) -> int | None:
        """Choose a voice; return the group that this closes, if any."""
        self.chosen.append(voice)
        self.bounds[voice] = CLOSED
        closed = self.seats.take(voice)
        if closed is not None:
            self.bounds[self.seats.members(closed)] = CLOSED
        return closed

    def _fresh_rows(self) -> Indices:
        """Bring the largest bounds up to date; return, in order of index, those that matter now."""
        now = len(self.chosen)
        refreshed = max(_REFRESHED_POOLS * self._pool_size, len(self.bounds) // _REFRESHED_SHARE)
        stale = np.flatnonzero(self.bounds >= _threshold(self.bounds, refreshed))
        while len(stale):
            self._refresh(stale)
            top = self.bounds[self.known == now].max(initial=CLOSED)
            stale = np.flatnonzero((self.bounds >= top - self._tie) & (self.known < now))
        fresh = np.flatnonzero(self.known == now)
        bounds = self.bounds[fresh]
        # Voices that tie with the best belong to the pool, however many they are.
        least = min(_threshold(bounds, self._pool_size), top - self._tie)
        return np.asarray(fresh[(bounds >= least) & (bounds > CLOSED)])

    def _choose_from(self, rows: Indices) -> bool:
        """Choose while the best voice of all is certainly among these; False if none gains at all."""
        others = self.bounds.copy()
        others[rows] = CLOSED
        outside = float(others.max())
        pool = self.pool(rows)
        gains = pool.gains
        certain, gainful = True, True
        while certain and len(self.chosen) < self.seats.n:
            top = float(gains.max())
            candidates = np.flatnonzero(gains >= top - self._tie)
            best = self.best(rows[candidates], top)
            if best is None:
                gainful = False
                break
            at = int(candidates[best])
            closed = self._choose(int(rows[at]))
            pool.follow(int(rows[at]), at)
            gains[at] = CLOSED
            if closed is not None:
                gains[self.seats.members(closed, rows)] = CLOSED
            certain = float(gains.max()) - self._tie > outside
        pool.close()
        self.bounds[rows] = gains
        self.known[rows] = len(self.chosen)
        return gainful

    def _refresh(self, rows: Indices) -> None:
        """Bring bounds up to date, those together that miss the same chosen voices."""
        now = len(self.chosen)
        rows = rows[(self.bounds[rows] > CLOSED) & (self.known[rows] < now)]
        for since in np.flatnonzero(np.bincount(self.known[rows], minlength=1)):
            behind = rows[self.known[rows] == since]
            self.bounds[behind] = self.fresh_gains(behind, int(since))
        self.known[rows] = now


def _threshold(values: Gains, count: int) -> float:
    """Return the `count`-th largest value, or the smallest where there are fewer."""
    at = max(0, len(values) - count)
    return float(np.partition(values, at)[at])
