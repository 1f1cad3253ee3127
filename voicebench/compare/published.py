"""Read published pass^k tables (CSV, JSON, JSON Lines) and check each row."""

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voicebench.errors import UserError, did_you_mean
from voicebench.files import read_lines
from voicebench.report.labels import count, one_line
from voicebench.scoring.table_check import (
    PublishedRow,
    RowVerdict,
    check_row,
    printed,
    printed_ratio,
    repeated,
)
from voicebench.types import Row

FORMAT = "voicebench-table-check/1"
"""The key `format` of the JSON; changes when its keys do."""

Record = Mapping[str, str]
"""A row's cells by column name, as text."""

_PASS = re.compile(r"(?:p|pass|pass_hat)[_^ ]?(\d+)|(?:p|pass)@(1)", re.ASCII)
_RHO = re.compile(r"(?:rho|rho_hat|ρ)[_^ ]?\d*", re.ASCII)
_N_TASKS = ("n_tasks", "tasks", "total_tasks", "N")
_TRIALS = ("trials", "n_trials", "num_trials")
_BLANK = ("", "-", "–", "—", "null", "n/a")
_LONGEST_LABEL_WORD = 40
_MOST_LABEL_WORDS = 4


@dataclass(frozen=True)
class Reading:
    """How to read a table.

    Attributes:
        n_tasks: N where no column says it.
        trials: n where no column says it; None: the greatest k that is printed.
        digits: Decimals the numbers were rounded to, where trailing zeros were dropped; None: as printed.
        where: Only rows whose columns have these values.
    """

    n_tasks: int | None = None
    trials: int | None = None
    digits: int | None = None
    where: Mapping[str, str] | None = None


class CheckedRow(Row):
    """One row of a table and what became of it.

    Attributes:
        place: Where it stands ("table.csv:7").
        label: What names it.
        printed: Its numbers as printed, by column (p1, p2, …, rho).
        n_tasks: N.
        trials: n.
        possible: Whether some outcome fits; None where the search was given up.
        problems: Why not.
        suspects: The values that alone can be to blame.
        lost: The fewest lost trials that would explain it, or None.
        counts: One outcome that fits: how many tasks succeeded 0, 1, … n times.
        notes: What else is odd ("the same numbers as …").
    """

    place: str
    label: str
    printed: dict[str, str]
    n_tasks: int
    trials: int
    possible: bool | None
    problems: tuple[str, ...] = ()
    suspects: tuple[str, ...] = ()
    lost: int | None = None
    counts: tuple[int, ...] | None = None
    notes: tuple[str, ...] = ()

    def accepted(self, lost: int = 0) -> bool:
        """Whether it is possible, or would be with at most `lost` lost trials."""
        return self.possible is not False or (self.lost is not None and self.lost <= lost)


class CheckedTable(Row):
    """A table, row by row."""

    format: str = FORMAT
    source: str
    rows: tuple[CheckedRow, ...]


def check_table(path: Path, reading: Reading) -> CheckedTable:
    """Read a published table and check its rows.

    Columns are p1, p2, … (also pass^1, pass_hat_1), n_tasks, trials, rho and label; all others name the row.

    Raises:
        UserError: The file cannot be read, a column is missing, or a cell is no number.
    """
    chosen = [
        (place, record) for place, record in read_records(path)
        if all(_cell(record, column, place) == value for column, value in (reading.where or {}).items())
    ]  # fmt: skip
    if not chosen:
        raise UserError(f"{path}: no row to check" + (" with these --where values" if reading.where else ""))
    return CheckedTable(source=str(path), rows=check_records(chosen, reading))


def check_records(records: Sequence[tuple[str, Record]], reading: Reading) -> tuple[CheckedRow, ...]:
    """Check rows that are read already, each with its place; `reading.where` chooses none.

    Raises:
        UserError: A column is missing, or a cell is no number.
    """
    rows = [_row(place, record, reading) for place, record in records]
    verdicts = [_checked(place, row) for (place, _), row in zip(records, rows, strict=True)]
    notes: dict[int, tuple[str, ...]] = {}
    for earlier, later in repeated(rows):
        notes[later] = (f"the same numbers as {rows[earlier].label} ({records[earlier][0]})",)
    return tuple(
        _shown(place, row, verdict, notes.get(index, ()))
        for index, ((place, _), row, verdict) in enumerate(zip(records, rows, verdicts, strict=True))
    )


def has_passes(columns: Iterable[str]) -> bool:
    """Tell whether one of some columns holds a pass^k."""
    return any(_PASS.fullmatch(name.strip().lower()) for name in columns)


def explanation(row: CheckedRow) -> str:
    """Return what is wrong with a row as one line, with what would explain it; "" where nothing is."""
    said = list(row.problems)
    if len(row.suspects) == 1 and len(row.printed) > 1:
        said.append(f"all but {row.suspects[0]} fit together")
    if row.lost is not None:
        lost = count(row.lost, "lost trial")
        said.append(f"it fits with {lost}, if each pass^k is over the tasks with at least k trials")
    if row.possible is None:
        said.append("undecided: too many outcomes to try")
    return "; ".join((*said, *row.notes))


