"""The workbook: what goes in comes back, in every script, and no text becomes a formula."""

from pathlib import Path
from typing import Any

import pytest

from voicebench.errors import MissingExtraError, UserError
from voicebench.tasks.review import workbook
from voicebench.tasks.review.sheet import Field, Sheet
from voicebench.tasks.review.submission import read_submissions
from voicebench.tasks.review.workbook import ALIAS_CELL, HEADER, ITEMS, NATIVE_CELL, write_workbook
from voicebench.tasks.review.workbook_reading import read_workbook

from .helpers import SCRIPTS

openpyxl = pytest.importorskip("openpyxl")
HOSTILE = [
    "=1+1",
    "+91 98",
    "-5",
    "@SUM(A1)",
    "=cmd|'/c calc'!A1",
    "'quoted",
    "#N/A",
    "TRUE",
    "\ttab",
    "{=1}",
]


def sheet_of(text: str, id_: str = "single-ta-0001", lang: str = "ta") -> Sheet:
    fields = (
        Field("turns.0", "turn", "User", text, source=text),
        Field("calls.0.pickup", "values", "pickup", text, help=text, call=0),
        Field("results.0", "result", "returns", text, fixed=True, call=0),
    )
    return Sheet(id_, "single", lang, "ab12", "machine", ("set in IN",), "", (text,), (("f", text),), fields)


def fill(path: Path, **cells: Any) -> None:
    """Write into cells by their names, as a reviewer does."""
    book = openpyxl.load_workbook(path)
    for name, value in {ALIAS_CELL: "neem", NATIVE_CELL: "yes", **cells}.items():
        cell = book[ITEMS][name]
        cell.value = value
        if isinstance(value, str) and not value.startswith("=FORMULA"):
            cell.data_type = "s"
    book.save(path)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "review-ta.xlsx"
    write_workbook(found, [sheet_of("ஆட்டோ"), sheet_of("கார்", "single-ta-0002")], "Tamil")
    return found


