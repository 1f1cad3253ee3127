"""Runs as folders, whole or in parts, for the tests of merging, listing and pruning."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.running.helpers import MODEL, make_task
from voicebench.files import sha256_json, write_rows
from voicebench.running.run_info import AgentInfo, Machine, RunInfo
from voicebench.running.runs import RESPONSES, TASKS, counts, write_info
from voicebench.types import ErrorInfo, ModelRef, Response, Task

AGENTS = ("stub", "व्हिस्पर+qwen")
CONDITIONS = ("speech", "text")
TASK_LIST = [make_task(number, lang) for lang in ("en", "hi", "th") for number in range(4)]


def row(task: Task, agent: str = "stub", condition: str = "text", trial: int = 0, **changed: Any) -> Response:
    """Return an answer as a run keeps it."""
    given: dict[str, Any] = {
        "task_id": task.id, "agent": agent, "condition": condition, "trial": trial, "text": "[music.play()]",
        "model": ModelRef(name=agent, revision="1"), "seed": trial, "tasks_version": "1",
        "prompt_sha256": sha256_json([task.id, condition]),
        "audio_sha256": sha256_json(task.id) if condition == "speech" else None,
    }  # fmt: skip
    return Response(**{**given, **changed})


def failed(task: Task, **changed: Any) -> Response:
    """Return an answer that is an error."""
    return row(task, text=None, error=ErrorInfo(kind="server", message="gone"), **changed)


def all_rows(tasks: Sequence[Task], *, trials: int = 2) -> list[Response]:
    """Return an answer of each agent to each task under each condition, in the order a run asks them."""
    return [
        row(task, agent, condition, trial)
        for agent in AGENTS
        for condition in CONDITIONS
        for trial in range(trials)
        for task in tasks
    ]


def make_run(
    folder: Path,
    tasks: Sequence[Task],
    rows: Sequence[Response],
    *,
    planned: Sequence[Response] | None = None,
    **changed: Any,
) -> Path:
    """Write a run.

    Args:
        folder: Its folder.
        tasks: Its tasks.
        rows: Its answers, in the order of the file.
        planned: What was planned, where that is more than `rows`.
        changed: Other facts than the usual ones.
    """
    by_id: Mapping[str, Task] = {task.id: task for task in tasks}
    wanted = {(r.task_id, r.agent, r.condition, r.trial) for r in (rows if planned is None else planned)}
    facts: dict[str, Any] = {
        "name": folder.name, "created": "2026-11-30T10:00:00+00:00", "command": "voicebench eval",
        "version": "0.1.0", "tasks_version": "1", "prompts_version": "1", "scoring_version": "1",
        "agents": tuple(AgentInfo(name=name, models=(MODEL,)) for name in AGENTS), "seeds": {"eval": 0},
        "conditions": CONDITIONS, "languages": tuple(dict.fromkeys(task.lang for task in tasks)), "trials": 2,
        "machine": Machine(python="3.12", platform="Linux"),
        "planned": counts((agent, by_id[i], way) for i, agent, way, _ in sorted(wanted) if i in by_id),
    }  # fmt: skip
    write_rows(folder / TASKS, tasks)
    write_rows(folder / RESPONSES, rows)
    write_info(folder, RunInfo(**{**facts, **changed}))
    return folder
