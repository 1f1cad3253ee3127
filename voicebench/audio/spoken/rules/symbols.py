"""Abbreviations, initialisms and single characters."""

import re
from collections.abc import Callable

from voicebench.audio.spoken.figures import Context
from voicebench.audio.spoken.language import JOINT, Language, alternatives
from voicebench.audio.spoken.rules.money import CHARACTERS

Rule = Callable[[str, Context], str]

_LAYOUT = "*_~^|\\<>{}[]/`"
_CAPITALS = re.compile(r"[A-Z](?<![A-Za-z][A-Z])[A-Z]+(?![A-Za-z])")
_HASHTAG = re.compile(r"#(?=[^\W\d_])")


def abbreviations(language: Language) -> Rule:
    """Return the rule of "Dr." and "approx."."""
    written = language.words.abbreviations
    pattern = re.compile(
        rf"{language.no_letter_before}(?<!\d)(?:{alternatives(written)}){language.no_letter_behind}"
        + ("" if language.unspaced else r"(?!\w)")
    )

    def say(text: str, context: Context) -> str:
        return pattern.sub(lambda match: f"{JOINT}{written[match.group()]}{JOINT}", text)

    return say


def initialisms(language: Language) -> Rule:
    """Return the rule of "OTP", letter by letter."""
    words = language.words

    def said(match: re.Match[str]) -> str:
        if match.group() not in words.initialisms:
            return match.group()
        if not words.letters:
            return f"{JOINT}{' '.join(match.group())}{JOINT}"
        return JOINT + "".join(words.letters[ord(letter) - ord("A")] for letter in match.group()) + JOINT

    def say(text: str, context: Context) -> str:
        return _CAPITALS.sub(said, text)

    return say


def symbols(language: Language) -> Rule:
    """Return the rule of "&" and "₹"; marks of layout are not said, a slash between words is a pause."""
    words = language.words
    named = {sign: words.currencies[code].unit.many for sign, code in CHARACTERS.items()} | dict(
        words.symbols
    )
    said = dict.fromkeys(_LAYOUT, " ") | {symbol: f"{JOINT}{name}{JOINT}" for symbol, name in named.items()}
    pattern = re.compile(f"[{''.join(map(re.escape, said))}]")

    def say(text: str, context: Context) -> str:
        if "#" in text:
            text = _HASHTAG.sub(f"{JOINT}{words.hashtag}{JOINT}", text)
        return pattern.sub(lambda match: said[match.group()], text)

    return say
