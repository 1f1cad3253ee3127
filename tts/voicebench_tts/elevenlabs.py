"""ElevenLabs through its REST API: `/v1/text-to-speech/{voice_id}`, at 16 kHz."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from voicebench.errors import UserError, did_you_mean
from voicebench.types import Audio, ModelRef, Voice
from voicebench.wire.keys import Key
from voicebench_tts._http import TIMEOUT_S, Service
from voicebench_tts._remote import AT_ONCE, Batches, Job, decoded, require_words
from voicebench_tts._seeds import seed_of

URL = "https://api.elevenlabs.io"
MODEL = "eleven_v3"
SAMPLE_RATE_HZ = 16_000

_V2 = ("en", "hi", "ta", "id", "fil", "zh")
LANGUAGES: Mapping[str, tuple[str, ...]] = {
    "eleven_v3": ("en", "hi", "bn", "mr", "ta", "te", "ml", "kn", "gu", "vi", "th", "id", "fil", "zh"),
    "eleven_multilingual_v2": _V2,
    "eleven_flash_v2_5": (*_V2, "vi"),
}
"""Of the models that speak more than English, those of our languages that ElevenLabs states."""

# This one reads the language off the text and refuses to be told.
_NO_LANGUAGE_CODE = {"eleven_multilingual_v2"}
_KEY = Key("ELEVENLABS_API_KEY", header="xi-api-key")


class ElevenLabs:
    """The synthesizer; every voice of the account speaks every language of the model.

    The seed goes along, and ElevenLabs says of it that it tries: the same clip again is not promised.

    Args:
        argument: The model; `eleven_v3` if empty.
        url: Where the API is.
        at_once: Requests under way at a time; an account has a limit, from 2 on.
        timeout_s: For one request.
        sleep: Waits so many seconds.

    Raises:
        UserError: The model is unknown.
    """

    def __init__(
        self,
        *,
        argument: str = "",
        url: str = URL,
        at_once: int = AT_ONCE,
        timeout_s: float = TIMEOUT_S,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._model = argument or MODEL
        if self._model not in LANGUAGES:
            raise UserError(
                f"elevenlabs: unknown model {self._model!r}.{did_you_mean(self._model, LANGUAGES)}"
            )
        self._service = Service("elevenlabs", url, key=_KEY, timeout_s=timeout_s, sleep=sleep)
        self.model = ModelRef(name="elevenlabs", revision=self._model)
        self._batches = Batches(self._speak, at_once)
        self._listed: list[Mapping[str, Any]] | None = None

    def voices(self, lang: str) -> Sequence[Voice]:
        """Return the account's voices, those first that are verified for the language.

        Raises:
            UserError: The API refuses the key, or lists no voices.
            AgentFailure: The API failed.
        """
        if lang not in LANGUAGES[self._model]:
            return ()
        if self._listed is None:
            self._listed = self._list()
        return sorted((_voice(entry, lang) for entry in self._listed), key=lambda voice: voice.lang != lang)

    def synthesize(
        self, texts: Sequence[str], *, lang: str, voice: str | None = None, seed: int
    ) -> list[Audio]:
        """Speak each text at 16 kHz, a few at a time.

        Raises:
            UserError: The language or the voice is unknown, a text has nothing to say in it, or the API
                refuses the request.
            AgentFailure: The API failed, or answered no audio.
        """
        known = LANGUAGES[self._model]
        if lang not in known:
            raise UserError(f"elevenlabs ({self._model}) does not speak {lang!r}.{did_you_mean(lang, known)}")
        offered = [entry.id for entry in self.voices(lang)]
        name = voice if voice is not None else offered[0]
        if name not in offered:
            raise UserError(f"elevenlabs: this account has no voice {name!r}.{did_you_mean(name, offered)}")
        for text in texts:
            require_words("elevenlabs", text)
        return self._batches([Job(text, lang, name, seed) for text in texts])

    def _speak(self, job: Job) -> Audio:
        payload: dict[str, Any] = {
            "text": job.text, "model_id": self._model, "seed": seed_of(job.seed, job.text) % 2**32,
        }  # fmt: skip
        if self._model not in _NO_LANGUAGE_CODE:
            payload["language_code"] = job.lang
        path = f"/v1/text-to-speech/{quote(job.voice, safe='')}?output_format=pcm_{SAMPLE_RATE_HZ}"
        return decoded(self._service.post(path, payload), self._service, raw_rate_hz=SAMPLE_RATE_HZ)

    def _list(self) -> list[Mapping[str, Any]]:
        try:
            said = json.loads(self._service.get("/v1/voices").body)
        except ValueError:
            said = None
        listed = said.get("voices") if isinstance(said, dict) else None
        found: list[Mapping[str, Any]] = [
            entry for entry in listed or () if isinstance(entry, dict) and entry.get("voice_id")
        ]
        if not found:
            raise UserError("elevenlabs: this account lists no voices. Add one at elevenlabs.io first")
        return found


def _voice(entry: Mapping[str, Any], lang: str) -> Voice:
    labels = entry.get("labels") or {}
    verified = [
        item.get("language") for item in entry.get("verified_languages") or () if isinstance(item, dict)
    ]
    languages = [*verified, labels.get("language")]
    gender = labels.get("gender")
    return Voice(
        id=str(entry["voice_id"]),
        source="elevenlabs",
        licence="ElevenLabs' terms of service",
        lang=lang if lang in languages else next((code for code in languages if code), None),
        gender=gender if gender in ("female", "male") else None,
    )
