"""What a gate checks and what it found, as values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from voicebench.compare.comparison import members
from voicebench.compare.pairs import Cluster, Pair
from voicebench.compare.shape import Margin
from voicebench.compare.source import Source
from voicebench.errors import UserError, did_you_mean
from voicebench.types import Row

FORMAT = "voicebench-gate/1"
"""The key `format` of the JSON; changes when its keys do."""

CheckKind = Literal["scored", "minimum", "no worse"]


@dataclass(frozen=True)
class Limits:
    """What a run must hold.

    Attributes:
        minima: Figure to the least it may be.
        figures: Figures that may be no worse than the baseline's.
        min_scored: Least share of the planned answers (of the baseline's items) that must be scored.
        alpha: The risk of a false alarm, over all minima together and over all losses together.
        margin: Loss that is tolerated, as a share (0.02 is two points of a hundred).
        strict_minimum: Fail where the figure itself is below its minimum, real or not.
        rule_out: Fail where a loss beyond the margin cannot be ruled out (non-inferiority).
        by: Also check each group of these.
        cluster: What varies together.
    """

    minima: Mapping[str, float]
    figures: tuple[str, ...] = ()
    min_scored: float = 0.95
    alpha: float = 0.05
    margin: float = 0.0
    strict_minimum: bool = False
    rule_out: bool = False
    by: tuple[Margin, ...] = ()
    cluster: Cluster = "item"


class Check(Row):
    """One check and how it came out.

    Attributes:
        kind: What is checked.
        figure: Of which figure.
        condition: Under which condition.
        group: "all", or "lang hi", "task single".
        passed: Whether it holds.
        message: What was found, in one line.
        limit: The bound: a share, a figure, or minus the margin.
        value: What is held against it; None where nothing is scored.
        low: Lower end of its interval, or None.
        high: Upper end of it, or None.
        n: Items (for "scored": answers, or the baseline's items) that it rests on.
        p: For "no worse": two-sided, not adjusted.
        p_adjusted: The same by Holm's method.
    """

    kind: CheckKind
    figure: str
    condition: str
    group: str
    passed: bool
    message: str
    limit: float
    value: float | None
    low: float | None = None
    high: float | None = None
    n: int
    p: float | None = None
    p_adjusted: float | None = None

    @property
    def name(self) -> str:
        """What is checked, where: "parameters, speech, lang hi: minimum"."""
        group = "" if self.group == "all" else f", {self.group}"
        return f"{self.figure}, {self.condition}{group}: {self.kind}"


class GateResult(Row):
    """All checks of a gate.

    Attributes:
        format: Names this form.
        run: Where the run was read from.
        agent: The agent that was checked.
        baseline: Where the baseline was read from, or None.
        passed: Whether all checks hold.
        checks: In order.
        notes: What a reader must know.
    """

    format: str = FORMAT
    run: str
    agent: str
    baseline: str | None = None
    passed: bool
    checks: tuple[Check, ...] = Field(min_length=1)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Group:
    """What one check is over: items with one figure under one condition, all of them or one group's."""

    figure: str
    condition: str
    name: str
    pairs: tuple[Pair, ...]

    def check(self, kind: CheckKind, **found: object) -> Check:
        """Return a check of this group with what was found."""
        about = {"kind": kind, "figure": self.figure, "condition": self.condition, "group": self.name}
        return Check.model_validate(about | found)


def groups(pairs: Sequence[Pair], figure: str, condition: str, by: Sequence[Margin]) -> Iterator[Group]:
    """Yield the group of all items, then those of each margin with several; none where there is no item."""
    if not pairs:
        return
    yield Group(figure, condition, "all", tuple(pairs))
    for margin in by:
        found = members(pairs, margin)
        for name, places in found.items() if len(found) > 1 else ():
            yield Group(figure, condition, f"{margin} {name}", tuple(pairs[place] for place in places))


def no_figure(source: Source, agent: str, figure: str, conditions: Sequence[str]) -> UserError:
    """Return the error for a figure that no item of an agent has."""
    present = {
        name for answer in source.merged.answers
        if answer.agent == agent and answer.condition in conditions for name in answer.values
    }  # fmt: skip
    return UserError(f"{source.path}: no item of {agent} has {figure!r}.{did_you_mean(figure, present)}")
