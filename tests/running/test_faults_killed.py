"""The command killed at any moment: what is on disk stays, stands once, and is not asked again."""

import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.agent_requests import request as make_request
from tests.running.commands import TASKS, command, evaluated, responses, seeds_asked
from voicebench.fakes_server import FakeServer, Schedule
from voicebench.running.server import ServerAsker
from voicebench.running.wanted import Answer, Wanted
from voicebench.types import Request, Response

ROOT = str(Path(__file__).parent.parent.parent)
TRIALS = 6


@pytest.mark.parametrize("seed", [1, 2])
def test_kill_9_loses_no_finished_row_and_none_is_asked_again(tmp_path: Path, seed: int) -> None:
    moments = random.Random(seed)
    with FakeServer(schedule=Schedule(first_s=0.05)) as server:
        words = (f"fake+{server.url}#fake", f"--trials={TRIALS}", "--concurrency=4")
        finished: dict[int | None, str] = {}
        for _ in range(3):
            server.forget()
            wanted = moments.randrange(1, 16)
            with subprocess.Popen(command(*words), cwd=tmp_path, stderr=subprocess.DEVNULL) as run:
                while run.poll() is None and len(seeds_asked(server)) < wanted:
                    time.sleep(0.002)
                time.sleep(moments.uniform(0, 0.1))
                run.kill()
            assert not finished.keys() & set(seeds_asked(server))
            now = {row.seed: row.model_dump_json() for row in responses(tmp_path / "r")}
            assert now.items() >= finished.items()
            finished = now
        server.forget()
        ran = evaluated(tmp_path, *words)
        assert ran.returncode == 0, ran.stderr
        assert not finished.keys() & set(seeds_asked(server))
    rows = responses(tmp_path / "r")
    assert len(rows) == TASKS * TRIALS
    assert set(Counter((row.task_id, row.trial) for row in rows).values()) == {1}
    assert f"{TASKS * TRIALS - len(finished)} asked, {len(finished)} kept" in ran.stdout


def test_ctrl_c_keeps_what_is_finished_and_says_so_without_a_traceback(tmp_path: Path) -> None:
    with FakeServer(schedule=Schedule(first_s=0.1)) as server:
        words = (f"fake+{server.url}#fake", f"--trials={TRIALS}", "--concurrency=4")
        with subprocess.Popen(command(*words), cwd=tmp_path, stderr=subprocess.PIPE, text=True) as run:
            while run.poll() is None and len(responses(tmp_path / "r")) < 4:
                time.sleep(0.005)
            run.send_signal(2)
            _, told = run.communicate(timeout=20)
    assert run.returncode in (1, 130)
    assert "Traceback" not in told
    assert 4 <= len(responses(tmp_path / "r")) < TASKS * TRIALS


def test_a_second_process_on_the_same_run_is_refused_in_one_line(tmp_path: Path) -> None:
    with FakeServer(schedule=Schedule(first_s=0.3)) as server:
        words = (f"fake+{server.url}#fake", "--concurrency=2")
        with subprocess.Popen(command(*words), cwd=tmp_path, stdout=subprocess.DEVNULL) as run:
            while run.poll() is None and not seeds_asked(server):
                time.sleep(0.005)
            second = evaluated(tmp_path, *words)
            run.kill()
    assert second.returncode == 2
    assert "another process is writing this run. Wait for it, or name another with --run" in second.stderr


DYING = """
import os, resource, signal, sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from tests.running.test_engine import StubAgent, asking
what, asked, leaked = sys.argv[3], [], []
def answer(request):
    asked.append(request)
    if len(asked) == 4 and what == "dies":
        time.sleep(0.5)
        os.kill(os.getpid(), signal.SIGSEGV)
    if len(asked) == 4 and what == "exits":
        sys.exit(3)
    if request.task_id >= "single-en-0003" and what == "leaks":
        leaked.append(bytearray(1 << 33))
    return request.answer(text="ok")
if what == "leaks":
    resource.setrlimit(resource.RLIMIT_AS, (1 << 33, 1 << 33))
print(asking(Path(sys.argv[1]), StubAgent(answer)))
"""


def _dying(where: Path, what: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-c", DYING, str(where / "r" / "responses.jsonl"), ROOT, what]
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)


def test_an_agent_that_crashes_the_process_loses_the_batch_under_way_alone(tmp_path: Path) -> None:
    ran = _dying(tmp_path, "dies")
    assert ran.returncode == -11
    assert len(responses(tmp_path / "r")) == 2  # of batches of two, the second was under way
    assert "asked=3, kept=2, errors=0" in _dying(tmp_path, "nothing").stdout


def test_an_agent_that_exits_keeps_what_is_finished(tmp_path: Path) -> None:
    _dying(tmp_path, "exits")
    assert len([row for row in responses(tmp_path / "r") if row.error is None]) >= 2
    assert "errors=0" in _dying(tmp_path, "nothing").stdout


def test_an_agent_at_a_server_that_exits_costs_its_own_row_and_does_not_hang(tmp_path: Path) -> None:
    class Exits:
        async def answer(self, request: Request) -> Response:
            if request.task_id == "b":
                sys.exit(3)
            return request.answer(text="ok")

    items = [Wanted(0.0, lambda name=name: make_request("x", task_id=name)) for name in "abc"]  # type: ignore[misc]
    found: dict[int, Answer] = {}
    ServerAsker(Exits(), at_once=2).answer(items, found.__setitem__)  # type: ignore[arg-type]
    error = found[1].error if isinstance(found[1], Response) else None
    assert error is not None
    assert (error.kind, error.message) == ("crash", "the agent wanted to end the process (exit 3)")
    assert sorted(found) == [0, 1, 2]


def test_an_agent_that_runs_out_of_memory_costs_the_rows_that_did_not_fit(tmp_path: Path) -> None:
    ran = _dying(tmp_path, "leaks")
    assert "asked=5, kept=0, errors=2" in ran.stdout, ran.stderr
    kinds = [row.error and row.error.kind for row in responses(tmp_path / "r")]
    assert kinds == [None, None, None, "out_of_memory", "out_of_memory"]
    assert "asked=2, kept=3, errors=0" in _dying(tmp_path, "nothing").stdout
