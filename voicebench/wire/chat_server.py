"""A chat model behind an OpenAI-compatible server, asked from any thread or from the event loop."""

import asyncio
import json
import logging
import re
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from typing import Any

from pydantic_core import from_json

from voicebench.errors import AgentFailure
from voicebench.reasoning import ThoughtReader
from voicebench.types import Audio, Message, ModelRef, Part, Tool
from voicebench.wire.chat import ChatReader, SoundForm, ToolNames, chat_body
from voicebench.wire.client import TIMEOUT_S, Client
from voicebench.wire.keys import key_for
from voicebench.wire.place import Place
from voicebench.wire.refusals import Refused
from voicebench.wire.served import require_served
from voicebench.wire.sse import DONE
from voicebench.wire.streamed import Streamed

log = logging.getLogger(__name__)

_RENAMED = {"max_tokens": "max_completion_tokens"}
_OPTIONAL = ("temperature", "seed", "stream_options", "parallel_tool_calls", "modalities")
_NOT_KNOWN = re.compile(
    r"unsupported|not support|unrecogni[sz]ed|unknown|unexpected|not permitted|not allowed|extra",
    re.IGNORECASE,
)


class ChatServer(Streamed):
    """A model on a server that speaks OpenAI's chat completions; a `voicebench.protocols.ServerModel`.

    A parameter that the server or the model does not know (models that reason take no temperature, others no
    seed) is left out or renamed once it was refused, and the log says so.

    Attributes:
        model: `NAME:MODEL`; the revision is `MODEL@HOST`.
        holds_schema: False: whether a server holds an answer to a schema, only trying shows.
        may_be_many: True: several servers of one model may be named (`voicebench.wire.balanced`).
    """

    holds_schema = False
    may_be_many = True

    def __init__(
        self,
        name: str,
        place: Place,
        *,
        audio: SoundForm = "input_audio",
        wav: Callable[[Audio], bytes] | None = None,
        extra: Mapping[str, Any] | None = None,
        timeout_s: float = TIMEOUT_S,
        **options: Any,
    ) -> None:
        """Make a client of the server; nothing is asked yet.

        Args:
            name: The backend.
            place: The server and the model.
            audio: How clips are sent.
            wav: Returns a clip as a WAV file; None for a model that only reads.
            extra: What every request says besides.
            timeout_s: For one answer.
            options: More of `voicebench.wire.client.Client`.

        Raises:
            UserError: The key is none, or would go over an unencrypted line.
        """
        self.model = ModelRef(name=f"{name}:{place.model}", revision=f"{place.model}@{place.host}")
        self._place = place
        self._key = key_for(place, name)
        self._client = Client(name, place, self._key, timeout_s=timeout_s, **options)
        self._said_by = str(self._client.peer)
        self._audio, self._wav = audio, wav
        self._extra = dict(extra or {})
        self._refused: frozenset[str] = frozenset()

    @property
    def turned_away(self) -> int:
        """How many requests the server has turned away so far; they were sent again."""
        return self._client.turned_away

    @property
    def free_in_s(self) -> float:
        """How long the server asks to be left alone yet, in seconds; 0 or less if it does not."""
        return self._client.free_in_s

    async def checked(self) -> None:
        """Make sure, on the event loop, that the server answers, takes the key and has the model.

        Raises:
            UserError: The server does not answer, does not take the key or has no such model.
        """
        await require_served(self._client.peer.name, self._place, self._key)

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
        """Stream an answer; see `Streamed.stream`."""
        names = ToolNames(tools)
        make = partial(
            chat_body, self._place.model, messages, tools=tools, names=names, schema=schema,
            max_tokens=max_tokens, temperature=temperature, seed=seed, audio=self._audio, wav=self._wav,
        )  # fmt: skip
        # Encoding sound takes milliseconds, in which no other stream's pieces would be stamped.
        is_heard = any(message.audio is not None for message in messages)
        body = {**(await asyncio.to_thread(make) if is_heard else make()), **self._extra}
        began_s = time.perf_counter()
        while True:
            asked = self._adjusted(body)
            try:
                async with aclosing(self._answer(asked, names, began_s)) as parts:
                    async for part in parts:
                        yield part
                return
            except Refused as refused:
                if not self._learned(refused, asked):
                    raise

    async def _answer(
        self, body: Mapping[str, Any], names: ToolNames, began_s: float
    ) -> AsyncGenerator[Part, None]:
        reader = ChatReader(self._said_by, names=names, quoted=self._client.quoted)
        thoughts = ThoughtReader()
        is_done = False
        sent_s = [began_s]
        stream = self._client.stream("/chat/completions", body, on_sent=sent_s.append)
        async with aclosing(stream) as pieces:
            async for at_s, data in pieces:
                if data == DONE:
                    is_done = True
                    continue
                for piece in reader.feed(at_s, self._chunk(data)):
                    for part in thoughts.feed(piece):
                        yield part
        if not is_done and not reader.is_complete:
            raise self._client.peer.broke_off().for_good()
        for part in [*thoughts.end(), *reader.finish(waited_s=sent_s[-1] - began_s)]:
            yield part

    def _chunk(self, data: bytes) -> dict[str, Any]:
        chunk = _parsed(data)
        if not isinstance(chunk, dict):
            raise AgentFailure(
                "server",
                f"{self._client.peer}: not a piece of a chat completion: {self._client.quoted(data)}",
            )
        return chunk

    def _adjusted(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return a body without what was refused before."""
        refused = self._refused
        return {
            _RENAMED[name] if name in refused else name: value
            for name, value in body.items()
            if name not in refused or name in _RENAMED
        }

    def _learned(self, refused: Refused, body: Mapping[str, Any]) -> bool:
        """Remember the parameter that a server does not know; return whether asking again makes sense."""
        if refused.status not in (400, 422) or not _NOT_KNOWN.search(refused.said):
            return False
        named = [refused.about, *re.findall(r"\w+", refused.said)]
        name = next((word for word in named if word in _RENAMED or word in _OPTIONAL), None)
        if name is None or name not in body:
            return False
        if name not in self._refused:
            instead = f"is sent as {_RENAMED[name]}" if name in _RENAMED else "is left out"
            log.warning("%s takes no %r (%s): it %s", self._client.peer, name, refused.said, instead)
            self._refused |= {name}
        return True


def _parsed(data: bytes) -> Any:
    """Return what a piece of JSON says, None where it is no JSON."""
    try:
        return from_json(data)
    except ValueError:
        pass
    try:
        # It alone takes half a surrogate pair: some servers cut a character in two.
        return json.loads(data)
    except ValueError:
        return None
