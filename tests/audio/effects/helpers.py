"""Clips and measurements for the tests of effects."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from voicebench.audio.effects import apply
from voicebench.types import Audio


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def speech(seconds: float = 2.0, rate: int = 16000, level: float = 0.2) -> Audio:
    """Harmonics of about 150 Hz that come and go."""
    time_s = np.arange(round(seconds * rate)) / rate
    turns = 150 * time_s + 12 * np.sin(2 * np.pi * 0.4 * time_s)
    wave = sum(np.sin(2 * np.pi * k * turns) / k for k in range(1, 22))
    swell = 0.5 + 0.5 * np.sin(2 * np.pi * 3 * time_s)
    return Audio((level * wave * swell).astype(np.float32), rate)


def tone(hz: float, seconds: float = 1.0, rate: int = 16000, level: float = 0.3) -> Audio:
    time_s = np.arange(round(seconds * rate)) / rate
    return Audio((level * np.sin(2 * np.pi * hz * time_s)).astype(np.float32), rate)


def white(seconds: float = 2.0, rate: int = 16000, level: float = 0.1) -> Audio:
    samples = rng(7).standard_normal(round(seconds * rate)) * level
    return Audio(np.clip(samples, -1, 1).astype(np.float32), rate)


def silence(seconds: float = 1.0, rate: int = 16000) -> Audio:
    return Audio(np.zeros(round(seconds * rate), np.float32), rate)


def heard(
    name: str, audio: Audio, seed: int = 0, talkers: Sequence[Audio] = ()
) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
    """The samples after one effect, and its parameters."""
    changed, done = apply(name, audio, rng(seed), talkers=talkers)
    assert len(done) == 1
    return changed.samples, done[0]


def measured_snr_db(clean: Audio, noisy: npt.NDArray[np.float32], gain: float) -> float:
    wanted = clean.samples.astype(np.float64) * gain
    return float(10 * np.log10(np.mean(wanted**2) / np.mean((noisy.astype(np.float64) - wanted) ** 2)))


def lag(before: npt.NDArray[np.float32], after: npt.NDArray[np.float32]) -> int:
    """By how many samples a clip comes later."""
    size = 2 * max(len(before), len(after))
    alike = np.fft.irfft(np.fft.rfft(after, size) * np.conj(np.fft.rfft(before, size)), size)
    found = int(alike.argmax())
    return found if found < size // 2 else found - size


def octave_drop_db(noise: npt.NDArray[np.float32]) -> float:
    """By how much the power falls from one octave to the next."""
    power = np.abs(np.fft.rfft(noise.astype(np.float64))) ** 2
    return float(10 * np.log10(power[1000:2000].mean() / power[2000:4000].mean()))
