"""What the four tables say, as values: computed once in `tables`, only written out by the views."""

from typing import Literal

from voicebench.report.shape import Measure
from voicebench.types import Row

FORMAT = "voicebench-ablation/1"
"""The key `format` of the JSON; changes when its keys do."""

Name = Literal["hearing", "example", "refusal", "hints"]


class Head(Row):
    """A column: its label, and whose answers under which condition are in it."""

    label: str
    agent: str
    condition: str


class Change(Row):
    """The second of two columns minus the first.

    Attributes:
        start: Label of the first column.
        end: Label of the second one.
        n: Tasks that both have, of which it is the mean difference; unpaired: of both together.
        difference: Second − first; in an average each kind (and language) counts the same.
        low: Lower end of its 95 % interval; None where resampling would feign certainty.
        high: Upper end of it.
        p: Two-sided, of the paired sign-flip test; None where the columns are not paired.
        p_adjusted: p by Holm's method over the kinds of task of a scope and figure; None where there is one.
    """

    start: str
    end: str
    n: int
    difference: float
    low: float | None
    high: float | None
    p: float | None = None
    p_adjusted: float | None = None


class Recovery(Row):
    """The share of the first ASR's loss that the second one recovers.

    Attributes:
        n: Tasks scored under all three.
        loss: Gold − first.
        loss_low: Lower end of its 95 % interval, or None.
        loss_high: Upper end of it, or None.
        share: (second − first) ÷ (gold − first); None where there is no loss to recover.
        low: Lower end of its 95 % interval, or None.
        high: Upper end of it, or None.
    """

    n: int
    loss: float
    loss_low: float | None
    loss_high: float | None
    share: float | None = None
    low: float | None = None
    high: float | None = None


class Line(Row):
    """A row: one figure over one kind of task in one language or group of languages.

    Attributes:
        scope: A language, or a group: see `voicebench.report.groups`.
        over: A kind of task; "kinds" is their mean, each counting the same.
        figure: The figure.
        cells: One a column; None where nothing was to be asked or was asked.
        missing: For each column what its mean is made without.
        absent: For each column why nothing is there; "" where something is.
        changes: One a step; None where the two have no scored task in common.
        recovered: What the second ASR recovers, in the table of hearing; None where one of the three is not
            there.
    """

    scope: str
    over: str
    figure: str
    cells: tuple[Measure | None, ...]
    missing: tuple[tuple[str, ...], ...]
    absent: tuple[str, ...]
    changes: tuple[Change | None, ...]
    recovered: Recovery | None = None


class Table(Row):
    """One ablation.

    Attributes:
        name: Which one.
        title: What it shows.
        columns: Its columns.
        steps: Labels of the columns that are compared: the first one, the second one.
        lines: Its rows; none where nothing of it was asked.
        notes: What a reader must know.
    """

    name: Name
    title: str
    columns: tuple[Head, ...]
    steps: tuple[tuple[str, str], ...]
    lines: tuple[Line, ...]
    notes: tuple[str, ...] = ()


class Ablation(Row):
    """The four ablations of an agent.

    Attributes:
        format: Names this form.
        agent: The agent.
        condition: How tasks reached it where hearing was not varied.
        tables: The tables.
    """

    format: str = FORMAT
    agent: str
    condition: str
    tables: tuple[Table, ...]
