"""Bengali number words: one for each of 0–99, hundreds as one word or two, quarters and halves."""

from fractions import Fraction

from voicebench.scoring.number_words.language import Language
from voicebench.scoring.number_words.terms import (
    Minus,
    Multiplier,
    Point,
    Quarters,
    Value,
    Words,
    merged,
    spellings,
    values,
)

_BELOW_100 = (
    "শূন্য শুন্য জিরো|এক|দুই দু|তিন|চার|পাঁচ পাচ|ছয় ছ|সাত|আট|নয়"
    "|দশ|এগারো এগার|বারো বার|তেরো তের|চৌদ্দ চোদ্দ|পনেরো পনের|ষোলো ষোল|সতেরো সতের|আঠারো আঠার|উনিশ ঊনিশ"
    "|বিশ কুড়ি|একুশ|বাইশ|তেইশ|চব্বিশ|পঁচিশ|ছাব্বিশ|সাতাশ|আঠাশ আটাশ|উনত্রিশ ঊনত্রিশ"
    "|ত্রিশ তিরিশ|একত্রিশ|বত্রিশ|তেত্রিশ|চৌত্রিশ|পঁয়ত্রিশ পঁইত্রিশ|ছত্রিশ|সাঁইত্রিশ সাতত্রিশ|আটত্রিশ|উনচল্লিশ ঊনচল্লিশ"
    "|চল্লিশ|একচল্লিশ|বিয়াল্লিশ বেয়াল্লিশ|তেতাল্লিশ|চুয়াল্লিশ চৌচল্লিশ|পঁয়তাল্লিশ|ছেচল্লিশ|সাতচল্লিশ|আটচল্লিশ|উনপঞ্চাশ ঊনপঞ্চাশ"
    "|পঞ্চাশ|একান্ন|বাহান্ন বায়ান্ন|তিপ্পান্ন তেপ্পান্ন|চুয়ান্ন|পঞ্চান্ন|ছাপ্পান্ন|সাতান্ন|আটান্ন|উনষাট ঊনষাট"
    "|ষাট|একষট্টি|বাষট্টি|তেষট্টি|চৌষট্টি|পঁয়ষট্টি|ছেষট্টি ছিষট্টি|সাতষট্টি|আটষট্টি|উনসত্তর ঊনসত্তর"
    "|সত্তর|একাত্তর|বাহাত্তর|তিয়াত্তর|চুয়াত্তর|পঁচাত্তর|ছিয়াত্তর|সাতাত্তর|আটাত্তর|উনআশি ঊনআশি উনাশি ঊনাশি"
    "|আশি|একাশি|বিরাশি|তিরাশি|চুরাশি|পঁচাশি|ছিয়াশি|সাতাশি|আটাশি অষ্টাশি|উননব্বই ঊননব্বই"
    "|নব্বই|একানব্বই|বিরানব্বই|তিরানব্বই|চুরানব্বই|পঁচানব্বই|ছিয়ানব্বই|সাতানব্বই|আটানব্বই|নিরানব্বই"
).split("|")
_SHY = {"নয়": 9, "বার": 12, "তের": 13}
_BOUND = {"দু": 2, "ছ": 6}
_HUNDRED = Multiplier(100, most=99)
_HUNDREDS = ("শ", "শো", "শত")


def _below_100() -> Words:
    """Return the words of 0–99; "নয়" also says "is not", and "বার" a time or a day of the week."""
    words = values(dict(enumerate(_BELOW_100)))
    words |= {word.replace("ত্রিশ", "তিরিশ"): terms for word, terms in words.items()}
    shy = {word: (Value(number, alone="if it is the whole text"),) for word, number in _SHY.items()}
    return words | shy | {word: (Value(number, alone="never"),) for word, number in _BOUND.items()}


def _joined() -> Words:
    """Return the hundreds that are written as one word: একশ, দুশো, পাঁচশত, দেড়শো."""
    starts = {word: terms for word, terms in _below_100().items() if terms != (Value(0),)}
    starts |= _BROKEN | {"ন": (Value(9),)}
    return {word + hundred: (*terms, _HUNDRED) for word, terms in starts.items() for hundred in _HUNDREDS}


_BROKEN: Words = {
    "দেড়": (Value(Fraction(3, 2)),),
    "আড়াই": (Value(Fraction(5, 2)),),
}
_SUFFIXES = ("টায়", "টার", "টা", "টি", "টো", "টে", "জন", "খানা")
"""What is counted, written onto the number word: পাঁচটা, তিনজন."""


def language() -> Language:
    """Return the language."""
    words = merged(
        [
            _below_100(),
            _joined(),
            _BROKEN,
            spellings(Quarters(2), "সাড়ে"),
            spellings(Quarters(1, multiplies=True), "সোয়া সওয়া"),
            spellings(Quarters(-1), "পৌনে"),
            spellings(_HUNDRED, "শ শো শত"),
            spellings(Multiplier(10**3), "হাজার"),
            spellings(Multiplier(10**5), "লাখ লক্ষ"),
            spellings(Multiplier(10**7, most=10**7 - 1), "কোটি"),
            spellings(Multiplier(10**6), "মিলিয়ন"),
            spellings(Multiplier(10**9), "বিলিয়ন"),
            spellings(Minus(), "মাইনাস"),
            spellings(Point(), "দশমিক পয়েন্ট"),
        ]
    )
    return Language(words, suffixes=_SUFFIXES)
