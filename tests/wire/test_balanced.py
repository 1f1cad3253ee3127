"""Several servers of one model, against real ones: who is asked, and what becomes of a server that fails."""

import asyncio
import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, aclosing, suppress
from typing import Any

import pytest

from voicebench.errors import AgentFailure, UserError
from voicebench.fakes_server import Behaviour, FakeServer, Schedule
from voicebench.types import Message, ModelRef, Part
from voicebench.wire import balanced as balancing
from voicebench.wire import endpoints as fares
from voicebench.wire import loop
from voicebench.wire.balanced import Balanced
from voicebench.wire.chat_server import ChatServer
from voicebench.wire.place import Place
from voicebench.wire.refusals import Refused

ASK = [Message("user", "नमस्ते, hello")]
SAID = "नमस्ते, hello"
DEAD = "http://127.0.0.1:9/v1"
BUSY = Behaviour("asks to wait", 429, {"retry-after-ms": "60000"})
BROKEN = Behaviour("is broken", 503)
UNKNOWN = Behaviour("does not serve it", 404)


@pytest.fixture
def servers() -> Iterator[ExitStack]:
    with ExitStack() as running:
        yield running


def balanced(*servers: FakeServer | str, model: str = "m", **options: Any) -> Balanced:
    places = [
        Place.at(server if isinstance(server, str) else server.url, name="some", model=model)
        for server in servers
    ]
    made = [ChatServer("some", place, timeout_s=5.0, attempts=1) for place in places]
    return Balanced(ModelRef(name="some:m", revision="m@a,b"), made, **options)


def serving(servers: ExitStack, does: Behaviour | None = None, **options: Any) -> FakeServer:
    """Return a server whose model "m" does that, or says the user's words again."""
    behaviour = does or Behaviour("says the user's words again")
    return servers.enter_context(FakeServer(behaviours={"m": behaviour}, **options))


def said(parts: Sequence[Part]) -> str:
    return "".join(part.text for part in parts if part.kind == "content")


def asked_at_once(model: Balanced, times: int) -> list[str]:
    async def one() -> str:
        return said([part async for part in model.stream(ASK)])

    async def all_of_them() -> list[str]:
        return list(await asyncio.gather(*(one() for _ in range(times))))

    return loop.run(all_of_them())


def counts(*servers: FakeServer) -> list[int]:
    return [len(server.asked) for server in servers]


def test_requests_that_come_one_after_the_other_go_to_the_servers_in_turn(servers: ExitStack) -> None:
    one, two, three = (serving(servers) for _ in range(3))
    model = balanced(one, two, three)
    assert [said(list(model.complete(ASK))) for _ in range(6)] == [SAID] * 6
    assert counts(one, two, three) == [2, 2, 2]


def test_a_request_goes_where_the_fewest_are_under_way(servers: ExitStack) -> None:
    slow, quick = serving(servers, Behaviour("takes its time", first_s=0.6)), serving(servers)
    model = balanced(slow, quick)

    async def beside_one_that_takes_long() -> None:
        # Both begin with none, so the first goes to the slow one; all others find that one occupied.
        async with aclosing(model.stream(ASK)) as first:
            waiting = asyncio.ensure_future(anext(first))
            while not slow.asked:
                await asyncio.sleep(0.01)
            for _ in range(5):
                assert said([part async for part in model.stream(ASK)]) == SAID
            await waiting

    loop.run(beside_one_that_takes_long())
    assert counts(slow, quick) == [1, 5]


def test_requests_that_come_together_are_spread_evenly(servers: ExitStack) -> None:
    one, two = (serving(servers, schedule=Schedule(first_s=0.1)) for _ in range(2))
    assert asked_at_once(balanced(one, two), 16) == [SAID] * 16
    assert counts(one, two) == [8, 8]


def test_a_server_that_asks_to_wait_gets_no_request_while_another_is_free(servers: ExitStack) -> None:
    busy, free = serving(servers, BUSY), serving(servers)
    model = balanced(busy, free)
    assert [said(list(model.complete(ASK))) for _ in range(5)] == [SAID] * 5
    assert counts(busy, free) == [1, 5]
    assert model.turned_away == 1


def test_a_server_that_limits_the_rate_is_waited_for_where_there_is_no_other(servers: ExitStack) -> None:
    once = Behaviour("asks to wait once", 429, {"retry-after-ms": "100"}, only_once=True)
    one, two = serving(servers, once), serving(servers, once)
    model = balanced(one, two)
    parts = list(model.complete(ASK))
    assert said(parts) == SAID
    assert sum(counts(one, two)) == 3
    assert parts[-1].usage["waited_s"] >= 0.1


def test_a_server_that_bears_few_gets_few_and_the_other_the_rest(servers: ExitStack) -> None:
    schedule = Schedule(first_s=0.02)
    small, large = serving(servers, bears=2, schedule=schedule), serving(servers, schedule=schedule)
    model = balanced(small, large)
    assert asked_at_once(model, 200) == [SAID] * 200
    assert counts(small, large) == [200 + model.turned_away - len(large.asked), len(large.asked)]
    assert len(large.asked) > 120


