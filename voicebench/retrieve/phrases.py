"""The phrases and the numbers that an utterance holds: what a copied argument can be."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence

from voicebench.scoring.folding import ascii_digits

LONGEST_PHRASE = 6
"""In words."""

MOST_PHRASES = 400


def listed(table: str) -> list[str]:
    """Return the words of a table that is written as a text."""
    return table.split()


_APART = frozenset(
    listed("""
        a an the of this that these those i i'd i'll i'm i've me my we us our you your he she it its it's they
        them their there who what what's which how when where to from in on at by for with into out than under
        over about as is are am be was were do does did can could would will should have has had and or but
        not no please just some any all much many get give show tell find book add put take make want need
        like

        से तक में पर को का की के ने और या है हैं हो होगा था थी थे एक यह वह ये वे इस उस मैं मुझे मेरा मेरी मेरे
        हम हमें आप आपका कौन क्या कितना कितने कितनी कहाँ कब कैसे जो भी ही तो नहीं कर करो करना कीजिए दो दे
        दीजिए लिए चाहिए डाल बुक ढूँढ़ो दिखाओ बताओ
    """)
)
"""Words between phrases: English and Hindi articles, prepositions, pronouns, auxiliaries, words of asking."""

_INSIDE = frozenset(listed("of and the का की के और"))
"""Of those, the ones that may stand inside a phrase ("Gateway of India", "हुमायूँ का मक़बरा")."""

_TO_TWENTY = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty
    शून्य एक दो तीन चार पांच छह सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस बीस
"""
_TENS = """
    thirty forty fifty sixty seventy eighty ninety
    तीस चालीस पचास साठ सत्तर अस्सी नब्बे
"""
_UNITS: dict[str, float] = {
    **{word: place % 21 for place, word in enumerate(listed(_TO_TWENTY))},
    **{word: 30 + 10 * (place % 7) for place, word in enumerate(listed(_TENS))},
    "छः": 6, "पच्चीस": 25, "डेढ": 1.5, "ढाई": 2.5,
}  # fmt: skip
_TIMES = {
    "hundred": 100, "thousand": 1000, "lakh": 100_000, "सौ": 100, "हजार": 1000, "लाख": 100_000,
}  # fmt: skip
_HALF_MORE = "साढे"
_VERBS = frozenset(listed("कर डाल भर भेज निकाल बता दिखा"))
_DIGITS = re.compile(r"(?<![\w:.,/-])\d[\d,]*(?:\.\d+)?(?![\w:/-])")
_CLAUSE_END = re.compile(r"[.,;:!?।॥،。、](?:\s+|$)|[()\[\]{}\"“”«»—–]")
_EDGE = ".,;:!?।'‘’`*_-"


def phrases(text: str, apart: Collection[str] = ()) -> list[str]:
    """Return the phrases of a text that an argument could copy, in the order in which they begin.

    A phrase is a run of up to `LONGEST_PHRASE` words within a clause. English and Hindi function words and
    number words separate phrases, as do the words of `apart`; a few ("of", "का") may stand inside one. A text
    written without spaces (Thai, Chinese) has none.

    Args:
        text: What was said.
        apart: Further words, case-folded, that belong to no phrase.
    """
    found: dict[str, None] = {}
    for clause in _CLAUSE_END.split(text):
        said = [word.strip(_EDGE) for word in clause.split()]
        if not any(_is_unspaced(word) for word in said):
            found |= dict.fromkeys(_runs([word for word in said if word], apart))
    return list(found)[:MOST_PHRASES]


def numbers(text: str) -> list[int | float]:
    """Return the numbers of a text, in digits of any script or in English and Hindi words, in order.

    Parts of times, dates and codes ("6:30", "23/3", "SAVE20") are none.
    """
    found: list[int | float] = []
    place = 0
    plain = ascii_digits(text)
    for match in _DIGITS.finditer(plain):
        digits = match.group().replace(",", "")
        found += _spelled(plain[place : match.start()])
        found.append(float(digits) if "." in digits else int(digits))
        place = match.end()
    return list(dict.fromkeys([*found, *_spelled(plain[place:])]))


