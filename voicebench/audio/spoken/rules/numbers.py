"""Numbers: fractions, percentages, ranks, ranges, measures, years, and every number that is left."""

import re
from collections.abc import Callable

from voicebench.audio.spoken.english import English
from voicebench.audio.spoken.figures import Context
from voicebench.audio.spoken.language import JOINT, Language, alternatives

Rule = Callable[[str, Context], str]

_FRACTION = (
    r"(?<![\d/.,])(?:(?P<whole>\d{1,4})[\s-])?(?P<upper>\d{1,2})/(?P<lower>[2-9]|10|100)(?![\d/.,]*\d)"
)
_YEAR = re.compile(r"[12]\d\d\d")
_VERSION = re.compile(r"\d(?:\d*\.\d+){2,}")
_ENGLISH_ORDINAL = re.compile(r"(?<![\d.,])(\d{1,9})(?:st|nd|rd|th)(?![A-Za-z])", re.IGNORECASE)
_ENGLISH = English()


def fractions(language: Language) -> Rule:
    """Return the rule of 1/2, 2 1/2 and 1/4 kg."""
    units = language.words.units
    pattern = re.compile(rf"{_FRACTION}(?:\s?(?P<unit>{alternatives(units)}){language.no_letter_behind})?")

    def said(match: re.Match[str]) -> str:
        upper, lower, unit = int(match["upper"]), int(match["lower"]), match["unit"]
        if not 0 < upper < lower:
            return match.group()
        if match["whole"]:
            parts = [language.mixed(int(match["whole"]), upper, lower)] + ([units[unit].many] if unit else [])
        else:
            parts = [language.fraction(upper, lower)] + ([units[unit].one] if unit else [])
        return f"{JOINT}{language.join(*parts)}{JOINT}"

    def say(text: str, context: Context) -> str:
        return pattern.sub(said, text) if "/" in text else text

    return say


def percentages(language: Language) -> Rule:
    """Return the rule of 12.5%."""
    number = language.number_pattern
    pattern = re.compile(rf"(?<![A-Za-z\d.,])({language.no_word_before}-)?({number})\s?%")

    def say(text: str, context: Context) -> str:
        def said(match: re.Match[str]) -> str:
            number = context.number(match[2], attributive=True)
            signed = language.join(language.words.minus, number) if match[1] else number
            return f"{JOINT}{language.percentage(signed)}{JOINT}"

        return pattern.sub(said, text) if "%" in text else text

    return say


def ordinals(language: Language) -> Rule:
    """Return the rule of 23rd · 23वें; an English rank is in English, like all words in Latin letters."""
    suffixes = language.words.ordinal_suffixes or "(?!)"
    pattern = re.compile(rf"(?<![\d.,])(\d{{1,9}})-?({suffixes}){language.no_letter_behind}", re.IGNORECASE)
    ranked = re.compile(rf"\d(?:-?(?:{suffixes})|st|nd|rd|th)", re.IGNORECASE)

    def say(text: str, context: Context) -> str:
        if ranked.search(text) is None:
            return text
        text = pattern.sub(
            lambda match: f"{JOINT}{language.ordinal(int(match[1]), match[2].lower())}{JOINT}", text
        )
        return _ENGLISH_ORDINAL.sub(
            lambda match: f"{JOINT}{_ENGLISH.ordinal(int(match[1]), '')}{JOINT}", text
        )

    return say


def ranges(language: Language) -> Rule:
    """Return the rule of 5-7, five to seven; the numbers themselves are left to what follows."""
    number = language.number_pattern
    pattern = re.compile(rf"(?<![A-Za-z\d-])({number})\s?[-–—~]\s?(?=(?:{number})(?![\d-]))")

    def say(text: str, context: Context) -> str:
        if not any(dash in text for dash in "-–—~"):
            return text
        return pattern.sub(lambda match: f"{match[1]}{JOINT}{language.words.to}{JOINT}", text)

    return say


def measures(language: Language) -> Rule:
    """Return the rule of 5 km · 2.5kg · 30°C."""
    units = language.words.units
    unit = rf"\s?({alternatives(units)}){language.no_letter_behind}(?!\d)"
    measured = re.compile(rf"\d{unit}")
    pattern = re.compile(rf"({language.no_word_before}-)?({language.number_pattern}){unit}")

    def say(text: str, context: Context) -> str:
        def said(match: re.Match[str]) -> str:
            noun = units[match[3]]
            parts = [language.words.minus] if match[1] else []
            parts.append(context.number(match[2], attributive=True))
            parts.append(noun.one if match[2] == "1" else noun.many)
            return f"{JOINT}{language.join(*parts)}{JOINT}"

        return pattern.sub(said, text) if measured.search(text) else text

    return say


def years(language: Language) -> Rule:
    """Return the rule of "in 2023", twenty twenty-three, where nothing is counted."""
    pattern = re.compile(language.words.year or "(?!)", re.IGNORECASE)

    def say(text: str, context: Context) -> str:
        if _YEAR.search(text) is None:
            return text
        return pattern.sub(lambda match: f"{match[1]} {language.year(int(match[2]))}", text)

    return say


def numbers(language: Language) -> Rule:
    """Return the rule of every number that is left, and of 2.0.1; no digit remains."""
    number = re.compile(language.number_pattern)
    letter = "[A-Za-z]" if language.unspaced else r"[^\W\d_]"
    hyphen = re.compile(rf"(?<={letter})-(?=\d)|(?<=\d)-(?={letter})")
    minus = re.compile(rf"{language.no_word_before}-(?=\d)")
    point = f"{JOINT}{language.words.point}{JOINT}"
    counts = re.compile(
        rf"\s?(?!(?:{language.words.uncounted or '(?!)'}){language.no_letter_behind})[^\W\d_]"
    )

    def say(text: str, context: Context) -> str:
        def said(match: re.Match[str]) -> str:
            attributive = counts.match(match.string, match.end()) is not None
            return f"{JOINT}{context.number(match.group(), attributive=attributive)}{JOINT}"

        def version(match: re.Match[str]) -> str:
            grouped = language.comma_decimals and number.fullmatch(match.group())
            return match.group() if grouped else match.group().replace(".", point)

        if "-" in text:
            text = minus.sub(f"{JOINT}{language.words.minus}{JOINT}", hyphen.sub(" ", text))
        return number.sub(said, _VERSION.sub(version, text))

    return say
