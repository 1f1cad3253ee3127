"""Read what can be compared: a run of ours, or score rows from anywhere."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from voicebench.errors import UserError
from voicebench.files import read_rows
from voicebench.report.collect import read_run
from voicebench.report.merge import Merged, merge
from voicebench.report.run_data import RunData
from voicebench.running.engine import read_responses
from voicebench.running.run_info import PlannedCount, RunInfo
from voicebench.running.runs import INFO, RESPONSES, SCORES
from voicebench.types import ManifestRow, Scores, Task


@dataclass(frozen=True)
class Source:
    """Scores with what is known about them.

    Attributes:
        path: Where they were read from, as the user wrote it.
        merged: The answers, brought together as a report does.
        scores: The score rows.
        info: What made them; its names are empty for rows from anywhere.
        clips: The clips that were heard, by task, turn and condition.
        plan_known: Whether it is known what was to be scored; otherwise that is what has a row.
    """

    path: Path
    merged: Merged
    scores: Sequence[Scores]
    info: RunInfo
    clips: Mapping[tuple[str, int, str], ManifestRow]
    plan_known: bool


def read_source(path: Path, tasks: Sequence[Task] | None = None) -> Source:
    """Read a run's folder, a folder with scores.jsonl, or a file of score rows.

    Args:
        path: The folder or file; a run's own scores.jsonl stands for the run.
        tasks: What was to be scored, for rows from anywhere; a run knows it by itself.

    Raises:
        UserError: There are no scores at the path, or a row is wrong.
    """
    folder = path.parent if path.is_file() and path.name == SCORES else path
    if (folder / INFO).is_file():
        run = read_run(folder)
        return _source(path, run, plan_known=bool(run.info.planned))
    file = path / SCORES if path.is_dir() else path
    if not file.is_file():
        raise UserError(
            f"{path}: no scores here. Make them with: voicebench eval --run {path}, "
            f"or voicebench score --responses FILE --out {path}"
        )
    rows = read_rows(file, Scores)
    if not rows:
        raise UserError(f"{file}: empty. Make scores with: voicebench score --responses FILE --out DIR")
    beside = file.parent / RESPONSES
    scored = {(row.task_id, row.agent, row.condition, row.trial) for row in rows}
    responses = [
        row for row in read_responses(beside)
        if (row.task_id, row.agent, row.condition, row.trial) in scored
    ]  # fmt: skip
    info = _unknown_maker(path, rows, tasks or ())
    return _source(path, RunData(info, tasks or (), rows, responses), plan_known=tasks is not None)


def _source(path: Path, run: RunData, *, plan_known: bool) -> Source:
    clips = {(row.task_id, row.turn, row.condition): row for row in run.manifest}
    return Source(path, merge([run]), run.scores, run.info, clips, plan_known)


def _unknown_maker(path: Path, rows: Sequence[Scores], tasks: Sequence[Task]) -> RunInfo:
    """Return the facts of rows from anywhere: their versions, and (tasks given) what was to be scored."""
    columns = dict.fromkeys((row.agent, row.condition) for row in rows)
    planned = []
    for (agent, condition), task in product(columns, tasks):
        trials = {row.trial for row in rows if (row.agent, row.condition) == (agent, condition)}
        planned.append(
            PlannedCount(agent=agent, task=task.task, lang=task.lang, condition=condition, n=len(trials))
        )
    return RunInfo(
        name=str(path),
        created="",
        command="",
        version="",
        tasks_version=rows[0].tasks_version or "",
        prompts_version="",
        scoring_version=rows[0].scoring_version,
        planned=tuple(planned),
    )
