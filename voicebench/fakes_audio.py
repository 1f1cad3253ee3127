"""Controls for the audio seams: a synthesizer, a converter and an encoder that need no weights."""

import hashlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from voicebench.errors import UserError
from voicebench.types import Audio, ModelRef, Voice

_SAMPLE_RATE_HZ = 16000
_SECONDS_A_LETTER = 0.1
_LEVEL = 0.1
_RISE_S = 0.02
_PITCH_HZ = {"low": 120.0, "middle": 180.0, "high": 240.0, "highest": 320.0}
_BANDS = 8


class FakeSynthesizer:
    """Speaks a tone: its pitch is the voice's, its length the text's, its tremolo the words'."""

    def __init__(self) -> None:
        self.model = ModelRef(name="fake", revision="1")

    def voices(self, lang: str) -> Sequence[Voice]:
        """Return four voices, native in every language."""
        return tuple(Voice(id=name, source="fake", licence="Apache-2.0", lang=lang) for name in _PITCH_HZ)

    def synthesize(
        self, texts: Sequence[str], *, lang: str, voice: str | None = None, seed: int
    ) -> list[Audio]:
        """Speak each text, 0.1 s a letter or figure.

        Raises:
            UserError: The voice is unknown, or a text has no letters.
        """
        name = voice if voice is not None else next(iter(_PITCH_HZ))
        if name not in _PITCH_HZ:
            raise UserError(f"fake has no voice {name!r}. Known: {', '.join(_PITCH_HZ)}")
        return [_tone(text, _PITCH_HZ[name], seed) for text in texts]


class FakeConverter:
    """Returns the source with the reference's level, and changes nothing else."""

    def __init__(self) -> None:
        self.model = ModelRef(name="fake", revision="1")

    def convert(self, source: Audio, *, voice: Audio, seed: int) -> Audio:
        """Return the source, as loud (root mean square) as the reference."""
        level = _rms(source)
        gain = _rms(voice) / level if level > 0 else 0.0
        return Audio(np.clip(source.samples * np.float32(gain), -1.0, 1.0), source.sample_rate_hz)


class FakeEncoder:
    """Embeds a clip as the share of its power in eight bands."""

    def __init__(self) -> None:
        self.model = ModelRef(name="fake", revision="1")

    def embed(self, clips: Sequence[Audio]) -> npt.NDArray[np.float32]:
        """Return embeddings, shape (len(clips), 8), float32, each row of unit length."""
        return np.array([_bands(clip) for clip in clips], dtype=np.float32).reshape(len(clips), _BANDS)


def _tone(text: str, pitch_hz: float, seed: int) -> Audio:
    letters = sum(map(str.isalnum, text))
    if letters == 0:
        raise UserError(f"fake finds nothing to say in {text[:40]!r}")
    digest = hashlib.sha256(f"{seed}\n{text}".encode("utf-8", "replace")).digest()
    time_s = np.arange(round(letters * _SECONDS_A_LETTER * _SAMPLE_RATE_HZ)) / _SAMPLE_RATE_HZ
    tremolo = 1 + 0.5 * np.sin(2 * np.pi * (2 + digest[0] / 64) * time_s)
    edges = np.minimum(1, np.minimum(time_s, time_s[::-1]) / _RISE_S)
    wave = _LEVEL * edges * tremolo * np.sin(2 * np.pi * pitch_hz * time_s)
    return Audio(wave.astype(np.float32), _SAMPLE_RATE_HZ)


def _rms(audio: Audio) -> float:
    return float(np.sqrt(np.mean(audio.samples.astype(np.float64) ** 2))) if len(audio.samples) else 0.0


def _bands(clip: Audio) -> npt.NDArray[np.float64]:
    power = np.abs(np.fft.rfft(clip.samples.astype(np.float64))) ** 2
    hz = np.fft.rfftfreq(len(clip.samples), 1 / clip.sample_rate_hz)
    edges = np.geomspace(80.0, 640.0, _BANDS - 1)
    shares = np.bincount(np.searchsorted(edges, hz), weights=power, minlength=_BANDS) + 1e-12
    roots = np.sqrt(shares)
    return np.asarray(roots / np.linalg.norm(roots))
