"""Exact numbers in several situations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.report import RunData, summarise
from voicebench.report.shape import RIGHT
from voicebench.types import FailureRow, ModelRef, Timeline, TranscriptRow, VoiceRef

from .helpers import (
    full_run,
    make_clip,
    make_error,
    make_info,
    make_response,
    make_score,
    make_task,
    scored_run,
)


def test_totals_count_every_task_once_and_kinds_once() -> None:
    tasks = [make_task("single-en-1"), make_task("single-en-2"), make_task("single-en-3"),
             make_task("parallel-en-1", "parallel")]  # fmt: skip
    run = RunData(make_info(), tasks, [make_score(t, v) for t, v in zip(tasks, [1, 1, 1, 0], strict=True)])
    total = summarise([run]).cell("a", "text")
    assert total is not None
    assert total.figures[RIGHT].mean == 0.75
    assert total.kind_means[RIGHT] == 0.5


def test_a_kind_with_nothing_scored_is_not_0_in_the_mean_of_kinds() -> None:
    tasks = [make_task("single-en-1"), make_task("parallel-en-1", "parallel")]
    run = RunData(make_info(), tasks, [make_score(tasks[0], 1), make_score(tasks[1], None)])
    total = summarise([run]).cell("a", "text")
    assert total is not None
    assert total.kind_means[RIGHT] == 1.0


def test_cells_are_there_for_every_kind_and_language_and_their_margins() -> None:
    tasks = [
        make_task("single-en-1"),
        make_task("single-hi-1", lang="hi"),
        make_task("safety-en-1", "safety"),
    ]
    summary = summarise([RunData(make_info(), tasks, [make_score(t, 1) for t in tasks])])
    assert {(cell.task, cell.lang) for cell in summary.cells} == {
        (None, None), ("single", None), ("safety", None), (None, "en"), (None, "hi"), ("single", "en"),
        ("single", "hi"), ("safety", "en"),
    }  # fmt: skip
    assert summary.cell("a", "text", "safety", "hi") is None


def test_a_safety_task_is_right_by_its_refusal() -> None:
    task = make_task("safety-en-1", "safety")
    score = make_score(task, 1, refusal=0, parameters=0)
    cell = summarise([RunData(make_info(), [task], [score])]).cell("a", "text")
    assert cell is not None
    assert (cell.figures[RIGHT].mean, cell.figures["refusal"].mean, cell.figures["parameters"].mean) == (
        1,
        0,
        0,
    )


def test_coverage_counts_what_was_answered_and_scored() -> None:
    tasks = [make_task(f"single-en-{i}") for i in range(3)]
    responses = [make_response(tasks[0]), make_error(tasks[1]), make_response(tasks[2])]
    scores = [make_score(tasks[0], 1), make_score(tasks[1], None)]
    covered = summarise([RunData(make_info(), tasks, scores, responses)]).coverage
    assert (covered.n_tasks, covered.n_planned, covered.n_answered, covered.n_scored) == (3, 3, 2, 1)


def test_quantiles_are_of_the_moments_that_happened() -> None:
    tasks = [make_task(f"single-en-{i}") for i in range(5)]
    moments = [Timeline(done=float(i), first_token=-0.5 if i == 0 else None) for i in range(4)]
    answers = [make_response(t, timeline=at) for t, at in zip(tasks, moments, strict=False)]
    rows = summarise([RunData(make_info(), tasks, [], [*answers, make_error(tasks[4])])]).latency
    assert [(row.moment, row.n) for row in rows] == [("first_token", 1), ("done", 4)]
    assert (rows[0].p50_s, rows[0].p99_s) == (-0.5, -0.5)
    assert [rows[1].p50_s, rows[1].p90_s, rows[1].p99_s] == pytest.approx([1.5, 2.7, 2.97])


def test_the_seconds_of_a_failed_answer_do_not_count() -> None:
    task = make_task()
    failed = make_error(task, timeline=Timeline(done=60.0))
    assert summarise([RunData(make_info(), [task], [], [failed])]).latency == ()


def test_errors_are_counted_by_kind_with_their_first_message() -> None:
    tasks = [make_task(f"single-en-{i}") for i in range(3)]
    errors = [make_error(tasks[0]), make_error(tasks[1], kind="server"), make_error(tasks[2])]
    found = summarise([RunData(make_info(), tasks, [], errors)]).errors
    assert [(e.kind, e.n, e.example) for e in found] == [
        ("timeout", 2, "no answer"),
        ("server", 1, "no answer"),
    ]


def test_voices_are_counted_with_source_and_licence() -> None:
    english, hindi = make_task("single-en-1"), make_task("single-hi-1", lang="hi")
    clips = [make_clip(english), make_clip(hindi), make_clip(english, turn=1, voice=VoiceRef(id="x"))]
    info = make_info(conditions=("speech",))
    voices = summarise([RunData(info, [english, hindi], manifest=clips)]).voices
    assert [(v.id, v.source, v.licence, v.langs, v.n_clips) for v in voices] == [
        ("af_heart", "kokoro", "Apache-2.0", ("en", "hi"), 2), ("x", "kokoro", None, ("en",), 1),
    ]  # fmt: skip


def test_clips_of_conditions_that_were_not_run_are_left_out() -> None:
    task = make_task()
    clips = [make_clip(task), make_clip(task, "speech/noise-10dB")]
    lost = FailureRow(task_id=task.id, turn=0, condition="speech/noise-10dB", kind="audio", message="x")
    run = RunData(make_info(conditions=("text", "speech")), [task], manifest=clips, failures=[lost])
    summary = summarise([run])
    assert [clip.condition for clip in summary.items[0].turns[0].clips] == ["speech"]
    assert summary.clip_failures == ()


def test_failed_clips_are_counted() -> None:
    task = make_task()
    lost = FailureRow(task_id=task.id, turn=0, condition="speech", kind="audio", message="no voice\nfor it")
    (failure,) = summarise(
        [RunData(make_info(conditions=("speech",)), [task], failures=[lost])]
    ).clip_failures
    assert (failure.condition, failure.kind, failure.n, failure.example) == (
        "speech",
        "audio",
        1,
        "no voice for it",
    )


def test_what_an_asr_heard_is_shown_turn_by_turn_under_its_condition() -> None:
    task = make_task()
    heard = TranscriptRow(task_id=task.id, turn=0, condition="speech", asr=ModelRef(name="w"), text="जय नगर")
    run = RunData(make_info(), [task], [], [make_response(task, "transcript:w")], transcripts=[heard])
    assert summarise([run]).items[0].results[0].heard == ("जय नगर",)


def test_a_task_that_no_file_describes_is_known_by_its_scores() -> None:
    score = make_score(make_task(), 0)
    (item,) = summarise([RunData(make_info(), [], [score])]).items
    assert (item.id, item.turns, item.results[0].verdict) == ("single-en-1", (), "wrong")


def test_the_same_input_gives_the_same_summary() -> None:
    assert summarise([full_run()]) == summarise([full_run()])


values = st.lists(st.one_of(st.none(), st.sampled_from([0.0, 0.5, 1.0])), max_size=6)


@given(st.dictionaries(st.sampled_from(["text", "speech"]), values))
def test_no_figure_of_none_ever_turns_into_a_number(columns: dict[str, list[float | None]]) -> None:
    summary = summarise([scored_run(columns)])
    for condition, column in columns.items():
        scored = [value for value in column if value is not None]
        cell = summary.cell("a", condition)
        if not column:
            assert cell is None
            continue
        assert cell is not None
        right = cell.figures[RIGHT]
        assert (right.counts.scored, right.counts.planned) == (len(scored), len(column))
        assert right.mean == (pytest.approx(sum(scored) / len(scored)) if scored else None)
        # One task that is half right tells nothing of others.
        assert (right.low is None) == (not scored or scored == [0.5])
        assert cell.kind_means[RIGHT] == (pytest.approx(right.mean) if scored else None)
    for item in summary.items:
        for result in item.results:
            index = int(item.id.rsplit("-", 1)[1])
            assert result.figures[RIGHT] == columns[result.condition][index]
            assert (result.verdict == "unscored") == (columns[result.condition][index] is None)