def read_records(path: Path) -> list[tuple[str, Record]]:
    """Return the rows of a table with their places; numbers keep the digits that are printed.

    Raises:
        UserError: The file cannot be read, or is no table.
    """
    text = "".join(line for _, line in read_lines(path))
    start = text.lstrip()[:1]
    if start == "[" or (start == "{" and path.suffix.lower() == ".json"):
        data = _json(text, str(path))
        rows = data if isinstance(data, list) else [data]
        return [(f"{path}, row {n}", _texts(row, f"{path}, row {n}")) for n, row in enumerate(rows, start=1)]
    if start == "{":
        lines = list(read_lines(path))
        return [(f"{path}:{n}", _texts(_json(line, f"{path}:{n}"), f"{path}:{n}")) for n, line in lines]
    return _csv_records(path, text)


def _csv_records(path: Path, text: str) -> list[tuple[str, Record]]:
    dialect = csv.excel_tab if "\t" in text.partition("\n")[0] else csv.excel
    table = csv.reader(io.StringIO(text), dialect)
    header = next(table, None)
    if header is None:
        raise UserError(f"{path}: empty. It needs a first line with columns such as p1,p2,p3,n_tasks,trials")
    found: list[tuple[str, Record]] = []
    for cells in table:
        where = f"{path}:{table.line_num}"
        if len(cells) != len(header):
            raise UserError(f"{where}: {count(len(cells), 'cell')} under {count(len(header), 'column')}")
        found.append((where, {name.strip(): cell for name, cell in zip(header, cells, strict=True)}))
    return found


def _json(text: str, where: str) -> Any:
    try:
        return json.loads(text, parse_float=str, parse_int=str)
    except (ValueError, RecursionError) as error:
        raise UserError(f"{where}: not JSON ({error})") from None


def _texts(row: Any, where: str) -> Record:
    if not isinstance(row, dict):
        raise UserError(f"{where}: a row must be an object of columns, not {type(row).__name__}")
    return {name: "" if value is None else str(value) for name, value in row.items()}


def _row(place: str, record: Record, reading: Reading) -> PublishedRow:
    passes: dict[int, str] = {}
    for name, cell in record.items():
        found = _PASS.fullmatch(name.strip().lower())
        if found and not _blank(cell):
            passes[int(found[1] or found[2])] = cell
    if not passes:
        named = [name for name in record if not _known(name)]
        raise UserError(f"{place}: no number in a column p1, p2, … (or pass^1, pass_hat_1, …)."
                        f"{did_you_mean('pass_1', named)}")  # fmt: skip
    rhos = [
        cell for name, cell in record.items() if _RHO.fullmatch(name.strip().lower()) and not _blank(cell)
    ]
    n_tasks = _whole(place, record, _N_TASKS, reading.n_tasks, "--n-tasks N")
    trials = _whole(place, record, _TRIALS, reading.trials or max(passes), "--trials N")
    if max(passes) > trials or 0 in passes:
        wrong = 0 if 0 in passes else max(passes)
        raise UserError(f"{place}: p{wrong} stands beside {trials} trials; k goes from 1 to the trials")
    try:
        values = {k: printed(cell, reading.digits) for k, cell in sorted(passes.items())}
        rho = printed_ratio(rhos[0], reading.digits) if rhos else None
    except ValueError as error:
        raise UserError(f"{place}: {error}") from None
    return PublishedRow(_label(place, record), values, n_tasks, trials, rho)


def _whole(place: str, record: Record, columns: Sequence[str], otherwise: int | None, option: str) -> int:
    cell = next((record[name] for name in record if _named(name, columns)), "")
    if _blank(cell):
        if otherwise is None:
            others = [name for name in record if not _known(name)]
            raise UserError(
                f"{place}: no column {columns[0]!r}, and no {option}.{did_you_mean(columns[0], others)}"
            )
        return otherwise
    text = cell.strip().removesuffix(".0")
    if not text.isdecimal() or not text.isascii() or int(text) < 1:
        raise UserError(f"{place}: {columns[0]} must be a whole number from 1, not {cell!r}")
    return int(text)


def _label(place: str, record: Record) -> str:
    if not _blank(record.get("label", "")):
        return one_line(record["label"], 120)
    words = [one_line(cell, 120) for name, cell in record.items() if not _known(name) and not _blank(cell)]
    short = [word for word in words if len(word) <= _LONGEST_LABEL_WORD]
    return " · ".join(short[:_MOST_LABEL_WORDS]) or place


def _cell(record: Record, column: str, place: str) -> str:
    if column not in record:
        raise UserError(f"{place}: no column {column!r}.{did_you_mean(column, record)}")
    return record[column].strip()


def _known(column: str) -> bool:
    name = column.strip().lower()
    return bool(_PASS.fullmatch(name) or _RHO.fullmatch(name)) or _named(column, (*_N_TASKS, *_TRIALS))


def _named(column: str, names: Sequence[str]) -> bool:
    """Tell whether a column has one of some names; N is written large, for n is what others call trials."""
    return column.strip() in names or column.strip().lower() in names


def _blank(cell: str) -> bool:
    return cell.strip().lower() in _BLANK


def _checked(place: str, row: PublishedRow) -> RowVerdict:
    try:
        return check_row(row)
    except ValueError as error:
        raise UserError(f"{place}: {error}") from None


def _shown(place: str, row: PublishedRow, verdict: RowVerdict, notes: tuple[str, ...]) -> CheckedRow:
    texts = {f"p{k}": value.text for k, value in row.passes.items()}
    return CheckedRow(
        place=place,
        label=row.label,
        printed=texts | ({"rho": row.rho.text} if row.rho else {}),
        n_tasks=row.n_tasks,
        trials=row.trials,
        possible=verdict.possible,
        problems=verdict.problems,
        suspects=verdict.suspects,
        lost=verdict.lost,
        counts=verdict.counts,
        notes=notes,
    )
