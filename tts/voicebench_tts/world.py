"""WORLD voice conversion: pitch, vocal-tract length and spectral colour moved towards a reference voice.

A clip is taken apart into pitch, spectral envelope and aperiodicity (Morise et al. 2016, "WORLD: a
vocoder-based high-quality speech synthesis system"), changed, and put together again. It needs no training
and no weights; every change is bounded, so that the words stay clear. What the speaker does beside that
(rhythm, accent, creak) stays the source's.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from voicebench.errors import UserError
from voicebench.types import Audio, ModelRef

REVISION = "pyworld-prebuilt==0.3.6.post1"

# Bounds of each change, within which Whisper's word error rate on the clips did not move.
PITCH_RATIO = (0.5, 2.0)
FORMANT_RATIO = (0.85, 1.18)
COLOUR_DB = 12.0

_PITCH_HZ = (65.0, 500.0)
_FORMANTS_HZ = (200.0, 5000.0)
_FORMANT_GRID = 200
_FORMANT_STEPS = 67
# Lower voices tend to have longer vocal tracts: the expected formant ratio is the pitch ratio to this power,
# and the weight is what a squared deviation from it (in nepers) takes off the correlation. Both were fitted
# to the speaker similarity of 44 pairs of voices.
_FORMANT_PRIOR_POWER = 0.4
_FORMANT_PRIOR_WEIGHT = 10.0
# Cepstral coefficients that make up a voice's colour; finer detail is the words'.
_COLOUR_COEFFICIENTS = 40
_DB_PER_NEPER = 10 / math.log(10)  # of power

Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Portrait:
    """What is taken from a recording of a voice.

    Attributes:
        log_pitch: Median of ln(f0 in Hz) over voiced frames, None where nothing is voiced.
        envelope: Mean log power envelope over voiced frames, smoothed, shape (bins,).
        bins_hz: The frequency of each bin, shape (bins,).
    """

    log_pitch: float | None
    envelope: Doubles
    bins_hz: Doubles


class World:
    """The converter."""

    def __init__(self) -> None:
        import pyworld

        self.model = ModelRef(name="world", revision=REVISION)
        self._world = pyworld
        # Many clips are moved to the same few voices.
        self._portrait_of: Callable[[bytes, int], Portrait] = lru_cache(maxsize=64)(self._portrait)

    def convert(self, source: Audio, *, voice: Audio, seed: int) -> Audio:
        """Return `source` moved towards the speaker of `voice`; length, rate and level stay the source's.

        Nothing is drawn at random, so `seed` changes nothing. A source that is silent comes back as it is.

        Raises:
            UserError: The reference recording is empty or silent.
        """
        if not np.any(voice.samples):
            raise UserError("world: the reference recording is silent. Give it one that holds speech")
        if not np.any(source.samples):
            return source
        target = self._portrait_of(voice.samples.tobytes(), voice.sample_rate_hz)
        pitch, envelope, aperiodicity = self._analyse(source.samples, source.sample_rate_hz)
        own = _portrait(pitch, envelope, source.sample_rate_hz)
        stretch = formant_ratio(own, target)
        warped = _warped(np.log(envelope), stretch)
        colour = _colour(own, target, stretch)
        samples = self._world.synthesize(
            pitch * pitch_ratio(own, target),
            np.ascontiguousarray(np.exp(warped + colour)),
            np.ascontiguousarray(_warped(aperiodicity, stretch)),
            source.sample_rate_hz,
        )
        return Audio(_like(samples, source.samples), source.sample_rate_hz)

    def _portrait(self, samples: bytes, sample_rate_hz: int) -> Portrait:
        pitch, envelope, _ = self._analyse(np.frombuffer(samples, dtype=np.float32), sample_rate_hz)
        return _portrait(pitch, envelope, sample_rate_hz)

    def _analyse(
        self, samples: npt.NDArray[np.float32], sample_rate_hz: int
    ) -> tuple[Doubles, Doubles, Doubles]:
        """Return pitch in Hz (frames,), power envelope and aperiodicity (frames, bins), every 5 ms."""
        wave = samples.astype(np.float64)
        low, high = _PITCH_HZ
        pitch, times = self._world.harvest(wave, sample_rate_hz, f0_floor=low, f0_ceil=high)
        envelope = self._world.cheaptrick(wave, pitch, times, sample_rate_hz)
        aperiodicity = self._world.d4c(wave, pitch, times, sample_rate_hz)
        return pitch, np.maximum(envelope, 1e-16), aperiodicity


def pitch_ratio(own: Portrait, target: Portrait) -> float:
    """Return how far the target's median pitch lies above the source's, within `PITCH_RATIO`.

    It is 1 where either of the two is unvoiced.
    """
    if own.log_pitch is None or target.log_pitch is None:
        return 1.0
    return float(np.clip(math.exp(target.log_pitch - own.log_pitch), *PITCH_RATIO))


def formant_ratio(own: Portrait, target: Portrait) -> float:
    """Return how far the target's formants lie above the source's: 1.1 means ten per cent higher.

    It is the stretch of the source's mean envelope that correlates best with the target's, both without their
    tilt, from 200 to 5000 Hz on a logarithmic axis, within `FORMANT_RATIO`; ties and near ties go to what the
    pitch of the two lets expect.
    """
    top_hz = min(_FORMANTS_HZ[1], own.bins_hz[-1], target.bins_hz[-1])
    grid = np.geomspace(_FORMANTS_HZ[0], top_hz, _FORMANT_GRID)
    ratios = np.geomspace(*FORMANT_RATIO, _FORMANT_STEPS)
    wanted = _untilted(np.interp(grid, target.bins_hz, target.envelope), grid)
    offered = _untilted(np.interp(grid / ratios[:, None], own.bins_hz, own.envelope), grid)
    norms = np.linalg.norm(offered, axis=1) * np.linalg.norm(wanted)
    correlation = offered @ wanted / np.maximum(norms, 1e-12)
    expected = _FORMANT_PRIOR_POWER * math.log(pitch_ratio(own, target))
    fit = correlation - _FORMANT_PRIOR_WEIGHT * (np.log(ratios) - expected) ** 2
    return float(ratios[fit.argmax()])


def _portrait(pitch: Doubles, envelope: Doubles, sample_rate_hz: int) -> Portrait:
    voiced = pitch > 0
    chosen = envelope[voiced] if voiced.any() else envelope
    return Portrait(
        log_pitch=float(np.median(np.log(pitch[voiced]))) if voiced.any() else None,
        envelope=_smoothed(np.log(chosen).mean(axis=0)),
        bins_hz=np.linspace(0.0, sample_rate_hz / 2, envelope.shape[1]),
    )


def _colour(own: Portrait, target: Portrait, stretch: float) -> Doubles:
    """Return what to add to the log power envelope so that its mean becomes the target's, shape (bins,)."""
    there = np.interp(own.bins_hz, target.bins_hz, target.envelope)
    here = np.interp(own.bins_hz / stretch, own.bins_hz, own.envelope)
    difference = there - here
    # Above the band of the narrower recording there is nothing to compare.
    difference[own.bins_hz > min(own.bins_hz[-1], target.bins_hz[-1])] = 0.0
    limit = COLOUR_DB / _DB_PER_NEPER
    return np.asarray(np.clip(difference - difference.mean(), -limit, limit))


