"""Passed, failed, not judged, error: what counts as what."""

import pytest

from tests.conformance.cases import case
from voicebench.conformance.answers import Answer, Said
from voicebench.conformance.run import Disagreement, Tally, judged, run
from voicebench.types import ConformanceRow, Figure


def outcome_of(want: dict[str, Figure], answer: Answer) -> tuple[str, tuple[Disagreement, ...]]:
    (outcome,) = judged([case("x", want=want)], Said({"x": answer})).outcomes
    return outcome.state, outcome.disagreements


def test_a_case_passes_where_all_is_right() -> None:
    assert outcome_of(
        {"parameters": 1, "call_structure": 0}, Answer({"parameters": 1, "call_structure": 0})
    ) == (
        "passed",
        (),
    )


def test_one_wrong_figure_fails_it() -> None:
    state, found = outcome_of(
        {"parameters": 1, "call_structure": 1}, Answer({"parameters": 1, "call_structure": 0})
    )
    assert (state, found) == ("failed", (Disagreement("call_structure", 1, 0),))


def test_a_figure_that_is_not_given_is_not_held_against_it() -> None:
    assert outcome_of({"parameters": 1, "call_structure": 1}, Answer({"parameters": 1})) == ("passed", ())


def test_a_case_of_which_nothing_is_given_does_not_pass() -> None:
    assert outcome_of({"refusal": 1}, Answer({"parameters": 1})) == ("not judged", ())
    assert outcome_of({"refusal": 1}, Answer()) == ("not judged", ())


def test_unscored_is_wrong_where_a_number_is_wanted_and_the_other_way() -> None:
    assert outcome_of({"refusal": 1}, Answer({"refusal": None}))[0] == "failed"
    assert outcome_of({"refusal": None}, Answer({"refusal": 0}))[0] == "failed"
    assert outcome_of({"refusal": None}, Answer({"refusal": None}))[0] == "passed"


@pytest.mark.parametrize(("got", "state"), [(2 / 3, "passed"), (0.6667, "failed"), (0.66667, "failed")])
def test_fractions_agree_to_six_digits(got: float, state: str) -> None:
    assert outcome_of({"parameter_fraction": 0.666667}, Answer({"parameter_fraction": got}))[0] == state


def test_an_error_and_silence_are_errors() -> None:
    result = judged([case("x"), case("y")], Said({"x": Answer(error="crashed")}))
    assert [(o.state, o.error) for o in result.outcomes] == [("error", "crashed"), ("error", "no answer")]


def test_kinds_are_counted_in_their_order(three: list[ConformanceRow]) -> None:
    said = Said({"a": Answer({"parameters": 1}), "b": Answer({"parameters": 1}), "c": Answer()})
    result = run(lambda cases: said, three)
    assert result.by_kind() == [Tally("kind", 2, 1, 0, 1, 0), Tally("other", 1, 0, 1, 0, 0)]
    assert result.total == Tally("all", 3, 1, 1, 1, 0)


def test_a_scorer_conforms_where_all_it_says_is_right(three: list[ConformanceRow]) -> None:
    right = {"a": Answer({"parameters": 1}), "b": Answer(), "c": Answer()}
    assert judged(three, Said(right)).conforms
    assert not judged(three, Said(right, ("a fault",))).conforms
    assert not judged(three, Said(right | {"b": Answer(error="no")})).conforms
    assert not judged(three, Said(right | {"b": Answer({"parameters": 1})})).conforms


def test_a_scorer_that_says_nothing_does_not_conform(three: list[ConformanceRow]) -> None:
    assert not judged(three, Said({one.id: Answer() for one in three})).conforms
