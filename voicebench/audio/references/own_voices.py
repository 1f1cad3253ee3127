"""Recordings of a synthesizer's own voices: each says one sentence of the language."""

from voicebench.audio.references.recording import Recording
from voicebench.audio.voices import SENTENCES
from voicebench.errors import UserError
from voicebench.protocols import Synthesizer
from voicebench.types import Audio, Voice


def own_voices(synthesizer: Synthesizer, lang: str, *, seed: int = 0) -> list[Recording]:
    """Return a recording of each voice that a synthesizer has for a language; it is made when it is heard.

    Args:
        synthesizer: Whose voices.
        lang: The language; a language without a sentence is spoken the English one in.
        seed: Of the synthesis.

    Raises:
        UserError: The synthesizer does not speak the language.
    """
    voices = synthesizer.voices(lang)
    if not voices:
        raise UserError(
            f"{synthesizer.model.name} does not speak {lang!r}. See: voicebench models list --kind tts"
        )
    return [_recording(synthesizer, voice, lang, seed) for voice in voices]


def _recording(synthesizer: Synthesizer, voice: Voice, lang: str, seed: int) -> Recording:
    def load() -> Audio:
        sentence = SENTENCES.get(lang, SENTENCES["en"])
        return synthesizer.synthesize([sentence], lang=lang, voice=voice.id, seed=seed)[0]

    return Recording(
        origin=f"{voice.id}/{lang}",
        speaker=voice.id,
        source=voice.source,
        licence=voice.licence,
        load=load,
        lang=voice.lang,
        gender=voice.gender,
        notes={"spoken": lang, "revision": synthesizer.model.revision},
    )
