"""A streamed answer as a response: its text, its calls, and when each of its moments came."""

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from voicebench.errors import UserError
from voicebench.scoring.calls import Unreadable, read_calls
from voicebench.types import Part, Timeline, Tool, ToolCall


def collect(parts: Iterable[Part], tools: Sequence[Tool], started_s: float) -> dict[str, Any]:
    """Return the fields of a response from a streamed answer: text, calls, timeline, usage.

    Calls written in the text begin with the part that brings their first bracket and are done with the part
    that brings their last one, if the whole text can be read as calls. Empty parts are no tokens.

    Args:
        parts: The answer as it arrives.
        tools: What was offered, to tell calls from other text.
        started_s: `time.perf_counter()` when the request began to be served.

    Raises:
        AgentFailure: The model's or its machine's fault.
    """
    answer = _Answer()
    for part in parts:
        answer.add(part)
    moments = answer.moments(tools) | {"done": time.perf_counter()}
    since_start = {name: at_s - started_s for name, at_s in moments.items() if at_s is not None}
    calls = answer.calls()
    broken = () if calls else answer.raw_calls
    text = "\n".join(filter(None, [answer.text, *broken]))
    return {
        "text": _unquoted(text) if text or not calls else None,
        "calls": calls or None,
        "timeline": Timeline(request_sent=0.0, **since_start),
        "usage": answer.usage,
    }


@dataclass
class _Answer:
    """An answer while it comes in."""

    contents: list[Part] = field(default_factory=list)
    raw_calls: list[str] = field(default_factory=list)
    usage: dict[str, Any] | None = None
    firsts: dict[str, float] = field(default_factory=dict)
    last_call_s: float | None = None

    def add(self, part: Part) -> None:
        if part.kind == "usage":
            self.usage = dict(part.usage)
        elif part.kind == "call":
            self._mark(part, "first_token", "first_call_token")
            if part.text:
                self.raw_calls.append(part.text)
                self.last_call_s = part.at_s
        elif part.text:
            self._mark(part, "first_token", f"first_{part.kind}")
            if part.kind == "content":
                self.contents.append(part)

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.contents)

    def calls(self) -> tuple[ToolCall, ...]:
        """Return the native calls; none at all if one of them is broken."""
        try:
            return tuple(ToolCall.model_validate_json(raw) for raw in self.raw_calls)
        except ValidationError:
            return ()

    def moments(self, tools: Sequence[Tool]) -> dict[str, float | None]:
        if self.raw_calls:
            return {**self.firsts, "calls_done": self.last_call_s}
        place = _written_calls(self.text, tools)
        if place is None:
            return dict(self.firsts)
        began_s, ended_s = map(self._arrival, place)
        return {**self.firsts, "first_call_token": began_s, "calls_done": ended_s}

    def _mark(self, part: Part, *moments: str) -> None:
        for moment in moments:
            self.firsts.setdefault(moment, part.at_s)

    def _arrival(self, place: int) -> float | None:
        """Return when the character at a place of the text arrived."""
        end = 0
        for part in self.contents:
            end += len(part.text)
            if place < end:
                return part.at_s
        return None


def _written_calls(text: str, tools: Sequence[Tool]) -> tuple[int, int] | None:
    """Return the places of the first and the last character of calls written in a text, None without any."""
    try:
        read_calls(text, tools)
    except (Unreadable, UserError):
        return None
    opening = [place for bracket in "[{(" if (place := text.find(bracket)) >= 0]
    return min(opening, default=0), max(text.rfind(bracket) for bracket in "]})")


def _unquoted(text: str) -> str:
    """Return a sentence without the quotes that a JSON Schema makes a model write around it."""
    if text.startswith('"') and text.endswith('"'):
        try:
            value = json.loads(text)
        except ValueError:
            return text
        return value if isinstance(value, str) else text
    return text
