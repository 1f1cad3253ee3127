"""One computation, many views: everything a report says about one or several runs."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import isfinite

from voicebench.report.estimates import Observation, measure, task_means
from voicebench.report.finding import finding
from voicebench.report.gaps import gaps
from voicebench.report.items import items
from voicebench.report.labels import one_line
from voicebench.report.merge import Answer, CellKey, Merged, merge
from voicebench.report.run_data import RunData
from voicebench.report.shape import (
    MOMENTS,
    RIGHT,
    Cell,
    ClipFailures,
    Coverage,
    ErrorCount,
    Latency,
    Summary,
    VoiceUse,
)
from voicebench.scoring.statistics import quantiles
from voicebench.types import FIGURES, Task, TaskKind

Figures = dict[str, list[Observation]]
Group = tuple[TaskKind | None, str | None]
"""(kind or all, language or all)."""


def summarise(runs: Sequence[RunData]) -> Summary:
    """Compute everything that the views show.

    Args:
        runs: One or several runs, each with the rows of its files.
    """
    merged = merge(runs)
    observed = _observations(merged)
    cells = tuple(_cells(observed, merged))
    overall = {(c.agent, c.condition): c for c in cells if c.task is None and c.lang is None}
    found_gaps = tuple(
        gaps(_rights(merged), {a.task_id: a.lang for a in merged.answers}, merged.agents, merged.conditions,
             merged.langs)
    )  # fmt: skip
    coverage = Coverage(
        n_tasks=len(merged.tasks) or len({answer.task_id for answer in merged.answers}),
        n_planned=sum(cell.figures[RIGHT].n_planned for cell in overall.values()),
        n_answered=sum(answer.response is None or answer.response.error is None for answer in merged.answers),
        n_scored=sum(cell.figures[RIGHT].n_scored for cell in overall.values()),
    )
    return Summary(
        runs=tuple(run.info for run in runs),
        agents=merged.agents,
        conditions=merged.conditions,
        kinds=merged.kinds,
        langs=merged.langs,
        finding=finding(coverage, overall, found_gaps),
        notes=merged.notes,
        coverage=coverage,
        cells=cells,
        gaps=found_gaps,
        latency=tuple(_latency(merged)),
        errors=tuple(_errors(merged)),
        clip_failures=tuple(_clip_failures(runs)),
        voices=tuple(_voices(runs)),
        items=items(runs, merged),
    )


def _observations(merged: Merged) -> dict[CellKey, Figures]:
    """Return every figure of every planned answer; what was never run is there with the reason "not run"."""
    observed: defaultdict[CellKey, Figures] = defaultdict(lambda: defaultdict(list))
    present: defaultdict[CellKey, Counter[str]] = defaultdict(Counter)
    for answer in merged.answers:
        present[answer.cell][answer.task_id] += 1
        for figure, value in answer.values.items():
            observed[answer.cell][figure].append(Observation(answer.task_id, value.value, value.reason))
    for cell, planned in merged.planned.items():
        absent = planned - present[cell].total()
        for task_id, task in _absent_tasks(cell, merged, present[cell], absent):
            for figure in merged.planned_figures(cell[2], task):
                observed[cell][figure].append(Observation(task_id, None, "not run"))
    return observed


def _absent_tasks(
    cell: CellKey, merged: Merged, present: Counter[str], absent: int
) -> Iterator[tuple[str, Task | None]]:
    """Yield `absent` tasks of a cell: those that have no answer yet, over and over, or unknown ones."""
    missing = [
        task for task in merged.tasks.values()
        if (task.task, task.lang) == cell[2:] and task.id not in present
    ]  # fmt: skip
    for i in range(absent):
        yield (missing[i % len(missing)].id, missing[i % len(missing)]) if missing else (f"?{i}", None)


def _cells(observed: Mapping[CellKey, Figures], merged: Merged) -> Iterator[Cell]:
    """Yield the cells: all kinds and languages first, then the margins, then each kind in each language."""
    grouped: defaultdict[tuple[str, str, TaskKind | None, str | None], Figures]
    grouped = defaultdict(lambda: defaultdict(list))
    for (agent, condition, kind, lang), figures in observed.items():
        for figure, seen in figures.items():
            groups: tuple[Group, ...] = ((None, None), (kind, None), (None, lang), (kind, lang))
            for group in groups:
                grouped[agent, condition, *group][figure].extend(seen)
    langs: tuple[str | None, ...] = (None, *merged.langs)
    kinds: tuple[TaskKind | None, ...] = (None, *merged.kinds)
    for some_lang, some_kind, agent, condition in product(langs, kinds, merged.agents, merged.conditions):
        found = grouped.get((agent, condition, some_kind, some_lang))
        if found:
            by_kind = [grouped.get((agent, condition, kind, some_lang), {}) for kind in merged.kinds]
            yield _cell(agent, condition, (some_kind, some_lang), found, by_kind)


def _cell(agent: str, condition: str, group: Group, figures: Figures, by_kind: Sequence[Figures]) -> Cell:
    measures = {f: measure(figures[f]) for f in (RIGHT, *FIGURES) if f in figures}
    kind, lang = group
    means = {f: _kind_mean(f, by_kind) for f in measures} if kind is None else {}
    return Cell(agent=agent, condition=condition, task=kind, lang=lang, figures=measures, kind_means=means)


def _kind_mean(figure: str, by_kind: Sequence[Figures]) -> float | None:
    means = []
    for figures in by_kind:
        by_task = _by_task(figures.get(figure, ()))
        if by_task:
            values = task_means(by_task)
            means.append(sum(values) / len(values))
    return sum(means) / len(means) if means else None


def _by_task(observations: Sequence[Observation]) -> dict[str, list[float]]:
    found: defaultdict[str, list[float]] = defaultdict(list)
    for task_id, value, _ in observations:
        if value is not None:
            found[task_id].append(value)
    return found


def _rights(merged: Merged) -> dict[tuple[str, str], dict[str, float]]:
    """Return `right` of each task by (agent, condition): the mean over its scored trials."""
    values: defaultdict[tuple[str, str], defaultdict[str, list[float]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for answer in merged.answers:
        right = answer.values[RIGHT].value
        if right is not None:
            values[answer.agent, answer.condition][answer.task_id].append(right)
    return {key: {t: sum(v) / len(v) for t, v in tasks.items()} for key, tasks in values.items()}


def _by_agent_and_condition(merged: Merged) -> Iterator[tuple[str, str, list[Answer]]]:
    groups: defaultdict[tuple[str, str], list[Answer]] = defaultdict(list)
    for answer in merged.answers:
        groups[answer.agent, answer.condition].append(answer)
    for agent in merged.agents:
        for condition in merged.conditions:
            if (agent, condition) in groups:
                yield agent, condition, groups[agent, condition]


def _latency(merged: Merged) -> Iterator[Latency]:
    """Yield quantiles of the moments that happened, over the answers without an error."""
    for agent, condition, answers in _by_agent_and_condition(merged):
        timelines = [a.response.timeline for a in answers if a.response and not a.response.error]
        for moment in MOMENTS:
            happened = [at_s for t in timelines if t and (at_s := getattr(t, moment)) is not None]
            seconds = [at_s for at_s in happened if isfinite(at_s)]
            found = quantiles(seconds, (0.5, 0.9, 0.99))
            if found is not None:
                p50, p90, p99 = found
                yield Latency(
                    agent=agent, condition=condition, moment=moment, n=len(seconds), p50_s=p50, p90_s=p90,
                    p99_s=p99,
                )  # fmt: skip


def _errors(merged: Merged) -> Iterator[ErrorCount]:
    for agent, condition, answers in _by_agent_and_condition(merged):
        found: defaultdict[str, list[str]] = defaultdict(list)
        for answer in answers:
            if answer.response and answer.response.error:
                found[answer.response.error.kind].append(answer.response.error.message)
        for kind, messages in sorted(found.items(), key=lambda item: (-len(item[1]), item[0])):
            yield ErrorCount(
                agent=agent, condition=condition, kind=kind, n=len(messages), example=one_line(messages[0])
            )


def _clip_failures(runs: Sequence[RunData]) -> Iterator[ClipFailures]:
    found: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for run in runs:
        for row in run.clip_failures:
            found[row.condition, row.kind].append(row.message)
    for (condition, kind), messages in sorted(found.items()):
        yield ClipFailures(condition=condition, kind=kind, n=len(messages), example=one_line(messages[0]))


def _voices(runs: Sequence[RunData]) -> Iterator[VoiceUse]:
    """Yield the voices of the clips, the same clip in several runs counted once."""
    clips = {
        (row.task_id, row.turn, row.condition, row.sha256): row
        for run in runs for row in run.clips if row.voice
    }  # fmt: skip
    langs: defaultdict[tuple[str, str | None, str | None], Counter[str]] = defaultdict(Counter)
    for row in clips.values():
        assert row.voice is not None
        langs[row.voice.id, row.voice.source or row.synthesizer.name, row.voice.licence][row.lang] += 1
    for (voice, source, licence), found in sorted(langs.items(), key=lambda item: str(item[0])):
        yield VoiceUse(
            id=voice, source=source, licence=licence, langs=tuple(sorted(found)), n_clips=found.total()
        )
