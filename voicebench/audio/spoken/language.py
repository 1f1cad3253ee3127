"""What a language must know to say what is written in figures."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

Half = Literal["am", "pm"]
Form = tuple[str, Callable[[re.Match[str]], str]]
"""A written form of one language alone: a pattern, and what is said for its match."""

JOINT = "\u2009"
"""A space put between words that closes up where the language writes none; no cleaned text has it."""

INITIALISMS = frozenset("OTP EMI IFSC KYC FAQ ETA UTR IMEI IPL IRCTC VIP LED EPF ESI UAE EV UPS".split())
"""Read letter by letter, and said as words by espeak-ng's English, which most synthesizers lean on."""

# Combining signs and joiners of the scripts that words here are written in; the danda is no part of a word.
_MARKS = "\u0300-\u036f\u0900-\u0963\u0966-\u0d7f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u200c\u200d"


@dataclass(frozen=True)
class Noun:
    """A counted noun: its form for one, and for all other counts."""

    one: str
    many: str


@dataclass(frozen=True)
class Currency:
    """A currency's unit and its hundredth, where one is said."""

    unit: Noun
    hundredth: Noun | None = None


@dataclass(frozen=True)
class Words:
    """A language's vocabulary of figures; patterns are regular expressions, matched without regard to case.

    An empty pattern is never matched.

    Attributes:
        digits: Names of 0 to 9.
        point: Said for the decimal point.
        minus: Said for a negative sign.
        plus: Said for the "+" of a telephone number.
        to: Said for the dash of a range.
        dot: Said for the dot of an address.
        slash: Said for the slash of an address.
        percent: Said behind the number for %.
        hashtag: Said for the # in front of a word.
        months: Names and abbreviations, in lower case, to the month's number.
        currencies: By ISO code; all of `CURRENCIES`.
        units: By symbol, as written behind a number.
        scales: What multiplies an amount of money ("lakh", "k"), written to spoken.
        symbols: What single characters are called.
        abbreviations: Written to spoken; matched as whole words, with their dot.
        initialisms: Words in capitals that are read letter by letter, and that a synthesizer takes for words.
        letters: Names of A to Z, for scripts other than Latin; without them, letters stand alone.
        identifiers: Pattern of words behind which digits are an identifier, read one by one.
        counted: Pattern of words that show that the digits before them are a count after all.
        uncounted: Pattern of words that, behind a number, are not what it counts.
        ordinal_suffixes: Pattern of what makes a figure a rank ("23rd").
        year: Pattern of a year in its context: group 1 is what stands in front, group 2 the year itself.
        day: Pattern of words behind which 23/3 is a date.
        before_a_date: Said in front of a date in figures that has none of these words.
        parts_of_day: Pattern of the words in front of a time that say which part of the day it is.
        o_clock: Pattern of the words behind a time that `clock` takes into account.
    """

    digits: tuple[str, ...]
    point: str
    minus: str
    plus: str
    to: str
    dot: str
    slash: str
    percent: str
    hashtag: str
    months: Mapping[str, int]
    currencies: Mapping[str, Currency]
    units: Mapping[str, Noun]
    scales: Mapping[str, str]
    symbols: Mapping[str, str]
    abbreviations: Mapping[str, str]
    identifiers: str
    counted: str
    initialisms: frozenset[str] = INITIALISMS
    letters: tuple[str, ...] = ()
    uncounted: str = ""
    ordinal_suffixes: str = ""
    year: str = ""
    day: str = ""
    before_a_date: str = ""
    parts_of_day: str = ""
    o_clock: str = ""


