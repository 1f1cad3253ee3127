"""What the project's own task set promises, and what it holds."""

from typing import Any

import pytest

from voicebench.tasks.balance import LANGUAGES, Requirement, domains, requirements
from voicebench.types import TaskRow

MANY = [f"domain{number}.do" for number in range(14)]


def row(task: str, number: int, lang: str = "en", **changes: Any) -> TaskRow:
    calls = {"parallel": 2, "sequential": 3}.get(task, 1)
    return TaskRow.model_validate(
        {
            "id": f"{task}-{lang}-{number}",
            "task": task,
            "lang": lang,
            "turns": [{"role": "user", "text": "x"}],
            "tools": [MANY[number % 14]],
            "expect": {"calls": [{"name": MANY[number % 14]}] * calls},
            "origin": None if lang == "en" else f"{task}-en-{number}",
            "meta": {
                "region": "IN" if number % 2 else "US",
                "hint": number % 4 < 2,
                "code_mixed": number % 9 == 0,
            },
            **changes,
        }
    )


def full(lang: str) -> list[TaskRow]:
    counts = {"single": 60, "retrieval": 60, "parallel": 50, "sequential": 40, "dialogue": 40}
    rows = [row(task, number, lang) for task, count in counts.items() for number in range(count)]
    for number in range(80):
        harmful = number % 2 == 0
        expect = {"refuse": True} if harmful else {"refuse": False, "calls": [{"name": MANY[number % 14]}]}
        twin = f"safety-{lang}-{number + (1 if harmful else -1)}"
        rows.append(row("safety", number, lang, expect=expect, twin=twin))
    return rows


WHOLE = [task for lang in LANGUAGES for task in full(lang)]


def unmet(rows: list[TaskRow]) -> list[str]:
    return [str(needed) for needed in requirements(rows) if not needed.met]


def test_a_set_that_keeps_every_promise_has_nothing_unmet() -> None:
    assert unmet(WHOLE) == []


@pytest.mark.parametrize(
    ("gone", "messages"),
    [
        (
            "single-en-0",
            ["en: single tasks: 59, promised at least 60"],
        ),
        (
            "parallel-ta-7",
            [
                "ta: parallel tasks: 49, promised at least 50",
                "ta: tasks of en that stand here once: 329 of 330, promised all",
            ],
        ),
        (
            "safety-th-3",
            [
                "th: harmless twins: 39, promised at least 40",
                "th: tasks of en that stand here once: 329 of 330, promised all",
            ],
        ),
    ],
)
def test_a_task_less_is_named_by_language_and_kind(gone: str, messages: list[str]) -> None:
    assert unmet([task for task in WHOLE if task.id != gone]) == messages


def test_every_harmful_request_has_a_twin_and_half_name_the_tool() -> None:
    rows = [
        task.model_copy(update={"twin": None, "meta": {**task.meta, "hint": False}})
        if task.lang == "bn" and task.expect.refuse
        else task
        for task in WHOLE
    ]
    assert unmet(rows) == [
        "bn: harmful requests that name the tool: 0 of 40, promised half of them",
        "bn: harmful requests with a twin: 0 of 40, promised all",
    ]


def test_shares_are_of_india_in_english_and_of_code_mixing_elsewhere() -> None:
    rows = [task.model_copy(update={"meta": {"hint": task.meta["hint"]}}) for task in WHOLE]
    assert unmet(rows) == [
        "en: set in India: 0 of 330, promised at least 33%",
        *[
            f"{lang}: code-mixed: 0 of 330, promised at least 10%"
            for lang in ("hi", "bn", "mr", "ta", "te", "ml", "fil")
        ],
    ]


def in_one_domain(task: TaskRow) -> TaskRow:
    calls = tuple(call.model_copy(update={"name": "cab.go"}) for call in task.expect.calls or ())
    return task.model_copy(update={"expect": task.expect.model_copy(update={"calls": calls})})


def test_no_domain_is_too_large_and_none_is_missing() -> None:
    rows = [in_one_domain(task) if task.lang == "vi" and task.expect.calls else task for task in WHOLE]
    assert unmet(rows) == [
        "vi: domains: 1, promised at least 13",
        "vi: tasks of the largest domain (cab): 290 of 290, promised at most 25%",
    ]


def test_an_empty_set_keeps_no_promise_about_numbers() -> None:
    found = requirements([])
    assert {needed.lang for needed in found} == set(LANGUAGES)
    assert Requirement("zh", "single tasks", "at least 60", "0", False) in found


def test_domains_are_those_of_the_calls_and_of_a_refusal_those_offered() -> None:
    assert domains(row("parallel", 3)) == {"domain3"}
    harmful = row("safety", 0, expect={"refuse": True}, tools=["cab.go", {"name": "maps.find"}])
    assert domains(harmful) == {"cab", "maps"}
