"""Tasks, and audio backends that misbehave on purpose, for the tests of the build."""

from collections.abc import Sequence

from voicebench.errors import UserError
from voicebench.fakes_audio import FakeSynthesizer
from voicebench.types import Audio, Expect, GoldCall, Task, Tool, Turn, Voice

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
