"""Choose the voices that the tasks of a language are heard in.

Every candidate voice says one sentence, an encoder places it in speaker space, and farthest-point sampling
takes those least alike. A synthesizer's native voice then speaks each task, and a converter moves it to the
chosen voice where the two are not the same. The voices may also be recordings of a voices folder
(`voicebench.audio.references`); then a converter moves every task to one of these.
"""

import io
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from voicebench.audio.io import read_audio, write_wav
from voicebench.audio.references.embeddings import embed_voices
from voicebench.audio.references.rows import VoiceRow
from voicebench.audio.references.selection import SELECTED, read_selection
from voicebench.audio.references.store import check_recordings, read_voices
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

DEFAULT_VOICES = 6
"""How many voices of a folder a language is heard in, where nobody says."""


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
        method: "farthest_point", "first" without an encoder, or "selected" by `voices select`.
        seed: What the choice started from.
        reason: Why this encoder, where nobody named it.
    """

    lang: str
    chosen: tuple[ReferenceVoice, ...]
    candidates: tuple[ReferenceVoice, ...]
    synthesizer: ModelRef
    encoder: ModelRef | None
    method: str
    seed: int
    reason: str | None = None

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
            "encoder_reason": self.reason,
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
    reason: str | None = None,
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
        reason: Why this encoder, for `voices.json`.
        progress: Told as candidates are heard.

    Raises:
        UserError: The synthesizer does not speak the language, or n is less than 1.
    """
    if n < 1:
        raise UserError(f"cannot build with {n} voices. Ask for one at least")
    pool = _pool(_offered(synthesizer, lang), lang, candidates, native_only=native_only)
    heard = _heard(synthesizer, encoder, pool, lang, seed, folder, progress)
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
        reason=reason,
    )


def chosen_from(
    voices: Path,
    lang: str,
    n: int | None,
    *,
    synthesizer: Synthesizer,
    folder: Path,
    encoder: SpeakerEncoder | None,
    seed: int,
    converts: bool,
    candidates: int = CANDIDATES,
    reason: str | None = None,
    progress: Progress = no_progress,
) -> VoiceChoice:
    """Choose the voices of a language among the recordings of a voices folder.

    Those that `voices select` chose (`selected.json`) are taken where it did, in its order; otherwise
    recordings in the language where there are some, else all, and farthest-point sampling chooses among them.
    The synthesizer's native voices are heard too: they speak, and a converter moves them to the recordings. A
    recording of one of the synthesizer's own voices speaks itself.

    Args:
        voices: The voices folder.
        lang: The language.
        n: How many to choose; None takes all that are selected, or 6 where nothing is.
        synthesizer: Who speaks.
        folder: The build's folder, where the synthesizer's voices are kept (`voices/` in it).
        encoder: Places the voices in speaker space; None takes the first n.
        seed: Of the choice and of the synthesis.
        converts: Whether a converter is at hand.
        candidates: How many of the synthesizer's voices to hear.
        reason: Why this encoder, for `voices.json`.
        progress: Told as voices are heard and embedded.

    Raises:
        UserError: There are fewer voices than asked for, a recording is missing or changed, nothing converts
        to
            it, or the synthesizer does not speak the language.
    """
    if n is not None and n < 1:
        raise UserError(f"cannot build with {n} voices. Ask for one at least")
    rows, method = _rows_for(voices, lang)
    own = {voice.id for voice in synthesizer.voices(lang)}
    natives = [row.source == synthesizer.model.name and row.speaker in own for row in rows]
    if not converts and not all(natives):
        foreign = next(row for row, native in zip(rows, natives, strict=True) if not native)
        raise UserError(
            f"{voices}: nothing moves speech to recordings like {foreign.id!r}. Give --converter, or voices "
            f"of {synthesizer.model.name}'s own"
        )
    places = None if encoder is None else embed_voices(voices, rows, encoder, progress=progress).embeddings
    check_recordings(voices, rows)
    offered = [
        ReferenceVoice(
            # A voice of the synthesizer's own keeps the name that the synthesizer knows it by.
            replace(row.voice, id=row.speaker) if native else row.voice,
            read_audio(voices / row.path),
            None if places is None else places[index],
            native,
        )
        for index, (row, native) in enumerate(zip(rows, natives, strict=True))
    ]
    wanted = n if n is not None else len(rows) if method == "selected" else min(DEFAULT_VOICES, len(rows))
    if wanted > len(rows):
        raise UserError(
            f"{voices}: {wanted} voices are asked for, there are {len(rows)} for {lang!r}. Ask for fewer, "
            f"or add voices: voicebench voices add --out {voices}"
        )
    if method == "selected" or places is None:
        order = list(range(wanted))
    else:
        order = farthest_point(places, wanted, rng=np.random.default_rng(seed))
    speakers: list[ReferenceVoice] = []
    if not all(natives):
        pool = _pool(_offered(synthesizer, lang), lang, candidates, native_only=True)
        speakers = _heard(synthesizer, encoder, pool, lang, seed, folder, progress)
    return VoiceChoice(
        lang=lang,
        chosen=tuple(offered[index] for index in order),
        candidates=(*offered, *speakers),
        synthesizer=synthesizer.model,
        encoder=encoder.model if encoder else None,
        method=method if method == "selected" or encoder is not None else "first",
        seed=seed,
        reason=reason,
    )


def _rows_for(voices: Path, lang: str) -> tuple[list[VoiceRow], str]:
    """Return the recordings that a language may be heard in, and how they are chosen from."""
    rows = read_voices(voices)
    if (voices / SELECTED).is_file():
        by_id = {row.id: row for row in rows}
        selected = read_selection(voices / SELECTED)
        for voice in selected:
            if voice not in by_id:
                raise UserError(f"{voices / SELECTED}: there is no voice {voice!r} any more. Select again")
        rows, method = [by_id[voice] for voice in selected], "selected"
    else:
        method = "farthest_point"
    return [row for row in rows if row.lang == lang] or rows, method


def _offered(synthesizer: Synthesizer, lang: str) -> Sequence[Voice]:
    offered = synthesizer.voices(lang)
    if not offered:
        raise UserError(
            f"{synthesizer.model.name} does not speak {lang!r}. "
            "Choose another synthesizer: voicebench models list --kind tts"
        )
    return offered


def _heard(
    synthesizer: Synthesizer,
    encoder: SpeakerEncoder | None,
    pool: Sequence[tuple[Voice, bool]],
    lang: str,
    seed: int,
    folder: Path,
    progress: Progress,
) -> list[ReferenceVoice]:
    """Let the synthesizer's voices say their sentence."""
    heard = []
    for done, (voice, native) in enumerate(pool):
        progress(f"hearing {lang} voices", done, len(pool))
        heard.append(_hear(synthesizer, encoder, voice, native, lang, seed, folder / "voices"))
    progress(f"hearing {lang} voices", len(pool), len(pool))
    return heard


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
