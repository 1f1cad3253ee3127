"""Verdicts kept in a file, so that no judge is asked the same twice.

A verdict is found by the hash of all it depends on: the judge's name and revision, the prompt, whether the
answer is held to a schema, and every word of the question. Another judge, another prompt or another answer is
another key.
"""

from pathlib import Path
from types import TracebackType
from typing import Self

from voicebench.files import Appender, read_rows, sha256_json
from voicebench.scoring.verdicts import Verdict
from voicebench.types import Message, ModelRef, Row


class Judgement(Row):
    """A line of the file: what one judge said to one question. Only readable verdicts stand here."""

    key: str
    figure: str
    model: ModelRef
    prompt_sha256: str
    verdict: bool
    reason: str


def key_of(
    model: ModelRef, figure: str, prompt_sha256: str, question: tuple[Message, ...], *, held: bool
) -> str:
    """Return the key of a question to a judge; `held` tells whether its answer is held to a schema."""
    asked = [[message.role, message.content] for message in question]
    return sha256_json([model.name, model.revision, figure, prompt_sha256, held, asked])


class JudgementStore:
    """Verdicts by key, in a JSON Lines file; each is on disk before `keep` returns."""

    def __init__(self, path: Path) -> None:
        """Open the file and read what is in it.

        Raises:
            UserError: A line is wrong, or the file cannot be written.
        """
        kept = read_rows(path, Judgement, tolerate_torn_end=True) if path.exists() else []
        self._known = {row.key: Verdict(row.verdict, row.reason) for row in kept}
        self._file = Appender(path)

    def find(self, key: str) -> Verdict | None:
        """Return the verdict of a question that was asked before, or None."""
        return self._known.get(key)

    def keep(self, row: Judgement) -> None:
        """Write a verdict down.

        Raises:
            UserError: The disk is full.
        """
        self._file.add(row)
        self._known[row.key] = Verdict(row.verdict, row.reason)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
