"""Any server with OpenAI's `/v1/audio/transcriptions`: OpenAI itself, vLLM, speaches, or one of your own."""

import asyncio
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from voicebench.audio.io import wav_bytes
from voicebench.errors import AgentFailure
from voicebench.types import Audio, ModelRef, Transcript
from voicebench.wire import loop
from voicebench.wire.client import TIMEOUT_S, Client, File
from voicebench.wire.keys import key_for
from voicebench.wire.place import Place
from voicebench.wire.refusals import Refused
from voicebench.wire.served import require_served
from voicebench_asr._clips import RATE_HZ, samples_to_hear
from voicebench_asr._whisper_codes import ours_of, theirs_of

NAME = "openai-transcriptions"
OPENAI_URL = "https://api.openai.com/v1"
OPENAI_MODEL = "whisper-1"
LARGEST_CLIP = 25 * 1000 * 1000
"""In bytes, of a WAV file: what OpenAI takes, and 13 minutes at 16 kHz."""

_PATH = "/audio/transcriptions"


@dataclass(frozen=True)
class _Encoded:
    """A clip as it goes out (None where there is nothing to hear), and the seconds that took."""

    wav: bytes | None
    seconds: float


class OpenAITranscriptions:
    """A transcriber behind a server.

    Clips go out as WAV files of 16 kHz, a few at a time. A clip's seconds are those of its encoding and from
    its own request to the answer, so one that waits for another's turn is not slower for it.

    Attributes:
        model: Such as "openai-transcriptions:MODEL"; the revision is `MODEL@HOST`.
        at_once: How many clips are under way at a time.
    """

    at_once = 4

    def __init__(self, *, argument: str = "", timeout_s: float = TIMEOUT_S) -> None:
        """Make a client of the server; nothing is asked yet.

        Args:
            argument: `URL#MODEL` or `MODEL`, then maybe `&key=VARIABLE` (the environment variable that holds
                the key). Without a URL it is $OPENAI_BASE_URL, else OpenAI.
            timeout_s: For one clip.

        Raises:
            UserError: The argument cannot be read, or the key cannot be used.
        """
        self._place = self.place_of(argument)
        self._key = key_for(self._place, NAME)
        self._client = Client(NAME, self._place, self._key, timeout_s=timeout_s)
        self._tells_languages = True
        model = self._place.model
        self.model = ModelRef(name=f"{NAME}:{model}", revision=f"{model}@{self._place.host}")

    @staticmethod
    def place_of(argument: str) -> Place:
        """Return the server and the model that an argument stands for.

        Raises:
            UserError: It cannot be read.
        """
        default_url = os.environ.get("OPENAI_BASE_URL") or OPENAI_URL
        return Place.parse(argument, name=NAME, default_url=default_url, default_model=OPENAI_MODEL)

    def check(self) -> None:
        """Make sure, before a run, that the server answers, takes the key and has the model.

        Raises:
            UserError: It does not; in one line.
        """
        loop.run(require_served(NAME, self._place, self._key))

    def transcribe(self, clips: Sequence[Audio], *, lang: str | None) -> list[Transcript]:
        """Return what was heard in each clip; silence is heard as "" without asking.

        Args:
            clips: The clips, of any sample rate.
            lang: Language code; None lets the server detect it, and says what it detected where that is told.

        Raises:
            UserError: The server refuses the request.
            AgentFailure: A clip is too large or holds no numbers ("audio"), or the server or the way to it
                failed.
        """
        # Encoded here, on the caller's thread: on the loop it would hold up what others stream.
        files = [_encoded(clip) for clip in clips]
        return loop.run(self._all(files, lang)) if clips else []

    async def _all(self, files: Sequence[_Encoded], lang: str | None) -> list[Transcript]:
        turns = asyncio.Semaphore(self.at_once)

        async def one(file: _Encoded) -> Transcript:
            if file.wav is None:
                return Transcript("", lang, file.seconds)
            async with turns:
                return await self._heard(file.wav, lang, time.perf_counter() - file.seconds)

        tasks = [asyncio.create_task(one(file)) for file in files]
        try:
            return list(await asyncio.gather(*tasks))
        finally:
            # Nothing of a batch is used once one clip of it failed.
            for task in tasks:
                task.cancel()

    async def _heard(self, wav: bytes, lang: str | None, started_s: float) -> Transcript:
        answer = await self._asked(wav, lang)
        said = answer if isinstance(answer, Mapping) else {}
        text, detected = said.get("text"), said.get("language")
        if not isinstance(text, str):
            told = self._client.quoted(str(answer))
            raise AgentFailure("server", f"{self._client.peer} answers without a text ({told})")
        if lang is None and isinstance(detected, str):
            lang = ours_of(detected)
        return Transcript(text.strip(), lang, time.perf_counter() - started_s)

    async def _asked(self, wav: bytes, lang: str | None) -> object:
        fields = {"model": self._place.model, "temperature": "0", "response_format": "json"}
        if lang is not None:
            fields["language"] = theirs_of(lang)
        elif self._tells_languages:
            fields["response_format"] = "verbose_json"
        file = File("clip.wav", wav, "audio/wav")
        try:
            return await self._client.post_form(_PATH, fields, file)
        except Refused as refused:
            if refused.status == 413:
                raise AgentFailure("audio", str(refused)) from None
            is_about_form = "response_format" in (refused.about, *refused.said.replace("'", " ").split())
            if fields["response_format"] == "json" or not is_about_form:
                raise
        # Models that are newer than Whisper answer in plain JSON alone, which tells no language.
        self._tells_languages = False
        return await self._client.post_form(_PATH, {**fields, "response_format": "json"}, file)


def _encoded(clip: Audio) -> _Encoded:
    started_s = time.perf_counter()
    samples = samples_to_hear(clip)
    wav = None if samples is None else wav_bytes(Audio(samples, RATE_HZ))
    if wav is not None and len(wav) > LARGEST_CLIP:
        told = f"a clip of {clip.duration_s:.0f} s is {len(wav) / 1e6:.0f} MB; servers take 25 MB at most"
        raise AgentFailure("audio", told)
    return _Encoded(wav, time.perf_counter() - started_s)
