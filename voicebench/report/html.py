"""report.html: one page that opens offline, with its style, its script and its data inside."""

from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files

from voicebench.report.charts import axis, bar, chain, legend_mark, span, ticks
from voicebench.report.facts import facts
from voicebench.report.labels import (
    ERROR_LABELS,
    FIGURE_LABELS,
    FIGURE_MEANINGS,
    KIND_LABELS,
    MOMENT_LABELS,
    NONE,
    count,
    interval,
    kind_label,
    language_label,
    number,
    one_line,
    reasons,
    scored_of_planned,
    signed,
)
from voicebench.report.markup import Child, Html, join, tag
from voicebench.report.page_data import page_data, script_json
from voicebench.report.shape import RIGHT, Cell, Clip, Gap, Latency, Measure, Summary
from voicebench.report.table import figures, totals

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; media-src 'self' file: blob:"
"""The page may load nothing but the clips that lie beside it."""


def html(summary: Summary, link: Callable[[Clip], str]) -> str:
    """Return the whole of report.html.

    Args:
        summary: What to show.
        link: From a clip to its percent-encoded link, relative to the page.
    """
    names = " · ".join(one_line(run.name) for run in summary.runs) or "no run"
    sections = [section for section in _sections(summary) if section is not None]
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
        tag("title", f"{names} – voicebench"),
        tag("style", Html(_asset("style.css"))),
    )
    body = tag(
        "body",
        tag("a", "Skip to the scores", class_="skip", href="#main"),
        _header(summary, names),
        tag("main", *sections, id="main"),
        tag("footer", tag("p", _colophon(summary))),
        tag("script", Html(script_json(page_data(summary, link))), type="application/json", id="data"),
        tag("script", Html(_asset("items.js"))),
    )
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _asset(name: str) -> str:
    return (files("voicebench.report") / "page" / name).read_text(encoding="utf-8")


def _sections(summary: Summary) -> Iterator[Html | None]:
    yield _scores(summary)
    yield _heat(summary)
    yield _gaps(summary)
    yield _latency(summary)
    yield _faults(summary)
    yield _items(summary)
    yield _makings(summary)


def _section(id_: str, title: str, *children: Child, lede: Child = None) -> Html:
    return tag(
        "section",
        tag("h2", title, id=f"{id_}-title"),
        tag("p", lede, class_="lede") if lede else None,
        *children,
        id=id_,
        aria_labelledby=f"{id_}-title",
    )


def _header(summary: Summary, names: str) -> Html:
    covered = summary.coverage
    counts = [
        count(covered.n_tasks, "task"),
        count(len(summary.langs), "language"),
        count(len(summary.agents), "agent"),
        count(len(summary.conditions), "condition"),
    ]
    created = " · ".join(dict.fromkeys(run.created[:10] for run in summary.runs))
    links = [("scores", "Scores", True), ("heat", "Kinds", _has_heat(summary)),
             ("gap", "Reading and hearing", bool(summary.gaps)), ("latency", "Latency", bool(summary.latency)),
             ("faults", "Faults", bool(summary.errors or summary.clip_failures)),
             ("items", "Tasks", True), ("made", "What made this", True)]  # fmt: skip
    return tag(
        "header",
        tag("p", "voicebench", tag("span", names, class_="run"), tag("span", created), class_="kicker"),
        tag("h1", summary.finding),
        tag("p", ", ".join(counts), ". ", _coverage(summary), class_="lede"),
        tag("ul", (tag("li", note) for note in summary.notes), class_="notes") if summary.notes else None,
        tag("nav", (tag("a", text, href=f"#{id_}") for id_, text, there in links if there),
            aria_label="Sections"),
        class_="top",
    )  # fmt: skip


def _coverage(summary: Summary) -> str:
    covered = summary.coverage
    if covered.n_planned and covered.n_scored == covered.n_planned:
        return f"All {count(covered.n_planned, 'planned answer')} scored."
    return f"{covered.n_scored:,} of {count(covered.n_planned, 'planned answer')} scored."


