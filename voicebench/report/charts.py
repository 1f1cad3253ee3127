"""The drawings: inline SVG whose x is in percent, so that it grows with its place and text stays HTML."""

import math
from collections.abc import Sequence
from itertools import pairwise

from voicebench.report.labels import NONE, interval, number
from voicebench.report.markup import Child, Html, join, tag
from voicebench.report.shape import GapPoint, Latency

PAD = 2.0
"""Percent of the width kept free on both sides, so that marks at the ends are whole."""


def place(value: float, low: float, high: float) -> str:
    """Return where a value stands on a scale from `low` to `high`, as an SVG percentage."""
    share = (min(max(value, low), high) - low) / (high - low) if high > low else 0.0
    return f"{PAD + (100 - 2 * PAD) * share:.2f}%"


def ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Return at most `most` + 1 round numbers (1, 2 or 5 times a power of ten apart) within the scale."""
    if high <= low:
        return [low]
    step = 10 ** math.floor(math.log10((high - low) / most))
    step = next(step * factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= most)
    first = math.ceil(low / step - 1e-9)
    return [round(i * step, 10) for i in range(first, math.floor(high / step + 1e-9) + 1)]


def bar(mean: float, low: float | None, high: float | None) -> Html:
    """Return a figure from 0 to 1 as a bar, with its interval as a whisker where there is one."""
    whisker = None
    if low is not None and high is not None:
        start, end = (f"{100 * x:.2f}%" for x in (low, high))
        whisker = [
            tag("line", class_="whisker", x1=start, x2=end, y1=5, y2=5),
            tag("line", class_="whisker", x1=start, x2=start, y1=2, y2=8),
            tag("line", class_="whisker", x1=end, x2=end, y1=2, y2=8),
        ]
    return _svg(
        "bar",
        tag("line", class_="track", x1=0, x2="100%", y1=5, y2=5),
        tag("line", class_="fill", x1=0, x2=f"{100 * min(max(mean, 0), 1):.2f}%", y1=5, y2=5),
        whisker,
        height=10,
    )


def stack(shares: Sequence[tuple[str, float]]) -> Html:
    """Return shares of a whole side by side, each in the colour of its class; what is left stays empty."""
    start, pieces = 0.0, []
    for class_, share in shares:
        if share > 0:
            width = f"{100 * share:.2f}%"
            pieces.append(tag("rect", class_=class_, x=f"{100 * start:.2f}%", y=0, width=width, height=16))
        start += share
    return _svg("stack", *pieces, height=16)


def swatch(class_: str) -> Html:
    """Return the colour of a class of `stack` to stand beside its name."""
    square = tag("rect", class_=class_, x=0, y=0, width=12, height=12)
    return tag("svg", square, class_="key swatch", width=12, height=12, aria_hidden="true")


def grid(marks: Sequence[float], low: float, high: float, height: int) -> Html:
    """Return the vertical lines behind a chart's row."""
    return join(*(tag("line", class_="grid", x1=x, x2=x, y1=0, y2=height)
                  for x in (place(mark, low, high) for mark in marks)))  # fmt: skip


def axis(marks: Sequence[float], low: float, high: float, unit: str = "") -> Html:
    """Return a chart's scale in numbers, to stand below its rows."""
    digits = next(d for d in (0, 1, 2) if d == 2 or all(round(mark, d) == mark for mark in marks))
    numbers = [
        tag("span", f"{number(mark, digits)}{unit}", style=f"left:{place(mark, low, high)}") for mark in marks
    ]
    return tag("div", numbers, class_="axis", aria_hidden="true")


def chain(points: Sequence[GapPoint]) -> Html:
    """Return a chain of conditions on a scale from 0 to 1: a mark each, joined by a line.

    Text is a hollow circle, a transcript a diamond, speech a disc, speech with an effect a square.
    """
    height, y = 44, 22
    xs = [place(point.mean, 0, 1) for point in points]
    lines = [tag("line", class_="link", x1=a, x2=b, y1=y, y2=y) for a, b in pairwise(xs)]
    marks = [tag("svg", mark(point.condition), x=x, y=y, overflow="visible")
             for point, x in zip(points, xs, strict=True)]  # fmt: skip
    said = ", ".join(f"{p.condition} {number(p.mean)} [{interval(p.low, p.high) or NONE}]" for p in points)
    return _svg("chain", grid((0, 0.25, 0.5, 0.75, 1), 0, 1, height), lines, marks, height=height, label=said)


def mark(condition: str) -> Html:
    """Return the mark of a condition, centred on (0, 0)."""
    if condition == "text":
        return tag("circle", class_="mark hollow", r=5.5)
    if condition.startswith("transcript:"):
        return tag("path", class_="mark half", d="M0-7 7 0 0 7-7 0Z")
    if condition == "speech":
        return tag("circle", class_="mark solid", r=6)
    return tag("path", class_="mark solid", d="M-5-5H5V5H-5Z")


def legend_mark(condition: str) -> Html:
    """Return the mark of a condition to stand beside its name."""
    return tag("svg", tag("svg", mark(condition), x=9, y=9, overflow="visible"), class_="key", width=18,
               height=18, aria_hidden="true")  # fmt: skip


def span(row: Latency, low: float, high: float, marks: Sequence[float]) -> Html:
    """Return quantiles of a moment: a disc at p50, a thick line to p90, a thin one to p99."""
    height, y = 26, 13
    p50, p90, p99 = (place(value, low, high) for value in (row.p50_s, row.p90_s, row.p99_s))
    return _svg(
        "span",
        grid(marks, low, high, height),
        tag("line", class_="to-p99", x1=p90, x2=p99, y1=y, y2=y),
        tag("line", class_="to-p99", x1=p99, x2=p99, y1=y - 4, y2=y + 4),
        tag("line", class_="to-p90", x1=p50, x2=p90, y1=y, y2=y),
        tag("circle", class_="mark solid", cx=p50, cy=y, r=4.5),
        height=height,
    )


def quantile_key() -> Html:
    """Return a small drawing of what `span` draws, to stand beside its explanation."""
    return tag(
        "svg",
        tag("line", class_="to-p99", x1=30, x2=48, y1=9, y2=9),
        tag("line", class_="to-p99", x1=48, x2=48, y1=5, y2=13),
        tag("line", class_="to-p90", x1=6, x2=30, y1=9, y2=9),
        tag("circle", class_="mark solid", cx=6, cy=9, r=4.5),
        class_="key", width=54, height=18, aria_hidden="true",
    )  # fmt: skip


def _svg(class_: str, *children: Child, height: int, label: str | None = None) -> Html:
    hidden = {"aria_hidden": "true"} if label is None else {"role": "img", "aria_label": label}
    return tag("svg", *children, class_=class_, width="100%", height=height, **hidden)
