"""The page's figures: the score table with bars and whiskers, and the map of kinds and languages."""

from collections.abc import Sequence

from voicebench.report.charts import bar, legend_mark
from voicebench.report.html_parts import cells, folded, heads, plain_table, scroll, section
from voicebench.report.labels import (
    COUNT_COLUMNS,
    COUNTS_MEANING,
    FIGURE_LABELS,
    FIGURE_MEANINGS,
    KIND_SHORT_LABELS,
    NONE,
    count_cells,
    interval,
    kind_label,
    language_label,
    lost,
    number,
    reasons,
    scored_of_planned,
)
from voicebench.report.markup import Html, join, tag
from voicebench.report.shape import RIGHT, Cell, Measure, Summary
from voicebench.report.table import figures, totals

DETAILS = ("prefix_fraction",)
"""Figures that stand in the table of every cell alone."""


def scores(summary: Summary) -> Html:
    """Return the section of scores: over everything, and folded by language and by cell."""
    if not summary.cells:
        return section("scores", "Scores", tag("p", "No answers were planned or found.", class_="empty"))
    every = [RIGHT, *figures(summary)]
    columns = [figure for figure in every if figure not in DETAILS]
    meanings = [join(tag("dt", FIGURE_LABELS[f]), tag("dd", FIGURE_MEANINGS[f])) for f in every]
    by_language = [
        join(tag("h3", language_label(lang)), _score_table(summary, lang, columns)) for lang in summary.langs
    ]
    return section(
        "scores",
        "Scores",
        _score_table(summary, None, columns),
        folded("What the figures mean", tag("dl", meanings, class_="meanings")),
        _every_count(summary, every),
        folded("By language", by_language) if len(summary.langs) > 1 else None,
        folded("Every kind, language and condition", _every_cell(summary, every))
        if has_map(summary)
        else None,
        lede="Every task counts the same, whatever its kind or language. Whiskers are 95\u00a0% intervals. "
        f"A dash ({NONE}) is a figure that nothing was scored for; it is never 0.",
    )


def has_map(summary: Summary) -> bool:
    """Whether there are scores of several kinds or languages to compare."""
    return summary.coverage.n_scored > 0 and len(summary.kinds) * len(summary.langs) > 1


def kinds_and_languages(summary: Summary) -> Html | None:
    """Return the section that maps how often each kind of task went right in each language."""
    if not has_map(summary):
        return None
    maps = []
    for agent in summary.agents:
        own = [condition for condition in summary.conditions if summary.cell(agent, condition)]
        if own:
            maps.append(tag("h3", tag("bdi", agent)))
            maps.append(tag("div", [_map(summary, agent, condition) for condition in own], class_="heats"))
    return section(
        "heat",
        "By kind of task and language",
        *maps,
        lede="How often the answer was right, and below it in how many scored answers. Deeper is more often.",
    )


def _score_table(summary: Summary, lang: str | None, columns: Sequence[str]) -> Html:
    bodies = []
    for agent in summary.agents:
        own = [cell for cell in totals(summary) if (cell.agent, cell.lang) == (agent, lang)]
        if own:
            name = tag("th", tag("bdi", agent), colspan=len(columns) + 2, scope="rowgroup", class_="agent")
            bodies.append(tag("tbody", tag("tr", name), [_score_row(cell, columns) for cell in own]))
    head = heads(["Condition"], [*(FIGURE_LABELS[f] for f in columns), "Scored"])
    return scroll(tag("table", head, bodies, class_="scores cards"), f"Scores, {language_label(lang)}")


def _score_row(cell: Cell, columns: Sequence[str]) -> Html:
    right = cell.figures[RIGHT]
    missing = [tag("span", phrase, class_="under") for phrase in lost(right)]
    scored = tag("span", scored_of_planned(right), class_="value")
    return tag(
        "tr",
        tag("th", legend_mark(cell.condition), tag("bdi", cell.condition), scope="row", class_="condition"),
        [_figure(cell.figures.get(figure), figure, right) for figure in columns],
        tag("td", scored, missing, class_="number scored", data_label="Scored"),
    )


