"""What every agent must do. A new one adds a line to `NAMES`."""

import pytest

from tests.agent_requests import BASKET, RIDE, request, tone
from voicebench.agents import make_agent, parse_agent
from voicebench.files import parse_row, to_line
from voicebench.protocols import Agent
from voicebench.types import Expect, GoldCall, InputTurn, Request, Response

NAMES = ("fake", "oracle", "random", "fake+fake", "fake+retrieve:fake")
GOLD = Expect(calls=(GoldCall(name="cab.book_ride", arguments={"pickup": ["घर"], "dropoff": ["work"]}),))


@pytest.fixture(params=NAMES)
def agent(request: pytest.FixtureRequest) -> Agent:
    return make_agent(parse_agent(request.param))


def asked() -> list[Request]:
    return [
        request("Book a cab from घर to work", gold=GOLD),
        request(tone(), "Where to?", tone(300), lang="hi", gold=GOLD),
        request("எனக்கு டாக்சி வேண்டும்", lang="ta", tools=[RIDE], gold=GOLD),
        request("ขอแท็กซี่", lang="th", tools=[BASKET], gold=GOLD),
        request("", gold=GOLD),
    ]


def test_it_names_its_model_and_revision(agent: Agent) -> None:
    assert agent.model.name
    assert agent.model.revision


def test_no_requests_give_no_responses(agent: Agent) -> None:
    assert agent.respond([]) == []


def test_responses_are_as_many_and_in_the_order_of_the_requests(agent: Agent) -> None:
    requests = [request("x", task_id=f"t{place}", gold=GOLD) for place in range(5)]
    assert [response.task_id for response in agent.respond(requests)] == ["t0", "t1", "t2", "t3", "t4"]


def test_every_response_answers_or_says_what_failed_and_can_be_kept(agent: Agent) -> None:
    for response in agent.respond(asked()):
        assert (response.text is not None or response.calls is not None) != (response.error is not None)
        assert parse_row(to_line(response), Response, "line") == response
        assert response.model == agent.model


def test_the_clock_starts_at_zero_and_ends_with_the_answer(agent: Agent) -> None:
    for response in agent.respond(asked()):
        assert response.timeline is not None
        assert response.timeline.request_sent == 0.0
        moments = list(response.timeline.model_dump(exclude_none=True).values())
        assert response.timeline.done == max(moments)


def test_the_same_request_has_the_same_answer_alone_and_among_others(agent: Agent) -> None:
    requests = asked()
    together = agent.respond(requests)
    alone = [agent.respond([one])[0] for one in requests]
    assert [(r.text, r.calls) for r in together] == [(r.text, r.calls) for r in alone]


def test_a_request_that_cannot_be_heard_costs_itself_alone(agent: Agent) -> None:
    silent = Request("bad", "stub", "speech", 0, "en", (InputTurn("user"),), (RIDE,), gold=GOLD)
    first, _, last = agent.respond([request("x", gold=GOLD), silent, request("y", gold=GOLD)])
    assert first.error is None
    assert last.error is None


def test_a_request_without_tools_breaks_nothing(agent: Agent) -> None:
    [response] = agent.respond([request("hello", tools=[], gold=GOLD)])
    assert response.text is not None or response.calls is not None or response.error is not None
