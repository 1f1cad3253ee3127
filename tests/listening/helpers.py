"""Folders of clips, keys and ratings, made by hand."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from voicebench.audio.io import wav_bytes
from voicebench.files import sha256_bytes, write_bytes, write_rows
from voicebench.listening.clips import Clip
from voicebench.listening.key import Key, KeyClip, make_key
from voicebench.listening.page import RATINGS_FORMAT
from voicebench.listening.ratings import Rater, Rating, Sheet
from voicebench.types import Audio, ManifestRow, ModelRef, VoiceRef

TEXTS = {
    "en": "Book a cab to MG Road",
    "hi": "हज़रतगंज से एक ऑटो बुला दो",
    "ta": "ஐந்நூறு ரூபாய் அனுப்பு",
    "th": "เปิดเพลงที่ห้า",
}


def make_row(
    number: int = 1,
    lang: str = "hi",
    *,
    engine: str = "kokoro",
    revision: str | None = None,
    converter: str | None = None,
    voice: str | None = "hf_alpha",
    condition: str = "speech",
    text: str | None = None,
    sha256: str | None = None,
) -> ManifestRow:
    name = f"{lang}-{number}-{engine}-{revision}-{voice}-{condition}"
    return ManifestRow(
        task_id=f"single-{lang}-{number:04d}", turn=0, condition=condition, path=f"clips/{name}.wav",
        sha256=sha256 or sha256_bytes(name.encode()), sample_rate_hz=16000, duration_s=0.1, lang=lang,
        spoken_text=TEXTS.get(lang, "…") if text is None else text,
        synthesizer=ModelRef(name=engine, revision=revision),
        voice=None if voice is None else VoiceRef(id=voice),
        converter=None if converter is None else ModelRef(name=converter), seed=0,
    )  # fmt: skip


def make_clip(number: int = 1, lang: str = "hi", *, written: str | None = None, **changes: Any) -> Clip:
    row = make_row(number, lang, **changes)
    return Clip(row, Path("audio") / row.path, row.synthesizer.name, written)


def tone(number: int, sample_rate_hz: int = 16000) -> Audio:
    """A clip of its own for each number, a tenth of a second."""
    times = np.arange(sample_rate_hz // 10) / sample_rate_hz
    return Audio((0.5 * np.sin(2 * np.pi * (200 + number) * times)).astype(np.float32), sample_rate_hz)


def make_folder(folder: Path, rows: Iterable[ManifestRow], *, data: bytes | None = None) -> Path:
    """Write an audio folder whose clips are tones (or `data`); hashes are those of what is written."""
    written = []
    for number, row in enumerate(rows):
        content = wav_bytes(tone(number)) if data is None else data
        write_bytes(folder / row.path, content)
        written.append(row.model_copy(update={"sha256": sha256_bytes(content)}))
    write_rows(folder / "manifest.jsonl", written)
    return folder


def make_key_clip(id_: str, lang: str = "hi", engine: str = "kokoro", **changes: Any) -> KeyClip:
    fields: dict[str, Any] = {
        "id": id_, "task_id": f"single-{lang}-{id_}", "turn": 0, "condition": "speech", "lang": lang,
        "engine": engine, "voice": f"{engine}-{lang}", "sha256": sha256_bytes(id_.encode()),
        "spoken_text": TEXTS[lang],
    }  # fmt: skip
    return KeyClip(**(fields | changes))


def key_of(*clips: KeyClip) -> Key:
    return make_key(clips, seed=0, blind=True, write_down=False)


def grades(*values: int | None) -> dict[str, int | None]:
    return dict(zip(("naturalness", "prosody", "pronunciation", "clarity"), values, strict=True))


def all_axes(value: int | None) -> dict[str, int | None]:
    return grades(value, value, value, value)


def make_sheet(name: str, ratings: Mapping[str, Mapping[str, Any]], **languages: str) -> Sheet:
    known: Mapping[str, Any] = languages or {"hi": "native"}
    rater = Rater(id=f"id-{name}", name=name, languages=dict(known))
    return Sheet(rater, "", {id_: Rating(clip=id_, **said) for id_, said in ratings.items()})


def ratings_file(
    path: Path,
    key: Key,
    ratings: Sequence[Mapping[str, Any]],
    *,
    name: str = "AK",
    id_: str = "0011223344556677",
    languages: Mapping[str, str] | None = None,
    saved: str = "2026-11-30T12:00:00.000Z",
    **changes: Any,
) -> Path:
    file = {
        "format": RATINGS_FORMAT, "page": key.page,
        "rater": {"id": id_, "name": name, "languages": languages or {"hi": "native"}},
        "started": "2026-11-30T11:00:00.000Z", "saved": saved, "ratings": list(ratings),
    }  # fmt: skip
    path.write_text(json.dumps(file | changes, ensure_ascii=False), encoding="utf-8")
    return path
