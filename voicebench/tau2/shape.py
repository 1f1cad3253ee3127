"""The JSON of `voicebench tau2 read`: what was read, what it comes to, and what cannot be."""

from pydantic import Field

from voicebench.compare.published import CheckedRow
from voicebench.report.shape import BoundedFigure
from voicebench.types import Row

FORMAT = "voicebench-tau2/1"
"""The key `format` of the JSON; changes when its keys do."""


class AtK(Row):
    """Reliability over k trials, with 95 % intervals over tasks.

    Attributes:
        k: How many trials.
        pass_hat: pass^k, all k succeed; a range where trials are missing.
        pass_hat_low: Lower end of its interval.
        pass_hat_high: Upper end.
        pass_at: pass@k, at least one of k succeeds.
        rho: ρ^k = pass^k ÷ pass^1 of unrounded values; None where nothing succeeded.
        rho_low: Lower end of its interval; None where trials are missing.
        rho_high: Upper end.
    """

    k: int
    pass_hat: BoundedFigure
    pass_hat_low: float | None = None
    pass_hat_high: float | None = None
    pass_at: BoundedFigure
    rho: BoundedFigure | None = None
    rho_low: float | None = None
    rho_high: float | None = None


class Part(Row):
    """How often one part of the reward was right, with a 95 % interval over tasks.

    Attributes:
        name: "state", "said", …; state also where it does not count.
        right: Trials in which it was right.
        of: Trials in which it was looked at.
        low: Lower end of the share's interval.
        high: Upper end.
    """

    name: str
    right: int
    of: int
    low: float | None = None
    high: float | None = None


class Summary(Row):
    """What one result file comes to.

    Attributes:
        source: The file.
        layout: tau-bench, tau2 or tau2-dir.
        domain: As the file names it.
        agent: The agent's model.
        user: The simulated user's model.
        lang: The language, where the file says it.
        n_tasks: Tasks planned.
        trials: Trials planned of each.
        scored: Trials that have a reward.
        failed: Trials that the harness lost, by reason; those that are not in the file are "not run".
        no_verdict: Trials that ran and have no reward, by reason.
        by_k: pass^k, pass@k and ρ^k.
        parts: The parts of the reward.
        ended: How the conversations ended.
        usual: The row that SEATauBench's rule prints of the recorded rewards, checked.
        problems: What contradicts itself in the file.
    """

    source: str
    layout: str
    domain: str | None = None
    agent: str | None = None
    user: str | None = None
    lang: str | None = None
    n_tasks: int
    trials: int
    scored: int
    failed: dict[str, int] = Field(default_factory=dict)
    no_verdict: dict[str, int] = Field(default_factory=dict)
    by_k: tuple[AtK, ...]
    parts: tuple[Part, ...] = ()
    ended: dict[str, int] = Field(default_factory=dict)
    usual: CheckedRow | None = None
    problems: tuple[str, ...] = ()

    @property
    def planned(self) -> int:
        """Trials planned in all."""
        return self.n_tasks * self.trials


class Correlation(Row):
    """How far one language tells another's figure: Pearson's r over pairs of domain and model.

    Attributes:
        figure: p1, p2, … or rho.
        lang: A language, as the table writes it.
        other: The other one.
        n: Pairs of domain and model that both have.
        r: From −1 to 1; None for fewer than three pairs, or where a figure does not vary.
    """

    figure: str
    lang: str
    other: str
    n: int
    r: float | None = None


class Table(Row):
    """A published table: its rows checked, and its languages beside each other.

    Attributes:
        source: The file.
        rows: Each row with its verdict.
        n_rho: Rows that print a ρ.
        n_rho_fitting: Those whose ρ is pass^k ÷ pass^1 of numbers that round to what is printed.
        rho_farthest: How far a printed ρ is from the quotient of the printed numbers, at most.
        rho_farthest_label: The row in which it is.
        correlations: Each pair of languages, for each figure.
        records: The cells of each row; not in the JSON, for they stand in the source.
    """

    source: str
    rows: tuple[CheckedRow, ...]
    n_rho: int = 0
    n_rho_fitting: int = 0
    rho_farthest: float | None = None
    rho_farthest_label: str | None = None
    correlations: tuple[Correlation, ...] = ()
    records: tuple[dict[str, str], ...] = Field(default=(), exclude=True, repr=False)


class Beside(Row):
    """One printed table of SEATauBench beside the repository's numbers for the same experiments.

    Attributes:
        printed: The file with the printed tables.
        own: The repository's file.
        table: The printed table's number.
        n: Rows that both have.
        different: Those in which a pass^k is another one, with both rows' numbers.
    """

    printed: str
    own: str
    table: str
    n: int
    different: tuple[str, ...] = ()


class Report(Row):
    """Everything that a path holds.

    Attributes:
        format: `FORMAT`.
        results: Result files.
        tables: Published tables.
        beside: Printed tables beside the repository's, where both are there.
        skipped: Files that are neither.
    """

    format: str = FORMAT
    results: tuple[Summary, ...] = ()
    tables: tuple[Table, ...] = ()
    beside: tuple[Beside, ...] = ()
    skipped: tuple[str, ...] = ()