def _scores(summary: Summary) -> Html:
    cells = totals(summary)
    if not cells:
        return _section("scores", "Scores", tag("p", "No answers were planned or found.", class_="empty"))
    columns = figures(summary)
    langs = list(dict.fromkeys(cell.lang for cell in cells))
    by_lang = [
        tag("details",
            tag("summary", "By language"),
            (join(tag("h3", language_label(lang)), _score_table(summary, cells, lang, columns))
             for lang in langs if lang is not None))
    ] if len(langs) > 1 else []  # fmt: skip
    every = tag("details", tag("summary", "Every kind, language and condition"),
                _every_cell(summary, columns)) if _has_heat(summary) else None  # fmt: skip
    return _section(
        "scores",
        "Scores",
        _score_table(summary, cells, None, columns),
        tag("details",
            tag("summary", "What the figures mean"),
            tag("dl", (join(tag("dt", FIGURE_LABELS[f]), tag("dd", FIGURE_MEANINGS[f]))
                       for f in (RIGHT, *columns)), class_="meanings")),
        by_lang,
        every,
        lede="Every task counts the same, whatever its kind or language. Whiskers are 95 % intervals. "
             f"A dash ({NONE}) is a figure that nothing was scored for; it is never 0.",
    )  # fmt: skip


def _score_table(summary: Summary, cells: Sequence[Cell], lang: str | None, columns: Sequence[str]) -> Html:
    head = tag("tr", tag("th", "Condition", scope="col"),
               (tag("th", FIGURE_LABELS[f], scope="col", class_="number", title=FIGURE_MEANINGS[f])
                for f in (RIGHT, *columns)),
               tag("th", "Scored", scope="col", class_="number"))  # fmt: skip
    bodies = []
    for agent in summary.agents:
        own = [cell for cell in cells if cell.agent == agent and cell.lang == lang]
        if not own:
            continue
        rows = [tag("tr", tag("th", tag("bdi", agent), colspan=len(columns) + 3, scope="rowgroup"), class_="agent")]
        rows += [_score_row(cell, columns) for cell in own]
        bodies.append(tag("tbody", rows))
    return _scroll(
        tag("table", tag("thead", head), bodies, class_="scores cards"),
        f"Scores, {language_label(lang).lower() if lang is None else language_label(lang)}",
    )


def _score_row(cell: Cell, columns: Sequence[str]) -> Html:
    right = cell.figures[RIGHT]
    lost = reasons(right.unscored)
    return tag(
        "tr",
        tag("th", legend_mark(cell.condition), tag("bdi", cell.condition), scope="row", class_="condition"),
        (_figure(cell.figures.get(f), FIGURE_LABELS[f], main=f == RIGHT) for f in (RIGHT, *columns)),
        tag("td",
            tag("span", scored_of_planned(right), class_="value"),
            tag("span", lost, class_="under lost") if lost else None,
            class_="number scored", data_label="Scored"),
    )  # fmt: skip


def _figure(measure: Measure | None, label: str, *, main: bool = False) -> Html:
    if measure is None:
        return tag("td", tag("span", NONE, class_="value none"), class_="number figure", data_label=label)
    within = interval(measure.low, measure.high)
    return tag(
        "td",
        tag("span", number(measure.mean), class_="value" if measure.mean is not None else "value none"),
        bar(measure),
        tag("span", within, class_="under" if main else "under only-read"),
        class_="number figure main" if main else "number figure",
        data_label=label,
    )


def _every_cell(summary: Summary, columns: Sequence[str]) -> Html:
    head = tag("tr", (tag("th", text, scope="col") for text in ("Kind", "Language", "Agent", "Condition")),
               (tag("th", FIGURE_LABELS[f], scope="col", class_="number") for f in (RIGHT, *columns)),
               (tag("th", text, scope="col", class_="number") for text in ("95 % of right", "Scored")))  # fmt: skip
    rows = []
    for cell in summary.cells:
        if cell.task is None or cell.lang is None:
            continue
        right = cell.figures[RIGHT]
        means = (cell.figures[f].mean if f in cell.figures else None for f in (RIGHT, *columns))
        rows.append(tag(
            "tr",
            (tag("td", text) for text in (kind_label(cell.task), language_label(cell.lang), cell.agent,
                                          cell.condition)),
            (tag("td", number(mean), class_="number") for mean in means),
            tag("td", interval(right.low, right.high) or NONE, class_="number"),
            tag("td", scored_of_planned(right), class_="number"),
        ))  # fmt: skip
    return _scroll(tag("table", tag("thead", head), tag("tbody", rows), class_="plain"), "Every cell")


def _has_heat(summary: Summary) -> bool:
    return len(summary.kinds) * len(summary.langs) > 1 and bool(summary.cells)


def _heat(summary: Summary) -> Html | None:
    if not _has_heat(summary):
        return None
    maps = []
    for agent in summary.agents:
        own = [c for c in summary.conditions if summary.cell(agent, c)]
        if own:
            maps.append(tag("h3", tag("bdi", agent)))
            maps.append(tag("div", (_heat_table(summary, agent, c) for c in own), class_="heats"))
    return _section(
        "heat", "By kind of task and language", *maps,
        lede="How often the answer was right, and in how many scored answers. Deeper is more often.",
    )  # fmt: skip


