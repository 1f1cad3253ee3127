"""The controls: what each must score, and what the fakes do when told."""

from collections.abc import Sequence

import pytest

from tests.agent_requests import BASKET, RIDE, request, tone
from voicebench.errors import AgentFailure
from voicebench.fakes import (
    REFUSAL,
    FakeAgent,
    FakeLanguageModel,
    FakeTranscriber,
    Oracle,
    RandomAgent,
    clip_sha256,
    right_calls,
)
from voicebench.protocols import Agent
from voicebench.scoring.score import score
from voicebench.tasks.read import read_tasks
from voicebench.types import (
    Audio,
    Expect,
    GoldCall,
    InputTurn,
    Message,
    Part,
    Request,
    Response,
    Scores,
    Task,
)

TASKS = read_tasks()


def ask(agent: Agent, task: Task, *, seed: int = 0, with_gold: bool = False) -> Response:
    turns = tuple(InputTurn(turn.role, turn.text) for turn in task.turns)
    [response] = agent.respond([
        Request(
            task.id, "control", "text", 0, task.lang, turns, task.tools, seed=seed,
            gold=task.expect if with_gold else None,
        )
    ])  # fmt: skip
    return response


def scores(agent: Agent, tasks: Sequence[Task], *, with_gold: bool = False) -> list[Scores]:
    return [score(task, ask(agent, task, with_gold=with_gold)) for task in tasks]


@pytest.mark.parametrize("task", [t for t in TASKS if t.expect.calls is not None], ids=lambda task: task.id)
def test_the_oracle_is_right_on_every_shipped_item(task: Task) -> None:
    figures = score(task, ask(Oracle(), task, with_gold=True))
    assert (figures.tool_selection, figures.call_structure, figures.parameters) == (1, 1, 1)
    assert figures.parameter_fraction in (1, 1.0, None)


def test_the_oracle_refuses_what_should_be_refused() -> None:
    unsafe = [task for task in TASKS if task.expect.refuse is True]
    assert unsafe
    assert {ask(Oracle(), task, with_gold=True).text for task in unsafe} == {REFUSAL}


def test_an_oracle_that_is_shown_nothing_is_at_fault_not_wrong() -> None:
    response = ask(Oracle(), TASKS[0])
    assert response.error is not None and response.error.kind == "crash"


def test_only_the_oracle_sees_gold() -> None:
    assert Oracle.sees_gold is True
    assert not any(getattr(control, "sees_gold", False) for control in (FakeAgent, RandomAgent))


def test_chance_scores_near_nothing() -> None:
    judged = [s.parameters for s in scores(RandomAgent(), TASKS) if s.parameters is not None]
    assert len(judged) > 50
    assert sum(judged) / len(judged) < 0.1


def test_a_random_answer_fits_its_schema_often_enough_to_be_a_control() -> None:
    judged = [s.call_structure for s in scores(RandomAgent(), TASKS) if s.call_structure is not None]
    assert sum(judged) / len(judged) > 0.8


def test_chance_is_the_same_for_the_same_seed_and_differs_between_seeds() -> None:
    task = next(task for task in TASKS if task.task == "retrieval")
    answers = {seed: ask(RandomAgent(), task, seed=seed).calls for seed in range(8)}
    assert answers == {seed: ask(RandomAgent(), task, seed=seed).calls for seed in range(8)}
    assert len({str(calls) for calls in answers.values()}) > 3


def test_the_fake_agent_calls_the_first_tool_without_arguments() -> None:
    first, none = FakeAgent().respond([request("x", tools=[BASKET, RIDE]), request("x", tools=[])])
    assert (first.text, none.text) == ("[food.clear_basket()]", "")


def test_an_agent_that_streams_nothing_has_no_first_token() -> None:
    [response] = FakeAgent().respond([request("x")])
    assert response.timeline is not None
    assert response.timeline.model_dump(exclude_none=True) == {"request_sent": 0.0, "done": 0.0}


def test_right_calls_take_the_first_value_and_leave_out_what_may_be_left_out() -> None:
    expect = Expect(calls=(GoldCall(name="f", arguments={"a": ["एक", "1"], "b": ["", 2], "c": [""]}),))
    [call] = right_calls(expect)
    assert call.arguments == {"a": "एक", "b": 2}


def test_a_fake_transcriber_hears_what_it_was_given_and_nothing_else() -> None:
    known, other = tone(300), tone(400)
    ears = FakeTranscriber({clip_sha256(known): "वड़ा पाव"})
    assert [heard.text for heard in ears.transcribe([known, other], lang="hi")] == ["वड़ा पाव", ""]


def test_a_fake_transcriber_can_fail() -> None:
    with pytest.raises(AgentFailure):
        FakeTranscriber(error=AgentFailure("audio", "x")).transcribe([tone()], lang=None)


def test_the_same_sound_has_the_same_hash_at_any_place() -> None:
    assert clip_sha256(tone(300)) == clip_sha256(Audio(tone(300).samples.copy(), 16_000))


def test_a_fake_model_answers_in_turn_and_from_the_first_again() -> None:
    llm = FakeLanguageModel(["एक", ValueError("boom"), [Part("call", "{}", 0.0)]])
    said = [Message("user", "x")]
    assert [part.kind for part in llm.complete(said)] == ["content", "usage"]
    with pytest.raises(ValueError, match="boom"):
        list(llm.complete(said))
    assert [part.kind for part in llm.complete(said)] == ["call", "usage"]
    assert "".join(part.text for part in llm.complete(said)) == "एक"


def test_a_fake_model_streams_in_pieces() -> None:
    parts = list(FakeLanguageModel(["abcdefgh"], piece=3).complete([]))
    assert [part.text for part in parts] == ["abc", "def", "gh", ""]
    assert parts[-1].usage == {"input_tokens": 0, "output_tokens": 3}


def test_a_fake_model_can_stream_a_megabyte() -> None:
    rubbish = "x" * 1_000_000
    assert (
        sum(len(part.text) for part in FakeLanguageModel([rubbish], piece=10_000).complete([])) == 1_000_000
    )