def _figure(measure: Measure | None, figure: str, right: Measure) -> Html:
    kind = "number figure main" if figure == RIGHT else "number figure"
    label = FIGURE_LABELS[figure]
    if measure is None or measure.mean is None:
        return tag("td", tag("span", NONE, class_="value none"), class_=kind, data_label=label)
    judged_less = measure.counts.judge_failed and measure.counts != right.counts
    return tag(
        "td",
        tag("span", number(measure.mean), class_="value"),
        bar(measure.mean, measure.low, measure.high),
        # Only the main figure's interval is spelled out to the eye; the others' whiskers show it.
        tag("span", interval(measure.low, measure.high), class_="under" if figure == RIGHT else "under sr"),
        # Its own denominator, where a judge left it another one than the last column's.
        tag("span", scored_of_planned(measure), class_="under") if judged_less else None,
        class_=kind,
        title=measure.counts.describe(),
        data_label=label,
    )


def _every_cell(summary: Summary, columns: Sequence[str]) -> Html:
    head = heads(
        ["Kind", "Language", "Agent", "Condition"],
        [*(FIGURE_LABELS[f] for f in columns), "95\u00a0% of right", "Scored"],
    )
    rows = []
    for cell in summary.cells:
        if cell.task is None or cell.lang is None:
            continue
        right = cell.figures[RIGHT]
        means = [number(cell.figures[f].mean if f in cell.figures else None) for f in columns]
        rows.append(
            cells(
                [kind_label(cell.task), language_label(cell.lang), cell.agent, cell.condition],
                [*means, interval(right.low, right.high) or NONE, scored_of_planned(right)],
            )
        )
    return plain_table(head, rows, "Every cell")


def _every_count(summary: Summary, columns: Sequence[str]) -> Html | None:
    """Return what became of the answers, figure by figure; None where all are scored."""
    overall = [cell for cell in summary.cells if cell.task is None and cell.lang is None]
    if all(found.counts.complete for cell in overall for found in cell.figures.values()):
        return None
    rows = [
        cells(
            [cell.agent, cell.condition, FIGURE_LABELS[figure], reasons(found.unscored) or NONE],
            count_cells(found.counts),
        )
        for cell in overall
        for figure in columns
        if (found := cell.figures.get(figure)) is not None
    ]
    head = heads(["Agent", "Condition", "Figure", "Why not"], [name.capitalize() for name in COUNT_COLUMNS])
    return folded(
        "What became of the answers, figure by figure",
        tag("p", COUNTS_MEANING, class_="lede"),
        plain_table(head, rows, "What became of the answers"),
    )


def _map(summary: Summary, agent: str, condition: str) -> Html:
    kinds = [*summary.kinds, None] if len(summary.kinds) > 1 else [*summary.kinds]
    langs = [*summary.langs, None] if len(summary.langs) > 1 else [*summary.langs]
    columns = [
        tag("th", KIND_SHORT_LABELS[kind] if kind else "All", scope="col", title=kind_label(kind))
        for kind in kinds
    ]
    rows = [
        tag(
            "tr",
            tag("th", language_label(lang) if lang else "All", scope="row"),
            [_map_cell(summary.cell(agent, condition, kind, lang)) for kind in kinds],
        )
        for lang in langs
    ]
    head = tag("thead", tag("tr", tag("td", class_="corner"), columns))
    table = tag("table", head, tag("tbody", rows), class_="heat")
    caption = tag("figcaption", legend_mark(condition), tag("bdi", condition))
    return tag("figure", caption, scroll(table, f"{agent}, {condition}, by kind and language"))


def _map_cell(cell: Cell | None) -> Html:
    if cell is None:
        return tag("td", tag("span", NONE, class_="value none"), class_="empty")
    right = cell.figures[RIGHT]
    if right.mean is None:
        return tag(
            "td",
            tag("span", NONE, class_="value none"),
            tag("small", scored_of_planned(right)),
            class_="empty",
        )
    n = f"{right.counts.scored:,}" if right.counts.complete else scored_of_planned(right)
    shade = f"--v:{right.mean:.3f}"
    return tag("td", tag("span", number(right.mean), class_="value"), tag("small", n), style=shade)
