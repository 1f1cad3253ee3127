"""Measuring by a clock of our own: queueing apart from service, exact to the last bit, without waiting."""

import asyncio
from collections.abc import Iterator, Sequence

import pytest

from tests.agent_requests import request, tone
from tests.latency.virtual import Local, Server, virtual_clock
from voicebench.cascade import ChatAgent
from voicebench.errors import AgentFailure, UserError
from voicebench.fakes import FakeLanguageModel, FakeTranscriber, clip_sha256
from voicebench.latency.breakdown import moments, queued_s
from voicebench.latency.measure import Clock, Measured, measure
from voicebench.types import Request, Response, Timeline

TEXTS = ("बास्केट खाली करो", "ล้างตะกร้า", "கூடையை காலி செய்", "empty the basket")


@pytest.fixture
def clock() -> Iterator[Clock]:
    with virtual_clock() as made:
        yield made


def requests(n: int) -> list[Request]:
    return [request(TEXTS[place % 4], task_id=f"t{place}") for place in range(n)]


def waits(measured: Measured) -> list[float | None]:
    return [queued_s(response) for response in measured.responses.values()]


def at(measured: Measured, moment: str) -> list[float | None]:
    return [moments(response).get(moment) for response in measured.responses.values()]


def test_a_closed_loop_has_no_queue_and_keeps_the_agents_own_moments(clock: Clock) -> None:
    server = Server(clock, [1.0, 2.0])
    measured = measure(server, requests(4), clock=clock)
    assert waits(measured) == [None] * 4
    assert at(measured, "first_token") == [0.5, 1.0, 0.5, 1.0]
    assert at(measured, "done") == [1.0, 2.0, 1.0, 2.0]
    assert (server.most, measured.span_s) == (1, 6.0)


def test_a_request_that_finds_the_slot_taken_queues_and_all_its_moments_come_later(clock: Clock) -> None:
    measured = measure(Server(clock, [2.5]), requests(3), due_s=[0.0, 1.0, 2.0], clock=clock)
    assert waits(measured) == [0.0, 1.5, 3.0]
    assert at(measured, "request_sent") == [0.0, 1.5, 3.0]
    assert at(measured, "first_token") == [1.25, 2.75, 4.25]
    assert at(measured, "done") == [2.5, 4.0, 5.5]


def test_an_idle_server_is_not_asked_before_a_request_is_due(clock: Clock) -> None:
    measured = measure(Server(clock, [0.25]), requests(3), due_s=[0.5, 4.0, 4.0], concurrency=2, clock=clock)
    assert waits(measured) == [0.0, 0.0, 0.0]
    assert measured.span_s == 4.25


def test_with_two_slots_a_request_waits_for_the_one_that_is_free_first(clock: Clock) -> None:
    server = Server(clock, [4.0, 1.0, 1.0, 1.0])
    measured = measure(server, requests(4), due_s=[0.0, 0.0, 0.5, 0.75], concurrency=2, clock=clock)
    assert waits(measured) == [0.0, 0.0, 0.5, 1.25]
    assert server.most == 2


def test_no_more_than_the_given_number_is_under_way(clock: Clock) -> None:
    server = Server(clock, [1.0])
    measured = measure(server, requests(10), concurrency=4, clock=clock)
    assert server.most == 4
    assert measured.span_s == 3.0
    assert waits(measured) == [0.0] * 10


def test_a_wait_inside_the_agent_for_what_another_request_holds_is_queueing(clock: Clock) -> None:
    class OneEar(Server):
        ear = asyncio.Lock()

        async def answer(self, request: Request) -> Response:
            async with self.ear:
                return await super().answer(request)

    measured = measure(OneEar(clock, [1.0]), requests(3), concurrency=3, clock=clock)
    assert waits(measured) == [0.0, 1.0, 2.0]
    assert at(measured, "first_token") == [0.5, 1.5, 2.5]
    assert at(measured, "done") == [1.0, 2.0, 3.0]


def test_an_agent_on_this_machine_is_asked_one_request_at_a_time(clock: Clock) -> None:
    measured = measure(Local(clock, 2.0), requests(3), concurrency=8, clock=clock)
    assert (waits(measured), at(measured, "done")) == ([None] * 3, [2.0] * 3)


def test_requests_of_a_rate_queue_for_an_agent_on_this_machine_too(clock: Clock) -> None:
    measured = measure(Local(clock, 2.0), requests(3), due_s=[1.0, 2.0, 8.0], clock=clock)
    assert waits(measured) == [0.0, 1.0, 0.0]
    assert at(measured, "done") == [2.0, 3.0, 2.0]
    assert measured.span_s == 10.0


