"""Worker processes on this machine: started for a device, told things, heard, and ended with their caller.

What one of them does is a function that is given its caller; whatever it raises reaches the caller's process,
and so do its log lines. The processes are spawned: a script that uses this needs
`if __name__ == "__main__":`.
"""

import atexit
import logging
import multiprocessing
import multiprocessing.util
import os
import queue
import signal
import threading
import traceback
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import Any, TypeVar

from voicebench.errors import VoicebenchError

LOGGERS = ("voicebench", "voicebench_tts", "voicebench_asr", "voicebench_speech_lms")
"""Whose log lines a worker sends to the caller's process."""

Message = tuple[str, Any]

_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_GRACE_S = 5.0


class Worker:
    """One process, seen from the caller's.

    Attributes:
        device: Where its models run.
        connection: Its messages.
        is_ready: Whether it has said so.
    """

    def __init__(self, serve: "Callable[[Caller], None]", *, device: str, threads: int) -> None:
        """Start the process.

        Args:
            serve: What it does, until its caller says "stop"; has to be picklable.
            device: Where its models run, for messages: "cpu", "cuda" or "cuda:N".
            threads: Of the libraries in it, where it runs on the CPU and nobody has said otherwise.
        """
        context = multiprocessing.get_context("spawn")
        self.device = device
        self.is_ready = False
        self.connection, theirs = context.Pipe()
        # No daemon: some models start processes of their own.
        self._process = context.Process(target=_run, args=(theirs, serve), name=f"voicebench {device}")
        with _variables(dict.fromkeys(_THREAD_VARIABLES, str(threads)) if device == "cpu" else {}):
            self._process.start()
        _started.add(self)
        # Otherwise the connection would not end with the process.
        theirs.close()

    @property
    def pid(self) -> int | None:
        """The number of its process."""
        return self._process.pid

    @property
    def death(self) -> str:
        """What it died of."""
        self._process.join(_GRACE_S)
        code = self._process.exitcode
        if code is not None and code < 0:
            name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
            return f"killed by {name}{', as when memory runs out' if name == 'SIGKILL' else ''}"
        return f"exit code {code}"

    def send(self, kind: str, content: Any) -> None:
        """Tell it something; if it is dead, that shows when it is listened to."""
        with suppress(OSError):
            self.connection.send((kind, content))

    def receive(self) -> Message | None:
        """Return its next message that is not a log line, or None where it is dead; waits.

        Raises:
            RuntimeError: It has a bug; with its traceback.
        """
        while True:
            try:
                message: Message = self.connection.recv()
            except (EOFError, OSError):
                return None
            if message[0] == "bug":
                raise RuntimeError(f"in a worker on {self.device}:\n{message[1]}")
            if message[0] != "log":
                self.is_ready |= message[0] == "ready"
                return message
            name, level, text = message[1]
            logging.getLogger(name).log(level, "%s", text)

    def end(self, *, at_once: bool) -> None:
        """Ask it to end, or tell it to."""
        if at_once:
            self._process.terminate()
        else:
            self.send("stop", None)

    def close(self) -> None:
        """Wait until it has ended, and see to it that it does."""
        try:
            self._process.join(_GRACE_S)
            for force in (self._process.terminate, self._process.kill):
                if self._process.is_alive():
                    force()
                    self._process.join(_GRACE_S)
        except BaseException:
            self._process.kill()
            raise
        finally:
            self.connection.close()
            _started.discard(self)
        self._process.close()


AnyWorker = TypeVar("AnyWorker", bound=Worker)


def speaking(workers: Sequence[AnyWorker]) -> list[AnyWorker]:
    """Return the workers that have something to say, or died; wait for one."""
    ready = wait([worker.connection for worker in workers])
    return [worker for worker in workers if worker.connection in ready]


def end_all(workers: Sequence[Worker], *, at_once: bool) -> None:
    """End workers, all at the same time.

    Args:
        workers: Which.
        at_once: Do not let them finish what they are at.
    """
    for worker in workers:
        worker.end(at_once=at_once)
    for worker in workers:
        worker.close()


_started: "weakref.WeakSet[Worker]" = weakref.WeakSet()


@atexit.register
def _end_those_left() -> None:
    """End what nobody closed: Python would wait for it for ever."""
    for worker in list(_started):
        worker.end(at_once=True)
        worker.close()


@contextmanager
def _variables(values: dict[str, str]) -> Iterator[None]:
    """Set environment variables that nobody has set, for the processes that are started meanwhile."""
    new = {name: value for name, value in values.items() if name not in os.environ}
    os.environ.update(new)
    try:
        yield
    finally:
        for name in new:
            del os.environ[name]


# ---- In the worker's process ----


class Caller:
    """The caller's process, seen from a worker: what it says is heard even while the worker is busy."""

    def __init__(self, connection: Connection) -> None:
        """Listen from now on, and forward log lines.

        Args:
            connection: To the caller.
        """
        self._connection = connection
        self._lock = threading.Lock()
        self._said: queue.SimpleQueue[Message] = queue.SimpleQueue()
        threading.Thread(target=self._hear, daemon=True).start()
        handler = _Forwarding(self)
        for name in LOGGERS:
            logger = logging.getLogger(name)
            logger.addHandler(handler)
            logger.setLevel(logging.INFO)

    def _hear(self) -> None:
        with suppress(EOFError, OSError):
            while True:
                self._said.put(self._connection.recv())
        self._said.put(("stop", None))

    @property
    def is_silent(self) -> bool:
        """Whether it has said nothing that was not listened to."""
        return self._said.empty()

    def listen(self) -> Message:
        """Return what it says next; "stop" once it is gone."""
        return self._said.get()

    def send(self, kind: str, content: Any) -> None:
        """Tell it something."""
        with self._lock:
            self._connection.send((kind, content))

    def progress(self, what: str, done: int, total: int) -> None:
        """Tell it how something goes on."""
        self.send("progress", (what, done, total))


class _Forwarding(logging.Handler):
    """Sends log lines to the caller's process, which shows them where it shows its own."""

    def __init__(self, caller: Caller) -> None:
        super().__init__()
        self._caller = caller

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(OSError):
            self._caller.send("log", (record.name, record.levelno, self.format(record)))


def _run(connection: Connection, serve: Callable[[Caller], None]) -> None:
    # Ctrl-C reaches the whole group; the caller decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    caller = Caller(connection)
    try:
        serve(caller)
    except VoicebenchError as error:
        caller.send("error", error)
    except BrokenPipeError:  # the caller is gone
        pass
    except Exception:
        caller.send("bug", traceback.format_exc())


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
