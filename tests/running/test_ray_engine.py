"""Agents on a Ray cluster of two nodes on this machine: the same answers, and nothing lost with a worker."""

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.agent_requests import request, tone
from tests.ray_nodes import two_nodes
from tests.running.helpers import make_task
from voicebench.clusters import Cluster
from voicebench.errors import AgentFailure, MissingExtraError, UserError
from voicebench.fakes import RandomAgent
from voicebench.files import to_line
from voicebench.protocols import Agent
from voicebench.running.engine import ask, read_responses
from voicebench.running.materials import Materials
from voicebench.running.plan import plan
from voicebench.running.ray_engine import RayAsker
from voicebench.running.wanted import Answer, Wanted
from voicebench.types import ModelRef, Request, Response

ray = pytest.importorskip("ray")
MODEL = ModelRef(name="random", revision="1")


@pytest.fixture(scope="module", autouse=True)
def nodes() -> Iterator[Any]:
    with two_nodes() as cluster:
        # The workers need not import this module.
        ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
        yield cluster


class Told:
    """An agent that does what a request's task id says, once or always."""

    model = ModelRef(name="told", revision="1")

    def __init__(self, marks: str) -> None:
        self._marks = Path(marks)

    def respond(self, requests: Sequence[Request]) -> list[Response]:
        for one in requests:
            mark = self._marks / one.task_id
            if one.task_id == "dies" or (one.task_id == "dies-once" and not mark.exists()):
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            if one.task_id == "mistaken":
                raise UserError("hears English only")
        return [one.answer(text=f"{one.task_id} {_heard(one)}") for one in requests]


def _heard(one: Request) -> str:
    return ",".join(f"{turn.audio.samples.sum():.3f}" for turn in one.turns if turn.audio is not None)


def answers(make: Callable[[], Agent], items: Sequence[Wanted], **options: Any) -> dict[int, Answer]:
    found: dict[int, Answer] = {}
    RayAsker(make, Cluster(actors=2), **options).answer(items, found.__setitem__)
    return found


def wanted(*ids: str) -> list[Wanted]:
    return [Wanted(0.0, lambda name=name: request("काम", task_id=name)) for name in ids]  # type: ignore[misc]


def test_two_nodes_give_the_same_answers_as_this_process(tmp_path: Path) -> None:
    planned = plan([make_task(number) for number in range(30)], ["text"], Materials(), trials=2)
    lines = []
    for cluster in (None, Cluster(actors=2)):
        path = tmp_path / f"{cluster is None}.jsonl"
        outcome = ask(
            planned, name="random", model=MODEL, make=RandomAgent, materials=Materials(), path=path,
            cluster=cluster, batch_size=4,
        )  # fmt: skip
        assert (outcome.asked, outcome.errors) == (60, 0)
        lines.append(sorted(to_line(row) for row in read_responses(path)))
    assert lines[0] == lines[1]


def test_sound_reaches_the_workers_as_it_is(tmp_path: Path) -> None:
    clip = tone(330, seconds=1.5)
    [(_, answer)] = answers(
        lambda: Told(str(tmp_path)), [Wanted(1.5, lambda: request(clip, task_id="t"))]
    ).items()
    assert isinstance(answer, Response)
    assert answer.text == f"t {np.sum(clip.samples):.3f}"


def test_a_worker_that_dies_costs_nobodys_answer(tmp_path: Path) -> None:
    ids = ["a", "b", "dies-once", "c", "d", "e"]
    found = answers(lambda: Told(str(tmp_path)), wanted(*ids), most_requests=3)
    assert {place: getattr(answer, "text", None) for place, answer in found.items()} == {
        place: f"{name} " for place, name in enumerate(ids)
    }


def test_a_request_that_kills_its_worker_is_a_failure_alone(tmp_path: Path) -> None:
    ids = ["a", "dies", "b", "c"]
    found = answers(lambda: Told(str(tmp_path)), wanted(*ids), most_requests=4)
    bad = found.pop(1)
    assert isinstance(bad, AgentFailure) and bad.kind == "crash"
    assert [getattr(found[place], "text", None) for place in (0, 2, 3)] == ["a ", "b ", "c "]


def test_a_users_mistake_in_a_worker_ends_the_run(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="hears English only"):
        answers(lambda: Told(str(tmp_path)), wanted("a", "mistaken"))


def test_an_agent_that_cannot_be_made_ends_the_run_with_its_line() -> None:
    def make() -> Agent:
        raise MissingExtraError("kimi-audio", "kimi-audio", "kimia_infer")

    with pytest.raises(MissingExtraError, match=r"^kimi-audio is not installed .* Run: pip install"):
        answers(make, wanted("a", "b"))


def test_a_clip_that_cannot_be_read_never_leaves_this_process(tmp_path: Path) -> None:
    def broken() -> Request:
        raise AgentFailure("audio", "not a clip")

    found = answers(lambda: Told(str(tmp_path)), [Wanted(1.0, broken), *wanted("a")])
    assert str(found[0]) == "not a clip"
    assert isinstance(found[1], Response)


def test_a_node_that_vanishes_takes_no_answer_with_it(tmp_path: Path, nodes: Any) -> None:
    extra = nodes.add_node(num_cpus=1)
    nodes.wait_for_nodes()
    ids = [f"t{number}" for number in range(40)]
    found: dict[int, Answer] = {}

    def take(place: int, answer: Answer) -> None:
        if len(found) == 4:
            nodes.remove_node(extra, allow_graceful=False)
        found[place] = answer

    RayAsker(lambda: Told(str(tmp_path)), Cluster(actors=3), most_requests=2).answer(wanted(*ids), take)
    assert sorted(getattr(answer, "text", "") for answer in found.values()) == sorted(
        f"{name} " for name in ids
    )
