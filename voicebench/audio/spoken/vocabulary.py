"""Short ways to write down a language's currencies, units and months, and the spellings that all share."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from voicebench.audio.spoken.language import Currency, Noun

CURRENCIES = ("INR", "BDT", "THB", "VND", "IDR", "PHP", "CNY", "JPY", "USD", "EUR", "GBP")
"""ISO codes of the currencies that every language can say."""

ENGLISH_MONTHS = {
    "january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8,
    "september": 9, "october": 10, "november": 11, "december": 12,
}  # fmt: skip
"""Written in Latin letters within texts of other languages."""

_SPELLINGS = {
    "km": ("KM", "Km", "kms"), "km/h": ("kmph", "km/hr", "kph"), "kg": ("kgs", "Kg", "KG", "Kgs"),
    "g": ("gm", "gms"), "l": ("L", "ltr"), "ml": ("mL",), "h": ("hr", "hrs"), "min": ("mins",),
    "sec": ("secs",), "sq ft": ("sqft", "sq.ft", "sq. ft"), "lb": ("lbs",), "m²": ("sqm", "sq m"),
}  # fmt: skip


def currencies(**named: str) -> dict[str, Currency]:
    """Return currencies from "rupee/rupees|paisa/paise" by ISO code; one form may serve for all counts.

    Raises:
        ValueError: A currency of `CURRENCIES` has no name, or one is named that is not among them.
    """
    if set(named) != set(CURRENCIES):
        raise ValueError(f"currencies missing or unknown: {set(named) ^ set(CURRENCIES)}")
    found = {}
    for code, names in named.items():
        unit, _, hundredth = names.partition("|")
        found[code] = Currency(noun(unit), noun(hundredth) if hundredth else None)
    return found


def units(names: Mapping[str, str], **native: str) -> dict[str, Noun]:
    """Return units from "kilometre/kilometres" by symbol, each under all its spellings.

    Args:
        names: By symbol; a name may have one form for all counts.
        native: Symbol of a unit, by how it is abbreviated in the language's own script.
    """
    found = {}
    for symbol, name in names.items():
        for spelling in (symbol, *_SPELLINGS.get(symbol, ())):
            found[spelling] = noun(name)
    return found | {spelling: noun(names[symbol]) for spelling, symbol in native.items()}


def months(names: Iterable[str], spellings: Mapping[str, int] = MappingProxyType({})) -> dict[str, int]:
    """Return a language's months, and those of English, by name in lower case.

    Args:
        names: The twelve names, from January on.
        spellings: Other names and abbreviations.
    """
    named = {name.lower(): number for number, name in enumerate(names, start=1)}
    return named | dict(spellings) | ENGLISH_MONTHS


def noun(names: str) -> Noun:
    """Return the noun "one/many", or one that has the same form for all counts."""
    one, _, many = names.partition("/")
    return Noun(one, many or one)
