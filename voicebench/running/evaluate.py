"""Evaluate agents in a run's folder: plan, ask, keep, score."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

from voicebench import PROMPTS_VERSION, SCORING_VERSION, TASKS_VERSION, __version__
from voicebench.errors import UserError
from voicebench.files import write_rows
from voicebench.models import Progress, no_progress
from voicebench.running.candidates import Candidate
from voicebench.running.engine import Outcome, ask, iterate_responses, key_of, read_responses
from voicebench.running.materials import Materials
from voicebench.running.plan import Planned, plan
from voicebench.running.run_info import AgentInfo, Machine, RunInfo
from voicebench.running.runs import (
    RESPONSES,
    SCORES,
    counts,
    keep_tasks,
    merge_info,
    read_info,
    read_run_tasks,
    relative,
    write_info,
)
from voicebench.scoring.score import score, score_stream
from voicebench.types import Prompting, Response, Scores, Task

log = logging.getLogger(__name__)


DEFAULT_PROMPTING = Prompting()


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
    """

    conditions: tuple[str, ...]
    trials: int = 1
    seed: int = 0
    prompting: Prompting = DEFAULT_PROMPTING
    command: str = ""
    notes: tuple[str, ...] = ()
    gpu: str | None = None


def evaluate(
    folder: Path,
    candidates: Sequence[Candidate],
    tasks: Sequence[Task],
    options: Options,
    materials: Materials | None = None,
    *,
    progress: Progress = no_progress,
) -> list[Outcome]:
    """Ask agents a set of tasks and keep the answers in a run's folder.

    Args:
        folder: The run's folder, held for writing (`voicebench.running.runs.opened`).
        candidates: The agents, asked one after the other.
        tasks: What is asked.
        options: How it is asked.
        materials: Clips and transcripts; None where only words are given.
        progress: Told how it goes on.

    Returns:
        One outcome an agent.

    Raises:
        UserError: No task, an unknown condition, no clip for one, or an agent that refuses to be made.
    """
    if not tasks:
        raise UserError("no task is left to ask. See: voicebench tasks stats")
    materials = materials or Materials()
    planned = plan(
        tasks, options.conditions, materials,
        trials=options.trials, seed=options.seed, prompting=options.prompting,
    )  # fmt: skip
    all_tasks = {task.id: task for task in keep_tasks(folder, tasks)}
    before = read_responses(folder / RESPONSES)
    info = _describe(folder, candidates, planned, before, all_tasks, options, materials)
    write_info(folder, merge_info(read_info(folder), info))
    return [
        ask(
            planned, name=candidate.name, model=candidate.model, make=candidate.make, materials=materials,
            path=folder / RESPONSES, with_gold=candidate.sees_gold, progress=progress,
        )
        for candidate in candidates
    ]  # fmt: skip


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


def _describe(
    folder: Path,
    candidates: Sequence[Candidate],
    planned: Sequence[Planned],
    before: Sequence[Response],
    tasks: dict[str, Task],
    options: Options,
    materials: Materials,
) -> RunInfo:
    names = {candidate.name for candidate in candidates}
    keys = {key_of(row) for row in before if row.agent in names and row.task_id in tasks}
    keys |= {(item.task.id, name, item.condition, item.trial) for item in planned for name in names}
    clips = [clip for item in planned for clip in item.clips if clip is not None]
    return RunInfo(
        name=folder.name,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        command=options.command,
        version=__version__,
        tasks_version=TASKS_VERSION,
        prompts_version=PROMPTS_VERSION,
        scoring_version=SCORING_VERSION,
        agents=tuple(AgentInfo(name=item.name, models=item.parts) for item in candidates),
        synthesizers=tuple(dict.fromkeys(clip.synthesizer for clip in clips)),
        converters=tuple(dict.fromkeys(clip.converter for clip in clips if clip.converter is not None)),
        encoders=tuple(dict.fromkeys(clip.encoder for clip in clips if clip.encoder is not None)),
        encoder_reason=materials.encoder_reason if clips else None,
        seeds={"eval": options.seed, **({"audio": clips[0].seed} if clips else {})},
        conditions=options.conditions,
        languages=tuple(dict.fromkeys(item.task.lang for item in planned)),
        trials=options.trials,
        prompting=options.prompting,
        audio=relative(materials.folder, folder) if materials.folder is not None else None,
        notes=options.notes,
        machine=Machine.here(options.gpu),
        planned=counts((agent, tasks[task_id], condition) for task_id, agent, condition, _ in sorted(keys)),
    )
