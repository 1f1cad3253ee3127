"""Where marks stand."""

import pytest

from voicebench.report.charts import axis, bar, chain, place, span, stack, ticks
from voicebench.report.shape import GapPoint, Latency


def test_a_mark_is_placed_within_the_padding_and_never_outside() -> None:
    assert [place(value, 0, 1) for value in (0, 0.5, 1, 7, -7)] == [
        "2.00%",
        "50.00%",
        "98.00%",
        "98.00%",
        "2.00%",
    ]


def test_a_scale_without_length_has_a_place() -> None:
    assert place(3, 3, 3) == "2.00%"
    assert ticks(3, 3) == [3]


@pytest.mark.parametrize(
    ("low", "high", "marks"),
    [
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0, 2.52, [0, 1, 2]),
        (-0.5, 0.1, [-0.4, -0.2, 0]),
        (0, 45, [0, 10, 20, 30, 40]),
    ],
)
def test_ticks_are_round_numbers_within_the_scale(low: float, high: float, marks: list[float]) -> None:
    assert ticks(low, high) == pytest.approx(marks)


def test_a_bar_has_a_whisker_only_where_there_is_an_interval() -> None:
    assert bar(0.5, 0.25, 0.75).count("whisker") == 3
    assert "whisker" not in bar(0.5, None, None)
    assert 'x2="50.00%"' in bar(0.5, None, None)


def test_a_chain_says_its_numbers_to_who_cannot_see_it() -> None:
    points = [GapPoint(condition="text", mean=0.75, low=0.5, high=0.9),
              GapPoint(condition="<speech>", mean=0.5, low=None, high=None)]  # fmt: skip
    assert 'aria-label="text 0.75 [0.50–0.90], &lt;speech&gt; 0.50 [–]"' in chain(points)


def test_an_axis_has_as_many_decimals_as_its_ticks_need() -> None:
    assert ">1\u00a0s</span>" in axis([0, 1, 2], 0, 2, "\u00a0s")
    assert ">0.25</span>" in axis([0, 0.25], 0, 1)


def test_a_span_draws_negative_seconds() -> None:
    row = Latency(agent="a", condition="speech", moment="done", n=1, p50_s=-0.5, p90_s=0.0, p99_s=1.0)
    assert 'cx="2.00%"' in span(row, -0.5, 1.0, [])


def test_a_stack_lays_shares_side_by_side_and_leaves_out_what_is_0() -> None:
    drawn = stack([("hearing", 0.25), ("planning", 0.0), ("writing", 0.5)])
    assert drawn.count("<rect") == 2
    assert '<rect class="hearing" x="0.00%" y="0" width="25.00%" height="16"/>' in drawn
    assert '<rect class="writing" x="25.00%" y="0" width="50.00%" height="16"/>' in drawn
