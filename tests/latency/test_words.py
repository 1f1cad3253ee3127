"""What a measurement says: lines, and two tables that add up."""

from voicebench.latency.shape import AudioLengths, Delay, LatencySummary, Part, Quantile
from voicebench.latency.words import headlines, moment_rows, part_rows
from voicebench.running.run_info import Machine
from voicebench.types import ModelRef


def delay(n: int, value_s: float, high_s: float | None = 3.0) -> Delay:
    quantile = Quantile(value_s=value_s, low_s=0.5, high_s=high_s)
    return Delay(n=n, mean_s=value_s, p50=quantile, p90=quantile, p99=quantile)


SUMMARY = LatencySummary(
    agent="whisper-base+smollm2", model=ModelRef(name="m"), condition="speech", languages=("hi", "th"),
    created="2026-11-30T00:00:00+00:00", version="1", tasks_version="1", prompts_version="1",
    machine=Machine(python="3.11", platform="Linux", cpus=2, gpu="NVIDIA H200"), device="cuda:0",
    concurrency=4, rate_per_s=2.0, arrivals="poisson", load_s=12.5, warm_up=3, warm_up_s=4.0, planned=100,
    asked=100, answered=98, errors={"timeout": 2}, tasks=56, span_s=60.0,
    audio=AudioLengths(n=100, mean_s=4.2, p50_s=4.0, p90_s=6.5, total_s=420.04),
    queued=delay(98, 0.25), served=delay(98, 1.75),
    moments={"first_token": delay(60, 1.0, None), "done": delay(98, 2.0)},
    parts=(
        Part(name="queued", n=98, mean_s=0.25), Part(name="first_token", n=60, mean_s=0.5),
        Part(name="done", n=98, mean_s=1.25),
    ),
)  # fmt: skip


def test_the_first_lines_say_what_was_measured_and_how() -> None:
    assert list(headlines(SUMMARY)) == [
        "whisper-base+smollm2, speech, hi th: 98 of 100 answered; with an error, and in no figure: 2 timeout",
        "cuda:0 (NVIDIA H200); 2 due a second (poisson), 4 at a time",
        "loaded in 12.50 s, warmed up in 4.00 s (3 requests); neither counts",
        "sound of a request: mean 4.20 s, p50 4.00 s, p90 6.50 s, total 420.0 s",
    ]


def test_they_say_so_where_it_was_stopped_closed_and_silent() -> None:
    stopped = SUMMARY.model_copy(
        update={"interrupted": True, "asked": 40, "answered": 40, "errors": {}, "audio": None,
                "rate_per_s": None, "machine": Machine(python="3.11", platform="Linux", cpus=2)}
    )  # fmt: skip
    lines = list(headlines(stopped))
    assert lines[0].endswith("hi th: 40 of 40 answered; stopped, 100 were planned")
    assert lines[1] == "cuda:0 (2 CPUs, Linux); closed loop, 4 at a time"
    assert lines[3] == "no sound: moments count from when the request was due"


def test_each_moment_says_in_how_many_answers_it_happened_and_an_open_end_is_shown_as_one() -> None:
    rows = moment_rows(SUMMARY)
    assert [row[:2] for row in rows] == [
        ("queued", "98"), ("served", "98"), ("first_token", "60"), ("done", "98"),
    ]  # fmt: skip
    assert rows[2][2:] == ("1.000 [0.500, –]",) * 3 + ("1.000",)


def test_the_parts_end_with_their_sum() -> None:
    assert part_rows(SUMMARY) == [
        ("waiting to be served", "98", "0.250", "12%"),
        ("waiting for the first token", "60", "0.500", "25%"),
        ("the rest", "98", "1.250", "62%"),
        ("together", "98", "2.000", "100%"),
    ]
    assert part_rows(SUMMARY.model_copy(update={"parts": ()})) == []


def test_a_delay_of_no_time_has_no_shares() -> None:
    nothing = SUMMARY.model_copy(update={"parts": (Part(name="done", n=1, mean_s=0.0),)})
    assert part_rows(nothing) == [("the rest", "1", "0.000", "–"), ("together", "1", "0.000", "–")]
