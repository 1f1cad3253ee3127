"""When a run stops asking a server: after failures in a row, and not where others are answered meanwhile."""

import pytest

from voicebench.errors import AgentFailure
from voicebench.running.patience import MOST_BROKEN, MOST_SILENT, SHORTEST_S, Patience
from voicebench.types import ErrorInfo, ErrorKind, Response


def response(kind: ErrorKind | None = None) -> Response:
    error = None if kind is None else ErrorInfo(kind=kind, message="no answer within 5 s")
    return Response(task_id="कार्य", agent="a", condition="text", trial=0, text="", error=error)


class Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.mark.parametrize("kind", ["timeout", "rate_limit"])
def test_five_in_a_row_without_an_answer_are_enough(clock: Clock, kind: ErrorKind) -> None:
    patience = Patience(clock=clock)
    for _ in range(MOST_SILENT - 1):
        patience.note(response(kind), 1.0)
        patience.check()
    patience.note(response(kind), 1.0)
    with pytest.raises(
        AgentFailure, match="5 requests in a row failed at the server, the last one: no answer"
    ):
        patience.check()


def test_an_answer_in_between_begins_the_count_anew(clock: Clock) -> None:
    patience = Patience(clock=clock)
    for sent_s in range(3 * MOST_SILENT):
        clock.now_s = float(sent_s)
        patience.note(response("timeout"), clock.now_s)
        if sent_s % (MOST_SILENT - 1) == 0:
            patience.note(response(), clock.now_s)
        patience.check()


def test_requests_that_were_sent_before_the_last_answer_do_not_count(clock: Clock) -> None:
    patience = Patience(clock=clock)
    clock.now_s = 10.0
    patience.note(response(), 9.0)
    for _ in range(3 * MOST_SILENT):
        patience.note(response("timeout"), 9.5)
    patience.check()
    for _ in range(MOST_SILENT):
        patience.note(response("timeout"), 10.5)
    with pytest.raises(AgentFailure):
        patience.check()


def test_a_broken_server_is_waited_for(clock: Clock) -> None:
    patience = Patience(clock=clock)
    for _ in range(2 * MOST_BROKEN):
        patience.note(response("server"), 1.0)
    patience.check()
    clock.now_s = SHORTEST_S
    with pytest.raises(AgentFailure, match="40 requests in a row"):
        patience.check()


def test_what_is_no_fault_of_the_servers_counts_for_nothing(clock: Clock) -> None:
    patience = Patience(clock=clock)
    for _ in range(3 * MOST_SILENT):
        patience.note(AgentFailure("audio", "no clip"), 1.0)
        patience.note(response("unsupported"), 1.0)
    patience.check()
