"""Build the clips of tasks: make what is missing, and say beside each clip how it was made.

A folder holds `clips/*.wav` named by their content, `manifest.jsonl`, `failures.jsonl` and `voices.json`. A
build goes on where another stopped: a clip is kept as long as everything that it was made from is unchanged.
"""

import json
import logging
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from voicebench.audio.effects import apply, parse
from voicebench.audio.io import peak, read_audio, resample, wav_bytes
from voicebench.audio.loudness import clipped_samples, loudness_lufs, normalise, trim_silence
from voicebench.audio.plan import SPEECH, BuildPlan, ClipPlan
from voicebench.audio.voices import CANDIDATES, ReferenceVoice, VoiceChoice, reference_voices
from voicebench.errors import UserError
from voicebench.files import (
    Appender,
    read_rows,
    sha256_bytes,
    sha256_file,
    write_bytes,
    write_rows,
    write_text,
)
from voicebench.models import Progress, no_progress
from voicebench.protocols import SpeakerEncoder, Synthesizer, VoiceConverter
from voicebench.types import Audio, FailureRow, ManifestRow, Task

log = logging.getLogger(__name__)
R = TypeVar("R", ManifestRow, FailureRow)

MANIFEST, FAILURES, VOICES, CLIPS = "manifest.jsonl", "failures.jsonl", "voices.json", "clips"
SAMPLE_RATE_HZ = 16000
VOICES_PER_LANGUAGE = 6
_BATCH = 8


@dataclass(frozen=True)
class BuildReport:
    """What a build did.

    Attributes:
        folder: Where the clips and the manifest are.
        made: Clips made now.
        kept: Clips that were there already.
        failures: Clips that could not be made.
        audio_s: Seconds of sound made now.
        seconds: How long it took.
        voices: The voices of each language.
    """

    folder: Path
    made: int
    kept: int
    failures: tuple[FailureRow, ...]
    audio_s: float
    seconds: float
    voices: Mapping[str, VoiceChoice]

    @property
    def failed(self) -> int:
        """How many clips could not be made."""
        return len(self.failures)


def build(
    tasks: Sequence[Task],
    *,
    out: Path,
    synthesizer: Synthesizer,
    converter: VoiceConverter | None = None,
    encoder: SpeakerEncoder | None = None,
    voices: Mapping[str, VoiceChoice] | None = None,
    effects: Sequence[str] = (),
    seed: int = 0,
    voices_per_language: int = VOICES_PER_LANGUAGE,
    candidates: int = CANDIDATES,
    fresh: bool = False,
    progress: Progress = no_progress,
) -> BuildReport:
    """Make the clips of tasks that are not there yet.

    Each user turn becomes one clip under `speech`, and one under `speech/EFFECT` for each effect. Clips of
    other tasks in the same folder are left alone. A text that cannot be spoken goes to `failures.jsonl` and
    stops nothing; it is tried again the next time.

    Args:
        tasks: What to speak.
        out: The folder.
        synthesizer: Speaks.
        converter: Moves a native voice to a chosen voice that is not native; None keeps to native voices.
        encoder: Chooses voices that differ, and checks each clip against its voice; None takes the first.
        voices: The voices of each language, where they are chosen already.
        effects: Names of effects (`voicebench.audio.effects`).
        seed: Of everything that is drawn.
        voices_per_language: How many voices to choose.
        candidates: How many voices to choose from.
        fresh: Make the clips of these tasks anew.
        progress: Told (what, done, total) as the build goes on.

    Raises:
        UserError: An effect is unknown, the synthesizer does not speak a language, or the disk is full.
    """
    started = time.perf_counter()
    for effect in effects:
        parse(effect)
    choices = dict(voices or {})
    for lang in sorted({task.lang for task in tasks} - set(choices)):
        choices[lang] = reference_voices(
            synthesizer, lang, folder=out, encoder=encoder, n=voices_per_language, seed=seed,
            native_only=converter is None, candidates=candidates, progress=progress,
        )  # fmt: skip
    _keep_voices(out / VOICES, choices)
    plan = BuildPlan(
        voices=choices,
        synthesizer=synthesizer.model,
        converter=converter.model if converter else None,
        encoder=encoder.model if encoder else None,
        effects=tuple(dict.fromkeys(effects)),
        seed=seed,
    )
    clips = plan.clips(tasks)
    there = _Folder(out)
    kept = there.settle(plan, tasks, fresh=fresh)
    missing = [clip for clip in clips if clip.place not in kept]
    maker = _Maker(plan, out, synthesizer, converter, encoder, {task.id: task for task in tasks})
    failures: list[FailureRow] = []
    made = 0
    audio_s = 0.0
    with Appender(out / MANIFEST) as manifest, Appender(out / FAILURES) as failed:
        progress("building clips", 0, len(missing))
        for row in maker.rows(missing, kept):
            if isinstance(row, FailureRow):
                failed.add(row)
                failures.append(row)
            else:
                manifest.add(row)
                made += 1
                audio_s += row.duration_s
            progress("building clips", made + len(failures), len(missing))
    there.tidy()
    return BuildReport(
        folder=out, made=made, kept=len(clips) - len(missing), failures=tuple(failures), audio_s=audio_s,
        seconds=time.perf_counter() - started, voices=choices,
    )  # fmt: skip


