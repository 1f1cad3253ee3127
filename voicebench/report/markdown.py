"""report.md: the figures as tables that read well in a terminal and on a forge."""

from collections.abc import Iterator, Sequence

from voicebench.report.facts import facts
from voicebench.report.labels import (
    ERROR_LABELS,
    FIGURE_LABELS,
    FIGURE_MEANINGS,
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
from voicebench.report.markdown_parts import escaped, table
from voicebench.report.markdown_tables import blames, counts, papers
from voicebench.report.shape import RIGHT, Cell, Summary
from voicebench.report.table import figures, totals


def markdown(summary: Summary) -> str:
    """Return the whole of report.md."""
    sections = [
        _head(summary), _scores(summary), counts(summary), _kinds(summary), _gaps(summary), blames(summary),
        papers(summary), _latency(summary), _faults(summary), _makings(summary),
    ]  # fmt: skip
    return "\n\n".join(part for section in sections for part in section) + "\n"


def _head(summary: Summary) -> Iterator[str]:
    covered = summary.coverage
    yield f"# {' · '.join(one_line(run.name) for run in summary.runs) or 'No run'}"
    yield f"**{escaped(summary.finding)}**"
    yield (
        f"{count(covered.n_tasks, 'task')}, {count(len(summary.langs), 'language')}, "
        f"{count(len(summary.agents), 'agent')}, {count(len(summary.conditions), 'condition')}; "
        f"{covered.n_scored:,} of {count(covered.n_planned, 'planned answer')} scored."
    )
    if summary.notes:
        yield "\n".join(f"> {escaped(note)}  " for note in summary.notes)


def _scores(summary: Summary) -> Iterator[str]:
    cells = totals(summary)
    if not cells:
        return
    columns = figures(summary)
    yield "## Scores"
    yield (
        "Every task counts the same, whatever its kind (micro average); “95 %” is the interval of “right”. "
        "“By kind” counts each kind of task the same (macro average). A dash is a figure that nothing was "
        "scored for; it is never 0."
    )
    for lang in dict.fromkeys(cell.lang for cell in cells):
        if len(summary.langs) > 1:
            yield f"### {language_label(lang)}"
        headers = ["agent", "condition", "right", "95 %", "by kind",
                   *(FIGURE_LABELS[f].lower() for f in columns), "scored"]  # fmt: skip
        rows = [_score_row(cell, columns) for cell in cells if cell.lang == lang]
        yield table(headers, rows, text_columns=2)
    lost = [
        f"- {escaped(cell.agent)}, {escaped(cell.condition)}: {escaped(reasons(right.unscored))}"
        for cell in cells
        if cell.lang is None and (right := cell.figures[RIGHT]).unscored
    ]
    if lost:
        yield "Not scored:"
        yield "\n".join(lost)
    yield "\n".join(f"- *{FIGURE_LABELS[f].lower()}*: {FIGURE_MEANINGS[f]}" for f in (RIGHT, *columns))


def _score_row(cell: Cell, columns: Sequence[str]) -> list[str | None]:
    right = cell.figures[RIGHT]
    means = [cell.figures[f].mean if f in cell.figures else None for f in columns]
    return [
        cell.agent, cell.condition, number(right.mean), interval(right.low, right.high),
        number(cell.kind_means.get(RIGHT)), *(number(mean) for mean in means), scored_of_planned(right),
    ]  # fmt: skip


def _kinds(summary: Summary) -> Iterator[str]:
    if len(summary.kinds) < 2 or not summary.cells:
        return
    yield "## Right, by kind of task and language"
    headers = ["agent", "condition", "lang", *(kind_label(kind).lower() for kind in summary.kinds)]
    rows: list[list[str | None]] = []
    for agent in summary.agents:
        for condition in summary.conditions:
            for lang in summary.langs:
                found = [summary.cell(agent, condition, kind, lang) for kind in summary.kinds]
                if any(found):
                    rows.append([agent, condition, lang, *(_mean_of_n(cell) for cell in found)])
    yield table(headers, rows, text_columns=3)


def _mean_of_n(cell: Cell | None) -> str:
    if cell is None:
        return NONE
    right = cell.figures[RIGHT]
    return f"{number(right.mean)} ({right.counts.scored:,}/{right.counts.planned:,})"


def _gaps(summary: Summary) -> Iterator[str]:
    if not summary.gaps:
        return
    yield "## What is lost between reading and hearing"
    yield (
        "Paired: each line compares the same tasks under both conditions (right, end minus start). "
        "Within one agent and language the steps add up."
    )
    rows = [
        [gap.agent, gap.lang or "all", f"{step.start} → {step.end}", signed(step.difference),
         interval(step.low, step.high), f"{gap.n_pairs:,}"]
        for gap in summary.gaps for step in gap.steps
    ]  # fmt: skip
    yield table(["agent", "lang", "step", "difference", "95 %", "pairs"], rows, text_columns=3)


def _latency(summary: Summary) -> Iterator[str]:
    if not summary.latency:
        return
    yield "## Seconds after the user stopped speaking"
    yield (
        "For text and transcripts: after the request was handed over. With fewer than 100 answers p99 is "
        "little more than the slowest one."
    )
    rows = [
        [row.agent, row.condition, MOMENT_LABELS[row.moment].lower(), number(row.p50_s), number(row.p90_s),
         number(row.p99_s), f"{row.n:,}"]
        for row in summary.latency
    ]  # fmt: skip
    yield table(["agent", "condition", "moment", "p50", "p90", "p99", "answers"], rows, text_columns=3)


def _faults(summary: Summary) -> Iterator[str]:
    if summary.errors:
        yield "## Faults of the harness or the machine (unscored, not counted against the agent)"
        rows = [[e.agent, e.condition, ERROR_LABELS[e.kind], e.example, f"{e.n:,}"] for e in summary.errors]
        yield table(["agent", "condition", "fault", "first message", "answers"], rows, text_columns=4)
    if summary.clip_failures:
        yield "## Clips that could not be made"
        rows = [[f.condition, f.kind, f.example, f"{f.n:,}"] for f in summary.clip_failures]
        yield table(["condition", "fault", "first message", "clips"], rows, text_columns=3)


def _makings(summary: Summary) -> Iterator[str]:
    yield "## What made this"
    for run in summary.runs:
        if len(summary.runs) > 1:
            yield f"### {escaped(run.name)}"
        yield "\n".join(
            f"- {what}: {escaped(said)}" for what, said in facts(run, summary.judges.get(run.name, ()))
        )
        yield f"```sh\n{one_line(run.command, 2000).replace('```', '')}\n```"
    if summary.voices:
        rows = [[v.id, v.source, v.licence, ", ".join(v.langs), f"{v.n_clips:,}"] for v in summary.voices]
        yield table(["voice", "source", "licence", "languages", "clips"], rows, text_columns=4)
