"""What a scorer says of the cases, in the form in which every scorer answers; and our own scorer."""

import reprlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from voicebench.conformance.suite import response_of, task_of
from voicebench.errors import UserError, did_you_mean
from voicebench.files import to_json
from voicebench.scoring.score import score
from voicebench.types import FIGURES, ConformanceRow, Figure


@dataclass(frozen=True)
class Answer:
    """What a scorer says of one case.

    Attributes:
        figures: The figures that it gives; None is its word for "unscored".
        error: Why it gives none; None where it does.
    """

    figures: Mapping[str, Figure] = field(default_factory=dict)
    error: str | None = None


@dataclass(frozen=True)
class Said:
    """What a scorer says of all cases.

    Attributes:
        answers: By the case's id.
        faults: What went wrong that belongs to no case.
    """

    answers: Mapping[str, Answer]
    faults: tuple[str, ...] = ()


_shown = reprlib.repr
Scorer = Callable[[Sequence[ConformanceRow]], Said]
"""Whatever can be run against the cases."""


def own_scorer(cases: Sequence[ConformanceRow]) -> Said:
    """Let `voicebench.scoring` score the cases; it gives every figure, None where one does not apply."""
    return Said({case.id: _own_answer(case) for case in cases})


def question_of(case: ConformanceRow) -> dict[str, Any]:
    """Return what a scorer gets to see of a case: everything but the verdicts and their reason."""
    row = to_json(case)
    return {key: value for key, value in row.items() if key not in ("want", "why")}


def read_answer(said: Any) -> Answer:
    """Return what a scorer said of one case: figures, or `{"error": …}`; `id` is ignored here.

    A figure is a number from 0 to 1, true or false for 1 or 0, or null for "unscored".

    Raises:
        ValueError: It is neither; the message says why.
    """
    if not isinstance(said, Mapping):
        raise ValueError(f"an answer is an object, not {type(said).__name__}")
    if said.get("error") is not None:
        return Answer(error=str(said["error"]))
    figures: dict[str, Figure] = {}
    for name, value in said.items():
        if name in ("id", "error"):
            continue
        if name not in FIGURES:
            raise ValueError(f"unknown figure {_shown(name)}.{did_you_mean(str(name)[:80], FIGURES)}")
        if value is not None and not (isinstance(value, int | float) and 0 <= value <= 1):
            raise ValueError(f"{name} must be a number from 0 to 1, or null, not {_shown(value)}")
        figures[name] = int(value) if isinstance(value, bool) else value
    return Answer(figures)


def _own_answer(case: ConformanceRow) -> Answer:
    try:
        scores = score(task_of(case), response_of(case))
    except UserError as error:
        return Answer(error=str(error))
    return Answer({figure: getattr(scores, figure) for figure in FIGURES})
