"""What a word can contribute to a number: a value, a multiplier, a sign, a point, a link."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Alone = Literal["read", "if it is the whole text", "never"]


@dataclass(frozen=True, slots=True)
class Value:
    """A word that adds to the number: "five", "twenty", "पच्चीस", "ഇരുനൂറ്റി".

    Attributes:
        number: What it adds.
        room: What follows it in the same number is less than this; 1 where nothing can follow.
        alone: Whether the word by itself is read as a number. "never" is for articles and for words that
            mean something else far more often ("không", "नय").
        only_multiplied: It is read before a multiplier only ("ஒரு லட்சம்").
        only_in_a_row: It is read in a row of digits only ("oh").
        after_tens: Right behind tens it is read without one, too ("இருபத்தொரு", "dalawampu't isang").
        least_room: It can only follow what leaves at least this much room.
        before_hundred: A zero that keeps the place of missing hundreds ("hai nghìn không trăm linh năm").
    """

    number: int | Fraction
    room: int = 1
    alone: Alone = "read"
    only_multiplied: bool = False
    only_in_a_row: bool = False
    after_tens: bool = False
    least_room: int = 0
    before_hundred: bool = False


@dataclass(frozen=True, slots=True)
class Multiplier:
    """A word that multiplies what stands before it: "hundred", "लाख", "万".

    Attributes:
        number: What it multiplies by, a power of ten.
        most: The largest coefficient in words.
        bare: Whether it is a number without a coefficient, as "सौ" is and "hundred" is not.
        wants_link: A lone digit after it would be ambiguous ("hai trăm ba" may be 203 or 230) unless a link
            word or a multiplier shows its place.
        words_only: It takes no coefficient in figures.
    """

    number: int
    most: int = 999
    bare: bool = False
    wants_link: bool = False
    words_only: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """A number in ASCII digits, an optional sign and decimal point included, without thousands commas."""

    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """A word inside a number that adds nothing: "and", "linh", "at", "na".

    Attributes:
        least_room: It may follow what leaves at least this much room.
        before_multiplier: It stands between a coefficient and its multiplier ("apat na raan") instead.
    """

    least_room: int = 100
    before_multiplier: bool = False


@dataclass(frozen=True, slots=True)
class Repeat:
    """A word in a row of digits that says the next one again: "double", "triple"."""

    times: int


@dataclass(frozen=True, slots=True)
class Quarters:
    """A word that adds quarters to the number after it: साढ़े तीन is 3½, पौने दो 1¾, सवा सौ 125."""

    quarters: int
    multiplies: bool = False


@dataclass(frozen=True, slots=True)
class Half:
    """A word that adds half of the multiplier before it, or of one: "hai triệu rưỡi", "dua setengah".

    Attributes:
        quarters: How many quarters it adds in the place of two: "ஐந்தேகால்" is 5¼.
    """

    quarters: int = 2


@dataclass(frozen=True, slots=True)
class Teen:
    """A word that adds ten to the digit before it: "dua belas"."""


@dataclass(frozen=True, slots=True)
class Minus:
    """A spoken minus sign."""


@dataclass(frozen=True, slots=True)
class Point:
    """A spoken decimal point."""


Term = Value | Multiplier | Figure | Link | Repeat | Quarters | Half | Teen | Minus | Point
Words = dict[str, tuple[Term, ...]]


def spellings(term: Term, words: str) -> Words:
    """Give one meaning to several words (separated by spaces)."""
    return dict.fromkeys(words.split(), (term,))


def values(rows: Mapping[int, str], *, room: int = 1) -> Words:
    """Return the words of a table from a number to its spellings (separated by spaces)."""
    return {word: (Value(number, room),) for number, words in rows.items() for word in words.split()}


def open_values(rows: Mapping[int, str], *, room: int) -> Words:
    """Return the words of a table that are no number before something follows: இருபத்து, നൂറ്റി, నూట."""
    return {
        word: (Value(number, room, alone="never"),)
        for number, words in rows.items()
        for word in words.split()
    }


def merged(parts: Iterable[Words]) -> Words:
    """Join tables into one; a word to which two of them give different meanings is left out of it."""
    joined: Words = {}
    torn = set()
    for part in parts:
        for word, terms in part.items():
            if joined.setdefault(word, terms) != terms:
                torn.add(word)
    return {word: terms for word, terms in joined.items() if word not in torn}
