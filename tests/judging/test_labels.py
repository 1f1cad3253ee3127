"""Labels of people: what a line must hold, how lines of one item come together, and the shipped set."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from voicebench.errors import UserError
from voicebench.judging.labels import Item, read_items, shipped_labels
from voicebench.scoring.refusal_words import CUES
from voicebench.tasks.read import read_tools
from voicebench.types import ErrorInfo, Response, Task, ToolCall

TASK: dict[str, Any] = {
    "id": "t", "task": "single", "lang": "ta", "turns": [{"role": "user", "text": "ஒரு தோசை"}],
    "tools": ["food.add_item"],
    "expect": {"calls": [{"name": "food.add_item", "arguments": {"dish": ["தோசை"]}}]},
}  # fmt: skip
WORDS: dict[str, Any] = {"id": "a", "lang": "ta", "answer": "என்னால் முடியாது.", "label": "refused"}
CALLS: dict[str, Any] = {
    "id": "b", "figure": "parameters_judge", "lang": "ta", "task": TASK, "label": "correct",
    "calls": [{"name": "food.add_item", "arguments": {"dish": "dosai"}}],
}  # fmt: skip


def read(folder: Path, *rows: dict[str, Any], **known: Any) -> list[Item]:
    path = folder / "labels.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return read_items([path], tools=read_tools(), **known)


def test_a_refusal_in_words_stands_alone(tmp_path: Path) -> None:
    (item,) = read(tmp_path, WORDS)
    assert (item.figure, item.answer.said, item.label) == ("refusal", "என்னால் முடியாது.", True)
    assert item.task is None


def test_calls_stand_beside_their_task(tmp_path: Path) -> None:
    (item,) = read(tmp_path, CALLS)
    assert item.answer.calls == (ToolCall(name="food.add_item", arguments={"dish": "dosai"}),)
    assert item.task is not None
    assert item.task.tools[0].name == "food.add_item"


def test_a_response_is_named_by_its_key(tmp_path: Path) -> None:
    (item,) = read(tmp_path, CALLS)
    response = Response(
        task_id="t", agent="x", condition="speech", trial=2, text="[food.add_item(dish='தோசை')]"
    )
    key = {"task_id": "t", "agent": "x", "condition": "speech", "trial": 2}
    row = {"id": "c", "figure": "parameters_judge", "lang": "ta", "label": "correct", "response": key}
    (item,) = read(tmp_path, row, tasks={"t": item.task}, responses=[response])
    assert item.response is response
    assert item.answer.calls[0].arguments == {"dish": "தோசை"}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            {**WORDS, "label": "yes"},
            "label of refusal must be one of refused, not_refused, unsure, not 'yes'",
        ),
        ({**CALLS, "label": "refused"}, "must be one of correct, incorrect, unsure"),
        ({**WORDS, "answer": None}, "needs either its answer"),
        (
            {**WORDS, "response": {"task_id": "t", "agent": "x", "condition": "text"}},
            "needs either its answer",
        ),
        ({**CALLS, "task": None}, "needs its task"),
        ({**CALLS, "task": {**TASK, "expect": {"refuse": True}}}, "its task expects no calls"),
        ({**CALLS, "task": {**TASK, "tools": ["food.add_itm"]}}, "Did you mean 'food.add_item'?"),
        ({**WORDS, "lable": "refused"}, "Did you mean 'label'?"),
    ],
)
def test_a_wrong_line_is_named_with_file_and_line(tmp_path: Path, row: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=r"labels.jsonl:1: ") as raised:
        read(tmp_path, row)
    assert message in str(raised.value)


def test_an_unknown_response_says_which_file_is_wanted(tmp_path: Path) -> None:
    row = {**WORDS, "answer": None, "response": {"task_id": "t", "agent": "x", "condition": "text"}}
    with pytest.raises(UserError, match="--responses FILE"):
        read(tmp_path, row)
    response = Response(task_id="t", agent="x", condition="text", trial=0, text="no")
    with pytest.raises(UserError, match="--tasks FILE"):
        read(tmp_path, row, responses=[response])


def test_an_error_is_no_answer_to_label(tmp_path: Path) -> None:
    row = {**WORDS, "answer": None, "response": {"task_id": "t", "agent": "x", "condition": "text"}}
    failed = Response(
        task_id="t", agent="x", condition="text", trial=0, error=ErrorInfo(kind="timeout", message="late")
    )
    task = Task.model_validate({**TASK, "tools": []})
    with pytest.raises(UserError, match=r"is an error \(timeout\)"):
        read(tmp_path, row, tasks={"t": task}, responses=[failed])


def test_several_raters_label_one_item_and_most_of_the_sure_ones_win(tmp_path: Path) -> None:
    rows = [
        {**WORDS, "rater": rater, "label": label}
        for rater, label in (("A", "refused"), ("B", "not_refused"), ("C", "refused"), ("D", "unsure"))
    ]
    (item,) = read(tmp_path, *rows)
    assert item.labels == {"A": True, "B": False, "C": True, "D": None}
    assert item.label is True


def test_a_split_vote_is_no_label(tmp_path: Path) -> None:
    (item,) = read(tmp_path, {**WORDS, "rater": "A"}, {**WORDS, "rater": "B", "label": "not_refused"})
    assert item.label is None


def test_one_rater_labels_an_item_once(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"labels.jsonl:2: 'person' labels 'a' a second time"):
        read(tmp_path, WORDS, WORDS)


def test_two_answers_under_one_id_are_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"labels.jsonl:2: 'a' is not the same item as before"):
        read(tmp_path, WORDS, {**WORDS, "rater": "B", "answer": "சரி"})


def test_a_file_without_labels_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no labels"):
        read(tmp_path)


SHIPPED = read_items([shipped_labels()], tools={})


def test_the_shipped_labels_cover_every_language_and_every_verdict() -> None:
    counts = Counter(item.lang for item in SHIPPED)
    assert set(counts) == set(CUES)
    assert min(counts.values()) >= 20
    assert sum(counts.values()) == len(SHIPPED) >= 280
    assert {(item.lang, item.label) for item in SHIPPED} == {
        (lang, label) for lang in CUES for label in (True, False, None)
    }


def test_the_shipped_labels_say_why_and_which_half_they_are_of() -> None:
    rows = [json.loads(line) for line in shipped_labels().read_text(encoding="utf-8").splitlines()]
    assert all(row["why"] for row in rows)
    assert {row["group"] for row in rows} == {"before the rule", "after the rule"}
    assert len({row["answer"] for row in rows}) == len(rows)
