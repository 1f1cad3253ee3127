"""Measuring a judge against people: what is counted where, and what the rule for refusals is worth."""

from collections.abc import Sequence

import pytest

from tests.pages import DOCS, tables
from voicebench.errors import AgentFailure
from voicebench.fakes import FakeLanguageModel
from voicebench.judging.check import Decision, by_judge, by_rule, decide_all, lines, rater_pairs
from voicebench.judging.labels import Item, JudgedFigure, read_items, shipped_labels
from voicebench.scoring.agreement import Agreement
from voicebench.scoring.answer import Answer, read_answer
from voicebench.scoring.judge import Judge
from voicebench.scoring.refusal_words import CUES
from voicebench.types import Response, Task

TASK = Task.model_validate(
    {
        "id": "t", "task": "single", "lang": "bn", "turns": [{"role": "user", "text": "…"}],
        "tools": [{"name": "f", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}}}],
        "expect": {"calls": [{"name": "f", "arguments": {"n": [2]}}]},
    }
)  # fmt: skip
YES = '{"reason": "r", "verdict": "refused"}'
NO = '{"reason": "r", "verdict": "not_refused"}'


def item(number: int, labels: dict[str, bool | None], lang: str = "bn", group: str | None = None) -> Item:
    answer = Answer((), "কথা")
    response = Response(task_id="t", agent="a", condition="text", trial=0, text="কথা")
    return Item(str(number), "refusal", lang, group, labels, answer, None, response)


def decisions(*said: tuple[bool | None, bool | None], **more: str) -> list[Decision]:
    return [
        Decision(item(number, {"A": label}, **more), verdict, "")
        for number, (verdict, label) in enumerate(said)
    ]


def test_sure_pairs_are_counted_and_the_rest_is_named() -> None:
    rows = decisions((True, True), (True, False), (False, True), (None, True), (True, None), (None, None))
    rows.append(Decision(item(9, {"A": True}), None, "HTTP 503", failed=True))
    total = lines(rows)[-1]
    assert total.agreement == Agreement(both_yes=1, only_first=1, only_second=1, both_no=0)
    assert (total.items, total.unsure, total.failed, total.no_label, total.no_label_decided) == (
        7,
        1,
        1,
        2,
        1,
    )


def test_there_is_a_line_for_each_language_each_group_and_all() -> None:
    rows = decisions((True, True), lang="th") + decisions((True, True), lang="hi", group="new")
    assert [(line.name, line.items) for line in lines(rows)] == [("th", 1), ("hi", 1), ("new", 1), ("all", 2)]


def test_raters_are_compared_two_by_two_with_the_judge_among_them() -> None:
    rows = [
        Decision(item(1, {"A": True, "B": True}), False, ""),
        Decision(item(2, {"A": True, "B": False}), True, ""),
        Decision(item(3, {"A": False}), None, ""),
    ]
    found = {(pair.first, pair.second): pair.agreement for pair in rater_pairs(rows, "j")}
    assert found == {
        ("A", "B"): Agreement(both_yes=1, only_first=1),
        ("A", "j"): Agreement(both_yes=1, only_first=1),
        ("B", "j"): Agreement(only_first=1, only_second=1),
    }


def test_one_rater_alone_makes_no_pairs() -> None:
    assert rater_pairs(decisions((True, True)), "j") == []


def test_a_judge_is_asked_and_its_failures_are_kept_apart() -> None:
    judge = Judge(FakeLanguageModel([YES, "who knows", AgentFailure("unsupported", "too long")]))
    rows = decide_all([item(n, {"A": True}) for n in range(3)], by_judge(judge))
    assert [(row.verdict, row.failed) for row in rows] == [(True, False), (None, True), (None, True)]
    assert rows[2].reason == "unsupported: too long"


@pytest.mark.parametrize(
    ("figure", "text"), [("refusal", "[f(n=2)]"), ("refusal", ""), ("parameters_judge", "I cannot")]
)
def test_what_no_judge_need_see_is_not_asked(figure: JudgedFigure, text: str) -> None:
    model = FakeLanguageModel(["must not be asked"])
    response = Response(task_id="t", agent="a", condition="text", trial=0, text=text)
    asked = Item("1", figure, "bn", None, {}, read_answer(TASK, response), TASK, response)
    assert by_judge(Judge(model))(asked) == (False, "")
    assert model.asked == []


@pytest.mark.parametrize(("text", "right"), [("[f(n=2)]", True), ("[f(n=3)]", False)])
def test_the_rule_for_parameters_is_the_strict_comparison(text: str, right: bool) -> None:
    response = Response(task_id="t", agent="a", condition="text", trial=0, text=text)
    asked = Item("1", "parameters_judge", "bn", None, {}, read_answer(TASK, response), TASK, response)
    assert by_rule(asked) == (right, "")


# ---- What the rule for refusals is worth, on the shipped labels ----

SHIPPED = decide_all(read_items([shipped_labels()], tools={}), by_rule)


def told(rows: Sequence[Decision]) -> float:
    """Return the share of labelled answers on which the rule decides at all."""
    labelled = [row for row in rows if row.item.label is not None]
    return sum(row.verdict is not None for row in labelled) / len(labelled)


def test_the_rule_is_never_certain_and_wrong() -> None:
    assert [row.item.id for row in SHIPPED if row.contradicts] == []


def test_the_rule_is_unsure_wherever_people_are() -> None:
    assert [row.item.id for row in SHIPPED if row.item.label is None and row.verdict is not None] == []


@pytest.mark.parametrize("lang", CUES)
def test_the_rule_tells_most_answers_of_every_language(lang: str) -> None:
    assert told([row for row in SHIPPED if row.item.lang == lang]) >= 0.8


def test_the_rule_tells_nearly_as_much_of_what_it_was_not_made_from() -> None:
    assert told([row for row in SHIPPED if row.item.group == "after the rule"]) >= 0.88


def test_the_documented_table_of_the_rule_is_what_is_measured() -> None:
    table = next(table for table in tables(DOCS / "judges.md") if "refused, before" in table.headers)
    labels = {"refused": True, "not refused": False, "unsure": None}
    assert [row["lang"] for row in table.rows] == list(CUES)
    for row in table.rows:
        for header in table.headers[1:]:
            word, half = header.split(", ")
            group = [
                each for each in SHIPPED
                if (each.item.lang, each.item.group) == (row["lang"], f"{half} the rule")
                and each.item.label is labels[word]
            ]  # fmt: skip
            told_right = sum(each.verdict is each.item.label for each in group)
            assert row[header] == f"{told_right} of {len(group)}", (row["lang"], header)
