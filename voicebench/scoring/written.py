"""Read calls that are written out: Python lists and calls, and JSON, alone or among words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from voicebench.scoring.json_calls import calls_in, value_at
from voicebench.scoring.offered import UNSPACED, Offered
from voicebench.scoring.plain import Unreadable, check_number_of_calls
from voicebench.scoring.python_calls import QUOTE_HINT, NotPython, calls_of, closing, holds_a_call
from voicebench.types import ToolCall

_MAX_REREAD = 1_000_000
_MAX_TRIED = 2_000

# What may stand before a name: white space and punctuation other than the dot and the underscore.
_EDGE = r"\s\[\](){}\"'`,;:=<>|*#!?/\\+&^%$@~\-\u2010-\u2027\u3000-\u303f\uff01-\uff1f\u0964\u0965"
_NAME = rf"(?<![^{_EDGE}])[^{_EDGE}]++"
_START = re.compile(rf"\[|\{{|(?P<name>{_NAME})\(")
_LIST_OF_CALLS = re.compile(rf"\[\s*+{_NAME}\(")
_LIST_OF_OBJECTS = re.compile(r"\[\s*+\{")
_OBJECT_OF_A_CALL = re.compile(
    r"(?:\[\s*+)?\{\s*+[\"'](?:name|function|tool_calls|arguments|parameters|type|id|role)[\"']\s*+:"
)
_SEPARATORS = re.compile(r"[\s,;]*+")
_LINE_START = re.compile(r"[ \t]*+(?:[-*•]|\d{1,3}[.)])?+[ \t]*+`{0,3}")
_LINE_END = re.compile(r"[ \t`,;.]*+(?:\n|\Z)")
_LONGEST_LINE_START = 80
_LARGER_EXPRESSION = re.compile(r"\.\w|[\[(]")


def whole(answer: str, offered: Offered) -> list[ToolCall]:
    """Read a text that is nothing but its calls; empty where it is not.

    Raises:
        Unreadable: It is, but one of them is no plain call.
        UserError: A tool's schema is broken.
    """
    if answer.startswith("{") or _LIST_OF_OBJECTS.match(answer):
        try:
            value, end = value_at(answer, 0)
        except Unreadable:
            return []
        return calls_in(value, offered) if end == len(answer) else []
    try:
        return calls_of(answer, offered) if "(" in answer else []
    except NotPython:
        return []


def payload_at(answer: str, start: int, offered: Offered) -> tuple[list[ToolCall], int]:
    """Read the calls that begin at `start`, behind a tag: JSON values, or one list, or Python calls.

    Returns:
        The calls, none where nothing of that kind stands there, and the index behind them.

    Raises:
        Unreadable: A call is broken, or what stands there is JSON but no call.
        UserError: A tool's schema is broken.
    """
    calls: list[ToolCall] = []
    position = _behind_separators(answer, start)
    while position < len(answer):
        found = _explicit_at(answer, position, offered)
        if found is None:
            break
        if found.broken is not None:
            raise found.broken
        if not found.calls and (found.kind == "object" or _LIST_OF_OBJECTS.match(answer, position)):
            raise Unreadable("behind a tag for calls stands JSON that is no call")
        calls += found.calls
        check_number_of_calls(len(calls))
        position = _behind_separators(answer, found.end)
        if found.kind == "list":
            break
    return calls, position if calls else start


def among_words(answer: str, offered: Offered) -> list[ToolCall]:
    """Read lists and JSON that stand among words, or else bare calls; empty where there are none.

    Raises:
        Unreadable: A call is broken, or there is more than one answer.
        UserError: A tool's schema is broken.
    """
    found = list(_scan(answer, offered))
    explicit = [item for item in found if item.kind != "call"]
    for before, after in pairwise(explicit):
        gap = answer[before.end : after.start]
        if "list" in (before.kind, after.kind) or not _SEPARATORS.fullmatch(gap):
            raise Unreadable(f"{len(explicit)} answers with calls, and which is meant is ambiguous")
    for item in found if not explicit else ():
        if item.broken is not None:
            raise item.broken
    return [call for item in explicit or found for call in item.calls]


@dataclass(frozen=True)
class _Found:
    """What stands between two places among words: calls, none, or what looks like one and is broken."""

    start: int
    end: int
    kind: Literal["list", "object", "call"]
    calls: list[ToolCall]
    broken: Unreadable | None = None


def _scan(answer: str, offered: Offered) -> Iterator[_Found]:
    """Yield, from left to right, what is or looks like a call; nothing inside of one is looked at again.

    Raises:
        Unreadable: A list or an object of calls is broken.
    """
    pattern = _start_pattern(offered)
    position = reread = tried = yielded = 0
    while start := pattern.search(answer, position):
        if start["name"]:
            found = _call_at(answer, start, offered)
        else:
            read = _list_at if start.group() == "[" else _object_at
            found = read(answer, start.start(), offered)
            tried += 1
        if found is not None and (found.calls or found.broken):
            yielded += 1
            check_number_of_calls(yielded)
            yield found
        # What is no call is going to be read once more, and that must not happen without end.
        reread += 0 if found else len(answer) - start.start()
        if reread > _MAX_REREAD or tried - yielded > _MAX_TRIED:
            raise Unreadable("too many brackets that hold nothing readable")
        position = found.end if found else start.end()


def _start_pattern(offered: Offered) -> re.Pattern[str]:
    if not offered.unpythonic:
        return _START
    names = "|".join(map(re.escape, offered.unpythonic))
    return re.compile(rf"\[|\{{|(?P<name>(?<![^{_EDGE}{UNSPACED}])(?:{names})|{_NAME})\(")


def _explicit_at(answer: str, start: int, offered: Offered) -> _Found | None:
    """Read what begins at exactly this place; None where it is neither a list, an object nor a call."""
    if answer[start] == "[":
        return _list_at(answer, start, offered)
    if answer[start] == "{":
        value, end = value_at(answer, start)
        return _Found(start, end, "object", calls_in(value, offered))
    named = _start_pattern(offered).match(answer, start)
    if named is None:
        return None
    closed = closing(answer, named.end() - 1)
    if closed is None:
        raise Unreadable(f"the call of {named['name'][:80]} never ends")
    return _Found(start, closed, "call", calls_of(answer[start:closed], offered))


def _list_at(answer: str, start: int, offered: Offered) -> _Found | None:
    end = closing(answer, start)
    if end is None:
        if _LIST_OF_CALLS.match(answer, start) or _OBJECT_OF_A_CALL.match(answer, start):
            raise Unreadable(f"a list of calls never ends, or a string in it does not{QUOTE_HINT}")
        return None
    body = answer[start:end]
    if _LIST_OF_OBJECTS.match(body):
        try:
            value, length = value_at(body, 0)
        except Unreadable:
            if _OBJECT_OF_A_CALL.match(body):
                raise
        else:
            return _Found(start, end, "list", calls_in(value, offered) if length == len(body) else [])
    return _Found(start, end, "list", _listed_calls(body, offered))


def _listed_calls(body: str, offered: Offered) -> list[ToolCall]:
    """Read `[call, call, …]`; empty where a bracket in prose holds no call."""
    if "(" not in body:
        return []
    try:
        calls = calls_of(body, offered)
        if not calls and holds_a_call(body, offered):
            raise Unreadable("an element of the list is no plain call")
        return calls
    except NotPython:
        if _LIST_OF_CALLS.match(body) or any(f"{name}(" in body for name in offered.tools):
            raise
        return []


def _object_at(answer: str, start: int, offered: Offered) -> _Found | None:
    is_call = _OBJECT_OF_A_CALL.match(answer, start)
    try:
        value, end = value_at(answer, start)
    except Unreadable:
        if is_call:
            raise
        return None
    return _Found(start, end, "object", calls_in(value, offered))


def _call_at(answer: str, start: re.Match[str], offered: Offered) -> _Found | None:
    name, first = start["name"], start.start()
    is_offered = name in offered
    line = answer.rfind("\n", max(0, first - _LONGEST_LINE_START), first) + 1
    if not is_offered and not _LINE_START.fullmatch(answer, line, first):
        return _Found(first, start.end(), "call", [])
    end = closing(answer, start.end() - 1)
    if end is None and is_offered:
        never = Unreadable(f"the call of {name} never ends, or a string in it does not{QUOTE_HINT}")
        return _Found(first, len(answer), "call", [], never)
    if end is None or not (is_offered or _LINE_END.match(answer, end)):
        return None
    try:
        if _LARGER_EXPRESSION.match(answer, end):
            raise Unreadable(f"the call of {name[:80]} is part of a larger expression")
        return _Found(first, end, "call", calls_of(answer[first:end], offered))
    except Unreadable as error:
        if isinstance(error, NotPython) and not is_offered:
            return None
        return _Found(first, end, "call", [], error)


def _behind_separators(answer: str, position: int) -> int:
    gap = _SEPARATORS.match(answer, position)
    return gap.end() if gap else position
