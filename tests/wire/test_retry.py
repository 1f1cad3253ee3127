"""When a request is sent again, and after how long."""

import email.utils
import random

import pytest

from voicebench.errors import AgentFailure
from voicebench.wire.retry import Passing, Retries, retry_after_s, seconds_until


class Clock:
    """Time that stands still."""

    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def test_without_a_word_of_the_server_the_wait_doubles_with_jitter_from_a_seed() -> None:
    retries, jitter = Retries(seed=3), random.Random(3)
    waits = [retries.own_wait_s(Passing("server", "broken"), attempt) for attempt in (1, 2, 3)]
    assert waits == [base * jitter.uniform(0.5, 1.5) for base in (0.5, 1.0, 2.0)]
    assert retries.wait_s() <= 0


def test_the_wait_is_bounded() -> None:
    assert Retries(20).own_wait_s(Passing("server", "broken"), 15) <= 45.0


def test_what_the_server_asks_for_holds_for_all() -> None:
    clock = Clock()
    retries = Retries(clock=clock)
    assert retries.own_wait_s(Passing("server", "busy", 2.0), 1) == 0.0
    assert retries.wait_s() == 2.0
    clock.now_s += 1.5
    retries.hold_back(0.1)
    assert retries.wait_s() == 0.5


def test_a_rate_limit_without_a_wait_holds_for_all_too() -> None:
    retries = Retries(clock=Clock())
    assert retries.own_wait_s(Passing("rate_limit", "slow down"), 1) == 0.0
    assert retries.wait_s() > 0.2


def test_a_connection_that_was_closed_while_idle_is_opened_at_once_and_once() -> None:
    retries, idle = Retries(), Passing("server", "hung up", at_once=True)
    assert retries.own_wait_s(idle, 1) == 0.0
    assert retries.own_wait_s(idle, 2) > 0.0


def test_the_last_attempt_is_the_last() -> None:
    with pytest.raises(AgentFailure, match=r"^busy \(3 attempts\)$") as caught:
        Retries(3).own_wait_s(Passing("rate_limit", "busy"), 3)
    assert caught.value.kind == "rate_limit"


def test_who_gives_up_at_the_first_attempt_holds_back_the_others_still() -> None:
    retries = Retries(1, clock=Clock())
    with pytest.raises(AgentFailure, match=r"^busy$"):
        retries.own_wait_s(Passing("rate_limit", "busy", 2.0), 1)
    assert retries.wait_s() == 2.0


def test_a_rate_limit_is_waited_out_for_longer_than_the_attempts_where_there_is_patience() -> None:
    retries = Retries(3, patience_s=60.0, clock=Clock())
    assert retries.own_wait_s(Passing("rate_limit", "busy", 1.0), 9, tried_s=59.0) == 0.0
    with pytest.raises(AgentFailure, match=r"^busy \(10 attempts\)$"):
        retries.own_wait_s(Passing("rate_limit", "busy", 1.0), 10, tried_s=60.0)
    with pytest.raises(AgentFailure, match=r"^broken \(3 attempts\)$"):
        retries.own_wait_s(Passing("server", "broken"), 3, tried_s=0.0)


def test_who_sends_once_has_no_patience() -> None:
    with pytest.raises(AgentFailure, match=r"^busy$"):
        Retries(1, patience_s=60.0).own_wait_s(Passing("rate_limit", "busy"), 1, tried_s=0.0)


def test_when_the_wait_for_the_rate_ends_one_request_goes_first() -> None:
    clock = Clock()
    retries = Retries(clock=clock)
    retries.own_wait_s(Passing("rate_limit", "busy", 1.0), 1)
    assert retries.turn_s() == 1.0
    clock.now_s += 1.0
    assert retries.turn_s() == 0.0
    assert retries.turn_s() > 0.0
    retries.let_in()
    assert retries.turn_s() == retries.turn_s() == 0.0


def test_where_the_first_request_gets_no_word_another_one_goes() -> None:
    clock = Clock()
    retries = Retries(clock=clock)
    retries.own_wait_s(Passing("rate_limit", "busy", 1.0), 1)
    clock.now_s += 1.0
    assert retries.turn_s() == 0.0
    clock.now_s += 60.0
    assert retries.turn_s() == 0.0


def test_a_wait_of_hours_is_not_waited_for() -> None:
    with pytest.raises(AgentFailure, match=r"busy; it asks to wait 7200 s\. Run the same command again then"):
        Retries().own_wait_s(Passing("rate_limit", "busy", 7200.0), 1)


@pytest.mark.parametrize(
    ("headers", "wait_s"),
    [
        ({}, None),
        ({"Retry-After": "2"}, 2.0),
        ({"Retry-After": " 1.5 "}, 1.5),
        ({"Retry-After": "9", "retry-after-ms": "250"}, 0.25),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "-3"}, None),
        ({"Retry-After": "٣"}, 3.0),
    ],
)
def test_the_headers_say_how_long(headers: dict[str, str], wait_s: float | None) -> None:
    assert retry_after_s(headers, 0.0) == wait_s


def test_a_date_is_read_by_the_servers_own_clock_where_it_tells_it() -> None:
    until = email.utils.formatdate(1_000_007, usegmt=True)
    assert seconds_until(until, None, 1_000_000.0) == 7.0
    assert seconds_until(until, email.utils.formatdate(1_000_004, usegmt=True), 0.0) == 3.0
    assert retry_after_s({"Retry-After": until}, 1_000_006.0) == 1.0
    assert retry_after_s({"Retry-After": until}, 2_000_000.0) == 0.0
