"""The assembly line of clips: speak, convert, level, check, write, apply effects.

What a backend does is done on the caller's thread, a batch at a time; levelling, measuring, effects and
writing are done in a few threads. On a GPU these go on while the next batch is spoken; a batch or two is all
that is held in memory.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from voicebench.audio.checks import broken, measure
from voicebench.audio.clip_store import ClipFiles, ClipStore
from voicebench.audio.effects import apply
from voicebench.audio.io import peak, read_audio, resample, wav_bytes
from voicebench.audio.loudness import clipped_samples, loudness_lufs, normalise, trim_silence
from voicebench.audio.plan import ClipPlan
from voicebench.audio.round_trip import character_error_rate, script_share
from voicebench.audio.work import Engines, Job, Rows, TurnPlace, Work
from voicebench.errors import AgentFailure, UserError
from voicebench.files import sha256_bytes
from voicebench.types import Audio, FailureRow, ManifestRow

log = logging.getLogger(__name__)
T = TypeVar("T")
R = TypeVar("R")

CLIPS = "clips"
SAMPLE_RATE_HZ = 16000
_HASH_DIGITS = 16


@dataclass(frozen=True, eq=False)
class Take:
    """A dry clip that was spoken, or that was there, and what was measured on it.

    Attributes:
        audio: The clip.
        seed: What it was spoken with.
        checks: What was measured.
        broken: Why it is unusable, or None.
        doubts: Which checks it fails without being unusable.
    """

    audio: Audio
    seed: int
    checks: Mapping[str, Any]
    broken: str | None = None
    doubts: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether another take would be welcome."""
        return self.broken is not None or bool(self.doubts)

    @property
    def rank(self) -> tuple[bool, int, float, float]:
        """The smaller, the better a take is."""
        cer, alike = self.checks.get("cer"), self.checks.get("speaker_similarity")
        return self.broken is not None, len(self.doubts), cer or 0.0, -(alike or 0.0)


Started = Future[Take] | FailureRow | None
Outcome = Take | FailureRow | None
"""What became of a dry clip; None where it was there and nothing was to be done to it."""


