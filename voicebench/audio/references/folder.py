"""Recordings from a folder of audio files, with a table of who speaks (CSV or JSON Lines) or without."""

import csv
import io
import json
import logging
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from voicebench.audio.io import read_audio
from voicebench.audio.references.recording import Recording, gender_of, language_of
from voicebench.errors import UserError, did_you_mean
from voicebench.files import read_lines
from voicebench.types import Audio

log = logging.getLogger(__name__)

SUFFIXES = frozenset({".wav", ".flac", ".ogg", ".opus", ".mp3", ".aiff", ".aif", ".au", ".w64", ".m4a"})
"""Files that are taken for recordings where no table names them; what they are, their content says."""

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "file": ("file", "path", "file_name", "filename", "audio"),
    "speaker": ("speaker", "speaker_id"),
    "lang": ("lang", "language", "locale"),
    "gender": ("gender", "sex"),
    "licence": ("licence", "license"),
    "source": ("source",),
}
"""What a table says of a recording, and the column names that are understood."""


def folder_recordings(
    folder: Path,
    *,
    metadata: Path | None = None,
    lang: str | None = None,
    licence: str | None = None,
    source: str | None = None,
) -> list[Recording]:
    """Return the recordings of a folder.

    Without a table, a file in a subfolder is of the speaker of that name, and one at the top is a speaker of
    its own. With one, only the files that it names are taken, and what it says goes before the options.

    Args:
        folder: Searched with all its subfolders.
        metadata: A .csv or .jsonl file; paths in it are relative to `folder`.
        lang: Language of recordings whose table says nothing.
        licence: Licence of these.
        source: Where these are from.

    Raises:
        UserError: The folder cannot be read or holds no recording, the table is broken or names a file twice,
            or neither it nor the options say the licence and the source.
    """
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder")
    given = {"lang": lang, "licence": licence, "source": source}
    if metadata is None:
        _require(given, (), folder)
        files = _files(folder)
        if not files:
            raise UserError(f"{folder}: holds no recording ({', '.join(sorted(SUFFIXES))})")
        return [_recording(folder, name, _told_by_path(name), given) for name in files]
    rows = read_table(metadata)
    _require(given, {key for row in rows for key in row}, metadata)
    seen: set[str] = set()
    for number, row in enumerate(rows, start=1):
        name = row.get("file")
        if not name:
            raise UserError(f"{metadata}: row {number} names no file")
        if name in seen:
            raise UserError(f"{metadata}: row {number} names {name!r} for the second time")
        seen.add(name)
    return [_recording(folder, row["file"], {**_told_by_path(row["file"]), **row}, given) for row in rows]


def read_table(path: Path) -> list[dict[str, str]]:
    """Read a CSV or JSON Lines table as rows of the keys of `COLUMNS`; empty cells are left out.

    Raises:
        UserError: The file is missing or broken, empty, or has no column of file names.
    """
    raw = _jsonl_rows(path) if path.suffix in (".jsonl", ".ndjson") else _csv_rows(path)
    ours = {name: key for key, names in COLUMNS.items() for name in names}
    rows, left_out = [], set()
    for row in raw:
        said = {key.strip().lower(): value for key, value in row.items() if key}
        left_out |= said.keys() - ours.keys()
        rows.append(
            {
                ours[k]: str(v).strip()
                for k, v in said.items()
                if k in ours and v is not None and str(v).strip()
            }
        )
    if not rows:
        raise UserError(f"{path}: holds no row")
    if not any("file" in row for row in rows):
        raise UserError(f"{path}: has no column 'file'.{did_you_mean('file', left_out)}")
    if left_out:
        log.info("%s: columns not read: %s", path, ", ".join(sorted(left_out)))
    return rows


def _csv_rows(path: Path) -> list[dict[str, Any]]:
    text = "".join(line for _, line in read_lines(path))
    try:
        return list(csv.DictReader(io.StringIO(text), delimiter="\t" if path.suffix == ".tsv" else ","))
    except csv.Error as error:
        raise UserError(f"{path}: no table of commas ({error})") from None


def _jsonl_rows(path: Path) -> list[dict[str, Any]]:
    rows = []
    for number, line in read_lines(path):
        try:
            row = json.loads(line)
        except ValueError as error:
            raise UserError(f"{path}:{number}: not JSON ({error})") from None
        if not isinstance(row, dict):
            raise UserError(f"{path}:{number}: a line must hold a JSON object")
        rows.append(row)
    return rows


def _require(given: Mapping[str, str | None], columns: Iterable[str], where: Path) -> None:
    for key, why in (("licence", "what may be done with it"), ("source", "who recorded it")):
        if not given[key] and key not in columns:
            raise UserError(
                f"{where}: says no {key} ({why}). Give --{key}, or a column {key!r} in --metadata"
            )


def _files(folder: Path) -> list[str]:
    try:
        found = [path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES and path.is_file()]
        next(folder.iterdir(), None)  # rglob passes over a folder that may not be read
    except OSError as error:
        raise UserError(f"{folder}: cannot be read ({error.strerror})") from None
    return sorted(path.relative_to(folder).as_posix() for path in found)


def _told_by_path(name: str) -> dict[str, str]:
    path = Path(name)
    return {"speaker": path.parent.name or path.stem}


def _recording(
    folder: Path, name: str, told: Mapping[str, str], given: Mapping[str, str | None]
) -> Recording:
    path = folder / name

    def load() -> Audio:
        return read_audio(path)

    said = {**{key: value for key, value in given.items() if value}, **told}
    return Recording(
        origin=name,
        speaker=said["speaker"],
        source=said.get("source"),
        licence=said.get("licence"),
        load=load,
        lang=language_of(said.get("lang")),
        gender=gender_of(said.get("gender")),
    )
