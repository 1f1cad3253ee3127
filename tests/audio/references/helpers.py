"""Sounds that stand for speech: bursts of a voiced tone with pauses, and noise under them."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from voicebench.audio.io import write_wav
from voicebench.audio.references.recording import Recording
from voicebench.errors import UserError
from voicebench.types import Audio


def speech(
    *parts: float,
    hz: float = 150.0,
    rate: int = 16000,
    level: float = 0.2,
    noise_db: float | None = None,
    seed: int = 0,
) -> Audio:
    """Return seconds of tone (positive) and of pause (negative), over noise so far below the tone."""
    pieces = []
    for seconds in parts:
        time_s = np.arange(round(abs(seconds) * rate)) / rate
        tone = sum(np.sin(2 * np.pi * hz * n * time_s) / n for n in range(1, 6))
        syllables = 0.75 + 0.25 * np.sin(2 * np.pi * 4 * time_s)
        pieces.append(tone * syllables * level if seconds > 0 else np.zeros(len(time_s)))
    wave = np.concatenate(pieces)
    if noise_db is not None:
        loud = wave[np.abs(wave) > 0]
        power = float(np.mean(loud**2)) / 10 ** (noise_db / 10)
        wave = wave + np.random.default_rng(seed).standard_normal(len(wave)) * np.sqrt(power)
    return Audio(np.clip(wave, -1, 1).astype(np.float32), rate)


def recording(
    origin: str,
    sound: Audio | str | None = None,
    *,
    speaker: str | None = None,
    source: str | None = "corpus",
    licence: str | None = "CC0-1.0",
    lang: str | None = "hi",
    gender: str | None = None,
) -> Recording:
    """Return a recording that holds a sound, or that cannot be read for the reason given."""

    def load() -> Audio:
        if isinstance(sound, str):
            raise UserError(sound)
        return sound or speech(2.0)

    return Recording(
        origin=origin, speaker=speaker or origin, source=source, licence=licence, load=load, lang=lang,
        gender=gender,  # type: ignore[arg-type]
    )  # fmt: skip


def write(folder: Path, name: str, audio: Audio) -> Path:
    path = folder / name
    write_wav(path, audio)
    return path


PITCHES = (110.0, 140.0, 180.0, 230.0, 290.0, 350.0)


def voices(count: int, **more: str) -> Sequence[Recording]:
    """Return recordings of as many speakers, each of a pitch of its own."""
    return [
        recording(
            f"s{index}", speech(2.0, hz=PITCHES[index % 6] + index // 6), speaker=f"s{index}",
            gender=("female", "male")[index % 2], **more,
        )
        for index in range(count)
    ]  # fmt: skip
