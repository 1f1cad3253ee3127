"""How English says figures; Indian English counts in lakh and crore."""

import re

from voicebench.audio.spoken.language import (
    INDIAN_POWERS,
    WESTERN_POWERS,
    Form,
    Half,
    Language,
    Words,
    groups,
)
from voicebench.audio.spoken.vocabulary import currencies, units

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
    "km/h": "kilometre per hour/kilometres per hour", "km": "kilometre/kilometres",
    "cm": "centimetre/centimetres",
    "mm": "millimetre/millimetres", "m": "metre/metres", "kg": "kilogram/kilograms", "g": "gram/grams",
    "mg": "milligram/milligrams", "ml": "millilitre/millilitres", "l": "litre/litres", "h": "hour/hours",
    "min": "minute/minutes", "sec": "second/seconds", "GB": "gigabyte/gigabytes", "MB": "megabyte/megabytes",
    "Mbps": "megabit per second/megabits per second", "kWh": "kilowatt hour/kilowatt hours",
    "kW": "kilowatt/kilowatts", "W": "watt/watts", "lb": "pound/pounds", "ft": "foot/feet",
    "sq ft": "square foot/square feet", "m²": "square metre/square metres",
    "km²": "square kilometre/square kilometres", "°C": "degree Celsius/degrees Celsius",
    "°F": "degree Fahrenheit/degrees Fahrenheit",
}  # fmt: skip
_FRACTIONS = {(1, 2): "half", (1, 4): "a quarter", (3, 4): "three quarters"}
_SCALES = {
    **{word: word for word in "thousand lakh lakhs crore crores million billion trillion".split()},
    "k": "thousand", "cr": "crore", "L": "lakh", "m": "million", "mn": "million", "bn": "billion",
    "b": "billion",
}  # fmt: skip


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
        slash="slash",
        hashtag="hashtag",
        percent="percent",
        months=_months(),
        currencies=currencies(
            INR="rupee/rupees|paisa/paise", BDT="taka|paisa/paise", THB="baht|satang", VND="dong",
            IDR="rupiah",
            PHP="peso/pesos|centavo/centavos", CNY="yuan", JPY="yen", USD="dollar/dollars|cent/cents",
            EUR="euro/euros|cent/cents", GBP="pound/pounds|penny/pence",
        ),
        units=units(_UNITS),
        scales=_SCALES,
        symbols={
            "&": "and", "@": "at", "+": "plus", "=": "equals", "%": "percent", "#": "number", "°": "degrees",
            "×": "times", "÷": "divided by", "²": "squared", "³": "cubed", "~": "about",
        },
        abbreviations={
            "Dr.": "Doctor", "Mr.": "Mister", "Mrs.": "Missus", "Ms.": "Miss", "Prof.": "Professor",
            "approx.": "approximately", "etc.": "et cetera", "e.g.": "for example", "i.e.": "that is",
            "vs.": "versus", "vs": "versus", "No.": "number", "Rd.": "Road", "Apt.": "Apartment",
            "Rs.": "rupees", "Rs": "rupees", "w/": "with", "a/c": "account", "A/C": "account",
            "Ave.": "Avenue",
            "Blvd.": "Boulevard", "Sr.": "Senior", "Jr.": "Junior", "Govt.": "Government",
            "Tel.": "telephone",
            "Tel": "telephone", "dept.": "department", "Dept.": "Department",
        },
        identifiers=(
            r"OTP|call|dial|helpline|PIN(?:\s?code)?|code|CVV|ID|number|no\.|account|reference|ref|PNR|invoice|tracking|ticket"
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
        o_clock="o['’]clock",
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
        elif half is None and not after:
            said += " o'clock"
        named = said if half is None else f"{said} {half.upper()}"
        return f"{named} {after}".rstrip()

    def fraction(self, numerator: int, denominator: int) -> str:
        """Return a fraction in words: "two thirds"."""
        if (numerator, denominator) in _FRACTIONS:
            return _FRACTIONS[numerator, denominator]
        part = "quarter" if denominator == 4 else self.ordinal(denominator, "")
        return f"{self.cardinal(numerator, indian=False)} {part}{'s' if numerator > 1 else ''}"

    def mixed(self, whole: int, numerator: int, denominator: int) -> str:
        """Return "two and a half"."""
        part = "a half" if (numerator, denominator) == (1, 2) else self.fraction(numerator, denominator)
        return f"{self.cardinal(whole, indian=False)} and {part}"

    def forms(self) -> tuple[Form, ...]:
        """Return decades (90s), and "St." behind a name (Street) and in front of one (Saint)."""

        def decade(match: re.Match[str]) -> str:
            century = f"{_below_hundred(int(match[1]))} " if match[1] else ""
            return century + _TENS[int(match[2])].removesuffix("y") + "ies"

        return (
            (r"(?<![\w.,'’])['’]?(1[1-9]|20)?([2-9])0['’]?s(?!\w)", decade),
            (r"(?<=[a-z]\s)(?-i:St\.)(?!\s[A-Z][a-z]+['’])", lambda _: "Street"),
            (r"(?<!\w)(?-i:St\.)(?=\s?[A-Z])", lambda _: "Saint"),
        )

    def joined(self, parts: list[str]) -> str:
        """Return "three dollars and twelve cents"."""
        return " and ".join(parts)


def _below_hundred(number: int) -> str:
    if number < 20:
        return _BELOW_TWENTY[number]
    tens, ones = divmod(number, 10)
    return _TENS[tens] + (f"-{_BELOW_TWENTY[ones]}" if ones else "")
