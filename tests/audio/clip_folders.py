"""Audio folders to export: clips, a manifest and the tasks that they are of."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from voicebench.audio.io import wav_bytes
from voicebench.files import sha256_bytes, write_bytes, write_rows
from voicebench.types import Audio, Expect, GoldCall, ManifestRow, ModelRef, Task, Tool, Turn, VoiceRef

TEXTS = {"en": "Play {n} songs", "hi": "{n} गाने चलाओ", "ta": "{n} பாடல்கள்", "th": "เปิดเพลง {n} เพลง"}
NOISE = {"name": "noise", "colour": "white", "snr_db": 10.0, "seed": 1443925730868170}


def task(number: int, lang: str, *, licence: str | None = "CC-BY-4.0") -> Task:
    return Task(
        id=f"single-{lang}-{number:04d}", task="single", lang=lang,
        turns=(Turn(role="user", text=TEXTS[lang].format(n=number)),),
        tools=(Tool(name="music.play"),), expect=Expect(calls=(GoldCall(name="music.play"),)),
        meta={"licence": licence} if licence else {},
    )  # fmt: skip


def clip(
    of: Task, condition: str = "speech", *, rate: int = 16000, **fields: Any
) -> tuple[ManifestRow, bytes]:
    """Return a clip's row and bytes: half a second of noise, different for each task and condition."""
    seed = int(sha256_bytes(f"{of.id}{condition}".encode())[:8], 16)
    noise = np.random.default_rng(seed).uniform(-0.5, 0.5, rate // 2).astype(np.float32)
    data = wav_bytes(Audio(noise, rate))
    sha256 = sha256_bytes(data)
    row = ManifestRow(**{
        "task_id": of.id, "turn": 0, "condition": condition, "path": f"clips/{sha256[:16]}.wav",
        "sha256": sha256, "sample_rate_hz": rate, "duration_s": 0.5, "lang": of.lang,
        "spoken_text": f"said: {of.turns[0].text}", "synthesizer": ModelRef(name="kokoro", revision="k1"),
        "voice": VoiceRef(id="alpha", source="kokoro", licence="Apache-2.0"), "seed": 7,
        "effects": () if condition == "speech" else (NOISE,),
        "checks": {"lufs": -23.0, "clipped": 0, "plan": sha256[:16]}, **fields,
    })  # fmt: skip
    return row, data


def make_folder(folder: Path, clips: Sequence[tuple[ManifestRow, bytes]]) -> Path:
    for row, data in clips:
        write_bytes(folder / row.path, data)
    write_rows(folder / "manifest.jsonl", (row for row, _ in clips))
    return folder
