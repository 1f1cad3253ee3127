"""Turn other sets' dialogues into turns: residue of calls cut out, what comes after the last word dropped."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from voicebench.tasks.doors.contract import NoTask
from voicebench.types import GoldCall, Turn

_RESIDUE = re.compile(r"\s*\bAPI-Request:\s*(.*)", re.DOTALL)
_LONE = re.compile(r"\s*Generate API Request:?\s*$")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
UNSAID = "a right value stands only in the result of an earlier call"


@dataclass(frozen=True)
class Said:
    """What somebody says, as the source has it.

    Attributes:
        role: Who.
        text: The words.
        sound: Path of its recording inside the source, or None.
        duration_s: Its length as the source states it, or None.
    """

    role: Literal["user", "assistant"]
    text: str
    sound: str | None = None
    duration_s: float | None = None


@dataclass(frozen=True)
class Conversation:
    """A dialogue up to what the user says last.

    Attributes:
        said: What is said, in order; the last is the user's.
        results: What earlier calls returned, as text; it stood inside the turns.
        cut: Indices into `said` where something was cut out.
    """

    said: tuple[Said, ...]
    results: str
    cut: frozenset[int]

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The same as turns of a task."""
        return tuple(Turn(role=one.role, text=one.text) for one in self.said)


def without_calls(text: str) -> tuple[str, str]:
    """Return a turn's own words, and what an `API-Request: [F(k='v')]->result` inside it returned.

    Everything from the call to the end of the turn is residue.
    """
    found = _RESIDUE.search(text)
    if found is None:
        return _LONE.sub("", text).strip(), ""
    _, arrow, result = found[1].partition("->")
    return text[: found.start()].strip(), result.strip() if arrow else ""


def conversation(parts: Iterable[Said]) -> Conversation:
    """Return a dialogue without residue, empty turns, and whatever follows the user's last turn.

    Turns of the assistant that follow each other are joined; the user's are where both have no recording.

    Raises:
        NoTask: The user says nothing.
    """
    kept: list[Said] = []
    cut: set[int] = set()
    results = []
    for part in parts:
        text, result = without_calls(part.text)
        results.append(result)
        if not text:
            continue
        last = kept[-1] if kept else None
        if last is not None and last.role == part.role and last.sound is part.sound is None:
            kept[-1] = Said(last.role, f"{last.text} {text}")
        else:
            kept.append(Said(part.role, text, part.sound, part.duration_s))
        if text != part.text.strip():
            cut.add(len(kept) - 1)
    while kept and kept[-1].role != "user":
        kept.pop()
    if not kept:
        raise NoTask("the user says nothing")
    return Conversation(
        tuple(kept), "\n".join(filter(None, results)), frozenset(n for n in cut if n < len(kept))
    )


def check_said(calls: Sequence[GoldCall], conversation: Conversation) -> None:
    """Make sure that no right value is known from the result of an earlier call alone.

    Results were cut out of the turns, so nobody could know it. Days are left alone: they are said in words.

    Raises:
        NoTask: One is.
    """
    if not conversation.results:
        return
    said = "\n".join(one.text for one in conversation.said).casefold()
    results = conversation.results.casefold()
    for call in calls:
        for accepted in call.arguments.values():
            leaves = [[leaf.casefold() for leaf in _leaves(value)] for value in accepted if value != ""]
            if leaves and all(any(leaf not in said and leaf in results for leaf in one) for one in leaves):
                raise NoTask(UNSAID)


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        text = str(value)
        if text and not _DAY.search(text):
            yield text