def test_a_server_that_dies_in_the_middle_of_a_run_costs_no_answer(servers: ExitStack) -> None:
    schedule = Schedule(first_s=0.02)
    stays = serving(servers, schedule=schedule)
    with ExitStack() as until_it_dies:
        dies = serving(until_it_dies, schedule=schedule)
        model = balanced(stays, dies)
        assert asked_at_once(model, 8) == [SAID] * 8
        assert counts(stays, dies) == [4, 4]
    assert asked_at_once(model, 40) == [SAID] * 40
    assert counts(stays, dies) == [44, 4]


def test_one_that_is_down_is_left_out_for_twice_as_long_each_time(
    servers: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fares, "_FIRST_PAUSE_S", 100.0)
    monkeypatch.setattr(fares, "_LONGEST_PAUSE_S", 500.0)
    now_s = 0.0
    endpoint = ChatServer("some", Place.at(DEAD, name="some", model="m"), attempts=1)
    line = fares.Line(endpoint, clock=lambda: now_s)
    pauses = []
    for _ in range(4):
        line.failed(AgentFailure("server", "nothing answers there"), now_s)
        pauses.append(line.free_in_s())
        now_s += pauses[-1]
    assert pauses == [100.0, 200.0, 400.0, 500.0]
    line.went_well(now_s)
    line.failed(AgentFailure("server", "nothing answers there"), now_s)
    assert line.free_in_s() == 100.0


def test_failures_of_one_round_count_once() -> None:
    line = fares.Line(ChatServer("some", Place.at(DEAD, name="some", model="m"), attempts=1))
    for _ in range(10):
        line.failed(AgentFailure("server", "gone"), sent_s=0.0)
    assert not line.is_down


def test_one_that_comes_back_is_asked_again(servers: ExitStack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fares, "_FIRST_PAUSE_S", 0.05)
    broken_once = Behaviour("is broken once", 503, only_once=True)
    back, other = serving(servers, broken_once), serving(servers, Behaviour("is slow", first_s=0.1))
    model = balanced(back, other)
    assert [said(list(model.complete(ASK))) for _ in range(3)] == [SAID] * 3
    assert counts(back, other) == [2, 2]


def test_a_server_that_is_broken_costs_a_round_and_the_other_answers_all(servers: ExitStack) -> None:
    broken, well = serving(servers, BROKEN), serving(servers)
    assert asked_at_once(balanced(broken, well), 8) == [SAID] * 8
    assert counts(broken, well) == [4, 8]


def test_a_request_fails_where_all_servers_do_and_says_why(
    servers: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fares, "_FIRST_PAUSE_S", 0.001)
    one, two = serving(servers, BROKEN), serving(servers, BROKEN)
    with pytest.raises(AgentFailure, match=r"^some: 127\.0\.0\.1:\d+ answers 503 \(is broken\)$") as caught:
        list(balanced(one, two).complete(ASK))
    assert caught.value.kind == "server"
    assert counts(one, two) == [3, 3]


def test_requests_that_wait_for_servers_that_are_down_fail_after_a_while(
    servers: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fares, "_FIRST_PAUSE_S", 0.02)
    one, two = serving(servers, BROKEN), serving(servers, BROKEN)
    model = balanced(one, two, patience_s=0.2)

    async def both() -> list[BaseException | str]:
        async def one_of() -> str:
            return said([part async for part in model.stream(ASK)])

        return list(await asyncio.gather(*(one_of() for _ in range(20)), return_exceptions=True))

    found = loop.run(asyncio.wait_for(both(), 10))
    assert {type(error) for error in found} == {AgentFailure}
    assert any("all servers are down: some: 127.0.0.1" in str(error) for error in found)


def test_an_answer_that_breaks_off_after_a_part_was_used_is_not_begun_anew(servers: ExitStack) -> None:
    drops = Behaviour("hangs up in the middle", sent=2, end="hang up")
    one, two = serving(servers, drops), serving(servers)
    arrived: list[Part] = []
    with pytest.raises(AgentFailure, match="broke off"):
        arrived.extend(balanced(one, two).complete(ASK))
    assert counts(one, two) == [1, 0]


def test_a_request_that_is_wrong_is_refused_once(servers: ExitStack) -> None:
    one, two = (serving(servers, Behaviour("does not take it", 400)) for _ in range(2))
    with pytest.raises(Refused, match="answers 400"):
        list(balanced(one, two).complete(ASK))
    assert counts(one, two) == [1, 0]


def test_a_server_that_does_not_know_the_model_leaves_it_to_the_other(servers: ExitStack) -> None:
    without, well = serving(servers, UNKNOWN), serving(servers)
    model = balanced(without, well)
    assert [said(list(model.complete(ASK))) for _ in range(3)] == [SAID] * 3
    assert counts(without, well) == [1, 3]


