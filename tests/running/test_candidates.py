"""Agents by name, with how they are instructed."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.running.helpers import StubAgent, make_task
from voicebench.errors import UserError
from voicebench.running.candidates import candidate
from voicebench.running.evaluate import Options, evaluate
from voicebench.running.runs import opened
from voicebench.types import Prompting, Request, Response

BARE = Prompting(one_shot=False, refusal_prompt=False)


def test_an_agent_that_nobody_says_anything_of_is_instructed_as_the_run_says() -> None:
    assert candidate("fake+fake").prompting is None


def test_the_runs_prompting_reaches_such_an_agent(tmp_path: Path) -> None:
    llm_saw: list[Prompting] = []

    class Agent(StubAgent):
        def respond(self, requests: Sequence[Request]) -> list[Response]:
            llm_saw.extend(request.prompting for request in requests)
            return super().respond(requests)

    found = replace(candidate("fake+fake"), make=lambda: Agent(lambda request: request.answer(text="")))
    with opened(tmp_path / "run") as folder:
        evaluate(folder, [found], [make_task(1)], Options(("text",), prompting=BARE))
    assert llm_saw == [BARE]


def test_a_prompting_that_is_given_holds() -> None:
    assert candidate("fake+fake", prompting=BARE).prompting == BARE


def test_a_variant_changes_what_it_names_and_is_part_of_the_name() -> None:
    found = candidate("fake+fake@one-shot", prompting=BARE)
    assert found.prompting == Prompting(one_shot=True, refusal_prompt=False)
    assert found.name == found.model.name == "fake+fake@one-shot"
    assert candidate("fake+fake@native").prompting == Prompting(tools="native")


def test_a_retriever_that_does_not_exist_is_told_before_the_run() -> None:
    with pytest.raises(UserError, match="unknown embedder 'nanoe6'"):
        candidate("fake+fake@ranked:nanoe6")


def test_a_preset_brings_its_own_prompting() -> None:
    with pytest.raises(UserError, match="kimi-audio is not installed"):
        candidate("paper:kimi-audio", prompting=BARE)
