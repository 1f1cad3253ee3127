"""Read the calls in an agent's answer. Nothing is ever executed; what is not plainly a call is an error.

The grammar, all of it:

    answer     = [reasoning] (tagged | fenced | written), with prose anywhere around
    reasoning  = <think> … </think> at the start of a line (also thinking, reasoning, thought); it is left
                 out, and so is all before a lone </think> at the end or the start of a line
    tagged     = <tool_call> json+ [</tool_call>]       one or many (Hermes, Qwen)
               | [TOOL_CALLS] json+                      (Mistral)
               | <|python_tag|> written                  (Llama)
               | <function=NAME> object [</function>]    one or many (Llama)
    fenced     = ``` at the start of a line, a language or none, written, ```
    written    = list | json+ | call+
    list       = [call, call, …]
    call       = name(value, …, parameter=value, …)      the name may be dotted
    value      = a Python literal of strings, numbers, lists, tuples and dicts with string keys, with
                 True, False, None or true, false, null; a marker is the dict {"$ref": "0.path"}
    json       = {"name", "arguments"} or {"name", "parameters"}
               | {"type": "function", "function": {"name", "arguments"}}
               | {"tool_calls": [json, …]}
               | an array of these
                 "arguments" is an object, its JSON text (stray quotes or closing brackets behind it are
                 ignored, anything else is not), null or ""

Which reading holds:

- An answer that is `written` from its first to its last character is read as that. Otherwise the strongest
  form that is there holds and the rest is prose: first tagged, then fenced, then list and json, then call.
- A call outside a list counts where its tool is offered, or where it stands on a line of its own.
- Positional values take the parameters' names in the order of the tool's schema; for a tool that is not
  offered they are an error.
- All or nothing: one element of a list that is no plain call makes the whole answer unreadable.
- Two lists, two fences with calls, or JSON objects with words between them are ambiguous, so unreadable.
- Unreadable, too: NaN and infinities, a key or a parameter that stands twice, more than `MAX_CHARACTERS`
  characters or `MAX_CALLS` calls, nesting beyond `plain.MAX_DEPTH`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from voicebench.scoring.json_calls import arguments_in, calls_in
from voicebench.scoring.plain import Unreadable, decode_json, plain, writable
from voicebench.scoring.python_calls import NotPython, calls_of, closing, holds_a_call
from voicebench.types import Tool, ToolCall

__all__ = [
    "MAX_CALLS",
    "MAX_CHARACTERS",
    "Unreadable",
    "check_native_calls",
    "read_calls",
    "without_reasoning",
]

MAX_CHARACTERS = 200_000
"""Longer answers are not read."""

MAX_CALLS = 256
"""Answers with more calls are not scored."""

_MAX_REREAD = 5 * MAX_CHARACTERS
_Offered = Mapping[str, Tool]


def read_calls(text: str, tools: Sequence[Tool]) -> tuple[ToolCall, ...]:
    """Return the calls that an answer makes, at least one, in its order.

    Args:
        text: The answer; this module's docstring gives the grammar.
        tools: What was offered: their order of parameters names positional values.

    Raises:
        Unreadable: There is no call, a broken one, or more than one reading.
        UserError: A tool's schema is broken.
    """
    if len(text) > MAX_CHARACTERS:
        raise Unreadable(f"the answer has {len(text):,} characters; at most {MAX_CHARACTERS:,} are read")
    offered = {tool.name: tool for tool in reversed(tools)}
    answer = without_reasoning(writable(text))
    calls = _whole(answer, offered) or _tagged(answer, offered) or _in_prose(answer, offered)
    if not calls:
        raise Unreadable("no call found", no_call=True)
    return _bounded(calls)


def check_native_calls(calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """Return native calls with their values made plain.

    Raises:
        Unreadable: There are more than `MAX_CALLS`, or a value is nested too deeply or is no finite number.
    """
    return _bounded([ToolCall(name=writable(call.name), arguments=plain(call.arguments)) for call in calls])


def _bounded(calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    if len(calls) > MAX_CALLS:
        raise Unreadable(f"the answer makes {len(calls):,} calls; at most {MAX_CALLS} are read")
    return tuple(calls)


# ---- Reasoning, and the marks that chat templates leave at the end ----

_REASONING_NAME = "think|thinking|reasoning|thought"
_REASONING = re.compile(rf"(?ms)^[ \t]*<({_REASONING_NAME})>.*?(?:</\1>|(?P<unclosed>\Z))")
_REASONING_END = re.compile(rf"(?m)</(?:{_REASONING_NAME})>[ \t]*$|^[ \t]*</(?:{_REASONING_NAME})>")
_END_MARK = re.compile(r"(?:<\|(?:im_end|eot_id|eom_id|endoftext|end|return|call)\|>|</s>)\Z")
_LONGEST_END_MARK = 20


def without_reasoning(text: str) -> str:
    """Return what an agent says once it has reasoned, without the marks that end a turn.

    Raises:
        Unreadable: The reasoning never ends.
    """
    text = text.removeprefix("\ufeff").strip()
    if "<" not in text:
        return text
    if any(block["unclosed"] is not None for block in _REASONING.finditer(text)):
        raise Unreadable("the reasoning never ends")
    text = _REASONING.sub("", text)
    ends = [match.end() for match in _REASONING_END.finditer(text)]
    text = text[ends[-1] :].strip() if ends else text.strip()
    while end_mark := _END_MARK.search(text, max(0, len(text) - _LONGEST_END_MARK)):
        text = text[: end_mark.start()].rstrip()
    return text


# ---- The forms, from the strongest to the weakest ----

_TAG = re.compile(
    r"(?:<tool_call>|\[TOOL_CALLS\])\s*(?=\{|\[\s*\{)|(?P<python><\|python_tag\|>)"
    r"|<function=(?P<name>[^<>\s]{1,200})>\s*(?=\{)"
)
_FENCE = re.compile(
    r"(?ms)^[ \t]*```(?:[\w.+-]*[ \t]*\n|(?:json|python|py|tool_call|tool_code)[ \t]+|)"
    r"(?P<inside>.*?)(?:\n[ \t]*```|```[ \t]*$|\Z)"
)
_SEPARATORS = re.compile(r"[\s,;]*")


def _whole(answer: str, offered: _Offered) -> list[ToolCall]:
    """Read an answer that is nothing but its calls; empty where it is not."""
    if answer.startswith("{") or _LIST_OF_OBJECTS.match(answer):
        try:
            value, end = decode_json(answer)
        except Unreadable:
            return []
        return calls_in(value, offered) if end == len(answer) else []
    try:
        return calls_of(answer, offered) if "(" in answer else []
    except NotPython:
        return []


def _tagged(answer: str, offered: _Offered) -> list[ToolCall]:
    """Read the calls behind a model family's own tags."""
    calls: list[ToolCall] = []
    position = 0
    while tag := _TAG.search(answer, position):
        position = tag.end()
        if tag["python"]:
            rest = answer[position:].strip()
            return calls + (_whole(rest, offered) or _in_prose(rest, offered))
        if tag["name"]:
            value, position = decode_json(answer, position)
            calls.append(ToolCall(name=tag["name"], arguments=arguments_in(value)))
            continue
        while position < len(answer) and answer[position] in "[{":
            value, position = decode_json(answer, position)
            found = calls_in(value, offered)
            if not found:
                raise Unreadable(f"behind {tag.group().strip()} stands JSON that is no call")
            calls += found
            gap = _SEPARATORS.match(answer, position)
            position = gap.end() if gap else position
    return calls


