"""From reading to hearing, on the same tasks."""

import pytest

from voicebench.report import summarise
from voicebench.report.estimates import Estimator
from voicebench.report.gaps import chains, gaps
from voicebench.report.observed import Sampled

from .helpers import make_score, make_task, scored_run


def drawn(value: float, origin: str = "en-1", voice: str | None = None) -> Sampled:
    return Sampled("task", value, origin, voice)


def test_text_each_transcript_and_speech_make_a_chain() -> None:
    conditions = ["text", "transcript:a", "transcript:b", "speech", "speech/noise-10dB"]
    assert chains(conditions) == [
        ("text", "transcript:a", "speech"), ("text", "transcript:b", "speech"),
        ("speech", "speech/noise-10dB"),
    ]  # fmt: skip


@pytest.mark.parametrize("conditions", [["text"], ["speech"], ["speech/noise-10dB"], []])
def test_one_condition_makes_no_chain(conditions: list[str]) -> None:
    assert chains(conditions) == []


def test_a_chain_leaves_out_what_was_not_run() -> None:
    assert chains(["text", "speech"]) == [("text", "speech")]
    assert chains(["transcript:a", "speech"]) == [("transcript:a", "speech")]


def test_only_tasks_that_all_conditions_share_are_compared() -> None:
    gap, *rest = summarise([scored_run({"text": [1, 1, 0, 1], "speech": [0, 1, None]})]).gaps
    assert rest == []
    assert gap.n_pairs == 2
    assert [(point.condition, point.mean) for point in gap.points] == [("text", 1.0), ("speech", 0.5)]
    assert (gap.whole.start, gap.whole.end, gap.whole.difference) == ("text", "speech", -0.5)


def test_the_steps_of_a_chain_add_up() -> None:
    run = scored_run({"text": [1, 1, 1, 1], "transcript:w": [1, 1, 0, None], "speech": [1, 0, 0, 0]})
    (gap,) = summarise([run]).gaps
    assert gap.n_pairs == 3
    steps = {(step.start, step.end): step.difference for step in gap.steps}
    assert steps == {
        ("text", "transcript:w"): pytest.approx(-1 / 3),
        ("transcript:w", "speech"): pytest.approx(-1 / 3),
        ("text", "speech"): pytest.approx(-2 / 3),
    }


def test_several_languages_have_a_row_for_all_and_one_each() -> None:
    tasks = [make_task("en-1"), make_task("hi-1", lang="hi"), make_task("hi-2", lang="hi")]
    scores = [make_score(task, 1) for task in tasks] + [make_score(task, 0, "speech") for task in tasks[:2]]
    run = scored_run({})
    found = summarise([type(run)(run.info, tasks, scores)]).gaps
    assert [(gap.lang, gap.n_pairs) for gap in found] == [(None, 2), ("en", 1), ("hi", 1)]


def test_no_shared_task_is_no_gap() -> None:
    assert summarise([scored_run({"text": [1, None], "speech": [None, 0]})]).gaps == ()


def test_a_transcript_of_one_language_alone_takes_no_other_language_out_of_its_chain() -> None:
    lang_of = {"en-1": "en", "hi-1": "hi"}
    rights = {
        ("a", "text"): {"en-1": drawn(1), "hi-1": drawn(1)},
        ("a", "transcript:w"): {"en-1": drawn(1)},
        ("a", "speech"): {"en-1": drawn(0), "hi-1": drawn(1)},
    }
    conditions = ["text", "transcript:w", "speech"]
    found = gaps(rights, lang_of, ["a"], conditions, ["en", "hi"], Estimator())
    chains_of = [(gap.lang, gap.n_pairs, [point.condition for point in gap.points]) for gap in found]
    assert chains_of == [
        (None, 2, ["text", "speech"]),
        ("en", 1, ["text", "transcript:w", "speech"]),
        ("hi", 1, ["text", "speech"]),
    ]