class Language(ABC):
    """The words of one language, and how numbers are put together from them.

    Attributes:
        code: The language code.
        words: Its vocabulary.
        indian: Whether it always counts in lakh and crore.
        comma_decimals: Whether the comma is the decimal mark, and the dot groups thousands.
        month_first: Whether 3/4/2026 is the fourth of March wherever the speakers live.
        unspaced: Whether it writes no spaces between words.
        pause: What is written for a short pause between two groups of digits.
        between_digits: What is written between two digits that are read one by one.
    """

    code: str
    words: Words
    indian: bool = False
    comma_decimals: bool = False
    month_first: bool = False
    unspaced: bool = False
    pause: str = ","
    between_digits: str = " "

    @abstractmethod
    def cardinal(self, number: int, *, indian: bool) -> str:
        """Return a count in words, in lakh and crore if `indian`."""

    @abstractmethod
    def ordinal(self, number: int, suffix: str) -> str:
        """Return a rank in words; `suffix` is what is written behind the figure."""

    @abstractmethod
    def date(self, day: int, month: int, year: int | None) -> str:
        """Return a date in words."""

    @abstractmethod
    def clock(self, hour: int, minute: int, half: Half | None, before: str, after: str) -> str:
        """Return a time of day in words, with `before` and `after`.

        Args:
            hour: 0 to 23.
            minute: 0 to 59.
            half: Of the day, where it is written.
            before: The word in front that names the part of the day, or "".
            after: The word behind that says "o'clock" already, or "".
        """

    @abstractmethod
    def fraction(self, numerator: int, denominator: int) -> str:
        """Return a proper fraction in words; the denominator is 2 to 10, or 100."""

    def attributive(self, number: int, *, indian: bool) -> str:
        """Return a count in words as it stands in front of what is counted."""
        return self.cardinal(number, indian=indian)

    def year(self, number: int) -> str:
        """Return a year in words."""
        return self.cardinal(number, indian=False)

    def mixed(self, whole: int, numerator: int, denominator: int) -> str:
        """Return a whole number and a fraction in words."""
        return self.join(self.cardinal(whole, indian=False), self.fraction(numerator, denominator))

    def percentage(self, said: str) -> str:
        """Return a percentage, given its number in words."""
        return self.join(said, self.words.percent)

    def scaled(self, said: str, scale: str) -> str:
        """Return a number in words with what multiplies it: "two point five lakh"."""
        return self.join(said, scale)

    def finish(self, text: str) -> str:
        """Return a text that is all in words with what its words do to each other; twice is as once."""
        return text

    def forms(self) -> tuple[Form, ...]:
        """Return the written forms that only this language has; they are said before all general ones."""
        return ()

    def spell(self, figures: str) -> str:
        """Return figures one by one; a "+" is said, whatever else stands between two groups is a pause."""
        groups: list[list[str]] = [[]]
        for character in figures:
            if character.isdecimal():
                groups[-1].append(self.words.digits[int(character)])
            elif character == "+":
                groups[-1].append(self.words.plus)
            elif groups[-1]:
                groups.append([])
        pause = self.pause if self.unspaced else f"{self.pause} "
        return pause.join(self.between_digits.join(group) for group in groups if group)

    def telephone(self, figures: str) -> str:
        """Return a telephone or card number, group by group."""
        return self.spell(figures)

    def number(self, whole: int, fraction: str, *, indian: bool) -> str:
        """Return a number in words, its decimals ("05" of 2.05, or "") one by one."""
        said = self.cardinal(whole, indian=indian)
        return self.with_decimals(said, fraction) if fraction else said

    def with_decimals(self, said: str, fraction: str) -> str:
        """Return a number in words with its decimals read one by one."""
        return self.join(said, self.words.point, self.spell(fraction))

    def money(self, whole: int, hundredths: int, code: str, *, indian: bool) -> str:
        """Return an amount in words; the hundredths are left out where there are none."""
        currency = self.words.currencies[code]
        parts = []
        if whole or not hundredths:
            parts.append(self.counted(whole, currency.unit, indian=indian))
        if hundredths and currency.hundredth:
            parts.append(self.counted(hundredths, currency.hundredth, indian=indian))
        return self.joined(parts)

    def counted(self, number: int, noun: Noun, *, indian: bool) -> str:
        """Return a number with its noun."""
        return self.join(self.attributive(number, indian=indian), noun.one if number == 1 else noun.many)

    def joined(self, parts: list[str]) -> str:
        """Return the parts of an amount as one."""
        return self.join(*parts)

    def join(self, *parts: str) -> str:
        """Return words one behind another."""
        return ("" if self.unspaced else " ").join(parts)

    @property
    def number_pattern(self) -> str:
        """Pattern of a number with or without groups and decimals; it begins with a digit, for speed."""
        western = r"\d{0,2}(?:,\d{2,3})+(?:\.\d+)?(?!\d)"
        if self.comma_decimals:
            return rf"\d(?:\d{{0,2}}(?:\.\d{{3}})+(?:,\d+)?(?!\d)|{western}|\d*(?:[.,]\d+)?)"
        return rf"\d(?:{western}|\d*(?:\.\d+)?)"

    @property
    def gap(self) -> str:
        """Pattern of what stands between two words."""
        return r"\s?" if self.unspaced else r"\s"

    @property
    def no_letter_before(self) -> str:
        """Lookbehind: no letter of the same word stands in front."""
        return "(?<![A-Za-z])" if self.unspaced else rf"(?<![^\W\d_]|[{_MARKS}])"

    @property
    def no_word_before(self) -> str:
        """Lookbehind: neither a word nor a number ends here, so that a dash is a minus."""
        return r"(?<![A-Za-z\d)])" if self.unspaced else r"(?<![\w)])"

    @property
    def no_letter_behind(self) -> str:
        """Lookahead: the word ends here. A combining sign belongs to its word, and is no letter to `re`."""
        return "(?![A-Za-z])" if self.unspaced else rf"(?![^\W\d_]|[{_MARKS}])"


PartsOfDay = tuple[tuple[int, str], ...]
"""What a part of the day is called, each with the hour before which it ends; the last one ends at 24."""


def hour_of_day(hour: int, half: Half | None) -> int:
    """Return the hour from 0 to 23 that a written hour and half of the day mean."""
    return hour if half is None else hour % 12 + (12 if half == "pm" else 0)


def part_of_day(hour: int, parts: PartsOfDay) -> str:
    """Return the part of the day that an hour from 0 to 23 belongs to."""
    return next(name for until, name in parts if hour < until)


def said_hour(hour: int, half: Half | None, before: str, parts: PartsOfDay) -> tuple[int, str]:
    """Return the hour of the day, and the part of it that is said: `before`, or where it is not plain."""
    plain = half is None and 0 < hour <= 12
    hour = hour_of_day(hour, half)
    return hour, before or ("" if plain else part_of_day(hour, parts))


def groups(number: int, powers: tuple[int, ...]) -> list[tuple[int, int]]:
    """Return (count, power of ten) for each of the powers that a number holds, largest first."""
    found = []
    for power in powers:
        count, number = divmod(number, 10**power)
        if count:
            found.append((count, power))
    return found


def alternatives(written: Iterable[str]) -> str:
    """Return a pattern that matches any of some texts, the longest first; never the empty one."""
    return (
        "|".join(re.escape(text) for text in sorted(filter(None, written), key=len, reverse=True)) or "(?!)"
    )


INDIAN_POWERS = (7, 5, 3, 2, 0)
WESTERN_POWERS = (12, 9, 6, 3, 2, 0)
