"""Recordings from a Hugging Face audio data set: streamed from the hub, or a folder of parquet files.

The columns of Kathbath (IndicSUPERB) and Common Voice are known; others are named by options. Nothing but the
recordings that are heard is downloaded. Sound is decoded by `voicebench.audio.io` alone.
"""

import itertools
import logging
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from voicebench.audio.io import read_audio
from voicebench.audio.references.recording import Recording, gender_of, language_of
from voicebench.errors import MissingExtraError, UserError, did_you_mean, first_line
from voicebench.models import hub_answers
from voicebench.types import Audio

log = logging.getLogger(__name__)

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "audio": ("audio", "audio_filepath", "speech"),
    "speaker": ("speaker_id", "client_id", "speaker", "spk_id", "user_id"),
    "lang": ("lang", "language", "locale"),
    "gender": ("gender", "sex"),
    "licence": ("licence", "license"),
    "origin": ("fname", "path", "id", "file", "segment_id"),
}
"""What is read of a row, and the columns that hold it in known data sets, best first."""

_NEEDED = ("audio", "speaker")


def parse_columns(given: Mapping[str, str]) -> dict[str, str]:
    """Check a mapping from ours to a data set's column names.

    Raises:
        UserError: A key is none of ours.
    """
    for key in given:
        if key not in COLUMNS:
            raise UserError(f"--column {key!r} is unknown.{did_you_mean(key, COLUMNS)}")
    return dict(given)


def dataset_recordings(
    name: str,
    *,
    config: str | None = None,
    split: str = "train",
    columns: Mapping[str, str] | None = None,
    lang: str | None = None,
    licence: str | None = None,
    source: str | None = None,
    limit: int | None = None,
) -> Iterator[Recording]:
    """Return the recordings of a data set, one by one as they arrive; its first row is read at once.

    Args:
        name: A data set of the hub, or a folder of parquet files.
        config: Which of the data set's configurations (a language, mostly).
        split: Which split; of a folder, the files whose names begin with it, or all where none does.
        columns: Names of columns where they are not known ones (keys of `COLUMNS`).
        lang: The language, where no column says it.
        licence: The licence, where no column says it.
        source: Where the recordings are from; the hub's name of the data set where it is not given.
        limit: At most so many rows are read.

    Raises:
        MissingExtraError: `datasets` is not installed.
        UserError: The hub does not give it, the folder holds no parquet file, a column is missing, or the
            licence or the source is not said.
    """
    local = Path(name).is_dir()
    named = source or _name(name, config, local=local)
    if not named:
        raise UserError(f"{name}: nobody says where it is from. Give --source")
    rows = _guarded(_rows(name, config, split, local=local), name)
    first = next(rows, None)
    if first is None:
        raise UserError(f"{name}: split {split!r} is empty")
    found = _columns(name, first, parse_columns(columns or {}))
    if licence is None and "licence" not in found:
        raise UserError(f"{name}: no column says the licence. Read the data set's card and give --licence")
    return (
        _recording(number, row, found, lang=lang, licence=licence, source=named)
        for number, row in enumerate(itertools.islice(itertools.chain([first], rows), limit))
    )


def _name(name: str, config: str | None, *, local: bool) -> str:
    """Return a data set's name as a source; a folder has none."""
    if local:
        return ""
    return f"{name}/{config}" if config else name


def _rows(name: str, config: str | None, split: str, *, local: bool) -> Iterator[dict[str, Any]]:
    try:
        import datasets
    except ImportError:
        raise MissingExtraError("datasets", "voices", "datasets") from None
    if local:
        files = sorted(str(path) for path in Path(name).rglob("*.parquet"))
        if not files:
            raise UserError(f"{name}: holds no parquet file")
        files = [file for file in files if Path(file).name.startswith(split)] or files
        stream = datasets.load_dataset("parquet", data_files={split: files}, split=split, streaming=True)
    else:
        if not hub_answers():
            raise UserError(
                f"{name}: the hub cannot be reached. Check the network, or give a folder of its parquet files"
            )
        stream = datasets.load_dataset(name, config, split=split, streaming=True)
    for column, feature in (stream.features or {}).items():
        if isinstance(feature, datasets.Audio):
            # As bytes: decoding is ours, and theirs wants one more package.
            stream = stream.cast_column(column, datasets.Audio(decode=False))
    yield from stream


def _guarded(rows: Iterator[dict[str, Any]], name: str) -> Iterator[dict[str, Any]]:
    """Pass rows on; what the hub's client raises becomes one line."""
    try:
        yield from rows
    except UserError:
        raise
    except Exception as error:
        log.debug("%s", name, exc_info=error)
        raise UserError(
            f"{name}: the data set could not be read ({first_line(error)}). "
            "Check its name, --config and --split, and whether its terms were accepted (hf auth login)"
        ) from None


def _columns(name: str, row: Mapping[str, Any], given: Mapping[str, str]) -> dict[str, str]:
    for key, column in given.items():
        if column not in row:
            raise UserError(f"{name}: has no column {column!r} for {key}.{did_you_mean(column, row)}")
    found = dict(given)
    for key, known in COLUMNS.items():
        there = next((column for column in known if column in row), None)
        if there is not None:
            found.setdefault(key, there)
    for key in _NEEDED:
        if key not in found:
            raise UserError(
                f"{name}: which column holds the {key}? Give --column {key}=NAME. "
                f"There are: {', '.join(sorted(row))}"
            )
    return found


def _recording(
    number: int,
    row: Mapping[str, Any],
    columns: Mapping[str, str],
    *,
    lang: str | None,
    licence: str | None,
    source: str,
) -> Recording:
    said = {key: row[column] for key, column in columns.items() if row.get(column) not in (None, "")}
    name = said.get("origin")
    origin = f"{number}" if name is None else Path(str(name)).name
    sound = said.get("audio")
    return Recording(
        origin=origin,
        speaker=str(said.get("speaker", "")).strip() or f"row-{number}",
        source=source,
        licence=str(said["licence"]).strip() if "licence" in said else licence,
        load=lambda: _decoded(sound, origin),
        lang=language_of(said["lang"]) if "lang" in said else language_of(lang),
        gender=gender_of(said.get("gender")),
    )


def _decoded(sound: Any, origin: str) -> Audio:
    if isinstance(sound, Mapping):
        sound = sound.get("bytes") or sound.get("path")
    if isinstance(sound, bytes):
        try:
            return read_audio(sound)
        except UserError as error:
            raise UserError(f"{origin}: {str(error).removeprefix('audio: ')}") from None
    if isinstance(sound, str) and sound:
        return read_audio(sound)
    raise UserError(f"{origin}: the row holds no sound")
