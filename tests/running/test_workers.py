"""Several processes for a model on this machine: the same answers, and nobody's lost with a worker."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.agent_requests import request, tone
from tests.running.commands import command, evaluated, responses
from tests.running.helpers import make_task
from voicebench.errors import AgentFailure, UserError
from voicebench.fakes import RandomAgent
from voicebench.files import to_line
from voicebench.protocols import Agent
from voicebench.running import dealing
from voicebench.running.candidates import candidate
from voicebench.running.engine import ask, read_responses
from voicebench.running.materials import Materials
from voicebench.running.plan import plan
from voicebench.running.wanted import Answer, Wanted
from voicebench.running.workers import Seat, WorkersAsker
from voicebench.types import ModelRef, Request, Response

ROOT = Path(__file__).parent.parent.parent
MODEL = ModelRef(name="random", revision="1")


class Told:
    """An agent that does what a request's task id says, once or always."""

    model = ModelRef(name="told", revision="1")
    pads_batches = False

    def __init__(self, marks: Path) -> None:
        self._marks = marks

    def respond(self, requests: Sequence[Request]) -> list[Response]:
        with (self._marks / "batches").open("a", encoding="utf-8") as told:
            told.write(" ".join(one.task_id for one in requests) + "\n")
        for one in requests:
            mark = self._marks / one.task_id
            if one.task_id == "dies" or (one.task_id == "dies-once" and not mark.exists()):
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            if one.task_id == "mistaken":
                raise UserError("hears English only")
            if one.task_id == "breaks":
                raise ValueError("नहीं")
            if one.task_id == "waits":
                time.sleep(60)
        return [one.answer(text=f"{one.task_id} {_heard(one)}".strip()) for one in requests]


class Pads(Told):
    pads_batches = True


def dies_while_it_is_made(marks: Path) -> Agent:
    if not (marks / "spared").exists():
        (marks / "spared").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return Told(marks)


def is_made_late(marks: Path) -> Agent:
    time.sleep(6)
    return Told(marks)


def always_dies_while_it_is_made() -> Agent:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def cannot_be_made(error: Exception) -> Agent:
    raise error


def _heard(one: Request) -> str:
    return ",".join(f"{turn.audio.samples.sum():.3f}" for turn in one.turns if turn.audio is not None)


def answers(make: Any, items: Sequence[Wanted], *, count: int = 2, **options: Any) -> dict[int, Answer]:
    found: dict[int, Answer] = {}
    WorkersAsker([Seat("cpu", make)] * count, **options).answer(items, found.__setitem__)
    return found


def texts(found: dict[int, Answer]) -> list[str | None]:
    return [getattr(found[place], "text", None) for place in sorted(found)]


def wanted(*ids: str, lengths_s: Sequence[float] = ()) -> list[Wanted]:
    read = [lambda name=name: request("काम", task_id=name) for name in ids]
    lengths_s = lengths_s or [0.0] * len(ids)
    return [Wanted(length_s, one) for length_s, one in zip(lengths_s, read, strict=True)]


def test_two_processes_give_the_same_rows_as_this_one(tmp_path: Path) -> None:
    planned = plan([make_task(number) for number in range(30)], ["text"], Materials(), trials=2)
    lines = []
    for seats in ((), (Seat("cpu", RandomAgent),) * 2):
        path = tmp_path / f"{len(seats)}.jsonl"
        outcome = ask(
            planned, name="random", model=MODEL, make=RandomAgent, materials=Materials(), path=path,
            seats=seats,
        )  # fmt: skip
        assert (outcome.asked, outcome.errors) == (60, 0)
        lines.append(sorted(to_line(row) for row in read_responses(path)))
    assert lines[0] == lines[1]


def test_the_command_gives_the_same_rows_with_workers(tmp_path: Path) -> None:
    rows = []
    for number, more in enumerate(((), ("--workers=2", "--device=cpu"))):
        where = tmp_path / str(number)
        where.mkdir()
        ran = evaluated(where, "random", *more)
        assert ran.returncode == 0, ran.stderr
        rows.append(sorted((where / "r" / "responses.jsonl").read_bytes().splitlines()))
    assert rows[0] == rows[1]


