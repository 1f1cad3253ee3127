"""How Malayalam says figures: numbers grow together, and change at the seam (ഇരുപത് + അഞ്ച് = ഇരുപത്തിയഞ്ച്)."""

import re

from voicebench.audio.spoken.language import (
    Form,
    Half,
    Language,
    Words,
    said_hour,
)
from voicebench.audio.spoken.letters import MALAYALAM_LETTERS
from voicebench.audio.spoken.vocabulary import currencies, months, units

_BELOW_TWENTY = tuple(
    (
        "പൂജ്യം ഒന്ന് രണ്ട് മൂന്ന് നാല് അഞ്ച് ആറ് ഏഴ് എട്ട് ഒമ്പത് പത്ത് പതിനൊന്ന് പന്ത്രണ്ട് പതിമൂന്ന് പതിനാല് പതിനഞ്ച് "
        "പതിനാറ് പതിനേഴ് പതിനെട്ട് പത്തൊമ്പത്"
    ).split()
)
_TENS = ("", "", "ഇരുപത്", "മുപ്പത്", "നാൽപത്", "അമ്പത്", "അറുപത്", "എഴുപത്", "എൺപത്", "തൊണ്ണൂറ്")
_HUNDREDS = (
    "", "നൂറ്", "ഇരുനൂറ്", "മുന്നൂറ്", "നാനൂറ്", "അഞ്ഞൂറ്", "അറുനൂറ്", "എഴുനൂറ്", "എണ്ണൂറ്", "തൊള്ളായിരം",
)  # fmt: skip
_THOUSANDS = {
    1: "ആയിരം", 3: "മൂവായിരം", 5: "അയ്യായിരം", 8: "എണ്ണായിരം", 10: "പതിനായിരം", 15: "പതിനയ്യായിരം",
}  # fmt: skip
_SIGNS = dict(zip("അആഇഎഏഒ", ("", "ാ", "ി", "െ", "േ", "ൊ"), strict=True))
_MONTHS = (
    "ജനുവരി", "ഫെബ്രുവരി", "മാർച്ച്", "ഏപ്രിൽ", "മേയ്", "ജൂൺ", "ജൂലൈ", "ഓഗസ്റ്റ്", "സെപ്റ്റംബർ", "ഒക്ടോബർ", "നവംബർ", "ഡിസംബർ",
)  # fmt: skip
_MONTH_SPELLINGS = {"മെയ്": 5, "ആഗസ്റ്റ്": 8}
_PARTS_OF_THE_DAY = (
    "പുലർച്ചെ", "രാവിലെ", "ഉച്ചയ്ക്ക്", "ഉച്ചക്ക്", "ഉച്ചകഴിഞ്ഞ്", "വൈകുന്നേരം", "വൈകിട്ട്", "രാത്രി", "അർദ്ധരാത്രി",
)  # fmt: skip
_UNITS = {
    "km/h": "കിലോമീറ്റർ വേഗത", "km": "കിലോമീറ്റർ", "cm": "സെന്റിമീറ്റർ", "mm": "മില്ലിമീറ്റർ", "m": "മീറ്റർ",
    "kg": "കിലോ",
    "g": "ഗ്രാം", "mg": "മില്ലിഗ്രാം", "ml": "മില്ലിലിറ്റർ", "l": "ലിറ്റർ", "h": "മണിക്കൂർ", "min": "മിനിറ്റ്",
    "sec": "സെക്കൻഡ്",
    "°C": "ഡിഗ്രി സെൽഷ്യസ്", "°F": "ഡിഗ്രി ഫാരൻഹീറ്റ്", "GB": "ജിബി", "MB": "എംബി", "Mbps": "എംബിപിഎസ്",
    "kWh": "കിലോവാട്ട് മണിക്കൂർ", "kW": "കിലോവാട്ട്", "W": "വാട്ട്", "lb": "പൗണ്ട്", "ft": "അടി", "sq ft": "ചതുരശ്ര അടി",
    "m²": "ചതുരശ്ര മീറ്റർ", "km²": "ചതുരശ്ര കിലോമീറ്റർ",
}  # fmt: skip
_FRACTIONS = {(1, 2): "അര", (1, 4): "കാൽ", (3, 4): "മുക്കാൽ"}
_SCALES = {
    **{word: word for word in "ആയിരം ലക്ഷം കോടി മില്യൺ ബില്യൺ".split()},
    "lakh": "ലക്ഷം", "crore": "കോടി", "thousand": "ആയിരം", "k": "ആയിരം", "cr": "കോടി", "L": "ലക്ഷം",
    "million": "മില്യൺ", "m": "മില്യൺ", "billion": "ബില്യൺ",
}  # fmt: skip
_NO_VOWEL = "\u0d4d"
_MALAYALAM = "[\u0d00-\u0d7f]"
_DAY = (
    (4, "രാത്രി"), (6, "പുലർച്ചെ"), (12, "രാവിലെ"), (15, "ഉച്ചയ്ക്ക്"), (19, "വൈകുന്നേരം"), (24, "രാത്രി"),
)  # fmt: skip


