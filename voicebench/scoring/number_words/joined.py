"""Find the number words inside one that has grown from several, as Tamil, Telugu and Malayalam write them.

Words are compared by their sounds: every vowel as a letter of its own, no sign for "no vowel". In that form
இருபத்து + ஐந்து = இருபத்தைந்து is plain joining, but for a final vowel that is lost and a glide that is put in.
"""

import re

from voicebench.scoring.folding import fold
from voicebench.scoring.number_words.language import Alphabet
from voicebench.scoring.number_words.terms import Term, Words

_LONGEST_WORD = 100


class JoinedWords:
    """The words of one language, found in any word that is made of nothing else.

    Attributes:
        starts: The first three characters of every word, or the first two where the third may be lost.
    """

    def __init__(self, words: Words, alphabet: Alphabet) -> None:
        spelled = {fold(word): terms for word, terms in words.items()}
        self.starts = frozenset(word[: 3 if len(word) > 3 else 2] for word in spelled)
        self._alphabet = alphabet
        self._signs = dict(zip(alphabet.signs, alphabet.letters[1:], strict=True))
        self._patterns: dict[str, list[tuple[re.Pattern[str], tuple[Term, ...]]]] = {}
        for word in sorted(spelled, key=len, reverse=True):
            sounds = self._sounds(word)
            pattern = re.compile(self._joining(sounds))
            self._patterns.setdefault(sounds[0], []).append((pattern, spelled[word]))

    def terms(self, word: str) -> tuple[Term, ...]:
        """Return what the words that a word is made of contribute; nothing where anything else is in it."""
        if len(word) > _LONGEST_WORD or not (word[:3] in self.starts or word[:2] in self.starts):
            return ()
        return self._split(self._sounds(word), 0) or ()

    def _split(self, sounds: str, at: int) -> tuple[Term, ...] | None:
        if at == len(sounds):
            return ()
        for pattern, terms in self._patterns.get(sounds[at], ()):
            if match := pattern.match(sounds, at):
                rest = self._split(sounds, match.end())
                if rest is not None:
                    return (*terms, *rest)
        return None

    def _joining(self, sounds: str) -> str:
        """Return the pattern of a word's sounds at its end and before another word."""
        short_i, short_u, glide = self._alphabet.short_i, self._alphabet.short_u, self._alphabet.glide
        before_a_vowel = f"(?=[{self._alphabet.letters}])"
        stem, last = sounds[:-1], sounds[-1]
        if last == short_i:
            return f"{stem}(?:{short_i}(?:{glide}{before_a_vowel})?|{before_a_vowel})"
        if last == short_u:
            return f"{stem}(?:{short_u}|{before_a_vowel})"
        # A Malayalam word may end in a full short u or in half of one, which is not written as a vowel.
        return sounds if last in self._alphabet.letters else f"{sounds}{short_u}?"

    def _sounds(self, word: str) -> str:
        first, last = self._alphabet.first_consonant, self._alphabet.last_consonant
        sounds = []
        for char, after in zip(word, f"{word[1:]} ", strict=True):
            if char == self._alphabet.no_vowel:
                continue
            sounds.append(self._signs.get(char, char))
            if first <= char <= last and after != self._alphabet.no_vowel and after not in self._signs:
                sounds.append(self._alphabet.letters[0])
        return "".join(sounds)
