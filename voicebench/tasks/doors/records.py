"""Read the items of a file that is one JSON array, one JSON object around an array, or JSON Lines."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from voicebench.errors import UserError


def records(path: Path, where: str, *, inside: str | None = None) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each object of a file with its place, `file:line` or `file#number` (from 0).

    The suffix says nothing: other sets name JSON Lines `.json`.

    Args:
        path: The file.
        where: What to call it.
        inside: The key of the array, where an object is around it.

    Raises:
        UserError: The file cannot be read, or holds neither.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UserError(f"{where}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{where}: not UTF-8 ({error.reason})") from None
    try:
        whole = json.loads(text)
    except ValueError:
        yield from _lines(text, where)
        return
    if isinstance(whole, dict) and inside is not None and isinstance(whole.get(inside), list):
        whole = whole[inside]
    for place, item in enumerate(whole if isinstance(whole, list) else [whole]):
        yield _object(item, f"{where}#{place}")


def _lines(text: str, where: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            item = json.loads(line)
        except ValueError as error:
            raise UserError(f"{where}:{number}: neither one JSON array nor JSON Lines ({error})") from None
        yield _object(item, f"{where}:{number}")


def _object(item: Any, where: str) -> tuple[str, Mapping[str, Any]]:
    if not isinstance(item, dict):
        raise UserError(f"{where}: must be a JSON object, not {type(item).__name__}")
    return where, item