def test_sound_reaches_the_workers_as_it_is(tmp_path: Path) -> None:
    clip = tone(330, seconds=1.5)
    found = answers(partial(Told, tmp_path), [Wanted(1.5, lambda: request(clip, task_id="t"))])
    assert texts(found) == [f"t {np.sum(clip.samples):.3f}"]


def test_batches_for_an_agent_that_pads_hold_like_lengths_the_longest_first(tmp_path: Path) -> None:
    items = wanted("a", "b", "c", "d", "e", lengths_s=[1, 9, 2, 8, 100])
    assert texts(answers(partial(Pads, tmp_path), items, count=1, most_requests=2)) == [
        "a",
        "b",
        "c",
        "d",
        "e",
    ]
    assert (tmp_path / "batches").read_text(encoding="utf-8").splitlines() == ["e b", "d c", "a"]


def test_a_worker_that_is_killed_costs_nobodys_answer(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ids = ["a", "b", "dies-once", "c", "d", "e"]
    assert texts(answers(partial(Told, tmp_path), wanted(*ids), most_requests=3)) == ids
    assert "a worker on cpu died (killed by SIGKILL, as when memory runs out); another one" in caplog.text


def test_a_request_that_kills_its_worker_is_a_failure_alone_and_asked_four_times(tmp_path: Path) -> None:
    found = answers(partial(Told, tmp_path), wanted("a", "dies", "b", "c"), most_requests=4)
    bad = found[1]
    assert isinstance(bad, AgentFailure) and bad.kind == "crash"
    assert str(bad).startswith("workers died over this request (killed by SIGKILL")
    assert texts(found) == ["a", None, "b", "c"]
    asked = (tmp_path / "batches").read_text(encoding="utf-8").split()
    assert asked.count("dies") == 4


def test_workers_that_die_without_end_end_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dealing, "MOST_DEATHS", 1)
    with pytest.raises(AgentFailure, match=r"2 workers died one after the other.*run the same command again"):
        answers(partial(Told, tmp_path), wanted("dies", "a"), count=1)