class Line:
    """Takes the batches of a job one after the other, and gives rows for each turn.

    Args:
        engines: The backends.
        pool: Threads for what no backend does.
        job: What is the same for all clips.
        ahead: How many batches may be spoken before the one before them is finished: 1 keeps a GPU busy, 0
            keeps what is spoken safe at once.
        clips: Where clips are read and written; None takes the files of the job's folder.
    """

    def __init__(
        self,
        engines: Engines,
        pool: ThreadPoolExecutor,
        job: Job,
        *,
        ahead: int = 0,
        clips: ClipStore | None = None,
    ) -> None:
        self._engines = engines
        self._pool = pool
        self._job = job
        self._ahead = ahead
        self._clips = clips or ClipFiles(job.out)
        self._spoken: deque[tuple[Sequence[Work], list[Started]]] = deque()
        self._written: deque[list[tuple[TurnPlace, Future[Rows]]]] = deque()
        # Nothing about a synthesizer says whether its seed changes anything; two takes that are alike do.
        self._seed_counts = True

    def add(self, batch: Sequence[Work]) -> Iterator[tuple[TurnPlace, Rows]]:
        """Speak a batch (one language, one speaker); yield what is finished of the batches before.

        Raises:
            UserError: The disk is full; the rows of all clips that were written were yielded before.
        """
        self._spoken.append((batch, self._started(batch)))
        yield from self._moved_on(self._ahead)

    def drain(self) -> Iterator[tuple[TurnPlace, Rows]]:
        """Finish all batches, and yield their rows; errors as `add`."""
        yield from self._moved_on(0)

    def _moved_on(self, ahead: int) -> Iterator[tuple[TurnPlace, Rows]]:
        while len(self._spoken) > ahead:
            batch, takes = self._spoken.popleft()
            outcomes = self._checked(batch, takes)
            self._written.append(
                [
                    (work.place, self._pool.submit(_written, self._job, self._clips, work, outcome))
                    for work, outcome in zip(batch, outcomes, strict=True)
                ]
            )
        while len(self._written) > ahead:
            yield from collected(self._written.popleft())

    # ---- Speaking ----

    def _started(self, batch: Sequence[Work]) -> list[Started]:
        """Speak what is to be spoken of a batch, and read what is to be heard again."""
        spoken = iter(self._takes([work.turn.speech for work in batch if work.kept is None]))
        return [
            next(spoken) if work.kept is None
            else self._pool.submit(_kept_take, self._clips, work.kept) if work.hear
            else None
            for work in batch
        ]  # fmt: skip

    def _takes(self, clips: Sequence[ClipPlan], *, second: bool = False) -> list[Started]:
        """Speak and convert clips; levelling goes on in the threads."""
        takes: list[Started] = []
        for clip, sound in zip(clips, self._sounds(clips, second=second), strict=True):
            if isinstance(sound, Exception):
                takes.append(_failure(clip, sound, "text"))
                continue
            seed = clip.other_seed if second else clip.seed
            try:
                takes.append(self._pool.submit(_take, clip, self._converted(clip, sound, seed), seed))
            except Exception as error:
                takes.append(_failure(clip, error, "voice"))
        return takes

    def _sounds(self, clips: Sequence[ClipPlan], *, second: bool) -> list[Audio | Exception]:
        def speak(clips: Sequence[ClipPlan]) -> Sequence[Audio]:
            first = clips[0]
            texts = [clip.spoken_text for clip in clips]
            if not all(texts):
                raise UserError("there is nothing to say in this turn")
            seed = first.other_seed if second else first.seed
            return self._engines.synthesizer.synthesize(
                texts, lang=first.lang, voice=first.speaker, seed=seed
            )

        return _together(speak, clips)

    def _converted(self, clip: ClipPlan, sound: Audio, seed: int) -> Audio:
        if clip.converter is None or self._engines.converter is None:
            return sound
        return self._engines.converter.convert(sound, voice=self._job.plan.target(clip).clip, seed=seed)

    # ---- Checking ----

    def _checked(self, batch: Sequence[Work], started: Sequence[Started]) -> list[Outcome]:
        """Return what became of each dry clip; one that fails is spoken again, and the better one stays."""
        clips = [work.turn.speech for work in batch]
        outcomes = self._judged(clips, started)
        again = [
            index
            for index, outcome in enumerate(outcomes)
            if isinstance(outcome, Take) and outcome.failed and outcome.seed == clips[index].seed
        ]
        if again and self._seed_counts:
            speak_again = [clips[index] for index in again]
            seconds = self._judged(speak_again, self._takes(speak_again, second=True))
            for index, second in zip(again, seconds, strict=True):
                outcomes[index] = self._better(outcomes[index], second)
        return [
            self._unusable(clip, outcome) if isinstance(outcome, Take) and outcome.broken else outcome
            for clip, outcome in zip(clips, outcomes, strict=True)
        ]

    def _better(self, first: Outcome, second: Outcome) -> Outcome:
        if not isinstance(first, Take) or not isinstance(second, Take):
            return first
        if np.array_equal(first.audio.samples, second.audio.samples):
            self._seed_counts = False
            return first
        better = min(first, second, key=lambda take: take.rank)
        return replace(better, checks={**better.checks, "takes": 2})

    def _unusable(self, clip: ClipPlan, take: Take) -> FailureRow:
        tried = "also with another seed" if "takes" in take.checks else "and another seed changes nothing"
        name = self._engines.synthesizer.model.name
        return _failed(clip, "check", f"{name}, {clip.spoken_text[:40]!r}: {take.broken}, {tried}")

    def _judged(self, clips: Sequence[ClipPlan], started: Sequence[Started]) -> list[Outcome]:
        """Measure what backends measure, a batch at a time, and say which checks fail."""
        outcomes = [_result(clip, one) for clip, one in zip(clips, started, strict=True)]
        usable = [
            (index, clips[index], outcome)
            for index, outcome in enumerate(outcomes)
            if isinstance(outcome, Take) and outcome.broken is None
        ]
        audios = [take.audio for _, _, take in usable]
        places = [clip for _, clip, _ in usable]
        measured = zip(self._similarities(places, audios), self._heard(places, audios), strict=True)
        for (index, clip, take), more in zip(usable, measured, strict=True):
            checks = {**take.checks, **more[0], **more[1]}
            outcomes[index] = replace(take, checks=checks, doubts=self._job.doubts(checks, clip))
        return outcomes

    def _similarities(self, clips: Sequence[ClipPlan], audios: Sequence[Audio]) -> list[dict[str, Any]]:
        encoder = self._engines.encoder
        if encoder is None:
            return [{} for _ in clips]
        found: list[dict[str, Any]] = []
        for clip, row in zip(clips, _together(lambda some: list(encoder.embed(some)), audios), strict=True):
            place = self._job.plan.target(clip).embedding
            if isinstance(row, Exception):
                log.warning("%s, turn %d: not compared with its voice (%s)", clip.task_id, clip.turn, row)
                found.append({})
            else:
                found.append({} if place is None else {"speaker_similarity": round(float(row @ place), 4)})
        return found

    def _heard(self, clips: Sequence[ClipPlan], audios: Sequence[Audio]) -> list[dict[str, Any]]:
        """Return what the round trip finds for each clip; nothing where the ASR failed.

        Raises:
            UserError: The ASR cannot hear this language at all.
        """
        transcriber = self._engines.transcriber
        if transcriber is None or not clips:
            return [{} for _ in clips]
        lang = clips[0].lang
        found: list[dict[str, Any]] = []
        for clip, heard in zip(
            clips, _together(lambda some: transcriber.transcribe(some, lang=lang), audios), strict=True
        ):
            if isinstance(heard, UserError):
                raise heard
            if isinstance(heard, Exception):
                log.warning("%s, turn %d: not heard by the ASR (%s)", clip.task_id, clip.turn, heard)
                found.append({})
                continue
            script = script_share(clip.spoken_text, heard.text, lang)
            found.append(
                {
                    "asr": transcriber.model.model_dump(),
                    "heard": heard.text,
                    "cer": round(character_error_rate(clip.spoken_text, heard.text, lang), 4),
                    "script": None if script is None else round(script, 4),
                }
            )
        return found


