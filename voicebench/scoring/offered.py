"""The tools that an answer could call, and which of them a written name means.

A name means the tool of that name. Where there is none, two ways in which APIs and templates rewrite names
are undone: a namespace `functions.` in front is left out, and a name in which every character that such APIs
forbid became "_" (`cab_get_fare`) means the tool that is so rewritten (`cab.get_fare`), if that is one alone.
Thai and Chinese put no spaces between words, so a name in ASCII letters may stand right behind others.
Any other name stays what it is: the name of a tool that is not offered.
"""

import keyword
import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache

from voicebench.types import Tool

_NAMESPACE = "functions."
UNSPACED = r"\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff"
"""Letters of scripts without spaces between words, for a class of characters."""

_BEHIND_LETTERS = re.compile(rf".*[{UNSPACED}]([A-Za-z_].*)")
_FORBIDDEN = re.compile(r"[^A-Za-z0-9_-]")


class Offered:
    """Tools by name; of two with one name the first counts.

    Attributes:
        tools: The tools, by their own names.
    """

    def __init__(self, tools: Sequence[Tool]) -> None:
        self.tools: Mapping[str, Tool] = {tool.name: tool for tool in reversed(tools)}

    def name_of(self, written: str) -> str:
        """Return the name of the tool that a written name means, or the written name where it means none."""
        if written in self.tools:
            return written
        short = written.removeprefix(_NAMESPACE)
        if short in self.tools:
            return short
        named = _rewritten(tuple(self.tools)).get(short, written)
        if named is written and not written.isascii() and (behind := _BEHIND_LETTERS.fullmatch(written)):
            named = self.name_of(behind[1])
        return named if named in self.tools else written

    def get(self, written: str) -> Tool | None:
        """Return the tool that a written name means, or None."""
        return self.tools.get(self.name_of(written))

    def __contains__(self, written: str) -> bool:
        return self.name_of(written) in self.tools

    @property
    def unpythonic(self) -> tuple[str, ...]:
        """Names that Python cannot read as a dotted name (`get-weather`, `2fa.send`), longest first."""
        return _unpythonic(tuple(self.tools))


@lru_cache(maxsize=1024)
def _rewritten(names: tuple[str, ...]) -> Mapping[str, str]:
    """Return names by what APIs make of them; two that become one are left out."""
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(_FORBIDDEN.sub("_", name), []).append(name)
    return {rewritten: known[0] for rewritten, known in found.items() if len(known) == 1}


@lru_cache(maxsize=1024)
def _unpythonic(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(filter(_is_unpythonic, names), key=lambda name: (-len(name), name)))


def _is_unpythonic(name: str) -> bool:
    # Python reads identifiers in NFKC, so a name in another form would come back changed.
    return unicodedata.normalize("NFKC", name) != name or not all(
        part.isidentifier() and not keyword.iskeyword(part) for part in name.split(".")
    )