def test_a_worker_that_dies_while_it_loads_is_replaced(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    make = partial(dies_while_it_is_made, tmp_path)
    assert texts(answers(make, wanted("a", "b"), count=1)) == ["a", "b"]
    assert "died as it loaded the model (killed by SIGKILL" in caplog.text
    assert "another one takes over" in caplog.text


def test_a_seat_where_every_worker_dies_while_it_loads_is_done_without(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    found: dict[int, Answer] = {}
    seats = [Seat("cpu", always_dies_while_it_is_made), Seat("cpu", partial(is_made_late, tmp_path))]
    WorkersAsker(seats).answer(wanted("a", "b"), found.__setitem__)
    assert texts(found) == ["a", "b"]
    assert "going on with 1" in caplog.text


def test_a_model_that_no_worker_can_load_ends_the_run() -> None:
    with pytest.raises(AgentFailure, match=r"died as it loaded the model.*Fewer --workers"):
        answers(always_dies_while_it_is_made, wanted("a", "b"))


def test_why_an_agent_cannot_be_made_is_told_as_in_one_process() -> None:
    with pytest.raises(UserError, match=r"^no weights here$"):
        answers(partial(cannot_be_made, UserError("no weights here")), wanted("a"))


def test_a_bug_in_making_the_agent_keeps_its_traceback() -> None:
    with pytest.raises(RuntimeError, match=r"(?s)in a worker on cpu:.*cannot_be_made.*KeyError: 'x'"):
        answers(partial(cannot_be_made, KeyError("x")), wanted("a"))


def test_a_users_mistake_in_a_worker_ends_the_run(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="hears English only"):
        answers(partial(Told, tmp_path), wanted("a", "mistaken"))


def test_an_exception_in_a_worker_costs_its_own_request_alone(tmp_path: Path) -> None:
    found = answers(partial(Told, tmp_path), wanted("a", "breaks", "b"))
    bad = found[1]
    assert isinstance(bad, Response) and bad.error is not None
    assert (bad.error.kind, bad.error.message) == ("crash", "ValueError: नहीं")
    assert texts(found) == ["a", None, "b"]


def test_a_clip_that_cannot_be_read_never_leaves_this_process(tmp_path: Path) -> None:
    def broken() -> Request:
        raise AgentFailure("audio", "not a clip")

    found = answers(partial(Told, tmp_path), [Wanted(1.0, broken), *wanted("a")])
    assert str(found[0]) == "not a clip"
    assert isinstance(found[1], Response)


def test_what_the_taker_raises_ends_the_run_without_waiting_for_the_workers(tmp_path: Path) -> None:
    def full(place: int, answer: Answer) -> None:
        raise UserError("the disk is full")

    began_s = time.monotonic()
    asker = WorkersAsker([Seat("cpu", partial(Told, tmp_path))], most_requests=1)
    with pytest.raises(UserError, match="the disk is full"):
        asker.answer(wanted("a", "waits"), full)
    assert time.monotonic() - began_s < 20


def test_nothing_to_ask_starts_nobody() -> None:
    assert answers(always_dies_while_it_is_made, []) == {}


def test_an_agent_on_this_machine_has_a_seat_a_worker_and_one_at_a_server_none() -> None:
    local = candidate("fake", workers=("cuda:0", "cuda:1"))
    assert [seat.device for seat in local.seats] == ["cuda:0", "cuda:1"]
    assert candidate("fake+http://127.0.0.1:9/v1#m", workers=("cpu", "cpu")).seats == ()


SLOW = """
import sys
from functools import partial
from pathlib import Path
from tests.running.test_workers import MODEL, Slow
from tests.running.helpers import make_task
from voicebench.running.engine import ask
from voicebench.running.materials import Materials
from voicebench.running.plan import plan
from voicebench.running.workers import Seat

if __name__ == "__main__":
    planned = plan([make_task(number) for number in range(200)], ["text"], Materials())
    ask(planned, name="random", model=MODEL, make=Slow, materials=Materials(),
        path=Path(sys.argv[1]) / "responses.jsonl", seats=[Seat("cpu", Slow)] * 2)
"""


class Slow(RandomAgent):
    def respond(self, requests: Sequence[Request]) -> list[Response]:
        time.sleep(0.2)
        return super().respond(requests)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_stopped_leaves_what_is_finished_and_no_processes(
    tmp_path: Path, how: signal.Signals
) -> None:
    script = tmp_path / "script.py"
    script.write_text(SLOW, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path)], cwd=ROOT, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, start_new_session=True,
    )  # fmt: skip
    _until(lambda: len(responses(tmp_path)) >= 12)
    if how == signal.SIGINT:
        os.killpg(process.pid, how)  # as a terminal does
    else:
        process.send_signal(how)
    process.communicate(timeout=30)
    _until(lambda: not _is_any_left(process.pid))
    rows = responses(tmp_path)
    assert 12 <= len(rows) < 200
    assert len({row.task_id for row in rows}) == len(rows)


def test_a_command_whose_workers_are_killed_loses_nothing(tmp_path: Path) -> None:
    words = command("random", "--trials=300", "--workers=2", "--device=cpu", "--no-score")
    with subprocess.Popen(
        words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        for seen in (20, 400):
            _until(lambda seen=seen: len(responses(tmp_path / "r")) > seen or run.poll() is not None)
            for child in _workers_of(run.pid)[:1]:
                os.kill(child, signal.SIGKILL)
        said, told = run.communicate(timeout=90)
    assert run.returncode == 0, told
    assert "3000 asked, 0 kept, 0 with an error" in said
    assert "another one takes over" in told
    rows = responses(tmp_path / "r")
    assert len({(row.task_id, row.trial) for row in rows}) == len(rows) == 3000


def _workers_of(pid: int) -> list[int]:
    found = []
    for child in _children(pid):
        line = (Path("/proc") / str(child) / "cmdline").read_bytes()
        found += [child] if b"spawn_main" in line else []
    return found


def _children(pid: int) -> list[int]:
    said = [path.read_text(encoding="ascii") for path in Path(f"/proc/{pid}/task").glob("*/children")]
    return [int(number) for line in said for number in line.split()]


def _is_any_left(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def _until(is_so: Any, longest_s: float = 60.0) -> None:
    until_s = time.monotonic() + longest_s
    while not is_so():
        assert time.monotonic() < until_s
        time.sleep(0.02)
