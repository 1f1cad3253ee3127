"""Write the table of docs/conformance.md: how three other harnesses' rules do on the shipped cases.

    python tools/conformance.py

A test compares the page with what this makes.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from voicebench.conformance.rules import RULES, rule_scorer
from voicebench.conformance.run import Result, Tally, run
from voicebench.conformance.suite import read_cases, shipped_files
from voicebench.types import ConformanceRow

PAGE = Path(__file__).resolve().parent.parent / "docs" / "conformance.md"
BEGIN, END = "<!-- made by tools/conformance.py -->\n", "<!-- end -->\n"
# Text is read for the rules by our reader, and refusals are no matter of theirs.
LEFT_OUT = ("reading", "refusals")


def compared_cases() -> list[ConformanceRow]:
    """Return the cases that show what a rule makes of calls, those alone that want `parameters`."""
    files = [path for path in shipped_files() if path.stem not in LEFT_OUT]
    return [case for case in read_cases(files) if "parameters" in case.want]


def table() -> str:
    """Return the Markdown table: a row a kind, a column a rule."""
    cases = compared_cases()
    results = [run(rule_scorer(name), cases) for name in RULES]
    lines = [
        f"| kind | cases | {' | '.join(f'`{name}`' for name in RULES)} |",
        f"|---|---|{'---|' * len(RULES)}",
    ]
    return "\n".join([*lines, *_rows(results)]) + "\n"


def page() -> str:
    """Return docs/conformance.md with its table made anew."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


def _rows(results: Sequence[Result]) -> Iterator[str]:
    for tallies in zip(*([*result.by_kind(), result.total] for result in results), strict=True):
        first = tallies[0]
        yield f"| {first.kind} | {first.cases} | {' | '.join(_cell(tally) for tally in tallies)} |"


def _cell(tally: Tally) -> str:
    return f"{tally.passed} (cannot judge {tally.errors})" if tally.errors else str(tally.passed)


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
