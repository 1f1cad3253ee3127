"""Indonesian number words: belas, puluh and ratus as words of their own, se- for one, koma for the point."""

from voicebench.scoring.number_words.language import Language
from voicebench.scoring.number_words.terms import (
    Half,
    Minus,
    Multiplier,
    Point,
    Teen,
    Value,
    Words,
    merged,
    spellings,
    values,
)

_DIGITS = "nol satu dua tiga empat lima enam tujuh delapan sembilan".split()
_ABBREVIATIONS: Words = spellings(Multiplier(10**3), "rb") | spellings(Multiplier(10**6), "jt")


def language() -> Language:
    """Return the language."""
    words = merged(
        [
            values(dict(enumerate(_DIGITS))),
            values({10: "sepuluh", 11: "sebelas"}),
            # Written as one word by many: duapuluh lima, limabelas, tigaratus.
            values({10 * n: f"{word}puluh" for n, word in enumerate(_DIGITS) if n > 1}, room=10),
            values({10 + n: f"{word}belas" for n, word in enumerate(_DIGITS) if n > 1}),
            values({100 * n: f"{word}ratus" for n, word in enumerate(_DIGITS) if n > 1}, room=100),
            spellings(Value(0, only_in_a_row=True), "kosong"),
            spellings(Value(10**2, room=10**2), "seratus"),
            spellings(Value(10**3, room=10**3), "seribu"),
            spellings(Value(10**6, room=10**6), "sejuta"),
            spellings(Value(10**9, room=10**9), "semiliar semilyar"),
            spellings(Teen(), "belas"),
            spellings(Multiplier(10, most=9), "puluh"),
            spellings(Multiplier(10**2, most=9), "ratus"),
            spellings(Multiplier(10**3), "ribu"),
            spellings(Multiplier(10**6), "juta"),
            spellings(Multiplier(10**9), "miliar milyar"),
            spellings(Multiplier(10**12), "triliun trilyun"),
            spellings(Half(), "setengah"),
            spellings(Minus(), "minus negatif"),
            spellings(Point(), "koma"),
        ]
    )
    return Language(words, abbreviations=_ABBREVIATIONS, decimal_comma=True)