# ---- What the threads do ----


def _take(clip: ClipPlan, source: Audio, seed: int) -> Take:
    """Return what was spoken as a clip: trimmed, at one rate and loudness, and measured."""
    if not np.isfinite(source.samples).all():
        return Take(source, seed, {}, "it holds samples that are not numbers")
    audio = normalise(resample(trim_silence(source), SAMPLE_RATE_HZ))
    measured = measure(source, audio, clip.spoken_text, clip.lang)
    return Take(audio, seed, measured, broken(measured, clip.spoken_text, clip.lang))


def _kept_take(clips: ClipStore, row: ManifestRow) -> Take:
    checks = {name: value for name, value in row.checks.items() if name not in ("doubts", "plan")}
    return Take(clips.read(row), row.seed, checks)


def _written(job: Job, clips: ClipStore, work: Work, outcome: Outcome) -> Rows:
    """Write the clips of a turn, and return their rows.

    Raises:
        UserError: The disk is full.
    """
    if isinstance(outcome, Take):
        data = wav_bytes(outcome.audio)
        speech = _row(clips, work.turn.speech, data, outcome.audio, outcome)
        replaced = work.kept is not None and work.kept.sha256 != speech.sha256
        # A dry clip that was there and is replaced takes what was made of it along.
        effects = work.turn.effects if replaced else work.effects
        return (speech, *(_under_effect(job, clips, clip, speech, data) for clip in effects))
    if work.kept is not None:
        kept = work.kept
        return tuple(_under_effect(job, clips, clip, kept, None) for clip in work.effects)
    assert outcome is not None
    return tuple(outcome.model_copy(update={"condition": clip.condition}) for clip in work.missing)


