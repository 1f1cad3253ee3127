"""Read calls written as JSON objects, in the shapes that APIs and models give them."""

import re
from typing import Any

from voicebench.scoring.offered import Offered
from voicebench.scoring.plain import Unreadable, decode_json
from voicebench.scoring.python_calls import closing, literal_of
from voicebench.types import ToolCall

_WRAPPERS = ("function", "functionCall", "function_call")
_NAMES = ("name", "tool_name", "function")
_ARGUMENTS = ("arguments", "parameters")
_ARGUMENTS_OF_A_CALL = ("args", "input")
_CALL_TYPES = ("tool_use", "tool_call", "function_call")
_BESIDE_A_NAME = frozenset((*_NAMES, "type", "id", "call_id", "index"))
_BEHIND_ARGUMENTS = re.compile(r"[\s\"'`)\]}]*")


def calls_in(value: Any, offered: Offered) -> list[ToolCall]:
    """Return the calls that a JSON value makes; empty where it is no call.

    Args:
        value: A plain JSON value.
        offered: The tools; a call without arguments must name one.

    Raises:
        Unreadable: It is a list of which only some elements are calls, or a broken call.
    """
    if isinstance(value, list):
        found = [calls_in(item, offered) if isinstance(item, dict) else [] for item in value]
        if any(found) and not all(found):
            raise Unreadable("an element of the list is no call")
        return [call for calls in found for call in calls]
    if not isinstance(value, dict):
        return []
    if isinstance(value.get("tool_calls"), list):
        return calls_in(value["tool_calls"], offered)
    for wrapper in _WRAPPERS:
        if isinstance(value.get(wrapper), dict):
            return _call(value[wrapper], offered, is_call=True)
    return _call(value, offered, is_call=value.get("type") in _CALL_TYPES)


def arguments_in(value: Any) -> dict[str, Any]:
    """Return a call's arguments: an object, its JSON text, or nothing.

    Behind the object in a text, stray quotes and closing brackets are ignored; words or a second object are
    not.

    Raises:
        Unreadable: It is something else.
    """
    if isinstance(value, str):
        text = value.strip()
        value, end = value_at(text, 0) if text else (None, 0)
        if not _BEHIND_ARGUMENTS.fullmatch(text, end):
            raise Unreadable(f"a call's arguments go on behind their object: {text[end : end + 40]!r}")
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Unreadable("a call's arguments are no object")
    return value


def value_at(text: str, start: int) -> tuple[Any, int]:
    """Read the value that begins at `start`: JSON, or else a list or an object written as in Python.

    Returns:
        The value and the index just behind it.

    Raises:
        Unreadable: It is neither; the reason is JSON's.
    """
    try:
        return decode_json(text, start)
    except Unreadable as error:
        end = closing(text, start) if text[start : start + 1] in ("{", "[") else None
        if end is None:
            raise
        try:
            return literal_of(text[start:end]), end
        except Unreadable:
            raise error from None


def _call(value: dict[str, Any], offered: Offered, *, is_call: bool) -> list[ToolCall]:
    """Read one object; `is_call` tells that what it stands in says so."""
    names = [value[key] for key in _NAMES if isinstance(value.get(key), str)]
    if not names:
        return []
    name = names[0]
    keys = _ARGUMENTS + _ARGUMENTS_OF_A_CALL if is_call or name in offered else _ARGUMENTS
    given = [key for key in keys if key in value]
    if not given and (name not in offered or not value.keys() <= _BESIDE_A_NAME):
        return []  # What else stands in it may be its arguments, or it may be no call.
    if "description" in value and "arguments" not in value:
        return []  # A tool's schema, said back.
    if len(names) > 1 or len(given) > 1:
        what = "more than one name" if len(names) > 1 else " and ".join(map(repr, given))
        raise Unreadable(f"the call of {name[:80]} has {what}")
    arguments = arguments_in(value[given[0]] if given else None)
    return [ToolCall(name=offered.name_of(name), arguments=arguments)]
