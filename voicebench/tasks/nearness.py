"""Find tasks of one language that ask nearly the same.

A set measures as many things as it has different requests. Two requests are compared as the sets of their
shingles (runs of four letters of the canonical text, over the ends of words): the Jaccard index, shared ÷
all. Before, what only fills a slot is taken away: numbers become `#`, and the gold values that the request
says become `_`, so that "a cab from A to B" with other places is the same request again.

Two tasks are near where they share `NEAR_TEXT` of all their shingles or more and call the same tools, or
`SAME_TEXT` or more, whatever they call. A word changed in a request of ten words leaves about 0.75 of its
shingles, another sentence for the same slots rarely more than 0.5; so 0.8 lets no copy through that differs
in its names and a particle, and leaves what was worded anew. Requests of fewer than `FEWEST_SHINGLES` once
their slots are empty say too little to be compared and must be the same to the letter.

Safety tasks are alike on purpose: the harmful and the harmless request of a pair, and the two that differ in
whether they name the tool (`meta.hint`). Those are not compared.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from voicebench.scoring.markers import is_marker
from voicebench.scoring.text import canonical_text
from voicebench.types import TaskRow

NEAR_TEXT = 0.8
"""Share of shingles from which two tasks with the same tools are nearly the same."""

SAME_TEXT = 0.95
"""Share of shingles from which two tasks are, whatever they call."""

FEWEST_SHINGLES = 8
"""Requests of fewer shingles are compared as they are, with their names and numbers."""

_SHINGLE = 4
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_SLOT = "_"
_UNSPACED_LANGUAGES = frozenset(("th", "zh"))
_FEWEST_LETTERS_OF_A_SLOT = 2


@dataclass(frozen=True)
class Near:
    """Two tasks that are nearly the same: their places in the list, and the share of shingles they have."""

    first: int
    second: int
    share: float


def near_pairs(rows: Sequence[TaskRow]) -> list[Near]:
    """Return the pairs of tasks of one language that are nearly the same, in order of the later one.

    Args:
        rows: The tasks.

    Returns:
        One entry for each task that is near an earlier one, with the nearest of those.
    """
    nearest: dict[int, Near] = {}
    index: dict[tuple[str, str], list[int]] = {}
    shingles: list[frozenset[str]] = []
    tools = [_tools(row) for row in rows]
    for place, row in enumerate(rows):
        own = _shingles(request_shape(row))
        if len(own) < FEWEST_SHINGLES:
            own = frozenset((canonical_text(_said(row), row.lang),))
        shared: Counter[int] = Counter()
        for shingle in own:
            earlier = index.setdefault((row.lang, shingle), [])
            shared.update(earlier)
            earlier.append(place)
        shingles.append(own)
        for other, common in shared.items():
            share = common / (len(own) + len(shingles[other]) - common)
            least = NEAR_TEXT if tools[place] == tools[other] else SAME_TEXT
            if share < least or _alike_on_purpose(row, rows[other]):
                continue
            if place not in nearest or share > nearest[place].share:
                nearest[place] = Near(other, place, share)
    return list(nearest.values())


def request_shape(row: TaskRow) -> str:
    """Return what a task's user says, with its numbers as `#` and its gold values as `_`."""
    words = f" {canonical_text(_said(row), row.lang)} "
    unspaced = row.lang in _UNSPACED_LANGUAGES
    for value in sorted(set(_slots(row)), key=lambda text: (-len(text), text)):
        words = words.replace(value if unspaced else f" {value}", _SLOT if unspaced else f" {_SLOT}")
    return " ".join(_NUMBER.sub("#", words).split())


def _said(row: TaskRow) -> str:
    return " / ".join(turn.text for turn in row.turns if turn.role == "user")


def _slots(row: TaskRow) -> Iterable[str]:
    for call in row.expect.calls or ():
        for accepted in call.arguments.values():
            for text in _texts(accepted):
                canonical = canonical_text(text, row.lang)
                if len(canonical) >= _FEWEST_LETTERS_OF_A_SLOT:
                    yield canonical
    said = row.meta.get("said")
    if isinstance(said, Mapping):
        for words in said.values():
            if isinstance(words, str) and len(words) >= _FEWEST_LETTERS_OF_A_SLOT:
                yield canonical_text(words, row.lang)


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
    elif isinstance(value, dict) and not is_marker(value):
        for inner in value.values():
            yield from _texts(inner)


def _shingles(text: str) -> frozenset[str]:
    return frozenset(text[start : start + _SHINGLE] for start in range(len(text) - _SHINGLE + 1))


def _tools(row: TaskRow) -> tuple[str, ...]:
    return tuple(sorted(call.name for call in row.expect.calls or ()))


def _alike_on_purpose(one: TaskRow, other: TaskRow) -> bool:
    if other.id == one.twin or one.id == other.twin:
        return True
    sides = [(row.expect.refuse, bool(row.meta.get("hint"))) for row in (one, other)]
    return one.task == other.task == "safety" and sides[0] != sides[1]
