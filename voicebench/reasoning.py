"""What a model thinks before it answers, told apart from the answer while both stream in."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from voicebench.types import Part

MARKERS: dict[str, str] = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",
    "<seed:think>": "</seed:think>",
    "[THINK]": "[/THINK]",
}
"""How model families begin their thoughts, and how they end them."""


def opened_by(prompt: str) -> str | None:
    """Return the marker with which a rendered prompt ends, so that the answer begins inside thoughts."""
    end = prompt.rstrip()
    return next((marker for marker in MARKERS if end.endswith(marker)), None)


class ThoughtReader:
    """Tells thoughts from the answer while its parts come in.

    Only what the answer begins with counts: a marker further on is part of what is said. Each piece keeps the
    time at which it arrived, also where a marker that comes in several pieces has to be waited for.
    """

    def __init__(self, *, opened: str | None = None) -> None:
        """Begin an answer.

        Args:
            opened: The marker that the prompt ended with (`opened_by`).
        """
        self._close = MARKERS[opened] if opened is not None else None
        self._is_answering = False
        self._held: list[Part] = []

    def feed(self, part: Part) -> list[Part]:
        """Return what has become clear with the next part: thoughts as kind "reasoning", without markers."""
        if self._is_answering:
            return [part]
        if part.kind != "content":
            return [*self.end(), part]
        self._held.append(part)
        return self._beginning() if self._close is None else self._thoughts(self._close)

    def end(self) -> list[Part]:
        """Return what was held back, where nothing more comes."""
        held, self._held, self._is_answering = self._held, [], True
        kind: Literal["content", "reasoning"] = "content" if self._close is None else "reasoning"
        return _between(held, 0, len(_text(held)), kind)

    def _beginning(self) -> list[Part]:
        text = _text(self._held)
        begun = text.lstrip()
        marker = next((marker for marker in MARKERS if begun.startswith(marker)), None)
        if marker is not None:
            self._close = MARKERS[marker]
            self._held = _between(self._held, text.index(marker) + len(marker), len(text))
            return self._thoughts(self._close)
        return [] if any(marker.startswith(begun) for marker in MARKERS) else self.end()

    def _thoughts(self, close: str) -> list[Part]:
        text = _text(self._held)
        end = text.find(close)
        if end >= 0:
            held, self._held, self._is_answering = self._held, [], True
            return _between(held, 0, end, "reasoning") + _between(held, end + len(close), len(text))
        sure = len(text) - _overlap(text, close)
        thoughts = _between(self._held, 0, sure, "reasoning")
        self._held = _between(self._held, sure, len(text))
        return thoughts


def split_reasoning(parts: Iterable[Part], *, opened: str | None = None) -> Iterator[Part]:
    """Yield the parts of an answer as `ThoughtReader` tells them apart.

    Args:
        parts: The answer's parts, in order.
        opened: The marker that the prompt ended with (`opened_by`).
    """
    reader = ThoughtReader(opened=opened)
    for part in parts:
        yield from reader.feed(part)
    yield from reader.end()


def _text(parts: Sequence[Part]) -> str:
    return "".join(part.text for part in parts)


def _overlap(text: str, marker: str) -> int:
    """Return how many characters at the end of a text may be the beginning of a marker."""
    return next(n for n in range(len(marker) - 1, -1, -1) if text.endswith(marker[:n]))


def _between(
    parts: Sequence[Part], start: int, stop: int, kind: Literal["content", "reasoning"] = "content"
) -> list[Part]:
    """Return the parts of a stretch of their joined text, cut where it begins and ends."""
    cut = []
    place = 0
    for part in parts:
        text = part.text[max(0, start - place) : max(0, stop - place)]
        place += len(part.text)
        if text:
            cut.append(Part(kind, text, part.at_s))
    return cut
