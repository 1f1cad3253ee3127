"""Evaluate agents in a run's folder: plan, ask, keep, score."""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

from voicebench import PROMPTS_VERSION, SCORING_VERSION, TASKS_VERSION, __version__
from voicebench.audio.build import MANIFEST
from voicebench.clusters import Cluster
from voicebench.errors import UserError
from voicebench.files import sha256_file, write_rows
from voicebench.models import Progress, no_progress
from voicebench.prompts import prompt_hash
from voicebench.running.answered import Answered, Key, keys_in
from voicebench.running.candidates import DEFAULT_PROMPTING, Candidate
from voicebench.running.engine import AT_ONCE, Outcome, ask, iterate_responses
from voicebench.running.made import fingerprint, recall, remember
from voicebench.running.materials import Materials
from voicebench.running.plan import Planned, plan
from voicebench.running.run_info import AgentInfo, Machine, RunInfo
from voicebench.running.runs import (
    RESPONSES,
    SCORES,
    TASKS,
    counts,
    keep_tasks,
    merge_info,
    read_info,
    read_run_tasks,
    relative,
    write_info,
)
from voicebench.running.watch import Watch
from voicebench.scoring.score import score, score_stream
from voicebench.types import Prompting, Response, Scores, Task, TaskKind

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Options:
    """What is asked of every agent.

    Attributes:
        conditions: How the tasks reach the agents.
        trials: How often each task is given.
        seed: Base of all seeds.
        prompting: How the agents are instructed.
        command: The command line that makes this again, for the record.
        notes: What a reader must know.
        gpu: Name of the GPU in use, or None.
        at_once: Requests that wait for a server at a time.
        shard: Which part of a run this is, as "2/8"; None for a whole one.
        cluster: The Ray cluster to ask on; None for this process.
    """

    conditions: tuple[str, ...]
    trials: int = 1
    seed: int = 0
    prompting: Prompting = DEFAULT_PROMPTING
    command: str = ""
    notes: tuple[str, ...] = ()
    gpu: str | None = None
    at_once: int = AT_ONCE
    shard: str | None = None
    cluster: Cluster | None = None


def evaluate(
    folder: Path,
    candidates: Sequence[Candidate],
    tasks: Sequence[Task],
    options: Options,
    materials: Materials | None = None,
    *,
    progress: Progress = no_progress,
    watch: Watch | None = None,
) -> list[Outcome]:
    """Ask agents a set of tasks and keep the answers in a run's folder.

    Args:
        folder: The run's folder, held for writing (`voicebench.running.runs.opened`).
        candidates: The agents, asked one after the other.
        tasks: What is asked.
        options: How it is asked.
        materials: Clips and transcripts; None where only words are given.
        progress: Told how it goes on.
        watch: Counts how it goes on, in more detail; instead of `progress`.

    Returns:
        One outcome an agent.

    Raises:
        UserError: No task (a shard may hold none), an unknown condition, no clip for one, or an agent that
            refuses to be made.
    """
    if not tasks and options.shard is None:
        raise UserError("no task is left to ask. See: voicebench tasks stats")
    materials = materials or Materials()
    plans: dict[tuple[Prompting, bool], list[Planned]] = {}
    for candidate in candidates:
        told = _told(candidate, options)
        if told not in plans:
            prompting, hears_one_clip = told
            plans[told] = plan(
                tasks, options.conditions, materials, trials=options.trials, seed=options.seed,
                prompting=prompting, hears_one_clip=hears_one_clip,
            )  # fmt: skip
    planned = [plans[_told(candidate, options)] for candidate in candidates]
    all_tasks = {task.id: task for task in keep_tasks(folder, tasks)}
    before = keys_in(folder / RESPONSES)
    info = _describe(folder, candidates, planned, before, all_tasks, options, materials)
    write_info(folder, merge_info(read_info(folder), info))
    watch = watch or Watch(lambda now: progress(f"asking {now.agent}", now.done, now.total))
    answered = Answered(folder / RESPONSES)
    return [
        ask(
            items, name=candidate.name, model=candidate.model, make=candidate.make, materials=materials,
            path=folder / RESPONSES, with_gold=candidate.sees_gold, watch=watch,
            at_once=options.at_once, cluster=options.cluster, seats=candidate.seats, answered=answered,
        )
        for candidate, items in zip(candidates, planned, strict=True)
    ]  # fmt: skip


