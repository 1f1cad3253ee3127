"""Read chats in OpenAI's form: what is said, what is called after it, and what the calls return."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from voicebench.scoring.markers import KEY
from voicebench.tasks.doors.contract import NoTask
from voicebench.tasks.doors.conversation import Said
from voicebench.tasks.doors.exact import exact_call
from voicebench.types import Expect, GoldCall, Tool

SYSTEM = ("system", "developer")
"""Roles of what is not said."""

_SHORTEST_LINK = 3
_NOT_KNOWN = None


@dataclass
class Segment:
    """What the assistant calls after one turn of the user, and what the calls return.

    Attributes:
        before: Index of the user's message.
        messages: The calls of each of the assistant's messages that has any.
        results: What came back, by the id of the call or the name of the function.
        answered: Whether the assistant says something without a call.
    """

    before: int
    messages: list[list[Any]] = field(default_factory=list)
    results: dict[str, Any] = field(default_factory=dict)
    answered: bool = False


def segments_of(messages: Sequence[Mapping[str, Any]]) -> list[Segment]:
    """Return one segment for each turn of the user; of messages that follow each other the last counts.

    Args:
        messages: The chat, with at least one message of the user.

    Raises:
        NoTask: A role is not known.
    """
    found: list[Segment] = []
    for place, message in enumerate(messages):
        role = message.get("role")
        if role == "user":
            if found and not (found[-1].messages or found[-1].answered):
                found[-1].before = place
            else:
                found.append(Segment(place))
        elif not found or role in SYSTEM:
            continue
        elif role == "assistant":
            calls = _called(message)
            if calls:
                found[-1].messages.append(calls)
            else:
                found[-1].answered = True
        elif role in ("tool", "function"):
            name = str(message.get("tool_call_id") or message.get("name") or "")
            found[-1].results[name] = _content_as_json(message)
        else:
            raise NoTask("its messages are in a form that is not known", str(role))
    return found


def _called(message: Mapping[str, Any]) -> list[Any]:
    calls = message.get("tool_calls")
    if isinstance(calls, list) and calls:
        return calls
    older = message.get("function_call")
    return [older] if isinstance(older, Mapping) else []


def _content_as_json(message: Mapping[str, Any]) -> Any:
    text = text_of(message)
    try:
        return json.loads(text)
    except ValueError:
        return text


def text_of(message: Mapping[str, Any]) -> str:
    """Return the words of a message: a text, or the texts among its parts."""
    content = message.get("content")
    if isinstance(content, list):
        parts = [one.get("text") for one in content if isinstance(one, Mapping)]
        return " ".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def said_until(messages: Sequence[Mapping[str, Any]], last: int) -> tuple[Said, ...]:
    """Return what is said up to a message, and including it.

    Raises:
        NoTask: A message of the user is sound alone, with no words that could be read.
    """
    said = []
    for message in messages[: last + 1]:
        if message.get("role") == "user" and not text_of(message).strip():
            raise NoTask("a message of the user has no words")
        if message.get("role") == "user":
            said.append(Said("user", text_of(message)))
        elif message.get("role") == "assistant":
            said.append(Said("assistant", text_of(message)))
    return tuple(said)


def returned_by(segments: Sequence[Segment]) -> str:
    """Return what the calls of segments returned, as text."""
    return "\n".join(json.dumps(one.results, ensure_ascii=False) for one in segments if one.results)


def expect_of(segment: Segment, tools: Sequence[Tool], said: Sequence[Said]) -> Expect:
    """Return what is right after a turn of the user: the calls that the chat has there.

    Raises:
        NoTask: A call cannot be read, or does not fit its tool.
    """
    raw = [call for calls in segment.messages for call in calls]
    calls = tuple(exact_call(call, tools) for call in raw)
    known = _known_results(raw, segment.results)
    if len(segment.messages) < 2:
        return Expect(calls=calls, results=tuple(known) if raw and _NOT_KNOWN not in known else None)
    words = "\n".join(one.text for one in said).casefold()
    steps = [step for step, inner in enumerate(segment.messages) for _ in inner]
    linked = tuple(
        _linked(call, [before for before in range(index) if steps[before] < steps[index]], known, words)
        for index, call in enumerate(calls)
    )
    # A chat may end with its last calls; what these return is then null.
    results = tuple(known) if any(one is not _NOT_KNOWN for one in known) else None
    return Expect(calls=linked, order="sequence", results=results)


def _known_results(raw: Sequence[Any], results: Mapping[str, Any]) -> list[Any]:
    """Return what each call returned, None where that is not known, or not clear which call it belongs to."""
    names = [_result_name(call, results) for call in raw]
    clear = {name for name in names if name is not None and names.count(name) == 1}
    return [results[name] if name in clear else _NOT_KNOWN for name in names]


def _result_name(call: Any, results: Mapping[str, Any]) -> str | None:
    """Return under which name a call's result stands: the call's id, or (older) the function's name."""
    if not isinstance(call, Mapping):
        return None
    return next((name for name in (call.get("id"), call.get("name")) if name in results), None)


def _linked(call: GoldCall, before: Sequence[int], results: Sequence[Any], words: str) -> GoldCall:
    """Return a call with a marker for each value that an earlier result holds and nobody says."""
    arguments = {
        name: [_marker(value, before, results, words) if len(accepted) == 1 else value for value in accepted]
        for name, accepted in call.arguments.items()
    }
    return GoldCall(name=call.name, arguments=arguments)


def _marker(value: Any, before: Sequence[int], results: Sequence[Any], words: str) -> Any:
    text = str(value).casefold()
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return value
    if len(text) < _SHORTEST_LINK or text in words:
        return value
    for index in before:
        path = _path_to(value, results[index])
        if path is not None:
            return {KEY: ".".join((str(index), *path))}
    return value


def _path_to(value: Any, inside: Any) -> tuple[str, ...] | None:
    """Return the path to a value inside a result; keys with a dot cannot be written in a path."""
    if isinstance(inside, Mapping):
        pairs = [(key, item) for key, item in inside.items() if "." not in key]
    elif isinstance(inside, list):
        pairs = [(str(place), item) for place, item in enumerate(inside)]
    else:
        return () if type(inside) is type(value) and inside == value else None
    for key, item in pairs:
        path = _path_to(value, item)
        if path is not None:
            return (key, *path)
    return None
