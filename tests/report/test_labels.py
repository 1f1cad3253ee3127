"""Names and numbers as people read them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.report.labels import (
    CAUSE_LABELS,
    CAUSE_MEANINGS,
    FIGURE_LABELS,
    FIGURE_MEANINGS,
    bounded,
    condition_order,
    count,
    count_cells,
    cut,
    interval,
    listed,
    lost,
    number,
    one_line,
    reasons,
    scored_of_planned,
    shown,
    signed,
    without,
)
from voicebench.report.shape import Aggregate, BoundedFigure, Measure
from voicebench.scoring.blame import CAUSES
from voicebench.scoring.statistics import Counts
from voicebench.types import FIGURES


def test_a_missing_number_is_a_dash_and_never_0() -> None:
    assert number(None) == "–"
    assert signed(None) == "–"


@pytest.mark.parametrize(
    ("value", "said"), [(0.0, "0.00"), (-0.001, "0.00"), (1, "1.00"), (-0.25, "−0.25"), (12.345, "12.35")]
)
def test_numbers_have_two_decimals_and_a_real_minus_sign(value: float, said: str) -> None:
    assert number(value) == said


@pytest.mark.parametrize(
    ("value", "said"), [(0.25, "+0.25"), (-0.25, "−0.25"), (0.0, "0.00"), (0.001, "0.00"), (-0.001, "0.00")]
)
def test_a_difference_has_its_sign_unless_it_rounds_to_nothing(value: float, said: str) -> None:
    assert signed(value) == said


def test_an_interval_with_a_minus_sign_is_joined_by_a_word() -> None:
    assert interval(0.1, 0.4) == "0.10–0.40"
    assert interval(-0.1, 0.4) == "−0.10 to 0.40"
    assert interval(None, 0.4) == ""


def test_one_of_a_thing_is_singular() -> None:
    assert (count(1, "task"), count(0, "task"), count(1200, "task")) == ("1 task", "0 tasks", "1,200 tasks")


def test_words_are_listed_in_english() -> None:
    assert (listed([]), listed(["1"]), listed(["1", "2", "3"])) == ("", "1", "1, 2 and 3")


def test_the_most_frequent_reason_comes_first() -> None:
    assert reasons({"not run": 2, "timed out": 5, "crashed": 2}) == "5 timed out, 2 crashed, 2 not run"


def test_conditions_go_from_text_over_transcripts_to_speech_and_its_effects() -> None:
    conditions = ["speech/noise-10dB", "odd", "speech", "transcript:whisper-tiny", "text", "transcript:a"]
    assert sorted(conditions, key=condition_order) == [
        "text", "transcript:a", "transcript:whisper-tiny", "speech", "speech/noise-10dB", "odd",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["जयनगर से मैजेस्टिक", "கட்டணம் என்ன?", "ค่ารถเท่าไหร่", "क्‍ष", "మైసూర్‌", "日本語", ""])
def test_letters_marks_and_joiners_of_every_script_stay(text: str) -> None:
    assert one_line(text) == text
    assert cut(text) == text


def test_control_characters_and_direction_overrides_do_not_reach_a_terminal() -> None:
    assert one_line("a\x1b[31mb\nc\u202ed\x00") == "a [31mb c d"


def test_a_long_line_is_cut_with_an_ellipsis() -> None:
    assert one_line("word " * 100, 12) == "word word w…"


def test_a_long_text_is_cut_and_says_so() -> None:
    assert cut("x" * 1_000_000, 5) == "xxxxx … [cut: 5 of 1,000,000 characters shown]"


def test_half_a_surrogate_becomes_a_question_mark() -> None:
    assert cut("a\ud800b") == "a?b"


def test_a_value_is_shown_as_json_with_its_letters() -> None:
    assert shown({"जगह": ["ऑटो", 1, None]}) == '{"जगह": ["ऑटो", 1, null]}'


def test_a_value_that_is_too_deep_to_write_is_named_as_such() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert shown(deep) == "(too deep to show)"
    while deep:  # unwound by hand: freeing it at once would exhaust the stack
        deep = deep.pop()  # type: ignore[assignment]


@given(st.text())
def test_one_line_holds_no_line_break_and_keeps_its_limit(text: str) -> None:
    line = one_line(text, 20)
    assert len(line) <= 20
    assert len(line.splitlines()) <= 1


def aggregate(scope: str, *missing: str) -> Aggregate:
    empty = Measure(mean=None, low=None, high=None, n_tasks=0, counts=Counts(0, 0, 0, 0, 0))
    return Aggregate(
        scope=scope, agent="a", condition="text", over="kinds", figure="parameters", measure=empty,
        missing=missing,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (aggregate("indic"), ""),
        (aggregate("indic", "bn", "mr"), "without bn, mr"),
        (aggregate("indic", "bn", "mr", "te", "ml"), "only hi, ta"),
        (aggregate("indic", "bn", "mr", "te", "ml", "dialogue/ta"), "only hi, ta; without dialogue in ta"),
        (aggregate("sea", "dialogue", "zh"), "without dialogue, zh"),
        (aggregate("all", "hi", "th"), "without hi, th"),
        (aggregate("ta", "dialogue"), "without dialogue"),
    ],
)
def test_what_an_average_is_made_without_is_named(found: Aggregate, said: str) -> None:
    assert without(found) == said


def test_a_figure_with_missing_trials_is_a_range() -> None:
    assert bounded(BoundedFigure(estimate=0.5, low=0.5, high=0.5)) == "0.50"
    assert bounded(BoundedFigure(estimate=None, low=0.2, high=0.45)) == "0.20 to 0.45"
    assert bounded(None) == "–"


def test_what_became_of_the_rest_is_said_by_whose_fault_it_is() -> None:
    found = Measure(
        mean=0.5, low=None, high=None, n_tasks=2, counts=Counts(10, 5, 5, 3, 2),
        failed={"timed out": 3, "not run": 2}, judge_failed={"unsure: neither": 2, "unsure: empty": 1},
    )  # fmt: skip
    assert lost(found) == ["5 failed: 3 timed out, 2 not run", "3 no verdict: unsure"]
    assert scored_of_planned(found) == "2 of 10"
    assert count_cells(found.counts) == ["10", "5", "5", "3", "2"]


def test_every_cause_and_figure_has_a_name_and_a_meaning() -> None:
    assert set(CAUSE_LABELS) == set(CAUSE_MEANINGS) == set(CAUSES)
    assert set(FIGURES) <= set(FIGURE_LABELS)
    assert set(FIGURES) <= set(FIGURE_MEANINGS)
