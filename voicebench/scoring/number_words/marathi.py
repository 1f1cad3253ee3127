"""Marathi number words: one for each of 0–99, hundreds with शे as one word, quarters and halves."""

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
    "शून्य|एक|दोन|तीन|चार|पाच पांच|सहा|सात|आठ|नऊ"
    "|दहा|अकरा|बारा|तेरा|चौदा|पंधरा|सोळा|सतरा|अठरा|एकोणीस एकोणवीस"
    "|वीस|एकवीस|बावीस|तेवीस|चोवीस|पंचवीस|सव्वीस सहावीस|सत्तावीस|अठ्ठावीस अठावीस अट्ठावीस|एकोणतीस"
    "|तीस|एकतीस|बत्तीस|तेहतीस तेहेतीस तेतीस|चौतीस चौतिस|पस्तीस|छत्तीस|सदतीस|अडतीस|एकोणचाळीस"
    "|चाळीस|एक्केचाळीस एकेचाळीस|बेचाळीस|त्रेचाळीस|चव्वेचाळीस चौवेचाळीस|पंचेचाळीस|सेहेचाळीस शेहेचाळीस शेचाळीस"
    "|सत्तेचाळीस|अठ्ठेचाळीस अठेचाळीस|एकोणपन्नास"
    "|पन्नास|एक्कावन्न एकावन्न|बावन्न|त्रेपन्न|चोपन्न चौपन्न|पंचावन्न|छप्पन्न|सत्तावन्न|अठ्ठावन्न अठावन्न|एकोणसाठ"
    "|साठ|एकसष्ट एकसष्ठ|बासष्ट बासष्ठ|त्रेसष्ट त्रेसष्ठ|चौसष्ट चौसष्ठ|पासष्ट पासष्ठ|सहासष्ट सहासष्ठ"
    "|सदुसष्ट सदुसष्ठ|अडुसष्ट अडुसष्ठ अडसष्ट|एकोणसत्तर"
    "|सत्तर|एक्काहत्तर एकाहत्तर|बाहत्तर बहात्तर|त्र्याहत्तर|चौऱ्याहत्तर चौर्याहत्तर|पंच्याहत्तर पंचाहत्तर|शहात्तर शाहत्तर"
    "|सत्याहत्तर सत्त्याहत्तर|अठ्ठ्याहत्तर अठ्याहत्तर|एकोणऐंशी एकोणऐशी"
    "|ऐंशी ऐशी|एक्क्याऐंशी एक्याऐंशी|ब्याऐंशी|त्र्याऐंशी|चौऱ्याऐंशी चौर्याऐंशी|पंच्याऐंशी पंचाऐंशी पंच्याऐशी|शहाऐंशी सह्यांशी"
    "|सत्त्याऐंशी सत्याऐंशी सत्तेऐंशी|अठ्ठ्याऐंशी अठ्याऐंशी|एकोणनव्वद"
    "|नव्वद|एक्क्याण्णव एक्याण्णव|ब्याण्णव|त्र्याण्णव|चौऱ्याण्णव चौर्याण्णव|पंच्याण्णव पंचाण्णव|शहाण्णव"
    "|सत्त्याण्णव सत्याण्णव|अठ्ठ्याण्णव अठ्याण्णव|नव्व्याण्णव नव्याण्णव"
).split("|")
_HUNDRED = Multiplier(100, most=99)
_QUARTERS = {"साडे": Quarters(2), "सव्वा": Quarters(1, multiplies=True), "पावणे": Quarters(-1)}
_BROKEN = {"दीड": Value(Fraction(3, 2)), "अडीच": Value(Fraction(5, 2))}


def _joined() -> Words:
    """Return the words that are written as one: पाचशे, साडेतीन, साडेतीनशे, दीडशे, सव्वाशे."""
    numbers = values(dict(enumerate(_BELOW_100[:100])))
    joined: Words = {f"{word}शे": (*terms, _HUNDRED) for word, terms in numbers.items()}
    for prefix, quarters in _QUARTERS.items():
        for word, terms in values(dict(enumerate(_BELOW_100[1:], 1))).items():
            joined[f"{prefix}{word}"] = (quarters, *terms)
            joined[f"{prefix}{word}शे"] = (quarters, *terms, _HUNDRED)
    for word, value in _BROKEN.items():
        joined[f"{word}शे"] = (value, _HUNDRED)
    joined["सव्वाशे"] = (_QUARTERS["सव्वा"], _HUNDRED)
    return joined


def language() -> Language:
    """Return the language."""
    words = merged(
        [
            values(dict(enumerate(_BELOW_100))),
            _joined(),
            {word: (value,) for word, value in _BROKEN.items()},
            {word: (quarters,) for word, quarters in _QUARTERS.items()},
            spellings(Value(100), "शंभर"),
            spellings(Value(75), "पाऊणशे"),
            spellings(Value(Fraction(3, 4)), "पाऊण"),
            spellings(_HUNDRED, "शे"),
            spellings(Multiplier(10**3), "हजार"),
            spellings(Multiplier(10**5), "लाख"),
            spellings(Multiplier(10**7, most=10**7 - 1), "कोटी"),
            spellings(Multiplier(10**9), "अब्ज"),
            spellings(Minus(), "उणे वजा मायनस"),
            spellings(Point(), "दशांश पॉइंट पॉईंट"),
        ]
    )
    return Language(words)
