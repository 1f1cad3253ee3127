"""From a run to the four tables: the report's means, and differences on the tasks that columns share."""

from collections.abc import Iterator

from voicebench.ablation.changes import changes
from voicebench.ablation.found import NOT_RUN, Found
from voicebench.ablation.layout import READ, Column, Layout, Subject, layouts
from voicebench.ablation.recovery import recoveries
from voicebench.ablation.shape import Ablation, Head, Line, Table
from voicebench.report.estimates import Estimator
from voicebench.report.labels import count, one_line
from voicebench.report.merge import Merged, merge
from voicebench.report.observed import Observed, observations
from voicebench.report.run_data import RunData
from voicebench.running.materials import heard_by, is_speech
from voicebench.running.plan import remedy


def tables(run: RunData, subject: Subject) -> Ablation:
    """Return the four tables of an agent.

    Args:
        run: The run that holds the answers to what `voicebench.ablation.plan` returns. What of it is not
            there is said, and is never 0.
        subject: The agent.
    """
    merged = merge([run])
    observed = observations(merged)
    estimator = Estimator()
    return Ablation(
        agent=subject.agent,
        condition=subject.condition,
        tables=tuple(_table(layout, subject, merged, observed, estimator) for layout in layouts(subject)),
    )


def _table(
    layout: Layout, subject: Subject, merged: Merged, observed: Observed, estimator: Estimator
) -> Table:
    found = Found(layout, merged, observed, estimator)
    changed = changes(found)
    recovered = recoveries(found) if layout.recovers else {}
    lines = []
    for place in found.places:
        scope, over, figure = place
        means = [found.mean(column, place) for column in range(len(layout.columns))]
        lines.append(
            Line(
                scope=scope,
                over=over,
                figure=figure,
                cells=tuple(one.measure if one else None for one in means),
                missing=tuple(one.missing if one else () for one in means),
                absent=tuple(found.absent(column, place) for column in range(len(means))),
                changes=changed[place],
                recovered=recovered.get(place),
            )
        )
    heads = [Head(label=one.label, agent=one.agent, condition=one.condition) for one in layout.columns]
    return Table(
        name=layout.name,
        title=layout.title,
        columns=tuple(heads),
        steps=tuple((heads[start].label, heads[end].label) for start, end in layout.steps),
        lines=tuple(lines),
        notes=tuple(_notes(layout, subject, merged, found)),
    )


def _notes(layout: Layout, subject: Subject, merged: Merged, found: Found) -> Iterator[str]:
    if layout.note:
        yield layout.note
    for place, column in enumerate(layout.columns):
        why = found.absent(place)
        if why == NOT_RUN:
            asked = f"{column.agent} under {column.condition}"
            yield f"{column.label}: {why} ({asked}). {_remedy(column, subject)}"
        elif why:
            yield f"{column.label}: {why}"
        else:
            yield from _unheard(layout, column, merged)


def _unheard(layout: Layout, column: Column, merged: Merged) -> Iterator[str]:
    """Say how many of a column's requests had no clip or no transcript, and what makes them."""
    own = [
        answer for answer in merged.answers
        if (answer.agent, answer.condition) == (column.agent, column.condition)
        and answer.kind in layout.kinds
    ]  # fmt: skip
    errors = [answer.response.error for answer in own if answer.response and answer.response.error]
    unheard = [error.message for error in errors if error.kind == "audio"]
    if unheard:
        said = f"{len(unheard):,} of {count(len(own), 'answer')} have no sound or transcript"
        yield f"{column.label}: {said} ({one_line(unheard[0])}). {remedy(column.condition)}"


def _remedy(column: Column, subject: Subject) -> str:
    """Return what makes a column's answers: what it is heard or read from first, then the answers."""
    again = "voicebench eval --ablate"
    asr = heard_by(column.condition)
    if asr is not None and asr == subject.second_asr:
        return f"{remedy(column.condition)}, then: {again} --second-asr {asr}"
    if is_speech(column.condition) and subject.condition == READ:
        return f"{remedy(column.condition)}, then: {again}"
    return f"Run: {again}"
