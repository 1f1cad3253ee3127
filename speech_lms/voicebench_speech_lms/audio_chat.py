"""A speech LM behind a server that takes sound in chat completions: vLLM, OpenAI, Gemini and others."""

import logging
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Any

import numpy as np

from voicebench.audio.io import wav_bytes
from voicebench.errors import AgentFailure, UserError
from voicebench.types import Audio, Message, Part, Tool
from voicebench.wire.chat import SoundForm
from voicebench.wire.chat_server import ChatServer
from voicebench.wire.client import TIMEOUT_S
from voicebench.wire.place import Place
from voicebench.wire.refusals import Refused
from voicebench.wire.retry import ATTEMPTS, PATIENCE_S
from voicebench_speech_lms._heard import least_tokens, require_heard, require_numbers, sound_s

log = logging.getLogger(__name__)

NAME = "audio-chat"
_FORMS: dict[str, SoundForm] = {"input_audio": "input_audio", "audio_url": "audio_url"}
_ABOUT_SOUND = re.compile(r"audio|multi-?modal|content type|part type|modalit", re.IGNORECASE)
_TRIED_S = 4.0
_TRIED_TOKENS = 16


class AudioChat(ChatServer):
    """A model that hears, behind a server that speaks OpenAI's chat completions.

    It is asked for words alone (`modalities`), since those that can speak would also be paid for that. An
    answer whose token counts leave no room for the sound is no answer (`require_heard`). That alone does not
    show it under a long instruction, so `check` asks with a clip and without: the first must be longer.

    Attributes:
        model: `audio-chat:MODEL`; the revision is `MODEL@HOST`.
        holds_schema: False.
    """

    def __init__(self, *, argument: str = "", timeout_s: float = TIMEOUT_S, attempts: int = ATTEMPTS) -> None:
        """Make a client of the server; nothing is asked yet.

        Args:
            argument: `URL#MODEL`, then maybe `&audio=audio_url` (clips as data URLs, not as OpenAI's
                `input_audio`) and `&key=VARIABLE` (the environment variable that holds the key).
            timeout_s: For one answer.
            attempts: How often one request is sent at most.

        Raises:
            UserError: The argument cannot be read, or the key cannot be used.
        """
        place = self.place_of(argument)
        named = place.options.get("audio", "input_audio")
        if named not in _FORMS:
            raise UserError(f"{NAME}: &audio= is input_audio or audio_url, not {named!r}")
        super().__init__(
            NAME,
            place,
            audio=_FORMS[named],
            wav=_wav,
            extra={"modalities": ["text"]},
            timeout_s=timeout_s,
            patience_s=PATIENCE_S,
            attempts=attempts,
        )
        self._counts_sound = True

    @staticmethod
    def place_of(argument: str) -> Place:
        """Return the server and the model that an argument stands for.

        Raises:
            UserError: It cannot be read.
        """
        return Place.parse(argument, name=NAME, options=("audio", "key"))

    async def checked(self) -> None:
        """Make sure, on the event loop, that the server has the model, and that sound reaches it.

        Raises:
            UserError: It does not answer, has no such model, or the model hears nothing.
        """
        await super().checked()
        try:
            heard = await self._counted(_tone(_TRIED_S))
        except Refused as refused:
            raise self._explained(refused) from None
        except AgentFailure as failure:
            raise UserError(str(failure)) from None
        if heard.get("audio_input_tokens") or "input_tokens" not in heard:
            return
        try:
            read = await self._counted(None)
        except (UserError, AgentFailure) as failure:
            log.info("%s: whether it hears is not known (%s)", self._client.peer, failure)
            return
        with_clip, without = heard["input_tokens"], read.get("input_tokens", 0)
        if with_clip - without < least_tokens(_TRIED_S):
            raise UserError(
                f"{self._client.peer}: {self._place.model!r} does not hear: its prompt has {with_clip} "
                f"tokens with {_TRIED_S:g} s of sound and {without} without. Use a model that takes audio"
            )
        # Some servers say 0 because they count no sound apart.
        self._counts_sound = False

    async def stream(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Tool] = (),
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 512,
        temperature: float = 0.0,
        seed: int = 0,
    ) -> AsyncGenerator[Part, None]:
        """Stream an answer, on the event loop, and make sure that the sound was heard.

        Args:
            messages: The chat so far, in words and sound.
            tools: Offered natively.
            schema: JSON Schema that the server is asked to hold the content to.
            max_tokens: Upper bound of what is generated.
            temperature: 0 is greedy.
            seed: For sampling.

        Raises:
            UserError: The server refuses the request; also because its model takes no sound.
            AgentFailure: A clip holds no numbers or did not reach the model ("audio"), or the server or the
                way to it failed.
        """
        answer = super().stream(
            messages, tools=tools, schema=schema, max_tokens=max_tokens, temperature=temperature, seed=seed
        )
        audio_s = sound_s(messages)
        try:
            async with aclosing(answer) as parts:
                async for part in parts:
                    if part.kind == "usage":
                        self._require_heard(part.usage, audio_s)
                    yield part
        except Refused as refused:
            raise self._explained(refused) if audio_s else refused from None

    def _require_heard(self, usage: Mapping[str, Any], audio_s: float) -> None:
        told = dict(usage)
        if not self._counts_sound:
            told.pop("audio_input_tokens", None)
        require_heard(str(self._client.peer), told, audio_s)

    def _explained(self, refused: Refused) -> Refused:
        """Return what the refusal of a request with sound means."""
        if not _ABOUT_SOUND.search(refused.said):
            return refused
        other = "audio_url" if self._audio == "input_audio" else "input_audio"
        told = (
            f"{self._client.peer}: {self._place.model!r} takes no sound as {self._audio} ({refused.said}). "
            f"Try &audio={other}, or let an ASR hear: whisper-base+{self._place.url}#{self._place.model}"
        )
        return Refused(told, status=refused.status, said=refused.said, about=refused.about)

    async def _counted(self, clip: Audio | None) -> Mapping[str, Any]:
        """Return the usage of a short question, with or without a clip."""
        asked = [Message("user", "Answer with one word: what do you hear?", clip)]
        usage: Mapping[str, Any] = {}
        async with aclosing(ChatServer.stream(self, asked, max_tokens=_TRIED_TOKENS)) as parts:
            async for part in parts:
                usage = part.usage or usage
        return usage


def _wav(clip: Audio) -> bytes:
    require_numbers(clip)
    return wav_bytes(clip)


def _tone(seconds: float) -> Audio:
    time_s = np.arange(int(seconds * 16_000)) / 16_000
    return Audio((0.1 * np.sin(2 * np.pi * 220 * time_s)).astype(np.float32), 16_000)
