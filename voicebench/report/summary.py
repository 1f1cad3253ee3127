"""One computation, many views: everything a report says about one or several runs."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from heapq import heapify, heapreplace
from itertools import product
from math import isfinite

from voicebench.report.aggregates import aggregates
from voicebench.report.blames import blame_of, blames
from voicebench.report.derived import Derived, derived, derived_of_absent
from voicebench.report.estimates import Observation, Sampled, measure, sampled
from voicebench.report.finding import finding
from voicebench.report.gaps import gaps
from voicebench.report.items import items, transcripts
from voicebench.report.labels import one_line
from voicebench.report.merge import Answer, CellKey, Merged, Value, merge, origin_of
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
from voicebench.report.trials import trials
from voicebench.scoring.statistics import quantiles
from voicebench.types import FIGURES, JudgeRef, Task, TaskKind

NOT_RUN = Value(None, "not run", failed=True)
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
        gaps(_rights(observed), {a.task_id: a.lang for a in merged.answers}, merged.agents,
             merged.conditions, merged.langs)
    )  # fmt: skip
    heard = transcripts(runs)
    blamed = blame_of(merged, runs, heard)
    coverage = Coverage(
        n_tasks=len(merged.tasks) or len({answer.task_id for answer in merged.answers}),
        n_planned=sum(cell.figures[RIGHT].counts.planned for cell in overall.values()),
        n_answered=sum(answer.response is None or answer.response.error is None for answer in merged.answers),
        n_scored=sum(cell.figures[RIGHT].counts.scored for cell in overall.values()),
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
        blames=tuple(blames(blamed, merged, observed, heard)),
        aggregates=tuple(aggregates(observed, merged.agents, merged.conditions, merged.kinds, merged.langs)),
        refusal_prompts=merged.refusal_prompts,
        trials=tuple(trials(observed, merged)),
        judges={run.info.name: _judges(run) for run in runs},
        latency=tuple(_latency(merged)),
        errors=tuple(_errors(merged)),
        clip_failures=tuple(_clip_failures(runs)),
        voices=tuple(_voices(runs)),
        items=items(runs, merged, heard, blamed),
    )


def _observations(merged: Merged) -> dict[CellKey, Figures]:
    """Return every figure of every planned answer; what was never run is there with the reason "not run"."""
    observed: defaultdict[CellKey, Figures] = defaultdict(lambda: defaultdict(list))
    present: defaultdict[CellKey, Counter[str]] = defaultdict(Counter)
    for answer in merged.answers:
        present[answer.cell][answer.task_id] += 1
        voice = answer.response.voice if answer.response else None
        figures = {figure: Derived(value) for figure, value in answer.values.items()} | derived(answer)
        _add(observed[answer.cell], figures, answer.task_id, answer.origin, voice)
    for cell, planned in merged.planned.items():
        absent = planned - present[cell].total()
        for task_id, task in _absent_tasks(cell, merged, present[cell], absent):
            names = merged.planned_figures(cell[2], task)
            figures = dict.fromkeys(names, Derived(NOT_RUN))
            figures |= derived_of_absent(cell[2], task, names, NOT_RUN)
            _add(observed[cell], figures, task_id, origin_of(task) if task else task_id, None)
    return observed


def _add(cell: Figures, figures: Mapping[str, Derived], task_id: str, origin: str, voice: str | None) -> None:
    for figure, (value, weight) in figures.items():
        cell[figure].append(
            Observation(task_id, value.value, value.reason, value.failed, origin, voice, weight)
        )


def _absent_tasks(
    cell: CellKey, merged: Merged, present: Counter[str], absent: int
) -> Iterator[tuple[str, Task | None]]:
    """Yield the tasks of `absent` answers of a cell: those with the fewest answers first, or unknown ones."""
    tasks = [task for task in merged.tasks.values() if (task.task, task.lang) == cell[2:]]
    fewest = [(present[task.id], place) for place, task in enumerate(tasks)]
    heapify(fewest)
    for i in range(absent):
        if fewest:
            n, place = fewest[0]
            heapreplace(fewest, (n + 1, place))
            yield tasks[place].id, tasks[place]
        else:
            yield f"?{i}", None


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
        values = [task.value for task in sampled(figures.get(figure, ())).values()]
        if values:
            means.append(sum(values) / len(values))
    return sum(means) / len(means) if means else None


def _rights(observed: Mapping[CellKey, Figures]) -> dict[tuple[str, str], dict[str, Sampled]]:
    """Return `right` of each scored task by (agent, condition)."""
    found: defaultdict[tuple[str, str], list[Observation]] = defaultdict(list)
    for (agent, condition, _, _), figures in observed.items():
        found[agent, condition].extend(figures[RIGHT])
    return {key: sampled(observations) for key, observations in found.items()}


def _judges(run: RunData) -> tuple[JudgeRef, ...]:
    judges = {row.judge.model_dump_json(): row.judge for row in run.scores if row.judge is not None}
    return tuple(judges[said] for said in sorted(judges))


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
