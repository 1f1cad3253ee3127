"""Ask a language model for JSON objects: several items at once where a server answers, one by one here."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

from voicebench.errors import VoicebenchError
from voicebench.protocols import LanguageModel
from voicebench.scoring.calls import without_reasoning
from voicebench.scoring.plain import Unreadable, decode_json, writable
from voicebench.tasks.drafting.prompts import Question
from voicebench.wire import loop
from voicebench.wire.limit import Limit

AT_ONCE = 16
"""Items that are under way at once at a server."""

MAX_CHARACTERS = 100_000
"""Longer answers are not read."""

_MOST_BRACKETS = 200
I = TypeVar("I")  # noqa: E741


class NoObjectError(VoicebenchError):
    """An answer that is not the JSON object that was asked for."""


async def ask(model: LanguageModel, question: Question) -> str:
    """Return what a model writes, greedily, held to the question's schema where it can be.

    Raises:
        AgentFailure: The model or its machine failed; what passes was tried again by the model's client.
    """
    options: dict[str, Any] = {
        "schema": question.schema if model.holds_schema else None,
        "max_tokens": question.max_tokens,
        "temperature": 0.0,
        "seed": 0,
    }
    stream = getattr(model, "stream", None)
    if stream is not None:
        parts = [part async for part in stream(question.chat, **options)]
    else:
        # The loop's thread is everybody's; generating would hold it up.
        parts = await asyncio.to_thread(lambda: list(model.complete(question.chat, **options)))
    return "".join(part.text for part in parts if part.kind in ("content", "answer"))


def for_each(
    items: Sequence[I], work: Callable[[I], Awaitable[bool]], model: LanguageModel, *, at_once: int = AT_ONCE
) -> None:
    """Do some work with a model for each item: many at once at a server, one after the other on this machine.

    Args:
        items: What is worked on, begun in this order.
        work: Does it, and tells whether the model answered; while it does not, fewer are asked at once.
        model: What is asked.
        at_once: Items under way at most.

    Raises:
        Exception: What `work` raised; the items that are under way are left.
    """
    slots = min(at_once, len(items)) if hasattr(model, "stream") else 1
    loop.run(_all(items, work, slots))


async def _all(items: Sequence[I], work: Callable[[I], Awaitable[bool]], slots: int) -> None:
    limit = Limit(slots)
    left = iter(items)

    async def worker(number: int) -> None:
        while True:
            await limit.turn(number)
            item = next(left, None)
            if item is None:
                limit.open()
                return
            if await work(item):
                limit.went_well()
            else:
                limit.turned_away()

    try:
        async with asyncio.TaskGroup() as group:
            for number in range(slots):
                group.create_task(worker(number))
    # One item's failure ends the others; what it was is what the caller has to know.
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None


def object_in(answer: str, key: str) -> Mapping[str, Any]:
    """Return the one JSON object in an answer that has a key; prose, fences and reasoning may stand around.

    Raises:
        NoObjectError: There is none, or more than one.
    """
    if len(answer) > MAX_CHARACTERS:
        raise NoObjectError(f"the answer has {len(answer):,} characters; at most {MAX_CHARACTERS:,} are read")
    try:
        text = without_reasoning(writable(answer))
    except Unreadable as error:
        raise NoObjectError(f"the answer cannot be read: {error}") from None
    found: list[Mapping[str, Any]] = []
    position = 0
    for _ in range(_MOST_BRACKETS):
        start = text.find("{", position)
        if start < 0:
            break
        try:
            value, position = decode_json(text, start)
        except Unreadable:
            position = start + 1
            continue
        if isinstance(value, dict) and key in value:
            found.append(value)
    if len(found) != 1:
        number = "no JSON object" if not found else f"{len(found)} JSON objects"
        raise NoObjectError(f"{number} with {key!r} in the answer")
    return found[0]