@pytest.mark.parametrize("text", [*SCRIPTS.values(), *HOSTILE], ids=[*SCRIPTS, *HOSTILE])
def test_every_script_and_every_beginning_of_a_formula_comes_back_as_it_was(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "a.xlsx"
    write_workbook(path, [sheet_of(text)], "Tamil")
    page = openpyxl.load_workbook(path)[ITEMS]
    turn = [page.cell(HEADER + 2, column) for column in (3, 4)]
    assert [(cell.value, cell.data_type, cell.number_format) for cell in turn] == [(text, "s", "@")] * 2
    fill(path, E5=text, F6=text, G4="change", H4=text)
    (item,) = read_workbook(path).items
    assert item.corrected == {"turns.0": text} and item.added == {"calls.0.pickup": text}
    assert (item.verdict, item.notes) == ("change", text.strip())


def test_no_cell_of_a_workbook_is_a_formula(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    write_workbook(path, [sheet_of(text, id_=text) for text in HOSTILE], "=1+1")
    book = openpyxl.load_workbook(path)
    assert {cell.data_type for page in book for row in page.iter_rows() for cell in row}.isdisjoint("fe")
    assert {
        cell.value for page in book for row in page.iter_rows() for cell in row if cell.data_type == "n"
    } == {None}


def test_a_control_character_is_shown_as_a_replacement(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    write_workbook(path, [sheet_of("a\x07b")], "Tamil")
    assert openpyxl.load_workbook(path)[ITEMS]["D5"].value == "a\N{REPLACEMENT CHARACTER}b"


def test_the_header_stays_in_view_text_wraps_and_verdicts_are_chosen(path: Path) -> None:
    page = openpyxl.load_workbook(path)[ITEMS]
    assert page.freeze_panes == "C4"
    assert page["D5"].alignment.wrap_text
    lists = {str(rule.sqref): rule.formula1 for rule in page.data_validations.dataValidation}
    assert lists == {"G4:G11": '"ok,change,drop,unsure"', NATIVE_CELL: '"yes,no"'}
    assert page.column_dimensions["J"].hidden


def test_an_untouched_workbook_says_nothing_of_any_item(path: Path) -> None:
    fill(path)
    found = read_workbook(path)
    assert (found.lang, found.alias, found.native) == ("ta", "neem", True)
    assert [(item.id, item.seen, item.is_open) for item in found.items] == [
        ("single-ta-0001", "ab12", True), ("single-ta-0002", "ab12", True),
    ]  # fmt: skip


def test_a_reviewer_who_does_not_say_is_not_taken_for_a_native_speaker(path: Path) -> None:
    fill(path, **{NATIVE_CELL: None})
    assert read_workbook(path).native is None


def test_rows_may_be_sorted_otherwise(path: Path) -> None:
    book = openpyxl.load_workbook(path)
    page = book[ITEMS]
    contents = [[cell.value for cell in row] for row in page.iter_rows(min_row=4, max_col=10)]
    for number, values in enumerate(reversed(contents), start=4):
        for column, value in enumerate(values, start=1):
            page.cell(number, column).value = value
    page["E6"].value = "புதிய"
    book.save(path)
    fill(path)
    assert [item.corrected for item in read_workbook(path).items] == [{"turns.0": "புதிய"}, {}]


@pytest.mark.parametrize(("value", "said"), [(2, "2"), (2.0, "2"), (2.5, "2.5"), (True, "true")])
def test_what_a_program_took_for_a_number_is_text_again(path: Path, value: Any, said: str) -> None:
    fill(path, F6=value)
    assert read_workbook(path).items[0].added == {"calls.0.pickup": said}


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"E5": "=FORMULA(1)"}, r":5: cell E5 holds a formula"),
        ({"G4": "perfect"}, r":4: verdict 'perfect' is unknown\. Known: change, drop, ok, unsure"),
        ({"G4": "ok", "G5": "drop"}, r":4: single-ta-0001 has 2 verdicts: drop, ok"),
        ({"E4": "கார்"}, r":4: this row takes a verdict and notes"),
        ({"J5": "cd34"}, r":4: the rows of single-ta-0001 come from different workbooks"),
        ({ALIAS_CELL: " "}, r"names no reviewer"),
        ({NATIVE_CELL: "maybe"}, rf"cell {NATIVE_CELL} says 'maybe'"),
        ({"D3": "Word"}, r"row 3 of the sheet 'Items' does not hold the columns"),
    ],
)
def test_a_mistake_names_its_row(path: Path, cells: dict[str, Any], message: str) -> None:
    fill(path, **cells)
    with pytest.raises(UserError, match=message):
        read_workbook(path)


def test_a_date_is_no_text(path: Path) -> None:
    from datetime import date

    fill(path, E5=date(2026, 11, 30))
    with pytest.raises(UserError, match="E5 holds a date or a time"):
        read_workbook(path)


def test_a_file_that_is_no_workbook_is_the_users_mistake(tmp_path: Path) -> None:
    (tmp_path / "a.xlsx").write_bytes(b"PK\x03\x04 not really")
    with pytest.raises(UserError, match=r"a\.xlsx: cannot be read as a workbook"):
        read_submissions([tmp_path / "a.xlsx"])
    with pytest.raises(UserError, match=r"b\.xlsx: no such file"):
        read_submissions([tmp_path / "b.xlsx"])


def test_a_workbook_that_unpacks_to_too_much_is_not_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voicebench.tasks.review.workbook_reading._MOST_BYTES", 1000)
    with pytest.raises(UserError, match="unpacks to more than"):
        read_workbook(path)


def test_without_openpyxl_the_install_line_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    with pytest.raises(MissingExtraError, match=r"openpyxl is not installed.*\[tasks\]"):
        workbook.write_workbook(tmp_path / "a.xlsx", [], "Tamil")
