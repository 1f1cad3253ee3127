"""Read calls written as JSON: `{"name", "arguments"}`, OpenAI's tool calls, or an array of either."""

import re
from collections.abc import Container
from typing import Any

from voicebench.scoring.plain import Unreadable, decode_json
from voicebench.types import ToolCall

_BEHIND_ARGUMENTS = re.compile(r"[\s\"'`)\]}]*")


def calls_in(value: Any, offered: Container[str]) -> list[ToolCall]:
    """Return the calls that a JSON value makes; empty where it is no call.

    Args:
        value: A plain JSON value.
        offered: Names of the tools; a call without arguments must name one.

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
    if isinstance(value.get("function"), dict):
        return calls_in(value["function"], offered)
    return _call(value, offered)


def arguments_in(value: Any) -> dict[str, Any]:
    """Return a call's arguments: an object, its JSON text, or nothing.

    Behind the object in a text, stray quotes and closing brackets are ignored; words or a second object are
    not.

    Raises:
        Unreadable: It is something else.
    """
    if isinstance(value, str):
        text = value.strip()
        value, end = decode_json(text) if text else (None, 0)
        if not _BEHIND_ARGUMENTS.fullmatch(text, end):
            raise Unreadable(f"a call's arguments go on behind their object: {text[end : end + 40]!r}")
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Unreadable("a call's arguments are no object")
    return value


def _call(value: dict[str, Any], offered: Container[str]) -> list[ToolCall]:
    name = value.get("name")
    given = [key for key in ("arguments", "parameters") if key in value]
    if not isinstance(name, str) or not (given or name in offered):
        return []
    if "description" in value and "arguments" not in value:
        return []  # A tool's schema, said back.
    if len(given) > 1:
        raise Unreadable(f"the call of {name[:80]} has both 'arguments' and 'parameters'")
    return [ToolCall(name=name, arguments=arguments_in(value[given[0]] if given else None))]
