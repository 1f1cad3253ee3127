"""What there is to know of one language to read its numbers."""

from collections.abc import Set
from dataclasses import dataclass, field
from typing import NamedTuple

from voicebench.scoring.number_words.terms import Words


class Alphabet(NamedTuple):
    """How a script writes vowels, for languages whose words grow together.

    Attributes:
        letters: Vowels as letters, the inherent one first.
        signs: The signs of all but the first, in the same order.
        no_vowel: The sign after a consonant without a vowel.
        first_consonant: First consonant of the script's block.
        last_consonant: Last one.
        short_i: The letter whose sound is lost, or followed by the glide, before a vowel.
        short_u: The letter whose sound is lost before a vowel.
        glide: The consonant put between short_i and a vowel.
    """

    letters: str
    signs: str
    no_vowel: str
    first_consonant: str
    last_consonant: str
    short_i: str
    short_u: str
    glide: str


@dataclass(frozen=True, slots=True)
class Language:
    """The number words of a language that writes spaces.

    Attributes:
        words: What each word is.
        alphabet: Given where words grow together with a change of sound.
        abbreviations: Abbreviations of multipliers, read directly after a number only.
        halves: Phrases of several words that add a half ("and a half").
        not_numbers: Pairs of a word and a number word that is none after it.
        suffixes: What is written onto a number word, and onto a figure in its place.
        counters: Words for what is counted: before them a shy number word is a number.
        leaders: Words for what has a number: after them a shy number word is a number.
        decimal_comma: Whether figures have a comma for the point.
    """

    words: Words
    alphabet: Alphabet | None = None
    abbreviations: Words = field(default_factory=dict)
    halves: tuple[str, ...] = ()
    not_numbers: Set[tuple[str, str]] = frozenset()
    suffixes: tuple[str, ...] = ()
    counters: Set[str] = frozenset()
    leaders: Set[str] = frozenset()
    decimal_comma: bool = False
