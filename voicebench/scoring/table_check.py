"""Find the rows of a published table that no outcome can have: pass^1, pass^2, … that do not fit together.

Give N tasks n trials each. Whatever happened, m_c tasks succeeded c times (c = 0 … n), and

    pass^k = Σ_c m_c · C(c, k) / (N · C(n, k))

with whole numbers m_c ≥ 0 that sum to N (S. Yao et al., "τ-bench: A Benchmark for Tool-Agent-User Interaction
in Real-World Domains", 2024). A printed value stands for every number that rounds to it. A row is possible if
some m_0 … m_n put every pass^k into its printed interval, and its ρ = pass^k / pass^1 can be had from numbers
within the intervals of these two.

Where none does, trials may have been lost in silence: some harnesses take pass^k over the tasks that have at
least k trials. The fewest lost trials with which a row fits that rule are its `lost`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, comb, floor

MOST_LOST = 6
"""Lost trials that are looked for where a row is impossible without."""

_NUMBER = re.compile(r"\d+\.?\d*|\.\d+", re.ASCII)
_MOST_STEPS = 1_000_000
"""Partial counts tried before a row is given up as undecided."""

Bounds = Mapping[int, tuple[int, int]]
"""k to the least and the greatest whole number that Σ_c m_c · C(c, k) may be."""
Part = tuple[int, int]
"""A task that lost trials: (trials left, successes among them)."""


@dataclass(frozen=True)
class Printed:
    """A share as it is printed, for every number that rounds to it.

    Attributes:
        text: As printed, "0.540" or "54.0%".
        value: The printed number, exactly.
        half: Half a unit of its last place.
    """

    text: str
    value: Fraction
    half: Fraction

    @property
    def low(self) -> Fraction:
        """The least number that rounds to it, but not below 0."""
        return max(Fraction(0), self.value - self.half)

    @property
    def high(self) -> Fraction:
        """The greatest number that rounds to it (a half may round either way)."""
        return self.value + self.half


@dataclass(frozen=True)
class PublishedRow:
    """One row of a table.

    Attributes:
        label: What names it.
        passes: k to the printed pass^k.
        n_tasks: N, how many tasks.
        trials: n, how often each was tried; at least the greatest k.
        rho: The printed ρ of the greatest k, or None.
    """

    label: str
    passes: Mapping[int, Printed]
    n_tasks: int
    trials: int
    rho: Printed | None = None


@dataclass(frozen=True)
class RowVerdict:
    """What became of one row.

    Attributes:
        possible: Whether some outcome fits; None where the search was given up.
        problems: Why not, a sentence each.
        counts: One outcome that fits, m_0 … m_n, or None.
        suspects: The values that alone can be to blame: without one of them all others fit.
        lost: For an impossible row, the fewest lost trials that would explain it; None where none do.
    """

    possible: bool | None
    problems: tuple[str, ...] = ()
    counts: tuple[int, ...] | None = None
    suspects: tuple[str, ...] = ()
    lost: int | None = None


def printed(text: str, digits: int | None = None) -> Printed:
    """Read a printed share: "0.54", ".540" or "54.0%".

    Args:
        text: As printed.
        digits: Decimals that it was rounded to, where trailing zeros were dropped; None: as many as stand
            there (of a percentage: of the percentage).

    Raises:
        ValueError: It is no number from 0 to 1 (0% to 100%), or has more decimals than `digits`.
    """
    found = printed_ratio(text, digits)
    if found.value > 1:
        raise ValueError(f"{text!r} is above 1 (write percentages with a % sign)")
    return found


def printed_ratio(text: str, digits: int | None = None) -> Printed:
    """Read a printed ratio: as `printed`, but it may be above 1, as a ρ is that came out wrong.

    Raises:
        ValueError: It is no such number, or has more decimals than `digits`.
    """
    bare = text.strip().removesuffix("%").rstrip()
    if not _NUMBER.fullmatch(bare):
        raise ValueError(f"{text!r} is no number such as 0.540 or 54.0%")
    scale = 100 if text.strip().endswith("%") else 1
    shown = len(bare.partition(".")[2])
    if digits is not None and shown > digits:
        raise ValueError(f"{text!r} has more than {digits} decimals")
    places = shown if digits is None else digits
    return Printed(text.strip(), Fraction(bare) / scale, Fraction(1, 2 * 10**places * scale))


def check_row(row: PublishedRow) -> RowVerdict:
    """Tell whether a row can be true, and if not, why, which value is suspect, and what would explain it.

    Raises:
        ValueError: The row has no pass^k, no task, or a k above its trials.
    """
    if not row.passes or row.n_tasks < 1 or not all(1 <= k <= row.trials for k in row.passes):
        raise ValueError(f"a row needs a task and a pass^k with k from 1 to its {row.trials} trials")
    wrong_rho = _wrong_rho(row)
    counts, decided = _outcome(row)
    if counts is not None:
        if wrong_rho is None:
            return RowVerdict(True, counts=counts)
        return RowVerdict(False, (wrong_rho,), suspects=("rho",))
    if not decided:
        return RowVerdict(False if wrong_rho else None, (wrong_rho,) if wrong_rho else ())
    problems = (*_misfits(row), *((wrong_rho,) if wrong_rho else ()))
    return RowVerdict(False, problems, suspects=_suspects(row), lost=None if wrong_rho else _lost(row))


def repeated(rows: Sequence[PublishedRow]) -> list[tuple[int, int]]:
    """Return places (earlier, later) of rows with the same three or more printed numbers.

    Often the slip of a copy, but two rows may well agree by chance: it is the reader who decides.
    """
    first: dict[object, int] = {}
    pairs = []
    for place, row in enumerate(rows):
        values = tuple((k, value.text) for k, value in sorted(row.passes.items()))
        if len(values) < 3 or all(value.value in (0, 1) for value in row.passes.values()):
            continue
        key = (values, row.n_tasks, row.trials)
        if key in first:
            pairs.append((first[key], place))
        else:
            first[key] = place
    return pairs


def rho_interval(top: Printed, base: Printed) -> tuple[Fraction, Fraction]:
    """Return the least and the greatest ρ = pass^k / pass^1 that two printed numbers allow, at most 1."""
    if base.high == 0:
        return Fraction(0), Fraction(1)
    greatest = Fraction(1) if base.low == 0 else min(Fraction(1), top.high / base.low)
    return top.low / base.high, greatest


def _outcome(row: PublishedRow, parts: Sequence[Part] = ()) -> tuple[tuple[int, ...] | None, bool]:
    """Return counts of whole tasks that fit beside incomplete ones, or None, and whether that is sure."""
    bounds = {k: _bounds(k, value, row, parts) for k, value in row.passes.items()}
    if any(low > high for low, high in bounds.values()):
        return None, True
    return _search(row.n_tasks - len(parts), row.trials, bounds)


def _bounds(k: int, value: Printed, row: PublishedRow, parts: Sequence[Part]) -> tuple[int, int]:
    """Return the whole numbers that whole tasks may add to pass^k's sum; low > high for none.

    pass^k is the mean of C(c, k) / C(n, k) over the tasks with at least k trials.
    """
    n_counted = row.n_tasks - sum(left < k for left, _ in parts)
    ways = comb(row.trials, k)
    given = sum((Fraction(comb(won, k), comb(left, k)) for left, won in parts if left >= k), Fraction(0))
    most = ways * (row.n_tasks - len(parts))
    return ceil((value.low * n_counted - given) * ways), min(
        most, floor((value.high * n_counted - given) * ways)
    )


def _search(n_tasks: int, trials: int, bounds: Bounds) -> tuple[tuple[int, ...] | None, bool]:
    """Return counts m_0 … m_n within bounds or None, and whether the search came to an end."""
    steps = 0
    chosen = [0] * (trials + 1)

    def place(c: int, left: int, bounds: Bounds) -> bool | None:
        """Choose m_c, then all below it; None where the steps ran out."""
        nonlocal steps
        steps += 1
        if steps > _MOST_STEPS:
            return None
        if c == 0:
            chosen[0] = left
            return all(low <= 0 <= high for low, high in bounds.values())
        least, most = _range(c, left, bounds)
        for count in range(most, least - 1, -1):
            chosen[c] = count
            used = {k: count * comb(c, k) for k in bounds}
            rest = {k: (low - used[k], high - used[k]) for k, (low, high) in bounds.items()}
            found = place(c - 1, left - count, rest)
            if found is not False:
                return found
        return False

    found = place(trials, n_tasks, bounds)
    return (tuple(chosen) if found else None), found is not None


def _range(c: int, left: int, bounds: Bounds) -> tuple[int, int]:
    """Return the least and the greatest m_c that the bounds and the tasks left leave open.

    Each task with fewer than c successes adds between 0 and C(c - 1, k) to the sum of k.
    """
    least, most = 0, left
    for k, (low, high) in bounds.items():
        if k <= c:
            most = min(most, high // comb(c, k))
            least = max(least, ceil(Fraction(low - left * comb(c - 1, k), comb(c - 1, k - 1))))
        elif low > 0 or high < 0:
            return 1, 0
    return least, most


def _lost(row: PublishedRow) -> int | None:
    """Return the fewest lost trials with which a row fits, up to `MOST_LOST`; None for none."""
    for lost in range(1, MOST_LOST + 1):
        for parts in _incomplete(lost, row.trials, row.n_tasks):
            if _outcome(row, parts)[0] is not None:
                return lost
    return None


def _incomplete(lost: int, trials: int, most: int, last: Part | None = None) -> Iterator[tuple[Part, ...]]:
    """Yield every choice of at most `most` tasks that lost `lost` trials together."""
    if lost == 0:
        yield ()
        return
    if most == 0:
        return
    for left in range(max(0, trials - lost), trials):
        for won in range(left + 1):
            if last is None or (left, won) >= last:
                for rest in _incomplete(lost - (trials - left), trials, most - 1, (left, won)):
                    yield ((left, won), *rest)


def _suspects(row: PublishedRow) -> tuple[str, ...]:
    def fits_without(k: int) -> bool:
        rest = {other: value for other, value in row.passes.items() if other != k}
        return _outcome(replace(row, passes=rest))[0] is not None

    return tuple(f"p{k}" for k in sorted(row.passes) if fits_without(k))


def _misfits(row: PublishedRow) -> list[str]:
    """Return why no outcome fits: the values that no count gives, or those that do not go together."""
    alone = {k: _bounds(k, value, row, ()) for k, value in sorted(row.passes.items())}
    off_grid = [k for k, (low, high) in alone.items() if low > high]
    problems = [_off_grid(k, row) for k in off_grid]
    rest = replace(row, passes={k: row.passes[k] for k in alone if k not in off_grid})
    counts, decided = _outcome(rest)
    if counts is None and decided:
        problems.append(_together(rest))
    return problems


def _off_grid(k: int, row: PublishedRow) -> str:
    cells = row.n_tasks * comb(row.trials, k)
    value = row.passes[k]
    below = floor(value.value * cells)
    near = " and ".join(f"{n}/{cells} = {n / cells:.4f}" for n in (below, below + 1) if n <= cells)
    return f"no count gives p{k} {value.text}: the nearest are {near}"


def _together(row: PublishedRow) -> str:
    values = ", ".join(f"p{k} {value.text}" for k, value in row.passes.items())
    said = f"no outcome of {row.n_tasks} tasks gives {values} together"
    if set(row.passes) != set(range(1, row.trials + 1)):
        return said
    sums = {0: row.n_tasks}
    sums |= {k: round(value.value * row.n_tasks * comb(row.trials, k)) for k, value in row.passes.items()}
    # The sums determine the counts by binomial inversion.
    counts = [
        sum((-1) ** (k - c) * comb(k, c) * sums[k] for k in range(c, row.trials + 1))
        for c in range(row.trials + 1)
    ]
    needed = ", ".join(f"{count} with {c}" for c, count in reversed(list(enumerate(counts))))
    return f"{said}: the tasks by number of successes would be {needed}"


def _wrong_rho(row: PublishedRow) -> str | None:
    """Return why ρ is wrong; None where it fits, is not printed, or has no pass^1 beside it."""
    if row.rho is None:
        return None
    k = max(row.passes)
    if row.rho.low > 1:
        return f"rho {row.rho.text} is above 1, and pass^{k} is never above pass^1"
    if 1 not in row.passes:
        return None
    top, base = row.passes[k], row.passes[1]
    low, high = rho_interval(top, base)
    if row.rho.low <= high and low <= row.rho.high:
        return None
    return (
        f"rho {row.rho.text} is not p{k} / p1 = {top.text} / {base.text}, which lies within "
        f"{float(low):.4f} and {float(high):.4f} however they were rounded"
    )
