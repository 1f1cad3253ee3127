"""The number words that are read in the spaced words of a text: those of its language, and English ones."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from voicebench.scoring.folding import fold
from voicebench.scoring.number_words import (
    bengali,
    english,
    filipino,
    hindi,
    indonesian,
    malayalam,
    marathi,
    tamil,
    telugu,
    vietnamese,
)
from voicebench.scoring.number_words.figures import figure
from voicebench.scoring.number_words.joined import JoinedWords
from voicebench.scoring.number_words.language import Language
from voicebench.scoring.number_words.terms import Half, Multiplier, Term, Words, merged

_LANGUAGES: dict[str, Callable[[], Language]] = {
    "bn": bengali.language,
    "fil": filipino.language,
    "hi": hindi.language,
    "id": indonesian.language,
    "ml": malayalam.language,
    "mr": marathi.language,
    "ta": tamil.language,
    "te": telugu.language,
    "vi": vietnamese.language,
}
_OF_THEIR_SCRIPT = ("hi", "mr", "bn", "ta", "te", "ml")
_FIGURE_AND_WORD = re.compile(r"([-+]?\d[\d,]*(?:\.\d+)?)([^\W\d].*)")


class Lexicon:
    """What the words of some languages, read together, mean in numbers.

    Attributes:
        counters: Words for what is counted: before them a shy number word is a number.
        leaders: Words for what has a number: after them a shy number word is a number.
    """

    def __init__(self, languages: Sequence[Language]) -> None:
        self.counters = frozenset(fold(word) for language in languages for word in language.counters)
        self.leaders = frozenset(fold(word) for language in languages for word in language.leaders)
        halves: Words = {half: (Half(),) for language in languages for half in language.halves}
        self._decimal_comma = any(language.decimal_comma for language in languages)
        self._halves = re.compile(rf"(?:^| )({'|'.join(_folded(halves))})(?: |$)")
        self._words = merged([*(_folded(language.words) for language in languages), _folded(halves)])
        self._joined = tuple(JoinedWords(one.words, one.alphabet) for one in languages if one.alphabet)
        self._starts = frozenset().union(*(joined.starts for joined in self._joined))
        self._abbreviations = merged(_folded(language.abbreviations) for language in languages)
        self._not_numbers = {
            (fold(before), fold(word)) for language in languages for before, word in language.not_numbers
        }
        self._suffixes = tuple(fold(suffix) for language in languages for suffix in language.suffixes)
        multipliers = [word for word, terms in self._words.items() if isinstance(terms[0], Multiplier)]
        on_a_figure = "|".join(map(re.escape, [*multipliers, *self._abbreviations]))
        self._on_a_figure = re.compile(rf"\d ?(?:{on_a_figure})")

    def split(self, text: str) -> list[str]:
        """Return the words of a text; a phrase that is one number word counts as one."""
        words: list[str] = []
        for index, part in enumerate(self._halves.split(text)):
            is_a_phrase = index % 2 == 1
            words += [part] if is_a_phrase else part.split(" ") if part else []
        return words

    def may_hold_numbers(self, text: str, words: Sequence[str]) -> bool:
        """Tell, fast, whether any word of a text can be a number word."""
        if not self._words.keys().isdisjoint(words) or self._on_a_figure.search(text):
            return True
        if text.isascii():
            return False
        return (
            not self._starts.isdisjoint([word[:3] for word in words])
            or not self._starts.isdisjoint([word[:2] for word in words])
            or (bool(self._suffixes) and any(word.endswith(self._suffixes) for word in words))
        )

    def terms(self, word: str, before: str, *, after_a_number: bool) -> tuple[Term, ...]:
        """Return what a word contributes to a number; nothing where it is no number word.

        Args:
            word: A word of a canonical text.
            before: The word before it, "" at the beginning.
            after_a_number: The word before it contributes to a number.
        """
        if found := self._word(word):
            return () if (before, word) in self._not_numbers else found
        if found_figure := figure(word, decimal_comma=self._decimal_comma):
            return (found_figure,)
        if after_a_number and word in self._abbreviations:
            return self._abbreviations[word]
        attached = _FIGURE_AND_WORD.fullmatch(word)
        if (
            attached is None
            or (found_figure := figure(attached[1], decimal_comma=self._decimal_comma)) is None
        ):
            return ()
        multiplier = self._word(attached[2]) or self._abbreviations.get(attached[2], ())
        return (found_figure, *multiplier) if multiplier and isinstance(multiplier[0], Multiplier) else ()

    def without_suffix(self, word: str) -> tuple[str, tuple[Term, ...]] | None:
        """Return the number word that a word is but for a suffix, and what it contributes."""
        if self._suffixes and word.endswith(self._suffixes):
            for suffix in self._suffixes:
                stem = word.removesuffix(suffix)
                if stem != word and (found := self._words.get(stem)):
                    return stem, found
        return None

    def _word(self, word: str) -> tuple[Term, ...]:
        if found := self._words.get(word):
            return found
        return next(filter(None, (joined.terms(word) for joined in self._joined)), ())


@lru_cache(maxsize=32)
def lexicon(lang: str | None) -> Lexicon:
    """Return what is read in a language; for None, English and every language with a script of its own."""
    own = [_LANGUAGES[code] for code in (_OF_THEIR_SCRIPT if lang is None else (lang,)) if code in _LANGUAGES]
    return Lexicon([*(language() for language in own), english.language()])


def _folded(words: Words) -> Words:
    return {fold(word): terms for word, terms in words.items()}
