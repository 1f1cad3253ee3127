"""A streamed answer as a response: its text, its calls, and when each of its moments came."""

import json
import time
from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import ValidationError

from voicebench.errors import UserError
from voicebench.scoring.calls import Unreadable, read_calls
from voicebench.types import Part, Timeline, Tool, ToolCall


def collect(parts: Iterable[Part], tools: Sequence[Tool], started_s: float) -> dict[str, Any]:
    """Return the fields of a response from a streamed answer: text, calls, timeline, usage.

    Args:
        parts: The answer as it arrives.
        tools: What was offered, to tell calls from other text.
        started_s: `time.perf_counter()` when the request began to be served.

    Raises:
        AgentFailure: The model's or its machine's fault.
    """
    answer = Collector(tools, started_s)
    for part in parts:
        answer.add(part)
    return answer.fields(time.perf_counter())


class Collector:
    """An answer while it comes in.

    Calls written in the text begin with the part that brings their first bracket and are done with the part
    that brings their last one, if the whole text can be read as calls. Empty parts are no tokens. A
    "speech_end" part moves the origin of all moments to when the user stopped speaking.
    """

    def __init__(self, tools: Sequence[Tool], started_s: float) -> None:
        """Begin an answer.

        Args:
            tools: What was offered, to tell calls from other text.
            started_s: `time.perf_counter()` when the request began to be served.
        """
        self._tools = tools
        self._started_s = started_s
        self._origin_s = started_s
        self._contents: list[Part] = []
        self._raw_calls: list[str] = []
        self._usage: dict[str, Any] | None = None
        self._firsts: dict[str, float] = {}
        self._last_call_s: float | None = None
        self._is_streamed = True

    def add(self, part: Part) -> None:
        """Take the next part."""
        if part.kind == "usage":
            self._usage = dict(part.usage)
        elif part.kind == "speech_end":
            self._origin_s = part.at_s
        elif part.kind == "call":
            self._mark(part, "first_token", "first_call_token")
            if part.text:
                self._raw_calls.append(part.text)
                self._last_call_s = part.at_s
        elif part.kind == "answer":
            self._is_streamed = False
            self._contents.append(part)
        elif part.text:
            self._mark(part, "first_token", f"first_{part.kind}")
            if part.kind == "content":
                self._contents.append(part)

    def fields(self, ended_s: float) -> dict[str, Any]:
        """Return the fields of a response: text, calls, timeline, usage.

        Args:
            ended_s: `time.perf_counter()` when the answer was complete.
        """
        text = "".join(part.text for part in self._contents)
        # A request that its server turned away was sent again: what came before that is no service.
        waited_s = (self._usage or {}).get("waited_s", 0.0)
        moments = {"request_sent": self._started_s + waited_s, **self._moments(text), "done": ended_s}
        timeline = {name: at_s - self._origin_s for name, at_s in moments.items() if at_s is not None}
        calls = self._calls()
        broken = () if calls else self._raw_calls
        said = "\n".join(filter(None, [text, *broken]))
        return {
            "text": _unquoted(said) if said or not calls else None,
            "calls": calls or None,
            "timeline": Timeline(**timeline),
            "usage": self._usage,
        }

    def _calls(self) -> tuple[ToolCall, ...]:
        """Return the native calls; none at all if one of them is broken."""
        try:
            return tuple(ToolCall.model_validate_json(raw) for raw in self._raw_calls)
        except ValidationError:
            return ()

    def _moments(self, text: str) -> dict[str, float | None]:
        if not self._is_streamed:
            return {}
        if self._raw_calls:
            return {**self._firsts, "calls_done": self._last_call_s}
        place = _written_calls(text, self._tools)
        if place is None:
            return dict(self._firsts)
        began_s, ended_s = map(self._arrival, place)
        return {**self._firsts, "first_call_token": began_s, "calls_done": ended_s}

    def _mark(self, part: Part, *moments: str) -> None:
        for moment in moments:
            self._firsts.setdefault(moment, part.at_s)

    def _arrival(self, place: int) -> float | None:
        """Return when the character at a place of the text arrived."""
        end = 0
        for part in self._contents:
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
