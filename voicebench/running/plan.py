"""Plan what an agent is asked: one entry a task, condition and trial, each with the hashes that name it."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from typing import Any

from voicebench import PROMPTS_VERSION
from voicebench.audio.io import read_audio
from voicebench.errors import AgentFailure, UserError
from voicebench.files import sha256_bytes, sha256_json
from voicebench.memo import once_each
from voicebench.running.materials import Materials, check_condition, heard_by, is_speech
from voicebench.types import Audio, InputTurn, ManifestRow, Prompting, Request, Task, Tool


@dataclass(frozen=True)
class Planned:
    """One question to one agent.

    Attributes:
        task: What is asked.
        condition: How it reaches the agent.
        trial: Which repetition.
        seed: For whatever the agent samples; from sha256, so that order does not matter.
        prompting: How the agent is instructed.
        words: The text of each turn, None where the agent hears it.
        clips: The manifest row of each turn, None where it reads it.
        missing: Why it cannot be asked (a clip or transcript is not there), or None.
    """

    task: Task
    condition: str
    trial: int
    seed: int
    prompting: Prompting
    words: tuple[str | None, ...]
    clips: tuple[ManifestRow | None, ...]
    missing: str | None = None

    @cached_property
    def prompt_sha256(self) -> str:
        """SHA-256 of everything but the sound: words, tools, options, the version of the prompts."""
        given: dict[str, Any] = {
            "turns": [[turn.role, words] for turn, words in zip(self.task.turns, self.words, strict=True)],
            "tools": [_tool_sha256(tool) for tool in self.task.tools],
            "lang": self.task.lang,
            "kind": self.task.task,
            "reference_date": self.task.reference_date,
            "prompting": _as_dict(self.prompting),
            "prompts_version": PROMPTS_VERSION,
        }
        return sha256_json(given)

    @property
    def audio_sha256(self) -> str | None:
        """SHA-256 of the clip, or over the clips' hashes where there are several; None for text."""
        hashes = [clip.sha256 for clip in self.clips if clip is not None]
        return sha256_bytes("".join(hashes).encode()) if len(hashes) > 1 else next(iter(hashes), None)

    @property
    def voice(self) -> str | None:
        """The voice of the last turn that is heard."""
        voices = [clip.voice.id for clip in self.clips if clip is not None and clip.voice is not None]
        return voices[-1] if voices else None

    def request(self, agent: str, materials: Materials, *, with_gold: bool) -> Request:
        """Return what the agent is given, clips decoded.

        Args:
            agent: The agent's name in the results.
            materials: Where the clips lie.
            with_gold: Show the right answer (control agents alone).

        Raises:
            AgentFailure: Kind "audio": a clip is missing, broken, or not the one of the manifest.
        """
        if self.missing is not None:
            raise AgentFailure("audio", self.missing)
        turns = tuple(
            InputTurn(turn.role, words, None if clip is None else _load(clip, materials))
            for turn, words, clip in zip(self.task.turns, self.words, self.clips, strict=True)
        )
        task = self.task
        return Request(
            task_id=task.id, agent=agent, condition=self.condition, trial=self.trial, lang=task.lang,
            turns=turns, tools=task.tools, kind=task.task, seed=self.seed, reference_date=task.reference_date,
            prompting=self.prompting, gold=task.expect if with_gold else None,
        )  # fmt: skip


@once_each
def _tool_sha256(tool: Tool) -> str:
    return sha256_json(tool.model_dump(mode="json"))


def plan(
    tasks: Sequence[Task],
    conditions: Sequence[str],
    materials: Materials,
    *,
    trials: int = 1,
    seed: int = 0,
    prompting: Prompting | None = None,
    hears_one_clip: bool = False,
) -> list[Planned]:
    """Plan all questions: condition by condition, trial by trial, in the order of the tasks.

    Args:
        tasks: What is asked.
        conditions: How it reaches the agent.
        materials: Clips and transcripts.
        trials: How often.
        seed: Base of all seeds.
        prompting: How the agent is instructed.
        hears_one_clip: Give earlier user turns in words where the last one is heard.

    Raises:
        UserError: A condition is unknown, or none of its clips or transcripts is there.
    """
    prompting = prompting or Prompting()
    planned = []
    for condition in conditions:
        check_condition(condition)
        entries = [
            _entry(task, condition, trial, seed, prompting, materials, hears_one_clip)
            for trial in range(trials)
            for task in tasks
        ]
        if entries and all(entry.missing is not None for entry in entries):
            raise UserError(f"condition {condition!r}: {entries[0].missing}. {remedy(condition)}")
        planned.extend(entries)
    return planned


@cache
def _as_dict(prompting: Prompting) -> dict[str, Any]:
    return asdict(prompting)


def trial_seed(seed: int, task_id: str, condition: str, trial: int) -> int:
    """Return a 31-bit seed that depends on these four alone."""
    return int(sha256_json([seed, task_id, condition, trial])[:8], 16) & 0x7FFFFFFF


def remedy(condition: str) -> str:
    """Return the command that makes the clips or transcripts of a condition, as a sentence."""
    asr = heard_by(condition)
    if asr is not None:
        return f"Run: voicebench transcribe --asr {asr}"
    _, _, effect = condition.partition("/")
    return "Run: voicebench build-audio" + (f" --effect {effect}" if effect else "")


def _entry(
    task: Task,
    condition: str,
    trial: int,
    seed: int,
    prompting: Prompting,
    materials: Materials,
    hears_one_clip: bool,
) -> Planned:
    words: list[str | None] = []
    clips: list[ManifestRow | None] = []
    missing = None
    asr = heard_by(condition)
    for index, turn in enumerate(task.turns):
        text: str | None = turn.text
        clip = None
        in_words = hears_one_clip and index < len(task.turns) - 1
        if turn.role == "user" and is_speech(condition) and not in_words:
            text, clip = None, materials.clips.get((task.id, index, condition))
            if clip is None:
                failure = materials.failures.get((task.id, index, condition))
                why = f"its clip could not be made ({failure.message})" if failure else "it has no clip"
                missing = missing or f"{task.id} turn {index}: {why}"
        elif turn.role == "user" and asr is not None:
            heard = materials.transcripts.get(asr, {}).get((task.id, index, "speech"))
            text = None if heard is None else heard.text
            if heard is None:
                missing = missing or f"{task.id} turn {index}: it has no transcript by {asr}"
        words.append(text)
        clips.append(clip)
    return Planned(
        task, condition, trial, trial_seed(seed, task.id, condition, trial), prompting, tuple(words),
        tuple(clips), missing,
    )  # fmt: skip


def _load(clip: ManifestRow, materials: Materials) -> Audio:
    if materials.folder is None:
        raise AgentFailure("audio", f"{clip.path}: no audio folder was given")
    path = materials.folder / clip.path
    try:
        data = path.read_bytes()
    except OSError as error:
        raise AgentFailure("audio", f"{path}: cannot be read ({error.strerror})") from None
    if sha256_bytes(data) != clip.sha256:
        raise AgentFailure(
            "audio", f"{path}: not the clip of the manifest (its sha256 differs); build it anew"
        )
    try:
        return read_audio(data)
    except UserError as error:
        raise AgentFailure("audio", f"{path}: {error}") from None
