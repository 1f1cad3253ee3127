"""The tables of the datasheet follow from the data."""

import pytest

from voicebench.errors import UserError
from voicebench.tasks.datasheet import BEGIN, END, tables, with_tables

from .test_stats import task

TASKS = [
    task("1", "a", lang="en"),
    task("2", "b", code_mixed=True, review="native"),
    task("3", "c", kind="parallel", calls=("a", "b"), review="machine"),
]


def test_items_reviews_and_mixed_languages_are_counted() -> None:
    assert tables(TASKS, {"hi": "Hindi"}).splitlines() == [
        "| language | single | retrieval | parallel | sequential | dialogue | safety | total |",
        "|---|---|---|---|---|---|---|---|",
        "| `en` | 1 | 0 | 0 | 0 | 0 | 0 | 1 |",
        "| Hindi (`hi`) | 1 | 0 | 1 | 0 | 0 | 0 | 2 |",
        "| all | 2 | 0 | 1 | 0 | 0 | 0 | 3 |",
        "",
        "| language | made by machine | of these reviewed by native speakers | code-mixed |",
        "|---|---|---|---|",
        "| `en` | 1 | 0 | 0 (0 %) |",
        "| Hindi (`hi`) | 2 | 1 | 1 (50 %) |",
        "| all | 3 | 1 | 1 (33 %) |",
    ]


def test_tables_go_between_the_markers_and_writing_them_again_changes_nothing() -> None:
    page = f"# Data\n\n{BEGIN}\nold\n{END}\n\nafter\n"
    once = with_tables(page, TASKS)
    assert once.startswith(f"# Data\n\n{BEGIN}\n\n| language |") and once.endswith(f"\n\n{END}\n\nafter\n")
    assert "old" not in once
    assert with_tables(once, TASKS) == once
    assert with_tables(once, TASKS[:1]) != once


@pytest.mark.parametrize("page", ["", f"{END}\n{BEGIN}\n", f"{BEGIN}\n", f"{BEGIN}\n{END}\n{BEGIN}\n{END}\n"])
def test_a_page_without_its_markers_is_refused(page: str) -> None:
    with pytest.raises(UserError, match="the datasheet needs the lines"):
        with_tables(page, TASKS)