def _under_effect(
    job: Job, clips: ClipStore, clip: ClipPlan, speech: ManifestRow, data: bytes | None
) -> ManifestRow | FailureRow:
    try:
        # Read back, so that it sounds the same whether the dry clip was kept or just made.
        audio = clips.read(speech) if data is None else read_audio(data)
        talkers = [other.clip for other in job.plan.talkers(clip)]
        changed, parameters = apply(
            str(clip.effect), audio, np.random.default_rng(clip.effect_seed), talkers=talkers
        )
        if peak(changed.samples) == 0:
            raise UserError(f"{clip.effect} leaves nothing to hear")
    except Exception as error:
        return _failure(clip, error, "effect")
    lufs = loudness_lufs(changed)
    checks = {
        "lufs": None if lufs is None else round(lufs, 2),
        "clipped": clipped_samples(changed),
        "dry": speech.sha256[:_HASH_DIGITS],
    }
    take = Take(changed, speech.seed, checks)
    return _row(clips, clip, wav_bytes(changed), changed, take, parameters)


def _row(
    clips: ClipStore,
    clip: ClipPlan,
    data: bytes,
    audio: Audio,
    take: Take,
    effects: tuple[dict[str, Any], ...] = (),
) -> ManifestRow:
    sha256 = sha256_bytes(data)
    path = f"{CLIPS}/{sha256[:_HASH_DIGITS]}.wav"
    clips.write(path, data)
    checks = {name: value for name, value in take.checks.items() if value is not None}
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
        seed=take.seed,
        checks={
            **checks,
            **({"doubts": list(take.doubts)} if take.doubts else {}),
            "plan": clip.key,
        },
    )


def collected(
    futures: Iterable[tuple[TurnPlace, Future[Rows]]],
) -> Iterator[tuple[TurnPlace, Rows]]:
    """Yield the rows of all that were written, then raise the first error.

    Raises:
        UserError: The disk is full.
    """
    failed: Exception | None = None
    for place, future in futures:
        try:
            rows = future.result()
        except Exception as error:
            failed = failed or error
            continue
        yield place, rows
    if failed is not None:
        raise failed


def _result(clip: ClipPlan, started: Started) -> Outcome:
    try:
        return started.result() if isinstance(started, Future) else started
    except Exception as error:
        return _failure(clip, error, "audio")


# ---- Failures ----


def _together(do: Callable[[Sequence[T]], Sequence[R]], items: Sequence[T]) -> list[R | Exception]:
    """Do all at once; where that fails one by one, so that none takes the others along."""
    if not items:
        return []
    try:
        return list(do(items))
    except Exception as error:
        if len(items) == 1:
            return [error]
        return [done for item in items for done in _together(do, [item])]


def _failure(clip: ClipPlan, error: Exception, kind: str) -> FailureRow:
    """Return the row of a failure; `kind` is what a mistake of the input's is called here."""
    if isinstance(error, AgentFailure):
        kind = error.kind
    elif isinstance(error, MemoryError):
        kind = "out_of_memory"
    elif not isinstance(error, UserError):
        kind = "crash"
    message = " ".join(str(error).split()) or type(error).__name__
    return _failed(clip, kind, message, error if kind == "crash" else None)


def _failed(clip: ClipPlan, kind: str, message: str, error: Exception | None = None) -> FailureRow:
    log.warning("%s, turn %d, %s: not built (%s)", *clip.place, message, exc_info=error)
    return FailureRow(
        task_id=clip.task_id, turn=clip.turn, condition=clip.condition, kind=kind, message=message
    )
