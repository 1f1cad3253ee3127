"""Read a figure: a number in ASCII digits that a multiplier may follow."""

import re

from voicebench.scoring.number_words.terms import Figure

_FIGURE = re.compile(r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})+,\d{3}|\d+)(?:\.\d+)?")
_COMMA_FOR_POINT = re.compile(r"[-+]?\d+,\d{1,2}")
_LONGEST = 40


def figure(written: str, *, decimal_comma: bool = False) -> Figure | None:
    """Return the number that a string writes in digits, in groups (1,000,000; 10,00,000) or not, or None.

    Args:
        written: The string.
        decimal_comma: A comma that closes no group is the point, as Vietnamese and Indonesian write it.
    """
    if len(written) > _LONGEST:
        return None
    if decimal_comma and _COMMA_FOR_POINT.fullmatch(written):
        return Figure(written.replace(",", "."))
    if not _FIGURE.fullmatch(written):
        return None
    return Figure(written.replace(",", ""))
