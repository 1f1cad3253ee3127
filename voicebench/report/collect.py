"""Read a run's folder, with the clips it was heard on, as a report needs it."""

from pathlib import Path

from voicebench.audio.build import MANIFEST
from voicebench.errors import UserError
from voicebench.files import read_rows
from voicebench.report.run_data import RunData
from voicebench.running.engine import read_responses
from voicebench.running.materials import Materials, read_materials
from voicebench.running.run_info import RunInfo
from voicebench.running.runs import RESPONSES, SCORES, read_info, read_run_tasks
from voicebench.types import Scores


def read_run(folder: Path) -> RunData:
    """Return a run's facts, tasks, answers and scores, and the clips and transcripts of its tasks.

    Raises:
        UserError: The folder is no run, it is not scored yet, or a file is broken.
    """
    info = read_info(folder)
    if info is None:
        raise UserError(f"{folder}: no run here. Run: voicebench eval --run {folder}")
    if not (folder / SCORES).is_file():
        raise UserError(f"{folder}: not scored yet. Run: voicebench score --run {folder}")
    tasks = read_run_tasks(folder)
    known = {task.id for task in tasks}
    materials = _materials(folder, info)
    return RunData(
        info=info,
        tasks=tasks,
        scores=read_rows(folder / SCORES, Scores),
        responses=read_responses(folder / RESPONSES),
        manifest=[clip for clip in materials.clips.values() if clip.task_id in known],
        transcripts=[
            row for rows in materials.transcripts.values() for row in rows.values() if row.task_id in known
        ],
        failures=[failure for failure in materials.failures.values() if failure.task_id in known],
    )


def audio_folder(folder: Path, info: RunInfo) -> Path | None:
    """Return the audio folder of a run, or None where nothing was heard or it is gone."""
    if info.audio is None:
        return None
    audio = folder / info.audio
    return audio if (audio / MANIFEST).is_file() else None


def _materials(folder: Path, info: RunInfo) -> Materials:
    audio = audio_folder(folder, info)
    return read_materials(audio) if audio is not None else Materials()
