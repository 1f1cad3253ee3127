"""What makers of clips are given: backends, the job, and the turns that something is to be made of."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from voicebench.audio.checks import Limits, doubts
from voicebench.audio.plan import BuildPlan, ClipPlan, TurnPlan
from voicebench.protocols import SpeakerEncoder, Synthesizer, Transcriber, VoiceConverter
from voicebench.types import FailureRow, ManifestRow, ModelRef

TurnPlace = tuple[str, int]
"""Task and turn."""

Rows = tuple[ManifestRow | FailureRow, ...]
"""All that became of one turn, to be kept or lost together."""


@dataclass(frozen=True)
class Models:
    """The models of a build."""

    synthesizer: ModelRef
    converter: ModelRef | None = None
    encoder: ModelRef | None = None
    transcriber: ModelRef | None = None


@dataclass(frozen=True)
class Engines:
    """The backends of a build.

    Attributes:
        synthesizer: Speaks.
        converter: Moves a native voice to a chosen voice that is not native; None keeps to native voices.
        encoder: Chooses voices that differ, and checks each clip against its voice; None takes the first.
        transcriber: Hears each clip, for the round trip; None hears none.
    """

    synthesizer: Synthesizer
    converter: VoiceConverter | None = None
    encoder: SpeakerEncoder | None = None
    transcriber: Transcriber | None = None

    @property
    def models(self) -> Models:
        """Which models these are."""
        return Models(
            self.synthesizer.model,
            self.converter.model if self.converter else None,
            self.encoder.model if self.encoder else None,
            self.transcriber.model if self.transcriber else None,
        )


@dataclass(frozen=True)
class Job:
    """What is the same for all clips of a build.

    Attributes:
        out: The build's folder.
        plan: How its clips are made.
        limits: What the checks let pass.
    """

    out: Path
    plan: BuildPlan
    limits: Limits = field(default_factory=Limits)

    def doubts(self, checks: Mapping[str, Any], clip: ClipPlan) -> tuple[str, ...]:
        """Return the names of the checks that a dry clip fails without being unusable."""
        unrelated = self.plan.unrelated_similarity(clip.lang)
        return doubts(checks, clip.spoken_text, clip.lang, self.limits, unrelated)


@dataclass(frozen=True)
class Work:
    """A turn of which something is to be made.

    Attributes:
        turn: Its plan.
        kept: The row of its dry clip, where there is one already.
        effects: The effects that are missing.
        hear: Whether the dry clip that is kept goes through the round trip.
    """

    turn: TurnPlan
    kept: ManifestRow | None
    effects: tuple[ClipPlan, ...]
    hear: bool = False

    @property
    def place(self) -> TurnPlace:
        """Task and turn."""
        return (self.turn.speech.task_id, self.turn.speech.turn)

    @property
    def missing(self) -> tuple[ClipPlan, ...]:
        """The clips that are to be made."""
        return self.effects if self.kept is not None else (self.turn.speech, *self.effects)
