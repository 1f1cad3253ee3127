"""A synthesizer that speaks a tone a letter; see `voicebench.protocols.Synthesizer`."""

from collections.abc import Sequence

import numpy as np

from voicebench.errors import UserError
from voicebench.types import Audio, ModelRef, Voice

RATE_HZ, LETTER_S, LOWEST_HZ, STEP_HZ = 16_000, 0.05, 300.0, 100.0
LETTERS = " abcdefghijklmnopqrstuvwxyz0123456789"


class Tone:
    """Knows the letters and digits of English; other characters are a pause."""

    def __init__(self) -> None:
        self.model = ModelRef(name="tone", revision="1.0")

    def voices(self, lang: str) -> Sequence[Voice]:
        """Return the one voice that there is."""
        return [Voice(id="tone", source="voicebench-example-backends", licence="Apache-2.0", lang=lang)]

    def synthesize(
        self, texts: Sequence[str], *, lang: str, voice: str | None = None, seed: int
    ) -> list[Audio]:
        """Speak each text; nothing is drawn at random, so the seed changes nothing."""
        if voice not in (None, "tone"):
            raise UserError(f"tone has no voice {voice!r}. It has: tone")
        return [self._speak(text) for text in texts]

    def _speak(self, text: str) -> Audio:
        if not any(map(str.isalnum, text)):
            raise UserError(f"tone finds nothing to say in {text[:40]!r}")
        time_s = np.arange(int(RATE_HZ * LETTER_S)) / RATE_HZ
        places = [max(LETTERS.find(letter), 0) for letter in text.lower()]
        tones = [np.sin(2 * np.pi * (LOWEST_HZ + STEP_HZ * place) * time_s) for place in places]
        return Audio((0.3 * np.concatenate(tones)).astype(np.float32), RATE_HZ)
