"""Any server with OpenAI's `/v1/audio/speech`: OpenAI itself, or one of your own."""

import json
import os
import time
from collections.abc import Callable, Sequence

from voicebench.errors import UserError, did_you_mean
from voicebench.types import Audio, ModelRef, Voice
from voicebench.wire.keys import key_for
from voicebench.wire.place import Place
from voicebench_tts._http import TIMEOUT_S, Service
from voicebench_tts._remote import AT_ONCE, Batches, Job, decoded, require_words

OPENAI_URL = "https://api.openai.com/v1"
OPENAI_MODEL = "gpt-4o-mini-tts"
OPENAI_VOICES = (
    "alloy",
    "ash",
    "ballad",
    "coral",
    "echo",
    "fable",
    "nova",
    "onyx",
    "sage",
    "shimmer",
    "verse",
)

_SHAPE = "URL#MODEL&voices=a,b&languages=hi,en"
_OPTIONS = ("voices", "languages", "key")


class OpenAISpeech:
    """The synthesizer.

    The protocol has no seed and no language: a server speaks whatever it is given, and may speak it another
    way the next time. What is recorded is the model's name and the host.

    Args:
        argument: `URL#MODEL&voices=a,b&languages=hi,en`, of which any part may be missing. Without a URL it
            is $OPENAI_BASE_URL, else OpenAI; without voices the server is asked for them (`/audio/voices`);
            without languages any text is taken. `&key=VARIABLE` names the variable that holds a key.
        at_once: Requests under way at a time.
        timeout_s: For one request.
        sleep: Waits so many seconds.

    Raises:
        UserError: The argument cannot be read, or the URL cannot be used.
    """

    def __init__(
        self,
        *,
        argument: str = "",
        at_once: int = AT_ONCE,
        timeout_s: float = TIMEOUT_S,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._place = Place.parse(
            argument, name="openai-speech", default_url=os.environ.get("OPENAI_BASE_URL") or OPENAI_URL,
            default_model=OPENAI_MODEL, options=_OPTIONS,
        )  # fmt: skip
        key = key_for(self._place, "openai-speech")
        self._service = Service("openai-speech", self._place.url, key=key, timeout_s=timeout_s, sleep=sleep)
        self.model = ModelRef(name="openai-speech", revision=f"{self._place.model}@{self._service.host}")
        self._batches = Batches(self._speak, at_once)
        self._voices: tuple[str, ...] | None = _listed(self._place, "voices") or None

    def voices(self, lang: str) -> Sequence[Voice]:
        """Return the voices that were named, else those that the server names.

        Raises:
            UserError: The server names none.
            AgentFailure: The server failed.
        """
        languages = _listed(self._place, "languages")
        if languages and lang not in languages:
            return ()
        if self._voices is None:
            self._voices = self._asked()
        return [Voice(id=name, source=self._service.host, licence="the server's") for name in self._voices]

    def synthesize(
        self, texts: Sequence[str], *, lang: str, voice: str | None = None, seed: int
    ) -> list[Audio]:
        """Speak each text, a few at a time, at the server's rate; `seed` changes nothing.

        Raises:
            UserError: The language or the voice is unknown, a text has nothing to say in it, or the server
                refuses the request.
            AgentFailure: The server failed, or answered no audio.
        """
        known = [offered.id for offered in self.voices(lang)]
        if not known:
            raise UserError(f"openai-speech was told languages, and {lang!r} is not one of them")
        name = voice if voice is not None else known[0]
        if name not in known:
            raise UserError(f"openai-speech has no voice {name!r}.{did_you_mean(name, known)}")
        for text in texts:
            require_words("openai-speech", text)
        # Without a seed in the protocol, texts that are alike are one request.
        return self._batches([Job(text, lang, name, 0) for text in texts])

    def _speak(self, job: Job) -> Audio:
        payload = {
            "model": self._place.model, "input": job.text, "voice": job.voice, "response_format": "wav",
        }  # fmt: skip
        return decoded(self._service.post("/audio/speech", payload), self._service)

    def _asked(self) -> tuple[str, ...]:
        if self._place.url == OPENAI_URL:
            return OPENAI_VOICES
        try:
            said = json.loads(self._service.get("/audio/voices").body)
        except (UserError, ValueError) as error:
            raise UserError(
                f"openai-speech: {self._service.host} does not say which voices it has ({error}). "
                f"Name them: openai-speech:{_SHAPE}"
            ) from None
        listed = said.get("voices", said.get("data", [])) if isinstance(said, dict) else said
        names = [_name(entry) for entry in listed] if isinstance(listed, list) else []
        found = tuple(name for name in names if name)
        if not found:
            raise UserError(
                f"openai-speech: {self._service.host} lists no voices. Name them: openai-speech:{_SHAPE}"
            )
        return found


def _listed(place: Place, option: str) -> tuple[str, ...]:
    return tuple(filter(None, place.options.get(option, "").split(",")))


def _name(entry: object) -> str:
    """Return a voice's name from what servers list: a string, or an object with its id or name."""
    if isinstance(entry, dict):
        entry = entry.get("id") or entry.get("voice_id") or entry.get("name") or ""
    return entry if isinstance(entry, str) else ""
