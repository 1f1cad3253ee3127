"""Filipino number words: the native ones with their linkers, and those from Spanish."""

from voicebench.scoring.number_words.language import Language
from voicebench.scoring.number_words.terms import (
    Link,
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
    0: "sero",
    1: "isa uno",
    2: "dalawa dalawang dos",
    3: "tatlo tatlong tres",
    4: "apat kwatro kuwatro",
    5: "lima limang singko sinko",
    6: "anim sais seis",
    7: "pito pitong siyete syete",
    8: "walo walong otso",
    9: "siyam nuwebe nwebe",
    10: "sampu sampung diyes dyes",
    11: "labingisa onse",
    12: "labindalawa labindalawang labingdalawa labingdalawang",
    13: "labintatlo labintatlong labingtatlo labingtatlong trese",
    14: "labingapat katorse",
    15: "labinlima labinlimang kinse",
    16: "labinganim disisais disiseis",
    17: "labimpito labimpitong disisiyete disisyete",
    18: "labingwalo labingwalong disiotso",
    19: "labinsiyam disinuwebe disinwebe",
}
_TENS = {
    20: "dalawampu bente beinte beynte",
    30: "tatlumpu trenta treinta treynta",
    40: "apatnapu kwarenta kuwarenta",
    50: "limampu singkwenta singkuwenta",
    60: "animnapu sisenta sesenta saisenta",
    70: "pitumpu sitenta setenta",
    80: "walumpu otsenta otsyenta",
    90: "siyamnapu nobenta",
}
_NATIVE_TENS = "dalawampu tatlumpu apatnapu limampu animnapu pitumpu walumpu siyamnapu".split()
_LEADERS = frozenset({"alas"})
"""After this, "dose" is twelve o'clock."""


def language() -> Language:
    """Return the language."""
    words = merged(
        [
            values(_BELOW_20),
            values(_TENS, room=10),
            # "dalawampu't lima" and "libo't lima" have lost their apostrophe; "-ng" links to what is counted.
            values(
                {ten: f"{word}t {word}ng" for ten, word in zip(_TENS, _NATIVE_TENS, strict=True)}, room=10
            ),
            spellings(Value(1, only_multiplied=True, after_tens=True), "isang"),
            # So have "trenta'y singko" and its like.
            open_values(
                {ten: " ".join(f"{word}y" for word in words.split()[1:]) for ten, words in _TENS.items()},
                room=10,
            ),
            spellings(Value(10, room=10, alone="never"), "labing"),
            spellings(Value(12, alone="never"), "dose"),  # also an English word
            spellings(Value(100, room=100), "sandaan isandaan sandaang isandaang"),
            spellings(Value(500, room=100), "kinyentos kinyentas"),
            spellings(Value(1000, room=1000), "sanlibo isanlibo sanlibong isanlibong"),
            spellings(Multiplier(100, most=9), "daan daang daant raan raang raant"),
            spellings(Multiplier(100, most=9, bare=True), "siyento syento siyentos syentos"),
            spellings(Multiplier(10**3), "libo libong libot"),
            spellings(Multiplier(10**3, words_only=True), "mil"),  # "5 mil" may be five million
            spellings(Multiplier(10**6), "milyon milyong milyont"),
            spellings(Multiplier(10**9), "bilyon bilyong"),
            spellings(Multiplier(10**12), "trilyon trilyong"),
            spellings(Link(least_room=10), "at y i"),
            spellings(Link(before_multiplier=True), "na"),
            spellings(Minus(), "minus negatibo"),
            spellings(Point(), "punto"),
        ]
    )
    return Language(words, halves=("at kalahati",), leaders=_LEADERS)
