"""Ratings as listeners send them back: read, checked against the key, and one file a listener."""

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from voicebench.errors import UserError
from voicebench.files import parse_object
from voicebench.listening.key import Key
from voicebench.listening.page import RATINGS_FORMAT
from voicebench.types import Row

log = logging.getLogger(__name__)

Grade = Annotated[int, Field(ge=1, le=5, strict=True)]
Level = Literal["native", "fluent", "learner", "none"]


class Rater(Row):
    """Who listened: a random id, the name they gave, and how well they know each language."""

    id: str = Field(min_length=1)
    name: str = Field(min_length=1)
    languages: dict[str, Level]


class Rating(Row):
    """What one listener said of one clip; None is what they did not say.

    Attributes:
        clip: The clip's id on the page.
        wrong_words: Something is said that should not be, or is left out.
        heard: What they wrote down before they saw the words: "" for nothing, None for not asked or not done.
        unplayable: Their browser could not play it.
        listens: How often they heard it to the end.
    """

    clip: str
    naturalness: Grade | None = None
    prosody: Grade | None = None
    pronunciation: Grade | None = None
    clarity: Grade | None = None
    wrong_words: Annotated[bool, Field(strict=True)] | None = None
    heard: str | None = None
    comment: str | None = None
    unplayable: bool = False
    listens: int = 0

    def grade(self, axis: str) -> int | None:
        """Return the grade of one axis, 1 to 5."""
        value: int | None = getattr(self, axis)
        return value


class _File(Row):
    format: str
    page: str
    rater: Rater
    started: str | None = None
    saved: str | None = None
    ratings: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class Sheet:
    """The ratings of one listener.

    Attributes:
        rater: Who.
        saved: When the file was saved (ISO 8601), or "".
        ratings: By the clip's id.
    """

    rater: Rater
    saved: str
    ratings: dict[str, Rating] = field(default_factory=dict)

    @property
    def langs(self) -> set[str]:
        """The languages whose clips were played to this listener."""
        return {lang for lang, level in self.rater.languages.items() if level != "none"}


def read_ratings(paths: Sequence[Path], key: Key, *, native_only: bool = False) -> list[Sheet]:
    """Read the files of listeners.

    Of one listener's several files the one saved last counts. Different listeners of one name are told apart
    by a number behind it.

    Args:
        paths: The files.
        key: The key of the page they rated.
        native_only: Leave out ratings in a language that is not the listener's first.

    Raises:
        UserError: A file is missing, is no ratings, belongs to another page, names an unknown clip or one
            twice, or holds a grade that is none; the message starts with the file.
    """
    latest: dict[str, tuple[Path, Sheet]] = {}
    for path in paths:
        sheet = _read(path, key)
        before = latest.get(sheet.rater.id)
        if before is not None:
            older, newer = sorted([before, (path, sheet)], key=lambda found: found[1].saved)
            log.warning(
                "%s: an earlier file of %s, left out for %s", older[0], sheet.rater.name, newer[0]
            )  # fmt: skip
            latest[sheet.rater.id] = newer
        else:
            latest[sheet.rater.id] = (path, sheet)
    langs = {clip.id: clip.lang for clip in key.clips}
    sheets = [_of_known_languages(sheet, langs, native_only) for _, sheet in latest.values()]
    return _with_own_names(sorted(sheets, key=lambda sheet: (sheet.rater.name, sheet.rater.id)))


def _read(path: Path, key: Key) -> Sheet:
    data = _object(path)
    if data.get("format") != RATINGS_FORMAT:
        raise UserError(f"{path}: holds no ratings (its format is not {RATINGS_FORMAT!r})")
    file = parse_object(data, _File, str(path))
    if file.page != key.page:
        raise UserError(
            f"{path}: rates page {file.page}, but the key is of page {key.page}. Give its --out PAGE"
        )
    known = {clip.id for clip in key.clips}
    found: dict[str, Rating] = {}
    for number, entry in enumerate(file.ratings, start=1):
        where = f"{path}: rating {number} ({entry.get('clip')})"
        rating = parse_object(entry, Rating, where)
        if rating.clip not in known:
            raise UserError(f"{where}: there is no such clip on the page")
        if rating.clip in found:
            raise UserError(f"{where}: this clip is rated twice in one file")
        found[rating.clip] = rating
    return Sheet(file.rater, file.saved or "", found)


def _object(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path}: not JSON ({error})") from None
    if not isinstance(data, dict):
        raise UserError(f"{path}: must hold a JSON object, not {type(data).__name__}")
    return data


def _of_known_languages(sheet: Sheet, langs: dict[str, str], native_only: bool) -> Sheet:
    """Leave out ratings in languages that the listener does not know, or not as a first language."""
    levels = {
        lang: level if level == "native" or not native_only else "none"
        for lang, level in sheet.rater.languages.items()
    }
    kept = {id_: rating for id_, rating in sheet.ratings.items() if levels.get(langs[id_], "none") != "none"}
    return Sheet(sheet.rater.model_copy(update={"languages": levels}), sheet.saved, kept)


def _with_own_names(sheets: Sequence[Sheet]) -> list[Sheet]:
    seen: dict[str, int] = {}
    named = []
    for sheet in sheets:
        name = sheet.rater.name
        seen[name] = seen.get(name, 0) + 1
        own = name if seen[name] == 1 else f"{name} ({seen[name]})"
        named.append(Sheet(sheet.rater.model_copy(update={"name": own}), sheet.saved, sheet.ratings))
    return named
