"""Export an audio folder as a Hugging Face audio data set: Parquet files and a data-set card.

    README.md                                 the card: what is in it, made how, under which licences
    data/<lang>/test-00000-of-00002.parquet   clips with their bytes, a few hundred megabytes a file

`datasets.load_dataset(folder)` reads it without any code, and a folder that is uploaded to a hub is a data
set there. The same clips give the same bytes (under one version of pyarrow).
"""

import logging
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voicebench.audio.clip_folder import FAILURES, MANIFEST
from voicebench.audio.dataset_card import card, is_untouched
from voicebench.audio.dataset_columns import Item, arrow, plain_columns, schema, values_of
from voicebench.errors import UserError
from voicebench.files import disk_error, last_of_each, read_rows, sha256_bytes, sha256_file, write_text
from voicebench.models import Progress, no_progress
from voicebench.types import FailureRow, ManifestRow, Task

log = logging.getLogger(__name__)

FOLDER = "parquet"
"""Where in the audio folder the data set goes, if nobody says otherwise."""

SHARD_MB = 450
_CARD, _DATA = "README.md", "data"
# Viewers read a group whole to show one row of it.
_GROUP_ROWS = 100
_GROUP_BYTES = 50_000_000
_SHARD_NAME = re.compile(r"test-\d{5}-of-\d{5}\.parquet")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
_NAMED = 3


@dataclass(frozen=True)
class Exported:
    """What an export wrote.

    Attributes:
        folder: The data set.
        shards: Its Parquet files.
        clips: How many clips are in it.
        without_text: How many of them are of tasks that were not at hand.
        size_bytes: Of all files together.
    """

    folder: Path
    shards: tuple[Path, ...]
    clips: int
    without_text: int
    size_bytes: int

    @property
    def summary(self) -> str:
        """What was written and how it is read, in two lines."""
        clips = "1 clip" if self.clips == 1 else f"{self.clips} clips"
        files = "1 file" if len(self.shards) == 1 else f"{len(self.shards)} files"
        return (
            f"{clips} in {files} ({self.size_bytes / 1e6:.1f} MB), with a card: {self.folder}\n"
            f"Load it: datasets.load_dataset({str(self.folder)!r})"
        )


def export(
    folder: Path,
    out: Path | None = None,
    *,
    shard_mb: float = SHARD_MB,
    tasks: Sequence[Task] | None = None,
    progress: Progress = no_progress,
) -> Exported:
    """Export an audio folder as a Hugging Face audio data set.

    It is written beside the place where it goes and moved there once it is whole. An older export there is
    replaced; any other file is left alone.

    Args:
        folder: A folder that `build-audio` wrote, or of the same shape.
        out: Where the data set goes; None is `parquet` in the folder.
        shard_mb: Clips of about so many megabytes go into one file.
        tasks: Where the written texts are taken from; a clip whose task is not among them has none (null).
        progress: Told (what, done, total) as clips are checked and written.

    Raises:
        MissingExtraError: pyarrow is not installed; the message is the install line.
        UserError: There are no clips, one is missing or is not what the manifest says, a card that was edited
            or a file of somebody else's is in the way, or the disk is full.
    """
    arrow()
    if shard_mb <= 0:
        raise UserError(f"a file cannot hold {shard_mb:g} MB. Give more than 0")
    out = folder / FOLDER if out is None else out
    items = _items(folder, tasks or ())
    _refuse_to_overwrite(out)
    sizes = _checked(folder, items, progress)
    rates = {item.row.sample_rate_hz for item in items}
    form = schema(rates.pop() if len(rates) == 1 else None)
    beside = out.with_name(f".{out.name}.{os.getpid()}.part")
    try:
        shards = []
        written = _Counter(progress, len(items))
        for lang in sorted({item.row.lang for item in items}):
            parts = list(_shards([item for item in items if item.row.lang == lang], sizes, shard_mb))
            for number, part in enumerate(parts):
                name = f"{_DATA}/{lang}/test-{number:05d}-of-{len(parts):05d}.parquet"
                _write(beside / name, folder, part, form, written)
                shards.append(name)
        write_text(beside / _CARD, card(items, _failures(folder)))
        size_bytes = sum(path.stat().st_size for path in beside.rglob("*") if path.is_file())
        _move(beside, out)
    except OSError as error:
        raise disk_error(out, error) from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    without = sum(item.text is None for item in items)
    if without:
        log.warning(
            "%d of %d clips are of tasks that are not at hand: their text is null", without, len(items)
        )
    return Exported(out, tuple(out / name for name in shards), len(items), without, size_bytes)


