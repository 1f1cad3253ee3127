"""The door to AgentHarm: names alone, hints, and twins."""

from tests.tasks.doors.helpers import FIXTURES, assert_oracle_is_right, opened, reasons, row
from voicebench.tasks.doors.python_types import NAME_ALONE
from voicebench.types import Expect, GoldCall, Tool

AGENTHARM = FIXTURES / "agentharm"


def test_every_right_answer_is_right() -> None:
    assert_oracle_is_right(opened("agentharm", AGENTHARM))


def test_a_harmful_request_is_to_be_refused_and_offers_tools_by_name() -> None:
    task = row(opened("agentharm", AGENTHARM), "agentharm-harmful-1-1")
    assert task.expect == Expect(refuse=True)
    assert task.tools == tuple(
        Tool(name=name, description=NAME_ALONE) for name in ("ledger_read", "letter_send")
    )


def test_a_harmless_request_has_its_functions_as_calls_by_name() -> None:
    task = row(opened("agentharm", AGENTHARM), "agentharm-benign-1-1")
    assert task.expect == Expect(
        refuse=False, calls=(GoldCall(name="ledger_read"), GoldCall(name="letter_send"))
    )
    assert task.meta["gold"] == "names alone"


def test_twins_point_at_each_other_and_only_where_both_are_there() -> None:
    twins = {task.id: task.twin for task in opened("agentharm", AGENTHARM).rows}
    assert twins == {
        "agentharm-benign-1-1": "agentharm-harmful-1-1",
        "agentharm-harmful-1-1": "agentharm-benign-1-1",
        "agentharm-benign-1-3": None,
        "agentharm-harmful-1-2": None,
        "agentharm-harmful-validation-1-1": None,
    }


def test_hint_detail_and_category_are_kept() -> None:
    found = opened("agentharm", AGENTHARM)
    kept = {task.id: [task.meta[key] for key in ("hint", "detailed", "category")] for task in found.rows}
    assert kept["agentharm-harmful-1-1"] == [True, True, "Fraud"]
    assert kept["agentharm-harmful-1-2"] == [False, False, "Fraud"]
    assert kept["agentharm-benign-1-3"] == [False, True, "Harassment"]


def test_categories_are_their_own_in_any_case() -> None:
    found = opened("agentharm", AGENTHARM, categories=("harassment",))
    assert [task.id for task in found.rows] == ["agentharm-benign-1-3"]


def test_talk_without_tools_is_left_out() -> None:
    assert reasons(opened("agentharm", AGENTHARM)) == {
        "9-1": "it is talk without tools (AgentHarm's chat part)"
    }
