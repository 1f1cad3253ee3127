"""The parts of a delay: they add up to it, whatever the moments and their order."""

from math import fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.agent_requests import BASKET, request
from voicebench.cascade.answers import Collector
from voicebench.latency.breakdown import MOMENTS, PARTS, breakdown, moments, queued_s
from voicebench.types import Response, Timeline
from voicebench.wire.chat import ChatReader

SECONDS = st.floats(-50, 50, allow_nan=False)


def answer(queued: float | None = None, **at_s: float) -> Response:
    usage = None if queued is None else {"queued_s": queued, "audio_s": 2.0}
    return request("रद्द करो").answer(text="[]", timeline=Timeline(**at_s), usage=usage)


def test_each_part_ends_with_a_moment_and_begins_with_the_one_before() -> None:
    found = breakdown(answer(request_sent=0.0, transcribed=0.5, first_token=1.25, calls_done=2.0, done=2.125))
    assert found == {
        "request_sent": 0.0, "transcribed": 0.5, "first_token": 0.75, "calls_done": 0.75, "done": 0.125,
    }  # fmt: skip


def test_queueing_is_a_part_of_its_own() -> None:
    found = breakdown(answer(queued=1.5, request_sent=1.5, first_token=2.0, done=4.0))
    assert found == {"queued": 1.5, "request_sent": 0.0, "first_token": 0.5, "done": 2.0}


def test_parts_follow_the_clock_where_moments_come_in_another_order() -> None:
    found = breakdown(answer(first_call_token=1.0, calls_done=2.0, first_content=2.5, done=3.0))
    assert found == {"first_call_token": 1.0, "calls_done": 1.0, "first_content": 0.5, "done": 0.5}


def test_what_came_before_the_user_stopped_speaking_is_a_negative_first_part() -> None:
    found = breakdown(answer(request_sent=-2.0, first_token=-0.5, done=1.0))
    assert found == {"request_sent": -2.0, "first_token": 1.5, "done": 1.5}


def test_an_error_and_an_answer_that_was_never_done_have_no_parts() -> None:
    assert breakdown(request("x").failure("timeout", "?")) is None
    assert breakdown(answer(first_token=1.0)) is None
    assert breakdown(request("x").answer(text="")) is None


@given(st.dictionaries(st.sampled_from(MOMENTS), SECONDS), st.none() | st.floats(0, 50))
def test_the_parts_add_up_to_done(at_s: dict[str, float], queued: float | None) -> None:
    row = answer(queued, **{"done": 1.0, **at_s})
    parts = breakdown(row)
    assert parts is not None
    assert fsum(parts.values()) == pytest.approx(moments(row)["done"], abs=1e-9)
    assert set(parts) - {"queued"} == set(at_s) | {"done"}


def test_every_moment_has_its_words() -> None:
    assert list(PARTS) == ["queued", *MOMENTS]


def test_the_queue_is_absent_where_nothing_could_hold_a_request_up() -> None:
    assert queued_s(answer(done=1.0)) is None
    assert queued_s(answer(queued=0.0, done=1.0)) == 0.0


def test_a_role_is_no_token_reasoning_is_one_and_content_that_never_came_is_absent() -> None:
    reader = ChatReader("server")
    collected = Collector([BASKET], 0.0)
    call = {"index": 0, "id": "c", "function": {"name": BASKET.name, "arguments": "{}"}}
    deltas = (
        (0.001, {"choices": [{"delta": {"role": "assistant", "content": ""}}]}),
        (1.2, {"choices": [{"delta": {"reasoning_content": "सोचता हूँ"}}]}),
        (3.0, {"choices": [{"delta": {"tool_calls": [call]}}]}),
        (3.1, {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}),
        (3.2, {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4}}),
    )
    for at_s, chunk in deltas:
        for part in reader.feed(at_s, chunk):
            collected.add(part)
    for part in reader.finish():
        collected.add(part)
    row = request("रद्द करो").answer(**collected.fields(3.25))
    assert moments(row) == {
        "request_sent": 0.0, "first_token": 1.2, "first_reasoning": 1.2, "first_call_token": 3.0,
        "calls_done": 3.0, "done": 3.25,
    }  # fmt: skip
    assert "first_content" not in (breakdown(row) or {})
