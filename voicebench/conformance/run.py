"""Hold what a scorer says of the cases against what it should say, and count by kind."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from voicebench.conformance.answers import Answer, Said, Scorer
from voicebench.types import ConformanceRow, Figure

TOLERANCE = 1e-6
"""How far a figure may lie from the wanted one: fractions are written in the cases with six digits."""

State = Literal["passed", "failed", "not judged", "error"]
_NO_ANSWER = Answer(error="no answer")


@dataclass(frozen=True)
class Disagreement:
    """A figure that is not what it should be; None is "unscored"."""

    figure: str
    want: Figure
    got: Figure


@dataclass(frozen=True)
class Outcome:
    """How a scorer did on one case.

    Attributes:
        case: The case.
        disagreements: The figures that are wrong.
        judged: How many of the wanted figures the scorer gives.
        error: Why it gives none at all, where it failed.
    """

    case: ConformanceRow
    disagreements: tuple[Disagreement, ...]
    judged: int
    error: str | None = None

    @property
    def state(self) -> State:
        """Passed only if something was judged and all of that is right."""
        if self.error is not None:
            return "error"
        if not self.judged:
            return "not judged"
        return "failed" if self.disagreements else "passed"


@dataclass(frozen=True)
class Tally:
    """How many cases of one kind ended how."""

    kind: str
    cases: int
    passed: int
    failed: int
    not_judged: int
    errors: int


@dataclass(frozen=True)
class Result:
    """How a scorer did.

    Attributes:
        outcomes: One a case, in the cases' order.
        faults: What went wrong that belongs to no case.
    """

    outcomes: tuple[Outcome, ...]
    faults: tuple[str, ...] = ()

    @property
    def total(self) -> Tally:
        """The count over all kinds."""
        return _tally("all", self.outcomes)

    @property
    def conforms(self) -> bool:
        """Whether something was judged, all that was judged is right, and nothing failed."""
        total = self.total
        return total.passed > 0 and not (total.failed or total.errors or self.faults)

    def by_kind(self) -> list[Tally]:
        """Return the count of each kind, in the order in which the kinds first come."""
        kinds = dict.fromkeys(outcome.case.kind for outcome in self.outcomes)
        return [_tally(kind, [o for o in self.outcomes if o.case.kind == kind]) for kind in kinds]


def run(scorer: Scorer, cases: Sequence[ConformanceRow]) -> Result:
    """Let a scorer score the cases, and hold what it says against what it should say.

    A figure that it does not give is not judged; a case without an answer is an error. Neither passes.
    """
    return judged(cases, scorer(cases))


def judged(cases: Sequence[ConformanceRow], said: Said) -> Result:
    """Hold what a scorer said against what it should have said."""
    outcomes = (_outcome(case, said.answers.get(case.id, _NO_ANSWER)) for case in cases)
    return Result(tuple(outcomes), said.faults)


def _outcome(case: ConformanceRow, answer: Answer) -> Outcome:
    if answer.error is not None:
        return Outcome(case, (), 0, answer.error)
    given = {figure: answer.figures[figure] for figure in case.want if figure in answer.figures}
    wrong = tuple(
        Disagreement(figure, case.want[figure], got)
        for figure, got in given.items()
        if not _same(got, case.want[figure])
    )
    return Outcome(case, wrong, len(given))


def _same(got: Figure, want: Figure) -> bool:
    if got is None or want is None:
        return got is want
    return abs(got - want) <= TOLERANCE


def _tally(kind: str, outcomes: Sequence[Outcome]) -> Tally:
    states = [outcome.state for outcome in outcomes]
    return Tally(
        kind, len(states), states.count("passed"), states.count("failed"), states.count("not judged"),
        states.count("error"),
    )  # fmt: skip
