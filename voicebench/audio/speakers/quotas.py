"""How many voices each group (a gender, a language, a source) gives to a choice."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal

import numpy as np

from voicebench.audio.speakers.points import Indices
from voicebench.errors import UserError

Balance = Literal["equal", "proportional"] | Mapping[str, int]
"""Equal shares, shares as among the candidates, or a number for each group."""


def quotas(
    labels: Sequence[str], n: int, *, balance: Balance = "equal", seeds: Sequence[int] = ()
) -> dict[str, int]:
    """Return how many of n voices each group gives, in order of label.

    Shares follow q_g = min(available_g, max(seeds_g, λ w_g)) with w_g = 1 (equal) or available_g
    (proportional) and the λ that makes them add up to n; they are rounded by largest remainder, ties going
    to the group with more voices and then to the first label. Numbers for each group are taken as they are.

    Args:
        labels: The group of each candidate. Several attributes at once are labels like "female, hi".
        n: How many voices are chosen.
        balance: What the shares are.
        seeds: Candidates that are in the choice anyway; they count towards n and their group's share.

    Raises:
        UserError: There are fewer than n candidates, or the numbers do not fit (says which group is short).
    """
    available = dict(sorted(_counts(labels).items()))
    fixed = dict.fromkeys(available, 0) | _counts([labels[index] for index in seeds])
    if not isinstance(balance, str):
        return _as_given(balance, n, available, fixed)
    if balance not in ("equal", "proportional"):
        raise UserError(f"unknown balance {balance!r}. Known: equal, proportional, or numbers for the groups")
    if not len(seeds) <= n <= len(labels):
        have = ", ".join(f"{label!r} {count}" for label, count in available.items())
        raise UserError(f"cannot choose {n} of {len(labels)} voices ({have}). Ask for fewer, or add voices")
    weights = {label: 1 if balance == "equal" else count for label, count in available.items()}
    shares = _shares(n, weights, fixed, available)
    result = {label: int(share) for label, share in shares.items()}
    left = n - sum(result.values())
    order = sorted(shares, key=lambda label: (result[label] - shares[label], -available[label], label))
    for label in order[:left]:
        result[label] += 1
    return result


def _as_given(
    numbers: Mapping[str, int], n: int, available: Mapping[str, int], fixed: Mapping[str, int]
) -> dict[str, int]:
    if sum(numbers.values()) != n:
        raise UserError(
            f"the groups' numbers add up to {sum(numbers.values())}, but {n} voices are asked for"
        )
    for label, number in sorted(numbers.items()):
        have = available.get(label, 0)
        if not 0 <= number <= have:
            raise UserError(f"cannot choose {number} of the {have} voices of group {label!r}. Ask for fewer")
    for label, count in fixed.items():
        room = numbers.get(label, 0)
        if count > room:
            raise UserError(f"{count} of the given voices are of group {label!r}, which is to give {room}")
    return {label: numbers.get(label, 0) for label in available}


def _shares(
    n: int, weights: Mapping[str, int], least: Mapping[str, int], most: Mapping[str, int]
) -> dict[str, Fraction]:
    """Return the shares that λ gives; their sum grows with λ, linearly between the ends of the groups."""

    def at(level: Fraction) -> dict[str, Fraction]:
        return {
            label: min(Fraction(most[label]), max(Fraction(least[label]), level * weight))
            for label, weight in weights.items()
        }

    low = Fraction(0)
    for high in sorted({Fraction(end[g], w) for g, w in weights.items() for end in (least, most)}):
        below, above = sum(at(low).values()), sum(at(high).values())
        if above >= n:
            level = high if above == below else low + (n - below) * (high - low) / (above - below)
            return at(level)
        low = high
    return at(low)


def _counts(labels: Sequence[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for label in labels:
        counts[label] = counts.get(label, 0) + 1
    return counts


class Seats:
    """What is left of the quotas while a choice is made.

    Attributes:
        n: How many voices are chosen in all.
        seeds: The voices that are chosen first.
        group_of: The number of each candidate's group, shape (candidates,), or None for one group of all.
    """

    def __init__(
        self,
        count: int,
        n: int,
        *,
        labels: Sequence[str] | None = None,
        balance: Balance = "equal",
        seeds: Sequence[int] = (),
    ) -> None:
        self.n = n
        self.seeds = tuple(seeds)
        self.group_of: Indices | None = None
        self._left = [n]
        if labels is not None:
            number = {label: index for index, label in enumerate(sorted(set(labels)))}
            self.group_of = np.array([number[label] for label in labels], dtype=np.intp)
            self._left = list(quotas(labels, n, balance=balance, seeds=seeds).values())
        elif not 0 <= n <= count:
            raise UserError(f"cannot choose {n} of {count} voices. Ask for fewer, or add voices")

    def closed(self) -> list[int]:
        """Return the groups that give no more voices."""
        return [group for group, left in enumerate(self._left) if left == 0]

    def take(self, voice: int) -> int | None:
        """Count a voice that was chosen; return its group if that gives no more."""
        group = 0 if self.group_of is None else int(self.group_of[voice])
        self._left[group] -= 1
        return group if self._left[group] == 0 else None

    def members(self, group: int, of: Indices | slice = slice(None)) -> Indices | slice:
        """Return the positions in `of` (shape (voices,); all by default) of a group's voices."""
        return slice(None) if self.group_of is None else np.flatnonzero(self.group_of[of] == group)

    def fill(self, order: Indices, taken: Sequence[int] = ()) -> list[int]:
        """Return `taken` and after them voices in the given order, shape (voices,), as far as seats are left.

        `taken` have been counted already.
        """
        chosen = list(taken)
        held = set(chosen)
        closed = set(self.closed())
        for voice in map(int, order):
            if len(chosen) == self.n:
                break
            if voice in held or (0 if self.group_of is None else int(self.group_of[voice])) in closed:
                continue
            chosen.append(voice)
            ended = self.take(voice)
            if ended is not None:
                closed.add(ended)
        return chosen
