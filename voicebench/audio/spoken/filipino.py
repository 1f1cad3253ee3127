"""How Filipino says figures: its own numbers for counts, those of Spanish for clock and small prices."""

import re
from functools import cached_property

from voicebench.audio.spoken.language import (
    INITIALISMS,
    Form,
    Half,
    Language,
    Noun,
    Words,
    hour_of_day,
    part_of_day,
)
from voicebench.audio.spoken.vocabulary import currencies, months, units

_DIGITS = ("sero", "isa", "dalawa", "tatlo", "apat", "lima", "anim", "pito", "walo", "siyam")
_TEENS = (
    "sampu", "labing-isa", "labindalawa", "labintatlo", "labing-apat", "labinlima", "labing-anim",
    "labimpito",
    "labingwalo", "labinsiyam",
)  # fmt: skip
_TENS = (
    "", "", "dalawampu", "tatlumpu", "apatnapu", "limampu", "animnapu", "pitumpu", "walumpu", "siyamnapu",
)  # fmt: skip
_LARGE = ((10**12, "trilyon"), (10**9, "bilyon"), (10**6, "milyon"), (10**3, "libo"))
_SPANISH = (
    "sero", "uno", "dos", "tres", "kuwatro", "singko", "sais", "siyete", "otso", "nuwebe", "diyes", "onse",
    "dose",
    "trese", "katorse", "kinse", "disisais", "disisiyete", "disiotso", "disinuwebe",
)  # fmt: skip
_SPANISH_TENS = (
    "", "", "bente", "trenta", "kuwarenta", "singkuwenta", "sesenta", "setenta", "otsenta", "nobenta",
)  # fmt: skip
_MONTHS = (
    "Enero", "Pebrero", "Marso", "Abril", "Mayo", "Hunyo", "Hulyo", "Agosto", "Setyembre", "Oktubre",
    "Nobyembre",
    "Disyembre",
)  # fmt: skip
_UNITS = {
    "km/h": "kilometro bawat oras", "km": "kilometro", "cm": "sentimetro", "mm": "milimetro", "m": "metro",
    "kg": "kilo", "g": "gramo", "mg": "miligramo", "ml": "mililitro", "l": "litro", "h": "oras",
    "min": "minuto",
    "sec": "segundo", "°C": "digri Celsius", "°F": "digri Fahrenheit", "GB": "gigabyte", "MB": "megabyte",
    "Mbps": "megabit bawat segundo", "kWh": "kilowatt oras", "kW": "kilowatt", "W": "watt", "lb": "libra",
    "ft": "talampakan", "sq ft": "talampakang parisukat", "m²": "metro kuwadrado",
    "km²": "kilometro kuwadrado",
}  # fmt: skip
_SCALES = {
    "daan": "daang", "libo": "libong", "libong": "libong", "milyon": "milyong", "milyong": "milyong",
    "bilyon": "bilyong", "bilyong": "bilyong", "k": "libong", "thousand": "libong", "million": "milyong",
    "m": "milyong", "billion": "bilyong", "b": "bilyong",
}  # fmt: skip
_PARTS_OF_THE_DAY = (
    r"ng\s(?:umaga|hapon|gabi|tanghali|madaling[- ]araw|hatinggabi)|sa\s(?:umaga|hapon|gabi|tanghali)"
)
_DAY = (
    (4, "ng madaling-araw"), (12, "ng umaga"), (13, "ng tanghali"), (18, "ng hapon"), (24, "ng gabi"),
)  # fmt: skip