def _warped(frames: Doubles, stretch: float) -> Doubles:
    """Return frames of shape (frames, bins) with the frequency axis stretched by a factor."""
    last = frames.shape[1] - 1
    position = np.minimum(np.arange(last + 1) / stretch, last)
    below = np.minimum(position.astype(int), last - 1)
    share = position - below
    return np.asarray(frames[:, below] * (1 - share) + frames[:, below + 1] * share)


def _smoothed(log_envelope: Doubles) -> Doubles:
    """Return a log spectrum of shape (bins,) without its fine detail (low-time cepstral lifter)."""
    mirrored = np.concatenate([log_envelope, log_envelope[-2:0:-1]])
    cepstrum = np.fft.ifft(mirrored).real
    cepstrum[_COLOUR_COEFFICIENTS : -_COLOUR_COEFFICIENTS + 1] = 0.0
    return np.asarray(np.fft.fft(cepstrum).real[: len(log_envelope)])


def _untilted(curves: Doubles, grid_hz: Doubles) -> Doubles:
    """Return curves of shape (..., grid) less their straight line over log frequency."""
    line = np.stack([np.ones_like(grid_hz), np.log(grid_hz)], axis=1)
    project = line @ np.linalg.pinv(line)
    return np.asarray(curves - curves @ project.T)


def _like(samples: Any, source: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return samples with the length and the mean power of the source."""
    made = np.zeros(len(source))
    length = min(len(source), len(samples))
    made[:length] = samples[:length]
    power = float(np.mean(made**2))
    if power > 0:
        made *= math.sqrt(float(np.mean(source.astype(np.float64) ** 2)) / power)
    return np.clip(made, -1.0, 1.0).astype(np.float32)
