"""What a page holds of many tasks."""

from voicebench.report import RunData, Summary, summarise
from voicebench.report.html import html
from voicebench.report.page_data import MOST_ANSWERS, shown_items

from .helpers import full_run, make_info, make_response, make_score, make_task


def many(n: int) -> Summary:
    """Return a report of n tasks in each of two languages; the last one in Hindi is lost by ear."""
    tasks = [make_task(f"single-{lang}-{i}", lang=lang) for i in range(n) for lang in ("en", "hi")]
    lost = tasks[-1]
    scores = [make_score(task, 1) for task in tasks] + [make_score(lost, 0, "speech")]
    answers = [make_response(task) for task in tasks] + [make_response(lost, "speech")]
    return summarise([RunData(make_info(), tasks, scores, answers)])


def test_a_small_report_is_shown_whole() -> None:
    summary = summarise([full_run()])
    assert shown_items(summary) == summary.items
    assert sum(len(item.results) for item in summary.items) <= MOST_ANSWERS


def test_of_a_large_report_the_first_tasks_of_each_language_and_the_examples_are_shown() -> None:
    found = shown_items(many(9), most=7)
    assert [item.id for item in found] == [
        "single-en-0", "single-hi-0", "single-en-1", "single-hi-1", "single-en-2", "single-hi-2",
        "single-hi-8",
    ]  # fmt: skip


def test_one_task_of_each_is_shown_however_many_answers_it_has() -> None:
    assert [item.id for item in shown_items(many(3), most=1)] == ["single-en-0", "single-hi-0", "single-hi-2"]


def test_the_page_says_what_it_leaves_out() -> None:
    small = many(2)
    items = tuple(
        item.model_copy(update={"id": f"{item.id}-{n}"}) for n in range(MOST_ANSWERS) for item in small.items
    )
    assert "the first of each kind" not in html(small, lambda clip: "x.wav")
    found = html(small.model_copy(update={"items": items}), lambda clip: "x.wav")
    assert f" of {4 * MOST_ANSWERS:,} tasks: the first of each kind in each language" in found
    assert MOST_ANSWERS // 2 < found.count('{"id":') < MOST_ANSWERS
