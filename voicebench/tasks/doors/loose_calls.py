"""Read calls that are written like Python's, but whose texts may have no quotes: `f(zone=Rear, level=3)`."""

import ast
import re
from collections.abc import Iterator
from typing import Any

from voicebench.tasks.doors.contract import NoTask

_HEAD = re.compile(r"[\s,;\[]*([A-Za-z_][\w.]*)\s*\(")
_STRING = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
_WORDS = {"true": True, "false": False, "null": None, "none": None}
_UNREADABLE = "its right call cannot be read"
_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


def read_calls(text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name and the arguments of each call, one behind the other, with commas between or without.

    A value without quotes that Python does not know is a text. Quotes that do not close are letters.

    Raises:
        NoTask: Something else than calls stands there.
    """
    at = 0
    while text[at:].strip(" \n\t,;]"):
        head = _HEAD.match(text, at)
        end = head and _closing(text, head.end())
        if head is None or end is None:
            raise NoTask(_UNREADABLE, text[:80])
        yield head[1], _arguments(text[head.end() : end - 1])
        at = end


def _closing(text: str, start: int) -> int | None:
    """Return the index behind the bracket that closes the one before `start`."""
    depth, at = 1, start
    while at < len(text):
        string = _STRING.match(text, at)
        depth += 0 if string else _BRACKETS.get(text[at], 0)
        at = string.end() if string else at + 1
        if depth == 0:
            return at
    return None


def _arguments(text: str) -> dict[str, Any]:
    found = {}
    for part in filter(str.strip, _parts(text)):
        name, equals, value = part.partition("=")
        if not equals or not name.strip().isidentifier() or name.strip() in found:
            raise NoTask(_UNREADABLE, text[:80])
        found[name.strip()] = _value(value.strip())
    return found


def _parts(text: str) -> Iterator[str]:
    """Yield what stands between the commas that part arguments: each is followed by a name and `=`."""
    depth, at, begin = 0, 0, 0
    while at < len(text):
        string = _STRING.match(text, at)
        depth += 0 if string else _BRACKETS.get(text[at], 0)
        if depth == 0 and text[at] == "," and re.match(r"\s*[A-Za-z_]\w*\s*=", text[at + 1 :]):
            yield text[begin:at]
            begin = at + 1
        at = string.end() if string else at + 1
    yield text[begin:]


def _value(text: str) -> Any:
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text
