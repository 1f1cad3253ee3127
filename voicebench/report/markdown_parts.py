"""The pieces that report.md is made of: tables that line up, and text that cannot break out of them."""

import unicodedata
from collections.abc import Sequence

from voicebench.report.labels import NONE, one_line


def table(headers: Sequence[str], rows: Sequence[Sequence[str | None]], *, text_columns: int) -> str:
    """Return a Markdown table whose columns line up as plain text too.

    Args:
        headers: Column names.
        rows: Cells; None is a dash.
        text_columns: How many columns from the left hold words; the others are aligned to the right.
    """
    cells = [[escaped(c) for c in headers]]
    cells += [[NONE if c is None or c == "" else escaped(c) for c in row] for row in rows]
    widths = [max(3, *(width(row[i]) for row in cells)) for i in range(len(headers))]
    lines = [_row([_pad(c, w, i >= text_columns) for i, (c, w) in enumerate(zip(row, widths, strict=True))])
             for row in cells]  # fmt: skip
    rule = ["-" * w if i < text_columns else "-" * (w - 1) + ":" for i, w in enumerate(widths)]
    return "\n".join([lines[0], _row(rule), *lines[1:]])


def width(text: str) -> int:
    """Return how many columns of a terminal a text takes: wide letters two, marks that combine none."""
    return sum(
        0 if unicodedata.category(c) in ("Mn", "Me", "Cf")
        else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )  # fmt: skip


def escaped(text: str) -> str:
    """Return a text that stays in its table cell and brings no markup or terminal codes with it."""
    line = one_line(text, 300)
    for special in "\\|`*<[":
        line = line.replace(special, f"\\{special}")
    return line


def _pad(text: str, columns: int, right: bool) -> str:
    space = " " * (columns - width(text))
    return space + text if right else text + space


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
