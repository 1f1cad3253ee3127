"""report.html: one page that opens offline, with its style, its script and its data inside."""

from collections.abc import Callable
from importlib.resources import files

from voicebench.report.facts import facts
from voicebench.report.html_blame import where_lost
from voicebench.report.html_charts import latency, reading_and_hearing
from voicebench.report.html_parts import cells, heads, plain_table, section
from voicebench.report.html_scores import has_map, kinds_and_languages, scores
from voicebench.report.html_tables import has_tables, papers
from voicebench.report.labels import ERROR_LABELS, NONE, count, language_label, one_line, unique
from voicebench.report.markup import Html, join, tag
from voicebench.report.page_data import page_data, script_json, shown_items
from voicebench.report.shape import Clip, Coverage, Summary

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; media-src 'self' file:"
"""The page may load nothing but the clips that lie beside it."""


def html(summary: Summary, link: Callable[[Clip], str]) -> str:
    """Return the whole of report.html.

    Args:
        summary: What to show.
        link: From a clip to its percent-encoded link, relative to the page.
    """
    names = " · ".join(one_line(run.name) for run in summary.runs) or "no run"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
        tag("title", f"{names} – voicebench"),
        tag("style", Html(_asset("style.css"))),
    )
    sections = [
        scores(summary),
        kinds_and_languages(summary),
        reading_and_hearing(summary),
        where_lost(summary),
        papers(summary),
        latency(summary),
        _faults(summary),
        _items(summary),
        _makings(summary),
    ]
    body = tag(
        "body",
        tag("a", "Skip to the scores", class_="skip", href="#main"),
        _header(summary, names),
        tag("main", sections, id="main"),
        tag("footer", tag("p", _colophon(summary))),
        tag("script", Html(script_json(page_data(summary, link))), type="application/json", id="data"),
        tag("script", Html(_asset("items.js"))),
    )
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _asset(name: str) -> str:
    return (files("voicebench.report") / "page" / name).read_text(encoding="utf-8")


def _header(summary: Summary, names: str) -> Html:
    counts = [
        count(summary.coverage.n_tasks, "task"),
        count(len(summary.langs), "language"),
        count(len(summary.agents), "agent"),
        count(len(summary.conditions), "condition"),
    ]
    days = " · ".join(unique(run.created[:10] for run in summary.runs))
    links = [
        ("scores", "Scores", True),
        ("heat", "Kinds", has_map(summary)),
        ("gap", "Reading and hearing", bool(summary.gaps)),
        ("lost", "Where lost", bool(summary.blames)),
        ("tables", "Tables", has_tables(summary)),
        ("latency", "Latency", bool(summary.latency)),
        ("faults", "Faults", bool(summary.errors or summary.clip_failures)),
        ("items", "Tasks", True),
        ("made", "What made this", True),
    ]
    nav = [tag("a", text, href=f"#{id_}") for id_, text, there in links if there]
    notes = [tag("li", note) for note in summary.notes]
    return tag(
        "header",
        tag("p", "voicebench", tag("span", names, class_="run"), tag("span", days), class_="kicker"),
        tag("h1", summary.finding),
        tag("p", f"{', '.join(counts)}. {_coverage(summary.coverage)}", class_="lede"),
        tag("ul", notes, class_="notes") if notes else None,
        tag("nav", nav, aria_label="Sections"),
        class_="top",
    )


def _coverage(covered: Coverage) -> str:
    if covered.n_planned == 0:
        return ""
    planned = count(covered.n_planned, "planned answer")
    if covered.n_scored == covered.n_planned:
        return f"All {planned} scored."
    return f"{covered.n_scored:,} of {planned} scored."


def _faults(summary: Summary) -> Html | None:
    if not summary.errors and not summary.clip_failures:
        return None
    errors = [
        cells([e.agent, e.condition, ERROR_LABELS[e.kind], e.example], [f"{e.n:,}"]) for e in summary.errors
    ]
    clips = [cells([f.condition, f.kind, f.example], [f"{f.n:,}"]) for f in summary.clip_failures]
    error_head = heads(["Agent", "Condition", "Fault", "First message"], ["Answers"])
    clip_head = heads(["Condition", "Fault", "First message"], ["Clips"])
    return section(
        "faults",
        "Faults",
        plain_table(error_head, errors, "Faults while answering") if errors else None,
        [tag("h3", "Clips that could not be made"), plain_table(clip_head, clips, "Failed clips")]
        if clips
        else None,
        lede="What the harness or the machine failed on. These answers are unscored, not counted as wrong.",
    )


def _items(summary: Summary) -> Html:
    without = (
        "Listening and looking through the tasks needs JavaScript. Everything else on this page is here "
        "without it, and report.json holds the tasks."
    )
    n_shown, n = len(shown_items(summary)), len(summary.items)
    some = (
        f"{n_shown:,} of {count(n, 'task')}: the first of each kind in each language, and the examples of "
        "what was lost. report.json holds all."
    )
    return section(
        "items",
        "The tasks, one by one",
        tag("p", some, class_="lede") if n_shown < n else None,
        tag("noscript", tag("p", without, class_="empty")),
        tag("div", id="browser"),
        lede="Open one to hear it, and to see what each agent heard and called, argument by argument.",
    )


def _makings(summary: Summary) -> Html:
    parts: list[Html] = []
    for run in summary.runs:
        pairs = [
            join(tag("dt", what), tag("dd", said))
            for what, said in facts(run, summary.judges.get(run.name, ()))
        ]
        parts += [
            tag("h3", tag("bdi", run.name)),
            tag("dl", pairs, class_="facts"),
            tag("p", "To make it again:"),
            tag("pre", tag("code", run.command), tabindex=0),
        ]
    voices = [
        cells(
            [v.id, v.source or NONE, v.licence or "not known", ", ".join(map(language_label, v.langs))],
            [f"{v.n_clips:,}"],
        )
        for v in summary.voices
    ]
    if voices:
        head = heads(["Voice", "Source", "Licence", "Languages"], ["Clips"])
        parts += [tag("h3", "Voices"), plain_table(head, voices, "Voices")]
    return section("made", "What made this", *parts)


def _colophon(summary: Summary) -> str:
    made_by = " ".join(["voicebench", *unique(run.version for run in summary.runs)])
    return f"Made by {made_by}. The same figures are in report.md and report.json beside this page."