def test_moments_before_the_user_stopped_speaking_stay_negative(clock: Clock) -> None:
    early = Timeline(request_sent=-2.0, first_token=-0.5, done=1.0)
    closed = measure(Local(clock, 3.0, early), requests(1), clock=clock)
    assert moments(closed.responses[0]) == {"request_sent": -2.0, "first_token": -0.5, "done": 1.0}
    queued = measure(Local(clock, 3.0, early), requests(2), due_s=[0.0, 2.75], clock=clock)
    assert moments(queued.responses[1]) == {"request_sent": -1.75, "first_token": -0.25, "done": 1.25}


def test_what_did_not_happen_stays_absent(clock: Clock) -> None:
    measured = measure(Server(clock, [1.0]), requests(2), due_s=[0.0, 0.0], clock=clock)
    assert set(moments(measured.responses[1])) == {"request_sent", "first_token", "done"}


def test_an_answer_without_a_clock_gets_none(clock: Clock) -> None:
    class Silent(Local):
        def respond(self, requests: Sequence[Request]) -> list[Response]:
            return [request.answer(text="") for request in requests]

    measured = measure(Silent(clock, 0.0), requests(1), due_s=[0.0], clock=clock)
    assert measured.responses[0].timeline is None


@pytest.mark.parametrize(
    ("raised", "kind"),
    [
        (MemoryError("voll"), "out_of_memory"),
        (UserError("zu alt"), "unsupported"),
        (ValueError("?"), "crash"),
    ],
)
def test_what_an_agent_raises_becomes_the_error_of_one_row(
    clock: Clock, raised: Exception, kind: str
) -> None:
    class Broken(Local):
        def respond(self, requests: Sequence[Request]) -> list[Response]:
            if requests[0].task_id == "t1":
                raise raised
            return super().respond(requests)

    measured = measure(Broken(clock, 1.0), requests(3), clock=clock)
    errors = [response.error and response.error.kind for response in measured.responses.values()]
    assert errors == [None, kind, None]


def test_an_error_of_a_server_is_a_row_of_its_own(clock: Clock) -> None:
    measured = measure(Server(clock, [1.0], fails=["t1"]), requests(3), concurrency=3, clock=clock)
    assert [response.error is None for response in measured.responses.values()] == [True, False, True]


def test_a_warm_up_is_asked_first_and_not_kept(clock: Clock) -> None:
    server = Server(clock, [8.0, 8.0, 1.0, 1.0])
    kept: list[tuple[int, str]] = []
    measured = measure(
        server, requests(4)[2:], warm_up=requests(2), clock=clock,
        keep=lambda place, row: kept.append((place, row.task_id)),
    )  # fmt: skip
    assert [asked.task_id for asked in server.asked] == ["t0", "t1", "t2", "t3"]
    assert kept == [(0, "t2"), (1, "t3")]
    assert (measured.warm_up_s, measured.span_s, at(measured, "done")) == (16.0, 2.0, [1.0, 1.0])


def test_a_warm_up_that_fails_as_a_whole_ends_it_with_the_reason(clock: Clock) -> None:
    server = Server(clock, [1.0], fails=["t0", "t1"])
    with pytest.raises(AgentFailure, match=r"^the warm-up failed \(2 of 2 requests\): धीरे$") as raised:
        measure(server, requests(3)[2:], warm_up=requests(2), clock=clock)
    assert raised.value.kind == "rate_limit"
    assert len(server.asked) == 2


def test_a_warm_up_may_fail_in_part(clock: Clock) -> None:
    server = Server(clock, [1.0], fails=["t0"])
    assert len(measure(server, requests(3)[2:], warm_up=requests(2), clock=clock).responses) == 1


def test_an_interrupt_keeps_what_was_measured(clock: Clock) -> None:
    class Interrupted(Local):
        def respond(self, requests: Sequence[Request]) -> list[Response]:
            if requests[0].task_id == "t2":
                raise KeyboardInterrupt
            return super().respond(requests)

    measured = measure(Interrupted(clock, 1.0), requests(5), clock=clock)
    assert measured.interrupted
    assert [response.task_id for response in measured.responses.values()] == ["t0", "t1"]


def test_answers_stand_in_the_order_of_their_requests(clock: Clock) -> None:
    measured = measure(Server(clock, [3.0, 1.0, 2.0]), requests(3), concurrency=3, clock=clock)
    assert list(measured.responses) == [0, 1, 2]


def test_a_cascade_on_this_machine_has_the_moments_of_its_halves() -> None:
    clip = tone(330)
    agent = ChatAgent(
        FakeLanguageModel(['[{"name": "food.clear_basket", "arguments": {}}]']),
        transcriber=FakeTranscriber({clip_sha256(clip): TEXTS[0]}), name="fake+fake",
    )  # fmt: skip
    [response] = measure(agent, [request(clip)]).responses.values()
    found = moments(response)
    assert set(found) == {
        "request_sent", "transcribed", "first_token", "first_content", "first_call_token", "calls_done",
        "done",
    }  # fmt: skip
    assert response.transcript == TEXTS[0]
    assert 0.0 <= found["first_token"] <= found["calls_done"] <= found["done"]
