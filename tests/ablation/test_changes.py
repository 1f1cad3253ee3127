"""Differences between columns: paired ones with p, and those of different requests."""

import pytest

from tests.ablation.helpers import AGENT, CASCADE, SPEECH, TEXT, column, refusals, run_of, safety, safety_run
from voicebench.ablation import Subject, tables
from voicebench.ablation.changes import unpaired_difference
from voicebench.ablation.shape import Change, Table
from voicebench.report.shape import Measure
from voicebench.scoring.statistics import Counts, wilson


def measure(successes: int, n: int) -> Measure:
    ends = wilson(successes, n)
    counts = Counts(planned=n, ran=n, failed=0, judge_failed=0, scored=n)
    if ends is None:
        return Measure(mean=None, low=None, high=None, n_tasks=0, counts=counts)
    return Measure(mean=successes / n, low=ends.low, high=ends.high, n_tasks=n, counts=counts)


def change(table: Table, scope: str, over: str, step: int = 0) -> Change | None:
    [line] = [
        line for line in table.lines if (line.scope, line.over, line.figure) == (scope, over, "parameters")
    ]
    return line.changes[step]


def test_a_change_is_over_the_tasks_that_both_columns_have() -> None:
    run = run_of({
        (AGENT, TEXT): column("single-hi", [1, 1, 1, 0]),
        (AGENT, SPEECH): column("single-hi", [0, 0, None]),
    })  # fmt: skip
    hearing, *_ = tables(run, CASCADE).tables
    found = change(hearing, "hi", "single")
    assert found == Change(
        start="gold text", end="whisper-base", n=2, difference=-1.0, low=None, high=None, p=0.5
    )


def test_p_of_kinds_is_adjusted_over_the_kinds_and_that_of_their_mean_is_not() -> None:
    run = run_of({
        (AGENT, TEXT): column("single-ta", [1] * 6) | column("parallel-ta", [1] * 5 + [0]),
        (AGENT, SPEECH): column("single-ta", [0] * 6) | column("parallel-ta", [0] * 5 + [0]),
    })  # fmt: skip
    hearing, *_ = tables(run, CASCADE).tables
    single, parallel, both = (change(hearing, "ta", over) for over in ("single", "parallel", "kinds"))
    assert single is not None and parallel is not None and both is not None
    assert (single.p, single.p_adjusted) == (2 / 64, 4 / 64)
    assert (parallel.p, parallel.p_adjusted) == (2 / 32, 4 / 64)
    assert (both.p, both.p_adjusted) == (2 / 2**11, None)
    assert both.difference == pytest.approx(-(1 + 5 / 6) / 2)


def test_a_language_counts_as_much_as_another_one() -> None:
    run = run_of({
        (AGENT, TEXT): column("single-en", [1, 1, 1]) | column("single-th", [1]),
        (AGENT, SPEECH): column("single-en", [0, 0, 0]) | column("single-th", [1]),
    })  # fmt: skip
    hearing, *_ = tables(run, CASCADE).tables
    found = change(hearing, "all", "single")
    assert found is not None
    assert (found.n, found.difference) == (4, pytest.approx(-0.5))


def test_columns_without_a_common_task_have_no_change() -> None:
    run = run_of({(AGENT, TEXT): {"single-hi-1": 1.0}, (AGENT, SPEECH): {"single-hi-2": 1.0}})
    hearing, *_ = tables(run, CASCADE).tables
    assert change(hearing, "hi", "single") is None


def test_the_difference_of_different_requests_is_newcombes() -> None:
    # R. G. Newcombe (1998), table II, method 10: 56/70 against 48/80.
    found = unpaired_difference(measure(48, 80), measure(56, 70))
    assert found is not None
    assert [round(value, 4) for value in found if value is not None] == [0.2, 0.0524, 0.3339]


def test_an_end_that_is_not_known_makes_no_interval() -> None:
    first = measure(1, 2).model_copy(update={"low": None, "high": None})
    assert unpaired_difference(first, measure(2, 2)) == (0.5, None, None)
    assert unpaired_difference(measure(0, 0), measure(1, 1)) is None


def test_hints_are_compared_without_pairs_and_without_p() -> None:
    tasks = [safety(n, harmful=True, hint=n < 4) for n in range(8)]
    run = safety_run(tasks, refusals(tasks, [0, 0, 0, 0, 1, 1, 1, 1]))
    *_, hints = tables(run, Subject(AGENT)).tables
    [line] = [line for line in hints.lines if line.figure == "refused_harmful"]
    [found] = line.changes
    assert found is not None
    assert (found.start, found.end, found.n, found.difference, found.p) == ("no hint", "hint", 8, -1.0, None)
    assert (found.low, round(found.high or 0, 4)) == (-1.0, -0.3072)
