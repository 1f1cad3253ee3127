"""Choose the voices that the tasks of a language are heard in.

Every candidate voice says one sentence, an encoder places it in speaker space, and farthest-point sampling
takes those least alike. A synthesizer's native voice then speaks each task, and a converter moves it to the
chosen voice where the two are not the same.
"""

import io
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from voicebench.audio.io import read_audio, write_wav
from voicebench.audio.speakers import farthest_point, mean_pairwise_distance, min_pairwise_distance
from voicebench.errors import UserError
from voicebench.files import sha256_json, write_bytes
from voicebench.models import Progress, no_progress
from voicebench.protocols import SpeakerEncoder, Synthesizer
from voicebench.types import Audio, ModelRef, Voice

log = logging.getLogger(__name__)

SENTENCES = {
    "en": "Hello, I am calling about my booking.",
    "hi": "नमस्ते, मुझे बुकिंग के बारे में पूछना है।",
    "bn": "নমস্কার, আমি আমার বুকিং নিয়ে কথা বলতে চাই।",
    "mr": "नमस्कार, मला माझ्या बुकिंगबद्दल बोलायचे आहे।",
    "ta": "வணக்கம், என் முன்பதிவு பற்றிப் பேச வேண்டும்.",
    "te": "నమస్కారం, నా బుకింగ్ గురించి మాట్లాడాలి.",
    "ml": "നമസ്കാരം, എന്റെ ബുക്കിങ്ങിനെക്കുറിച്ച് സംസാരിക്കണം.",
    "gu": "નમસ્તે, મારે મારા બુકિંગ વિશે વાત કરવી છે.",
    "kn": "ನಮಸ್ಕಾರ, ನನ್ನ ಬುಕಿಂಗ್ ಬಗ್ಗೆ ಮಾತನಾಡಬೇಕು.",
    "vi": "Xin chào, tôi muốn hỏi về đặt chỗ của tôi.",
    "th": "สวัสดี ฉันต้องการสอบถามเรื่องการจอง",
    "id": "Halo, saya ingin bertanya tentang pesanan saya.",
    "fil": "Kumusta, gusto kong magtanong tungkol sa aking booking.",
    "zh": "你好，我想问一下我的预订。",
}
"""What a candidate voice says; a language without a sentence says the English one."""

CANDIDATES = 12
"""How many voices are heard before the choice: enough to choose from, few enough to wait for."""


@dataclass(frozen=True, eq=False)
class ReferenceVoice:
    """A voice, and how it sounds.

    Attributes:
        voice: Who it is.
        clip: A recording of it.
        embedding: Its place in speaker space, shape (d,), None where no encoder was at hand.
        native: Whether it is native in the language, so that it can speak tasks itself.
    """

    voice: Voice
    clip: Audio
    embedding: npt.NDArray[np.float32] | None
    native: bool


@dataclass(frozen=True, eq=False)
class VoiceChoice:
    """The voices of a language.

    Attributes:
        lang: The language.
        chosen: The voices that tasks are heard in, in the order of choice.
        candidates: All that were to choose from.
        synthesizer: Whose voices they are.
        encoder: What placed them in speaker space, or None.
        method: "farthest_point", or "first" without an encoder.
        seed: What the choice started from.
    """

    lang: str
    chosen: tuple[ReferenceVoice, ...]
    candidates: tuple[ReferenceVoice, ...]
    synthesizer: ModelRef
    encoder: ModelRef | None
    method: str
    seed: int

    def speaker_for(self, target: ReferenceVoice) -> ReferenceVoice:
        """Return the native voice that speaks before conversion: the target itself, else the most alike."""
        if target.native:
            return target
        natives = [candidate for candidate in self.candidates if candidate.native]
        place = target.embedding
        if place is None:
            same = [native for native in natives if native.voice.gender == target.voice.gender]
            return (same or natives)[0]
        return max(natives, key=lambda native: _cosine(native.embedding, place))

    def describe(self) -> dict[str, Any]:
        """Return the choice as `voices.json` keeps it; distances are null without an encoder."""
        chosen, candidates = _embeddings(self.chosen), _embeddings(self.candidates)
        return {
            "method": self.method,
            "seed": self.seed,
            "synthesizer": self.synthesizer.model_dump(),
            "encoder": self.encoder.model_dump() if self.encoder else None,
            "chosen": [
                {
                    "id": reference.voice.id,
                    "source": reference.voice.source,
                    "licence": reference.voice.licence,
                    "lang": reference.voice.lang,
                    "gender": reference.voice.gender,
                    "spoken_by": self.speaker_for(reference).voice.id,
                }
                for reference in self.chosen
            ],
            "candidates": [reference.voice.id for reference in self.candidates],
            "distance": {
                "chosen_mean": _rounded(mean_pairwise_distance(chosen)),
                "chosen_min": _rounded(min_pairwise_distance(chosen)),
                "candidates_mean": _rounded(mean_pairwise_distance(candidates)),
                "candidates_min": _rounded(min_pairwise_distance(candidates)),
            }
            if self.encoder
            else None,
        }


