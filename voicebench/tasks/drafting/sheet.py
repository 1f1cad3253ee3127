"""A table as people save it, as rows of text: CSV with any of the usual separators, or an Excel workbook."""

import csv
import io
import zipfile
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from voicebench.errors import MissingExtraError, UserError, first_line
from voicebench.tasks.drafting.documents import MOST_BYTES, read_bytes, read_text

MOST_ROWS = 100_000
"""Longer tables are not read."""

_SEPARATORS = (",", ";", "\t", "|")
_WORKBOOKS = (".xlsx", ".xlsm")
_UNSEEN = frozenset(map(chr, range(32))) - {"\t", "\n", "\r"}


def read_sheet(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield (row number from 1, cells) of each row that is not empty; cells without space around them.

    Rows are counted as a spreadsheet counts them: a cell of several lines does not add rows.

    Args:
        path: A CSV file (UTF-8, or UTF-16 with its mark; separated by commas, semicolons, tabs or bars), or a
            workbook, of which the first sheet is read.

    Raises:
        UserError: The file cannot be read, a row is broken, or a cell holds a formula.
        MissingExtraError: It is a workbook, and openpyxl is not installed.
    """
    rows = _workbook(path) if path.suffix.lower() in _WORKBOOKS else _csv(path)
    for number, row in rows:
        if number > MOST_ROWS:
            raise UserError(f"{path}: has more than {MOST_ROWS:,} rows; such a table is not read")
        cells = [cell.replace("\r\n", "\n").replace("\r", "\n").strip() for cell in row]
        for place, cell in enumerate(cells, start=1):
            if cell.startswith("="):
                raise UserError(f"{path}:{number}: cell {place} holds a formula; put its value there")
            if not _UNSEEN.isdisjoint(cell):
                raise UserError(f"{path}:{number}: cell {place} holds a control character")
        if any(cells):
            yield number, cells


def _csv(path: Path) -> Iterator[tuple[int, list[str]]]:
    text = read_text(path)
    if text.startswith("PK\x03\x04"):
        raise UserError(f"{path}: is no CSV but a workbook; name it .xlsx")
    header = next((line for line in text.splitlines() if line.strip()), "")
    separator = max(_SEPARATORS, key=header.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    number = 0
    try:
        for number, row in enumerate(reader, start=1):
            yield number, row
    except csv.Error as error:
        raise UserError(f"{path}:{number + 1}: not CSV ({error})") from None


def _workbook(path: Path) -> Iterator[tuple[int, list[str]]]:
    try:
        import openpyxl
    except ImportError:
        raise MissingExtraError("reading workbooks", "tasks", "openpyxl") from None
    data = read_bytes(path)
    try:
        unpacked = sum(entry.file_size for entry in zipfile.ZipFile(io.BytesIO(data)).infolist())
        if unpacked > MOST_BYTES:
            raise UserError(f"{path}: unpacks to {unpacked:,} bytes; at most {MOST_BYTES:,} are read")
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True)
        sheet = book.worksheets[0]
        rows: Iterator[Sequence[Any]] = sheet.iter_rows(values_only=True)
        for number, row in enumerate(rows, start=1):
            yield number, [_text(value) for value in row]
    except UserError:
        raise
    # openpyxl raises whatever its parsers do.
    except Exception as error:
        raise UserError(f"{path}: not a workbook that can be read ({first_line(error)})") from None


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime) and value.time() == time(0):
        return value.date().isoformat()
    return value.isoformat() if isinstance(value, date | time) else str(value)
