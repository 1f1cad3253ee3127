"""The one sentence, honest about n."""

from voicebench.report import RunData, summarise
from voicebench.types import Scores, Task

from .helpers import make_error, make_info, make_score, make_task, scored_run


def finding(*columns: tuple[str, dict[str, list[float | None]]]) -> str:
    scores: list[Scores] = []
    tasks: dict[int, Task] = {}
    for agent, values in columns:
        for condition, column in values.items():
            for i, value in enumerate(column):
                task = tasks.setdefault(i, make_task(f"single-en-{i}"))
                scores.append(make_score(task, value, condition, agent=agent))
    return summarise([RunData(make_info(), list(tasks.values()), scores)]).finding


def test_nothing_at_all_is_said_so() -> None:
    assert finding() == "There is nothing to show yet: no answers were planned or found."


def test_faults_alone_are_named_and_counted() -> None:
    tasks = [make_task(f"single-en-{i}") for i in range(3)]
    errors = [make_error(tasks[0]), make_error(tasks[1]), make_error(tasks[2], kind="server")]
    assert summarise([RunData(make_info(), tasks, [], errors)]).finding == (
        "None of 3 answers could be scored: 2 timed out, 1 server failed."
    )


def test_one_condition_says_how_many_of_how_many() -> None:
    assert finding(("a", {"speech": [1, 0, None]})) == (
        "a gets 1 of 2 requests right when it hears them (95\u00a0% interval 0.09–0.91); "
        "1 more answer could not be scored."
    )


def test_reading_and_hearing_are_compared_on_the_same_tasks() -> None:
    heard: list[float | None] = [*[1.0] * 10, *[0.0] * 20]
    said = finding(("a", {"text": [1.0] * 30, "speech": heard}))
    assert said.startswith("a gets 30 of 30 requests right when it reads them and 10 when it hears them: ")
    assert "a difference of −0.67 (95\u00a0% interval −0.83 to −0.50)" in said


def test_a_difference_that_may_be_none_is_said_to_be_unclear() -> None:
    said = finding(("a", {"text": [1, 0, 1, 1], "speech": [1, 1, 0, 1]}))
    assert said.endswith("is no clear difference on 4 tasks.")


def test_controls_are_no_contestants() -> None:
    values: dict[str, list[float | None]] = {"text": [1, 1], "speech": [1, 1]}
    said = finding(("oracle", values), ("whisper-base+smollm2", {"text": [1, 0], "speech": [0, 0]}))
    assert said.startswith("whisper-base+smollm2 gets 1 of 2")


def test_the_best_listener_of_several_is_named() -> None:
    said = finding(("a", {"text": [1, 1], "speech": [0, 0]}), ("b", {"text": [0, 1], "speech": [0, 1]}))
    assert said.startswith("b, the best of 2 agents at listening, gets 1 of 2 requests right")


def test_trials_that_do_not_make_whole_tasks_are_a_share() -> None:
    task = make_task()
    rows = [make_score(task, 1), make_score(task, 0, trial=1)]
    assert summarise([RunData(make_info(), [task], rows)]).finding.startswith("a gets a share of 0.50 of 1 ")


def test_an_empty_run_has_a_sentence() -> None:
    assert summarise([scored_run({})]).finding.startswith("There is nothing to show")