def _items(folder: Path, tasks: Sequence[Task]) -> list[Item]:
    """Return the clips of a folder, in an order that does not depend on when each was made."""
    manifest = folder / MANIFEST
    if not manifest.is_file():
        raise UserError(f"{folder}: no {MANIFEST} here. Run: voicebench build-audio --out {folder}")
    rows = last_of_each(
        read_rows(manifest, ManifestRow, tolerate_torn_end=True),
        lambda row: (row.task_id, row.turn, row.condition),
    )
    if not rows:
        raise UserError(f"{manifest}: holds no clips. Run: voicebench build-audio --out {folder}")
    for row in rows:
        if not _LANGUAGE.fullmatch(row.lang):
            raise UserError(f"{manifest}: {row.lang!r} is no language code (task {row.task_id!r})")
    by_id = {task.id: task for task in tasks}
    ordered = sorted(rows, key=lambda row: (row.lang, row.task_id, row.turn, row.condition))
    return [Item(row, by_id.get(row.task_id)) for row in ordered]


def _failures(folder: Path) -> list[FailureRow]:
    path = folder / FAILURES
    return read_rows(path, FailureRow, tolerate_torn_end=True) if path.is_file() else []


def _checked(folder: Path, items: Sequence[Item], progress: Progress) -> dict[str, int]:
    """Return the size in bytes of each clip's file, all of which are what the manifest says."""
    sizes: dict[str, int] = {}
    wrong: list[str] = []
    for done, item in enumerate(items):
        progress("checking clips", done, len(items))
        path = folder / item.row.path
        try:
            if sha256_file(path) == item.row.sha256:
                sizes[item.row.path] = path.stat().st_size
                continue
            problem = "is not what the manifest says"
        except FileNotFoundError:
            problem = "is missing"
        except OSError as error:
            problem = f"cannot be read ({error.strerror})"
        wrong.append(f"{item.row.path} {problem}")
        log.warning("%s: %s (%s)", folder, wrong[-1], item.id)
    progress("checking clips", len(items), len(items))
    if wrong:
        more = f" and {len(wrong) - _NAMED} more" if len(wrong) > _NAMED else ""
        raise UserError(
            f"{folder}: nothing is exported, for {', '.join(wrong[:_NAMED])}{more}. "
            "Build again; that makes what is missing or changed"
        )
    return sizes


def _shards(items: Sequence[Item], sizes: dict[str, int], shard_mb: float) -> Iterator[list[Item]]:
    """Yield the clips of each file, in order."""
    part: list[Item] = []
    room = limit = shard_mb * 1e6
    for item in items:
        size = sizes[item.row.path]
        if part and size > room:
            yield part
            part, room = [], limit
        part.append(item)
        room -= size
    yield part


class _Counter:
    """Tells how many clips are written."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0

    def add(self, count: int) -> None:
        self._done += count
        self._progress("writing clips", self._done, self._total)


def _write(path: Path, folder: Path, items: Sequence[Item], form: Any, written: _Counter) -> None:
    """Write one Parquet file; a group of rows is in memory at a time."""
    pa = arrow()
    plain = plain_columns()
    path.parent.mkdir(parents=True, exist_ok=True)
    # Sound does not repeat itself, and who searches for a clip's smallest and largest bytes?
    options = {"compression": "snappy", "use_dictionary": plain, "write_statistics": plain}
    with path.open("wb") as file:
        with pa.parquet.ParquetWriter(file, form, **options) as writer:
            for rows in _groups(folder, items):
                writer.write_table(pa.Table.from_pylist(rows, schema=form), row_group_size=len(rows))
                written.add(len(rows))
        file.flush()
        os.fsync(file.fileno())


def _groups(folder: Path, items: Sequence[Item]) -> Iterator[list[dict[str, Any]]]:
    rows: list[dict[str, Any]] = []
    size = 0
    for item in items:
        clip = (folder / item.row.path).read_bytes()
        if sha256_bytes(clip) != item.row.sha256:
            raise UserError(f"{folder / item.row.path}: changed while it was exported. Export again")
        rows.append(values_of(item, clip))
        size += len(clip)
        if len(rows) == _GROUP_ROWS or size > _GROUP_BYTES:
            yield rows
            rows, size = [], 0
    if rows:
        yield rows


def _refuse_to_overwrite(out: Path) -> None:
    """Refuse a place where something is that an export did not write."""
    if out.exists() and not out.is_dir():
        raise UserError(f"{out}: is a file, and the data set a folder. Give another --out")
    strange = [
        path for path in (out / _DATA).rglob("*") if path.is_file() and not _SHARD_NAME.fullmatch(path.name)
    ]
    if strange:
        raise UserError(
            f"{strange[0]}: was not written by an export, and is not replaced. Give another --out"
        )
    old = out / _CARD
    if old.is_file() and not is_untouched(old.read_text(encoding="utf-8", errors="replace")):
        raise UserError(
            f"{old}: was not written by an export or was edited since, and is not replaced. "
            "Move it away, or give another --out"
        )


def _move(beside: Path, out: Path) -> None:
    """Move a data set to its place, and what an older export left there away."""
    if not out.exists():
        beside.replace(out)
        return
    if (out / _DATA).exists():
        (out / _DATA).replace(beside / "old")
    (beside / _DATA).replace(out / _DATA)
    (beside / _CARD).replace(out / _CARD)
