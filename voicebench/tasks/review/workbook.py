"""The same sheet as a workbook: a block of rows an item, and text that stays text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from voicebench.errors import MissingExtraError
from voicebench.files import write_bytes
from voicebench.tasks.review.guide import guide
from voicebench.tasks.review.sheet import Field, Sheet
from voicebench.tasks.review.submission import VERDICTS

ITEMS = "Items"
GUIDE = "How to"
COLUMNS = (
    "Item", "What", "Source", "Text", "Correction", "Also right", "Verdict", "Notes", "Place", "Seen",
)  # fmt: skip
"""The columns; the last two say which text a row is about, and are hidden."""

_WIDTHS = (20, 26, 44, 44, 44, 30, 11, 36, 22, 20)
HEADER = 3
"""The row of the column names; above it stand the language and who reviews."""

ALIAS_CELL, NATIVE_CELL, LANG_CELL = "D2", "F2", "I1"
"""Where the reviewer's alias stands, whether the language is their first, and the language's code."""

ITEM = "item"
"""What the first row of an item says under `Place`."""
_MOST_ROW_POINTS = 240


def check_installed() -> None:
    """Say whether workbooks can be written and read.

    Raises:
        MissingExtraError: openpyxl is not installed; the message is the install line.
    """
    try:
        import openpyxl  # noqa: F401
    except ImportError:
        raise MissingExtraError("openpyxl", "tasks", "openpyxl") from None


def write_workbook(path: Path, sheets: Sequence[Sheet], language: str) -> None:
    """Write the workbook.

    Args:
        path: The file.
        sheets: The items, all of one language.
        language: The language's name, for people.

    Raises:
        MissingExtraError: openpyxl is not installed.
        UserError: The disk is full or the folder cannot be written.
    """
    check_installed()
    from openpyxl import Workbook
    from openpyxl.worksheet.datavalidation import DataValidation

    book = Workbook()
    page = book.active
    page.title = ITEMS
    _top(page, sheets, language)
    number = HEADER + 1
    for sheet in sheets:
        for row in _block(sheet):
            _write_row(page, number, row)
            number += 1
    last = max(number - 1, HEADER + 1)
    verdicts = DataValidation(
        "list", formula1=f'"{",".join(VERDICTS)}"', allow_blank=True, showErrorMessage=True
    )
    verdicts.error = f"One of: {', '.join(VERDICTS)}"
    verdicts.add(f"G{HEADER + 1}:G{last}")
    yes_or_no = DataValidation("list", formula1='"yes,no"', allow_blank=True, showErrorMessage=True)
    yes_or_no.add(NATIVE_CELL)
    page.add_data_validation(verdicts)
    page.add_data_validation(yes_or_no)
    page.freeze_panes = f"C{HEADER + 1}"
    page.auto_filter.ref = f"A{HEADER}:{chr(ord('A') + len(COLUMNS) - 1)}{last}"
    _guide(book.create_sheet(GUIDE), language)
    data = BytesIO()
    book.save(data)
    write_bytes(path, data.getvalue())


@dataclass(frozen=True)
class _Row:
    """One row: what its cells say, and whether one may write into it."""

    id: str
    what: str
    source: str
    text: str
    place: str
    seen: str
    writable: bool
    addable: bool
    is_head: bool = False


def _block(sheet: Sheet) -> Iterator[_Row]:
    about = [sheet.task, *sheet.facts]
    said = "\n".join(part for part in (" · ".join(about), sheet.outcome) if part)
    offered = f"the assistant has: {', '.join(sheet.offered)}" if sheet.offered else ""
    yield _Row(sheet.id, sheet.id, offered, said, ITEM, sheet.seen, False, False, is_head=True)
    for field in sheet.fields:
        yield _Row(
            sheet.id, _what(field, sheet), field.source, field.text, field.key, sheet.seen,
            not field.fixed, field.kind == "values" and not field.fixed,
        )  # fmt: skip


def _what(field: Field, sheet: Sheet) -> str:
    if field.call is None:
        return field.label
    name = sheet.calls[field.call][0]
    where = name if len(sheet.calls) == 1 else f"{field.call + 1}. {name}"
    label = f"words for {field.label}" if field.kind == "said" else field.label
    return f"{where}\n{label}" + (f"\n{field.help}" if field.help else "")


def _top(page: Any, sheets: Sequence[Sheet], language: str) -> None:
    from openpyxl.styles import Alignment, Font, PatternFill

    for number, width in enumerate(_WIDTHS):
        page.column_dimensions[chr(ord("A") + number)].width = width
    for letter in "IJ":
        page.column_dimensions[letter].hidden = True
    field = PatternFill("solid", fgColor="FFF6D6")
    _put(page["A1"], f"{language}: {len(sheets)} items to review").font = Font(bold=True, size=14)
    _put(page[LANG_CELL], sheets[0].lang if sheets else "")
    _put(page["A2"], "Who reviews? Fill in the two yellow cells.").font = Font(bold=True)
    _put(page["C2"], "Your alias (not your name):").alignment = Alignment(horizontal="right")
    _put(page[ALIAS_CELL], "").fill = field
    question = f"Is {language} your first language?"
    _put(page["E2"], question).alignment = Alignment(horizontal="right")
    _put(page[NATIVE_CELL], "").fill = field
    head = PatternFill("solid", fgColor="1F5673")
    for column, name in enumerate(COLUMNS, start=1):
        cell = _put(page.cell(HEADER, column), name)
        cell.font, cell.fill = Font(bold=True, color="FFFFFF"), head


def _write_row(page: Any, number: int, row: _Row) -> None:
    from openpyxl.styles import Alignment, Border, Font, PatternFill, Side

    cells = (row.id, row.what, row.source, row.text, "", "", "", "", row.place, row.seen)
    soft, rule = Font(color="595D63"), Side(style="thin", color="DFDBD2")
    top = Side(style="medium", color="8B8F94") if row.is_head else rule
    writable = {4: row.writable, 5: row.addable, 6: row.is_head, 7: row.is_head}
    for column, text in enumerate(cells):
        cell = _put(page.cell(number, column + 1), text)
        cell.alignment = Alignment(wrap_text=True, vertical="top")
        cell.border = Border(top=top)
        if row.is_head:
            cell.fill = PatternFill("solid", fgColor="EEEBE3")
        if writable.get(column):
            cell.fill = PatternFill("solid", fgColor="FFFDF3")
        if column in (0, 2):
            cell.font = soft
    page.cell(number, 2).font = Font(bold=row.is_head)
    page.row_dimensions[number].height = _height(cells)


def _height(cells: Sequence[str]) -> float:
    """Return a row's height in points: programs do not fit rows to wrapped text when they open a file."""
    lines = 1
    for text, width in zip(cells[:8], _WIDTHS[:8], strict=True):
        lines = max(lines, sum(1 + len(line) // width for line in text.split("\n")) if text else 1)
    return min(_MOST_ROW_POINTS, 18 * lines)


def _put(cell: Any, text: str) -> Any:
    """Write text that stays text, whatever it begins with."""
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    cell.value = ILLEGAL_CHARACTERS_RE.sub("\N{REPLACEMENT CHARACTER}", text)
    # openpyxl takes "=…" for a formula; the text format keeps programs from doing so when a cell is edited.
    cell.data_type = "s"
    cell.number_format = "@"
    return cell


def _guide(page: Any, language: str) -> None:
    from openpyxl.styles import Alignment, Font

    page.column_dimensions["A"].width, page.column_dimensions["B"].width = 18, 100
    for number, (name, said) in enumerate(guide(language, ITEMS), start=1):
        _put(page.cell(number, 1), name).font = Font(bold=True)
        _put(page.cell(number, 2), said).alignment = Alignment(wrap_text=True, vertical="top")
        page.cell(number, 1).alignment = Alignment(vertical="top")
        page.row_dimensions[number].height = 18 * (1 + len(said) // 95)
