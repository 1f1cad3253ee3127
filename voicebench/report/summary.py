"""One computation, many views: everything a report says about one or several runs."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import isfinite

from voicebench.report.aggregates import aggregates
from voicebench.report.blames import blame_of, blames
from voicebench.report.cells import cells
from voicebench.report.estimates import Estimator
from voicebench.report.finding import finding
from voicebench.report.gaps import gaps
from voicebench.report.items import items, transcripts
from voicebench.report.labels import one_line
from voicebench.report.merge import Answer, Merged, merge
from voicebench.report.observed import Groups, Sampled, groups_of, observations
from voicebench.report.run_data import RunData
from voicebench.report.shape import (
    MOMENTS,
    RIGHT,
    ClipFailures,
    Coverage,
    ErrorCount,
    Latency,
    Summary,
    VoiceUse,
)
from voicebench.report.trials import trials
from voicebench.scoring.statistics import quantiles
from voicebench.types import JudgeRef


def summarise(runs: Sequence[RunData]) -> Summary:
    """Compute everything that the views show.

    Args:
        runs: One or several runs, each with the rows of its files.
    """
    merged = merge(runs)
    observed = observations(merged)
    groups = groups_of(observed)
    estimator = Estimator()
    found_cells = tuple(cells(groups, merged, estimator))
    overall = {(c.agent, c.condition): c for c in found_cells if c.task is None and c.lang is None}
    found_gaps = tuple(
        gaps(_rights(groups), {a.task_id: a.lang for a in merged.answers}, merged.agents,
             merged.conditions, merged.langs, estimator)
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
        cells=found_cells,
        gaps=found_gaps,
        blames=tuple(blames(blamed, merged, groups, heard, estimator)),
        aggregates=tuple(
            aggregates(groups, merged.agents, merged.conditions, merged.kinds, merged.langs, estimator)
        ),
        refusal_prompts=merged.refusal_prompts,
        trials=tuple(trials(observed, merged)),
        judges={run.info.name: _judges(run) for run in runs},
        latency=tuple(_latency(merged)),
        errors=tuple(_errors(merged)),
        clip_failures=tuple(_clip_failures(runs)),
        voices=tuple(_voices(runs)),
        items=items(runs, merged, heard, blamed),
    )


def _rights(groups: Groups) -> dict[tuple[str, str], dict[str, Sampled]]:
    """Return `right` of each scored task by (agent, condition)."""
    found: defaultdict[tuple[str, str], dict[str, Sampled]] = defaultdict(dict)
    for (agent, condition, _, _), figures in groups.items():
        found[agent, condition].update((task.task_id, task) for task in figures[RIGHT].drawn)
    return found


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