class Malayalam(Language):
    """Malayalam, in its own script."""

    code = "ml"
    indian = True
    words = Words(
        digits=_BELOW_TWENTY[:10],
        point="പോയിന്റ്",
        minus="മൈനസ്",
        plus="പ്ലസ്",
        to="മുതൽ",
        dot="ഡോട്ട്",
        slash="സ്ലാഷ്",
        percent="ശതമാനം",
        hashtag="ഹാഷ്‌ടാഗ്",
        months=months(_MONTHS, _MONTH_SPELLINGS),
        currencies=currencies(
            INR="രൂപ|പൈസ", BDT="ടാക്ക|പൈസ", THB="ബാത്ത്|സതാങ്", VND="ഡോങ്", IDR="റുപിയ", PHP="പെസോ|സെന്റാവോ",
            CNY="യുവാൻ", JPY="യെൻ", USD="ഡോളർ|സെന്റ്", EUR="യൂറോ|സെന്റ്", GBP="പൗണ്ട്|പെൻസ്",
        ),
        units=units(_UNITS, **{"കി.മീ.": "km", "കി.മീ": "km", "കിമീ": "km", "കി.ഗ്രാം": "kg", "സെ.മീ.": "cm"}),
        scales=_SCALES,
        symbols={
            "&": "ആൻഡ്", "@": "അറ്റ്", "+": "പ്ലസ്", "=": "സമം", "%": "ശതമാനം", "#": "നമ്പർ", "°": "ഡിഗ്രി",
            "×": "ഗുണം",
            "÷": "ഹരണം", "²": "സ്ക്വയർ", "³": "ക്യൂബ്", "~": "ഏകദേശം",
        },
        abbreviations={
            "ഡോ.": "ഡോക്ടർ", "ശ്രീ.": "ശ്രീ", "പ്രൊഫ.": "പ്രൊഫസർ", "രൂ.": "രൂപ", "നം.": "നമ്പർ",
            "കി.മീ.": "കിലോമീറ്റർ",
            "Dr.": "ഡോക്ടർ", "Rs.": "രൂപ", "Rs": "രൂപ", "No.": "നമ്പർ", "ക്രി.വ.": "ക്രിസ്തുവർഷം",
        },
        letters=MALAYALAM_LETTERS,
        identifiers=(
            r"ഒടിപി|ഒ\.ടി\.പി|പിൻ(?:\s?കോഡ്)?|കോഡ്|സിവിവി|ഐഡി|നമ്പർ|അക്കൗണ്ട്|അക്കൗണ്ട്\sനമ്പർ|പിഎൻആർ|ടിക്കറ്റ്|ഓർഡർ|ബുക്കിംഗ്|ബുക്കിങ്|ഫ്ലൈറ്റ്"
            r"|ട്രെയിൻ|മീറ്റർ|ഫോൺ|മൊബൈൽ|മുറി|റൂം|ഫ്ലാറ്റ്|റഫറൻസ്|ഇൻവോയ്സ്"
            r"|OTP|PIN(?:\s?code)?|code|CVV|ID|number|account|reference|PNR|invoice|ticket|order|booking|flight|train"
        ),
        counted=(
            r"രൂപ|രൂപയുടെ|രൂപയ്ക്ക്|ഡോളർ|പൈസ|ഗ്രാം|കിലോ|ലിറ്റർ|പേർ|പേർക്ക്|മിനിറ്റ്|മണിക്കൂർ|ദിവസം|ദിവസങ്ങൾ|മീറ്റർ|കിലോമീറ്റർ|ശതമാനം|ആയിരം"
            r"|ലക്ഷം|കോടി|പിസ|പ്ലേറ്റ്|കുപ്പി|പാക്കറ്റ്|യൂണിറ്റ്|ടിക്കറ്റുകൾ"
        ),
        uncounted="ഉം|ആണ്|എന്ന്|എന്ന|അല്ലെങ്കിൽ|മുതൽ|വരെ|അല്ല|ഉണ്ട്|ഇൽ|ന്|ൽ|ലെ",
        day="തീയതി|തിയ്യതി",
        parts_of_day="|".join(_PARTS_OF_THE_DAY),
        o_clock="മണിക്കുള്ളിൽ|മണിയ്ക്ക്|മണിക്ക്|മണി വരെ|മണിവരെ|മണി|-ന്|ന്|യ്ക്ക്",
    )  # fmt: skip

    def cardinal(self, number: int, *, indian: bool) -> str:
        """Return a count in words; Malayalam always counts in lakh and crore."""
        crores, rest = divmod(number, 10**7)
        lakhs, rest = divmod(rest, 10**5)
        thousands, rest = divmod(rest, 1000)
        hundreds, rest = divmod(rest, 100)
        parts = []
        if crores:
            parts.append(f"{self.attributive(crores, indian=True)} കോടി")
        if lakhs:
            parts.append(f"{self.attributive(lakhs, indian=True)} ലക്ഷം")
        if thousands:
            parts.append(_thousands(thousands))
        if hundreds:
            parts.append(_HUNDREDS[hundreds])
        if rest or not parts:
            parts.append(_below_hundred(rest))
        return " ".join([_open(part) for part in parts[:-1]] + parts[-1:])

    def attributive(self, number: int, *, indian: bool) -> str:
        """Return a count in front of a noun: "ഒരു", the rest unchanged."""
        return "ഒരു" if number == 1 else self.cardinal(number, indian=True)

    def ordinal(self, number: int, suffix: str) -> str:
        """Return a rank in words: "അഞ്ചാം", "ഒന്നാമത്തെ"."""
        return _stem(self.cardinal(number, indian=True)) + {"മത്തെ": "ാമത്തെ", "മത്": "ാമത്"}.get(suffix, "ാം")

    def date(self, day: int, month: int, year: int | None) -> str:
        """Return a date in words: "മാർച്ച് ഇരുപത്തിമൂന്ന് രണ്ടായിരത്തി ഇരുപത്തിയാറ്"."""
        said = f"{_MONTHS[month - 1]} {_below_hundred(day)}"
        return said if year is None else f"{said} {self.year(year)}"

    def clock(self, hour: int, minute: int, half: Half | None, before: str, after: str) -> str:
        """Return a time in words: "വൈകുന്നേരം അഞ്ചര മണിക്ക്", "അഞ്ച് മണി ഇരുപത് മിനിറ്റ്"."""
        hour, part = said_hour(hour, half, before, _DAY)
        dial = _BELOW_TWENTY[hour % 12 or 12]
        stem = dial.removesuffix(_NO_VOWEL)
        quarters = {15: "േകാൽ", 30: "ര", 45: "േമുക്കാൽ"}
        hours = "മണിക്ക്" if after in ("-ന്", "ന്", "യ്ക്ക്") else after or "മണി"
        whole = self.attributive(hour % 12 or 12, indian=True)
        if minute == 0:
            said = f"{whole} {hours}"
        elif minute in quarters:
            said = f"{stem}{quarters[minute]} {hours}"
        else:
            minutes = {
                "മണിക്ക്": "മിനിറ്റിന്",
                "മണിയ്ക്ക്": "മിനിറ്റിന്",
                "മണി വരെ": "മിനിറ്റ് വരെ",
                "മണിവരെ": "മിനിറ്റ് വരെ",
            }
            said = f"{whole} മണി {_below_hundred(minute)} {minutes.get(hours, 'മിനിറ്റ്')}"
        return f"{part} {said}".lstrip()

    def fraction(self, numerator: int, denominator: int) -> str:
        """Return a fraction in words: "മുക്കാൽ", "മൂന്നിൽ രണ്ട്"."""
        named = _FRACTIONS.get((numerator, denominator))
        return named or f"{_stem(self.cardinal(denominator, indian=True))}ിൽ {_below_hundred(numerator)}"

    def mixed(self, whole: int, numerator: int, denominator: int) -> str:
        """Return "രണ്ടര", "അഞ്ചേകാൽ"."""
        said = self.cardinal(whole, indian=True)
        ending = {(1, 2): "ര", (1, 4): "േകാൽ", (3, 4): "േമുക്കാൽ"}.get((numerator, denominator))
        if ending and whole and said.endswith(_NO_VOWEL):
            return said.removesuffix(_NO_VOWEL) + ending
        return f"{said} {self.fraction(numerator, denominator)}"

    def forms(self) -> tuple[Form, ...]:
        """Return ranks (5-ാം, 3മത്തെ) and figures with a case written onto them (10ന്, 2023-ൽ)."""

        def rank(match: re.Match[str]) -> str:
            return self.ordinal(int(match[1]), match[2].removeprefix("ആ").removeprefix("ാ"))

        def thousands(match: re.Match[str]) -> str:
            return _thousands(int(match[1])) if int(match[1]) else match.group()

        def written_onto(match: re.Match[str]) -> str:
            said = self.cardinal(int(match[1].replace(",", "")), indian=True)
            case = {"ഇൽ": "ൽ", "ഇന്": "ന്", "ഉം": "ഉം"}.get(match[2], match[2])
            if case in ("പേർക്ക്", "പേർ"):
                return f"{said} {case}"
            return _stem(said) + ("ും" if case == "ഉം" else f"ി{case}")

        no_figure = r"(?<![\d.,:/])"
        return (
            (rf"{no_figure}(\d{{1,2}})\sആയിരം", thousands),
            (rf"{no_figure}(\d{{1,4}})-?\s?(ാമത്തെ|ആമത്തെ|മത്തെ|ാമത്|ാം|ആം)(?!{_MALAYALAM})", rank),
            (
                rf"{no_figure}(\d{{1,3}}(?:,\d{{2,3}})+|\d{{1,9}})-?(ഇൽ|ൽ|ലേക്ക്|ലെ|ഇന്|ന്റെ|ന്|ഉം|പേർക്ക്|പേർ)(?!{_MALAYALAM})",
                written_onto,
            ),
        )


