"""Written figures as numbers, and numbers in words by the customs of a place."""

import re
from dataclasses import dataclass

from voicebench.audio.spoken.language import Language, Words

INDIAN_GROUPS = re.compile(r"\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?")
LONGEST_COUNT = 15
"""Digits of the longest number that is said as a count."""

_LAKH_REGIONS = frozenset({"IN", "BD", "PK", "NP"})
_MONTH_FIRST_REGIONS = frozenset({"US", "PH"})
_YUAN_REGIONS = frozenset({"CN"})
_DOTS = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?")
_COMMAS = re.compile(r"\d{1,3}(?:,\d{3}){2,}(?:\.\d+)?|\d{1,3},\d{3}\.\d+")


@dataclass(frozen=True)
class Context:
    """What the rules need beside the text.

    Attributes:
        language: The language that is spoken.
        region: Country code, or None.
    """

    language: Language
    region: str | None

    @property
    def words(self) -> Words:
        """The language's vocabulary."""
        return self.language.words

    @property
    def indian(self) -> bool:
        """Whether people count in lakh and crore."""
        return self.language.indian or self.region in _LAKH_REGIONS

    @property
    def month_first(self) -> bool:
        """Whether 3/4/2026 is the fourth of March."""
        if self.region is None:
            return self.language.month_first
        return self.region in _MONTH_FIRST_REGIONS

    @property
    def yen_sign(self) -> str:
        """ISO code of the currency that ¥ stands for."""
        return "CNY" if self.region in _YUAN_REGIONS or self.language.code == "zh" else "JPY"

    def parts(self, written: str, *, of_money: bool = False) -> tuple[str, str]:
        """Return the digits of a written number in front of its decimal mark, and those behind it.

        "1.250,5" and "1,250.5" are one number in different languages. Where the comma is the decimal mark,
        "2.5" is still a half more than two, and an amount of money is never written with three decimals.
        """
        if not self.language.comma_decimals:
            whole, _, fraction = written.replace(",", "").partition(".")
            return whole, fraction
        if _COMMAS.fullmatch(written) or (of_money and re.fullmatch(r"\d{1,3},\d{3}", written)):
            whole, _, fraction = written.replace(",", "").partition(".")
            return whole, fraction
        if _DOTS.fullmatch(written):
            written = written.replace(".", "")
        whole, _, fraction = written.replace(",", ".").partition(".")
        return whole, fraction.replace(".", "")

    def number(self, written: str, *, attributive: bool = False) -> str:
        """Return a written number, with or without groups and decimals, in words.

        Args:
            written: The figures.
            attributive: Whether what is counted stands behind the number.
        """
        whole, fraction = self.parts(written)
        language = self.language
        if len(whole) > LONGEST_COUNT:
            said = language.spell(whole)
            return language.with_decimals(said, fraction) if fraction else said
        indian = self.counts_in_lakh(written)
        if attributive and not fraction:
            return language.attributive(int(whole), indian=indian)
        return language.number(int(whole), fraction, indian=indian)

    def counts_in_lakh(self, written: str) -> bool:
        """Whether a number is said in lakh and crore: by the region, or because it is grouped so."""
        return self.indian or INDIAN_GROUPS.fullmatch(written) is not None
