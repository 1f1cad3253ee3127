"""Keep answers as they come: one thread writes what gathered, syncs it to disk, and only then counts it."""

import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from voicebench.files import Appender
from voicebench.types import Response

MOST_ROWS = 256
"""Rows that one sync covers at most."""

WAITING_ROWS = 1024
"""Rows that may wait for the disk; a disk that is slower than the agents holds them up, and memory stays."""


GATHERING_S = 0.01
"""How long the first row of a group waits for others: a sync costs milliseconds, for one row or for many."""


class Writer:
    """Appends responses to a file, many with one sync.

    A row that `kept` was told of outlives a crash. If the disk fails, the next `put` (or leaving the `with`
    block) raises, and what was synced before stays.
    """

    def __init__(self, path: Path, kept: Callable[[Response], None]) -> None:
        """Open the file; a last line that a crash cut short is repaired.

        Args:
            path: responses.jsonl.
            kept: Told of each row once it is on disk, in the order of `put`, from the writing thread.

        Raises:
            UserError: The file cannot be opened.
        """
        self._appender = Appender(path)
        self._kept = kept
        self._rows: queue.Queue[Response | None] = queue.Queue(WAITING_ROWS)
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._write, name="writer", daemon=True)

    def put(self, row: Response) -> None:
        """Hand over a row; waits where the disk does not keep up.

        Raises:
            UserError: The disk is full or cannot be written.
        """
        if self._failure is not None:
            raise self._failure
        self._rows.put(row)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._rows.put(None)
        self._thread.join()
        self._appender.close()
        if self._failure is not None and error is None:
            raise self._failure

    def _write(self) -> None:
        is_open = True
        while is_open:
            group = [self._rows.get()]
            if group[0] is not None:
                time.sleep(GATHERING_S)
            while len(group) < MOST_ROWS and not self._rows.empty():
                group.append(self._rows.get())
            is_open = None not in group
            rows = [row for row in group if row is not None]
            # After a failure the queue is still emptied, so that nobody waits for room in it for ever.
            if rows and self._failure is None:
                self._append(rows)

    def _append(self, rows: list[Response]) -> None:
        try:
            self._appender.add(*rows)
            for row in rows:
                self._kept(row)
        # Raised again where the rows come from; here it would only end the thread.
        except BaseException as error:
            self._failure = error
