"""Argument by argument."""

from hypothesis import given
from hypothesis import strategies as st

from voicebench.report.arguments import TaskArguments, remarks, written
from voicebench.report.shape import ArgumentLine
from voicebench.scoring.match import match_calls
from voicebench.scoring.score import score
from voicebench.scoring.setting import Setting
from voicebench.types import Expect, GoldCall, Reason, Response, Scores, Task, ToolCall

from .helpers import FARE, make_response, make_score, make_task


def argument_lines(
    task: Task | None, response: Response | None, scored: Scores | None
) -> tuple[ArgumentLine, ...]:
    return TaskArguments(task).lines(response, scored)


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


def test_an_answer_that_is_right_shows_each_argument_beside_what_was_wanted() -> None:
    assert lines("[cab.get_fare(pickup='जयनगर')]") == [
        (0, "pickup", "ok", '"Jayanagar" or "जयनगर"', '"जयनगर"'),
    ]  # fmt: skip


def test_two_calls_of_one_name_are_matched_and_not_paired_by_place() -> None:
    gold = tuple(GoldCall(name="cab.get_fare", arguments={"pickup": [name]}) for name in ("สยาม", "อโศก"))
    task = make_task(expect=Expect(calls=gold))
    response = make_response(task, text="[cab.get_fare(pickup='อโศก'), cab.get_fare(pickup='สยาม')]")
    found = argument_lines(task, response, score(task, response))
    assert [(line.call, line.wanted, line.got, line.verdict) for line in found] == [
        (1, '"สยาม"', '"สยาม"', "ok"), (0, '"อโศก"', '"อโศก"', "ok"),
    ]  # fmt: skip


def test_an_argument_is_compared_in_the_language_and_on_the_day_of_its_task() -> None:
    gold = GoldCall(name="cab.get_fare", arguments={"pickup": ["2026-12-01"], "seats": [2]})
    task = make_task(lang="hi", expect=Expect(calls=(gold,))).model_copy(
        update={"reference_date": "2026-11-30"}
    )
    response = make_response(task, text="[cab.get_fare(pickup='कल', seats=3)]")
    scored = score(task, response)
    found = {line.parameter: line.verdict for line in argument_lines(task, response, scored)}
    wrong = {reason.parameter for reason in scored.reasons}
    assert {name for name, verdict in found.items() if verdict != "ok"} == wrong


def test_what_is_wanted_is_said_the_same_for_every_answer_to_a_task() -> None:
    task = make_task()
    arguments = TaskArguments(task)
    answers = [make_response(task, text=f"[cab.get_fare(pickup='{name}')]") for name in ("जयनगर", "Majestic")]
    found = [line for answer in answers for line in arguments.lines(answer, score(task, answer))]
    assert [(line.verdict, line.wanted, line.got) for line in found] == [
        ("ok", '"Jayanagar" or "जयनगर"', '"जयनगर"'), ("wrong", '"Jayanagar" or "जयनगर"', '"Majestic"'),
    ]  # fmt: skip


def test_right_arguments_stand_beside_a_call_that_is_missing_and_one_too_many() -> None:
    names = ("cab.get_fare", "cab.book", "cab.cancel")
    tools = tuple(FARE.model_copy(update={"name": name}) for name in names)
    gold = tuple(GoldCall(name=name, arguments={"pickup": ["สยาม"]}) for name in names[:2])
    task = make_task(expect=Expect(calls=gold)).model_copy(update={"tools": tools})
    answer = make_response(task, text="[cab.cancel(pickup='x'), cab.book(pickup='สยาม', note='y')]")
    found = argument_lines(task, answer, score(task, answer))
    assert [(line.call, line.parameter, line.verdict, line.wanted, line.got) for line in found] == [
        (1, "pickup", "ok", '"สยาม"', '"สยาม"'), (1, "note", "unexpected", None, '"y"'),
    ]  # fmt: skip


@given(st.data())
def test_verdicts_told_from_reasons_are_those_of_the_match(data: st.DataObject) -> None:
    values = st.sampled_from(["Jayanagar", "जयनगर", "अन्य", "", 2, "2", 2.0, None, 3])
    arguments = st.dictionaries(st.sampled_from(["pickup", "seats", "note"]), values, max_size=3)
    calls = tuple(
        ToolCall(name=name, arguments=data.draw(arguments)) for name in data.draw(
            st.lists(st.sampled_from(["cab.get_fare", "cab.book", "cab.cancel"]), max_size=3, unique=True)
        )
    )  # fmt: skip
    tools = tuple(FARE.model_copy(update={"name": name}) for name in ("cab.get_fare", "cab.book"))
    wanted = {"pickup": ["Jayanagar", "जयनगर"], "seats": [2, ""]}
    gold = tuple(GoldCall(name=tool.name, arguments=wanted) for tool in tools)
    task = make_task(expect=Expect(calls=gold)).model_copy(update={"tools": tools})
    answer = make_response(task, calls=calls)
    scored = score(task, answer)
    if any(reason.kind == "unreadable" for reason in scored.reasons):
        return
    match = match_calls(task.expect, calls, task.tools, setting=Setting(task.lang, None))
    expected = {(pair.call, one.name): one.verdict for pair in match.pairs for one in pair.parameters}
    found = {(line.call, line.parameter): line.verdict for line in argument_lines(task, answer, scored)}
    assert {place: found.get(place) for place in expected} == expected
