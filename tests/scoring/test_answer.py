"""What a response says: its calls and its words."""

from typing import Any

import pytest

from voicebench.scoring.answer import read_answer
from voicebench.types import Response, Task, ToolCall

TASK = Task.model_validate(
    {
        "id": "t", "task": "single", "lang": "hi", "turns": [{"role": "user", "text": "…"}],
        "tools": [{"name": "cab.book"}], "expect": {"calls": []},
    }
)  # fmt: skip
BOOK = ToolCall(name="cab.book")


def response(**fields: Any) -> Response:
    return Response(task_id="t", agent="a", condition="text", trial=0, **fields)


def test_native_calls_win_over_text() -> None:
    answer = read_answer(TASK, response(calls=(BOOK,), text="हो गया"))
    assert (answer.calls, answer.said, answer.unreadable) == ((BOOK,), "हो गया", None)


def test_an_empty_list_of_native_calls_does_not() -> None:
    assert read_answer(TASK, response(calls=(), text="[cab.book()]")).calls == (BOOK,)


@pytest.mark.parametrize("text", ["मैं यह नहीं करूँगा।", "<think>hm</think>मैं यह नहीं करूँगा।"])
def test_words_without_calls_are_said_without_the_reasoning(text: str) -> None:
    answer = read_answer(TASK, response(text=text))
    assert (answer.calls, answer.said) == ((), "मैं यह नहीं करूँगा।")
    assert answer.unreadable is not None
    assert answer.unreadable.no_call


def test_endless_reasoning_says_nothing() -> None:
    answer = read_answer(TASK, response(text="<think>cab.book()"))
    assert (answer.calls, answer.said) == ((), "")
    assert answer.unreadable is not None
