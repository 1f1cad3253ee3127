"""Pair the rows of a weight matrix with its columns so that the total weight is largest, exactly.

A greedy choice fails where a row takes the only column that another row could have had, so none is made here.
"""

from collections.abc import Sequence

Weights = Sequence[Sequence[int]]


def best_pairs(weights: Weights) -> dict[int, int]:
    """Return the heaviest one-to-one pairing, as {row: column}; a pair of weight 0 is left out.

    The Hungarian method in the form of shortest augmenting paths with potentials (Kuhn 1955; Jonker and
    Volgenant 1987): O(n² m) steps for n ≤ m, in whole numbers and so without rounding.

    Args:
        weights: Not negative, all rows of the same length.
    """
    rows, columns = len(weights), len(weights[0]) if weights else 0
    if rows > columns:
        turned = [[row[column] for row in weights] for column in range(columns)]
        return dict(sorted((row, column) for column, row in best_pairs(turned).items()))
    owner: list[int | None] = [None] * columns
    row_price, column_price = [0] * rows, [0] * columns
    for start in range(rows):
        _augment(weights, start, owner, row_price, column_price)
    found = sorted((row, column) for column, row in enumerate(owner) if row is not None)
    return {row: column for row, column in found if weights[row][column] > 0}


def _augment(
    weights: Weights, start: int, owner: list[int | None], row_price: list[int], column_price: list[int]
) -> None:
    """Give the row `start` a column, moving other rows along the cheapest alternating path."""
    columns = len(owner)
    slack: list[int | None] = [None] * columns
    reached_from: list[int | None] = [None] * columns
    visited: list[int] = []
    open_columns = set(range(columns))
    row, via, total = start, None, 0
    while True:
        for column in open_columns:
            # The cost of a pair is its negated weight, reduced by the prices of both ends.
            cost = total - weights[row][column] - row_price[row] - column_price[column]
            known = slack[column]
            if known is None or cost < known:
                slack[column], reached_from[column] = cost, via
        nearest = min(open_columns, key=lambda column: (slack[column], column))
        total = slack[nearest] or 0
        open_columns.remove(nearest)
        next_row = owner[nearest]
        if next_row is None:
            break
        visited.append(nearest)
        row, via = next_row, nearest
    row_price[start] += total
    for column in visited:
        gain = total - (slack[column] or 0)
        column_price[column] -= gain
        moved = owner[column]
        if moved is not None:
            row_price[moved] += gain
    end: int | None = nearest
    while end is not None:
        before = reached_from[end]
        owner[end] = start if before is None else owner[before]
        end = before


def best_pairs_in_order(weights: Weights) -> dict[int, int]:
    """Return the heaviest pairing whose rows and columns both ascend, as {row: column}; no pair of weight 0.

    Needleman and Wunsch (1970) without gap costs, O(n m) steps.

    Args:
        weights: Not negative, all rows of the same length.
    """
    rows, columns = len(weights), len(weights[0]) if weights else 0
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    for row in range(rows - 1, -1, -1):
        for column in range(columns - 1, -1, -1):
            paired = weights[row][column] + best[row + 1][column + 1]
            best[row][column] = max(paired, best[row + 1][column], best[row][column + 1])
    pairs: dict[int, int] = {}
    row = column = 0
    while row < rows and column < columns:
        weight = weights[row][column]
        if weight > 0 and best[row][column] == weight + best[row + 1][column + 1]:
            pairs[row] = column
            row, column = row + 1, column + 1
        elif best[row][column] == best[row + 1][column]:
            row += 1
        else:
            column += 1
    return pairs
