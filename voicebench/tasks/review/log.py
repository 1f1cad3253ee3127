"""Who agreed with whom: verdicts kept beside the data, never in it, and how far two reviewers agree."""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from voicebench.errors import UserError
from voicebench.files import last_of_each, read_rows, sha256_json, write_rows
from voicebench.scoring.agreement import Agreement, agreement_of
from voicebench.tasks.review.submission import Submission, Verdict
from voicebench.types import Row

FOLDER = Path("reviews")
_HASH_DIGITS = 16


class Review(Row):
    """A line of a log: one reviewer's verdict on one item as it then was. No name, no date.

    Attributes:
        item: The item's id.
        lang: Its language.
        seen: The hash of what was shown.
        reviewer: The hash of the reviewer's alias.
        native: Whether the language is the reviewer's first.
        verdict: As it counts: "ok" with corrections is "change".
    """

    item: str
    lang: str
    seen: str
    reviewer: str
    native: bool
    verdict: Verdict


@dataclass(frozen=True)
class Pair:
    """Two reviewers of the same items.

    Attributes:
        first, second: The hashes of their aliases.
        lang: The language of the items.
        both_native: Whether it is the first language of both.
        items: How many items both judged as they then were.
        same: On how many of them both gave the same of the four verdicts.
        right: Whether the item is right as it stands, where neither was unsure: "ok" is yes, "change" and
            "drop" are no.
    """

    first: str
    second: str
    lang: str
    both_native: bool
    items: int
    same: int
    right: Agreement


def hashed(alias: str) -> str:
    """Return what stands for an alias in a log, 16 hex digits. Whoever knows the alias can make it too."""
    return sha256_json(["voicebench reviewer", alias.strip().casefold()])[:_HASH_DIGITS]


def log_path(lang: str, log: Path | None) -> Path:
    """Return where the verdicts on a language are kept: the user's file, or `reviews/<lang>.jsonl`."""
    return FOLDER / f"{lang}.jsonl" if log is None else log


def rows_of(submissions: Iterable[Submission]) -> list[Review]:
    """Return the verdicts of submissions, as a log keeps them."""
    return [
        Review(
            item=item.id, lang=found.lang, seen=item.seen, reviewer=hashed(found.alias),
            native=found.native is True, verdict=item.meant,
        )
        for found in submissions
        for item in found.items
        if item.meant is not None
    ]  # fmt: skip


def add_to_log(path: Path, rows: Sequence[Review]) -> list[Review]:
    """Add verdicts to a log and return all that it then holds; a reviewer's last word on a text counts.

    Raises:
        UserError: The log holds something else, or cannot be written.
    """
    before = read_rows(path, Review) if path.exists() else []
    after = last_of_each([*before, *rows], lambda row: (row.item, row.seen, row.reviewer))
    if after != before:
        write_rows(path, after)
    return after


def refuse_inside(path: Path, folder: Path) -> None:
    """Refuse a log that would lie among the tasks.

    Raises:
        UserError: It would; who reviewed what stays out of the data.
    """
    if path.resolve().is_relative_to(folder.resolve()):
        raise UserError(
            f"{path}: lies among the tasks, where every .jsonl is read as tasks. Give another --log"
        )


def pairs(rows: Iterable[Review]) -> list[Pair]:
    """Return how far each two reviewers of a language agree on the texts that both saw, most items first."""
    told: dict[tuple[str, str], dict[tuple[str, str], Review]] = {}
    for row in rows:
        told.setdefault((row.lang, row.reviewer), {})[row.item, row.seen] = row
    found = []
    for (lang, first), (other, second) in itertools.combinations(sorted(told), 2):
        if lang != other:
            continue
        one, two = told[lang, first], told[lang, second]
        both = [(one[key], two[key]) for key in one if key in two]
        if both:
            found.append(_pair(first, second, lang, both))
    return sorted(found, key=lambda pair: (-pair.items, pair.lang, pair.first, pair.second))


def _pair(first: str, second: str, lang: str, both: Sequence[tuple[Review, Review]]) -> Pair:
    sure = [(a.verdict, b.verdict) for a, b in both if "unsure" not in (a.verdict, b.verdict)]
    return Pair(
        first=first,
        second=second,
        lang=lang,
        both_native=all(a.native and b.native for a, b in both),
        items=len(both),
        same=sum(a.verdict == b.verdict for a, b in both),
        right=agreement_of((a == "ok", b == "ok") for a, b in sure),
    )
