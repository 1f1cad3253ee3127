"""Malayalam number words, written apart or grown together."""

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
    0: "പൂജ്യം",
    1: "ഒന്ന്",
    2: "രണ്ട്",
    3: "മൂന്ന്",
    4: "നാല്",
    5: "അഞ്ച്",
    6: "ആറ്",
    7: "ഏഴ്",
    8: "എട്ട്",
    9: "ഒമ്പത് ഒൻപത്",
    10: "പത്ത്",
    11: "പതിനൊന്ന്",
    12: "പന്ത്രണ്ട്",
    13: "പതിമൂന്ന്",
    14: "പതിനാല്",
    15: "പതിനഞ്ച്",
    16: "പതിനാറ്",
    17: "പതിനേഴ്",
    18: "പതിനെട്ട്",
    19: "പത്തൊമ്പത് പത്തൊൻപത്",
}
_TENS = {
    20: "ഇരുപത്",
    30: "മുപ്പത്",
    40: "നാൽപത് നാൽപ്പത്",
    50: "അമ്പത് അൻപത്",
    60: "അറുപത്",
    70: "എഴുപത്",
    80: "എൺപത് എമ്പത്",
    90: "തൊണ്ണൂറ്",
}
_OPEN_TENS = {
    20: "ഇരുപത്തി",
    30: "മുപ്പത്തി",
    40: "നാൽപത്തി നാൽപ്പത്തി",
    50: "അമ്പത്തി അൻപത്തി",
    60: "അറുപത്തി",
    70: "എഴുപത്തി",
    80: "എൺപത്തി എമ്പത്തി",
    90: "തൊണ്ണൂറ്റി",
}
_HUNDREDS = {
    200: "ഇരുനൂറ് ഇരുനൂറ്റി ഇരുന്നൂറ് ഇരുന്നൂറ്റി",
    300: "മുന്നൂറ് മുന്നൂറ്റി",
    400: "നാനൂറ് നാനൂറ്റി നാന്നൂറ് നാന്നൂറ്റി",
    500: "അഞ്ഞൂറ് അഞ്ഞൂറ്റി അഞ്ചൂറ് അഞ്ചൂറ്റി",
    600: "അറുനൂറ് അറുനൂറ്റി അറുന്നൂറ് അറുന്നൂറ്റി",
    700: "എഴുനൂറ് എഴുനൂറ്റി എഴുന്നൂറ് എഴുന്നൂറ്റി",
    800: "എണ്ണൂറ് എണ്ണൂറ്റി എണ്ണുറ്",
    900: "തൊള്ളായിരം തൊള്ളായിരത്തി",
}
_THOUSAND = Multiplier(1000, bare=True)

_ALPHABET = Alphabet("അആഇഈഉഊഎഏഐഒഓഔ", "ാിീുൂെേൈൊോൌ", "്", "ക", "ഹ", "ഇ", "ഉ", "യ")


def language() -> Language:
    """Return the language."""
    words = merged(
        [
            values(_BELOW_20),
            values(_TENS),
            open_values(_OPEN_TENS, room=10),
            values(_HUNDREDS, room=100),
            spellings(Value(1, only_multiplied=True), "ഒരു"),
            spellings(Multiplier(100, most=9, bare=True), "നൂറ് നൂറ്റി"),
            # ഇരുപതിനായിരം, ഒമ്പതിനായിരം: -ഇനായിരം after what ends in -പത്.
            spellings(_THOUSAND, "ആയിരം ആയിരത്തി ഇനായിരം ഇനായിരത്തി"),
            {
                word: (Value(number), _THOUSAND)
                for number, stem in {3: "മൂവാ", 5: "അയ്യാ", 8: "എണ്ണാ", 10: "പതിനാ", 15: "പതിനയ്യാ"}.items()
                for word in (f"{stem}യിരം", f"{stem}യിരത്തി")
            },
            spellings(Multiplier(10**5), "ലക്ഷം ലക്ഷത്തി"),
            spellings(Multiplier(10**7, most=10**7 - 1), "കോടി"),
            spellings(Multiplier(10**6), "മില്യൺ മില്ല്യൺ"),
            spellings(Multiplier(10**9), "ബില്യൺ"),
            spellings(Half(), "അര"),
            spellings(Half(quarters=1), "ഏകാൽ"),
            spellings(Half(quarters=3), "ഏമുക്കാൽ"),
            spellings(Minus(), "മൈനസ്"),
            spellings(Point(), "പോയിന്റ് ദശാംശം"),
        ]
    )
    return Language(words, alphabet=_ALPHABET)