def _told(candidate: Candidate, options: Options) -> tuple[Prompting, bool]:
    """Return what decides how a candidate is asked: agents that are told alike share their plan."""
    return candidate.prompting or options.prompting, candidate.hears_one_clip


def score_run(folder: Path, *, rule: Callable[[Task, Response], Scores] = score) -> int:
    """Score all answers of a run by its own tasks, one at a time, and write scores.jsonl.

    Args:
        folder: The run's folder.
        rule: Scores one answer.

    Returns:
        How many answers were scored.

    Raises:
        UserError: The run has no answers, or a file is broken.
    """
    path = folder / RESPONSES
    answers = iterate_responses(path) if path.is_file() else iter(())
    first = next(answers, None)
    if first is None:
        raise UserError(f"{folder}: no answers to score. Run: voicebench eval --run {folder}")
    tasks = read_run_tasks(folder)
    return write_rows(folder / SCORES, score_stream(tasks, chain((first,), answers), score_one=rule))


def score_if_new(folder: Path) -> None:
    """Score a run unless its answers, its tasks and the rules are those that it was scored with.

    Scores that somebody wrote since (`voicebench score --judge`) stay.

    Raises:
        UserError: The run has no answers, or a file is broken.
    """
    inputs = fingerprint([folder / RESPONSES, folder / TASKS], SCORING_VERSION, __version__)
    if (folder / SCORES).is_file() and recall(folder, SCORES, inputs):
        return
    score_run(folder)
    remember(folder, SCORES, inputs)


def _describe(
    folder: Path,
    candidates: Sequence[Candidate],
    plans: Sequence[Sequence[Planned]],
    before: Iterable[Key],
    tasks: dict[str, Task],
    options: Options,
    materials: Materials,
) -> RunInfo:
    names = {candidate.name for candidate in candidates}
    keys = {key for key in before if key[1] in names and key[0] in tasks}
    keys |= {
        (item.task.id, candidate.name, item.condition, item.trial)
        for candidate, planned in zip(candidates, plans, strict=True)
        for item in planned
    }
    asked = list(chain.from_iterable(plans))
    clips = [clip for item in asked for clip in item.clips if clip is not None]
    kinds = sorted({item.task.task for item in asked})
    return RunInfo(
        name=folder.name,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        command=options.command,
        version=__version__,
        tasks_version=TASKS_VERSION,
        prompts_version=PROMPTS_VERSION,
        scoring_version=SCORING_VERSION,
        agents=tuple(_agent_info(item, _told(item, options)[0], kinds) for item in candidates),
        synthesizers=tuple(dict.fromkeys(clip.synthesizer for clip in clips)),
        converters=tuple(dict.fromkeys(clip.converter for clip in clips if clip.converter is not None)),
        encoders=tuple(dict.fromkeys(clip.encoder for clip in clips if clip.encoder is not None)),
        encoder_reason=materials.encoder_reason if clips else None,
        seeds={"eval": options.seed, **({"audio": clips[0].seed} if clips else {})},
        conditions=options.conditions,
        languages=tuple(dict.fromkeys(item.task.lang for item in asked)),
        trials=options.trials,
        prompting=options.prompting,
        audio=relative(materials.folder, folder) if materials.folder is not None else None,
        notes=(*options.notes, *(note for one in candidates for note in one.notes(asked))),
        shard=options.shard,
        machine=Machine.here(options.gpu),
        data=_data(folder, materials if clips else None),
        planned=counts((agent, tasks[task_id], condition) for task_id, agent, condition, _ in sorted(keys)),
    )


def _data(folder: Path, materials: Materials | None) -> dict[str, str]:
    files = {"tasks": folder / TASKS}
    if materials is not None and materials.folder is not None:
        files["manifest"] = materials.folder / MANIFEST
    return {name: sha256_file(file) for name, file in files.items()}


def _agent_info(candidate: Candidate, prompting: Prompting, kinds: Sequence[TaskKind]) -> AgentInfo:
    hashes = {kind: prompt_hash(kind, prompting) for kind in kinds}
    return AgentInfo(name=candidate.name, models=candidate.parts, variant=prompting.variant, prompts=hashes)
