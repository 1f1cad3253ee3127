"""Where answers were lost, from runs with answers, transcripts and clips."""

from voicebench.report import RunData, summarise
from voicebench.report.shape import Blame, Summary
from voicebench.scoring.score import score
from voicebench.types import ModelRef, Response, Task, ToolCall, TranscriptRow

from .helpers import make_clip, make_error, make_info, make_response, make_score, make_task, planned

GOOD = (ToolCall(name="cab.get_fare", arguments={"pickup": "Jayanagar"}),)
BAD = (ToolCall(name="cab.get_fare", arguments={"pickup": "Majestic"}),)


def report(tasks: list[Task], responses: list[Response], **rows: list[TranscriptRow]) -> Summary:
    known = {task.id: task for task in tasks}
    scores = [score(known[response.task_id], response) for response in responses]
    clips = [make_clip(task, spoken_text=f"{task.turns[0].text} spoken") for task in tasks]
    return summarise(
        [RunData(make_info(), tasks, scores, responses, clips, transcripts=rows.get("transcripts", []))]
    )


def counted(summary: Summary, condition: str = "speech", lang: str | None = None) -> dict[str, int]:
    (found,) = [row for row in summary.blames if (row.condition, row.lang) == (condition, lang)]
    return {cause: share.n for cause, share in found.causes.items() if share.n}


def first(summary: Summary) -> Blame:
    return summary.blames[0]


def test_a_lost_value_is_hearing_and_a_kept_one_planning() -> None:
    lost, kept = make_task("single-en-1"), make_task("single-en-2")
    summary = report([lost, kept], [
        make_response(lost, calls=GOOD), make_response(kept, calls=GOOD),
        make_response(lost, "speech", calls=BAD, transcript="What is the fare from Jonah?"),
        make_response(kept, "speech", calls=BAD, transcript="what's a fare from Jayanagar"),
    ])  # fmt: skip
    assert counted(summary) == {"hearing": 1, "planning": 1}
    assert (first(summary).n_pairs, first(summary).n_by_ear, first(summary).n_unpaired) == (2, 2, 0)


def test_shares_are_of_the_pairs_with_wilsons_interval() -> None:
    tasks = [make_task(f"single-en-{i}") for i in range(4)]
    responses = [make_response(task, calls=GOOD) for task in tasks]
    responses += [make_response(task, "speech", calls=GOOD, transcript="x") for task in tasks[:3]]
    responses += [make_response(tasks[3], "speech", calls=BAD, transcript="What is the fare from Jonah?")]
    share = first(report(tasks, responses)).causes["hearing"]
    assert (share.n, share.share) == (1, 0.25)
    assert (round(share.low or 0, 4), round(share.high or 0, 4)) == (0.0456, 0.6994)


def test_an_example_shows_what_was_said_heard_wanted_and_got() -> None:
    task = make_task("single-hi-1", lang="hi")
    gold = (ToolCall(name="cab.get_fare", arguments={"pickup": "जयनगर"}),)
    summary = report([task], [
        make_response(task, calls=gold),
        make_response(task, "speech", calls=BAD, transcript="जय नगर का किराया"),
    ])  # fmt: skip
    (example,) = first(summary).examples
    assert (example.task_id, example.cause, example.parameter) == ("single-hi-1", "hearing", "pickup")
    assert (example.said, example.heard) == ("जयनगर से किराया कितना है?", "जय नगर का किराया")
    assert (example.wanted, example.got) == ('"Jayanagar" or "जयनगर"', '"Majestic"')


def test_what_is_wrong_when_read_is_explained_by_the_answer_to_the_text() -> None:
    writing, planning = make_task("single-th-1", lang="th"), make_task("single-th-2", lang="th")
    summary = report([writing, planning], [
        make_response(writing, calls=BAD), make_response(writing, "speech", calls=BAD, transcript="x"),
        make_response(planning, text="ได้ครับ"), make_response(planning, "speech", text="ได้", transcript="x"),
    ])  # fmt: skip
    assert counted(summary) == {"writing": 1, "planning": 1}
    assert first(summary).n_by_ear == 0


def test_the_spoken_form_is_the_request_too() -> None:
    task = make_task()
    heard = f"{task.turns[0].text} spoken"
    summary = report([task], [
        make_response(task, calls=GOOD), make_response(task, "speech", calls=BAD, transcript=heard),
    ])  # fmt: skip
    (example,) = first(summary).examples
    assert (example.cause, example.why) == ("planning", "what was heard is what was said")


