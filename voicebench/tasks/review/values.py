"""Accepted values as people read and write them: one a line, and the same list again when read back."""

import json
import math
import re
from collections.abc import Sequence
from typing import Any

LEFT_OUT = "(may be left out)"
"""How the accepted value "" is shown: the parameter need not be given."""

_LINE_ENDS = re.compile(r"\r\n|\r|\n")
_CONTROL = re.compile(r"[\x00-\x1f]")


def shown_values(values: Sequence[Any]) -> str:
    """Return accepted values one a line; `read_values` makes the same list of it.

    A string stands as it is, quoted (JSON) only where it could be taken for something else. Other values are
    JSON.
    """
    among_others = not _only_strings(values)
    return "\n".join(_shown(value, among_others) for value in values)


def read_values(text: str, like: Sequence[Any]) -> list[Any]:
    """Return the accepted values that lines of text stand for, each once, without empty lines.

    Args:
        text: One value a line.
        like: The values that stood there before. Where they are all strings, `2` is a string as well;
            otherwise what reads as JSON is that value.

    Raises:
        ValueError: A line is a number that JSON cannot hold.
    """
    among_others = not _only_strings(like)
    found: list[Any] = []
    seen: set[str] = set()
    for line in _LINE_ENDS.split(text):
        stripped = line.strip()
        if not stripped:
            continue
        value = _read(stripped, among_others)
        key = json.dumps(value, ensure_ascii=False, sort_keys=True)
        if key not in seen:
            seen.add(key)
            found.append(value)
    return found


def _only_strings(values: Sequence[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def _shown(value: Any, among_others: bool) -> str:
    if value == "" and isinstance(value, str):
        return LEFT_OUT
    if isinstance(value, str) and _stands_as_it_is(value, among_others):
        return value
    return json.dumps(value, ensure_ascii=False)


def _stands_as_it_is(text: str, among_others: bool) -> bool:
    if text != text.strip() or text == LEFT_OUT or not text or _CONTROL.search(text):
        return False
    try:
        read = _read(text, among_others)
    except ValueError:
        return False
    return isinstance(read, str) and read == text


def _read(line: str, among_others: bool) -> Any:
    if line == LEFT_OUT:
        return ""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return line
    if isinstance(value, str):
        return value
    if not among_others:
        return line
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{line} is no number that JSON can hold")
    return value
