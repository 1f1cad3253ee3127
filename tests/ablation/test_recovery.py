"""The share of the first ASR's loss that the second one recovers."""

import pytest

from tests.ablation.helpers import AGENT, CASCADE, SECOND, SPEECH, TEXT, column, run_of
from voicebench.ablation import tables
from voicebench.ablation.shape import Recovery
from voicebench.report.run_data import RunData


def recovered(run: RunData, scope: str = "hi", over: str = "single") -> Recovery | None:
    hearing, *_ = tables(run, CASCADE).tables
    places = {(line.scope, line.over, line.figure): line.recovered for line in hearing.lines}
    return places[scope, over, "parameters"]


def single(gold: list[float | None], first: list[float | None], second: list[float | None]) -> RunData:
    values = {TEXT: gold, SPEECH: first, SECOND: second}
    return run_of({(AGENT, condition): column("single-hi", of) for condition, of in values.items()})


def test_half_of_a_whole_loss() -> None:
    found = recovered(single([1, 1, 1, 1], [0, 0, 0, 0], [1, 1, 0, 0]))
    # Of four tasks none (1 of 16 resamples) to all may be drawn from those that are recovered.
    assert found == Recovery(n=4, loss=1.0, loss_low=None, loss_high=None, share=0.5, low=0.0, high=1.0)


def test_a_second_asr_that_is_worse_recovers_less_than_nothing() -> None:
    gold: list[float | None] = [1] * 10
    found = recovered(single(gold, [1, 1, 1, 1, 0, 0, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0, 0, 0, 0, 0]))
    assert found is not None
    assert (found.loss, found.share) == (pytest.approx(0.6), pytest.approx(-1 / 6))
    assert found.low is not None and found.high is not None
    assert found.low < -1 / 6 <= found.high == 0.0


def test_one_task_has_a_share_and_no_interval() -> None:
    found = recovered(single([1], [0], [1]))
    assert found == Recovery(n=1, loss=1.0, loss_low=None, loss_high=None, share=1.0)


def test_half_is_recovered_in_several_languages_together() -> None:
    values = {TEXT: [1] * 4, SPEECH: [0] * 4, SECOND: [1, 0, 1, 0]}
    run = run_of({
        (AGENT, condition): column("single-hi", of) | column("single-ta", of) | column("single-th", of[:2])
        for condition, of in values.items()
    })  # fmt: skip
    found = recovered(run, scope="all")
    assert found is not None
    assert (found.n, found.loss, found.share) == (10, 1.0, pytest.approx(0.5))
    assert found.low is not None and found.high is not None and 0 <= found.low < 0.5 < found.high <= 1


def test_tasks_that_one_of_the_three_lacks_are_left_out() -> None:
    found = recovered(single([1, 1, 1, 1], [0, 0, None, 0], [1, 0, 1]))
    assert found is not None
    assert (found.n, found.loss, found.share) == (2, 1.0, 0.5)


@pytest.mark.parametrize(
    ("gold", "first"),
    [
        ([1, 1, 1, 1], [1, 1, 1, 1]),  # none
        ([0, 0, 1, 1], [1, 1, 1, 1]),  # a gain
        ([1, 1, 1, 1], [0, 1, 1, 1]),  # an interval that holds 0
    ],
)
def test_where_nothing_is_lost_for_certain_nothing_is_recovered(
    gold: list[float | None], first: list[float | None]
) -> None:
    found = recovered(single(gold, first, [1, 1, 1, 1]))
    assert found is not None
    assert (found.share, found.low, found.high) == (None, None, None)


def test_in_the_mean_of_kinds_each_kind_counts_the_same() -> None:
    run = run_of({
        (AGENT, TEXT): column("single-hi", [1, 1]) | column("parallel-hi", [1, 1, 1, 1]),
        (AGENT, SPEECH): column("single-hi", [0, 0]) | column("parallel-hi", [0, 0, 0, 1]),
        (AGENT, SECOND): column("single-hi", [1, 0]) | column("parallel-hi", [1, 0, 0, 1]),
    })  # fmt: skip
    found = recovered(run, over="kinds")
    # Lost: 1 and 3/4; recovered: 1/2 and 1/4.
    assert found is not None
    assert (found.loss, found.share) == (pytest.approx(7 / 8), pytest.approx((3 / 4) / (7 / 4)))


def test_without_an_answer_under_one_of_the_three_nothing_is_said() -> None:
    run = run_of({(AGENT, TEXT): column("single-hi", [1]), (AGENT, SPEECH): column("single-hi", [0])})
    assert recovered(run) is None
