"""Requests and clips for the tests of agents."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from voicebench.types import Audio, InputTurn, Request, Tool

RIDE = Tool(
    name="cab.book_ride",
    description="Book a cab from one place to another. Returns ride_id.",
    parameters={
        "type": "object",
        "properties": {
            "pickup": {"type": "string", "description": "Where the ride starts."},
            "dropoff": {"type": "string", "description": "Where the ride ends."},
            "vehicle": {"type": "string", "enum": ["any", "auto", "car"], "default": "any"},
        },
        "required": ["pickup", "dropoff"],
    },
)
BASKET = Tool(name="food.clear_basket", description="Empty the basket.")


def tone(hertz: float = 440.0, *, seconds: float = 0.5, rate_hz: int = 16_000) -> Audio:
    time_s = np.arange(int(seconds * rate_hz)) / rate_hz
    return Audio((0.3 * np.sin(2 * np.pi * hertz * time_s)).astype(np.float32), rate_hz)


def request(
    *turns: str | Audio,
    tools: Sequence[Tool] = (RIDE, BASKET),
    lang: str = "en",
    task_id: str = "single-en-0001",
    agent: str = "stub",
    **fields: Any,
) -> Request:
    """A request of turns that alternate between user and assistant, the user first."""
    said = tuple(
        InputTurn(
            "assistant" if place % 2 else "user",
            turn if isinstance(turn, str) else None,
            turn if isinstance(turn, Audio) else None,
        )
        for place, turn in enumerate(turns)
    )
    heard = any(isinstance(turn, Audio) for turn in turns)
    condition = fields.pop("condition", "speech" if heard else "text")
    return Request(task_id, agent, condition, 0, lang, said, tuple(tools), **fields)
