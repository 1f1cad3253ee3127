"""What a scorer is shown, and how its answers are read."""

from typing import Any

import pytest

from tests.conformance.cases import GOLD, case
from voicebench.conformance.answers import Answer, own_scorer, question_of, read_answer
from voicebench.types import FIGURES


def test_a_scorer_does_not_see_the_verdicts() -> None:
    shown = question_of(case("x", reference_date="2026-11-30"))
    assert set(shown) == {"id", "kind", "lang", "tools", "expect", "answer", "reference_date"}
    assert shown["expect"] == GOLD


def test_figures_are_read_and_the_id_is_no_figure() -> None:
    said = {"id": "x", "parameters": 1, "parameter_fraction": 0.5, "refusal": None}
    assert read_answer(said) == Answer({"parameters": 1, "parameter_fraction": 0.5, "refusal": None})


def test_truth_values_are_one_and_zero() -> None:
    figures = read_answer({"parameters": True, "tool_selection": False}).figures
    assert figures == {"parameters": 1, "tool_selection": 0}
    assert [type(value) for value in figures.values()] == [int, int]


def test_an_error_is_no_figure() -> None:
    assert read_answer({"error": "out of memory", "parameters": 1}) == Answer(error="out of memory")


def test_a_null_error_is_none() -> None:
    assert read_answer({"error": None, "parameters": 0}) == Answer({"parameters": 0})


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (None, "an answer is an object, not NoneType"),
        ([1], "an answer is an object, not list"),
        ({"parameter": 1}, "unknown figure 'parameter'. Did you mean 'parameters'?"),
        ({"parameters": "1"}, "parameters must be a number from 0 to 1, or null, not '1'"),
        ({"parameters": 2}, "parameters must be a number from 0 to 1, or null, not 2"),
        ({"parameters": -0.5}, "parameters must be a number from 0 to 1, or null, not -0.5"),
        ({"parameters": float("nan")}, "parameters must be a number from 0 to 1, or null, not nan"),
        ({"parameters": [1]}, "parameters must be a number from 0 to 1, or null, not [1]"),
    ],
)
def test_what_is_no_answer_is_said(said: Any, why: str) -> None:
    with pytest.raises(ValueError) as raised:
        read_answer(said)
    assert str(raised.value) == why


def test_a_number_without_end_is_no_figure() -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        read_answer({"parameters": 10**400})


def test_our_scorer_gives_every_figure() -> None:
    figures = own_scorer([case("x")]).answers["x"].figures
    assert tuple(figures) == FIGURES
    assert (figures["parameters"], figures["call_structure"], figures["refusal"]) == (1, 1, None)


def test_our_scorer_says_what_is_wrong_with_a_schema() -> None:
    broken = {
        "name": "weather.get",
        "parameters": {"type": "object", "properties": {"city": {"type": "strng"}}},
    }
    answer = own_scorer([case("x", tools=[broken])]).answers["x"]
    assert answer.error is not None and "Did you mean 'string'?" in answer.error