def _in_prose(answer: str, offered: _Offered) -> list[ToolCall]:
    """Read calls that stand in a fence, or else anywhere among words."""
    fences = [block["inside"].strip() for block in _FENCE.finditer(answer)] if "```" in answer else []
    found = [
        calls for inside in fences if (calls := _whole(inside, offered) or _among_words(inside, offered))
    ]
    if len(found) > 1:
        raise Unreadable(f"{len(found)} fenced blocks hold calls, and which is the answer is ambiguous")
    return found[0] if found else _among_words(answer, offered)


# ---- Among words: lists and JSON, or else bare calls ----

# What may stand before a name: white space and punctuation other than the dot and the underscore.
_EDGE = r"\s\[\](){}\"'`,;:=<>|*#!?/\\+&^%$@~\-\u2010-\u2027\u3000-\u303f\uff01-\uff1f\u0964\u0965"
_NAME = rf"(?<![^{_EDGE}])[^{_EDGE}]++"
_START = re.compile(rf"\[|\{{|(?P<name>{_NAME})\(")
_LIST_OF_CALLS = re.compile(rf"\[\s*{_NAME}\(")
_LIST_OF_OBJECTS = re.compile(r"\[\s*\{")
_OBJECT_OF_A_CALL = re.compile(
    r"(?:\[\s*)?\{\s*[\"'](?:name|function|tool_calls|arguments|parameters|type|id|role)[\"']\s*:"
)
_LINE_START = re.compile(r"[ \t]*+(?:[-*•]|\d{1,3}[.)])?+[ \t]*+`{0,3}")
_LINE_END = re.compile(r"[ \t`,;.]*+(?:\n|\Z)")
_LONGEST_LINE_START = 80
_LARGER_EXPRESSION = re.compile(r"\.\w|[\[(]")


