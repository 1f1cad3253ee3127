"""Recursive filters as matrix products: exact, and fast without compiled code of our own.

A recursive filter needs each sample's result for the next one, which is slow where every step is one of
Python's. Written as a state space (s' = F s + g x, y = c s + d x), a block of B samples depends on its
samples and on the state at its start alone: y = T x + C s, and the next block starts from s' = F^B s + G x.
All blocks are done in one matrix product; the states at their starts obey a recursion of the same form, B
times shorter, which is done the same way once more before Python steps through what is left.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]
Biquad = tuple[tuple[float, float, float], tuple[float, float, float]]
"""Coefficients of a second-order filter: forward (b0, b1, b2) and back (1, a1, a2)."""

_BLOCK = 64
_BLOCKS = 16


class RecursiveFilter:
    """Second-order filters one after the other.

    Attributes:
        stride: Long clips are cut into pieces whose length is a multiple of this.
    """

    stride = _BLOCK * _BLOCKS

    def __init__(self, sections: Sequence[Biquad]) -> None:
        step, enter, leave, through = _state_space(sections)
        powers = _powers(step, _BLOCK)
        self._from_state = np.stack([leave @ power for power in powers[:_BLOCK]], axis=1)
        impulse = np.concatenate([[through], self._from_state[:, :-1].T @ enter])
        late, early = np.indices((_BLOCK, _BLOCK))
        within = np.where(late >= early, impulse[np.abs(late - early)], 0.0)
        to_state = np.stack([power @ enter for power in reversed(powers[:_BLOCK])])
        # A row of samples times this: what they make of their own block, and of the state behind it.
        self._within = np.concatenate([within.T, to_state], axis=1)
        order, across = len(step), _powers(powers[_BLOCK], _BLOCKS)
        states = np.zeros((_BLOCKS, order, _BLOCKS + 1, order))
        for source in range(_BLOCKS):
            for target in range(source + 1, _BLOCKS + 1):
                states[source, :, target, :] = across[target - source - 1].T
        self._across = states.reshape(_BLOCKS * order, -1)
        self._carry = np.concatenate([power.T for power in across], axis=1)
        self._order = order

    def pieces(self, samples: npt.NDArray[np.float32], length: int) -> Iterator[Doubles]:
        """Yield the filtered samples piece by piece, so that long clips need little memory.

        Args:
            samples: Shape (n,).
            length: Of a piece, a multiple of `stride`; the last one is shorter.

        Yields:
            Shape (length,) and less.
        """
        state = np.zeros(self._order)
        for start in range(0, len(samples), length):
            piece = samples[start : start + length].astype(np.float64)
            whole = -(-len(piece) // self.stride) * self.stride
            padded = np.pad(piece, (0, whole - len(piece))) if whole > len(piece) else piece
            filtered, state = self._filter(padded, state)
            yield filtered[: len(piece)]

    def _filter(self, samples: Doubles, state: Doubles) -> tuple[Doubles, Doubles]:
        """Return the filtered samples, shape (n,), and the state behind them, shape (order,)."""
        order = self._order
        blocks = samples.reshape(-1, _BLOCK) @ self._within
        states = blocks[:, _BLOCK:].reshape(-1, _BLOCKS * order) @ self._across
        for row in states:
            row += state @ self._carry
            state = row[-order:]
        starts = states[:, :-order].reshape(-1, order)
        return (blocks[:, :_BLOCK] + starts @ self._from_state).reshape(-1), state


def _state_space(sections: Sequence[Biquad]) -> tuple[Doubles, Doubles, Doubles, float]:
    """Return F (order, order), g (order,), c (order,) and d of second-order filters one after the other.

    Each has the two states of the transposed direct form II, which stay as small as its signal.
    """
    step, enter, leave, through = np.zeros((0, 0)), np.zeros(0), np.zeros(0), 1.0
    for (b0, b1, b2), (_, a1, a2) in sections:
        own_step = np.array([[-a1, 1.0], [-a2, 0.0]])
        own_enter = np.array([b1 - a1 * b0, b2 - a2 * b0])
        step = np.block([[step, np.zeros((len(step), 2))], [np.outer(own_enter, leave), own_step]])
        enter = np.concatenate([enter, own_enter * through])
        leave, through = np.concatenate([b0 * leave, [1.0, 0.0]]), b0 * through
    return step, enter, leave, through


def _powers(matrix: Doubles, highest: int) -> list[Doubles]:
    """Return the powers 0 to `highest` of a square matrix."""
    powers = [np.eye(len(matrix))]
    for _ in range(highest):
        powers.append(matrix @ powers[-1])
    return powers