def _below_hundred(number: int) -> str:
    if number < 20:
        return _BELOW_TWENTY[number]
    tens, ones = divmod(number, 10)
    if not ones:
        return _TENS[tens]
    # The glide y parts two vowels.
    said = _BELOW_TWENTY[ones]
    seam = f"യ{_SIGNS[said[0]]}{said[1:]}" if said[0] in _SIGNS else said
    return _open(_TENS[tens]) + seam


def _thousands(count: int) -> str:
    """Return "ഒമ്പതിനായിരം", "ഇരുപത്തിയാറായിരം"."""
    if count in _THOUSANDS:
        return _THOUSANDS[count]
    said = _below_hundred(count)
    return said.removesuffix(_NO_VOWEL) + ("ിനായിരം" if said.endswith("ത്") else "ായിരം")


def _open(said: str) -> str:
    """Return a part of a number as it stands in front of the next one."""
    if said.endswith("റ്"):
        return said.removesuffix("റ്") + "റ്റി"
    if said.endswith("ം"):
        return said.removesuffix("ം") + "ത്തി"
    return said.removesuffix("ത്") + "ത്തി" if said.endswith("ത്") else said


def _stem(said: str) -> str:
    """Return a number as it stands in front of an ending that begins with a vowel."""
    if said.endswith("ം"):
        return said.removesuffix("ം") + "ത്ത"
    return said + "യ" if said.endswith("ി") else said.removesuffix(_NO_VOWEL)
