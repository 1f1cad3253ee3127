"""Answers of a server that detects turns itself, by its events alone: what counts, and when it is over."""

from typing import Any

import pytest

from voicebench.errors import AgentFailure
from voicebench.types import Part
from voicebench.wire.chat import ToolNames
from voicebench.wire.place import Place
from voicebench.wire.refusals import Peer
from voicebench_speech_lms._realtime_turns import SETTLED_S, TurnReader

PEER = Peer("openai-realtime", Place("https://h.example/v1", "m"))
STARTED = {"type": "input_audio_buffer.speech_started"}
CREATED = {"type": "response.created", "response": {"status": "in_progress"}}
CUT_OFF = {"type": "cancelled", "reason": "turn_detected"}


def words(text: str) -> dict[str, Any]:
    return {"type": "response.output_text.delta", "delta": text}


def done(status: str = "completed", *, tokens: int = 7, **more: Any) -> dict[str, Any]:
    usage = {"input_tokens": 10 * tokens, "output_tokens": tokens}
    return {"type": "response.done", "response": {"status": status, "usage": usage, **more}}


class Clock:
    """A clock that stands where it is put; speech ends at 10 s."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.reader = TurnReader(PEER, ToolNames(), 10.0, clock=lambda: self.now_s)

    def feed(self, at_s: float, *told: dict[str, Any]) -> list[Part]:
        self.now_s = at_s
        return [part for event in told for part in self.reader.feed(at_s, event)]


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_an_answer_after_the_speech_is_the_last_one(clock: Clock) -> None:
    assert clock.feed(0.5, STARTED) == []
    assert clock.feed(10.5, CREATED, words("हाँ")) == []
    assert not clock.reader.is_done
    assert clock.feed(10.7, done()) == [Part("content", "हाँ", 10.5)]
    assert clock.reader.is_done
    assert clock.reader.finish() == [Part("usage", "", 10.7, {"input_tokens": 70, "output_tokens": 7})]


def test_an_early_answer_is_the_last_one_once_none_follows(clock: Clock) -> None:
    assert clock.feed(8.0, CREATED, words("Yes."), done()) == [Part("content", "Yes.", 8.0)]
    assert not clock.reader.is_done
    clock.now_s = 10.0 + SETTLED_S
    assert clock.reader.is_done


def test_an_early_answer_is_not_the_last_one_while_speech_is_unanswered(clock: Clock) -> None:
    clock.feed(8.0, CREATED, words("Yes."), done())
    clock.feed(9.9, STARTED)
    clock.now_s = 12.0
    assert not clock.reader.is_done
    assert clock.feed(12.5, CREATED, words("Booked."), done()) == [Part("content", "\nBooked.", 12.5)]
    assert clock.reader.is_done


def test_a_call_after_an_early_answer_stays_as_it_is(clock: Clock) -> None:
    item = {"id": "i", "type": "function_call", "name": "go", "arguments": "{}"}
    clock.feed(8.0, CREATED, words("Yes."), done())
    parts = clock.feed(11.0, CREATED, done(output=[item]))
    assert [part.text for part in parts] == ["", '{"name": "go", "arguments": {}}']


@pytest.mark.parametrize("status", ["cancelled", "incomplete"])
def test_what_was_cut_off_is_unsaid_and_its_tokens_count(clock: Clock, status: str) -> None:
    told = [CREATED, words("Where "), STARTED, done(status, tokens=2, status_details=CUT_OFF)]
    assert clock.feed(8.0, *told) == []
    assert not clock.reader.is_done
    assert clock.feed(10.6, CREATED, words("Booked."), done(tokens=5)) == [Part("content", "Booked.", 10.6)]
    assert clock.reader.finish()[0].usage == {"input_tokens": 70, "output_tokens": 7}


def test_an_answer_that_is_cut_off_after_the_speech_is_waited_for_again(clock: Clock) -> None:
    clock.feed(10.2, CREATED, words("Wh"), STARTED, done("cancelled", status_details=CUT_OFF))
    clock.now_s = 60.0
    assert not clock.reader.is_done


def test_an_answer_that_somebody_else_cancels_is_a_failure(clock: Clock) -> None:
    details = {"type": "cancelled", "reason": "client_cancelled"}
    with pytest.raises(AgentFailure, match="client_cancelled") as told:
        clock.feed(10.2, CREATED, done("cancelled", status_details=details))
    assert told.value.kind == "cancelled"


def test_an_answer_cut_short_at_its_bound_of_tokens_counts(clock: Clock) -> None:
    details = {"type": "incomplete", "reason": "max_output_tokens"}
    assert clock.feed(10.2, CREATED, words("[ca"), done("incomplete", status_details=details)) == [
        Part("content", "[ca", 10.2)
    ]
    assert clock.reader.is_done


def test_without_an_answer_it_is_never_done(clock: Clock) -> None:
    clock.now_s = 100.0
    assert not clock.reader.is_done
    assert clock.reader.finish() == []
