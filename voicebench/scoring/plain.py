"""Plain values: what JSON can hold, within bounds, and the strict reading of JSON text.

Everything that an agent says passes through here before it is compared, so that hostile input ends in a
reason and not in a crash: nesting is bounded, numbers are finite, no object names a key twice, and every
string can be written as UTF-8.
"""

import json
import math
import re
import sys
import unicodedata
from functools import lru_cache
from typing import Any

from voicebench.errors import VoicebenchError

MAX_DEPTH = 64
"""Lists and objects nested deeper than this are refused."""

MAX_INTEGER_BITS = 1023
"""Larger integers are refused: they could not be compared with a float."""

MAX_CALLS = 256
"""Answers with more calls are not read."""

_MAX_INTEGER_CHARACTERS = 310
_SHORT = 1000
_JOINER = "\u034f"


class Unreadable(VoicebenchError):
    """What an agent said cannot be read: the agent's fault.

    Attributes:
        reason: Why, in one line.
        no_call: Whether an answer simply holds no call, and nothing that looks like a broken one.
    """

    def __init__(self, reason: str, *, no_call: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.no_call = no_call


def plain(value: Any, depth: int = 0) -> Any:
    """Return a value with every string writable as UTF-8 (half surrogates become U+FFFD).

    Args:
        value: Made of dict, list, tuple (becomes a list), str, int, float, bool and None.
        depth: How many lists and objects it already lies in.

    Raises:
        Unreadable: It holds something else, is nested too deeply, or a number is out of range.
    """
    if isinstance(value, str):
        return writable(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        if value.bit_length() > MAX_INTEGER_BITS:
            raise Unreadable("a number is too large")
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise Unreadable("a number is not finite")
        return value
    if not isinstance(value, list | tuple | dict):
        raise Unreadable(f"a {type(value).__name__} is no JSON value")
    if depth >= MAX_DEPTH:
        raise nested_too_deeply()
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise Unreadable("an object's key is no string")
        return {writable(key): plain(item, depth + 1) for key, item in value.items()}
    return [plain(item, depth + 1) for item in value]


def writable(text: str) -> str:
    """Return a string that can be written as UTF-8, and brought into a normal form in linear time.

    Pairs of half surrogates are joined, lone halves become U+FFFD. In a long string, a joiner parts runs of
    more than 30 combining marks, as in Unicode's Stream-Safe Text Format (UAX #15).
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text if len(text) <= _SHORT else _thirty_marks().sub(rf"\g<0>{_JOINER}", text)


@lru_cache(maxsize=1)
def _thirty_marks() -> re.Pattern[str]:
    """Return the pattern of thirty marks that another one follows; a normal form sorts marks in a row."""
    marks = "".join(filter(unicodedata.combining, map(chr, range(sys.maxunicode + 1))))
    return re.compile(f"[{marks}]{{30}}(?=[{marks}])")


def decode_json(text: str, start: int = 0) -> tuple[Any, int]:
    """Read the JSON value that begins at `start`.

    Returns:
        The value and the index just behind it. What follows is the caller's to judge.

    Raises:
        Unreadable: No JSON value begins there, a key stands twice, or it is not plain.
    """
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise Unreadable(f"not JSON: {error.msg} (character {error.pos})") from None
    except RecursionError:
        raise nested_too_deeply() from None
    return plain(value), end


def check_number_of_calls(calls: int) -> None:
    """Refuse an answer with more than `MAX_CALLS` calls.

    Raises:
        Unreadable: It has more.
    """
    if calls > MAX_CALLS:
        raise Unreadable(f"the answer makes more than {MAX_CALLS} calls")


def nested_too_deeply() -> Unreadable:
    """Return the error for lists and objects beyond `MAX_DEPTH`."""
    return Unreadable(f"nested deeper than {MAX_DEPTH} levels")


def stands_twice(key: str) -> Unreadable:
    """Return the error for an object that names a key twice."""
    return Unreadable(f"the key {key[:80]!r} stands twice in one object")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise stands_twice(key)
        found[key] = value
    return found


def _integer(digits: str) -> int:
    if len(digits) > _MAX_INTEGER_CHARACTERS:
        raise Unreadable("a number is too large")
    return int(digits)


def _constant(name: str) -> Any:
    raise Unreadable(f"{name} is no JSON value")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_int=_integer, parse_constant=_constant)