def test_the_words_of_an_asr_are_compared_under_their_own_condition() -> None:
    task = make_task()
    row = TranscriptRow(task_id=task.id, turn=0, condition="speech", asr=ModelRef(name="w"), text="the fair")
    responses = [make_response(task, calls=GOOD), make_response(task, "transcript:w", calls=BAD)]
    summary = report([task], responses, transcripts=[row])
    assert counted(summary, "transcript:w") == {"hearing": 1}
    assert first(summary).examples[0].heard == "the fair"


def test_an_agent_without_a_transcript_is_judged_by_what_it_made_of_an_asrs() -> None:
    able, unable, alone = (make_task(f"single-en-{i}") for i in range(3))
    summary = report([able, unable, alone], [
        *(make_response(task, calls=GOOD) for task in (able, unable, alone)),
        *(make_response(task, "speech", calls=BAD) for task in (able, unable, alone)),
        make_response(able, "transcript:v", calls=BAD), make_response(able, "transcript:w", calls=GOOD),
        make_response(unable, "transcript:w", calls=BAD),
    ])  # fmt: skip
    assert counted(summary) == {"hearing": 1, "undecided": 2}


def test_what_is_not_scored_both_ways_is_unpaired() -> None:
    tasks = [make_task(f"single-en-{i}") for i in range(3)]
    responses = [
        make_response(tasks[0], calls=GOOD), make_response(tasks[0], "speech", calls=GOOD),
        make_response(tasks[1], calls=GOOD), make_error(tasks[1], "speech"),
    ]  # fmt: skip
    scores = [score(tasks[0], responses[0]), score(tasks[0], responses[1]), score(tasks[1], responses[2])]
    info = make_info(planned=(planned(3), planned(3, condition="speech")))
    summary = summarise([RunData(info, tasks, scores, responses)])
    assert (first(summary).n_pairs, first(summary).n_unpaired) == (1, 2)


def test_nothing_read_is_nothing_to_compare() -> None:
    task = make_task()
    assert report([task], [make_response(task, "speech", calls=BAD)]).blames == ()


def test_trials_are_compared_each_with_its_own() -> None:
    task = make_task()
    responses = [
        make_response(task, calls=GOOD), make_response(task, calls=BAD, trial=1),
        make_response(task, "speech", calls=GOOD), make_response(task, "speech", calls=BAD, trial=1),
    ]  # fmt: skip
    summary = report([task], responses)
    assert counted(summary) == {"none": 1, "writing": 1}
    # One task alone says nothing of others, however often it was asked.
    assert first(summary).causes["writing"].low is None


def test_languages_come_after_all_of_them_and_examples_stand_with_all() -> None:
    tasks = [make_task("single-hi-1", lang="hi"), make_task("single-ta-1", lang="ta")]
    responses = [
        make_response(task, condition, calls=BAD) for task in tasks for condition in ("text", "speech")
    ]
    found = report(tasks, responses).blames
    assert [(row.lang, row.n_pairs, len(row.examples)) for row in found] == [
        (None, 2, 2),
        ("hi", 1, 0),
        ("ta", 1, 0),
    ]


def test_examples_are_few_and_of_many_languages() -> None:
    langs = ["hi"] * 5 + ["ta", "th"]
    tasks = [make_task(f"single-{lang}-{i}", lang=lang) for i, lang in enumerate(langs)]
    responses = [make_response(task, c, calls=BAD) for task in tasks for c in ("text", "speech")]
    assert [one.lang for one in report(tasks, responses).blames[0].examples] == ["hi", "ta", "th"]


def test_each_answer_has_its_cause() -> None:
    task = make_task()
    responses = [make_response(task, calls=GOOD), make_response(task, "speech", calls=BAD, transcript="")]
    read, heard = report([task], responses).items[0].results
    assert (read.cause, heard.cause) == (None, "hearing")
    assert heard.why == "what was heard lacks the value"


def test_scores_alone_are_enough() -> None:
    task = make_task()
    run = RunData(make_info(), [], [make_score(task, 1), make_score(task, 0, "speech")])
    assert counted(summarise([run])) == {"undecided": 1}
