"""Read other people's task sets: one module a set, and the table of them.

A door is a function `(Source, Wanted) -> Imported` that only reads; `importing` runs it, holds what it gives
against the format, and writes the tasks and the recordings.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from voicebench.errors import UserError, did_you_mean
from voicebench.tasks.doors.contract import (
    UNKNOWN_LICENCE,
    Clip,
    Imported,
    NoTask,
    Skipped,
    Wanted,
)
from voicebench.tasks.doors.source import Source

__all__ = [
    "DOORS", "UNKNOWN_LICENCE", "Clip", "Door", "Imported", "NoTask", "Read", "Skipped", "Source", "Wanted",
    "door",
]  # fmt: skip

Read = Callable[[Source, Wanted], Imported]
"""Reads what of a source is wanted. Raises `UserError` where nothing there is what the door reads."""


@dataclass(frozen=True)
class Door:
    """A task set of somebody else's that can be read.

    Attributes:
        name: What the user writes.
        title: What it is, and what a source of it looks like.
        licence: What is known of its licence; the user still reads the source's own words.
        target: "module:function", a `Read`.
        reads_audio: Whether it has recordings: then a folder is written, with tasks.jsonl beside the clips.
    """

    name: str
    title: str
    licence: str
    target: str
    reads_audio: bool = False

    def load(self) -> Read:
        """Return its function."""
        module, _, function = self.target.partition(":")
        read: Read = getattr(import_module(module), function)
        return read


_HERE = "voicebench.tasks.doors"

DOORS: dict[str, Door] = {
    entry.name: entry
    for entry in (
        Door(
            "vab",
            "VoiceAgentBench: data/SUBSET_data/LANGUAGE/SUBSET_LANGUAGE.json and its recordings",
            "Krutrim Community License Agreement 1.0: research, with attribution; not to be passed on",
            f"{_HERE}.vab:read",
            reads_audio=True,
        ),
        Door(
            "bfcl",
            "Berkeley Function-Calling Leaderboard v3, v4: BFCL_v4_CATEGORY.json and possible_answer/",
            "Apache-2.0",
            f"{_HERE}.bfcl:read",
        ),
        Door(
            "api-bank",
            "API-Bank level 1: json_test_data/level-1-api.json",
            "MIT (the repository DAMO-ConvAI)",
            f"{_HERE}.api_bank:read",
        ),
        Door(
            "agentharm",
            "AgentHarm: harmful and harmless_benign behaviours (names of tools, no schemas)",
            "its own (MIT with a clause on use); harmful requests are not to be passed on",
            f"{_HERE}.agentharm:read",
        ),
        Door(
            "audio-arena",
            "Audio Arena: recorded turns with tool calls (arcada-labs/*-bench)",
            "MIT",
            f"{_HERE}.audio_arena:read",
            reads_audio=True,
        ),
        Door(
            "audio2tool",
            "Audio2Tool: spoken English commands (RVtech/Audio2Tool)",
            "non-commercial",
            f"{_HERE}.audio2tool:read",
            reads_audio=True,
        ),
        Door(
            "openai",
            "Tools in OpenAI's form (tools.json) and JSON Lines of messages with tool calls",
            "the source's own",
            f"{_HERE}.openai_tools:read",
        ),
    )
}
"""Every door, by name."""


def door(name: str) -> Door:
    """Return a door by its name.

    Raises:
        UserError: There is none; the message names the closest one.
    """
    if name not in DOORS:
        raise UserError(f"no door {name!r} into other task sets.{did_you_mean(name, DOORS)}")
    return DOORS[name]
