"""A websocket that is read without a pause: each event is stamped when it arrives, whatever else goes on."""

import asyncio
import json
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from voicebench.errors import AgentFailure
from voicebench.wire.refusals import Peer

if TYPE_CHECKING:
    import aiohttp

_MOST_UNREAD = 1000
"""Events that may lie unread; a server that sends more of them waits."""


class Line:
    """One connection of the Realtime protocol; made on the event loop.

    A task of its own reads it, so that pings are answered and events get their times also while sound goes
    out at the speed of speech.
    """

    def __init__(self, socket: "aiohttp.ClientWebSocketResponse", peer: Peer) -> None:
        """Begin to read.

        Args:
            socket: The open connection.
            peer: Who is at its other end, for messages.
        """
        self._socket = socket
        self._peer = peer
        self._arrived: asyncio.Queue[tuple[float, aiohttp.WSMessage]] = asyncio.Queue(_MOST_UNREAD)
        self._reading = asyncio.create_task(self._read())

    async def send(self, event: str) -> None:
        """Send an event; of a connection that is gone, what the server said last is read next."""
        with suppress(ConnectionError):
            await self._socket.send_str(event)

    async def next(self, until_s: float) -> tuple[float, dict[str, Any]] | None:
        """Return the next event and when it arrived (`time.perf_counter()`); None if none did by then.

        Args:
            until_s: `time.perf_counter()` up to which it is waited for.

        Raises:
            AgentFailure: The connection has ended, or what arrived is no event.
        """
        from aiohttp import WSMsgType

        try:
            async with asyncio.timeout(until_s - time.perf_counter()):
                at_s, message = await self._arrived.get()
        except TimeoutError:
            return None
        if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
            told = self._peer.quoted(f"{self._socket.close_code or 1006} {message.extra or ''}".strip())
            raise AgentFailure(
                "server", f"{self._peer} closed the connection before its answer's end ({told})"
            )
        try:
            event = json.loads(message.data)
        except ValueError:
            event = None
        if not isinstance(event, dict):
            said = self._peer.quoted(message.data)
            raise AgentFailure("server", f"{self._peer}: not an event of the protocol: {said}")
        return at_s, event

    async def close(self) -> None:
        """End the connection, and the reading with it."""
        await self._socket.close()
        self._reading.cancel()

    async def _read(self) -> None:
        from aiohttp import WSMsgType

        while True:
            message = await self._socket.receive()
            await self._arrived.put((time.perf_counter(), message))
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                return
