"""Plan a build: which clips there should be, and everything that each is made from."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property

from voicebench.audio.effects import parse
from voicebench.audio.spoken import spoken
from voicebench.audio.voices import ReferenceVoice, VoiceChoice
from voicebench.files import sha256_bytes, sha256_json
from voicebench.types import ModelRef, Task, VoiceRef

BUILD_VERSION = "1"
"""Part of what a clip is made from: with another number, every clip is made anew."""

SPEECH = "speech"


@dataclass(frozen=True)
class ClipPlan:
    """One clip, and everything that it is made from.

    Attributes:
        task_id: The task.
        turn: Index of the user's turn.
        condition: "speech", or "speech/EFFECT".
        lang: Language of the text.
        spoken_text: What is said aloud; "" where there is nothing to say.
        synthesizer: What speaks.
        speaker: Id of the synthesizer's voice that speaks.
        voice: The voice that is heard.
        converter: What moves the speaker to that voice; None where they are the same.
        reference: SHA-256 of the voice's recording, where it is converted to.
        encoder: What chose the voices and checks the clip, or None.
        effect: The effect's name, or None.
        seed: Of synthesis, conversion and effect.
    """

    task_id: str
    turn: int
    condition: str
    lang: str
    spoken_text: str
    synthesizer: ModelRef
    speaker: str
    voice: VoiceRef
    converter: ModelRef | None
    reference: str | None
    encoder: ModelRef | None
    effect: str | None
    seed: int

    @property
    def place(self) -> tuple[str, int, str]:
        """Task, turn and condition: what is unique in a manifest."""
        return (self.task_id, self.turn, self.condition)

    @cached_property
    def key(self) -> str:
        """A hash of the plan: as long as it is the same, the clip need not be made again."""
        made_from = asdict(self) | {
            name: model.model_dump() if model is not None else None
            for name, model in {
                "synthesizer": self.synthesizer,
                "voice": self.voice,
                "converter": self.converter,
                "encoder": self.encoder,
            }.items()
        }
        return sha256_json(made_from | {"build": BUILD_VERSION})[:16]

    @property
    def effect_seed(self) -> int:
        """The seed of the effect: another one for each clip, so that no two have the same noise."""
        text = f"{self.seed}\n{self.task_id}\n{self.turn}\n{self.condition}"
        return int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:8])


@dataclass(frozen=True)
class BuildPlan:
    """How the clips of a build are made.

    Attributes:
        voices: The voices of each language.
        synthesizer: What speaks.
        converter: What changes voices, or None.
        encoder: What places voices in speaker space, or None.
        effects: Names of effects; each adds a condition to `speech`.
        seed: Of everything that is drawn.
    """

    voices: Mapping[str, VoiceChoice]
    synthesizer: ModelRef
    converter: ModelRef | None
    encoder: ModelRef | None
    effects: tuple[str, ...]
    seed: int

    def clips(self, tasks: Sequence[Task]) -> list[ClipPlan]:
        """Return the clips of tasks: for each user turn `speech`, then one for each effect."""
        return [
            self.clip(task, turn, effect)
            for task in tasks
            for turn in task.user_turns
            for effect in (None, *self.effects)
        ]

    def clip(self, task: Task, turn: int, effect: str | None) -> ClipPlan:
        """Return the plan of one clip.

        Raises:
            UserError: There is no such effect.
        """
        if effect is not None:
            parse(effect)
        target, speaker = self.voice_of(task)
        converted = speaker is not target
        voice = target.voice
        return ClipPlan(
            task_id=task.id,
            turn=turn,
            condition=SPEECH if effect is None else f"{SPEECH}/{effect}",
            lang=task.lang,
            spoken_text=spoken(task.turns[turn].text, task.lang, region=task.meta.get("region")),
            synthesizer=self.synthesizer,
            speaker=speaker.voice.id,
            voice=VoiceRef(id=voice.id, source=voice.source, licence=voice.licence),
            converter=self.converter if converted else None,
            reference=sha256_bytes(target.clip.samples.tobytes()) if converted else None,
            encoder=self.encoder,
            effect=effect,
            seed=self.seed,
        )

    def voice_of(self, task: Task) -> tuple[ReferenceVoice, ReferenceVoice]:
        """Return the voice that a task is heard in, and the voice that speaks it: a native one, or the same.

        A task keeps its voice whatever other tasks are built with it, and the two twins of a safety pair
        share one, so that they differ in their words alone.
        """
        choice = self.voices[task.lang]
        pair = "\n".join(sorted({task.id, task.twin or task.id}))
        digest = hashlib.sha256(f"{self.seed}\n{pair}".encode("utf-8", "replace")).digest()
        target = choice.chosen[int.from_bytes(digest[:8]) % len(choice.chosen)]
        return target, target if self.converter is None else choice.speaker_for(target)
