"""Measuring an agent from its tasks to its two files."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.latency.virtual import MODEL, Local, Server, virtual_clock
from tests.running.helpers import add_clips, make_task
from voicebench import TASKS_VERSION
from voicebench.errors import UserError
from voicebench.files import parse_object, read_rows
from voicebench.latency.measure import Clock
from voicebench.latency.run import ROWS, SUMMARY, Options, choose, measure_agent
from voicebench.latency.shape import LatencySummary
from voicebench.protocols import Agent
from voicebench.running.candidates import Candidate
from voicebench.running.materials import Materials, read_materials
from voicebench.types import Request, Response, Timeline

TASKS = [make_task(number, lang) for lang in ("en", "hi", "th") for number in range(1, 5)]
WORDS = Options(n=6, condition="text", warm_up=2)


@pytest.fixture
def clock() -> Iterator[Clock]:
    with virtual_clock() as made:
        yield made


def candidate(agent: Agent, *, sees_gold: bool = False) -> Candidate:
    return Candidate("सर्वर", MODEL, (MODEL,), lambda: agent, sees_gold)


def test_rows_and_summary_are_written(clock: Clock, tmp_path: Path) -> None:
    summary = measure_agent(tmp_path, candidate(Server(clock, [1.0])), TASKS, WORDS, clock=clock)
    rows = read_rows(tmp_path / ROWS, Response)
    assert len(rows) == len({(row.task_id, row.trial) for row in rows}) == 6
    assert {(row.agent, row.condition, row.tasks_version) for row in rows} == {
        ("सर्वर", "text", TASKS_VERSION)
    }
    assert all(row.model == MODEL and row.prompt_sha256 and row.timeline for row in rows)
    written = json.loads((tmp_path / SUMMARY).read_text(encoding="utf-8"))
    assert parse_object(written, LatencySummary, SUMMARY) == summary
    assert (summary.planned, summary.asked, summary.answered, summary.errors) == (6, 6, 6, {})
    assert (summary.warm_up_s, summary.span_s, summary.moments["done"].p50.value_s) == (2.0, 6.0, 1.0)
    assert (summary.concurrency, summary.rate_per_s, summary.queued, summary.notes) == (1, None, None, ())


def test_loading_is_reported_apart_and_in_no_delay(clock: Clock, tmp_path: Path) -> None:
    def make() -> Agent:
        clock.sleep(90.0)
        return Local(clock, 1.0)

    summary = measure_agent(tmp_path, Candidate("a", MODEL, (), make), TASKS, WORDS, clock=clock)
    assert (summary.load_s, summary.warm_up_s, summary.span_s) == (90.0, 2.0, 6.0)
    assert summary.moments["done"].mean_s == 1.0


def test_a_rate_makes_requests_queue(clock: Clock, tmp_path: Path) -> None:
    options = replace(WORDS, n=3, rate_per_s=1.0, spacing="even")
    summary = measure_agent(tmp_path, candidate(Server(clock, [2.0])), TASKS, options, clock=clock)
    assert summary.queued is not None
    assert (summary.queued.n, summary.queued.mean_s, summary.arrivals) == (3, 1.0, "even")
    assert [part.name for part in summary.parts] == ["queued", "request_sent", "first_token", "done"]
    assert sum(part.mean_s for part in summary.parts) == summary.moments["done"].mean_s == 3.0


def test_a_few_tasks_are_a_mixture_and_the_seed_changes_it() -> None:
    def asked(seed: int) -> list[str]:
        agent = candidate(Local(Clock(), 0.0))
        heated, items, _ = choose(agent, TASKS, replace(WORDS, seed=seed), Materials())
        return [item.task.id for item in (*heated, *items)]

    assert asked(0) == asked(0) != asked(1)
    assert len(set(asked(0))) == 8
    assert len({task_id.split("-")[1] for task_id in asked(0)}) == 3


def test_fewer_tasks_than_requests_are_repeated_and_that_is_said(clock: Clock, tmp_path: Path) -> None:
    options = replace(WORDS, n=9, warm_up=1)
    summary = measure_agent(tmp_path, candidate(Server(clock, [1.0])), TASKS[:4], options, clock=clock)
    rows = read_rows(tmp_path / ROWS, Response)
    assert len({(row.task_id, row.trial) for row in rows}) == 9
    assert summary.tasks == 4
    assert summary.notes == (
        "4 tasks for 10 requests: each was asked up to 3 times. A server may keep what it has read before, "
        "and answer a repeated request sooner.",
    )


def test_the_sound_of_the_requests_is_reported(clock: Clock, tmp_path: Path) -> None:
    add_clips(tmp_path, TASKS)
    server = Server(clock, [1.0])
    summary = measure_agent(
        tmp_path / "out", candidate(server), TASKS, Options(n=4), read_materials(tmp_path), clock=clock
    )
    assert summary.audio is not None
    assert (summary.audio.n, summary.audio.mean_s, summary.audio.total_s) == (4, 0.05, 0.2)
    assert all(turn.audio is not None and turn.text is None for asked in server.asked for turn in asked.turns)
    assert all(row.voice and row.audio_sha256 for row in read_rows(tmp_path / "out" / ROWS, Response))


def test_tasks_without_a_clip_are_not_asked_and_that_is_said(clock: Clock, tmp_path: Path) -> None:
    add_clips(tmp_path, TASKS[:5])
    options = Options(n=3, warm_up=1)
    summary = measure_agent(
        tmp_path / "out", candidate(Server(clock, [1.0])), TASKS, options, read_materials(tmp_path),
        clock=clock,
    )  # fmt: skip
    assert (summary.answered, summary.errors) == (3, {})
    assert summary.notes == ("7 tasks have no clip or transcript for speech and were not asked.",)


def test_no_clip_at_all_is_the_users_to_mend(clock: Clock, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Run: voicebench build-audio"):
        measure_agent(tmp_path, candidate(Local(clock, 1.0)), TASKS, Options(n=1), clock=clock)
    with pytest.raises(UserError, match="no task is left"):
        measure_agent(tmp_path, candidate(Local(clock, 1.0)), [], WORDS, clock=clock)


def test_an_agent_on_this_machine_says_that_it_is_asked_one_at_a_time(clock: Clock, tmp_path: Path) -> None:
    options = replace(WORDS, concurrency=8)
    summary = measure_agent(tmp_path, candidate(Local(clock, 1.0)), TASKS, options, clock=clock)
    assert summary.concurrency == 1
    assert summary.notes == ("सर्वर answers on this machine: one request at a time, not 8.",)


def test_errors_are_rows_and_counts_and_in_no_figure(clock: Clock, tmp_path: Path) -> None:
    heated, asked, _ = choose(candidate(Local(clock, 0.0)), TASKS, WORDS, Materials())
    server = Server(clock, [1.0], fails=[asked[0].task.id])
    summary = measure_agent(tmp_path, candidate(server), TASKS, WORDS, clock=clock)
    assert (summary.asked, summary.answered, summary.errors) == (6, 5, {"rate_limit": 1})
    assert {each.n for each in summary.moments.values()} == {5}
    assert [row.error is not None for row in read_rows(tmp_path / ROWS, Response)].count(True) == 1
    assert len(heated) == 2


def test_an_interrupt_leaves_what_was_measured_in_both_files(clock: Clock, tmp_path: Path) -> None:
    class Interrupted(Local):
        answered = 0

        def respond(self, requests: Sequence[Request]) -> list[Response]:
            if self.answered == 5:
                raise KeyboardInterrupt
            self.answered += 1
            return super().respond(requests)

    summary = measure_agent(tmp_path, candidate(Interrupted(clock, 1.0)), TASKS, WORDS, clock=clock)
    assert (summary.interrupted, summary.planned, summary.asked) == (True, 6, 3)
    assert len(read_rows(tmp_path / ROWS, Response)) == 3
    assert json.loads((tmp_path / SUMMARY).read_text(encoding="utf-8"))["interrupted"] is True


def test_a_control_is_shown_the_right_answer(clock: Clock, tmp_path: Path) -> None:
    seen: list[bool] = []

    class Seer(Local):
        def respond(self, requests: Sequence[Request]) -> list[Response]:
            seen.append(requests[0].gold is not None)
            return super().respond(requests)

    measure_agent(tmp_path, candidate(Seer(clock, 1.0), sees_gold=True), TASKS, WORDS, clock=clock)
    measure_agent(tmp_path, candidate(Seer(clock, 1.0)), TASKS, WORDS, clock=clock)
    assert seen == [True] * 8 + [False] * 8


def test_an_agent_without_a_clock_is_measured_without_moments(clock: Clock, tmp_path: Path) -> None:
    agent = Local(clock, 1.0, Timeline())
    summary = measure_agent(tmp_path, candidate(agent), TASKS, WORDS, clock=clock)
    assert (summary.answered, summary.moments, summary.parts) == (6, {}, ())


def test_what_an_earlier_measurement_left_is_replaced(clock: Clock, tmp_path: Path) -> None:
    for n in (5, 3):
        measure_agent(tmp_path, candidate(Server(clock, [1.0])), TASKS, replace(WORDS, n=n), clock=clock)
    assert len(read_rows(tmp_path / ROWS, Response)) == 3
