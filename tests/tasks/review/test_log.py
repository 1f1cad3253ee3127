"""Agreement of reviewers: kept beside the data, without names and dates, counted per item and version."""

import json
from pathlib import Path
from typing import Any

import pytest

from voicebench.errors import UserError
from voicebench.tasks.review.log import (
    Review,
    add_to_log,
    hashed,
    log_path,
    pairs,
    refuse_inside,
    rows_of,
)
from voicebench.tasks.review.submission import Filled, Submission


def handed_in(alias: str, verdicts: dict[str, Any], *, native: bool = True) -> Submission:
    items = tuple(Filled("w", id_, f"h-{id_}", verdict) for id_, verdict in verdicts.items())
    return Submission(Path("s"), "ta", alias, native, items)


def test_a_log_holds_hashes_instead_of_names_and_no_date(tmp_path: Path) -> None:
    path = tmp_path / "ta.jsonl"
    add_to_log(path, rows_of([handed_in("வேம்பு", {"a": "ok", "b": None})]))
    (line,) = path.read_text(encoding="utf-8").splitlines()
    assert json.loads(line) == {
        "item": "a", "lang": "ta", "seen": "h-a", "reviewer": hashed("வேம்பு"), "native": True,
        "verdict": "ok",
    }  # fmt: skip
    assert "வேம்பு" not in line


def test_a_reviewers_last_word_counts_once(tmp_path: Path) -> None:
    path = tmp_path / "ta.jsonl"
    add_to_log(path, rows_of([handed_in("Neem ", {"a": "ok"})]))
    after = add_to_log(path, rows_of([handed_in("neem", {"a": "drop"})]))
    assert [(row.item, row.verdict) for row in after] == [("a", "drop")]


def test_kappa_is_that_of_the_hand_made_table() -> None:
    # Right as it stands: both yes 4, one 1, other 1, both no 4 → κ = (0.8 - 0.5) / (1 - 0.5) = 0.6.
    one = dict.fromkeys("abcde", "ok") | {
        "f": "change",
        "g": "change",
        "h": "drop",
        "i": "change",
        "j": "drop",
    }
    two = dict.fromkeys("abcdf", "ok") | {"e": "change", "g": "change", "h": "drop", "i": "drop", "j": "drop"}
    (pair,) = pairs(rows_of([handed_in("x", one), handed_in("y", two, native=False)]))
    assert (pair.items, pair.same, pair.both_native) == (10, 7, False)
    assert pair.right.kappa == pytest.approx(0.6)


def test_items_of_which_one_is_unsure_do_not_count_towards_kappa() -> None:
    (pair,) = pairs(
        rows_of([handed_in("x", {"a": "ok", "b": "ok"}), handed_in("y", {"a": "ok", "b": "unsure"})])
    )
    assert (pair.items, pair.same, pair.right.n) == (2, 1, 1)


def test_other_versions_other_items_and_other_languages_are_not_compared() -> None:
    row = Review(item="a", lang="ta", seen="1", reviewer="x", native=True, verdict="ok")
    others = [
        row.model_copy(update={"reviewer": "y", "seen": "2"}),
        row.model_copy(update={"reviewer": "z", "item": "b"}),
        row.model_copy(update={"reviewer": "v", "lang": "te"}),
    ]
    assert pairs([row, *others]) == []


def test_the_log_lies_where_the_user_says_and_never_among_the_tasks(tmp_path: Path) -> None:
    assert log_path("ta", None) == Path("reviews/ta.jsonl")
    assert log_path("ta", tmp_path / "a.jsonl") == tmp_path / "a.jsonl"
    refuse_inside(tmp_path / "reviews" / "ta.jsonl", tmp_path / "tasks")
    with pytest.raises(UserError, match="lies among the tasks"):
        refuse_inside(tmp_path / "tasks" / "log.jsonl", tmp_path / "tasks")
