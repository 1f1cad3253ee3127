"""What changed between two scorings: counts a figure, items with their reason, versions."""

from typing import Any

import pytest

from voicebench.scoring.diff import Diff, difference, remember, said
from voicebench.types import Reason, Scores

WRONG = Reason(kind="parameter", call=0, parameter="drop", verdict="wrong", gold=["मैजेस्टिक"], got="Whitefield")


def row(task_id: str, version: str, *, reasons: tuple[Reason, ...] = (), **others: Any) -> Scores:
    return Scores(
        task_id=task_id, agent="a", condition="text", trial=0, task="single", lang="hi", reasons=reasons,
        scoring_version=version, **others,
    )  # fmt: skip


def compared(old: list[Scores], new: list[Scores]) -> Diff:
    return difference(remember(old), iter(new))


def counts(found: Diff, figure: str) -> dict[str, int]:
    (counted,) = [part for part in found.figures if part.figure == figure]
    return {name: value for name, value in counted.model_dump(exclude={"figure"}).items() if value}


def test_the_same_scores_have_not_changed() -> None:
    old = [row("t1", "1", parameters=1, parameter_fraction=0.1 + 0.2), row("t2", "1", parameters=0)]
    new = [row("t1", "2", parameters=1, parameter_fraction=0.3), row("t2", "2", parameters=0)]
    found = compared(old, new)
    assert (found.changes, found.items, found.old_versions, found.new_versions) == ((), 2, ("1",), ("2",))
    assert counts(found, "parameters") == {"items": 2, "same": 2}


def test_figures_move_up_and_down_and_into_and_out_of_the_unscored() -> None:
    unscored = {"refusal": "no judge"}
    old = [
        row("t1", "1", parameters=0, reasons=(WRONG,)),
        row("t2", "1", parameters=1),
        row("t3", "1", unscored=unscored),
        row("t4", "1", refusal=1),
        row("t5", "1", unscored=unscored),
    ]
    new = [
        row("t1", "2", parameters=1),
        row("t2", "2", parameters=0, reasons=(WRONG,)),
        row("t3", "2", refusal=0),
        row("t4", "2", unscored={"refusal": "unsure"}),
        row("t5", "2", unscored={"refusal": "unsure"}),
    ]
    found = compared(old, new)
    assert counts(found, "parameters") == {"items": 2, "up": 1, "down": 1}
    assert counts(found, "refusal") == {"items": 3, "same": 1, "newly_scored": 1, "newly_unscored": 1}
    said_of = {
        change.task_id: [(part.figure, part.direction, part.old, part.new) for part in change.figures]
        for change in found.changes
    }
    assert said_of == {
        "t1": [("parameters", "up", 0, 1)],
        "t2": [("parameters", "down", 1, 0)],
        "t3": [("refusal", "newly scored", None, 0)],
        "t4": [("refusal", "newly unscored", 1, None)],
    }
    wrong = 'call 0: drop is wrong: "Whitefield", right would be ["मैजेस्टिक"]'
    assert [change.why for change in found.changes] == [
        f"before: {wrong}",
        wrong,
        "before: no judge",
        "unsure",
    ]


def test_a_figure_that_one_version_alone_knows_is_no_change() -> None:
    found = compared([row("t1", "1", refusal=1)], [row("t1", "2", prefix_fraction=0.5)])
    assert (found.figures_only_old, found.figures_only_new) == (("refusal",), ("prefix_fraction",))
    assert (found.changes, found.figures) == ((), ())


def test_items_that_one_side_alone_has_are_counted() -> None:
    old = [row("t1", "1", parameters=1), row("t2", "1", parameters=1)]
    new = [row("t1", "2", parameters=1), row("t3", "2", parameters=0), row("t4", "2", parameters=0)]
    found = compared(old, new)
    assert (found.items, found.only_old, found.only_new, found.changes) == (1, 1, 2, ())


def test_trials_and_conditions_are_items_of_their_own() -> None:
    base = row("t1", "1", parameters=1)
    other = base.model_copy(update={"trial": 1, "parameters": 0})
    assert len(compared([base, other], [other, base]).changes) == 0


@pytest.mark.parametrize(
    ("reason", "line"),
    [
        (Reason(kind="unreadable", message="no call found"), "unreadable: no call found"),
        (Reason(kind="missing_call", call=1, gold={"name": "f"}), "call 1: missing call"),
        (Reason(kind="parameter", call=0, parameter="n", verdict="missing", gold=[2]),
         "call 0: n is missing, right would be [2]"),
        (Reason(kind="parameter", call=0, parameter="tip", verdict="unexpected", got=20),
         "call 0: tip is unexpected: 20"),
    ],
)  # fmt: skip
def test_a_reason_in_one_line(reason: Reason, line: str) -> None:
    assert said(reason) == line
