"""JSON Lines in and out: errors with file and line, appends that survive a crash, torn ends repaired."""

import errno
import hashlib
import json
import logging
import os
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self, TypeVar, get_args

import numpy as np
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, PydanticSerializationError, from_json
from pydantic_core import to_json as json_bytes

from voicebench.errors import UserError, did_you_mean
from voicebench.types import Row, Scores

log = logging.getLogger(__name__)
R = TypeVar("R", bound=Row)

_DIGEST_BYTES = 16


def sha256_bytes(data: bytes) -> str:
    """Return the SHA-256 of bytes as 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def sha256_json(value: Any) -> str:
    """Return the SHA-256 of a JSON value, independent of key order and of letters' escapes."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha256_bytes(text.encode("utf-8", "surrogatepass"))


def sha256_file(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def to_json(row: Row) -> dict[str, Any]:
    """Return a row as JSON values: absent keys left out, an unscored figure kept as null."""
    data: dict[str, Any] = row.model_dump(mode="json", exclude_defaults=True)
    for call in data.get("calls", ()):
        call.setdefault("arguments", {})
    if isinstance(row, Scores):
        data |= dict.fromkeys(row.unscored)
    return data


def to_line(row: Row) -> str:
    """Return a row as one line of JSON for people to read, letters as they are, without the line break."""
    return json.dumps(to_json(row), ensure_ascii=False)


def encoded(row: Row) -> bytes:
    """Return a row's line in UTF-8, without a space; half surrogates, which it cannot hold, as escapes."""
    data = to_json(row)
    try:
        return json_bytes(data)
    except PydanticSerializationError:
        return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")


def parse_row(line: str, model: type[R], where: str) -> R:
    """Read one line.

    Args:
        line: A JSON object.
        model: The row's type.
        where: `file:line`, for the error.

    Raises:
        UserError: The line is no JSON object, or does not fit; the message starts with `where`.
    """
    return parse_object(_object(line, where), model, where)


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        data = _parsed(line)
        if "\\u" in line:
            data = _writable(data)
    except (ValueError, RecursionError) as error:
        raise UserError(f"{where}: not JSON ({error})") from None
    if not isinstance(data, dict):
        raise UserError(f"{where}: a line must hold a JSON object, not {type(data).__name__}")
    return data


def _parsed(line: str) -> Any:
    try:
        return from_json(line)
    # The standard library is slower, but says what is wrong, and takes half a surrogate pair.
    except ValueError:
        return json.loads(line)


def _writable(data: Any) -> Any:
    """Return a JSON value as UTF-8 can hold it: with U+FFFD for half surrogates, which escapes can write."""
    text = json.dumps(data, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    return data


def parse_object(data: dict[str, Any], model: type[R], where: str) -> R:
    """Check one JSON object against a row's type; `null` means the same as absent.

    Raises:
        UserError: An unknown or missing key, or a wrong type; the message starts with `where`.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise UserError(f"{where}: {describe(error, model)}") from None


def describe(error: ValidationError, model: type[Row]) -> str:
    """Return a validation error as one line: the key, what is wrong, and the key that was probably meant."""
    return "; ".join(mistakes(error, model)[:3])


def mistakes(error: ValidationError, model: type[Row]) -> list[str]:
    """Return each mistake of a validation error, as `describe` words it."""
    said = []
    items = error.errors(include_url=False)
    for item in items:
        loc = item["loc"]
        key = ".".join(str(part) for part in loc)
        if item["type"] == "extra_forbidden":
            said.append(f"unknown key {key!r}.{did_you_mean(str(loc[-1]), _known_keys(model, loc))}")
        elif item["type"] == "missing":
            said.append(f"key {key!r} is missing")
        elif not _is_echo(item, items):
            message = item["msg"].removeprefix("Value error, ")
            said.append(f"{key}: {message}" if key else message)
    return said


def _is_echo(item: ErrorDetails, items: Sequence[ErrorDetails]) -> bool:
    """Tell whether an error only follows from others: a list too short without its wrong items, for one."""
    loc = item["loc"]
    if item["type"] == "too_short":
        return any(other["loc"][: len(loc)] == loc and other is not item for other in items)
    return bool(loc) and loc[-1] == "str" and isinstance(item["input"], dict)


def _known_keys(model: type[Row], loc: tuple[int | str, ...]) -> Iterable[str]:
    for part in loc[:-1]:
        if part in model.model_fields:
            inner = _row_inside(model.model_fields[str(part)].annotation)
            if inner is None:
                return ()
            model = inner
    return model.model_fields


def _row_inside(annotation: Any) -> type[Row] | None:
    if isinstance(annotation, type) and issubclass(annotation, Row):
        return annotation
    return next((row for part in get_args(annotation) if (row := _row_inside(part))), None)


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line number from 1, text) of each line that is not blank.

    Raises:
        UserError: The file is missing, unreadable or not UTF-8.
    """
    try:
        with path.open("rb") as file:
            for number, raw in enumerate(file, start=1):
                try:
                    text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError as error:
                    raise UserError(f"{path}:{number}: not UTF-8 ({error.reason})") from None
                if text.strip():
                    yield number, text
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None


def read_rows(path: Path, model: type[R], *, tolerate_torn_end: bool = False) -> list[R]:
    """Read a JSON Lines file.

    Args:
        path: The file.
        model: The type of its rows.
        tolerate_torn_end: Leave out, with a warning, a last line that a crash cut short.

    Raises:
        UserError: The file is missing or a line is wrong (`file:line: …`).
    """
    return list(iterate_rows(path, model, tolerate_torn_end=tolerate_torn_end))


def iterate_rows(
    path: Path,
    model: type[R],
    *,
    tolerate_torn_end: bool = False,
    prepared: Callable[[dict[str, Any]], dict[str, Any]] | None = None,
) -> Iterator[R]:
    """Read a JSON Lines file row by row, as `read_rows` does, and keep none.

    Args:
        path: The file.
        model: The rows' type.
        tolerate_torn_end: Leave out, with a warning, a last line that a crash cut short.
        prepared: Makes of each JSON object the one that is checked.
    """
    for number, line in _whole_lines(path, tolerate_torn_end):
        where = f"{path}:{number}"
        data = _object(line, where)
        yield parse_object(data if prepared is None else prepared(data), model, where)


def _whole_lines(path: Path, tolerate_torn_end: bool) -> Iterator[tuple[int, str]]:
    for number, line in read_lines(path):
        if tolerate_torn_end and not line.endswith("\n") and not _is_json(line):
            log.warning("%s:%d: the last line was cut short and is left out", path, number)
            return
        yield number, line


def iterate_last_of_each(
    path: Path, model: type[R], keys: type[BaseModel], key: Callable[[Any], Hashable]
) -> Iterator[R]:
    """Read the last row of each key, in the file's order, row by row.

    The file is read twice: for the keys, of which 16 bytes a row are kept, and for the rows. A last line that
    a crash cut short is left out.

    Args:
        path: The file.
        model: The rows' type.
        keys: Holds of a row what its key is made of, and ignores the rest.
        key: Makes the key of a row, or of what `keys` holds of it.

    Raises:
        UserError: The file is missing or a line is wrong; one without a key before any row is out.
    """
    digests = bytearray()
    for number, line in _whole_lines(path, True):
        try:
            name = key(keys.model_validate_json(line))
        # What is wrong with it is said by the row's own type, which also takes half surrogates.
        except ValidationError:
            name = key(parse_row(line, model, f"{path}:{number}"))
        data = repr(name).encode("utf-8", "surrogatepass")
        digests += hashlib.blake2b(data, digest_size=_DIGEST_BYTES).digest()
    backwards = np.frombuffer(digests, dtype=f"S{_DIGEST_BYTES}")[::-1]
    last = np.zeros(len(backwards), dtype=bool)
    last[np.unique(backwards, return_index=True)[1]] = True
    for is_last, row in zip(last[::-1], iterate_rows(path, model), strict=False):
        if is_last:
            yield row


def last_of_each(rows: Iterable[R], key: Callable[[R], Hashable]) -> list[R]:
    """Return the last row of each key, in the order in which the keys first came."""
    return list({key(row): row for row in rows}.values())


def compact(path: Path, model: type[R], keys: type[BaseModel], key: Callable[[Any], Hashable]) -> None:
    """Rewrite a JSON Lines file that was appended to with the last row of each key, row by row.

    Args:
        path: The file.
        model: The rows' type.
        keys: Holds of a row what its key is made of, and ignores the rest.
        key: Makes the key of a row, or of what `keys` holds of it.

    Raises:
        UserError: A row is wrong, or the file cannot be written.
    """
    write_rows(path, iterate_last_of_each(path, model, keys, key))


def write_rows(path: Path, rows: Iterable[R]) -> int:
    """Write a JSON Lines file whole, row by row: beside it first, then moved into place.

    Returns:
        How many rows were written.

    Raises:
        UserError: The disk is full or the folder cannot be written; or `rows` raises it. What stood in the
            file then still does.
    """
    return write_lines(path, (encoded(row) for row in rows))


def write_lines(path: Path, lines: Iterable[bytes]) -> int:
    """Write a file whole, line by line, as `write_rows` does.

    Args:
        path: The file.
        lines: Its lines in UTF-8, without line breaks.

    Returns:
        How many lines were written.

    Raises:
        UserError: The disk is full or the folder cannot be written; or `lines` raises it. What stood in the
            file then still does.
    """
    count = 0
    with _replacing(path) as file:
        for line in lines:
            file.write(line + b"\n")
            count += 1
    return count


def write_text(path: Path, text: str) -> None:
    """Write a text file whole (UTF-8): beside it first, then moved into place, so it is never half there.

    Raises:
        UserError: The disk is full or the folder cannot be written.
    """
    write_bytes(path, text.encode("utf-8", "backslashreplace"))


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole, as `write_text` does.

    Raises:
        UserError: The disk is full or the folder cannot be written.
    """
    with _replacing(path) as file:
        file.write(data)


@contextmanager
def _replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a file beside another one, and move it into its place once it is whole."""
    # Named so that two threads or processes that write one file at a time do not meet.
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError):
            raise disk_error(path, error) from None
        raise


def disk_error(path: Path, error: OSError) -> UserError:
    """Return the user's error for a failed write: what, where, what next."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return UserError(
            f"{path}: the disk is full. What was finished is kept; make room and run the same command again"
        )
    return UserError(f"{path}: cannot be written ({error.strerror or error})")


class Appender:
    """Appends rows to a JSON Lines file so that a finished row outlives a crash.

    Opening repairs a last line that an earlier crash cut short; each `add` is flushed and synced before it
    returns.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _repair_torn_end(path)
            self._file = path.open("ab", buffering=0)
        except OSError as error:
            raise disk_error(path, error) from None

    def add(self, *rows: Row) -> None:
        """Append rows and sync them to disk.

        Raises:
            UserError: The disk is full; the file is cut back to its last whole row.
        """
        data = b"".join(encoded(row) + b"\n" for row in rows)
        end = os.fstat(self._file.fileno()).st_size
        try:
            view = memoryview(data)
            while view:
                view = view[self._file.write(view) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            os.ftruncate(self._file.fileno(), end)
            raise disk_error(self.path, error) from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def _repair_torn_end(path: Path) -> None:
    if not path.exists() or path.stat().st_size == 0:
        return
    with path.open("rb+") as file:
        data = file.read()
        if data.endswith(b"\n"):
            return
        start = data.rfind(b"\n") + 1
        tail = data[start:].decode("utf-8", "replace")
        if _is_json(tail):
            file.write(b"\n")
        else:
            log.warning("%s: the last line was cut short by a crash and is dropped", path)
            file.truncate(start)
