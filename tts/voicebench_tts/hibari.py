"""hibari: neural US English in one voice, about a hundred times faster than it is spoken."""

import hashlib
from collections.abc import Sequence

import numpy as np

from voicebench.errors import UserError
from voicebench.types import Audio, ModelRef, Voice

REVISION = "hibari-tts==0.2.1"
VOICE = Voice(id="heart", source="hibari", licence="Apache-2.0", lang="en", gender="female")


class Hibari:
    """The synthesizer with the voice that its wheel carries; it downloads nothing.

    Args:
        path: Another ONNX file with the same inputs and outputs.
        threads: Threads of the runtime; None takes one, which is enough.
    """

    def __init__(self, *, path: str | None = None, threads: int | None = None) -> None:
        import hibari

        self.model = ModelRef(name="hibari", revision=REVISION if path is None else None)
        self._tts = hibari.Hibari(voice=VOICE.id, model=path, threads=threads or 1)

    def voices(self, lang: str) -> Sequence[Voice]:
        """Return the one voice, for English."""
        return (VOICE,) if lang == "en" else ()

    def synthesize(
        self, texts: Sequence[str], *, lang: str, voice: str | None = None, seed: int
    ) -> list[Audio]:
        """Speak each text at 24 kHz; the seed and the text fix the noise in consonants.

        Raises:
            UserError: The language or the voice is unknown, or a text has nothing to say.
        """
        if lang != "en":
            raise UserError(f"hibari speaks English ('en') only, not {lang!r}")
        if voice not in (None, VOICE.id):
            raise UserError(f"hibari has no voice {voice!r}. Known: {VOICE.id}")
        return [self._speak(text, seed) for text in texts]

    def _speak(self, text: str, seed: int) -> Audio:
        if not any(map(str.isalnum, text)):
            raise UserError(f"hibari finds nothing to say in {text[:40]!r}")
        digest = hashlib.sha256(f"{seed}\n{text}".encode("utf-8", "replace")).digest()
        samples = np.asarray(self._tts(text, seed=int.from_bytes(digest[:8])), dtype=np.float32)
        if not samples.any():
            raise UserError(f"hibari finds nothing to say in {text[:40]!r}")
        return Audio(np.clip(samples, -1.0, 1.0), int(self._tts.sample_rate))