def reference_voices(
    synthesizer: Synthesizer,
    lang: str,
    *,
    folder: Path,
    encoder: SpeakerEncoder | None,
    n: int,
    seed: int,
    native_only: bool = False,
    candidates: int = CANDIDATES,
    progress: Progress = no_progress,
) -> VoiceChoice:
    """Choose the voices of a language among a synthesizer's.

    Args:
        synthesizer: Whose voices; those native in the language come first, women and men in turn.
        lang: The language.
        folder: Where recordings and embeddings are kept for the next time (`voices/` in it).
        encoder: Places the voices in speaker space; None takes the first n.
        n: How many to choose; all candidates where there are fewer.
        seed: Of the choice and of the synthesis.
        native_only: Leave out voices that are not native, for a build without a converter.
        candidates: How many voices to hear before choosing.
        progress: Told as candidates are heard.

    Raises:
        UserError: The synthesizer does not speak the language, or n is less than 1.
    """
    if n < 1:
        raise UserError(f"cannot build with {n} voices. Ask for one at least")
    offered = synthesizer.voices(lang)
    if not offered:
        raise UserError(
            f"{synthesizer.model.name} does not speak {lang!r}. "
            "Choose another synthesizer: voicebench models list --kind tts"
        )
    heard = []
    pool = _pool(offered, lang, candidates, native_only=native_only)
    for done, (voice, native) in enumerate(pool):
        progress(f"hearing {lang} voices", done, len(pool))
        heard.append(_hear(synthesizer, encoder, voice, native, lang, seed, folder / "voices"))
    progress(f"hearing {lang} voices", len(pool), len(pool))
    n = min(n, len(heard))
    if encoder is None:
        order = list(range(n))
    else:
        order = farthest_point(_embeddings(heard), n, rng=np.random.default_rng(seed))
    return VoiceChoice(
        lang=lang,
        chosen=tuple(heard[index] for index in order),
        candidates=tuple(heard),
        synthesizer=synthesizer.model,
        encoder=encoder.model if encoder else None,
        method="first" if encoder is None else "farthest_point",
        seed=seed,
    )


def _pool(offered: Sequence[Voice], lang: str, limit: int, *, native_only: bool) -> list[tuple[Voice, bool]]:
    """Return up to `limit` voices and whether each is native, natives first, genders in turn.

    Where a converter is at hand, half of the voices are not native as long as there are such: speakers of
    other languages widen the choice.
    """
    natives = [voice for voice in offered if voice.lang == lang]
    others = [] if native_only else [voice for voice in offered if voice.lang != lang]
    if not natives:
        # Somebody has to speak: then every voice counts as native.
        natives, others = list(offered), []
    natives_taken = max(limit - len(others), (limit + 1) // 2)
    pool = [(voice, True) for voice in _in_turn(natives)[:natives_taken]]
    return [*pool, *((voice, False) for voice in _in_turn(others))][:limit]


def _in_turn(voices: Sequence[Voice]) -> list[Voice]:
    """Return voices so that the genders alternate as long as there are of each."""
    places: dict[str | None, int] = {}
    ranked = []
    for voice in voices:
        ranked.append((places.setdefault(voice.gender, 0), voice))
        places[voice.gender] += 1
    return [voice for _, voice in sorted(ranked, key=lambda item: item[0])]


def _hear(
    synthesizer: Synthesizer,
    encoder: SpeakerEncoder | None,
    voice: Voice,
    native: bool,
    lang: str,
    seed: int,
    folder: Path,
) -> ReferenceVoice:
    sentence = SENTENCES.get(lang, SENTENCES["en"])
    model = synthesizer.model.model_dump()
    key = sha256_json([model, lang, voice.id, sentence, seed])[:16]
    path = folder / f"{key}.wav"
    if not path.is_file():
        spoken = synthesizer.synthesize([sentence], lang=lang, voice=voice.id, seed=seed)[0]
        write_wav(path, spoken)
    # Read back, so that a voice sounds the same whether it was kept or just made.
    clip = read_audio(path)
    embedding = None if encoder is None else _embed(encoder, clip, path)
    return ReferenceVoice(voice, clip, embedding, native)


def _embed(encoder: SpeakerEncoder, clip: Audio, wav: Path) -> npt.NDArray[np.float32]:
    key = sha256_json(encoder.model.model_dump())[:8]
    path = wav.with_name(f"{wav.stem}.{key}.npy")
    if path.is_file():
        try:
            return np.asarray(np.load(path), dtype=np.float32)
        except (ValueError, EOFError, OSError):
            log.warning("%s: not readable, embedded again", path)
    embedding = np.asarray(encoder.embed([clip])[0], dtype=np.float32)
    buffer = io.BytesIO()
    np.save(buffer, embedding)
    write_bytes(path, buffer.getvalue())
    return embedding


def _embeddings(references: Sequence[ReferenceVoice]) -> npt.NDArray[np.float32]:
    """Return the embeddings, shape (voices, d); (0, 0) where there are none."""
    rows = [reference.embedding for reference in references if reference.embedding is not None]
    return np.stack(rows) if rows else np.zeros((0, 0), np.float32)


def _cosine(a: npt.NDArray[np.float32] | None, b: npt.NDArray[np.float32]) -> float:
    return -1.0 if a is None else float(a @ b)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
