"""Tasks, clips and agents for the engine's tests."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from voicebench.audio.io import write_wav
from voicebench.files import sha256_file, write_rows
from voicebench.types import (
    Audio,
    Expect,
    GoldCall,
    ManifestRow,
    ModelRef,
    Request,
    Response,
    Task,
    Tool,
    Turn,
    VoiceRef,
)

MODEL = ModelRef(name="stub", revision="1")
TEXTS = {"en": "Play {n} songs", "hi": "{n} गाने चलाओ", "th": "เปิดเพลง {n} เพลง"}


def make_task(number: int, lang: str = "en", *, turns: int = 1) -> Task:
    said: list[Turn] = []
    for index in range(turns):
        said.append(Turn(role="user", text=TEXTS[lang].format(n=number + index)))
        if index < turns - 1:
            said.append(Turn(role="assistant", text="Which ones?"))
    return Task(
        id=f"single-{lang}-{number:04d}", task="single", lang=lang, turns=tuple(said),
        tools=(Tool(name="music.play"),), expect=Expect(calls=(GoldCall(name="music.play"),)),
    )  # fmt: skip


def add_clips(folder: Path, tasks: Sequence[Task], condition: str = "speech") -> None:
    """Make a clip for each user turn: a tone, different for each."""
    rows = []
    spoken = [(task, turn) for task in tasks for turn in task.user_turns]
    for place, (task, turn) in enumerate(spoken):
        tone = np.sin(np.arange(800) * (0.05 + 0.01 * place)).astype(np.float32) * 0.3
        path = folder / "clips" / f"{task.id}-{turn}.wav"
        write_wav(path, Audio(tone, 16000))
        rows.append(
            ManifestRow(
                task_id=task.id, turn=turn, condition=condition, path=path.relative_to(folder).as_posix(),
                sha256=sha256_file(path), sample_rate_hz=16000, duration_s=0.05, lang=task.lang,
                spoken_text=task.turns[turn].text, synthesizer=ModelRef(name="tone"),
                voice=VoiceRef(id=f"v{place}"), seed=0,
            )
        )  # fmt: skip
    write_rows(folder / "manifest.jsonl", rows)


class StubAgent:
    """Answers with what `answer` makes of a request; remembers what it was asked."""

    model = MODEL

    def __init__(self, answer: Callable[[Request], Response]) -> None:
        self.asked: list[Request] = []
        self._answer = answer

    def respond(self, requests: Sequence[Request]) -> list[Response]:
        self.asked.extend(requests)
        return [self._answer(request) for request in requests]