def test_a_request_that_every_server_refuses_is_refused(servers: ExitStack) -> None:
    one, two = serving(servers, UNKNOWN), serving(servers, UNKNOWN)
    with pytest.raises(Refused, match="answers 404"):
        list(balanced(one, two).complete(ASK))
    assert counts(one, two) == [1, 1]


def test_a_run_begins_where_one_server_has_the_model_and_the_others_are_warned_of(
    servers: ExitStack, caplog: pytest.LogCaptureFixture
) -> None:
    other, well = serving(servers, models=["else"]), serving(servers)
    model = balanced(DEAD, other, well)
    with caplog.at_level(logging.WARNING):
        model.check()
    warned = [record.getMessage() for record in caplog.records]
    assert len(warned) == 2
    assert "127.0.0.1:9: nothing answers there" in warned[0]
    assert "has no model 'm'. It has: else. It is left out for now: 1 of 3 servers" in warned[1]
    assert asked_at_once(model, 8) == [SAID] * 8
    assert counts(other, well) == [0, 8]


def test_one_that_could_not_be_used_at_first_is_checked_before_it_is_asked(
    servers: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fares, "_FIRST_PAUSE_S", 0.001)
    other, well = serving(servers, models=["else"]), serving(servers)
    model = balanced(other, well)
    model.check()
    for _ in range(4):
        assert said(list(model.complete(ASK))) == SAID
    assert counts(other, well) == [0, 4]


def test_a_run_does_not_begin_where_no_server_has_the_model(servers: ExitStack) -> None:
    other = serving(servers, models=["else"])
    with pytest.raises(UserError, match=r"nothing answers there.*; some: 127.*has no model 'm'") as caught:
        balanced(DEAD, other).check()
    assert "\n" not in str(caught.value)


def test_leaving_an_answer_early_frees_its_slot(servers: ExitStack) -> None:
    endless = Behaviour("never ends", sent=2, end="stall")
    one, two = serving(servers, endless), serving(servers, endless)
    model = balanced(one, two)
    for _ in range(20):
        answer = model.complete(ASK)
        assert next(answer).kind == "content"
        answer.close()  # type: ignore[attr-defined]
    assert counts(one, two) == [10, 10]


def test_one_that_takes_requests_and_hangs_loses_its_share_long_before_the_deadline(
    servers: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fares, "_SHORTEST_SILENCE_S", 0.2)
    monkeypatch.setattr(balancing, "_LOOKED_AGAIN_S", 0.05)
    hangs = serving(servers, Behaviour("never answers", sent=0, end="stall"))
    well = serving(servers, schedule=Schedule(first_s=0.01))
    began_s = time.monotonic()
    assert asked_in_turn(balanced(hangs, well), 100, workers=8) == [SAID] * 100
    assert time.monotonic() - began_s < 4.0  # a deadline is five seconds
    assert len(hangs.asked) < 24
    assert len(well.asked) == 100


def test_one_that_is_slow_and_at_work_is_waited_for(
    servers: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fares, "_SHORTEST_SILENCE_S", 0.1)
    monkeypatch.setattr(balancing, "_LOOKED_AGAIN_S", 0.05)
    slow = serving(servers, Behaviour("takes its time", first_s=0.4))
    well = serving(servers, schedule=Schedule(first_s=0.09))
    model = balanced(slow, well)
    assert asked_in_turn(model, 40, workers=8) == [SAID] * 40
    assert model.turned_away == 0
    assert len(slow.asked) + len(well.asked) == 40


def asked_in_turn(model: Balanced, times: int, *, workers: int) -> list[str]:
    """Ask so often, a few at a time, as a run does."""
    left = iter(range(times))
    found: list[str] = []

    async def one() -> str:
        return said([part async for part in model.stream(ASK)])

    async def work() -> None:
        for _ in left:
            found.extend([await one()])

    async def all_of_them() -> None:
        await asyncio.gather(*(work() for _ in range(workers)))

    loop.run(all_of_them())
    return found


def test_how_long_a_silent_server_is_waited_for_follows_from_how_long_the_others_take() -> None:
    now_s = 0.0
    places = [Place.at(DEAD, name="some", model="m")] * 2
    line, other = (fares.Line(ChatServer("some", place), clock=lambda: now_s) for place in places)

    async def given_up_s(other_takes_s: float, *, speaks_s: float = -1.0) -> float:
        nonlocal now_s
        now_s = sent_s = now_s + 100.0
        with suppress(TimeoutError), line.waiting(sent_s) as waiting:
            async with waiting.deadline:
                while line.is_waited_for:
                    now_s += 1.0
                    other.spoke(now_s - other_takes_s)
                    if now_s - sent_s == speaks_s:
                        line.spoke(now_s)
                    line.give_up_waiting([other])
                await asyncio.sleep(1)
        return now_s - sent_s

    assert loop.run(given_up_s(0.1)) == 11.0
    assert loop.run(given_up_s(0.1, speaks_s=9.0)) == 20.0
    assert loop.run(given_up_s(4.0)) == 21.0
