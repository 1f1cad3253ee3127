"""Asking: nothing twice, nothing lost, no fault of one item the loss of another."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.running.helpers import MODEL, StubAgent, make_task
from voicebench.errors import AgentFailure, UserError
from voicebench.files import read_rows
from voicebench.running.engine import Outcome, ask, read_responses
from voicebench.running.materials import Materials
from voicebench.running.plan import Planned, plan
from voicebench.running.watch import Watch
from voicebench.types import ModelRef, Request, Response

TASKS = [make_task(number) for number in range(5)]


def planned(trials: int = 1) -> list[Planned]:
    return plan(TASKS, ["text"], Materials(), trials=trials)


def asking(
    path: Path,
    agent: StubAgent,
    items: Sequence[Planned] | None = None,
    *,
    name: str = "stub",
    model: ModelRef = MODEL,
) -> Outcome:
    return ask(
        items or planned(), name=name, model=model, make=lambda: agent, materials=Materials(), path=path,
        batch_size=2,
    )  # fmt: skip


def test_every_answer_is_signed_with_what_was_asked(tmp_path: Path, stub: StubAgent) -> None:
    assert asking(tmp_path / "r.jsonl", stub) == Outcome(asked=5, kept=0, errors=0)
    row = read_responses(tmp_path / "r.jsonl")[0]
    item = planned()[0]
    assert (row.model, row.seed, row.prompt_sha256) == (MODEL, item.seed, item.prompt_sha256)
    assert row.tasks_version is not None


def test_a_second_run_asks_nothing_and_does_not_make_the_agent(tmp_path: Path, stub: StubAgent) -> None:
    asking(tmp_path / "r.jsonl", stub)
    stub.asked.clear()
    outcome = ask(
        planned(), name="stub", model=MODEL, make=lambda: pytest.fail("made again"), materials=Materials(),
        path=tmp_path / "r.jsonl",
    )  # fmt: skip
    assert outcome == Outcome(asked=0, kept=5, errors=0)


def test_another_model_or_prompt_or_trial_is_asked_anew(tmp_path: Path, stub: StubAgent) -> None:
    path = tmp_path / "r.jsonl"
    asking(path, stub)
    assert asking(path, stub, model=ModelRef(name="stub", revision="2")).asked == 5
    assert asking(path, stub, name="other").asked == 5
    assert asking(path, stub, planned(trials=2), name="other").asked == 5
    assert len(read_responses(path)) == 15


def test_a_row_with_an_error_is_asked_again_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    broken = StubAgent(lambda request: request.failure("server", "503"))
    assert asking(path, broken) == Outcome(asked=5, kept=0, errors=5)
    whole = StubAgent(lambda request: request.answer(text="ok"))
    assert asking(path, whole) == Outcome(asked=5, kept=0, errors=0)
    assert [row.text for row in read_rows(path, Response)] == ["ok"] * 5


def test_an_agent_that_raises_costs_the_one_item_it_raised_on(tmp_path: Path) -> None:
    def answer(request: Request) -> Response:
        if request.task_id == TASKS[1].id:
            raise ZeroDivisionError("first line\nsecond line")
        return request.answer(text="ok")

    path = tmp_path / "r.jsonl"
    assert asking(path, StubAgent(answer)).errors == 1
    rows = {row.task_id: row for row in read_responses(path)}
    error = rows[TASKS[1].id].error
    assert error is not None
    assert (error.kind, error.message) == ("crash", "ZeroDivisionError: first line")
    assert [row.text for row in rows.values()] == ["ok", None, "ok", "ok", "ok"]


@pytest.mark.parametrize(
    ("raised", "kind"),
    [
        (AgentFailure("timeout", "30 s"), "timeout"),
        (AgentFailure("no such kind", "x"), "crash"),
        (MemoryError(), "out_of_memory"),
        (RecursionError("deep"), "crash"),
    ],
)
def test_what_is_raised_decides_the_kind_of_error(tmp_path: Path, raised: Exception, kind: str) -> None:
    def answer(request: Request) -> Response:
        raise raised

    asking(tmp_path / "r.jsonl", StubAgent(answer))
    assert {row.error.kind for row in read_responses(tmp_path / "r.jsonl") if row.error} == {kind}


def test_a_users_mistake_ends_the_run_and_keeps_what_is_finished(tmp_path: Path) -> None:
    def answer(request: Request) -> Response:
        if request.task_id == TASKS[2].id:
            raise UserError("whisper-tiny.en hears English only")
        return request.answer(text="ok")

    with pytest.raises(UserError, match=r"hears English only"):
        asking(tmp_path / "r.jsonl", StubAgent(answer))
    assert len(read_responses(tmp_path / "r.jsonl")) == 2


def test_an_agent_that_answers_too_few_is_at_fault_itself(tmp_path: Path) -> None:
    class Short(StubAgent):
        def respond(self, requests: Sequence[Request]) -> list[Response]:
            return []

    asking(tmp_path / "r.jsonl", Short(lambda request: request.answer(text="")))
    messages = {row.error.message for row in read_responses(tmp_path / "r.jsonl") if row.error}
    assert messages == {"0 answers to 1 requests"}


def test_a_megabyte_of_rubbish_is_kept_as_it_came(tmp_path: Path) -> None:
    rubbish = "[[{(\u0939\u093f\x00\ufffe" * 120_000
    path = tmp_path / "r.jsonl"
    asking(path, StubAgent(lambda request: request.answer(text=rubbish)))
    assert read_responses(path)[0].text == rubbish


def test_progress_counts_what_was_kept_before(tmp_path: Path, stub: StubAgent) -> None:
    path = tmp_path / "r.jsonl"
    asking(path, stub, planned()[:2])
    seen: list[tuple[str, int, int]] = []
    watch = Watch(lambda now: seen.append((now.agent, now.done, now.total)))
    ask(
        planned(), name="stub", model=MODEL, make=lambda: stub, materials=Materials(), path=path,
        batch_size=2, watch=watch,
    )  # fmt: skip
    assert seen == [("stub", done, 5) for done in (2, 3, 4, 5)]


KILLED_RUN = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from tests.running.test_engine import StubAgent, asking
def answer(request):
    time.sleep(0.05)
    print(request.task_id, flush=True)
    return request.answer(text="ok")
asking(Path(sys.argv[1]), StubAgent(answer))
"""


def test_kill_9_loses_at_most_the_batch_in_flight_and_the_rest_is_not_asked_again(
    tmp_path: Path, stub: StubAgent
) -> None:
    path = tmp_path / "r.jsonl"
    root = str(Path(__file__).parent.parent.parent)
    with subprocess.Popen(
        [sys.executable, "-c", KILLED_RUN, str(path), root], stdout=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        for _ in range(4):
            run.stdout.readline()
        run.kill()
    outcome = asking(path, stub)
    assert outcome.kept >= 2
    assert outcome.asked == 5 - outcome.kept
    assert [row.task_id for row in read_responses(path)] == [task.id for task in TASKS]
