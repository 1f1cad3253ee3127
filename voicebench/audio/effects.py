"""What happens to speech on its way: noise at a signal-to-noise ratio, the telephone.

An effect's name is the end of a condition, `speech/noise-10dB`. Adding an effect means adding one row to
`EFFECTS`: a pattern, how it is written, and the function.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from voicebench.audio.io import resample
from voicebench.errors import UserError, did_you_mean
from voicebench.types import Audio

Parameters = dict[str, Any]
Floats = npt.NDArray[np.float32]

_PEAK_LIMIT = 0.999
_PINK_FROM_HZ = 20.0

_TELEPHONE_RATE_HZ = 8000
_TELEPHONE_BAND_HZ = (300.0, 3400.0)
_BAND_EDGE_HZ = 60.0


@dataclass(frozen=True)
class Effect:
    """An effect as it is declared.

    Attributes:
        form: How its name is written, for people.
        pattern: What its name matches; the groups are the function's `arguments`.
        summary: One line.
        run: Called with (clip, arguments, generator); returns the changed clip and its parameters.
    """

    form: str
    pattern: re.Pattern[str]
    summary: str
    run: Callable[[Audio, dict[str, str], np.random.Generator], tuple[Audio, Parameters]]


def apply(name: str, audio: Audio, rng: np.random.Generator) -> tuple[Audio, Parameters]:
    """Return a clip as it sounds after an effect; same sample rate and length.

    Args:
        name: The effect, such as "noise-10dB" or "telephony".
        audio: The clip.
        rng: Where the noise comes from.

    Returns:
        The clip, and the effect's name and parameters as the manifest keeps them.

    Raises:
        UserError: There is no such effect, or it cannot be applied to this clip.
    """
    effect, arguments = parse(name)
    return effect.run(audio, arguments, rng)


def parse(name: str) -> tuple[Effect, dict[str, str]]:
    """Return the effect that a name means, and the arguments in it.

    Raises:
        UserError: There is no such effect; the message names the closest one.
    """
    for effect in EFFECTS:
        match = effect.pattern.fullmatch(name)
        if match:
            return effect, match.groupdict()
    examples = [effect.form for effect in EFFECTS]
    raise UserError(f"unknown effect {name!r}.{did_you_mean(name, examples)}")


def add_noise(audio: Audio, noise: Floats, snr_db: float) -> tuple[Audio, float]:
    """Return a clip with noise under it, and the gain that kept the sum below full scale.

    The ratio is that of the mean powers over the whole clip, and exact: where the sum would clip, speech and
    noise are made quieter together.

    Args:
        audio: The clip.
        noise: Shape of the clip's samples, at any level.
        snr_db: 10 log10 (speech power / noise power).

    Raises:
        UserError: The clip or the noise is silent, so that there is no ratio.
    """
    speech = audio.samples.astype(np.float64)
    power, noise_power = float(np.mean(speech**2)), float(np.mean(noise.astype(np.float64) ** 2))
    if power == 0 or noise_power == 0:
        raise UserError("noise at a signal-to-noise ratio needs a clip that is not silent")
    mixed = speech + noise * np.sqrt(power / noise_power / 10 ** (snr_db / 10))
    gain = min(1.0, _PEAK_LIMIT / float(np.abs(mixed).max()))
    return Audio((mixed * gain).astype(np.float32), audio.sample_rate_hz), gain


def white_noise(length: int, rng: np.random.Generator) -> Floats:
    """Return Gaussian noise with the same power at each frequency, shape (length,)."""
    return rng.standard_normal(length, dtype=np.float32)


def pink_noise(length: int, sample_rate_hz: int, rng: np.random.Generator) -> Floats:
    """Return Gaussian noise whose power falls by 3 dB an octave above 20 Hz, shape (length,)."""
    spectrum = np.fft.rfft(white_noise(length, rng))
    hz = np.fft.rfftfreq(length, 1 / sample_rate_hz)
    pink = np.fft.irfft(spectrum / np.sqrt(np.maximum(hz, _PINK_FROM_HZ)), length)
    return np.asarray(pink, dtype=np.float32)


def mu_law(samples: Floats) -> Floats:
    """Return samples after coding and decoding with G.711 mu-law (8 bit); [-1, 1] in and out."""
    pcm = np.clip(np.round(samples * 32768), -32768, 32767).astype(np.int64)
    return np.asarray(_mu_law_table()[pcm + 32768])


@cache
def _mu_law_table() -> Floats:
    """Return what each 16-bit sample becomes, indexed by sample + 32768.

    ITU-T G.711: the 14-bit magnitude plus a bias of 33 is kept as an exponent (segment) and four bits.
    """
    pcm = np.arange(-32768, 32768) >> 2
    magnitude = np.minimum(np.abs(pcm), 8158) + 33
    segment = np.floor(np.log2(magnitude)).astype(np.int64) - 5
    step = (magnitude >> (segment + 1)) & 0xF
    decoded = ((2 * step + 33) << segment) - 33
    return np.asarray(np.sign(pcm) * (decoded << 2) / 32768, dtype=np.float32)


def _noise(audio: Audio, arguments: dict[str, str], rng: np.random.Generator) -> tuple[Audio, Parameters]:
    colour = arguments["colour"] or "white"
    snr_db = float(arguments["snr"])
    length = len(audio.samples)
    noise = white_noise(length, rng) if colour == "white" else pink_noise(length, audio.sample_rate_hz, rng)
    noisy, gain = add_noise(audio, noise, snr_db)
    return noisy, {"name": "noise", "colour": colour, "snr_db": snr_db, "gain": round(gain, 6)}


def _telephony(audio: Audio, arguments: dict[str, str], rng: np.random.Generator) -> tuple[Audio, Parameters]:
    narrow = resample(audio, _TELEPHONE_RATE_HZ)
    limited = _band_limited(narrow.samples, _TELEPHONE_RATE_HZ, _TELEPHONE_BAND_HZ)
    coded = Audio(mu_law(np.clip(limited, -1.0, 1.0)), _TELEPHONE_RATE_HZ)
    wide = resample(coded, audio.sample_rate_hz).samples
    length = len(audio.samples)
    samples = np.pad(wide[:length], (0, max(0, length - len(wide))))
    parameters = {
        "name": "telephony", "codec": "G.711 mu-law", "rate_hz": _TELEPHONE_RATE_HZ,
        "band_hz": list(_TELEPHONE_BAND_HZ),
    }  # fmt: skip
    return Audio(samples.astype(np.float32), audio.sample_rate_hz), parameters


def _band_limited(samples: Floats, rate: int, band_hz: tuple[float, float]) -> Floats:
    """Return samples with only a band left; the edges fall as half a cosine, without any delay."""
    # Silence behind the clip takes the filter's ringing, which would else wrap round to the start.
    size = len(samples) + rate // 10
    hz = np.fft.rfftfreq(size, 1 / rate)
    rise = np.clip((hz - band_hz[0]) / _BAND_EDGE_HZ + 1, 0, 1)
    fall = np.clip((band_hz[1] - hz) / _BAND_EDGE_HZ + 1, 0, 1)
    gain = (0.5 - 0.5 * np.cos(np.pi * rise)) * (0.5 - 0.5 * np.cos(np.pi * fall))
    limited = np.fft.irfft(np.fft.rfft(samples, size) * gain, size)[: len(samples)]
    return np.asarray(limited, dtype=np.float32)


_SNR = r"(?P<snr>-?\d+(?:\.\d+)?)dB"

EFFECTS: tuple[Effect, ...] = (
    Effect(
        form="noise-10dB",
        pattern=re.compile(rf"(?:(?P<colour>white|pink)-)?noise-{_SNR}"),
        summary="white noise (pink-noise-10dB: pink) at a signal-to-noise ratio in dB",
        run=_noise,
    ),
    Effect(
        form="telephony",
        pattern=re.compile("telephony"),
        summary="a telephone line: 300-3400 Hz, 8 kHz, G.711 mu-law",
        run=_telephony,
    ),
)
"""Every effect; forms are examples of names."""
