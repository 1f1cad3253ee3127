"""Many requests at a server: slots filled at once, adapted to what the server bears, nobody lost."""

import asyncio
from collections.abc import Sequence

import pytest

from tests.agent_requests import request
from voicebench.errors import AgentFailure
from voicebench.running.patience import MOST_SILENT
from voicebench.running.server import ServerAsker
from voicebench.running.wanted import Answer, Wanted
from voicebench.types import ErrorKind, ModelRef, Request, Response


class Agent:
    """Answers after a moment; its server bears so many requests at once."""

    model = ModelRef(name="agent", revision="1")

    def __init__(self, *, bears: int = 1000, wait_s: float = 0.002) -> None:
        self.under_way = self.most = self.turned_away = 0
        self._bears, self._wait_s = bears, wait_s

    async def answer(self, request: Request) -> Response:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        if self.under_way > self._bears:
            self.turned_away += 1
        await asyncio.sleep(self._wait_s)
        self.under_way -= 1
        if request.task_id == "raises":
            raise KeyError("x")
        return request.answer(text=request.task_id)


def wanted(*ids: str) -> list[Wanted]:
    return [Wanted(0.0, lambda name=name: request("x", task_id=name)) for name in ids]  # type: ignore[misc]


def answers(agent: Agent, items: list[Wanted], at_once: int = 64) -> dict[int, Answer]:
    found: dict[int, Answer] = {}
    ServerAsker(agent, at_once=at_once).answer(items, found.__setitem__)  # type: ignore[arg-type]
    return found


def test_every_request_is_answered_in_its_own_place_and_the_cap_holds() -> None:
    agent = Agent()
    found = answers(agent, wanted(*(f"t{n}" for n in range(300))), at_once=20)
    assert {place: getattr(answer, "text", None) for place, answer in found.items()} == {
        n: f"t{n}" for n in range(300)
    }
    assert agent.most == 20


def test_fewer_requests_are_under_way_where_the_server_turns_some_away() -> None:
    agent = Agent(bears=12)
    answers(agent, wanted(*(f"t{n}" for n in range(600))), at_once=200)
    assert agent.most < 60
    assert agent.turned_away < 150


def test_an_agent_that_raises_costs_its_own_row_alone() -> None:
    found = answers(Agent(), wanted("a", "raises", "b"))
    bad = found[1]
    assert isinstance(bad, Response) and bad.error is not None
    assert (bad.error.kind, bad.error.message) == ("crash", "KeyError: 'x'")
    assert [getattr(found[n], "text", None) for n in (0, 2)] == ["a", "b"]


def test_a_clip_that_cannot_be_read_is_told() -> None:
    def broken() -> Request:
        raise AgentFailure("audio", "not a clip")

    found = answers(Agent(), [Wanted(2.0, broken), *wanted("a")])
    assert str(found[0]) == "not a clip"


def test_what_the_taker_raises_ends_the_run() -> None:
    def full(place: int, answer: Answer) -> None:
        raise OSError("disk full")

    with pytest.raises(BaseException) as caught:
        ServerAsker(Agent(), at_once=4).answer(wanted("a", "b", "c"), full)  # type: ignore[arg-type]
    assert "disk full" in repr(caught.value)


class Failing(Agent):
    """Its server fails: always, or for the first requests."""

    def __init__(self, kind: ErrorKind, well: Sequence[int] = ()) -> None:
        super().__init__()
        self.kind: ErrorKind = kind
        self.asked = 0
        self._well = well

    async def answer(self, request: Request) -> Response:
        await asyncio.sleep(0)
        self.asked += 1
        if self.asked in self._well:
            return request.answer(text="ok")
        return request.failure(self.kind, "later")


@pytest.mark.parametrize("kind", ["timeout", "rate_limit"])
def test_a_server_that_answers_nothing_is_not_asked_on_and_the_rest_is_no_failure(kind: ErrorKind) -> None:
    agent, found = Failing(kind), dict[int, Answer]()
    with pytest.raises(AgentFailure, match=r"requests in a row.*later\. The rest is not asked.*to go on"):
        items = wanted(*(f"t{n}" for n in range(100)))
        ServerAsker(agent, at_once=2).answer(items, found.__setitem__)  # type: ignore[arg-type]
    assert MOST_SILENT <= len(found) <= agent.asked <= MOST_SILENT + 2


def test_an_answer_in_between_begins_the_count_anew() -> None:
    agent = Failing("timeout", well=range(0, 100, MOST_SILENT))
    assert len(answers(agent, wanted(*(f"t{n}" for n in range(60))), at_once=1)) == 60


def test_a_run_ends_as_usual_where_only_its_last_requests_fail() -> None:
    assert len(answers(Failing("timeout"), wanted(*"abcde"), at_once=8)) == 5
