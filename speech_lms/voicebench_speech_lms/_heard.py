"""Whether there is sound to send, and whether it reached a model behind a server."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from voicebench.errors import AgentFailure
from voicebench.types import Audio, Message

LEAST_TOKENS_A_SECOND = 2
"""Fewer than any model makes of a second: OpenAI's 10, Qwen3-Omni's 12.5, Qwen2-Audio's 25, Gemini's 32."""


def sound_s(messages: Iterable[Message]) -> float:
    """Return how long the clips of a chat are together, in seconds."""
    return sum(message.audio.duration_s for message in messages if message.audio is not None)


def require_numbers(clip: Audio) -> None:
    """Refuse a clip with samples that are no numbers, which would go out as some sound or other.

    Raises:
        AgentFailure: It holds NaN or infinity ("audio").
    """
    if not np.isfinite(clip.samples).all():
        raise AgentFailure("audio", "the clip holds samples that are no numbers")


def least_tokens(audio_s: float) -> int:
    """Return how many tokens so many seconds of sound are at the very least."""
    return int(LEAST_TOKENS_A_SECOND * audio_s)


def require_heard(who: str, usage: Mapping[str, Any], audio_s: float) -> None:
    """Refuse an answer to sound that did not reach the model.

    The tokens of the sound, where the server counts them apart, or else those of the whole prompt must be two
    at least for each second. Where no tokens are told, nothing can be said.

    Args:
        who: Who answered, for messages.
        usage: Of a "usage" part.
        audio_s: How much sound was sent, in seconds.

    Raises:
        AgentFailure: It cannot have reached the model ("audio").
    """
    kind = "audio" if "audio_input_tokens" in usage else "input"
    tokens = usage.get("audio_input_tokens", usage.get("input_tokens"))
    if tokens is not None and tokens < least_tokens(audio_s):
        raise AgentFailure(
            "audio",
            f"{who}: the sound did not reach the model: {audio_s:.1f} s were sent, "
            f"and it counts {tokens} {kind} tokens",
        )
