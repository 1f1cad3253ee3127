"""SEATauBench's printed tables beside its repository's: where both give one experiment different numbers."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from voicebench.compare.published import CheckedRow, Record
from voicebench.report.labels import unique
from voicebench.tau2.correlations import figures_of
from voicebench.tau2.shape import Beside, Table

SCENARIO_OF_TABLE: Mapping[str, str] = {
    "9": "english",
    "10": "l2_interaction",
    "11": "l2_tools",
    "12": "l2_tools",
    "13": "l2_domain",
}
"""What each printed table is of, in the words of the repository's CSV."""
LANGUAGES: Mapping[str, str] = {
    "EN": "english",
    "VI": "vietnamese",
    "TH": "thai",
    "ID": "indonesian",
    "ZH": "chinese",
    "TL": "filipino",
}

CLOSE = 0.001 + 1e-9
"""One unit of the last printed place; numbers as far apart as that count as the same."""

Experiment = tuple[str, str, str, str]
"""Scenario, domain, family of the model, language."""


def beside(tables: Sequence[Table]) -> tuple[Beside, ...]:
    """Put each printed table beside each of the repository's; nothing where one of the two kinds is absent.

    Rows are matched by experiment. They are the same where no pass^k differs by more than one unit of the
    third decimal; ρ is not compared, for it follows from them.
    """
    printed = [table for table in tables if "table" in _columns(table)]
    own = [table for table in tables if "scenario" in _columns(table)]
    return tuple(found for one, other in product(printed, own) for found in _beside(one, other))


def _columns(table: Table) -> Iterable[str]:
    return table.records[0] if table.records else ()


def _beside(printed: Table, own: Table) -> Iterator[Beside]:
    theirs = {
        key: row for record, row in zip(own.records, own.rows, strict=True)
        if (key := _own_experiment(record)) is not None
    }  # fmt: skip
    ours = [
        (record["table"].strip(), row, theirs[key])
        for record, row in zip(printed.records, printed.rows, strict=True)
        if (key := _printed_experiment(record)) in theirs
    ]
    for name in unique(table for table, _, _ in ours):
        pairs = [(row, other) for table, row, other in ours if table == name]
        different = [_difference(row, other) for row, other in pairs if not _same(row, other)]
        yield Beside(
            printed=printed.source, own=own.source, table=name, n=len(pairs), different=tuple(different)
        )


def _printed_experiment(record: Record) -> Experiment:
    lang = record.get("lang", "").strip()
    mix = re.fullmatch(r"mix(\d)", lang)
    named = f"tool_mix_{mix[1]}" if mix else LANGUAGES.get(lang, lang)
    scenario = SCENARIO_OF_TABLE.get(record["table"].strip(), "")
    return scenario, record.get("domain", ""), _family(record.get("model", "")), named


def _own_experiment(record: Record) -> Experiment | None:
    model = _family(record.get("normalized_agent_llm", ""))
    lang = record.get("language_senario", "")
    return (record["scenario"], record.get("domain", ""), model, lang) if model and lang else None


def _family(model: str) -> str:
    """Return the first word of a model's name, in small letters: what both kinds of table have in common."""
    found = re.match(r"[a-z]+", model.strip().lower())
    return found[0] if found else ""


def _passes(row: CheckedRow) -> dict[str, float]:
    return {name: value for name, value in figures_of(row).items() if name != "rho"}


def _same(row: CheckedRow, other: CheckedRow) -> bool:
    one, two = _passes(row), _passes(other)
    return all(abs(one[name] - two[name]) <= CLOSE for name in one.keys() & two.keys())


def _difference(row: CheckedRow, other: CheckedRow) -> str:
    def numbers(of: CheckedRow) -> str:
        return " ".join(f"{value:.3f}" for value in _passes(of).values())

    return f"{row.label}: {numbers(row)}, there {numbers(other)}"
