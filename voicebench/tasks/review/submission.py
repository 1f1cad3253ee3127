"""What a reviewer hands back, from a workbook or from a page's file: who, and of each item what they say."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from pydantic import Field

from voicebench.errors import UserError, did_you_mean
from voicebench.files import parse_object
from voicebench.types import Row

Verdict = Literal["ok", "change", "drop", "unsure"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

MEANINGS: Mapping[Verdict, str] = {
    "ok": "right as it stands",
    "change": "right with my corrections",
    "drop": "should not be in the set",
    "unsure": "I cannot say",
}
"""What each verdict means, in the words of the page and the workbook."""

FORMAT: Literal["voicebench-review/1"] = "voicebench-review/1"


@dataclass(frozen=True)
class Filled:
    """What a reviewer says of one item.

    Attributes:
        where: The file and row, for messages.
        id: The item.
        seen: The hash of what they saw.
        verdict: None where they gave none.
        corrected: By the field's key its new text, or its whole list of accepted values one a line.
        added: By the field's key accepted values that are right as well, one a line.
        notes: Anything else.
    """

    where: str
    id: str
    seen: str
    verdict: Verdict | None = None
    corrected: Mapping[str, str] = field(default_factory=dict)
    added: Mapping[str, str] = field(default_factory=dict)
    notes: str = ""

    @property
    def is_open(self) -> bool:
        """Whether nothing was said."""
        return self.verdict is None and not self.corrected and not self.added and not self.notes

    @property
    def meant(self) -> Verdict | None:
        """The verdict as it counts: "ok" with corrections is a change."""
        return "change" if self.verdict == "ok" and (self.corrected or self.added) else self.verdict


@dataclass(frozen=True)
class Submission:
    """One file of one reviewer.

    Attributes:
        path: The file.
        lang: The language of its items.
        alias: What the reviewer calls themselves.
        native: Whether the language is their first; None where they did not say.
        items: In the file's order.
    """

    path: Path
    lang: str
    alias: str
    native: bool | None
    items: tuple[Filled, ...]


class _Reviewer(Row):
    alias: str = ""
    native: bool | None = None


class _Item(Row):
    id: str = Field(min_length=1)
    seen: str
    verdict: str | None = None
    corrected: dict[str, str] = Field(default_factory=dict)
    added: dict[str, str] = Field(default_factory=dict)
    notes: str = ""


class _File(Row):
    format: Literal["voicebench-review/1"]
    lang: str = Field(min_length=2)
    page: str | None = None
    reviewer: _Reviewer
    items: tuple[_Item, ...]


def read_submissions(paths: Sequence[Path]) -> list[Submission]:
    """Read workbooks (`.xlsx`) and pages' files (JSON), in the order given.

    Raises:
        UserError: A file is missing, is neither, or names an item twice; the message starts with the file.
    """
    from voicebench.tasks.review.workbook_reading import read_workbook

    return [read_workbook(path) if path.suffix.lower() == ".xlsx" else read_json(path) for path in paths]


def read_json(path: Path) -> Submission:
    """Read the file that the page saves.

    Raises:
        UserError: It is missing or wrong; the message starts with the file.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path}: neither a workbook (.xlsx) nor JSON ({error})") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise UserError(f"{path}: holds no corrections (its format is not {FORMAT!r})")
    file = parse_object(data, _File, str(path))
    items = tuple(
        Filled(
            f"{path}: item {number}", item.id, item.seen, verdict_of(item.verdict, f"{path}: item {number}"),
            item.corrected, item.added, item.notes.strip(),
        )
        for number, item in enumerate(file.items, start=1)
    )  # fmt: skip
    return checked(Submission(path, file.lang, file.reviewer.alias.strip(), file.reviewer.native, items))


def checked(submission: Submission) -> Submission:
    """Return a submission that names a reviewer, and each item once.

    Raises:
        UserError: It does not.
    """
    if not submission.alias:
        raise UserError(f"{submission.path}: names no reviewer. Fill in the alias; any will do that stays")
    first: dict[str, str] = {}
    for item in submission.items:
        if item.id in first:
            raise UserError(f"{item.where}: {item.id} stands twice, also at {first[item.id]}")
        first[item.id] = item.where
    return submission


def verdict_of(text: str | None, where: str) -> Verdict | None:
    """Return the verdict that somebody wrote; None for nothing.

    Raises:
        UserError: It is none; the message starts with `where`.
    """
    word = (text or "").strip().casefold()
    if not word:
        return None
    for verdict in VERDICTS:
        if word == verdict:
            return verdict
    raise UserError(f"{where}: verdict {text!r} is unknown.{did_you_mean(word, VERDICTS)}")