@dataclass(frozen=True)
class _Found:
    """What stands between two places among words: calls, none, or what looks like one and is broken."""

    start: int
    end: int
    kind: Literal["list", "object", "call"]
    calls: list[ToolCall]
    broken: Unreadable | None = None


def _among_words(answer: str, offered: _Offered) -> list[ToolCall]:
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


def _scan(answer: str, offered: _Offered) -> Iterator[_Found]:
    """Yield, from left to right, what is or looks like a call; nothing inside of one is looked at again.

    Raises:
        Unreadable: A list or an object of calls is broken.
    """
    position = reread = 0
    while start := _START.search(answer, position):
        if start["name"]:
            found = _call_at(answer, start, offered)
        elif start.group() == "[":
            found = _list_at(answer, start.start(), offered)
        else:
            found = _object_at(answer, start.start(), offered)
        if found is None:
            # What follows is going to be read once more, and that must not happen without end.
            reread += len(answer) - start.start()
            if reread > _MAX_REREAD:
                raise Unreadable("too many brackets that hold nothing readable")
            position = start.end()
            continue
        position = found.end
        if found.calls or found.broken:
            yield found


def _list_at(answer: str, start: int, offered: _Offered) -> _Found | None:
    end = closing(answer, start)
    if end is None:
        if _LIST_OF_CALLS.match(answer, start) or _OBJECT_OF_A_CALL.match(answer, start):
            raise Unreadable("a list of calls never ends, or a string in it does not")
        return None
    body = answer[start:end]
    if _LIST_OF_OBJECTS.match(body):
        try:
            value, length = decode_json(body)
        except Unreadable:
            if _OBJECT_OF_A_CALL.match(body):
                raise
        else:
            return _Found(start, end, "list", calls_in(value, offered) if length == len(body) else [])
    return _Found(start, end, "list", _listed_calls(body, offered))


def _listed_calls(body: str, offered: _Offered) -> list[ToolCall]:
    """Read `[call, call, …]`; empty where a bracket in prose holds no call."""
    if "(" not in body:
        return []
    try:
        calls = calls_of(body, offered)
        if not calls and holds_a_call(body):
            raise Unreadable("an element of the list is no plain call")
        return calls
    except NotPython:
        if _LIST_OF_CALLS.match(body) or any(f"{name}(" in body for name in offered):
            raise
        return []


def _object_at(answer: str, start: int, offered: _Offered) -> _Found | None:
    try:
        value, end = decode_json(answer, start)
    except Unreadable:
        if _OBJECT_OF_A_CALL.match(answer, start):
            raise
        return None
    return _Found(start, end, "object", calls_in(value, offered))


def _call_at(answer: str, start: re.Match[str], offered: _Offered) -> _Found | None:
    name, first = start["name"], start.start()
    is_offered = name in offered
    line = answer.rfind("\n", max(0, first - _LONGEST_LINE_START), first) + 1
    if not is_offered and not _LINE_START.fullmatch(answer, line, first):
        return _Found(first, start.end(), "call", [])
    end = closing(answer, start.end() - 1)
    if end is None and is_offered:
        return _Found(first, len(answer), "call", [], Unreadable(f"the call of {name} never ends"))
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
