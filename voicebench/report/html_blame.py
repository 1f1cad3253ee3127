"""The page's section on where answers were lost: hearing, planning or writing, with examples."""

from collections.abc import Iterator, Sequence

from voicebench.report.charts import legend_mark, stack, swatch
from voicebench.report.html_parts import cells, folded, heads, plain_table, section
from voicebench.report.labels import (
    CAUSE_LABELS,
    CAUSE_MEANINGS,
    NONE,
    interval,
    language_label,
    number,
    signed,
    unique,
)
from voicebench.report.markup import Html, join, tag
from voicebench.report.shape import Blame, BlameExample, Gap, Summary
from voicebench.scoring.blame import Cause

DRAWN: tuple[Cause, ...] = ("hearing", "planning", "writing", "undecided", "only_heard")
"""In the order of the bar; the rest of it, right both ways, stays empty."""
COUNTED: tuple[Cause, ...] = ("hearing", "planning", "writing", "undecided")


def where_lost(summary: Summary) -> Html | None:
    """Return the section on where answers were lost; None where nothing was both read and heard."""
    if not summary.blames:
        return None
    legend = [tag("span", swatch(cause), CAUSE_LABELS[cause]) for cause in DRAWN]
    meanings = [join(tag("dt", CAUSE_LABELS[cause]), tag("dd", CAUSE_MEANINGS[cause])) for cause in DRAWN]
    parts = []
    for agent in unique(row.agent for row in summary.blames):
        own = [row for row in summary.blames if row.agent == agent]
        parts.append(tag("h3", tag("bdi", agent)))
        parts.append(tag("div", list(_rows(own)), class_="chart lost"))
        examples = [(row.condition, one) for row in own for one in row.examples]
        if examples:
            parts.append(
                folded("Examples", tag("div", [_example(*one) for one in examples], class_="results"))
            )
    return section(
        "lost",
        "Where answers were lost",
        tag("p", legend, class_="legend"),
        *parts,
        folded("How a cause is found", tag("dl", meanings, class_="meanings")),
        folded("Every count, share and interval", _every_share(summary)),
        _by_words(summary),
        lede="The same requests, read and heard by the same agent. The bar is all of them; its empty end was "
        "right both ways. Lost by ear: right when read and wrong when heard.",
    )


def _rows(own: Sequence[Blame]) -> Iterator[Html]:
    columns = tag("span", [tag("span", CAUSE_LABELS[cause]) for cause in COUNTED], class_="reading causes")
    for condition in unique(row.condition for row in own):
        name = tag("h4", legend_mark(condition), tag("bdi", condition))
        yield tag("div", name, columns, class_="row head")
        for row in own:
            if row.condition == condition:
                yield _row(row)


def _row(row: Blame) -> Html:
    said = ", ".join(f"{CAUSE_LABELS[cause]} {row.causes[cause].n}" for cause in DRAWN)
    unpaired = tag("small", f"{row.n_unpaired:,} not scored both ways") if row.n_unpaired else None
    lost = tag("small", f"{row.n_by_ear:,} of {row.n_pairs:,} lost by ear")
    numbers = [
        tag("span", f"{row.causes[cause].n:,}", title=_bounds(row, cause), class_=None if row.causes[cause].n
            else "none")
        for cause in COUNTED
    ]  # fmt: skip
    return tag(
        "div",
        tag("span", language_label(row.lang), lost, unpaired, class_="name"),
        tag("span", stack([(cause, row.causes[cause].share) for cause in DRAWN]), role="img", aria_label=said,
            class_="whole"),
        tag("span", numbers, class_="reading causes"),
        class_="row",
    )  # fmt: skip


def _bounds(row: Blame, cause: Cause) -> str:
    share = row.causes[cause]
    bounds = interval(share.low, share.high)
    return f"{share.n:,} of {row.n_pairs:,}: {number(share.share)}" + (f" ({bounds})" if bounds else "")


def _example(condition: str, one: BlameExample) -> Html:
    def pair(name: str, *said: Html | str | None) -> Html | None:
        return join(tag("dt", name), tag("dd", *said)) if any(said) else None

    parameter = tag("span", one.parameter, " = ", class_="parameter") if one.parameter else None
    return tag(
        "div",
        tag("h4", swatch(one.cause), CAUSE_LABELS[one.cause],
            tag("span", tag("bdi", condition), class_="trial")),
        tag("dl",
            pair("Said", tag("bdi", one.said, lang=one.lang, dir="auto") if one.said else None),
            pair("Heard", tag("bdi", one.heard, lang=one.lang, dir="auto") if one.heard else None),
            pair("Wanted", parameter, tag("bdi", one.wanted)) if one.wanted else None,
            pair("Got", parameter, tag("bdi", one.got)) if one.got else None,
            pair("Why", one.why),
            pair("Task", tag("a", one.task_id, href=f"#task-{one.task_id}"))),
        class_="result",
    )  # fmt: skip


def _every_share(summary: Summary) -> Html:
    rows = [
        cells(
            [row.agent, row.condition, language_label(row.lang)],
            [
                *(f"{found.n:,} · {number(found.share)} ({interval(found.low, found.high) or NONE})"
                  for found in (row.causes[cause] for cause in CAUSE_LABELS)),
                f"{row.n_pairs:,}", f"{row.n_unpaired:,}",
            ],
        )
        for row in summary.blames
    ]  # fmt: skip
    head = heads(["Agent", "Condition", "Language"], [*CAUSE_LABELS.values(), "Pairs", "Unpaired"])
    return plain_table(head, rows, "Every cause")


def _by_words(summary: Summary) -> Html | None:
    """Return the loss in two measured steps, where an agent also read what an ASR had heard."""
    chains = [gap for gap in summary.gaps if len(gap.steps) > 2]
    if not chains:
        return None
    head = heads(
        ["Agent", "Language", "ASR"],
        ["Lost in the ASR's words", "95\u00a0%", "The rest", "95\u00a0%", "Tasks"],
    )
    return folded(
        "In two steps, by an ASR's words",
        tag("p", "The first step is from the text to what the ASR wrote, read by the agent: what hearing "
            "loses. The rest is from there to what the agent makes of the sound.", class_="lede"),
        plain_table(head, [_steps(gap) for gap in chains], "Loss in two steps"),
    )  # fmt: skip


def _steps(gap: Gap) -> Html:
    first, rest = gap.steps[:2]
    numbers = [part for step in (first, rest)
               for part in (signed(step.difference), interval(step.low, step.high) or NONE)]  # fmt: skip
    asr = gap.points[1].condition.removeprefix("transcript:")
    return cells([gap.agent, language_label(gap.lang), asr], [*numbers, f"{gap.n_pairs:,}"])
