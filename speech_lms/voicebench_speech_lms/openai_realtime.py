"""OpenAI's Realtime API over a websocket: a speech LM that is given sound as it is spoken."""

import asyncio
import os
import time
from collections.abc import AsyncGenerator, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from functools import partial
from typing import Any
from urllib.parse import quote

from voicebench.errors import AgentFailure, UserError
from voicebench.types import Message, ModelRef, Part, Tool
from voicebench.wire.chat import ToolNames
from voicebench.wire.client import TIMEOUT_S, Client
from voicebench.wire.keys import key_for, require_key
from voicebench.wire.place import Place
from voicebench.wire.streamed import Streamed
from voicebench_speech_lms._heard import require_heard, sound_s
from voicebench_speech_lms._realtime_events import AnswerReader, Question, question
from voicebench_speech_lms._realtime_line import Line
from voicebench_speech_lms._realtime_turns import TurnReader

NAME = "openai-realtime"
OPENAI_URL = "https://api.openai.com/v1"
_CHECK_S = 20.0
_CHUNK_S = {"realtime": 0.1, "burst": 5.0}
"""How much sound goes out in one event, in seconds, by pace."""

_TURNS = ("told", "server_vad")
"""How the server learns that the user has stopped: it is told, or it detects it."""

_closing: set[asyncio.Task[None]] = set()
"""Connections that are being closed; a task that nothing holds may vanish."""