class _Folder:
    """The files of a build, before and after it."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.manifest, self.failures = out / MANIFEST, out / FAILURES
        self.outdated: set[str] = set()

    def settle(
        self, plan: BuildPlan, tasks: Sequence[Task], *, fresh: bool
    ) -> dict[tuple[str, int, str], ManifestRow]:
        """Drop the rows of these tasks that are no longer true; return those that are, by place.

        Afterwards nothing in the files is wrong, so that a build that is interrupted leaves them right.
        """
        by_id = {task.id: task for task in tasks}
        rows = self._rows(ManifestRow, self.manifest)
        kept = [row for row in rows if row.task_id not in by_id or self._is_true(row, plan, by_id, fresh)]
        self.outdated = {row.path for row in rows} - {row.path for row in kept}
        if len(kept) != len(rows):
            write_rows(self.manifest, kept)
        failures = self._rows(FailureRow, self.failures)
        others = [row for row in failures if row.task_id not in by_id]
        if len(others) != len(failures):
            write_rows(self.failures, others)
        return {_place(row): row for row in kept if row.task_id in by_id}

    def tidy(self) -> None:
        """Put the rows in order, and remove the clips that no row names any more."""
        rows = self._rows(ManifestRow, self.manifest)
        write_rows(self.manifest, rows)
        write_rows(self.failures, self._rows(FailureRow, self.failures))
        for path in self.outdated - {row.path for row in rows}:
            (self.out / path).unlink(missing_ok=True)

    def _is_true(self, row: ManifestRow, plan: BuildPlan, tasks: Mapping[str, Task], fresh: bool) -> bool:
        task = tasks[row.task_id]
        if fresh or row.turn not in task.user_turns:
            return False
        effect = row.condition.removeprefix(SPEECH).removeprefix("/") or None
        try:
            key = plan.clip(task, row.turn, effect).key
        except UserError:  # an effect that there is no longer
            return False
        path = self.out / row.path
        return row.checks.get("plan") == key and path.is_file() and sha256_file(path) == row.sha256

    @staticmethod
    def _rows(model: type[R], path: Path) -> list[R]:
        """Return the rows of a file in order of place, the last of each; none where there is no file."""
        rows = read_rows(path, model, tolerate_torn_end=True) if path.is_file() else []
        last = {_place(row): row for row in rows}
        return [last[place] for place in sorted(last)]


class _Maker:
    """Makes clips: speak, convert, level, and apply effects."""

    def __init__(
        self,
        plan: BuildPlan,
        out: Path,
        synthesizer: Synthesizer,
        converter: VoiceConverter | None,
        encoder: SpeakerEncoder | None,
        tasks: Mapping[str, Task],
    ) -> None:
        self.plan = plan
        self.out = out
        self.synthesizer = synthesizer
        self.converter = converter
        self.encoder = encoder
        self.tasks = tasks

    def rows(
        self, clips: Sequence[ClipPlan], kept: Mapping[tuple[str, int, str], ManifestRow]
    ) -> Iterator[ManifestRow | FailureRow]:
        """Make clips; yield a row for each as soon as its file is written."""
        effects: dict[tuple[str, int], list[ClipPlan]] = {}
        for clip in clips:
            if clip.effect is not None:
                effects.setdefault((clip.task_id, clip.turn), []).append(clip)
        for batch in _batches(clip for clip in clips if clip.effect is None):
            for clip, source in zip(batch, _speak(self.synthesizer, batch), strict=True):
                row = self._speech(clip, source)
                yield row
                yield from self._effects(effects.pop((clip.task_id, clip.turn), []), row)
        for place, left in effects.items():
            yield from self._effects(left, kept[(*place, SPEECH)])

    def _speech(self, clip: ClipPlan, source: Audio | Exception) -> ManifestRow | FailureRow:
        try:
            if isinstance(source, Exception):
                raise source
            target, _ = self.plan.voice_of(self.tasks[clip.task_id])
            audio = self._finished(clip, source, target)
            checks = {} if self.encoder is None else {"speaker_similarity": self._similarity(audio, target)}
        except Exception as error:
            return _failure(clip, error)
        return self._written(clip, audio, checks, ())

    def _effects(
        self, clips: Sequence[ClipPlan], speech: ManifestRow | FailureRow
    ) -> Iterator[ManifestRow | FailureRow]:
        if isinstance(speech, FailureRow):
            yield from (speech.model_copy(update={"condition": clip.condition}) for clip in clips)
            return
        for clip in clips:
            try:
                audio = read_audio(self.out / speech.path)
                changed, parameters = apply(str(clip.effect), audio, np.random.default_rng(clip.effect_seed))
            except Exception as error:
                yield _failure(clip, error)
                continue
            yield self._written(clip, changed, {}, (parameters,))

    def _finished(self, clip: ClipPlan, source: Audio, target: ReferenceVoice) -> Audio:
        if clip.converter is not None and self.converter is not None:
            source = self.converter.convert(source, voice=target.clip, seed=clip.seed)
        audio = normalise(resample(trim_silence(source), SAMPLE_RATE_HZ))
        if peak(audio.samples) == 0:
            raise UserError(f"{self.synthesizer.model.name} made silence of {clip.spoken_text[:40]!r}")
        return audio

    def _similarity(self, audio: Audio, target: ReferenceVoice) -> float | None:
        if self.encoder is None or target.embedding is None:
            return None
        return round(float(self.encoder.embed([audio])[0] @ target.embedding), 4)

    def _written(
        self, clip: ClipPlan, audio: Audio, checks: dict[str, Any], effects: tuple[dict[str, Any], ...]
    ) -> ManifestRow:
        data = wav_bytes(audio)
        sha256 = sha256_bytes(data)
        path = f"{CLIPS}/{sha256[:16]}.wav"
        write_bytes(self.out / path, data)
        loudness = loudness_lufs(audio)
        return ManifestRow(
            task_id=clip.task_id,
            turn=clip.turn,
            condition=clip.condition,
            path=path,
            sha256=sha256,
            sample_rate_hz=audio.sample_rate_hz,
            duration_s=round(audio.duration_s, 4),
            lang=clip.lang,
            spoken_text=clip.spoken_text,
            synthesizer=clip.synthesizer,
            voice=clip.voice,
            converter=clip.converter,
            encoder=clip.encoder,
            effects=effects,
            seed=clip.seed,
            checks={
                **checks,
                "lufs": None if loudness is None else round(loudness, 2),
                "clipped": clipped_samples(audio),
                "plan": clip.key,
            },
        )


def _speak(synthesizer: Synthesizer, clips: Sequence[ClipPlan]) -> list[Audio | Exception]:
    """Return what was spoken for each clip, or why not; all have one language and one speaker."""
    texts = [clip.spoken_text for clip in clips]
    try:
        if not all(texts):
            raise UserError("there is nothing to say in this turn")
        first = clips[0]
        made = synthesizer.synthesize(texts, lang=first.lang, voice=first.speaker, seed=first.seed)
        return [*made]
    except Exception as error:
        # One bad text must not take the others along.
        return [error] if len(clips) == 1 else [_speak(synthesizer, [clip])[0] for clip in clips]


def _batches(clips: Iterable[ClipPlan]) -> Iterator[list[ClipPlan]]:
    """Yield clips of one language and speaker together, a few at a time."""
    groups: dict[tuple[str, str], list[ClipPlan]] = {}
    for clip in clips:
        groups.setdefault((clip.lang, clip.speaker), []).append(clip)
    for group in groups.values():
        for start in range(0, len(group), _BATCH):
            yield group[start : start + _BATCH]


def _failure(clip: ClipPlan, error: Exception) -> FailureRow:
    if isinstance(error, UserError):
        kind = "text"
    elif isinstance(error, MemoryError):
        kind = "out_of_memory"
    else:
        kind = "crash"
    log.warning(
        "%s, turn %d, %s: not built (%s)", *clip.place, error, exc_info=error if kind == "crash" else None
    )
    message = " ".join(str(error).split()) or type(error).__name__
    return FailureRow(
        task_id=clip.task_id, turn=clip.turn, condition=clip.condition, kind=kind, message=message
    )


def _place(row: ManifestRow | FailureRow) -> tuple[str, int, str]:
    return (row.task_id, row.turn, row.condition)


def _keep_voices(path: Path, choices: Mapping[str, VoiceChoice]) -> None:
    """Write the choice of each language; those of languages that are not built now stay."""
    kept: dict[str, Any] = {}
    if path.is_file():
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            log.warning("%s: not readable, written anew", path)
    kept |= {lang: choice.describe() for lang, choice in choices.items()}
    write_text(path, json.dumps(kept, ensure_ascii=False, indent=1, sort_keys=True) + "\n")
