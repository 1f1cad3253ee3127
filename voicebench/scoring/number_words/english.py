"""English number words, and the romanised Indic magnitudes that English borrows. Read in every language."""

from voicebench.scoring.number_words.language import Language
from voicebench.scoring.number_words.terms import (
    Link,
    Minus,
    Multiplier,
    Point,
    Repeat,
    Value,
    Words,
    merged,
    spellings,
    values,
)

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_LAKH = Multiplier(10**5)
_CRORE = Multiplier(10**7, most=10**7 - 1)
_ABBREVIATIONS: Words = spellings(_CRORE, "cr")
"""Abbreviations that are read directly after a figure only."""

_NOT_NUMBERS = frozenset({("no", "one")})
"""A word before, and a number word that is none after it."""


def language() -> Language:
    """Return the language; "a" is a number before a multiplier alone, and "hundred" is none without one."""
    words = merged(
        [
            values(dict(enumerate(_SMALL))),
            values({10 * ten: word for ten, word in enumerate(_TENS, 2)}, room=10),
            spellings(Value(0, only_in_a_row=True), "oh"),
            spellings(Value(1, only_multiplied=True), "a"),
            spellings(Value(40, room=10), "fourty"),
            spellings(Value(0), "nought"),
            spellings(Multiplier(100, most=99), "hundred"),
            spellings(Multiplier(10**3), "thousand hazaar hazar hajar"),
            spellings(Multiplier(10**6), "million"),
            spellings(Multiplier(10**9), "billion"),
            spellings(Multiplier(10**12), "trillion"),
            spellings(_LAKH, "lakh lakhs lac lacs laakh"),
            spellings(_CRORE, "crore crores karod"),
            spellings(Link(least_room=100), "and"),
            spellings(Repeat(2), "double"),
            spellings(Repeat(3), "triple"),
            spellings(Minus(), "minus negative"),
            spellings(Point(), "point"),
        ]
    )
    return Language(words, abbreviations=_ABBREVIATIONS, halves=("and a half",), not_numbers=_NOT_NUMBERS)
