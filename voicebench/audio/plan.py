"""Plan a build: which clips there should be, and everything that each is made from."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from voicebench.audio.effects import parse
from voicebench.audio.spoken import spoken
from voicebench.audio.voices import ReferenceVoice, VoiceChoice
from voicebench.files import sha256_bytes, sha256_json
from voicebench.types import ModelRef, Task, VoiceRef

BUILD_VERSION = "1"
"""Part of what a clip is made from: with another number, every clip is made anew."""

SPEECH = "speech"
_FEWEST_COMPARED = 3


@lru_cache(maxsize=1024)
def _sha256(reference: ReferenceVoice) -> str:
    return sha256_bytes(reference.clip.samples.tobytes())


@lru_cache(maxsize=64)
def _mean_similarity(choice: VoiceChoice) -> float | None:
    rows = [other.embedding for other in choice.candidates if other.embedding is not None]
    count = len(rows)
    if count < _FEWEST_COMPARED:
        return None
    total = np.stack(rows).astype(np.float64).sum(axis=0)
    return float((total @ total - count) / (count * (count - 1)))


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
        effect: The effect's or the chain's name, or None.
        mixed_in: What else the effects' result depends on: their versions, hashes of the recordings.
        seed: Of synthesis, conversion and effect (of the first take; see `other_seed`).
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
    mixed_in: tuple[str, ...]
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
    def other_seed(self) -> int:
        """The seed of a second take, where the first one fails a check."""
        # 31 bits: some engines take no more.
        return int.from_bytes(hashlib.sha256(f"{self.seed}\nsecond take".encode()).digest()[:4]) >> 1

    @property
    def effect_seed(self) -> int:
        """The seed of the effect: another one for each turn, so that no two have the same noise.

        It is the same under every condition: the rungs of a ladder have one noise at several levels.
        """
        text = f"{self.seed}\n{self.task_id}\n{self.turn}"
        return int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:8])


@dataclass(frozen=True)
class TurnPlan:
    """The clips of one user turn.

    Attributes:
        speech: The dry clip.
        effects: What is made of it, one for each effect of the build.
    """

    speech: ClipPlan
    effects: tuple[ClipPlan, ...]

    @property
    def clips(self) -> tuple[ClipPlan, ...]:
        """The dry clip, then those with effects."""
        return (self.speech, *self.effects)


@dataclass(frozen=True)
class BuildPlan:
    """How the clips of a build are made.

    Attributes:
        voices: The voices of each language.
        synthesizer: What speaks.
        converter: What changes voices, or None.
        encoder: What places voices in speaker space, or None.
        effects: Names of effects or chains; each adds a condition to `speech`.
        seed: Of everything that is drawn.
    """

    voices: Mapping[str, VoiceChoice]
    synthesizer: ModelRef
    converter: ModelRef | None
    encoder: ModelRef | None
    effects: tuple[str, ...]
    seed: int

    def turns(self, tasks: Sequence[Task]) -> list[TurnPlan]:
        """Return the plan of each user turn of tasks.

        Raises:
            UserError: An effect is unknown, or a recording that it mixes in is missing.
        """
        return [self.turn(task, turn) for task in tasks for turn in task.user_turns]

    def turn(self, task: Task, turn: int) -> TurnPlan:
        """Return the plan of one user turn; errors as `turns`."""
        speech = self._speech(task, turn)
        return TurnPlan(speech, tuple(self.under(speech, effect) for effect in self.effects))

    def _speech(self, task: Task, turn: int) -> ClipPlan:
        target, speaker = self.voice_of(task)
        converted = speaker is not target
        voice = target.voice
        return ClipPlan(
            task_id=task.id,
            turn=turn,
            condition=SPEECH,
            lang=task.lang,
            spoken_text=spoken(task.turns[turn].text, task.lang, region=task.meta.get("region")),
            synthesizer=self.synthesizer,
            speaker=speaker.voice.id,
            voice=VoiceRef(id=voice.id, source=voice.source, licence=voice.licence),
            converter=self.converter if converted else None,
            reference=_sha256(target) if converted else None,
            encoder=self.encoder,
            effect=None,
            mixed_in=(),
            seed=self.seed,
        )

    def under(self, speech: ClipPlan, effect: str) -> ClipPlan:
        """Return the plan of a dry clip under an effect.

        Raises:
            UserError: There is no such effect, or a recording that it mixes in is missing.
        """
        chain = parse(effect)
        mixed_in = chain.made_from()
        if chain.needs_talkers:
            mixed_in += tuple(_sha256(talker) for talker in self.talkers(speech))
        return replace(
            speech, condition=f"{SPEECH}/{chain.name}", effect=chain.name, mixed_in=mixed_in
        )  # fmt: skip

    def target(self, clip: ClipPlan) -> ReferenceVoice:
        """Return the voice that a clip is heard in."""
        return next(
            voice
            for voice in self.voices[clip.lang].chosen
            if (voice.voice.id, voice.voice.source) == (clip.voice.id, clip.voice.source)
        )

    def talkers(self, clip: ClipPlan) -> tuple[ReferenceVoice, ...]:
        """Return who may talk behind a clip's voice: the other voices that were heard before the choice."""
        target = self.target(clip)
        return tuple(other for other in self.voices[clip.lang].candidates if other is not target)

    def unrelated_similarity(self, lang: str) -> float | None:
        """Return the mean cosine between two different voices of a language's; None of less than three."""
        return _mean_similarity(self.voices[lang])

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