class OpenAIRealtime(Streamed):
    """A model of the Realtime API; a `voicebench.protocols.ServerModel`.

    A conversation is one connection, which stands before the clock starts: the part "speech_end" says when
    the user stopped speaking. In a burst that is when all sound was sent; at the speed of speech it is when
    the last piece of it was spoken. What went before it has negative times.

    The server is told when the user has stopped, or finds it out itself (`&turns=server_vad`), as in a real
    conversation: silence then follows the speech, and the delay holds what the server takes to be sure. It
    may be wrong, too (`voicebench_speech_lms._realtime_turns`).

    The protocol has neither a temperature nor a seed: the same question may be answered in another way.

    Attributes:
        model: `openai-realtime:MODEL`; the revision is `MODEL@HOST`, with the options that change the clock.
        holds_schema: False.
    """

    holds_schema = False

    def __init__(self, *, argument: str = "", timeout_s: float = TIMEOUT_S) -> None:
        """Make a client of the server; nothing is asked yet.

        Args:
            argument: `MODEL` or `URL#MODEL`, then maybe `&pace=realtime` (sound at the speed of speech; else
                all at once), `&turns=server_vad` (at that pace: the server detects the end of speech) and
                `&key=VARIABLE` (the environment variable that holds the key).
            timeout_s: For the connection, and for one answer from the end of speech.

        Raises:
            UserError: The argument cannot be read, or the key cannot be used.
        """
        place = self.place_of(argument)
        self._pace = place.options.get("pace", "burst")
        if self._pace not in _CHUNK_S:
            raise UserError(f"{NAME}: &pace= is realtime or burst, not {self._pace!r}")
        self._turns = place.options.get("turns", "told")
        if self._turns not in _TURNS:
            raise UserError(f"{NAME}: &turns= is server_vad or told, not {self._turns!r}")
        if self._turns == "server_vad" and self._pace == "burst":
            raise UserError(
                f"{NAME}: &turns=server_vad listens to speech as it is spoken: add &pace=realtime"
            )
        self._place = place
        self._key = key_for(place, NAME)
        self._client = Client(NAME, place, self._key, timeout_s=timeout_s)
        self._timeout_s = timeout_s
        told = "" if self._pace == "burst" else f"&pace={self._pace}"
        told += "" if self._turns == "told" else f"&turns={self._turns}"
        self.model = ModelRef(name=f"{NAME}:{place.model}", revision=f"{place.model}@{place.host}{told}")

    @staticmethod
    def place_of(argument: str) -> Place:
        """Return the server and the model that an argument stands for.

        Raises:
            UserError: It cannot be read.
        """
        default_url = os.environ.get("OPENAI_BASE_URL") or OPENAI_URL
        return Place.parse(argument, name=NAME, default_url=default_url, options=("pace", "turns", "key"))

    async def checked(self) -> None:
        """Make sure, on the event loop, that the server opens a session with the model.

        Raises:
            UserError: It does not; in one line.
        """
        require_key(self._place, self._key, NAME)
        try:
            await self._opened_and_closed()
        except AgentFailure as failure:
            raise UserError(str(failure)) from None

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
        """Stream an answer, on the event loop; leaving early ends the connection.

        Args:
            messages: The chat so far, in words and sound.
            tools: Offered natively.
            schema: Not held to.
            max_tokens: Upper bound of what is generated.
            temperature: Not in the protocol.
            seed: Not in the protocol.

        Raises:
            UserError: The server refuses the connection or the key.
            AgentFailure: The sound did not reach the model ("audio"), or the server or the way to it failed.
        """
        names = ToolNames(tools)
        make = partial(
            question, messages, tools, names, max_tokens=max_tokens, chunk_s=_CHUNK_S[self._pace],
            detects_turns=self._turns == "server_vad",
        )  # fmt: skip
        # Encoding sound takes milliseconds, in which no other stream's pieces would be stamped.
        asked = await asyncio.to_thread(make)
        connection = AsyncExitStack()
        try:
            line = await self._open(connection, self._timeout_s)
            await self._set_up(line, asked)
            ended_s = await self._speak(line, asked)
            yield Part("speech_end", "", ended_s)
            async with aclosing(self._answer(line, asked, names, ended_s)) as parts:
                async for part in parts:
                    if part.kind == "usage":
                        require_heard(str(self._client.peer), part.usage, sound_s(messages))
                    yield part
        finally:
            # The goodbyes of a websocket take a round trip, which is no part of the answer.
            _later(connection.aclose())

    async def _opened_and_closed(self) -> None:
        async with AsyncExitStack() as connection:
            await self._open(connection, _CHECK_S)

    async def _open(self, connection: AsyncExitStack, within_s: float) -> Line:
        """Return a connection on which the server has opened a session."""
        path = f"/realtime?model={quote(self._place.model, safe='')}"
        line = Line(await connection.enter_async_context(self._client.websocket(path)), self._client.peer)
        connection.push_async_callback(line.close)
        await self._until("session.created", line, within_s)
        return line

    async def _set_up(self, line: Line, asked: Question) -> None:
        await line.send(asked.setup)
        await self._until("session.updated", line, self._timeout_s)
        for event in asked.earlier:
            await line.send(event)

    async def _until(self, kind: str, line: Line, within_s: float) -> None:
        """Wait for an event; one that tells of an error is raised."""
        reader = AnswerReader(self._client.peer, ToolNames())
        until_s = time.perf_counter() + within_s
        while True:
            arrived = await line.next(until_s)
            if arrived is None:
                raise self._late(within_s)
            reader.feed(*arrived)
            if arrived[1].get("type") == kind:
                return

    async def _speak(self, line: Line, asked: Question) -> float:
        """Send the last turn; return when the user stopped speaking."""
        began_s = ended_s = time.perf_counter()
        for place, chunk in enumerate(asked.chunks, start=1):
            if self._pace == "realtime":
                # A piece can be sent once it was spoken.
                spoken_s = began_s + min(place * asked.chunk_s, asked.audio_s)
                await asyncio.sleep(max(0.0, spoken_s - time.perf_counter()))
            ended_s = time.perf_counter()
            await line.send(chunk)
        if self._pace == "burst":
            ended_s = time.perf_counter()
        for event in asked.last:
            await line.send(event)
        return ended_s

    async def _answer(
        self, line: Line, asked: Question, names: ToolNames, ended_s: float
    ) -> AsyncGenerator[Part, None]:
        """Yield the answer's parts; meanwhile the user is silent, where the server listens for that."""
        peer = self._client.peer
        reader = AnswerReader(peer, names) if asked.silence is None else TurnReader(peer, names, ended_s)
        until_s = time.perf_counter() + self._timeout_s
        silent_s = ended_s
        while not reader.is_done:
            due_s = until_s if asked.silence is None else min(until_s, silent_s + asked.chunk_s)
            arrived = await line.next(due_s)
            if arrived is not None:
                for part in reader.feed(*arrived):
                    yield part
            elif asked.silence is None or due_s == until_s:
                raise self._late(self._timeout_s)
            else:
                await line.send(asked.silence)
                silent_s = due_s
        for part in reader.finish():
            yield part

    def _late(self, within_s: float) -> AgentFailure:
        return AgentFailure("timeout", f"{self._client.peer} did not answer within {within_s:g} s")


def _later(closing: Coroutine[Any, Any, None]) -> None:
    task = asyncio.create_task(closing)
    _closing.add(task)
    task.add_done_callback(_closing.discard)