def _heat_table(summary: Summary, agent: str, condition: str) -> Html:
    kinds = [*summary.kinds, None] if len(summary.kinds) > 1 else list(summary.kinds)
    langs = [*summary.langs, None] if len(summary.langs) > 1 else list(summary.langs)
    head = tag("tr", tag("td", class_="corner"),
               (tag("th", "All" if k is None else KIND_LABELS[k].split()[0] if k != "retrieval" else "Retrieval",
                    scope="col", title=kind_label(k)) for k in kinds))  # fmt: skip
    rows = [
        tag("tr",
            tag("th", "All" if lang is None else language_label(lang), scope="row"),
            (_heat_cell(summary.cell(agent, condition, kind, lang)) for kind in kinds))
        for lang in langs
    ]  # fmt: skip
    table = tag("table", tag("thead", head), tag("tbody", rows), class_="heat")
    caption = tag("figcaption", legend_mark(condition), tag("bdi", condition))
    return tag("figure", caption, _scroll(table, f"{agent}, {condition}, by kind and language"))


def _heat_cell(cell: Cell | None) -> Html:
    right = cell.figures[RIGHT] if cell else None
    if right is None or right.mean is None:
        planned = f"0 of {right.n_planned:,}" if right else ""
        return tag("td", tag("span", NONE, class_="value none"), tag("small", planned), class_="empty")
    partly = right.n_scored < right.n_planned
    n = scored_of_planned(right) if partly else f"{right.n_scored:,}"
    return tag("td", tag("span", number(right.mean), class_="value"), tag("small", n),
               style=f"--v:{right.mean:.3f}")  # fmt: skip


def _gaps(summary: Summary) -> Html | None:
    if not summary.gaps:
        return None
    conditions = list(dict.fromkeys(p.condition for gap in summary.gaps for p in gap.points))
    legend = tag("p", (tag("span", legend_mark(c), tag("bdi", c)) for c in conditions), class_="legend")
    groups = []
    for agent in dict.fromkeys(gap.agent for gap in summary.gaps):
        own = [gap for gap in summary.gaps if gap.agent == agent]
        groups.append(tag("h3", tag("bdi", agent)))
        groups.append(tag(
            "div", (_gap_row(gap) for gap in own),
            tag("div", tag("span", class_="name"), axis((0, 0.25, 0.5, 0.75, 1), 0, 1), tag("span"),
                class_="row axis-row"),
            class_="chart gaps",
        ))  # fmt: skip
    head = tag("tr", (tag("th", text, scope="col") for text in ("Agent", "Language", "From", "To")),
               (tag("th", text, scope="col", class_="number") for text in ("Difference", "95 %", "Tasks")))  # fmt: skip
    rows = [
        tag("tr",
            (tag("td", text) for text in (gap.agent, language_label(gap.lang), step.start, step.end)),
            (tag("td", text or NONE, class_="number")
             for text in (signed(step.difference), interval(step.low, step.high), f"{gap.n_pairs:,}")))
        for gap in summary.gaps for step in gap.steps
    ]  # fmt: skip
    table = tag("table", tag("thead", head), tag("tbody", rows), class_="plain")
    return _section(
        "gap", "From reading to hearing", legend, *groups,
        tag("details", tag("summary", "Every step in numbers"), _scroll(table, "Steps between conditions")),
        lede="The same tasks, read and heard: each row holds only tasks that are scored under all its "
             "conditions, so its steps add up. The number is last minus first, with its 95 % interval.",
    )  # fmt: skip


def _gap_row(gap: Gap) -> Html:
    step = gap.whole
    within = interval(step.low, step.high)
    clear = step.low is not None and step.high is not None and not step.low <= 0 <= step.high
    several = f", {gap.points[-1].condition}" if gap.points[0].condition == "speech" else ""
    return tag(
        "div",
        tag("span", f"{language_label(gap.lang)}{several}", tag("small", count(gap.n_pairs, "task")), class_="name"),
        chain(gap.points),
        tag("span", tag("strong" if clear else "span", signed(step.difference)),
            tag("small", f"{within}" if within else "no interval"), class_="reading"),
        class_="row",
    )  # fmt: skip


