"""A path → what it holds: result files of either kind and layout, published tables, or folders of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from voicebench.errors import UserError
from voicebench.tau2.old import is_old, read_old
from voicebench.tau2.paper_tables import is_table, read_table
from voicebench.tau2.results import RESULTS, is_results, is_results_folder, read_results
from voicebench.tau2.seatau import beside
from voicebench.tau2.shape import Report, Table
from voicebench.tau2.summary import summarize
from voicebench.tau2.trials import Planned, Results
from voicebench.tau2.wire import read_json

_KINDS = (".json", ".jsonl", ".csv")


@dataclass(frozen=True)
class Found:
    """What a path holds.

    Attributes:
        results: Result files.
        tables: Published tables.
        skipped: Files that are neither.
    """

    results: tuple[Results, ...] = ()
    tables: tuple[Table, ...] = ()
    skipped: tuple[str, ...] = ()

    def report(self) -> Report:
        """Return what it comes to."""
        return Report(
            results=tuple(summarize(one) for one in self.results),
            tables=self.tables,
            beside=beside(self.tables),
            skipped=self.skipped,
        )


def read(path: Path, planned: Planned | None = None, *, digits: int | None = None) -> Found:
    """Read a file, a run's folder, or every file in a folder and those inside it.

    Args:
        path: The file or folder.
        planned: What was planned, where a result file says too little.
        digits: Decimals that a table's numbers were rounded to, where trailing zeros were dropped.

    Raises:
        UserError: There is nothing to read, or a file is wrong.
    """
    wanted = planned or Planned()
    if path.is_dir():
        pieces = [_piece(file, wanted, digits) for file in _files(path)]
    elif path.is_file():
        pieces = [_piece(path, wanted, digits)]
    else:
        raise UserError(f"{path}: no such file or folder")
    found = Found(
        tuple(one for piece in pieces for one in piece.results),
        tuple(one for piece in pieces for one in piece.tables),
        tuple(one for piece in pieces for one in piece.skipped),
    )
    if not found.results and not found.tables:
        raise UserError(
            f"{path}: no results of tau-bench or tau2-bench here, and no table with a pass^k. "
            "See: voicebench tau2 read --help"
        )
    return found


def _files(folder: Path) -> Iterator[Path]:
    """Yield what may be read in a folder; of a run in a folder of its own its results.json alone.

    What is hidden is not looked at.
    """
    if is_results_folder(folder):
        yield folder / RESULTS
        return
    for path in sorted(folder.iterdir()):
        if path.name.startswith("."):
            continue
        if path.is_dir():
            yield from _files(path)
        elif path.suffix.lower() in _KINDS:
            yield path


def _piece(path: Path, planned: Planned, digits: int | None) -> Found:
    data = read_json(path) if path.suffix.lower() == ".json" else None
    if is_results(data):
        return Found(results=(read_results(path, data, planned),))
    if is_old(data):
        return Found(results=(read_old(str(path), data, planned),))
    if is_table(path, data):
        return Found(tables=(read_table(path, digits=digits),))
    return Found(skipped=(str(path),))