class Filipino(Language):
    """Filipino."""

    code = "fil"
    month_first = True
    words = Words(
        digits=_DIGITS,
        point="punto",
        minus="minus",
        plus="plus",
        to="hanggang",
        dot="tuldok",
        slash="slash",
        percent="porsiyento",
        hashtag="hashtag",
        months=months(_MONTHS),
        currencies=currencies(
            INR="rupee|paisa", BDT="taka|paisa", THB="baht|satang", VND="dong", IDR="rupiah",
            PHP="piso|sentimo",
            CNY="yuan", JPY="yen", USD="dolyar|sentimo", EUR="euro|sentimo", GBP="libra|pence",
        ),
        units=units(_UNITS),
        scales=_SCALES,
        symbols={
            "&": "at", "@": "at", "+": "plus", "=": "katumbas ng", "%": "porsiyento", "#": "numero",
            "°": "digri",
            "×": "beses", "÷": "hinati sa", "²": "kuwadrado", "³": "kubiko", "~": "mga",
        },
        abbreviations={
            "Gng.": "Ginang", "G.": "Ginoo", "Bb.": "Binibini", "Dr.": "Doktor", "Dra.": "Doktora",
            "Brgy.": "Barangay",
            "St.": "Street", "Sto.": "Santo", "Sta.": "Santa", "Ave.": "Avenue", "atbp.": "at iba pa",
            "Blg.": "Bilang",
            "No.": "numero", "Atty.": "Attorney", "Engr.": "Engineer", "Kgg.": "Kagalang-galang",
            "hal.": "halimbawa",
            "Mr.": "Mister", "Mrs.": "Misis", "Ms.": "Miss", "Tel.": "telepono", "Bldg.": "Building",
        },
        initialisms=INITIALISMS | frozenset("ATM API UPI SUV USB URL ID AC UK US USA MRI IP IT".split()),
        identifiers=(
            r"(?:code|kodigo|OTP|PIN(?:\s?code)?|CVV|ID|numero|number|account|akawnt|reference|ref|PNR|order|booking|flight|tiket"
            r"|ticket|kuwarto|silid|room|telepono|cellphone|selpon|invoice|tracking|plaka(?:ng)?|zip)"
            r"(?:\s(?:mo|ko|niya|namin|natin|nila|ninyo))?(?:\spo)?"
        ),
        counted=(
            r"piso|pesos?|sentimos?|dolyar|dollars?|gramo|kilo|litro|tao|katao|piraso|minuto|oras|araw|buwan|taon|metro|kilometro"
            r"|porsiyento|libo|libong|milyon|milyong|pizza|plato|bote|kahon|yunit|unit"
        ),
        uncounted=(
            r"ng|na|at|ang|sa|ay|o|hanggang|para|kung|pero|dahil|po|ba|lang|daw|raw|mula|nang|kay|ni|si|is|and|or|to|am|pm"
            r"|ko|mo|niya|namin|natin|nila|ninyo|pa|rin|din|yung|iyon|ito|porsiyento"
        ),
        o_clock=_PARTS_OF_THE_DAY,
    )  # fmt: skip

    def cardinal(self, number: int, *, indian: bool) -> str:
        """Return a count in words: "isang daan at lima", "dalawampu't isa"."""
        said: list[str] = []
        rest = number
        for value, name in _LARGE:
            count, rest = divmod(rest, value)
            said.extend([f"{self.attributive(count, indian=False)} {name}"] if count else [])
        hundreds, rest = divmod(rest, 100)
        if hundreds:
            linked = _linked(_DIGITS[hundreds])
            said.append(f"{linked} {'raan' if linked.endswith(' na') else 'daan'}")
        if rest or not said:
            said.extend(["at"] if said else [])
            said.append(_below_hundred(rest))
        return " ".join(said)

    def attributive(self, number: int, *, indian: bool) -> str:
        """Return a count in front of a noun, with the linker: "dalawang", "apat na", "limampung"."""
        return _linked(self.cardinal(number, indian=False))

    def ordinal(self, number: int, suffix: str) -> str:
        """Return a rank in words: "una", "ikalawa", "ikadalawampu't tatlo"."""
        if number == 1:
            return "una"
        said = {2: "lawa", 3: "tlo"}.get(number) or self.cardinal(number, indian=False)
        return f"ika-{said}" if said[0] in "aeiou" else f"ika{said}"

    def date(self, day: int, month: int, year: int | None) -> str:
        """Return a date in words: "ikadalawampu't tatlo ng Marso dalawang libo at dalawampu't anim"."""
        first = "ika-isa" if day == 1 else self.ordinal(day, "")
        said = f"{first} ng {_MONTHS[month - 1]}"
        return said if year is None else f"{said} {self.year(year)}"

    def clock(self, hour: int, minute: int, half: Half | None, before: str, after: str) -> str:
        """Return a time in words: "alas-singko y medya ng hapon", "ala-una"."""
        part = after
        if half is not None:
            hour = hour_of_day(hour, half)
        if not part and (half is not None or hour == 0 or hour > 12):
            part = part_of_day(hour, _DAY)
        dial = hour % 12 or 12
        said = "ala-una" if dial == 1 else f"alas-{_SPANISH[dial]}"
        if minute == 30:
            said += " y medya"
        elif minute:
            said += f" {'' if minute > 30 else 'y '}{_spanish(minute)}"
        return f"{said} {part}".rstrip()

    def fraction(self, numerator: int, denominator: int) -> str:
        """Return a fraction in words: "kalahati", "dalawang-katlo", "tatlong-kapat"."""
        if (numerator, denominator) == (1, 2):
            return "kalahati"
        lower = {2: "kalahati", 3: "katlo", 4: "kapat"}.get(
            denominator
        ) or f"ka{self.cardinal(denominator, indian=False)}"
        upper = _linked(_below_hundred(numerator))
        return f"{upper} {lower}" if upper.endswith(" na") else f"{upper}-{lower}"

    def mixed(self, whole: int, numerator: int, denominator: int) -> str:
        """Return "dalawa at kalahati"."""
        return f"{self.cardinal(whole, indian=False)} at {self.fraction(numerator, denominator)}"

    def money(self, whole: int, hundredths: int, code: str, *, indian: bool) -> str:
        """Return an amount in words; pesos from eleven to ninety-nine, and centavos, in Spanish."""
        if code != "PHP":
            return super().money(whole, hundredths, code, indian=indian)
        parts = []
        if 10 < whole < 100:
            parts.append(f"{_spanish(whole)} pesos")
        elif whole or not hundredths:
            parts.append(f"{self.attributive(whole, indian=False)} piso")
        if hundredths:
            parts.append(f"{_spanish(hundredths)} sentimos")
        return " at ".join(parts)

    def counted(self, number: int, noun: Noun, *, indian: bool) -> str:
        """Return a number with its noun, linked."""
        return f"{self.attributive(number, indian=False)} {noun.many}"

    def joined(self, parts: list[str]) -> str:
        """Return the parts of an amount as one."""
        return " at ".join(parts)

    def finish(self, text: str) -> str:
        """Return a half with the linker in front of what it is a half of."""
        return self._half.sub("kalahating", text)

    @cached_property
    def _half(self) -> re.Pattern[str]:
        return re.compile(rf"\bkalahati(?=\s(?!(?:{self.words.uncounted})\b)[^\W\d_])")

    def forms(self) -> tuple[Form, ...]:
        """Return "ika-5", "alas-5:30", "5 ng hapon" and P250."""

        def clock(match: re.Match[str]) -> str:
            hour, minute = int(match[1]), int(match[2] or 0)
            if not 1 <= hour <= 12 or minute > 59:
                return match.group()
            return self.clock(hour, minute, None, "", match[3] or "")

        def rank(match: re.Match[str]) -> str:
            number = int(match[1])
            said = "ika-isa" if number == 1 else self.ordinal(number, "")
            return _linked(said) if noun.match(match.string, match.end()) else said

        noun = re.compile(rf"\s(?!(?:{self.words.uncounted})(?!\w))[^\W\d_]", re.IGNORECASE)

        def pesos(match: re.Match[str]) -> str:
            whole, _, cents = match[1].replace(",", "").partition(".")
            return self.money(int(whole), int(cents or 0), "PHP", indian=False)

        return (
            (
                rf"(?<!\w)alas?[- ](\d{{1,2}})(?::(\d{{2}}))?(?![\d:])(?:\s({_PARTS_OF_THE_DAY})(?!\w))?",
                clock,
            ),
            (
                r"(?<![\w.,:/-])(\d{1,2})(?::(\d{2}))?\s(ng\s(?:umaga|hapon|gabi|tanghali"
                r"|madaling[- ]araw))(?!\w)",
                clock,
            ),
            (r"(?<!\w)ika-?\s?(\d{1,4})(?!\d)", rank),
            (r"(?<![\w.])(?-i:P)(\d{1,3}(?:,\d{3})*(?:\.\d{2})?|\d{1,9}(?:\.\d{2})?)(?![\d\w])", pesos),
        )


def _below_hundred(number: int) -> str:
    if number < 10:
        return _DIGITS[number]
    if number < 20:
        return _TEENS[number - 10]
    tens, ones = divmod(number, 10)
    return _TENS[tens] + (f"'t {_DIGITS[ones]}" if ones else "")


def _linked(said: str) -> str:
    """Return a number with the linker that ties it to what it counts."""
    if said[-1] in "aeiou":
        return said + "ng"
    return said + "g" if said.endswith("n") else f"{said} na"


def _spanish(number: int) -> str:
    """Return the words of 1 to 99 that came from Spanish."""
    if number < 20:
        return _SPANISH[number]
    tens, ones = divmod(number, 10)
    if not ones:
        return _SPANISH_TENS[tens]
    return f"{_SPANISH_TENS[tens]} {'' if tens == 2 else 'y '}{_SPANISH[ones]}"
