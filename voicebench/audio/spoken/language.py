"""What a language must know to say what is written in figures."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Half = Literal["am", "pm"]


@dataclass(frozen=True)
class Noun:
    """A counted noun: its form for one, and for all other counts."""

    one: str
    many: str


@dataclass(frozen=True)
class Currency:
    """A currency's unit and its hundredth."""

    unit: Noun
    hundredth: Noun


@dataclass(frozen=True)
class Words:
    """A language's vocabulary of figures; patterns are regular expressions, matched without regard to case.

    Attributes:
        digits: Names of 0 to 9.
        point: Said for the decimal point.
        minus: Said for a negative sign.
        plus: Said for the "+" of a telephone number.
        to: Said for the dash of a range.
        dot: Said for the dot of an address.
        percent: Said for %.
        months: Names and abbreviations, in lower case, to the month's number.
        currencies: By ISO code.
        units: By symbol, as written behind a number.
        scales: Words that multiply an amount ("lakh", "million").
        fractions: "1/2", "1/4" and "3/4".
        symbols: What single characters are called.
        abbreviations: Written to spoken; matched as whole words, with their dot.
        identifiers: Pattern of words behind which digits are an identifier, read one by one.
        counted: Pattern of words that show that the digits before them are a count after all.
        ordinal_suffixes: Pattern of what makes a figure a rank ("23rd").
        year: Pattern of a year in its context: group 1 is what stands in front, group 2 the year itself.
    """

    digits: tuple[str, ...]
    point: str
    minus: str
    plus: str
    to: str
    dot: str
    percent: str
    months: Mapping[str, int]
    currencies: Mapping[str, Currency]
    units: Mapping[str, Noun]
    scales: frozenset[str]
    fractions: Mapping[str, str]
    symbols: Mapping[str, str]
    abbreviations: Mapping[str, str]
    identifiers: str
    counted: str
    ordinal_suffixes: str
    year: str


class Language(ABC):
    """The words of one language, and how numbers are put together from them.

    Attributes:
        code: The language code.
        words: Its vocabulary.
        indian: Whether it always counts in lakh and crore.
    """

    code: str
    words: Words
    indian: bool = False

    @abstractmethod
    def cardinal(self, number: int, *, indian: bool) -> str:
        """Return a count in words, in lakh and crore if `indian`."""

    @abstractmethod
    def ordinal(self, number: int, suffix: str) -> str:
        """Return a rank in words; `suffix` is what is written behind the figure."""

    @abstractmethod
    def year(self, number: int) -> str:
        """Return a year in words."""

    @abstractmethod
    def date(self, day: int, month: int, year: int | None) -> str:
        """Return a date in words."""

    @abstractmethod
    def clock(self, hour: int, minute: int, half: Half | None, before: str, after: str) -> str:
        """Return a time of day in words, up to and with `after`.

        Args:
            hour: 0 to 23.
            minute: 0 to 59.
            half: Of the day, where it is written.
            before: The word in front, which may name the part of the day already.
            after: The word behind, which may say "o'clock" already.
        """

    def spell(self, figures: str) -> str:
        """Return figures one by one; a "+" is said, whatever else stands between two groups is a pause."""
        said: list[str] = []
        for character in figures:
            if character.isdecimal():
                said.append(self.words.digits[int(character)])
            elif character == "+":
                said.append(self.words.plus)
            elif said and not said[-1].endswith(","):
                said[-1] += ","
        return " ".join(said).rstrip(",")

    def number(self, whole: int, fraction: str, *, indian: bool) -> str:
        """Return a number in words, its decimals ("05" of 2.05, or "") one by one."""
        said = self.cardinal(whole, indian=indian)
        return f"{said} {self.words.point} {self.spell(fraction)}" if fraction else said

    def money(self, whole: int, hundredths: int, code: str, *, indian: bool) -> str:
        """Return an amount in words; the hundredths are left out where there are none."""
        currency = self.words.currencies[code]
        parts = []
        if whole or not hundredths:
            parts.append(self.counted(whole, currency.unit, indian=indian))
        if hundredths:
            parts.append(self.counted(hundredths, currency.hundredth, indian=indian))
        return self.joined(parts)

    def counted(self, number: int, noun: Noun, *, indian: bool) -> str:
        """Return a number with its noun."""
        return f"{self.cardinal(number, indian=indian)} {noun.one if number == 1 else noun.many}"

    def joined(self, parts: list[str]) -> str:
        """Return the parts of an amount as one."""
        return " ".join(parts)


def groups(number: int, powers: tuple[int, ...]) -> list[tuple[int, int]]:
    """Return (count, power of ten) for each of the powers that a number holds, largest first."""
    found = []
    for power in powers:
        count, number = divmod(number, 10**power)
        if count:
            found.append((count, power))
    return found


INDIAN_POWERS = (7, 5, 3, 2, 0)
WESTERN_POWERS = (12, 9, 6, 3, 2, 0)
