"""What is read figure by figure: telephone and account numbers, one-time passwords, plates, codes."""

import re
from collections.abc import Callable

from voicebench.audio.spoken.figures import Context
from voicebench.audio.spoken.language import JOINT, Language

_TELEPHONES = (
    r"\(?\+\d{1,3}\)?(?:[\s.-]?\(?\d{1,5}\)?){2,5}",
    r"\(?\d{3}\)?[\s.-]\d{3}[\s.-]\d{4}",
    r"\d{4}(?:[\s-]\d{4}){1,3}",
    r"1-\d{3}-\d{3}-\d{4}",
    r"0\d{1,4}[\s.-]\d{3,4}(?:[\s.-]?\d{2,4}){1,2}",
    r"1[3-9]\d[\s-]\d{4}[\s-]\d{4}",
    r"\d{5}[\s-]\d{5}",
)
_TELEPHONE = re.compile(rf"(?<![A-Za-z\d_.,])(?:{'|'.join(_TELEPHONES)})(?![A-Za-z\d_]|[.,]\d)")

_SHORTEST_TELEPHONE = 7

_PLATES = (
    r"[A-Z]{2}[\s-]\d{1,2}[\s-][A-Z]{1,3}[\s-]\d{1,4}",
    r"[A-Z]{1,2}\s\d{1,4}\s[A-Z]{2,3}",
    r"\d{2}[A-Z]\d?[\s-]\d{3}\.?\d{2}",
)
_LETTERS_FIRST = r"(?:[A-Z]{1,4}-?\d+)+(?:-?[A-Z]{1,3}(?:-?\d+)?)*"
_AIRLINE = r"(?:[A-Z]\d|\d[A-Z])[\s-]\d{2,4}"
_CODE = re.compile(rf"(?<![A-Za-z\d_.,])(?:{'|'.join(_PLATES)}|{_AIRLINE}|{_LETTERS_FIRST})(?![A-Za-z\d_])")

_MIXED = re.compile(r"[A-Z][\s-]?\d|\d[\s-]?[A-Z]")

_FURTHEST_NAME = 40
_NUMBER = r"number|no\.|id|code|नंबर|नम्बर"
_IS = "is|was|है|हैं|था|হলো|হল|হচ্ছে|आहे|అంటే|ആണ്|adalah|là|ay|คือ|是|为"
_THREE_DIGITS = re.compile(r"\d\d\d")
_NUMBER_SIGN = re.compile(r"#\s?(\d+)")
# A long round number counts something.
_LONG = re.compile(r"(?<![\d.,:/])(?:0\d+|(?!\d*000(?!\d))\d{7,}|\d{16,})(?![\d,.]*\d)")
_MAYBE_LONG = re.compile(r"\d(?:(?<=0)\d|\d{6})")
_FIGURES = re.compile(r"(?<![\d.,:/])\d{3,}(?![\d,.]*\d)")


def telephone(language: Language) -> Callable[[str, Context], str]:
    """Return the rule of +91 98765 43210 · 080-2345-6789 · 4111 1111 1111 1111, group by group."""

    def say(text: str, context: Context) -> str:
        if sum(map(str.isdecimal, text)) < _SHORTEST_TELEPHONE:
            return text
        return _TELEPHONE.sub(lambda match: f"{JOINT}{language.telephone(match.group())}{JOINT}", text)

    return say


def named_figures(language: Language) -> Callable[[str, Context], str]:
    """Return the rule of OTP is 4582 · order 7731 · #7731."""
    words = language.words
    gap = language.gap
    # Where no spaces are written, a word has no end to look for.
    end = "" if language.unspaced else language.no_letter_behind
    named = re.compile(
        rf"{language.no_letter_before}(?:{words.identifiers}){end}"
        rf"(?:{gap}(?:{_NUMBER}))?(?:{gap}(?:{_IS}))?\s?[:：#=-]?\s?(?:(?-i:[A-Z]{{1,3}})\s)?$",
        re.IGNORECASE,
    )
    # "order 150 pizzas" is a count; "order 7731" is not.
    counted = re.compile(
        rf"\s?(?:{words.counted}){end}" + ("" if language.unspaced else r"|[^\W\d_]"), re.IGNORECASE
    )

    def figures(match: re.Match[str]) -> str:
        text = match.string
        if counted.match(text, match.end()):
            return match.group()
        if named.search(text, max(0, match.start() - _FURTHEST_NAME), match.start()) is None:
            return match.group()
        return f"{JOINT}{language.spell(match.group())}{JOINT}"

    def say(text: str, context: Context) -> str:
        if _THREE_DIGITS.search(text):
            text = _FIGURES.sub(figures, text)
        return _NUMBER_SIGN.sub(
            lambda match: f"{JOINT}{language.join(words.symbols['#'], language.spell(match[1]))}{JOINT}", text
        )

    return say


def codes(language: Language) -> Callable[[str, Context], str]:
    """Return the rule of KA 05 MX 1234 · B-12 · SAVE20 · 6E 2134."""

    def code(match: re.Match[str]) -> str:
        parts = re.findall(r"[A-Z]|\d+", match.group())
        said = " ".join(language.spell(part) if part.isdigit() else part for part in parts)
        return f"{JOINT}{said}{JOINT}"

    def say(text: str, context: Context) -> str:
        return _CODE.sub(code, text) if _MIXED.search(text) else text

    return say


def long_figures(language: Language) -> Callable[[str, Context], str]:
    """Return the rule of 0042 and 98765432, which no name introduces."""
    counted = re.compile(rf"\s?(?:{language.words.counted})", re.IGNORECASE)

    def figures(match: re.Match[str]) -> str:
        if not match.group().startswith("0") and counted.match(match.string, match.end()):
            return match.group()
        return f"{JOINT}{language.spell(match.group())}{JOINT}"

    def say(text: str, context: Context) -> str:
        return _LONG.sub(figures, text) if _MAYBE_LONG.search(text) else text

    return say
