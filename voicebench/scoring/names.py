"""Names in several scripts: a table of the forms of one name (मुंबई, Mumbai, Bombay).

The table that comes with the package holds well-known places and names of the twelve languages' regions:
exact transliterations and official renamings. Nothing is transliterated by rule.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from voicebench.errors import UserError
from voicebench.files import parse_row, read_lines, sha256_file
from voicebench.scoring.text import canonical_name, same_text
from voicebench.types import Row

SHIPPED = Path(__file__).with_name("aliases.jsonl")
"""The table that comes with the package."""

_COMMA = re.compile("[,，、]")
_LONGEST = 256


class AliasRow(Row):
    """One line of a table of names.

    Attributes:
        forms: At least two ways to write one name.
        lang: The only language in whose items they are one; None if they are in all.
    """

    forms: tuple[str, ...]
    lang: str | None = None


@dataclass(frozen=True)
class _Name:
    """A row of the table: its number in it, where it was read, and its language."""

    number: int
    where: str
    lang: str | None


@dataclass(frozen=True, eq=False)
class Aliases:
    """Which names are one.

    Attributes:
        names: For each canonical form, the rows that it stands in: one, or one a language.
        mark: What a scoring version ends with under this table; empty for the shipped one.
    """

    names: Mapping[str, tuple[_Name, ...]] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    mark: str = ""

    def same(self, one: str, other: str, lang: str | None = None) -> bool:
        """Tell whether two strings are one name, or name by name between their commas.

        Args:
            one: A whole string; nothing is looked for inside it.
            other: Another one.
            lang: Language code of the item.
        """
        if max(len(one), len(other)) > _LONGEST:
            return False
        if self._one_name(one, other, lang):
            return True
        parts = _COMMA.split(one)
        others = _COMMA.split(other) if len(parts) > 1 else ()
        return len(parts) == len(others) and all(
            self._one_name(part, other_part, lang) or same_text(part, other_part, lang)
            for part, other_part in zip(parts, others, strict=True)
        )

    def _one_name(self, one: str, other: str, lang: str | None) -> bool:
        names = self._found(one)
        return bool(names) and any(
            name.number == found.number and name.lang in (None, lang)
            for found in self._found(other)
            for name in names
        )

    def _found(self, name: str) -> tuple[_Name, ...]:
        return self.names.get(_key(name), ())


_key = lru_cache(maxsize=8192)(canonical_name)


@lru_cache(maxsize=1)
def shipped_aliases() -> Aliases:
    """Return the table that comes with the package."""
    return read_aliases(SHIPPED, extending=Aliases())


def read_aliases(path: Path, *, extending: Aliases | None = None) -> Aliases:
    """Return another table with the names of a file added: JSON Lines, `{"forms": ["मुंबई", "Mumbai"]}`.

    A row that shares a form with one of the other table adds its forms to it. A row with a `lang` holds only
    for items in that language.

    Args:
        path: The file.
        extending: The table to add to; None for the one that comes with the package.

    Raises:
        UserError: The file cannot be read, a line is wrong, or a name stands in two rows.
    """
    table = shipped_aliases() if extending is None else extending
    names = dict(table.names)
    count = 1 + max((name.number for found in names.values() for name in found), default=-1)
    for line, text in read_lines(path):
        where = f"{path}:{line}"
        row = parse_row(text, AliasRow, where)
        forms = _canonical_forms(row.forms, where)
        extended = {
            name.number: name for form in forms for name in table.names.get(form, ()) if name.lang == row.lang
        }
        if len(extended) > 1:
            lines = " and ".join(name.where for name in extended.values())
            raise UserError(f"{where}: joins two names that are two rows in {lines}. Make them one row there")
        name = _Name(next(iter(extended), count + line), where, row.lang)
        for form, written in forms.items():
            names[form] = _added(names.get(form, ()), name, written)
    mark = "" if path == SHIPPED else f"{table.mark}+names.{sha256_file(path)[:8]}"
    return Aliases(MappingProxyType(names), mark)


def _canonical_forms(forms: Iterable[str], where: str) -> dict[str, str]:
    found = {canonical_name(form): form for form in forms if canonical_name(form)}
    if len(found) < 2:
        raise UserError(f"{where}: 'forms' needs at least two ways to write the name that differ")
    return found


def _added(names: tuple[_Name, ...], name: _Name, written: str) -> tuple[_Name, ...]:
    for other in names:
        if other.number == name.number:
            return names
        if None in (other.lang, name.lang) or other.lang == name.lang:
            raise UserError(f"{name.where}: {written!r} stands in {other.where} already; a name has one row")
    return (*names, name)
