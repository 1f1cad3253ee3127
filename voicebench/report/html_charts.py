"""The page's charts: from reading to hearing, and latency; numbers stand beside every drawing."""

from collections.abc import Iterator, Sequence

from voicebench.report.charts import axis, chain, legend_mark, quantile_key, span, ticks
from voicebench.report.html_parts import cells, folded, heads, plain_table, section
from voicebench.report.labels import (
    MOMENT_LABELS,
    NONE,
    count,
    interval,
    language_label,
    number,
    signed,
    unique,
)
from voicebench.report.markup import Html, tag
from voicebench.report.shape import Gap, Latency, Summary

QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
QUANTILES = ("p50", "p90", "p99")


def reading_and_hearing(summary: Summary) -> Html | None:
    """Return the section on what each condition costs, task by task; None where there are no pairs."""
    if not summary.gaps:
        return None
    conditions = unique(point.condition for gap in summary.gaps for point in gap.points)
    legend = [tag("span", legend_mark(condition), tag("bdi", condition)) for condition in conditions]
    charts = []
    for agent in unique(gap.agent for gap in summary.gaps):
        rows = list(_gap_rows([gap for gap in summary.gaps if gap.agent == agent]))
        charts.append(tag("h3", tag("bdi", agent)))
        charts.append(tag("div", rows, _axis_row(axis(QUARTERS, 0, 1)), class_="chart gaps"))
    return section(
        "gap",
        "From reading to hearing",
        tag("p", legend, class_="legend"),
        *charts,
        folded("Every step in numbers", _steps(summary)),
        lede="The same tasks, read and heard: a row holds only tasks that are scored under all its "
        "conditions, so its steps add up. The number is last minus first, with its 95\u00a0% interval.",
    )


def latency(summary: Summary) -> Html | None:
    """Return the section of latency quantiles; None where no moments are known."""
    rows = summary.latency
    if not rows:
        return None
    low = min(0.0, *(row.p50_s for row in rows))
    high = max(row.p99_s for row in rows)
    if high <= low:
        high = low + 1.0
    key = (
        "half of the answers by the disc (p50), nine of ten by the end of the thick line (p90), "
        "99 of 100 by the end of the thin one (p99)"
    )
    charts = []
    for agent in unique(row.agent for row in rows):
        own = [row for row in rows if row.agent == agent]
        charts.append(tag("h3", tag("bdi", agent)))
        charts.append(tag("div", list(_latency_rows(own, low, high)), class_="chart latencies"))
    return section(
        "latency",
        "Latency",
        tag("p", tag("span", quantile_key(), key), class_="legend"),
        *charts,
        lede="Seconds after the user stopped speaking (what is read: after it was handed over). "
        "With fewer than 100 answers p99 is little more than the slowest one.",
    )


def _gap_rows(own: Sequence[Gap]) -> Iterator[Html]:
    """Yield an agent's rows; where it has several chains, each stands under its conditions."""
    chains = unique(tuple(point.condition for point in gap.points) for gap in own)
    for conditions in chains:
        if len(chains) > 1:
            names = [tag("span", legend_mark(c), tag("bdi", c), class_="link-name") for c in conditions]
            yield tag("div", tag("h4", names), class_="row head")
        for gap in own:
            if tuple(point.condition for point in gap.points) == conditions:
                yield _gap_row(gap)


def _gap_row(gap: Gap) -> Html:
    step = gap.whole
    bounded = step.low is not None and step.high is not None
    clear = bounded and not (step.low or 0) <= 0 <= (step.high or 0)
    return tag(
        "div",
        tag("span", language_label(gap.lang), tag("small", count(gap.n_pairs, "task")), class_="name"),
        chain(gap.points),
        tag(
            "span",
            tag("strong" if clear else "span", signed(step.difference)),
            tag("small", interval(step.low, step.high) or "no interval"),
            class_="reading",
        ),
        class_="row",
    )


def _steps(summary: Summary) -> Html:
    rows = [
        cells(
            [gap.agent, language_label(gap.lang), step.start, step.end],
            [signed(step.difference), interval(step.low, step.high) or NONE, f"{gap.n_pairs:,}"],
        )
        for gap in summary.gaps
        for step in gap.steps
    ]
    head = heads(["Agent", "Language", "From", "To"], ["Difference", "95\u00a0%", "Tasks"])
    return plain_table(head, rows, "Steps between conditions")


def _latency_rows(own: Sequence[Latency], low: float, high: float) -> Iterator[Html]:
    marks = ticks(low, high)
    columns = tag("span", [tag("span", q) for q in QUANTILES], class_="reading quantiles")
    for condition in unique(row.condition for row in own):
        moments = [row for row in own if row.condition == condition]
        most = max(row.n for row in moments)
        name = tag("h4", legend_mark(condition), tag("bdi", condition), tag("small", count(most, "answer")))
        yield tag("div", name, columns, class_="row head")
        for row in moments:
            fewer = tag("small", f"{row.n:,}") if row.n < most else None
            numbers = [tag("span", number(value)) for value in (row.p50_s, row.p90_s, row.p99_s)]
            yield tag(
                "div",
                tag("span", MOMENT_LABELS[row.moment], fewer, class_="name"),
                span(row, low, high, marks),
                tag("span", numbers, class_="reading quantiles"),
                class_="row",
            )
    yield _axis_row(axis(marks, low, high, "\u00a0s"))


def _axis_row(scale: Html) -> Html:
    return tag("div", tag("span", class_="name"), scale, tag("span"), class_="row axis-row")
