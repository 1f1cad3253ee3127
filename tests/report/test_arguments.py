"""Argument by argument."""

from voicebench.report.arguments import argument_lines, remarks, written
from voicebench.scoring.score import score
from voicebench.types import Reason, ToolCall

from .helpers import make_response, make_score, make_task


def lines(text: str) -> list[tuple[int | None, str, str, str | None, str | None]]:
    task = make_task()
    response = make_response(task, text=text)
    found = argument_lines(task, response, score(task, response))
    return [(line.call, line.parameter, line.verdict, line.wanted, line.got) for line in found]


def test_right_and_wrong_arguments_stand_together() -> None:
    assert lines("[cab.get_fare(pickup='Majestic', seats=2)]") == [
        (0, "pickup", "wrong", '"Jayanagar" or "जयनगर"', '"Majestic"'),
        (0, "seats", "ok", "2 or left out", "2"),
    ]


def test_a_missing_argument_has_nothing_got() -> None:
    assert (0, "pickup", "missing", '"Jayanagar" or "जयनगर"', None) in lines("[cab.get_fare(seats=2)]")


def test_an_unexpected_argument_has_nothing_wanted() -> None:
    assert (0, "note", "unexpected", None, '"<b>"') in lines("[cab.get_fare(pickup='जयनगर', note='<b>')]")


def test_an_unreadable_answer_has_remarks_and_no_arguments() -> None:
    task = make_task()
    response = make_response(task, text="Of course!")
    scored = score(task, response)
    assert argument_lines(task, response, scored) == ()
    assert remarks(scored) == ("cannot be read as calls: no call found",)


def test_scores_by_other_rules_are_shown_by_their_own_reasons() -> None:
    task = make_task()
    reason = Reason(kind="parameter", call=0, parameter="pickup", verdict="wrong", gold=["x"], got="y")
    scored = make_score(task, 0, scoring_version="theirs", reasons=(reason,))
    (line,) = argument_lines(task, make_response(task), scored)
    assert (line.parameter, line.verdict, line.wanted, line.got) == ("pickup", "wrong", '"x"', '"y"')


def test_many_accepted_values_are_counted() -> None:
    reason = Reason(
        kind="parameter", call=0, parameter="p", verdict="wrong", gold=["a", "b", "c", "d", ""], got=None
    )
    (line,) = argument_lines(None, None, make_score(make_task(), 0, reasons=(reason,)))
    assert line.wanted == '"a" or "b" or 2 more or left out'


def test_no_task_no_response_and_no_score_have_no_arguments() -> None:
    assert argument_lines(None, None, None) == ()
    assert remarks(None) == ()


def test_a_missing_call_is_written_as_a_call() -> None:
    gold = {"name": "cab.get_fare", "arguments": {"pickup": ["जयनगर", "Jayanagar"]}}
    scored = make_score(make_task(), 0, reasons=(Reason(kind="missing_call", call=0, gold=gold),))
    assert remarks(scored) == ('a call is missing: cab.get_fare(pickup="जयनगर")',)


def test_a_value_of_a_megabyte_is_cut() -> None:
    call = ToolCall(name="cab.get_fare", arguments={"pickup": "x" * 1_000_000})
    task = make_task()
    response = make_response(task, calls=(call,))
    line, *_ = argument_lines(task, response, score(task, response))
    assert line.got is not None
    assert len(line.got) < 400
    assert len(written(call.name, call.arguments)) < 5000