def words(text: str) -> list[str]:
    """Return a text's words, case-folded, vowel signs kept, punctuation and underscores dropped."""
    folded = unicodedata.normalize("NFC", text).casefold()
    return "".join(c if unicodedata.category(c)[0] in "LMN" else " " for c in folded).split()


def names(text: str, term: str) -> bool:
    """Tell whether a text names a term: all its words one after the other, in singular or English plural."""
    said, wanted = words(text), words(term)
    return bool(wanted) and any(
        all(_same_word(*pair) for pair in zip(said[place : place + len(wanted)], wanted, strict=True))
        for place in range(len(said) - len(wanted) + 1)
    )


def _same_word(one: str, other: str) -> bool:
    return one == other or one == f"{other}s" or f"{one}s" == other


def _runs(said: Sequence[str], apart: Collection[str]) -> Iterator[str]:
    for first in range(len(said)):
        if _divides(said[first], apart):
            continue
        for last in range(first, min(first + LONGEST_PHRASE, len(said))):
            if not _divides(said[last], apart):
                yield " ".join(said[first : last + 1])
            elif said[last].casefold() not in _INSIDE:
                break


def _divides(word: str, apart: Collection[str]) -> bool:
    folded = word.casefold()
    return folded in _APART or folded in apart or _folded(folded) in _UNITS or _folded(folded) in _TIMES


def _is_unspaced(word: str) -> bool:
    """Tell whether a "word" is in a script that writes no spaces: there, it is a sentence."""
    return any(
        "\u0e00" <= c <= "\u0eff" or "\u3040" <= c <= "\u30ff" or "\u4e00" <= c <= "\u9fff" for c in word
    )


def _spelled(text: str) -> Iterator[int | float]:
    """Yield the numbers that a text spells in words."""
    said = [_folded(word) for word in words(text)]
    # "दो" is "two", and "give" behind a verb or at the end.
    said = [
        "" if word == "दो" and (place + 1 == len(said) or said[place - 1] in _VERBS) else word
        for place, word in enumerate(said)
    ]
    place = 0
    while place < len(said):
        number, used = _number_at(said[place:])
        if number is not None:
            yield int(number) if number == int(number) else number
        place += max(used, 1)


def _number_at(said: Sequence[str]) -> tuple[int | float | None, int]:
    """Return the number that a text begins with, or None, and of how many words it is made."""
    half_more = said[0] == _HALF_MORE
    total, group, used = 0.0, None, int(half_more)
    while used < len(said):
        word = said[used]
        if word in _UNITS and _takes(group, _UNITS[word]):
            group = (group or 0.0) + _UNITS[word]
        elif word in _TIMES and group:
            scaled = (group + 0.5 * half_more) * _TIMES[word]
            half_more = False
            total, group = (total, scaled) if _TIMES[word] == 100 else (total + scaled, 0.0)
        elif word != "and" or group is None or not _UNITS.get(" ".join(said[used + 1 : used + 2])):
            break
        used += 1
    if group is None:
        return None, used
    half = [*said[used : used + 3]] == ["and", "a", "half"]
    return total + group + 0.5 * (half_more or half), used + 3 * half


def _takes(group: float | None, unit: float) -> bool:
    """Tell whether a unit goes on a number ("twenty five", "two hundred fifty") or begins the next one."""
    if not group:
        return True
    return (group % 100 == 0 and unit < 100) or (group % 10 == 0 and group >= 20 and unit < 10)


def _folded(word: str) -> str:
    # Hindi spells the same word with and without the dot below, and with either nasal sign.
    decomposed = unicodedata.normalize("NFD", word).replace("\u093c", "").replace("\u0901", "\u0902")
    return unicodedata.normalize("NFC", decomposed)
