"""What a comparison says, as values: computed once in `comparison`, only written out by the views."""

from typing import Literal

from pydantic import Field

from voicebench.compare.pairs import Cluster
from voicebench.scoring.reliability import AtK
from voicebench.types import ModelRef, Row, TaskKind

FORMAT = "voicebench-comparison/1"
"""The key `format` of the JSON; changes when its keys do."""

Margin = Literal["all", "condition", "task", "lang"]


class SideFacts(Row):
    """One side: what it is and how much of it is scored.

    Attributes:
        path: Where it was read from.
        agent: The agent compared.
        conditions: Its conditions.
        mean: The figure over all its scored items, each the mean of its trials; None where there is none.
        planned: Answers (items x trials) that should have the figure.
        ran: Answers that are there without an error.
        failed: Answers missing, or lost to the harness or the machine.
        judge_failed: Answers that are there without this figure.
        scored: Answers that have it.
        unscored: Why the rest has none: reason to number of answers.
        scoring_versions: The scoring rules of its rows.
        tasks_versions: The task sets of its rows.
        models: The models behind the agent.
    """

    path: str
    agent: str
    conditions: tuple[str, ...]
    mean: float | None
    planned: int
    ran: int
    failed: int
    judge_failed: int
    scored: int
    unscored: dict[str, int] = Field(default_factory=dict)
    scoring_versions: tuple[str, ...]
    tasks_versions: tuple[str, ...]
    models: tuple[ModelRef, ...] = ()


class Difference(Row):
    """B - A over a group of items that both sides have scored.

    Attributes:
        by: What makes the group: "all", a "condition", a kind of "task", or a "lang".
        name: Which one; "all" for all.
        n: Items.
        n_clusters: Clusters that they are from.
        a: A's mean over them.
        b: B's mean.
        difference: Mean of B - A.
        low: Lower end of the 95 % interval; None where resampling would feign certainty.
        high: Upper end of it.
        p: Two-sided.
        p_adjusted: p by Holm's method over the family; None for the difference over all, which is not in it.
        test: "mcnemar" or "sign-flip".
        n_worse: Items on which B is worse.
        n_better: Items on which B is better.
    """

    by: Margin
    name: str
    n: int
    n_clusters: int
    a: float
    b: float
    difference: float
    low: float | None
    high: float | None
    p: float
    p_adjusted: float | None = None
    test: Literal["mcnemar", "sign-flip"]
    n_worse: int
    n_better: int


class Pairing(Row):
    """Which items could be compared; none is dropped without being counted here.

    Attributes:
        shared: Items scored on both sides.
        only_a: Items that B does not have.
        only_b: Items that A does not have.
        unscored: Items on both sides, but unscored in one or both.
        unscored_a: Why A's are unscored: reason to number of items.
        unscored_b: Why B's are.
    """

    shared: int
    only_a: int
    only_b: int
    unscored: int
    unscored_a: dict[str, int] = Field(default_factory=dict)
    unscored_b: dict[str, int] = Field(default_factory=dict)


class DifferenceBounds(Row):
    """The difference had every unscored answer gone against B, or for it.

    Attributes:
        n: Items that it is over: all but those that the other side is known not to have been asked.
        n_incomplete: Those of them with an unscored answer.
        low: Unscored answers of B counted 0, of A counted 1.
        high: The other way round.
    """

    n: int
    n_incomplete: int
    low: float
    high: float


class Flip(Row):
    """An item that B answers worse or better than A.

    Attributes:
        task_id: The task.
        condition: How it was given; "text → speech" where the sides differ.
        task: Its kind.
        lang: Its language.
        a: A's figure, the mean over trials.
        b: B's.
        change: "worse" or "better".
        why: The first reason of the worse side's worst answer, or None.
    """

    task_id: str
    condition: str
    task: TaskKind
    lang: str
    a: float
    b: float
    change: Literal["worse", "better"]
    why: str | None = None


class SideReliability(Row):
    """How reliable one side is over its trials of a condition.

    Attributes:
        side: "a" or "b".
        condition: The condition.
        n_tasks: Tasks.
        trials: Trials planned of each.
        n_present: Trials scored, of n_tasks x trials.
        by_k: pass@k, pass^k and rho for each k, bounded where trials are missing.
    """

    side: Literal["a", "b"]
    condition: str
    n_tasks: int
    trials: int
    n_present: int
    by_k: tuple[AtK, ...]


class Comparison(Row):
    """Two sides compared.

    Attributes:
        format: Names this form.
        figure: What is compared.
        cluster: What is resampled and flipped together.
        a: The first side, the baseline.
        b: The second side.
        pairing: Which items could be compared.
        overall: The difference over all of them; None where there is none.
        groups: By condition, kind and language, where there are several.
        family: What p is adjusted over, in words; "" where nothing is.
        bounds: What unscored answers could change; None where all are scored.
        flips: Items that changed, worse first, the largest change first.
        reliability: Over trials, where there are several and the figure is 0 or 1.
        notes: What a reader must know before believing the difference.
    """

    format: str = FORMAT
    figure: str
    cluster: Cluster
    a: SideFacts
    b: SideFacts
    pairing: Pairing
    overall: Difference | None
    groups: tuple[Difference, ...] = ()
    family: str = ""
    bounds: DifferenceBounds | None = None
    flips: tuple[Flip, ...] = ()
    reliability: tuple[SideReliability, ...] = ()
    notes: tuple[str, ...] = ()
