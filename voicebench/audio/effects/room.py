"""A room around the speaker: what its walls send back, simulated or as it was recorded.

A simulated response is the direct sound, the early reflections of a room drawn at random, by the image-source
method (Allen and Berkley 1979), and behind them noise that decays exponentially (Polack 1988), 60 dB in the
reverberation time. How much comes back follows from the distance: the energy of the diffuse field is
(d / d_c)² times that of the direct sound, with the critical distance d_c = 0.057 √(V / rt60).
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from voicebench.audio.effects.effect import Effect, Parameter, Parameters, Scene, Values
from voicebench.audio.effects.fourier import Response
from voicebench.audio.effects.level import below_full_scale
from voicebench.audio.effects.noise import white_noise
from voicebench.audio.effects.recordings import read_recording, recordings
from voicebench.errors import UserError
from voicebench.types import Audio

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]

_SOUND_M_S = 343.0
_SMALLEST_M, _LARGEST_M = np.array([3.0, 3.0, 2.4]), np.array([8.0, 6.0, 3.5])
_FROM_WALL = 0.15
_ORDER = 4
# An amplitude falls by 60 dB as exp(-x) at this x.
_DECAY = 3 * np.log(10)


@dataclass(frozen=True)
class Place:
    """A room, and where in it one speaks and is heard.

    Attributes:
        size_m: Length, width and height.
        speaker_m: Where the speaker is.
        microphone_m: Where the microphone is.
    """

    size_m: Doubles
    speaker_m: Doubles
    microphone_m: Doubles

    @property
    def volume_m3(self) -> float:
        """The room's volume."""
        return float(np.prod(self.size_m))

    @property
    def surface_m2(self) -> float:
        """The area of its walls, floor and ceiling."""
        length, width, height = self.size_m
        return float(2 * (length * width + length * height + width * height))


def draw_place(distance_m: float, rng: np.random.Generator) -> Place:
    """Return a room with a speaker and a microphone at a distance; one too small for it is made larger."""
    size = rng.uniform(_SMALLEST_M, _LARGEST_M)
    angle = rng.uniform(0, 2 * np.pi)
    apart = distance_m * np.array([np.cos(angle), np.sin(angle), 0.0])
    # Both stand clear of the walls, so what is left for the distance is a part of the size.
    size *= max(1.0, float((np.abs(apart) / (size * (1 - 2.5 * _FROM_WALL))).max()))
    low, high = _FROM_WALL * size, (1 - _FROM_WALL) * size
    speaker = rng.uniform(np.maximum(low, low - apart), np.minimum(high, high - apart))
    return Place(size, speaker, speaker + apart)


def simulate(
    sample_rate_hz: int, rt60_s: float, distance_m: float, drr_db: float | None, rng: np.random.Generator
) -> tuple[Floats, dict[str, float]]:
    """Return a response whose direct sound is 1 at time zero, shape (rt60_s × rate,), and its properties.

    Args:
        sample_rate_hz: Samples per second.
        rt60_s: In which time the sound falls by 60 dB.
        distance_m: From the speaker to the microphone.
        drr_db: Direct to reverberant energy; None takes what the distance makes of it.
        rng: Draws the room and the tail.
    """
    place = draw_place(distance_m, rng)
    if drr_db is None:
        critical_m = 0.057 * np.sqrt(place.volume_m3 / rt60_s)
        drr_db = float(20 * np.log10(critical_m / distance_m))
    energy = 10 ** (-drr_db / 10)
    length = max(2, round(rt60_s * sample_rate_hz))
    time_s = np.arange(length) / sample_rate_hz
    # Reflections can be told apart until about √V milliseconds after the direct sound.
    mixing_s = np.sqrt(place.volume_m3) / 1000
    density = energy * 2 * _DECAY / (rt60_s * sample_rate_hz)
    tail = white_noise(length, rng) * np.sqrt(density) * np.exp(-_DECAY * time_s / rt60_s)
    tail[time_s < mixing_s] = 0
    early = _reflections(place, rt60_s, sample_rate_hz, min(length, int(mixing_s * sample_rate_hz) + 1))
    tail[: len(early)] += early
    tail[0] = 0
    # What was drawn has about the right energy; this makes it exact.
    tail *= np.sqrt(energy / max(float(tail @ tail), 1e-12))
    tail[0] = 1
    properties = {
        "rt60_s": rt60_s, "distance_m": distance_m, "drr_db": round(drr_db, 2),
        "volume_m3": round(place.volume_m3, 1),
    }  # fmt: skip
    return tail.astype(np.float32), properties


