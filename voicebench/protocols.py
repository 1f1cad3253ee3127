"""The seams between the core and its backends: batch in, same order out, the seed is an argument."""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from voicebench.types import Audio, Message, ModelRef, Part, Request, Response, Tool, Transcript, Voice


class Synthesizer(Protocol):
    """Text to speech."""

    model: ModelRef

    def voices(self, lang: str) -> Sequence[Voice]:
        """Return the voices for a language, native ones first; empty where it is not spoken."""
        ...

    def synthesize(
        self, texts: Sequence[str], *, lang: str, voice: str | None = None, seed: int
    ) -> list[Audio]:
        """Speak each text; same length and order as `texts`.

        Args:
            texts: Spoken-form text (see `voicebench.audio.spoken`), one utterance each.
            lang: Language code.
            voice: Id of one of `voices(lang)`; None takes the first.
            seed: Fixes whatever is drawn at random.

        Raises:
            UserError: The language or the voice is unknown, or a text has nothing to say in it.
        """
        ...


class VoiceConverter(Protocol):
    """Speech in one voice to the same speech in another."""

    model: ModelRef

    def convert(self, source: Audio, *, voice: Audio, seed: int) -> Audio:
        """Return `source` spoken as the speaker of the recording `voice`; same sample rate as `source`."""
        ...


class SpeakerEncoder(Protocol):
    """Speech to a point in speaker space."""

    model: ModelRef

    def embed(self, clips: Sequence[Audio]) -> npt.NDArray[np.float32]:
        """Return speaker embeddings, shape (len(clips), d), float32, each row of unit length."""
        ...


class Transcriber(Protocol):
    """Speech to text."""

    model: ModelRef

    def transcribe(self, clips: Sequence[Audio], *, lang: str | None) -> list[Transcript]:
        """Return what was heard in each clip; `lang` None lets the model detect the language."""
        ...


class LanguageModel(Protocol):
    """A chat model: agents, judges, translators and simulated users are all made of it.

    A speech LM is one whose messages may carry sound (`Message.audio`); its record says so (`Record.hears`).
    """

    model: ModelRef
    holds_schema: bool
    """Whether `complete` can hold its answer to a JSON Schema while decoding."""

    def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Tool] = (),
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 512,
        temperature: float = 0.0,
        seed: int = 0,
    ) -> Iterator[Part]:
        """Stream the answer in parts, each with its time of arrival; a "usage" part may come last.

        Args:
            messages: The chat so far.
            tools: Offered natively, where the model takes tools.
            schema: JSON Schema that the content must satisfy, where `holds_schema`.
            max_tokens: Upper bound of what is generated.
            temperature: 0 is greedy.
            seed: For sampling.

        Raises:
            AgentFailure: The model or its machine failed.
        """
        ...


class ServerModel(LanguageModel, Protocol):
    """A language model behind a server: many answers are streamed at once, by one event loop."""

    def stream(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Tool] = (),
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 512,
        temperature: float = 0.0,
        seed: int = 0,
    ) -> AsyncIterator[Part]:
        """Stream the answer as `complete` does, on `voicebench.wire.loop`.

        Raises:
            AgentFailure: The server or the way to it failed.
        """
        ...


class SentenceEncoder(Protocol):
    """Text to a point in meaning space, for retrieving tools."""

    model: ModelRef

    def embed_queries(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return embeddings of requests, shape (len(texts), d), float32, unit length."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return embeddings of documents, shape (len(texts), d), float32, unit length."""
        ...


class Agent(Protocol):
    """Whatever hears or reads a request and calls tools: a cascade, a speech LM, a server, a control.

    One that pads the clips of a batch to one length may say so by `pads_batches = True`; it is then given
    clips of like length together.
    """

    model: ModelRef

    def respond(self, requests: Sequence[Request]) -> list[Response]:
        """Answer each request; same length and order. A fault of the machine becomes `Response.error`."""
        ...


class ServerAgent(Agent, Protocol):
    """An agent that waits for a server: many requests are under way at once, on `voicebench.wire.loop`."""

    async def answer(self, request: Request) -> Response:
        """Answer one request. A fault of the machine becomes `Response.error`."""
        ...
