"""Whether the agent said what it had to: in any script, in digits or words, no part of a number."""

import re
from collections.abc import Iterable
from typing import Any

from voicebench.scoring.mentions import mentioned

_SPELLED = re.compile(r"(?<![^\W_])[A-Za-z\d](?:[ .,-]{1,2}[A-Za-z\d](?![^\W_]))+")
_LETTERS_AND_DIGITS = re.compile(r"(?=.*\d)(?=.*[^\W\d_])[\w-]+")


def said(value: Any, texts: Iterable[str], lang: str | None = None) -> bool:
    """Tell whether one of the texts says a value.

    `voicebench.scoring.mentions` says what that means. Beyond it, an amount may have empty cents ("120.00"
    for 120, "342.50" for 342.5), and an identifier of letters and digits may be spelled ("R 5 0 1 2" for
    "R-5012").

    Args:
        value: A JSON value, or a list of values of which one is enough.
        texts: What the agent said, turn by turn.
        lang: Language code, for its number words.
    """
    forms = [form for one in (value if isinstance(value, list) else [value]) for form in _forms(one)]
    return any(mentioned(form, text, lang) for text in texts for form in forms) or any(
        _spelled(form, text) for text in texts for form in forms if isinstance(form, str)
    )


def _forms(value: Any) -> list[Any]:
    number = _as_number(value)
    return [value] if number is None else [value, f"{number:.2f}", f"{number:.1f}"]


def _as_number(value: Any) -> int | float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value if round(value, 1) == value else None
    return None


def _spelled(identifier: str, text: str) -> bool:
    if not _LETTERS_AND_DIGITS.fullmatch(identifier):
        return False
    bare = re.sub(r"[\W_]", "", identifier).casefold()
    return any(re.sub(r"[\W_]", "", run.group()).casefold() == bare for run in _SPELLED.finditer(text))
