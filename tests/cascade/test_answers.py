"""Streamed answers as responses: text, calls, and the moments of the timeline."""

import pytest

from tests.agent_requests import BASKET, RIDE
from voicebench.cascade.answers import collect
from voicebench.types import Part, Timeline, ToolCall

TOOLS = (RIDE, BASKET)
START_S = 100.0


def content(*pieces: str, start_s: float = 101.0) -> list[Part]:
    return [Part("content", piece, start_s + place) for place, piece in enumerate(pieces)]


def moments(parts: list[Part]) -> dict[str, float]:
    timeline = collect(parts, TOOLS, START_S)["timeline"]
    assert isinstance(timeline, Timeline)
    assert timeline.done is not None
    return timeline.model_dump(exclude_none=True, exclude={"done"})


def test_pieces_become_one_text_and_the_call_has_its_moments() -> None:
    parts = content("Sure: ", "[food.", "clear_basket(", ")]", "\n")
    assert collect(parts, TOOLS, START_S)["text"] == "Sure: [food.clear_basket()]\n"
    assert moments(parts) == {
        "request_sent": 0.0, "first_token": 1.0, "first_content": 1.0, "first_call_token": 2.0,
        "calls_done": 4.0,
    }  # fmt: skip


def test_an_answer_in_words_has_no_call_moments() -> None:
    assert moments(content("मैं इसमें ", "मदद नहीं कर सकता")) == {
        "request_sent": 0.0, "first_token": 1.0, "first_content": 1.0,
    }  # fmt: skip


def test_reasoning_is_a_token_but_no_content_and_a_call_is_neither_reasoning() -> None:
    parts = [
        Part("content", "", 100.001), Part("reasoning", "Hm", 101.2), Part("call", "", 103.0),
        Part("call", '{"name": "food.clear_basket", "arguments": {}}', 104.0),
        Part("usage", "", 105.0, {"input_tokens": 3}),
    ]  # fmt: skip
    fields = collect(parts, TOOLS, START_S)
    assert moments(parts) == pytest.approx({
        "request_sent": 0.0, "first_token": 1.2, "first_reasoning": 1.2, "first_call_token": 3.0,
        "calls_done": 4.0,
    })  # fmt: skip
    assert fields["calls"] == (ToolCall(name="food.clear_basket"),)
    assert fields["text"] is None
    assert fields["usage"] == {"input_tokens": 3}


def test_no_answer_is_an_empty_text_with_no_first_token() -> None:
    fields = collect([], TOOLS, START_S)
    assert (fields["text"], fields["calls"], fields["usage"]) == ("", None, None)
    assert moments([]) == {"request_sent": 0.0}


def test_a_sentence_loses_the_quotes_of_its_schema() -> None:
    assert collect(content('"I will ', 'not \\"help\\"."'), TOOLS, START_S)["text"] == 'I will not "help".'


def test_quotes_that_are_no_json_string_stay() -> None:
    assert collect(content('"a" and "b"'), TOOLS, START_S)["text"] == '"a" and "b"'


def test_a_native_call_with_broken_arguments_becomes_text() -> None:
    raw = '{"name": "cab.book_ride", "arguments": "{\\"pickup\\": "}'
    fields = collect([Part("content", "Ok", 101.0), Part("call", raw, 102.0)], TOOLS, START_S)
    assert fields["calls"] is None
    assert fields["text"] == f"Ok\n{raw}"


def test_rubbish_of_a_megabyte_is_kept_whole() -> None:
    rubbish = "[क(" * 350_000
    assert collect(content(rubbish), TOOLS, START_S)["text"] == rubbish


def test_a_moment_before_the_users_end_is_negative() -> None:
    assert moments(content("x", start_s=99.5))["first_token"] == -0.5


def test_moments_count_from_the_end_of_speech_and_negative_ones_are_kept() -> None:
    parts = [Part("speech_end", "", 103.0), *content("[food.clear_basket()]", start_s=102.5)]
    timeline = collect(parts, TOOLS, START_S)["timeline"]
    assert timeline.request_sent == -3.0
    assert timeline.first_token == timeline.calls_done == -0.5


def test_a_whole_answer_marks_no_token() -> None:
    assert moments([Part("answer", "[food.clear_basket()]", 105.0)]) == {"request_sent": 0.0}


def test_a_whole_answer_with_a_native_call_marks_no_token_either() -> None:
    parts = [Part("answer", "", 105.0), Part("call", '{"name": "food.clear_basket", "arguments": {}}', 105.0)]
    assert moments(parts) == {"request_sent": 0.0}
    assert collect(parts, TOOLS, START_S)["calls"] == (ToolCall(name="food.clear_basket"),)


def test_the_wait_of_a_request_that_was_turned_away_is_before_it_was_sent() -> None:
    parts = [Part("content", "hm", 104.0), Part("usage", "", 105.0, {"waited_s": 2.5})]
    assert moments(parts) == {"request_sent": 2.5, "first_token": 4.0, "first_content": 4.0}
