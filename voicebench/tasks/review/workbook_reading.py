"""Read the workbook that a reviewer filled in: every cell as text, or an error that names it."""

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voicebench.errors import UserError
from voicebench.tasks.review.submission import Filled, Submission, checked, verdict_of
from voicebench.tasks.review.workbook import (
    ALIAS_CELL,
    COLUMNS,
    HEADER,
    ITEM,
    ITEMS,
    LANG_CELL,
    NATIVE_CELL,
    check_installed,
)

_MOST_BYTES = 200_000_000


def read_workbook(path: Path) -> Submission:
    """Read a workbook that a reviewer filled in.

    Raises:
        MissingExtraError: openpyxl is not installed.
        UserError: It is missing, is none of ours, or holds what cannot be read; the message names the row.
    """
    check_installed()
    page = _items_page(path)
    if tuple(_text(page.cell(HEADER, i + 1), path) for i in range(len(COLUMNS))) != COLUMNS:
        raise UserError(
            f"{path}: row {HEADER} of the sheet {ITEMS!r} does not hold the columns of a review workbook. "
            "Columns may be hidden or resized, not moved or renamed"
        )
    blocks: dict[str, list[_Line]] = {}
    for cells in page.iter_rows(min_row=HEADER + 1, max_col=len(COLUMNS)):
        line = _Line(f"{path}:{cells[0].row}", *(_text(cell, path) for cell in cells))
        if line.id.strip():
            blocks.setdefault(line.id.strip(), []).append(line)
    native = _text(page[NATIVE_CELL], path).strip().casefold()
    if native not in ("", "yes", "no"):
        raise UserError(f"{path}: cell {NATIVE_CELL} says {native!r}; it says yes or no")
    return checked(
        Submission(
            path=path,
            lang=_text(page[LANG_CELL], path).strip(),
            alias=_text(page[ALIAS_CELL], path).strip(),
            native={"": None, "yes": True, "no": False}[native],
            items=tuple(_filled(id_, lines) for id_, lines in blocks.items()),
        )
    )


@dataclass(frozen=True)
class _Line:
    """One row: where it is, and what its cells say, in the order of the columns."""

    where: str
    id: str
    what: str
    source: str
    text: str
    correction: str
    also_right: str
    verdict: str
    notes: str
    place: str
    seen: str


def _items_page(path: Path) -> Any:
    from openpyxl import load_workbook

    try:
        with zipfile.ZipFile(path) as parts:
            size_bytes = sum(part.file_size for part in parts.infolist())
        if size_bytes <= _MOST_BYTES:
            book = load_workbook(path)
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    # A file that is no workbook fails in openpyxl, and in the parsers below it, in many ways.
    except Exception as error:
        raise UserError(f"{path}: cannot be read as a workbook (.xlsx): {error}") from None
    if size_bytes > _MOST_BYTES:
        raise UserError(f"{path}: unpacks to more than {_MOST_BYTES // 1_000_000} MB and is not read")
    if ITEMS not in book.sheetnames:
        raise UserError(f"{path}: has no sheet {ITEMS!r}, so it is no review workbook")
    return book[ITEMS]


def _text(cell: Any, path: Path) -> str:
    """Return what a cell says, as text."""
    value, where = cell.value, f"{path}:{cell.row}: cell {cell.coordinate}"
    if cell.data_type == "f":
        raise UserError(f"{where} holds a formula. Format it as text and write the words")
    if cell.data_type == "e":
        raise UserError(f"{where} holds an error ({value})")
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, int | float | str):
        return str(value)
    raise UserError(f"{where} holds a date or a time. Format it as text and write it as it should stand")


def _filled(id_: str, lines: Sequence[_Line]) -> Filled:
    where = lines[0].where
    seen = {line.seen.strip() for line in lines}
    if len(seen) > 1:
        raise UserError(f"{where}: the rows of {id_} come from different workbooks")
    verdicts = {line.verdict.strip().casefold(): line.where for line in lines if line.verdict.strip()}
    if len(verdicts) > 1:
        raise UserError(f"{where}: {id_} has {len(verdicts)} verdicts: {', '.join(sorted(verdicts))}")
    for line in lines:
        if line.place.strip() == ITEM and (line.correction.strip() or line.also_right.strip()):
            raise UserError(f"{line.where}: this row takes a verdict and notes; a correction stands below it")
    said = next(iter(verdicts), None)
    return Filled(
        where=where,
        id=id_,
        seen=seen.pop(),
        verdict=verdict_of(said, verdicts.get(said or "", where)),
        corrected={line.place.strip(): line.correction for line in lines if line.correction.strip()},
        added={line.place.strip(): line.also_right for line in lines if line.also_right.strip()},
        notes="\n".join(line.notes.strip() for line in lines if line.notes.strip()),
    )
