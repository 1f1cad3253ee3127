"""A synthesizer that speaks a tone a letter; see `voicebench.protocols.Synthesizer`."""

from collections.abc import Sequence

import numpy as np

from voicebench.errors import UserError
from voicebench.types import Audio, ModelRef, Voice

RATE_HZ, LETTER_S, LOWEST_HZ, STEP_HZ = 16_000, 0.05, 300.0, 100.0
LETTERS = " abcdefghijklmnopqrstuvwxyz0123456789"


class Tone:
    """Speaks the letters and digits of English; any other character sounds like a space."""

    def __init__(self) -> None:
        self.model = ModelRef(name="tone", revision="1.0")

    def voices(self, lang: str) -> Sequence[Voice]:
        """Return the one voice for English, and none for any other language."""
        return [Voice("tone", "voicebench-example-backends", "Apache-2.0", "en")] if lang == "en" else []

    def synthesize(
        self, texts: Sequence[str], *, lang: str, voice: str | None = None, seed: int
    ) -> list[Audio]:
        """Speak each text; nothing is drawn at random, so the seed changes nothing."""
        if lang != "en":
            raise UserError(f"tone speaks English only, not {lang!r}")
        if voice not in (None, "tone"):
            raise UserError(f"tone has no voice {voice!r}. It has: tone")
        return [self._speak(text.lower()) for text in texts]

    def _speak(self, text: str) -> Audio:
        places = [max(LETTERS.find(letter), 0) for letter in text]
        if not any(places):
            raise UserError(f"tone finds nothing to say in {text[:40]!r}")
        time_s = np.arange(int(RATE_HZ * LETTER_S)) / RATE_HZ
        tones = [np.sin(2 * np.pi * (LOWEST_HZ + STEP_HZ * place) * time_s) for place in places]
        return Audio((0.3 * np.concatenate(tones)).astype(np.float32), RATE_HZ)
