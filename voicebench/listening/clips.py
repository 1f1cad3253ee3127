"""The clips of audio folders, with the words that were asked for and what made each."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from voicebench.audio.build import MANIFEST
from voicebench.errors import UserError, did_you_mean
from voicebench.files import last_of_each, read_rows
from voicebench.types import ManifestRow, ModelRef, Task

NO_VOICE = "unknown"


@dataclass(frozen=True)
class Clip:
    """A clip that somebody may hear.

    Attributes:
        row: Its line of the manifest.
        path: Its file.
        engine: What made it: the synthesizer's name, with the converter's where there was one.
        written: The turn as it stands in the task; None where the task is not at hand.
    """

    row: ManifestRow
    path: Path
    engine: str
    written: str | None = None

    @property
    def voice(self) -> str:
        """The id of the voice."""
        return self.row.voice.id if self.row.voice else NO_VOICE


def read_clips(
    folders: Sequence[Path],
    tasks: Mapping[str, Task],
    *,
    langs: Sequence[str] | None = None,
    conditions: Sequence[str] | None = None,
) -> list[Clip]:
    """Return the clips of folders, in the order of their manifests; one that stands in two, once.

    Args:
        folders: Folders that `build-audio` wrote, or of the same shape.
        tasks: Tasks by id, for the written text of a clip.
        langs: Keep only these languages; None keeps all.
        conditions: Keep only these conditions; None keeps all.

    Raises:
        UserError: A folder has no manifest, a row is wrong, or a wanted language or condition is not there.
    """
    rows = [(folder, row) for folder in folders for row in _manifest(folder)]
    _require("--lang", langs, (row.lang for _, row in rows))
    _require("--condition", conditions, (row.condition for _, row in rows))
    names = _engine_names(row for _, row in rows)
    found: dict[tuple[str, int, str, str, str], Clip] = {}
    for folder, row in rows:
        if (langs and row.lang not in langs) or (conditions and row.condition not in conditions):
            continue
        engine = "+".join(names[model] for model in _models(row))
        clip = Clip(row, folder / row.path, engine, _written(tasks.get(row.task_id), row.turn))
        found.setdefault((row.task_id, row.turn, row.condition, engine, row.sha256), clip)
    if not found:
        raise UserError(f"{', '.join(map(str, folders))}: no clips to listen to")
    return list(found.values())


def _manifest(folder: Path) -> list[ManifestRow]:
    path = folder / MANIFEST
    if not path.is_file():
        raise UserError(f"{folder}: no {MANIFEST} here. Run: voicebench build-audio --out {folder}")
    rows = read_rows(path, ManifestRow, tolerate_torn_end=True)
    return last_of_each(rows, lambda row: (row.task_id, row.turn, row.condition))


def _models(row: ManifestRow) -> tuple[ModelRef, ...]:
    return (row.synthesizer,) if row.converter is None else (row.synthesizer, row.converter)


def _engine_names(rows: Iterable[ManifestRow]) -> dict[ModelRef, str]:
    """Return what to call each model: its name, with the revision where there are several of it."""
    revisions: dict[str, set[ModelRef]] = defaultdict(set)
    for row in rows:
        for model in _models(row):
            revisions[model.name].add(model)
    return {
        model: name if len(models) == 1 else f"{name}@{(model.revision or 'none')[:12]}"
        for name, models in revisions.items()
        for model in models
    }


def _written(task: Task | None, turn: int) -> str | None:
    return task.turns[turn].text if task is not None and 0 <= turn < len(task.turns) else None


def _require(option: str, wanted: Sequence[str] | None, there: Iterable[str]) -> None:
    known = set(there)
    for name in wanted or ():
        if name not in known:
            raise UserError(f"{option} {name!r}: no clip is of this.{did_you_mean(name, known)}")
