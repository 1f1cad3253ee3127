"""Published pass^k tables of τ²-bench's domains: each row checked, each ρ beside what it is made of."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from voicebench.compare.published import CheckedRow, Reading, Record, check_records, has_passes, read_records
from voicebench.files import read_lines
from voicebench.tau2.correlations import correlations, figures_of
from voicebench.tau2.shape import Table

DOMAIN_TASKS: Mapping[str, int] = {"airline": 50, "retail": 114, "telecom": 114}
"""Tasks of each domain's base split: what a table means that does not say how many there were."""

_ROUNDED_TO = 3
_COUNT = ("n_tasks", "tasks", "total_tasks", "N")


def is_table(path: Path, data: Any = None) -> bool:
    """Tell whether a file holds rows with a pass^k, from its first row.

    Args:
        path: CSV, JSON or JSON Lines.
        data: The JSON value of a .json file.

    Raises:
        UserError: It cannot be read.
    """
    if path.suffix.lower() == ".json":
        first = data[0] if isinstance(data, list) and data else None
    else:
        line = next((text for _, text in read_lines(path)), "")
        first = _object(line) if line.lstrip().startswith("{") else dict.fromkeys(re.split(r"[,\t]", line))
    return isinstance(first, dict) and has_passes(first)


def _object(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def read_table(path: Path, *, digits: int | None = None) -> Table:
    """Read a published table and check it.

    A row that does not say how many tasks there were and names a domain of τ²-bench has those of its base
    split. SEATauBench's own CSV is rounded to three decimals and leaves out trailing zeros.

    Args:
        path: CSV, JSON or JSON Lines.
        digits: Decimals that the numbers were rounded to; None: as printed.

    Raises:
        UserError: The file cannot be read, or a row has no number of tasks.
    """
    places, records = zip(*read_records(path), strict=True)
    if digits is None and "pass_hat_1" in records[0]:
        digits = _ROUNDED_TO
    told = [(place, _with_tasks(record)) for place, record in zip(places, records, strict=True)]
    rows = check_records(told, Reading(digits=digits))
    away = {row.label: distance for row in rows if (distance := _from_ratio(row)) is not None}
    farthest = max(away, key=lambda label: away[label], default=None)
    return Table(
        source=str(path),
        rows=rows,
        n_rho=len([row for row in rows if "rho" in row.printed]),
        n_rho_fitting=len([row for row in rows if "rho" in row.printed and not _rho_is_wrong(row)]),
        rho_farthest=away[farthest] if farthest is not None else None,
        rho_farthest_label=farthest,
        correlations=correlations(records, rows),
        records=tuple(dict(record) for record in records),
    )


def _with_tasks(record: Record) -> Record:
    tasks = DOMAIN_TASKS.get(record.get("domain", "").strip().lower())
    if tasks is None or any(record.get(name, "").strip() for name in _COUNT):
        return record
    return {**record, "n_tasks": str(tasks)}


def _rho_is_wrong(row: CheckedRow) -> bool:
    return any(problem.startswith("rho ") for problem in row.problems)


def _from_ratio(row: CheckedRow) -> float | None:
    """Return how far a printed ρ is from pass^k ÷ pass^1 as they are printed."""
    figures = figures_of(row)
    if "rho" not in figures or not figures.get("p1"):
        return None
    top = max((name for name in figures if name != "rho"), key=lambda name: int(name[1:]))
    return abs(figures["rho"] - figures[top] / figures["p1"])
