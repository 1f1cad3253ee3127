"""From answers to delays."""

from math import fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.agent_requests import request, tone
from voicebench.latency.breakdown import MOMENTS
from voicebench.latency.shape import AudioLengths, Part
from voicebench.latency.summarize import (
    audio_lengths,
    delay,
    delays,
    errors,
    mean_parts,
    queue,
    service,
    usage,
)
from voicebench.types import Response, Timeline


def answer(queued: float | None = None, **at_s: float) -> Response:
    fields = None if queued is None else {"queued_s": queued}
    return request("x").answer(text="[]", timeline=Timeline(**at_s), usage=fields)


ROWS = [
    answer(request_sent=0.0, first_token=1.0, done=2.0),
    answer(request_sent=0.0, first_token=2.0, first_call_token=3.0, done=5.0),
    answer(request_sent=-1.0, done=0.5),
    request("x").failure("timeout", "nothing in 120 s"),
]


def test_a_moment_counts_where_it_happened_and_nowhere_else() -> None:
    found = delays(ROWS)
    assert {name: each.n for name, each in found.items()} == {
        "request_sent": 3, "first_token": 2, "first_call_token": 1, "done": 3,
    }  # fmt: skip
    assert (found["first_token"].mean_s, found["first_token"].p50.value_s) == (1.5, 1.5)


def test_negative_moments_stay_in_the_figures() -> None:
    assert delays(ROWS)["request_sent"].mean_s == pytest.approx(-1 / 3)


def test_errors_are_counted_by_kind_and_in_no_quantile() -> None:
    assert errors([*ROWS, request("x").failure("server", "?"), ROWS[3]]) == {"timeout": 2, "server": 1}
    assert delays([ROWS[3]]) == {}


def test_a_delay_has_its_quantiles_and_their_intervals() -> None:
    found = delay([float(n) for n in range(1, 101)])
    assert (found.n, found.mean_s) == (100, 50.5)
    assert (found.p50.value_s, found.p50.low_s, found.p50.high_s) == (50.5, 40.0, 61.0)
    assert (found.p99.low_s, found.p99.high_s) == (97.0, None)


def test_the_queue_is_measured_over_the_answers_that_could_be_held_up() -> None:
    assert queue(ROWS) is None
    found = queue([answer(0.0, done=1.0), answer(3.0, done=4.0)])
    assert found is not None
    assert (found.n, found.mean_s, found.p50.value_s) == (2, 1.5, 1.5)


def test_service_is_the_rest_of_the_delay_where_there_is_a_queue() -> None:
    assert service(ROWS) is None
    found = service([answer(0.0, done=1.0), answer(3.0, done=4.5), answer(1.0, first_token=2.0)])
    assert found is not None
    assert (found.n, found.mean_s) == (2, 1.25)


def test_the_means_of_the_parts_add_up_to_the_mean_of_done() -> None:
    assert mean_parts(ROWS) == (
        Part(name="request_sent", n=3, mean_s=-1 / 3), Part(name="first_token", n=2, mean_s=1.0),
        Part(name="first_call_token", n=1, mean_s=1 / 3), Part(name="done", n=3, mean_s=1.5),
    )  # fmt: skip
    assert sum(part.mean_s for part in mean_parts(ROWS)) == delays(ROWS)["done"].mean_s


TIMELINES = st.dictionaries(st.sampled_from(MOMENTS), st.floats(-50, 50, allow_nan=False))


@given(st.lists(TIMELINES, max_size=20))
def test_they_do_so_whatever_is_absent(timelines: list[dict[str, float]]) -> None:
    rows = [answer(**at_s) for at_s in timelines]
    found = delays(rows).get("done")
    parts = mean_parts(rows)
    if found is None:
        assert parts == ()
    else:
        assert fsum(part.mean_s for part in parts) == pytest.approx(found.mean_s, abs=1e-9)


def test_sound_is_counted_over_all_turns_of_a_request_and_absent_without_any() -> None:
    clips = [tone(seconds=1.0), tone(seconds=0.5)]
    heard = [request(clips[0], "which one?", clips[1]), request(clips[1]), request("words")]
    assert audio_lengths(heard) == AudioLengths(n=2, mean_s=1.0, p50_s=1.0, p90_s=1.4, total_s=2.0)
    assert audio_lengths([request("words")]) is None


def test_what_was_used_is_summed_with_how_many_counted_it() -> None:
    rows = [
        request("x").answer(text="", usage={"input_tokens": 5, "cost_usd": 0.25, "queued_s": 9.0}),
        request("x").answer(text="", usage={"input_tokens": 7, "cost_usd": None}),
    ]
    sums, priced, cost = usage(rows)
    assert {key: (each.total, each.n) for key, each in sums.items()} == {"input_tokens": (12, 2)}
    assert (priced, cost) == (1, 0.25)
