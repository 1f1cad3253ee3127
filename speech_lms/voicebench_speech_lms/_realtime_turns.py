"""The answers of a server that finds out itself when the user has stopped: early ones, and ones cut off."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from voicebench.types import Part
from voicebench.wire.chat import ToolNames
from voicebench.wire.refusals import Peer
from voicebench_speech_lms._realtime_events import AnswerReader

SETTLED_S = 1.0
"""A server that has told of no more speech so long after its end will not; longer than detecting it takes."""


class TurnReader:
    """Reads the answers of a server that detects turns, as the parts of one answer.

    Such a server may take a pause for the end and answer early; when the user goes on, it cuts that answer
    off. What was cut off is dropped, as it would have been unsaid; every answer that came to its end counts,
    also an early one, and stands on a line of its own. The tokens of all of them are counted, as they are
    paid for. Whether an answer counts is known at its end, so its parts are returned then; their times are
    those of arrival.
    """

    def __init__(
        self, peer: Peer, names: ToolNames, ended_s: float, *, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        """Begin without an answer.

        Args:
            peer: Who answers, for messages.
            names: How the tools' names were sent.
            ended_s: When the user stopped speaking, by the clock of all moments.
            clock: That clock.
        """
        self._peer, self._names = peer, names
        self._ended_s, self._clock = ended_s, clock
        self._reader = self._next_reader()
        self._begun_s: float | None = None
        self._parts: list[Part] = []
        self._is_awaited = False
        self._last_begun_s: float | None = None
        self._has_words = False
        self._usage: Part | None = None

    @property
    def is_done(self) -> bool:
        """Whether the last answer has ended: one to all the speech, or an early one after which none came."""
        if self._last_begun_s is None or self._is_awaited or self._begun_s is not None:
            return False
        return self._last_begun_s >= self._ended_s or self._clock() >= self._ended_s + SETTLED_S

    def feed(self, at_s: float, event: Mapping[str, Any]) -> list[Part]:
        """Return the parts of an answer with the event that ends it; no parts with any other.

        Args:
            at_s: When it arrived.
            event: The event, as parsed.

        Raises:
            UserError: The server refuses the key.
            AgentFailure: It tells of an error, or is not as the protocol has it.
        """
        kind = str(event.get("type"))
        if kind == "input_audio_buffer.speech_started":
            self._is_awaited = True
        if kind.startswith("response.") and self._begun_s is None:
            self._begun_s, self._is_awaited = at_s, False
        self._parts += self._reader.feed(at_s, event)
        return self._ended() if self._reader.is_done else []

    def finish(self) -> list[Part]:
        """Return the tokens of all answers together, where they are told."""
        return [self._usage] if self._usage else []

    def _ended(self) -> list[Part]:
        reader, parts, begun_s = self._reader, self._parts, self._begun_s
        self._reader, self._parts, self._begun_s = self._next_reader(), [], None
        for part in reader.finish():
            counted = self._usage.usage if self._usage else {}
            self._usage = replace(part, usage=_sum(counted, part.usage))
        if reader.was_cut_off:
            return []
        self._last_begun_s = begun_s
        return self._on_a_line_of_its_own(parts)

    def _on_a_line_of_its_own(self, parts: list[Part]) -> list[Part]:
        place = next((n for n, part in enumerate(parts) if part.kind != "call" and part.text), None)
        if place is not None and self._has_words:
            parts[place] = replace(parts[place], text="\n" + parts[place].text)
        self._has_words = self._has_words or place is not None
        return parts

    def _next_reader(self) -> AnswerReader:
        return AnswerReader(self._peer, self._names, may_be_cut_off=True)


def _sum(counts: Mapping[str, int], more: Mapping[str, int]) -> dict[str, int]:
    return {name: counts.get(name, 0) + more.get(name, 0) for name in {**counts, **more}}
