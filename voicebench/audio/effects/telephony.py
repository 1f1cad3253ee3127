"""A telephone line: a narrow band, 8 kHz, eight bits a sample."""

from functools import cache

import numpy as np
import numpy.typing as npt

from voicebench.audio.effects.effect import Effect, Parameter, Parameters, Scene, Values
from voicebench.audio.effects.fourier import Response
from voicebench.audio.io import resample
from voicebench.types import Audio

Floats = npt.NDArray[np.float32]

RATE_HZ = 8000
BAND_HZ = (300.0, 3400.0)
_EDGE_HZ = 60.0
_TAPS = 255
_FULL_SCALE = 32768


def g711(samples: Floats, law: str) -> Floats:
    """Return samples after coding and decoding with G.711 (8 bit), shape (n,) and [-1, 1] in and out.

    Args:
        samples: The waveform; it is taken in steps of 16 bits.
        law: "mulaw" (America, Japan) or "alaw" (elsewhere).
    """
    steps = samples * np.float32(_FULL_SCALE)
    np.rint(steps, out=steps)
    pcm = np.clip(steps, -_FULL_SCALE, _FULL_SCALE - 1, out=steps).astype(np.int16)
    return np.asarray(_table(law).take(pcm.view(np.uint16)))


@cache
def _table(law: str) -> Floats:
    """Return what each 16-bit sample becomes, indexed by the sample modulo 65,536."""
    pcm = np.arange(65536).astype(np.uint16).view(np.int16).astype(np.int64)
    decoded = _mu_law(pcm) if law == "mulaw" else _a_law(pcm)
    return np.asarray(decoded / _FULL_SCALE, dtype=np.float32)


def _mu_law(pcm: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return 16-bit samples as mu-law gives them back.

    ITU-T G.711: the 14-bit magnitude plus a bias of 33 is kept as an exponent (segment) and four bits.
    """
    short = pcm >> 2
    magnitude = np.minimum(np.abs(short), 8158) + 33
    segment = np.floor(np.log2(magnitude)).astype(np.int64) - 5
    step = (magnitude >> (segment + 1)) & 0xF
    decoded = ((2 * step + 33) << segment) - 33
    return np.asarray(np.sign(short) * (decoded << 2))


def _a_law(pcm: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return 16-bit samples as A-law gives them back.

    ITU-T G.711: the 13-bit magnitude is kept as an exponent (segment) and four bits; the first two segments
    have the same step, and no code means zero.
    """
    short = pcm >> 3
    magnitude = np.where(short < 0, -short - 1, short)
    segment = np.maximum(np.floor(np.log2(np.maximum(magnitude, 1))).astype(np.int64) - 4, 0)
    step = (magnitude >> np.maximum(segment, 1)) & 0xF
    first = (step << 4) + 8
    decoded = np.where(segment == 0, first, (first + 0x100) << np.maximum(segment - 1, 0))
    return np.asarray(np.where(short < 0, -decoded, decoded))


@cache
def _band() -> Response:
    """Return the filter of the line at 8 kHz, delayed by half its length; its edges fall as half a cosine."""
    hz = np.fft.rfftfreq(4096, 1 / RATE_HZ)
    rise = np.clip((hz - BAND_HZ[0]) / _EDGE_HZ + 1, 0, 1)
    fall = np.clip((BAND_HZ[1] - hz) / _EDGE_HZ + 1, 0, 1)
    gain = (0.5 - 0.5 * np.cos(np.pi * rise)) * (0.5 - 0.5 * np.cos(np.pi * fall))
    taps = np.roll(np.fft.irfft(gain), _TAPS // 2)[:_TAPS] * np.hanning(_TAPS + 2)[1:-1]
    return Response(taps.astype(np.float32))


def _run(audio: Audio, values: Values, scene: Scene) -> tuple[Audio, Parameters]:
    narrow = resample(audio, RATE_HZ)
    line = g711(_band().convolve(narrow.samples, start=_TAPS // 2), values["law"])
    wide = resample(Audio(line, RATE_HZ), audio.sample_rate_hz).samples
    length = len(audio.samples)
    if len(wide) < length:  # rates whose ratio is not whole round down
        wide = np.pad(wide, (0, length - len(wide)))
    return Audio(wide[:length], audio.sample_rate_hz), {
        "codec": "G.711", "law": values["law"], "rate_hz": RATE_HZ, "band_hz": list(BAND_HZ),
    }  # fmt: skip


TELEPHONY = Effect(
    name="telephony",
    summary="a telephone line: 300–3400 Hz, 8 kHz, G.711",
    parameters=(
        Parameter("law", "G.711's law", "choice", choices=("mulaw", "alaw"), default="mulaw"),
    ),
    run=_run,
    example="telephony",
    aliases=("phone", "telephone"),
    version=2,
)  # fmt: skip
