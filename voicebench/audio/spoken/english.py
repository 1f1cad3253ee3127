"""How English says figures; Indian English counts in lakh and crore."""

from voicebench.audio.spoken.language import (
    INDIAN_POWERS,
    WESTERN_POWERS,
    Currency,
    Half,
    Language,
    Noun,
    Words,
    groups,
)

_BELOW_TWENTY = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_POWERS = {
    2: "hundred", 3: "thousand", 5: "lakh", 6: "million", 7: "crore", 9: "billion", 12: "trillion",
}  # fmt: skip
_IRREGULAR_ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip


def _months() -> dict[str, int]:
    names = {name.lower(): number for number, name in enumerate(_MONTHS, start=1)}
    return names | {name[:3]: number for name, number in names.items()} | {"sept": 9}


_UNITS = {
    "km": "kilometre", "cm": "centimetre", "mm": "millimetre", "m": "metre", "kg": "kilogram",
    "kgs": "kilogram", "g": "gram", "gm": "gram", "mg": "milligram", "ml": "millilitre", "l": "litre",
    "hrs": "hour", "hr": "hour", "h": "hour", "mins": "minute", "min": "minute", "secs": "second",
    "sec": "second", "GB": "gigabyte", "MB": "megabyte", "kWh": "kilowatt hour", "kW": "kilowatt",
    "W": "watt", "lbs": "pound", "lb": "pound",
}  # fmt: skip
_IRREGULAR_UNITS = {
    "km/h": Noun("kilometre per hour", "kilometres per hour"),
    "kmph": Noun("kilometre per hour", "kilometres per hour"),
    "°C": Noun("degree Celsius", "degrees Celsius"),
    "°F": Noun("degree Fahrenheit", "degrees Fahrenheit"),
    "sq ft": Noun("square foot", "square feet"),
    "ft": Noun("foot", "feet"),
}


class English(Language):
    """English."""

    code = "en"
    words = Words(
        digits=_BELOW_TWENTY[:10],
        point="point",
        minus="minus",
        plus="plus",
        to="to",
        dot="dot",
        percent="percent",
        months=_months(),
        currencies={
            "INR": Currency(Noun("rupee", "rupees"), Noun("paisa", "paise")),
            "USD": Currency(Noun("dollar", "dollars"), Noun("cent", "cents")),
            "EUR": Currency(Noun("euro", "euros"), Noun("cent", "cents")),
            "GBP": Currency(Noun("pound", "pounds"), Noun("penny", "pence")),
        },
        units={symbol: Noun(name, name + "s") for symbol, name in _UNITS.items()} | _IRREGULAR_UNITS,
        scales=frozenset({"thousand", "lakh", "lakhs", "crore", "crores", "million", "billion", "trillion"}),
        fractions={"1/2": "half", "1/4": "a quarter", "3/4": "three quarters"},
        symbols={
            "&": "and", "@": "at", "+": "plus", "=": "equals", "%": "percent", "#": "number", "°": "degrees",
            "₹": "rupees", "$": "dollars", "€": "euros", "£": "pounds", "×": "times", "÷": "divided by",
        },
        abbreviations={
            "Dr.": "Doctor", "Mr.": "Mister", "Mrs.": "Missus", "Ms.": "Miss", "Prof.": "Professor",
            "approx.": "approximately", "etc.": "et cetera", "e.g.": "for example", "i.e.": "that is",
            "vs.": "versus", "vs": "versus", "No.": "number", "Rd.": "Road", "Apt.": "Apartment",
            "Rs.": "rupees", "Rs": "rupees", "w/": "with", "a/c": "account", "A/C": "account",
        },
        identifiers=(
            r"OTP|PIN(?:\s?code)?|code|CVV|ID|number|no\.|account|reference|ref|PNR|invoice|tracking|ticket"
            r"|confirmation|serial|order|booking|flight|train|bus|meter|consumer|customer|policy|phone|mobile"
            r"|zip|ending\s(?:in|with)|room|flat|gate"
        ),
        counted=(
            r"rupees?|dollars?|euros?|pounds?|paise|grams?|kilos?|kilograms?|litres?|liters?|people|persons?"
            r"|pieces?|plates?|minutes?|hours?|days?|items?|units?|metres?|meters?|kilometres?|kilometers?"
            r"|points?|percent|thousand|lakhs?|crores?|million|billion|pizzas?|burgers?|boxes|packets?|bottles?"
            r"|servings?"
        ),
        ordinal_suffixes="st|nd|rd|th",
        year=(
            r"\b(in|since|year|until|till|from|by|of)\s([12]\d{3})"
            r"(?=\s*(?:$|[.,;:!?)]|(?:and|or|to|for|when|with)\b))"
        ),
    )  # fmt: skip

    def cardinal(self, number: int, *, indian: bool) -> str:
        """Return a count in words: "one hundred and five", "two lakh three thousand"."""
        said: list[str] = []
        for count, power in groups(number, INDIAN_POWERS if indian else WESTERN_POWERS):
            if power == 0 and said:
                said.append("and")
            said.append(_below_hundred(count) if count < 100 else self.cardinal(count, indian=indian))
            said.extend([_POWERS[power]] if power else [])
        return " ".join(said) or "zero"

    def ordinal(self, number: int, suffix: str) -> str:
        """Return a rank in words: "twenty-third"."""
        said = self.cardinal(number, indian=False)
        start = max(said.rfind(" "), said.rfind("-")) + 1
        stem, last = said[:start], said[start:]
        if last in _IRREGULAR_ORDINALS:
            ranked = _IRREGULAR_ORDINALS[last]
        elif last.endswith("y"):
            ranked = last[:-1] + "ieth"
        else:
            ranked = last + "th"
        return stem + ranked

    def year(self, number: int) -> str:
        """Return a year in words: "nineteen ninety-five", "two thousand and five", "twenty twenty-three"."""
        century, rest = divmod(number, 100)
        if not 1100 <= number < 2100 or 2000 <= number < 2010:
            return self.cardinal(number, indian=False)
        if rest == 0:
            return f"{_below_hundred(century)} hundred"
        return f"{_below_hundred(century)} {'oh ' if rest < 10 else ''}{_below_hundred(rest)}"

    def date(self, day: int, month: int, year: int | None) -> str:
        """Return a date in words: "the twenty-third of March twenty twenty-three"."""
        said = f"the {self.ordinal(day, '')} of {_MONTHS[month - 1]}"
        return said if year is None else f"{said} {self.year(year)}"

    def clock(self, hour: int, minute: int, half: Half | None, before: str, after: str) -> str:
        """Return a time in words: "five thirty PM", "five o'clock"."""
        if half is None and (hour == 0 or hour > 12):
            half = "am" if hour < 12 else "pm"
        said = _below_hundred(hour % 12 or 12)
        if minute:
            said += f" {'oh ' if minute < 10 else ''}{_below_hundred(minute)}"
        elif half is None and after.lower() not in ("o'clock", "o’clock"):
            said += " o'clock"
        named = said if half is None else f"{said} {half.upper()}"
        return f"{named} {after}".rstrip()

    def joined(self, parts: list[str]) -> str:
        """Return "three dollars and twelve cents"."""
        return " and ".join(parts)


def _below_hundred(number: int) -> str:
    if number < 20:
        return _BELOW_TWENTY[number]
    tens, ones = divmod(number, 10)
    return _TENS[tens] + (f"-{_BELOW_TWENTY[ones]}" if ones else "")