def _latency(summary: Summary) -> Html | None:
    rows = summary.latency
    if not rows:
        return None
    low = min(0.0, *(row.p50_s for row in rows))
    high = max(row.p99_s for row in rows) or 1.0
    marks = ticks(low, high)
    groups = []
    for agent in summary.agents:
        own = [row for row in rows if row.agent == agent]
        if own:
            groups.append(tag("h3", tag("bdi", agent)))
            groups.append(tag("div", _latency_rows(own, low, high, marks), class_="chart latencies"))
    return _section(
        "latency", "Latency",
        tag("p", tag("span", "● half of the answers (p50)"), tag("span", "━ nine of ten (p90)"),
            tag("span", "─ 99 of 100 (p99)"), class_="legend"),
        *groups,
        lede="Seconds after the user stopped speaking (read requests: after they were handed over). With fewer "
             "than 100 answers p99 is little more than the slowest one.",
    )  # fmt: skip


def _latency_rows(own: Sequence[Latency], low: float, high: float, marks: Sequence[float]) -> Iterator[Html]:
    for condition in dict.fromkeys(row.condition for row in own):
        yield tag("h4", legend_mark(condition), tag("bdi", condition))
        for row in own:
            if row.condition == condition:
                yield tag(
                    "div",
                    tag("span", MOMENT_LABELS[row.moment], tag("small", count(row.n, "answer")), class_="name"),
                    span(row, low, high, marks),
                    tag("span", (tag("span", number(value), class_="q", data_label=label)
                                 for label, value in (("p50", row.p50_s), ("p90", row.p90_s), ("p99", row.p99_s))),
                        class_="reading quantiles"),
                    class_="row",
                )  # fmt: skip
    heads = tag("span", (tag("span", q, class_="q") for q in ("p50", "p90", "p99")), class_="reading quantiles")
    yield tag("div", tag("span", class_="name"), axis(marks, low, high, " s"), heads, class_="row axis-row")


def _faults(summary: Summary) -> Html | None:
    if not summary.errors and not summary.clip_failures:
        return None
    parts = []
    if summary.errors:
        rows = [[e.agent, e.condition, ERROR_LABELS[e.kind], f"{e.n:,}", e.example] for e in summary.errors]
        parts.append(_plain_table(["Agent", "Condition", "Fault", "Answers", "First message"], rows, {3},
                                  "Faults while answering"))  # fmt: skip
    if summary.clip_failures:
        rows = [[f.condition, f.kind, f"{f.n:,}", f.example] for f in summary.clip_failures]
        parts.append(tag("h3", "Clips that could not be made"))
        parts.append(_plain_table(["Condition", "Fault", "Clips", "First message"], rows, {2}, "Failed clips"))
    return _section(
        "faults", "Faults", *parts,
        lede="What the harness or the machine failed on. These answers are unscored, not counted as wrong.",
    )  # fmt: skip


def _items(summary: Summary) -> Html:
    return _section(
        "items",
        "The tasks, one by one",
        tag("noscript", tag("p", "Listening and looking through the tasks needs JavaScript; everything above and "
                                 "below is here without it, and report.json holds the tasks.", class_="empty")),
        tag("div", id="browser"),
    )  # fmt: skip


def _makings(summary: Summary) -> Html:
    parts: list[Html] = []
    for run in summary.runs:
        parts.append(tag("h3", tag("bdi", run.name)))
        parts.append(tag("dl", (join(tag("dt", what), tag("dd", said)) for what, said in facts(run)), class_="facts"))
        parts.append(tag("p", "To make it again:"))
        parts.append(tag("pre", tag("code", run.command), tabindex=0))
    if summary.voices:
        rows = [[v.id, v.source or NONE, v.licence or "not known",
                 ", ".join(language_label(lang) for lang in v.langs), f"{v.n_clips:,}"] for v in summary.voices]
        parts.append(tag("h3", "Voices"))
        parts.append(_plain_table(["Voice", "Source", "Licence", "Languages", "Clips"], rows, {4}, "Voices"))  # fmt: skip
    return _section("made", "What made this", *parts)


def _plain_table(heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: set[int], label: str) -> Html:
    head = tag("tr", (tag("th", text, scope="col", class_="number" if i in numbers else None)
                      for i, text in enumerate(heads)))  # fmt: skip
    body = [tag("tr", (tag("td", text, class_="number" if i in numbers else None) for i, text in enumerate(row)))
            for row in rows]  # fmt: skip
    return _scroll(tag("table", tag("thead", head), tag("tbody", body), class_="plain"), label)


def _scroll(table: Html, label: str) -> Html:
    """Return a table in a box of its own that scrolls sideways, also by keyboard."""
    return tag("div", table, class_="scroll", role="region", aria_label=label, tabindex=0)


def _colophon(summary: Summary) -> str:
    versions = ", ".join(dict.fromkeys(run.version for run in summary.runs))
    return f"Made by voicebench {versions}. The same figures: report.md and report.json, beside this page."