def _reflections(place: Place, rt60_s: float, rate: int, length: int) -> Doubles:
    """Return the early reflections relative to a direct sound of 1 at time zero, shape (length,).

    Walls reflect alike; how much follows from the reverberation time by Eyring's formula.
    """
    absorbed = 1 - np.exp(-0.161 * place.volume_m3 / (place.surface_m2 * rt60_s))
    reflected = np.sqrt(1 - absorbed)
    orders = np.arange(-_ORDER, _ORDER + 1)
    grid = np.stack(np.meshgrid(orders, orders, orders, indexing="ij"), axis=-1).reshape(-1, 3)
    grid = grid[(np.abs(grid).sum(axis=1) <= _ORDER) & (np.abs(grid).sum(axis=1) > 0)]
    even = grid % 2 == 0
    # In each direction the n-th image lies n rooms away; odd ones are mirrored.
    images = grid * place.size_m + np.where(even, place.speaker_m, place.size_m - place.speaker_m)
    away_m = np.linalg.norm(images - place.microphone_m, axis=1)
    direct_m = float(np.linalg.norm(place.speaker_m - place.microphone_m))
    delay = np.rint((away_m - direct_m) / _SOUND_M_S * rate).astype(np.int64)
    heard = (delay >= 1) & (delay < length)
    response = np.zeros(length)
    amplitude = reflected ** np.abs(grid).sum(axis=1) * direct_m / away_m
    np.add.at(response, delay[heard], amplitude[heard])
    return response


@lru_cache(maxsize=16)
def _recorded(path: Path, changed: int, rate: int) -> tuple[Response, str]:
    """Return a recorded response from its direct sound on, which is 1, and the SHA-256 of its file."""
    audio, sha256 = read_recording(path, rate)
    direct = int(np.abs(audio.samples).argmax())
    if audio.samples[direct] == 0:
        raise UserError(f"{path}: a room response that is silent")
    return Response(audio.samples[direct:] / audio.samples[direct]), sha256


def _run(audio: Audio, values: Values, scene: Scene) -> tuple[Audio, Parameters]:
    if values["path"] is not None:
        files = recordings(values["path"])
        file = files[int(scene.rng.integers(len(files)))]
        response, sha256 = _recorded(file, file.stat().st_mtime_ns, audio.sample_rate_hz)
        done: Parameters = {"path": values["path"], "file": file.name, "sha256": sha256}
    else:
        samples, properties = simulate(
            audio.sample_rate_hz, values["rt60"], values["distance"], values["drr"], scene.rng
        )
        response, done = Response(samples), dict(properties)
    wet = response.convolve(audio.samples)
    before, after = float(np.dot(audio.samples, audio.samples)), float(np.dot(wet, wet))
    level = np.sqrt(before / after) if after > 0 else 1.0
    kept, gain = below_full_scale(wet * np.float32(level))
    return Audio(kept, audio.sample_rate_hz), {**done, "gain": round(float(level * gain), 6)}


def _check(values: Values) -> str | None:
    changed = [p.name for p in ROOM.parameters[:3] if values[p.name] != p.default]
    if values["path"] is not None and changed:
        return f"a recorded response has its own {changed[0]}. Leave out {changed[0]}, or path"
    return None


ROOM = Effect(
    name="room",
    summary="a room, simulated or recorded: reverberation at the clip's own level and length",
    parameters=(
        Parameter("rt60", "time in which sound falls by 60 dB", unit="s", low=0.05, high=10, default=0.4),
        Parameter("distance", "from mouth to microphone", unit="m", low=0.1, high=20, default=1.0),
        Parameter(
            "drr", "direct to reverberant energy; without it what the distance makes of it", unit="dB",
            low=-30, high=40,
        ),
        Parameter("path", "a recorded response, or a folder of them: one a clip", "path"),
    ),
    run=_run,
    example="room-0.4s",
    draws=True,
    check=_check,
)  # fmt: skip
