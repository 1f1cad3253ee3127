"""The same sums on a torch device: distances of many voices where a GPU is at hand."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from voicebench.audio.speakers.pairs import Tally, upper_ranges
from voicebench.audio.speakers.points import Indices, Points
from voicebench.errors import UserError

# One block of products has at most this many rows and columns: 256 MiB in float32.
_BLOCK = 8192
_CLOSED = -1.0


class Accelerator:
    """Embeddings on a torch device.

    All products are float32 proper: TF32 has too few digits for `Points.error` to hold.
    """

    def __init__(self, points: Points, device: str) -> None:
        """Copy the embeddings to the device.

        Raises:
            UserError: torch is not installed or does not know the device.
        """
        try:
            import torch
        except ImportError:
            raise UserError(f"device {device!r} needs torch. Run: pip install -e '.[gpu]'") from None
        self._torch: Any = torch
        self._points = points
        try:
            self._fast = torch.asarray(points.fast, device=device)
        except (RuntimeError, AssertionError) as error:
            raise UserError(f"torch cannot use device {device!r}: {str(error).splitlines()[0]}") from error
        self._squares = torch.asarray(points.squares, device=device)
        self._nearest: Any = None

    def start(self) -> None:
        """Begin a choice: no voice is near any other yet."""
        self._nearest = self._torch.full_like(self._squares, float("inf"))

    def approach(self, voice: int) -> None:
        """Take a chosen voice into account, and out of the choice."""
        with self._all_digits():
            update = self._fast @ (-2 * self._fast[voice])
        update += self._squares
        update += self._squares[voice]
        self._torch.minimum(self._nearest, update.clamp_(min=0), out=self._nearest)
        self._nearest[voice] = _CLOSED

    def close(self, voices: Indices | slice) -> None:
        """Take voices out of the choice, shape (voices,)."""
        self._nearest[voices if isinstance(voices, slice) else self._torch.from_numpy(voices)] = _CLOSED

    def farthest(self, tie: float) -> Indices:
        """Return the voices at most `tie` nearer than the farthest, in order, shape (voices,)."""
        return self._positions(self._nearest >= self._nearest.max() - tie)

    def at_least(self, squared: float) -> Indices:
        """Return the voices at least as far from the choice, in order, shape (voices,)."""
        return self._positions(self._nearest >= squared)

    def sum_of_distances(self) -> float:
        """Return the sum over all unordered pairs, in units of `Points.fast`."""
        total = 0.0
        for _, _, squared in self._upper_blocks(masked=0.0):
            total += float(squared.clamp_(min=0).sqrt_().sum(dtype=self._torch.float64))
        return total

    def tallies(self, squared_radius: float) -> Iterator[Tally]:
        """Yield for each block which pairs are within a radius, in units of `Points.fast`."""
        error = self._points.error
        for rows, columns, squared in self._upper_blocks(masked=float("inf")):
            sure = squared <= squared_radius - error
            unsure = self._torch.logical_xor(sure, squared <= squared_radius + error)
            left, right = unsure.nonzero().cpu().numpy().T
            by_row = sure.sum(dim=1).float().cpu().numpy()
            by_column = sure.sum(dim=0).float().cpu().numpy()
            yield Tally(rows, columns, by_row, by_column, left + rows.start, right + columns.start)

    def _upper_blocks(self, *, masked: float) -> Iterator[tuple[slice, slice, Any]]:
        for rows, columns in upper_ranges(len(self._squares), _BLOCK):
            with self._all_digits():
                squared = self._fast[rows] @ (-2 * self._fast[columns].T)
            squared += self._squares[rows, None]
            squared += self._squares[columns]
            if rows == columns:
                below = self._torch.ones_like(squared, dtype=self._torch.bool).tril_()
                squared.masked_fill_(below, masked)
            yield rows, columns, squared

    def _positions(self, mask: Any) -> Indices:
        return np.asarray(mask.nonzero()[:, 0].cpu().numpy(), dtype=np.intp)

    @contextmanager
    def _all_digits(self) -> Iterator[None]:
        before = self._torch.get_float32_matmul_precision()
        self._torch.set_float32_matmul_precision("highest")
        try:
            yield
        finally:
            self._torch.set_float32_matmul_precision(before)
