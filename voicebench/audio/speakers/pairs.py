"""Sums over all pairs of voices, one cache-sized block of the upper triangle after another."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from voicebench.audio.speakers.points import Floats, Indices, Points

# Measured: two operands of 512 rows and their product stay in the cache of one core.
_BLOCK = 512


class Block(NamedTuple):
    """Squared distances between two ranges of voices.

    Attributes:
        rows: Which voices the rows are.
        columns: Which voices the columns are, none before `rows`.
        squared: Squared distances in float32, shape (rows, columns), in units of `Points.fast` and a little
            below zero at times; the caller may overwrite them.
    """

    rows: slice
    columns: slice
    squared: Floats


class Tally(NamedTuple):
    """Pairs of one block within a radius.

    Attributes:
        rows: Which voices the rows are.
        columns: Which voices the columns are.
        by_row: How many columns are surely within the radius of each row, shape (rows,).
        by_column: How many rows are surely within the radius of each column, shape (columns,).
        left: One voice of each pair that float32 cannot decide, shape (pairs,).
        right: The other, shape (pairs,).
    """

    rows: slice
    columns: slice
    by_row: Floats
    by_column: Floats
    left: Indices
    right: Indices


def upper_blocks(points: Points, *, masked: float) -> Iterator[Block]:
    """Yield the blocks on and above the diagonal; the memory is that of a few blocks.

    Each pair stands once: on and below the diagonal is the value `masked`.
    |x|² + |y|² - 2 x·y is one product: (-2x, |x|², 1)·(y, 1, |y|²).
    """
    below = np.tri(_BLOCK, dtype=bool)
    for rows, columns in upper_ranges(len(points), _BLOCK):
        left = _with_columns(-2 * points.fast[rows], points.squares[rows], 1.0)
        right = _with_columns(points.fast[columns], 1.0, points.squares[columns])
        squared = left @ right.T
        if rows == columns:
            np.copyto(squared, masked, where=below[: len(squared), : len(squared)])
        yield Block(rows, columns, squared)


def upper_ranges(count: int, step: int) -> Iterator[tuple[slice, slice]]:
    """Yield the ranges of rows and columns that make up the upper triangle of a square."""
    ranges = [slice(begin, min(begin + step, count)) for begin in range(0, count, step)]
    for at, rows in enumerate(ranges):
        for columns in ranges[at:]:
            yield rows, columns


def sum_of_distances(points: Points) -> float:
    """Return the sum over all unordered pairs, in units of `Points.fast`."""
    total = 0.0
    for block in upper_blocks(points, masked=0.0):
        squared = np.maximum(block.squared, 0, out=block.squared)
        total += float(np.sqrt(squared, out=squared).sum())
    return total


def tallies(points: Points, squared_radius: float) -> Iterator[Tally]:
    """Yield for each block which pairs are within a radius, in units of `Points.fast`."""
    nobody = np.zeros(0, np.intp)
    for rows, columns, squared in upper_blocks(points, masked=np.inf):
        sure, possible = squared <= squared_radius - points.error, squared <= squared_radius + points.error
        left = right = nobody
        if np.count_nonzero(sure) != np.count_nonzero(possible):
            # A mask in one dimension is searched many times faster.
            left, right = np.divmod(np.flatnonzero(sure ^ possible), squared.shape[1])
        # As floats, whose sums along either axis are matrix products.
        np.copyto(squared, sure)
        by_row = squared @ np.ones(squared.shape[1], np.float32)
        by_column = np.ones(squared.shape[0], np.float32) @ squared
        yield Tally(rows, columns, by_row, by_column, left + rows.start, right + columns.start)


def _with_columns(block: Floats, first: Floats | float, second: Floats | float) -> Floats:
    wider = np.empty((len(block), block.shape[1] + 2), np.float32)
    wider[:, :-2] = block
    wider[:, -2] = first
    wider[:, -1] = second
    return wider
