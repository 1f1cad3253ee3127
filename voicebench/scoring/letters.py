"""Patterns of letters and marks: for `re`, a vowel sign of an Indic script is no letter."""

import unicodedata
from collections.abc import Iterator

_BLOCKS_WITH_MARKS = (
    (0x0300, 0x1100), (0x1700, 0x1800), (0x1A00, 0x1E00), (0x20D0, 0x2100), (0x302A, 0x30A0),
    (0xA600, 0xAC00), (0xFB1E, 0xFB1F), (0xFE00, 0xFE30),
)  # fmt: skip


def _ranges_of_marks() -> Iterator[str]:
    """Yield the combining marks as ranges of a character class."""
    for first, end in _BLOCKS_WITH_MARKS:
        start = None
        for code in range(first, end + 1):
            is_mark = code < end and unicodedata.category(chr(code)).startswith("M")
            if is_mark and start is None:
                start = code
            elif not is_mark and start is not None:
                yield f"{chr(start)}-{chr(code - 1)}"
                start = None


MARK = f"[{''.join(_ranges_of_marks())}]"
"""A pattern of one combining mark: a vowel sign, a virama, a tone mark, …"""

LETTER = rf"(?:[^\W\d_]|{MARK})"
"""A pattern of one letter or mark; as wide in a lookbehind."""
