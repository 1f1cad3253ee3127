"""Telugu number words, written apart or grown together."""

from voicebench.scoring.number_words.language import Alphabet, Language
from voicebench.scoring.number_words.terms import (
    Half,
    Minus,
    Multiplier,
    Point,
    Value,
    merged,
    open_values,
    spellings,
    values,
)

_BELOW_20 = {
    0: "సున్నా సున్న జీరో",
    1: "ఒకటి ఒక్కటి",
    2: "రెండు",
    3: "మూడు",
    4: "నాలుగు",
    5: "ఐదు అయిదు",
    6: "ఆరు",
    7: "ఏడు",
    8: "ఎనిమిది ఎనిమ్మిది",
    9: "తొమ్మిది",
    10: "పది",
    11: "పదకొండు",
    12: "పన్నెండు పన్నిండు",
    13: "పదమూడు",
    14: "పద్నాలుగు పధ్నాలుగు పదునాలుగు",
    15: "పదిహేను పదహైదు పదునైదు పదునయిదు",
    16: "పదహారు పదిహారు",
    17: "పదిహేడు పదహేడు",
    18: "పద్దెనిమిది పద్ధెనిమిది పధ్ధెనిమిది పధ్దెనిమిది",
    19: "పందొమ్మిది పంతొమ్మిది పంధొమ్మిది",
}
_TENS = {
    20: "ఇరవై ఇరువై ఇరవయి",
    30: "ముప్పై ముప్ఫై ముప్పయి",
    40: "నలభై నలబై నలభయి",
    50: "యాభై యాబై ఏభై యాభయి",
    60: "అరవై ఆరవై అరవయి",
    70: "డెబ్బై డెబ్భై డెబ్బయి",
    80: "ఎనభై ఎనబై ఎనభయి",
    90: "తొంభై తొంబై తొంభయి",
}

_ALPHABET = Alphabet("అఆఇఈఉఊఎఏఐఒఓఔ", "ాిీుూెేైొోౌ", "్", "క", "హ", "ఇ", "ఉ", "య")


def language() -> Language:
    """Return the language."""
    words = merged(
        [
            values(_BELOW_20),
            values(_TENS, room=10),
            open_values({100: "నూట"}, room=100),
            spellings(Value(100, room=100), "నూరు"),
            {"వెయ్యిన్నూట": (Value(1000, room=1000), Value(100, room=100))},
            spellings(Value(1, only_multiplied=True, after_tens=True), "ఒక ఒక్క"),
            spellings(Multiplier(100, most=99, bare=True), "వంద"),
            spellings(Multiplier(100, most=99), "వందలు వందల ఒందలు ఒందల"),
            spellings(Multiplier(1000, bare=True), "వెయ్యి వేయి"),
            spellings(Multiplier(1000), "వేలు వేల వేయిల"),
            spellings(Multiplier(10**5, bare=True), "లక్ష లక్షా"),
            spellings(Multiplier(10**5), "లక్షలు లక్షల"),
            spellings(Multiplier(10**7, most=10**7 - 1, bare=True), "కోటి"),
            spellings(Multiplier(10**7, most=10**7 - 1), "కోట్లు కోట్ల కోట్లా"),
            spellings(Multiplier(10**6), "మిలియన్ మిలియన్లు"),
            spellings(Multiplier(10**9), "బిలియన్ బిలియన్లు"),
            spellings(Half(), "న్నర"),
            spellings(Minus(), "మైనస్"),
            spellings(Point(), "పాయింట్ దశాంశం"),
        ]
    )
    return Language(words, alphabet=_ALPHABET)
