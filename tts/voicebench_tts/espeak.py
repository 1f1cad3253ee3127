"""espeak-ng as a synthesizer: robotic formant synthesis that speaks nearly every language."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from voicebench.errors import UserError, did_you_mean
from voicebench.types import Audio, ModelRef, Voice
from voicebench_tts import _espeak

LANGUAGES = {
    "en": "en-us", "hi": "hi", "bn": "bn", "mr": "mr", "ta": "ta", "te": "te", "ml": "ml", "vi": "vi",
    "th": "th", "id": "id", "zh": "cmn", "kn": "kn", "gu": "gu",
}  # fmt: skip
"""Language codes, and espeak-ng's name of the voice for each."""

# Every variant of a voice is another vocal tract and pitch; the names are espeak-ng's.
VARIANTS: dict[Literal["female", "male"], tuple[str, ...]] = {
    "female": ("f1", "f2", "f3", "f4", "f5"),
    "male": ("m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8"),
}


class Espeak:
    """The synthesizer; each language has the plain voice and its male and female variants."""

    def __init__(self) -> None:
        self.model = ModelRef(name="espeak", revision=_espeak.REVISION)

    def voices(self, lang: str) -> Sequence[Voice]:
        """Return the plain voice, then the female and the male variants."""
        if lang not in LANGUAGES:
            return ()
        plain = Voice(id=lang, source="espeak", licence="GPL-3.0", lang=lang, gender="male")
        variants = [
            replace(plain, id=f"{lang}+{variant}", gender=gender)
            for gender, names in VARIANTS.items()
            for variant in names
        ]
        return (plain, *variants)

    def synthesize(
        self, texts: Sequence[str], *, lang: str, voice: str | None = None, seed: int
    ) -> list[Audio]:
        """Speak each text at 22.05 kHz; nothing is drawn at random, so `seed` changes nothing.

        Raises:
            UserError: The language or the voice is unknown, or a text has nothing to say in it.
        """
        known = {v.id for v in self.voices(lang)}
        if not known:
            raise UserError(f"espeak does not speak {lang!r}.{did_you_mean(lang, LANGUAGES)}")
        name = voice if voice is not None else lang
        if name not in known:
            raise UserError(f"espeak has no voice {name!r} for {lang!r}.{did_you_mean(name, known)}")
        variant = name.removeprefix(lang)
        return [self._speak(text, LANGUAGES[lang] + variant) for text in texts]

    def _speak(self, text: str, voice: str) -> Audio:
        samples, sample_rate_hz = _espeak.speak(text, voice)
        if not np.any(samples):
            raise UserError(f"espeak finds nothing to say in {text[:40]!r}")
        return Audio(samples, sample_rate_hz)
