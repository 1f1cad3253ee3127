"""What a responses file holds already: an index of a few bytes a row, read once when a run goes on."""

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel

from voicebench.files import iterate_rows, read_lines
from voicebench.types import ModelRef, Response

Key = tuple[str, str, str, int]
"""(task id, agent, condition, trial) of a response."""

_DIGEST_BYTES = 16
_FAILED = b""
"""Stands for a row with an error; it answers no question."""


class Question(NamedTuple):
    """All that must be the same for an answer to answer the same question by the same model.

    Attributes:
        model: The model's name and revisions.
        seed: The seed.
        prompt_sha256: Of words, tools and options.
        audio_sha256: Of the sound; None where nothing is heard.
        tasks_version: The version of the task set.
    """

    model: ModelRef | None
    seed: int | None
    prompt_sha256: str | None
    audio_sha256: str | None
    tasks_version: str | None


class Answered:
    """The answers of a responses file, by key: which question each one answers, or that it failed."""

    def __init__(self, path: Path) -> None:
        """Read a responses file; a last line that a crash cut short does not count.

        Args:
            path: responses.jsonl; it may be absent.

        Raises:
            UserError: A line is no response.
        """
        self.rows = 0
        self._known: dict[bytes, bytes] = {}
        if path.is_file():
            for key, question in _read(path):
                self._note(key, question)

    def __len__(self) -> int:
        return len(self._known)

    def holds(self, key: Key, question: Callable[[], Question]) -> bool:
        """Whether the last row of a key answers this question, made only if needed, without an error."""
        known = self._known.get(_digest(key))
        return known is not None and known == _digest(question())

    def failed(self, key: Key) -> bool | None:
        """Whether the last row of a key carries an error; None where there is no row."""
        known = self._known.get(_digest(key))
        return None if known is None else known == _FAILED

    def add(self, row: Response) -> None:
        """Take note of a row that was appended."""
        self._note(key_of(row), None if row.error is not None else question_of(row))

    def _note(self, key: Key, question: Question | None) -> None:
        self.rows += 1
        self._known[_digest(key)] = _FAILED if question is None else _digest(question)


def keys_in(path: Path) -> Iterator[Key]:
    """Yield the key of each row of a responses file, in its order; none where there is no file.

    Raises:
        UserError: A line is no response.
    """
    if path.is_file():
        yield from (key for key, _ in _read(path))


class RowKey(BaseModel):
    """What of a response its key is made of, for reading no more of it than that."""

    task_id: str
    agent: str
    condition: str
    trial: int


def key_of(row: Response | RowKey) -> Key:
    """Return a response's key."""
    return (row.task_id, row.agent, row.condition, row.trial)


def question_of(row: Response) -> Question:
    """Return what a response answers."""
    return Question(row.model, row.seed, row.prompt_sha256, row.audio_sha256, row.tasks_version)


def _read(path: Path) -> Iterator[tuple[Key, Question | None]]:
    """Yield each row's key and question; None for one with an error.

    Only the keys that are needed are looked at: checking every row in full takes ten times as long. A line
    that lacks one of them is read again in full, which says what is wrong with it.
    """
    for _, line in read_lines(path):
        try:
            row: dict[str, Any] = json.loads(line)
            key = (row["task_id"], row["agent"], row["condition"], row["trial"])
            model = row.get("model")
            ref = None if model is None else ModelRef(**model)
        except (ValueError, KeyError, TypeError):
            for checked in iterate_rows(path, Response, tolerate_torn_end=True):
                yield key_of(checked), None if checked.error is not None else question_of(checked)
            return
        told = (row.get(name) for name in Question._fields[1:])
        yield key, None if row.get("error") is not None else Question(ref, *told)


def _digest(value: tuple[Any, ...]) -> bytes:
    name = repr(value).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(name, digest_size=_DIGEST_BYTES).digest()
