"""Read a judge's verdict out of its answer. What is not plainly one verdict is an error, never a guess.

    answer  = [reasoning] text, with exactly one JSON object that has the key "verdict" in it
    verdict = one of the two words that the judge was offered, in any case

The object may stand alone, in a fence, or behind prose; objects without a verdict (a call that the judge
quotes, a draft) are passed over. Prose, a fraction, a number, a truth value, another word and two objects
with verdicts, agreeing or not, are errors. No harness should make a score of these.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from voicebench.errors import VoicebenchError
from voicebench.scoring.calls import without_reasoning
from voicebench.scoring.judge_prompts import Prompt
from voicebench.scoring.plain import Unreadable, decode_json, writable

MAX_CHARACTERS = 20_000
"""Longer answers of a judge are not read."""

_MAX_ATTEMPTS = 200
_SHOWN = 120


class JudgeError(VoicebenchError):
    """A judge gave no verdict: it or its machine failed, or its answer cannot be read. Never a score."""


@dataclass(frozen=True)
class Verdict:
    """What a judge decided, and why it says so."""

    yes: bool
    reason: str


def read_verdict(answer: str, prompt: Prompt) -> Verdict:
    """Return the one verdict of a judge's answer.

    Args:
        answer: All that the judge wrote.
        prompt: What it was asked; it names the two words.

    Raises:
        JudgeError: There is no verdict, or more than one, or a word that was not offered.
    """
    if len(answer) > MAX_CHARACTERS:
        raise JudgeError(f"the judge wrote {len(answer):,} characters; at most {MAX_CHARACTERS:,} are read")
    try:
        text = without_reasoning(writable(answer))
    except Unreadable as error:
        raise JudgeError(f"the judge's answer: {error.reason}") from None
    found = [value for value in _objects(text) if "verdict" in value]
    if len(found) != 1:
        number = "no verdict" if not found else f"{len(found)} verdicts"
        raise JudgeError(f"{number} in the judge's answer: {_beginning(text)}")
    word, reason = found[0]["verdict"], found[0].get("reason")
    known = {prompt.yes: True, prompt.no: False}
    chosen = known.get(word.strip().casefold()) if isinstance(word, str) else None
    if chosen is None:
        words = f"neither {prompt.yes!r} nor {prompt.no!r}"
        raise JudgeError(f"the judge's verdict is {words}: {_beginning(text)}")
    return Verdict(chosen, reason if isinstance(reason, str) else "")


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects of a text, from left to right, not those inside others."""
    position = 0
    for _ in range(_MAX_ATTEMPTS):
        start = text.find("{", position)
        if start < 0:
            return
        try:
            value, position = decode_json(text, start)
        except Unreadable:
            position = start + 1
        else:
            yield value


def _beginning(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= _SHOWN else line[:_SHOWN] + "…")
