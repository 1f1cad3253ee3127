"""Batches for an agent on this machine: like lengths together, smaller after out-of-memory, nobody lost."""

from collections.abc import Sequence

import pytest

from tests.agent_requests import request
from voicebench.errors import AgentFailure, UserError
from voicebench.running.local import LocalAsker
from voicebench.running.wanted import Answer, Wanted
from voicebench.types import ModelRef, Request, Response


class Agent:
    """Answers with the request's id; has room for so many requests at once."""

    model = ModelRef(name="agent", revision="1")

    def __init__(self, *, room: int = 100, hurts: str = "", raises: Exception | None = None) -> None:
        self.batches: list[list[str]] = []
        self._room, self._hurts, self._raises = room, hurts, raises

    def respond(self, requests: Sequence[Request]) -> list[Response]:
        self.batches.append([one.task_id for one in requests])
        if self._raises is not None and any(one.task_id == self._hurts for one in requests):
            raise self._raises
        if len(requests) > self._room:
            raise RuntimeError("CUDA out of memory. Tried to allocate 2 GiB")
        return [one.answer(text=one.task_id) for one in requests]


def wanted(*lengths_s: float) -> list[Wanted]:
    return [
        Wanted(length_s, lambda place=place: request("x", task_id=f"t{place}"))  # type: ignore[misc]
        for place, length_s in enumerate(lengths_s)
    ]


def answers(asker: LocalAsker, items: Sequence[Wanted]) -> dict[int, Answer]:
    found: dict[int, Answer] = {}
    asker.answer(items, found.__setitem__)
    return found


def asked(asker: LocalAsker, items: Sequence[Wanted]) -> dict[int, str | None]:
    return {
        place: answer.text if isinstance(answer, Response) else str(answer)
        for place, answer in answers(asker, items).items()
    }


def test_every_request_is_answered_in_its_own_place() -> None:
    found = asked(LocalAsker(Agent(), most_requests=3), wanted(1, 5, 2, 4, 3))
    assert found == {place: f"t{place}" for place in range(5)}


def test_requests_come_in_the_order_given() -> None:
    agent = Agent()
    asked(LocalAsker(agent, most_requests=2), wanted(1, 9, 2, 8, 0))
    assert agent.batches == [["t0", "t1"], ["t2", "t3"], ["t4"]]


def test_for_an_agent_that_pads_the_longest_clips_come_first_and_like_lengths_together() -> None:
    class Pads(Agent):
        pads_batches = True

    agent = Pads()
    asked(LocalAsker(agent, most_requests=2), wanted(1, 9, 2, 8, 0))
    assert agent.batches == [["t1", "t3"], ["t2", "t0"], ["t4"]]


def test_long_clips_make_small_batches() -> None:
    agent = Agent()
    asked(LocalAsker(agent, most_requests=8), wanted(100, 100, 100, 500, 60, 60, 60, 60))
    assert [len(batch) for batch in agent.batches] == [2, 1, 1, 4]


def test_words_alone_fill_a_batch() -> None:
    agent = Agent()
    asked(LocalAsker(agent, most_requests=4), wanted(0, 0, 0, 0, 0))
    assert [len(batch) for batch in agent.batches] == [4, 1]


def test_out_of_memory_halves_the_batch_and_later_ones_stay_small() -> None:
    agent = Agent(room=2)
    found = asked(LocalAsker(agent, most_requests=8), wanted(*[1.0] * 16))
    assert found == {place: f"t{place}" for place in range(16)}
    assert [len(batch) for batch in agent.batches][:4] == [8, 4, 2, 2]
    # The batch that was being read when memory ran out is the last large one.
    assert max(len(batch) for batch in agent.batches[9:]) <= 8


def test_a_single_request_that_needs_too_much_memory_keeps_its_error() -> None:
    [(place, answer)] = answers(LocalAsker(Agent(room=0)), wanted(1)).items()
    assert place == 0
    assert isinstance(answer, Response) and answer.error is not None
    assert answer.error.kind == "out_of_memory"


def test_only_what_ran_out_of_memory_is_asked_again() -> None:
    class Picky(Agent):
        def respond(self, requests: Sequence[Request]) -> list[Response]:
            self.batches.append([one.task_id for one in requests])
            return [
                one.failure("out_of_memory", "no room")
                if one.task_id == "t1" and len(requests) > 1
                else one.answer(text=one.task_id)
                for one in requests
            ]

    agent = Picky()
    assert asked(LocalAsker(agent, most_requests=3), wanted(0, 0, 0)) == {0: "t0", 1: "t1", 2: "t2"}
    assert agent.batches == [["t0", "t1", "t2"], ["t1"]]


def test_an_exception_costs_its_own_request_alone() -> None:
    agent = Agent(hurts="t1", raises=KeyError("x"))
    found = answers(LocalAsker(agent), wanted(0, 0, 0))
    assert [getattr(found[place], "text", None) for place in range(3)] == ["t0", None, "t2"]
    bad = found[1]
    assert isinstance(bad, Response) and bad.error is not None and bad.error.kind == "crash"


def test_an_agent_that_calls_exit_costs_its_own_request_alone() -> None:
    found = answers(LocalAsker(Agent(hurts="t1", raises=SystemExit(3))), wanted(0, 0))  # type: ignore[arg-type]
    bad = found[1]
    assert isinstance(bad, Response) and bad.error is not None
    assert (bad.error.kind, bad.error.message) == ("crash", "SystemExit: 3")
    assert isinstance(found[0], Response) and found[0].text == "t0"


def test_a_users_mistake_ends_the_run() -> None:
    with pytest.raises(UserError, match="hears English only"):
        answers(LocalAsker(Agent(hurts="t0", raises=UserError("hears English only"))), wanted(0))


def test_a_clip_that_cannot_be_read_is_told_and_nobody_is_asked_for_it() -> None:
    def broken() -> Request:
        raise AgentFailure("audio", "not a clip")

    agent = Agent()
    found = asked(LocalAsker(agent), [Wanted(1.0, broken), *wanted(1.0)])
    assert found == {0: "not a clip", 1: "t0"}
    assert agent.batches == [["t0"]]


def test_an_agent_that_gives_too_few_answers_is_asked_one_by_one() -> None:
    class Short(Agent):
        def respond(self, requests: Sequence[Request]) -> list[Response]:
            return super().respond(requests)[: 1 if len(requests) == 1 else -1]

    assert asked(LocalAsker(Short()), wanted(0, 0, 0)) == {0: "t0", 1: "t1", 2: "t2"}


def test_nothing_to_ask_asks_nobody() -> None:
    agent = Agent()
    assert asked(LocalAsker(agent), []) == {}
    assert agent.batches == []
