"""Tasks, and audio backends that misbehave on purpose, for the tests of the build."""

import os
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from voicebench.errors import UserError
from voicebench.fakes_audio import FakeSynthesizer
from voicebench.types import Audio, Expect, GoldCall, ModelRef, Task, Tool, Transcript, Turn, Voice

TEXTS = {
    "en": "Play {n} songs",
    "hi": "{n} गाने चलाओ",
    "ta": "பாடல் {n} போடு",
    "th": "เปิดเพลง {n} เพลง",
}


def make_task(
    number: int, lang: str = "en", *, turns: int = 1, text: str | None = None, twin: str | None = None
) -> Task:
    said: list[Turn] = []
    for index in range(turns):
        said.append(Turn(role="user", text=TEXTS[lang].format(n=number + index) if text is None else text))
        if index < turns - 1:
            said.append(Turn(role="assistant", text="Which ones?"))
    return Task(
        id=f"single-{lang}-{number:04d}", task="single", lang=lang, turns=tuple(said),
        tools=(Tool(name="music.play"),), expect=Expect(calls=(GoldCall(name="music.play"),)), twin=twin,
    )  # fmt: skip


class Counting(FakeSynthesizer):
    """Notes what it was asked to say; fails on demand."""

    def __init__(self, *, native: tuple[str, ...] | None = None) -> None:
        super().__init__()
        self.said: list[str] = []
        self.fails: dict[str, BaseException] = {}
        self.native = native

    def voices(self, lang: str) -> Sequence[Voice]:
        if lang == "xx":
            return ()
        voices = super().voices(lang)
        if self.native is None:
            return voices
        return tuple(
            Voice(id=voice.id, source=voice.source, licence=voice.licence, lang=lang)
            if voice.id in self.native
            else Voice(id=voice.id, source=voice.source, licence=voice.licence, lang="zz")
            for voice in voices
        )

    def synthesize(
        self, texts: Sequence[str], *, lang: str, voice: str | None = None, seed: int
    ) -> list[Audio]:
        for text in texts:
            for part, error in self.fails.items():
                if part in text:
                    raise error
        self.said.extend(texts)
        return super().synthesize(texts, lang=lang, voice=voice, seed=seed)


def bad_text(text: str) -> UserError:
    return UserError(f"nothing to say in {text!r}")


class Changing(FakeSynthesizer):
    """Says some texts in another way: what is made of a sound may depend on the seed."""

    def __init__(self, change: Callable[[Audio, int], Audio], part: str = "") -> None:
        super().__init__()
        self.seeds: list[int] = []
        self._change = change
        self._part = part

    def synthesize(
        self, texts: Sequence[str], *, lang: str, voice: str | None = None, seed: int
    ) -> list[Audio]:
        self.seeds.extend([seed] * len(texts))
        sounds = super().synthesize(texts, lang=lang, voice=voice, seed=seed)
        return [
            self._change(sound, seed) if self._part in text else sound
            for text, sound in zip(texts, sounds, strict=True)
        ]


def quieted(audio: Audio, seed: int = 0) -> Audio:
    return Audio(np.zeros_like(audio.samples), audio.sample_rate_hz)


def with_a_pause(audio: Audio, seed: int = 0) -> Audio:
    pause = np.zeros(3 * audio.sample_rate_hz, np.float32)
    return Audio(np.concatenate([audio.samples, pause, audio.samples]), audio.sample_rate_hz)


class Writing:
    """An ASR that writes down the text of a task, or something else."""

    def __init__(self, heard: Callable[[int], str], *, name: str = "writing") -> None:
        self.model = ModelRef(name=name, revision="1")
        self.clips = 0
        self._heard = heard

    def transcribe(self, clips: Sequence[Audio], *, lang: str | None) -> list[Transcript]:
        found = []
        for _ in clips:
            found.append(Transcript(self._heard(self.clips), lang, 0.0))
            self.clips += 1
        return found


class Mortal(FakeSynthesizer):
    """Kills its process over some texts, always or as long as a file is not there."""

    def __init__(self, part: str, spared_by: str | None = None, wait_s: float = 0.0) -> None:
        super().__init__()
        self._part, self._spared_by, self._wait_s = part, spared_by, wait_s

    def synthesize(
        self, texts: Sequence[str], *, lang: str, voice: str | None = None, seed: int
    ) -> list[Audio]:
        time.sleep(self._wait_s)
        spared = self._spared_by is not None and Path(self._spared_by).exists()
        if any(self._part in text for text in texts) and not spared:
            if self._spared_by is not None:
                Path(self._spared_by).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().synthesize(texts, lang=lang, voice=voice, seed=seed)


class Unloadable:
    """Cannot be loaded, for a reason that is the user's to know, or for a bug."""

    def __init__(self, reason: str) -> None:
        raise RuntimeError(reason) if reason == "bug" else UserError(reason)
