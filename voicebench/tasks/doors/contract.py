"""What every door gives back: the tasks it could read, what it left out and why, and the recordings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from voicebench.errors import VoicebenchError
from voicebench.types import ModelRef, TaskRow, VoiceRef

UNKNOWN_LICENCE = "unknown"
"""What `meta.licence` says where a source does not say it; never the licence of our own tasks."""


@dataclass(frozen=True)
class Wanted:
    """What of a source is asked for.

    Attributes:
        langs: Language codes; None is every language.
        categories: The source's own names of its parts; None is all that can be read.
    """

    langs: tuple[str, ...] | None = None
    categories: tuple[str, ...] | None = None

    def lang(self, code: str) -> bool:
        """Whether a language is asked for."""
        return self.langs is None or code in self.langs

    def category(self, name: str) -> bool:
        """Whether a part of the source is asked for."""
        return self.categories is None or name in self.categories


@dataclass(frozen=True)
class Skipped:
    """Something that cannot be a task here.

    Attributes:
        reason: Why, in words that are the same for all of the same kind, so that they can be counted.
        where: Which one: a file, or a file and an id; and what is particular about it.
    """

    reason: str
    where: str


class NoTask(VoicebenchError):
    """Raised inside a door where an item cannot be a task here; the message is a `Skipped.reason`.

    Args:
        reason: Why, in words that are the same for all of the same kind.
        detail: What is particular about this one.
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.detail = detail


@dataclass(frozen=True)
class Clip:
    """A recording of one user turn, as the source has it.

    Attributes:
        task_id: The task.
        turn: Index into its `turns`.
        lang: The language that is spoken.
        spoken_text: What is said, as far as the source says it.
        sound: Gives the recording when it is wanted: a file, or a file's bytes. A `UserError` says that it is
            not there.
        synthesizer: What made it; of a person, `ModelRef(name="human")`.
        voice: Whose it is, where the source says it.
        checks: What else the source says of it.
    """

    task_id: str
    turn: int
    lang: str
    spoken_text: str
    sound: Callable[[], Path | bytes]
    synthesizer: ModelRef
    voice: VoiceRef | None = None
    checks: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Imported:
    """What a door read.

    Attributes:
        rows: The tasks, in the order of the source; every tool stands in them as a whole schema.
        skipped: What is no task here.
        clips: Recordings of the tasks' user turns; those of other tasks are ignored.
    """

    rows: tuple[TaskRow, ...]
    skipped: tuple[Skipped, ...] = ()
    clips: tuple[Clip, ...] = ()
