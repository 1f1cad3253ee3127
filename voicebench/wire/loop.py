"""The process's one event loop, on a thread of its own: connections live there, callers may be anywhere."""

import asyncio
import atexit
import os
import queue
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import aiohttp

T = TypeVar("T")
_LONGEST_GOODBYE_S = 2.0
_IDLE_S = 15.0
_WAITS_FOR_ITSELF = "the loop's own thread cannot wait for the loop: await it"


class _Loop:
    """An event loop on a daemon thread, and the HTTP session that lives on it."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.session: aiohttp.ClientSession | None = None
        self.thread = threading.Thread(target=self._run, name="voicebench.wire", daemon=True)
        self.thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()

    def close(self) -> None:
        """Close the connections and end the thread."""
        with suppress(TimeoutError, RuntimeError):
            asyncio.run_coroutine_threadsafe(self._goodbye(), self.loop).result(_LONGEST_GOODBYE_S)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(_LONGEST_GOODBYE_S)
        if not self.thread.is_alive():
            self.loop.close()

    async def _goodbye(self) -> None:
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self.session is not None:
            await self.session.close()


_lock = threading.Lock()
_current: _Loop | None = None
_abandoned: list[_Loop | None] = []
"""Loops of parent processes: kept, so that nothing of theirs is closed here."""


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on the loop and return what it returns; from any thread but the loop's own.

    An interrupt (Ctrl-C) while it is waited for cancels it.

    Raises:
        RuntimeError: The loop's own thread would wait for itself.
    """
    started = _started()
    if threading.current_thread() is started.thread:
        coroutine.close()
        raise RuntimeError(_WAITS_FOR_ITSELF)
    future = asyncio.run_coroutine_threadsafe(coroutine, started.loop)
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


def iterate(stream: Callable[[], AsyncGenerator[T, None]]) -> Iterator[T]:
    """Yield what an asynchronous generator yields on the loop; leaving early closes it.

    Args:
        stream: Makes the generator; called when the first item is asked for.

    Raises:
        RuntimeError: The loop's own thread would wait for itself.
    """
    started = _started()
    if threading.current_thread() is started.thread:
        raise RuntimeError(_WAITS_FOR_ITSELF)
    arrived: queue.SimpleQueue[tuple[bool, Any]] = queue.SimpleQueue()

    async def pump() -> None:
        try:
            async with aclosing(stream()) as items:
                async for item in items:
                    arrived.put((False, item))
            arrived.put((True, None))
        except BaseException as error:
            arrived.put((True, error))
            if not isinstance(error, Exception):
                raise

    future = asyncio.run_coroutine_threadsafe(pump(), started.loop)
    try:
        while True:
            is_last, item = arrived.get()
            if is_last:
                if item is not None:
                    raise item
                return
            yield item
    finally:
        if not future.done():
            future.cancel()


def session() -> "aiohttp.ClientSession":
    """Return the process's one HTTP session; to be called on the loop.

    Raises:
        RuntimeError: It is called elsewhere.
    """
    started = _started()
    if asyncio.get_running_loop() is not started.loop:
        raise RuntimeError("connections live on the loop of voicebench.wire.loop: see run()")
    if started.session is None:
        import aiohttp

        # How many requests are under way is the caller's to say, and what a server sets as cookies nobody's.
        connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=_IDLE_S)
        started.session = aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())
    return started.session


def _started() -> _Loop:
    global _current
    with _lock:
        if _current is None or not _current.thread.is_alive():
            _current = _Loop()
        return _current


def _close() -> None:
    if _current is not None and _current.thread.is_alive():
        _current.close()


def _forget() -> None:
    """A forked child has the loop's memory without its thread: it starts one of its own."""
    global _current, _lock
    _abandoned.append(_current)
    _current, _lock = None, threading.Lock()


atexit.register(_close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
