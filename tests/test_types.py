"""The values: what they refuse."""

import numpy as np
import pytest
from pydantic import ValidationError

from voicebench.types import Audio, Expect, GoldCall, Request, Response, Task, Tool, ToolCall, Turn


def test_audio_knows_its_length_in_seconds() -> None:
    assert Audio(np.zeros(8000, np.float32), 16000).duration_s == 0.5


@pytest.mark.parametrize(
    ("samples", "rate"),
    [
        (np.zeros((10, 2), np.float32), 16000),
        (np.zeros(10, np.float64), 16000),
        (np.zeros(10, np.float32), 0),
    ],
)
def test_audio_is_mono_float32_at_a_positive_rate(samples: np.ndarray, rate: int) -> None:  # type: ignore[type-arg]
    with pytest.raises(ValueError, match=r"float32|positive"):
        Audio(samples, rate)


def test_a_response_needs_text_calls_or_error() -> None:
    with pytest.raises(ValidationError, match=r"one of 'text', 'calls', 'error'"):
        Response(task_id="a", agent="b", condition="text", trial=0)


def test_null_means_the_same_as_absent_at_every_depth() -> None:
    call = {"name": "f", "arguments": None}
    assert Expect.model_validate({"calls": [call], "order": None, "refuse": None}) == Expect(
        calls=(GoldCall(name="f"),)
    )
    answer = {"task_id": "a", "agent": "b", "condition": "text", "trial": 0, "calls": [call]}
    assert Response.model_validate(answer).calls == (ToolCall(name="f"),)
    assert Tool.model_validate({"name": "f", "description": None, "parameters": None}) == Tool(name="f")
    assert ToolCall.model_validate({"name": "f", "arguments": {"a": None}}).arguments == {"a": None}


@pytest.mark.parametrize(
    ("expect", "said"),
    [
        ({}, "needs 'calls', or 'refuse': true"),
        ({"refuse": False}, "needs 'calls', or 'refuse': true"),
        ({"refuse": True, "calls": [{"name": "f"}]}, "both 'calls' and 'refuse'"),
        ({"calls": [{"name": "f"}], "results": []}, "one entry a call"),
    ],
)
def test_expect_asks_for_one_thing(expect: dict[str, object], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        Expect.model_validate(expect)


def test_the_last_turn_is_the_users() -> None:
    with pytest.raises(ValidationError, match=r"last turn must be a user turn"):
        Task(
            id="a", task="dialogue", lang="en", tools=(), expect=Expect(calls=(GoldCall(name="f"),)),
            turns=(Turn(role="user", text="hi"), Turn(role="assistant", text="yes?")),
        )  # fmt: skip


def test_the_user_turns_are_those_that_are_spoken() -> None:
    turns = (Turn(role="user", text="a"), Turn(role="assistant", text="b"), Turn(role="user", text="c"))
    task = Task(
        id="a", task="dialogue", lang="en", turns=turns, tools=(Tool(name="f"),),
        expect=Expect(calls=(GoldCall(name="f"),)),
    )  # fmt: skip
    assert task.user_turns == (0, 2)


def request() -> Request:
    return Request("t", "agent", "speech", 3, "ta", (), (), seed=7)


def test_an_answer_carries_what_it_answers() -> None:
    answer = request().answer(text="சரி")
    assert (answer.task_id, answer.agent, answer.condition, answer.trial, answer.seed) == (
        "t", "agent", "speech", 3, 7,
    )  # fmt: skip
    assert answer.text == "சரி"


def test_half_a_surrogate_in_an_answer_becomes_a_replacement_sign() -> None:
    assert request().answer(text="a\ud83dक").text == "a?क"


def test_a_failure_is_an_error_and_no_text() -> None:
    failure = request().failure("timeout", "30 s went by")
    assert failure.text is None
    assert failure.error is not None
    assert (failure.error.kind, failure.error.message) == ("timeout", "30 s went by")
