"""How Tamil says figures: numbers grow together, and change at the seam (இருபது + ஐந்து = இருபத்தைந்து)."""

import re

from voicebench.audio.spoken.language import (
    Form,
    Half,
    Language,
    Words,
    said_hour,
)
from voicebench.audio.spoken.letters import TAMIL_LETTERS
from voicebench.audio.spoken.vocabulary import currencies, months, units

_BELOW_TWENTY = tuple(
    (
        "பூஜ்ஜியம் ஒன்று இரண்டு மூன்று நான்கு ஐந்து ஆறு ஏழு எட்டு ஒன்பது பத்து பதினொன்று பன்னிரண்டு பதிமூன்று பதினான்கு "
        "பதினைந்து பதினாறு பதினேழு பதினெட்டு பத்தொன்பது"
    ).split()
)
_TENS = (
    "", "", "இருபது", "முப்பது", "நாற்பது", "ஐம்பது", "அறுபது", "எழுபது", "எண்பது", "தொண்ணூறு",
)  # fmt: skip
_OPEN_TENS = (
    "", "", "இருபத்து", "முப்பத்து", "நாற்பத்து", "ஐம்பத்து", "அறுபத்து", "எழுபத்து", "எண்பத்து", "தொண்ணூற்று",
)  # fmt: skip
_HUNDREDS = (
    "", "நூறு", "இருநூறு", "முந்நூறு", "நானூறு", "ஐந்நூறு", "அறுநூறு", "எழுநூறு", "எண்ணூறு", "தொள்ளாயிரம்",
)  # fmt: skip
_THOUSANDS = {1: "ஆயிரம்", 3: "மூவாயிரம்", 5: "ஐயாயிரம்"}
_SIGNS = dict(zip("ஆஇஈஉஊஎஏஐஒஓ", "ாிீுூெேைொோ", strict=True))
_MONTHS = (
    "ஜனவரி", "பிப்ரவரி", "மார்ச்", "ஏப்ரல்", "மே", "ஜூன்", "ஜூலை", "ஆகஸ்ட்", "செப்டம்பர்", "அக்டோபர்", "நவம்பர்", "டிசம்பர்",
)  # fmt: skip
_PARTS_OF_THE_DAY = ("அதிகாலை", "காலை", "மதியம்", "பிற்பகல்", "நண்பகல்", "மாலை", "இரவு", "நள்ளிரவு")
_UNITS = {
    "km/h": "கிலோமீட்டர் வேகம்", "km": "கிலோமீட்டர்", "cm": "சென்டிமீட்டர்", "mm": "மில்லிமீட்டர்", "m": "மீட்டர்",
    "kg": "கிலோ",
    "g": "கிராம்", "mg": "மில்லிகிராம்", "ml": "மில்லிலிட்டர்", "l": "லிட்டர்", "h": "மணி நேரம்",
    "min": "நிமிடம்/நிமிடங்கள்",
    "sec": "விநாடி/விநாடிகள்", "°C": "டிகிரி செல்சியஸ்", "°F": "டிகிரி ஃபாரன்ஹீட்", "GB": "ஜிபி", "MB": "எம்பி",
    "Mbps": "எம்பிபிஎஸ்", "kWh": "கிலோவாட் மணி", "kW": "கிலோவாட்", "W": "வாட்", "lb": "பவுண்டு", "ft": "அடி",
    "sq ft": "சதுர அடி", "m²": "சதுர மீட்டர்", "km²": "சதுர கிலோமீட்டர்",
}  # fmt: skip
_FRACTIONS = {(1, 2): "அரை", (1, 4): "கால்", (3, 4): "முக்கால்"}
_SCALES = {
    **{word: word for word in "ஆயிரம் லட்சம் இலட்சம் கோடி மில்லியன் பில்லியன்".split()},
    "lakh": "லட்சம்", "crore": "கோடி", "thousand": "ஆயிரம்", "k": "ஆயிரம்", "cr": "கோடி", "L": "லட்சம்",
    "million": "மில்லியன்", "m": "மில்லியன்", "billion": "பில்லியன்",
}  # fmt: skip
_TAMIL = "[\u0b80-\u0bff]"
_DAY = (
    (4, "இரவு"), (6, "அதிகாலை"), (12, "காலை"), (16, "மதியம்"), (19, "மாலை"), (24, "இரவு"),
)  # fmt: skip


class Tamil(Language):
    """Tamil, in its own script."""

    code = "ta"
    indian = True
    words = Words(
        digits=_BELOW_TWENTY[:10],
        point="புள்ளி",
        minus="மைனஸ்",
        plus="பிளஸ்",
        to="முதல்",
        dot="டாட்",
        slash="ஸ்லாஷ்",
        percent="சதவீதம்",
        hashtag="ஹேஷ்டேக்",
        months=months(_MONTHS),
        currencies=currencies(
            INR="ரூபாய்|பைசா", BDT="டாக்கா|பைசா", THB="பாட்|சதாங்", VND="டாங்", IDR="ருபியா", PHP="பெசோ|சென்டாவோ",
            CNY="யுவான்", JPY="யென்", USD="டாலர்|சென்ட்", EUR="யூரோ|சென்ட்", GBP="பவுண்டு|பென்ஸ்",
        ),
        units=units(
            _UNITS,
            **{"கி.மீ.": "km", "கி.மீ": "km", "கிமீ": "km", "கி.கி.": "kg", "செ.மீ.": "cm", "மி.மீ.": "mm"},
        ),
        scales=_SCALES,
        symbols={
            "&": "மற்றும்", "@": "அட்", "+": "பிளஸ்", "=": "சமம்", "%": "சதவீதம்", "#": "எண்", "°": "டிகிரி",
            "×": "பெருக்கல்",
            "÷": "வகுத்தல்", "²": "சதுரம்", "³": "கனம்", "~": "சுமார்",
        },
        abbreviations={
            "டாக்.": "டாக்டர்", "திரு.": "திரு", "திருமதி.": "திருமதி", "பேரா.": "பேராசிரியர்", "ரூ.": "ரூபாய்",
            "எண்.": "எண்",
            "கி.மீ.": "கிலோமீட்டர்", "Dr.": "டாக்டர்", "Rs.": "ரூபாய்", "Rs": "ரூபாய்", "No.": "எண்",
            "கி.பி.": "கிறிஸ்துவுக்குப் பின்",
            "கி.மு.": "கிறிஸ்துவுக்கு முன்",
        },
        letters=TAMIL_LETTERS,
        identifiers=(
            r"ஓடிபி|ஒடிபி|பின்(?:\s?கோடு)?|குறியீடு|கோடு|சிவிவி|ஐடி|எண்|நம்பர்|கணக்கு|கணக்கு\sஎண்|பிஎன்ஆர்|டிக்கெட்|ஆர்டர்|புக்கிங்|விமானம்"
            r"|ரயில்|மீட்டர்|போன்|மொபைல்|அறை|குறிப்பு|இன்வாய்ஸ்"
            r"|OTP|PIN(?:\s?code)?|code|CVV|ID|number|account|reference|PNR|invoice|ticket|order|booking|flight|train"
        ),
        counted=(
            r"ரூபாய்|ரூபாயை|ரூபாய்க்கு|டாலர்|பைசா|கிராம்|கிலோ|லிட்டர்|பேர்|பேருக்கு|நிமிட|நிமிடம்|நிமிடங்கள்|மணி|நாட்கள்|நாள்|மீட்டர்|கிலோமீட்டர்"
            r"|சதவீதம்|ஆயிரம்|லட்சம்|கோடி|பீட்சா|பிளேட்|பாட்டில்|பாக்கெட்|யூனிட்|டிக்கெட்டுகள்"
        ),
        uncounted="மற்றும்|என்று|என|ஆகும்|அல்லது|முதல்|வரை|தான்|இல்லை|உள்ளது|ஆக|எண்|ஐ|க்கு|இல்",
        day="தேதி",
        parts_of_day="|".join(_PARTS_OF_THE_DAY),
        o_clock="மணிக்குள்|மணிக்கே|மணிக்கு|மணிவரை|மணி|க்கு",
    )  # fmt: skip

    def cardinal(self, number: int, *, indian: bool) -> str:
        """Return a count in words; Tamil always counts in lakh and crore."""
        crores, rest = divmod(number, 10**7)
        lakhs, rest = divmod(rest, 10**5)
        thousands, rest = divmod(rest, 1000)
        hundreds, rest = divmod(rest, 100)
        parts = []
        if crores:
            parts.append(f"{self.attributive(crores, indian=True)} கோடி")
        if lakhs:
            parts.append(f"{self.attributive(lakhs, indian=True)} லட்சம்")
        if thousands:
            parts.append(_thousands(thousands))
        if hundreds:
            parts.append(_HUNDREDS[hundreds])
        if hundreds and 0 < rest < 10:
            parts[-1] = _joined(_open(parts[-1]), _BELOW_TWENTY[rest])
        elif rest or not parts:
            parts.append(_below_hundred(rest))
        return " ".join([_open(part) for part in parts[:-1]] + parts[-1:])

    def attributive(self, number: int, *, indian: bool) -> str:
        """Return a count in front of a noun: "ஒரு", "இருபத்தொரு", the rest unchanged."""
        said = self.cardinal(number, indian=True)
        for one in ("ஒன்று", "ொன்று"):
            if said.endswith(one):
                return said.removesuffix("ன்று") + "ரு"
        return said

    def ordinal(self, number: int, suffix: str) -> str:
        """Return a rank in words: "ஐந்தாவது", "முதலாம்"."""
        return _with_case("முதல்" if number == 1 else self.cardinal(number, indian=True), suffix or "வது")

    def date(self, day: int, month: int, year: int | None) -> str:
        """Return a date in words: "மார்ச் இருபத்து மூன்று இரண்டாயிரத்து இருபத்தாறு"."""
        said = f"{_MONTHS[month - 1]} {_below_hundred(day)}"
        return said if year is None else f"{said} {self.year(year)}"

    def clock(self, hour: int, minute: int, half: Half | None, before: str, after: str) -> str:
        """Return a time in words: "மாலை ஐந்தரை மணிக்கு", "ஐந்து மணி இருபது நிமிடம்"."""
        hour, part = said_hour(hour, half, before, _DAY)
        dial = _BELOW_TWENTY[hour % 12 or 12]
        quarters = {15: "ேகால்", 30: "ரை", 45: "ேமுக்கால்"}
        hours = f"மணி{after}" if after == "க்கு" else after or "மணி"
        whole = self.attributive(hour % 12 or 12, indian=True)
        if minute == 0:
            said = f"{whole} {hours}"
        elif minute in quarters:
            said = f"{dial.removesuffix('ு')}{quarters[minute]} {hours}"
        else:
            minutes = hours.replace("மணி", "நிமிடம்", 1)
            minutes = minutes.replace("நிமிடம்க்கு", "நிமிடத்துக்கு").replace("நிமிடம்வரை", "நிமிடம் வரை")
            said = f"{whole} மணி {_below_hundred(minute)} {minutes}"
        return f"{part} {said}".lstrip()

    def fraction(self, numerator: int, denominator: int) -> str:
        """Return a fraction in words: "முக்கால்", "மூன்றில் இரண்டு"."""
        named = _FRACTIONS.get((numerator, denominator))
        return (
            named or f"{_with_case(self.cardinal(denominator, indian=True), 'ல்')} {_below_hundred(numerator)}"
        )

    def mixed(self, whole: int, numerator: int, denominator: int) -> str:
        """Return "இரண்டரை", "ஐந்தேகால்"."""
        endings = {(1, 2): "ரை", (1, 4): "ேகால்", (3, 4): "ேமுக்கால்"}
        said = self.cardinal(whole, indian=True)
        ending = endings.get((numerator, denominator))
        if ending and whole and said.endswith("ு"):
            return said.removesuffix("ு") + ending
        return f"{said} {self.fraction(numerator, denominator)}"

    def forms(self) -> tuple[Form, ...]:
        """Return ranks (5வது, 23-ஆம்) and figures with a case written onto them (500க்கு, 2023-ல்)."""

        def rank(match: re.Match[str]) -> str:
            return self.ordinal(int(match[1]), match[2].removeprefix("ஆ"))

        def thousands(match: re.Match[str]) -> str:
            return _thousands(int(match[1])) if int(match[1]) else match.group()

        def written_onto(match: re.Match[str]) -> str:
            return _with_case(self.cardinal(int(match[1].replace(",", "")), indian=True), match[2])

        no_figure = r"(?<![\d.,:/])"
        number = r"\d{1,3}(?:,\d{2,3})+|\d{1,9}"
        cases = "க்குள்|க்கு|இல்|ல்|ஐ|இன்|ன்|உம்|பேருக்கு|பேர்"
        return (
            (rf"{no_figure}(\d{{1,2}})\sஆயிரம்", thousands),
            (rf"{no_figure}(\d{{1,4}})-?\s?(ஆவது|வது|ஆம்|ம்)(?!{_TAMIL})", rank),
            (rf"{no_figure}({number})-?({cases})(?!{_TAMIL})", written_onto),
        )


def _below_hundred(number: int) -> str:
    if number < 20:
        return _BELOW_TWENTY[number]
    tens, ones = divmod(number, 10)
    return _joined(_OPEN_TENS[tens], _BELOW_TWENTY[ones]) if ones else _TENS[tens]


def _thousands(count: int) -> str:
    """Return "பதினோராயிரம்", "இருபத்தைந்தாயிரம்"."""
    if count in _THOUSANDS:
        return _THOUSANDS[count]
    said = _below_hundred(count)
    for one in ("ஒன்று", "ொன்று"):
        if said.endswith(one):
            return said.removesuffix(one) + ("ஓ" if one[0] == "ஒ" else "ோ") + "ராயிரம்"
    return said.removesuffix("ு") + "ாயிரம்"


def _open(said: str) -> str:
    """Return a part of a number as it stands in front of the next one."""
    if said.endswith("கோடி"):
        return said + "யே"
    return said.removesuffix("நூறு") + "நூற்று" if said.endswith("நூறு") else _oblique(said)


def _oblique(said: str) -> str:
    if said.endswith("ணூறு"):
        return said.removesuffix("ணூறு") + "ணூற்று"
    if said.endswith("னூறு"):
        return said.removesuffix("னூறு") + "னூற்று"
    return said.removesuffix("ம்") + "த்து" if said.endswith("ம்") else said


def _joined(first: str, second: str) -> str:
    """Return two numbers grown together where a u meets a vowel, and apart where it meets a consonant."""
    sign = _SIGNS.get(second[0])
    return f"{first} {second}" if sign is None else first.removesuffix("ு") + sign + second[1:]


def _with_case(said: str, case: str) -> str:
    """Return a number with a case or the ending of a rank written onto it."""
    case = {"இல்": "ல்", "இன்": "ன்"}.get(case, case)
    if case in ("பேர்", "பேருக்கு"):
        return f"{said} {case}"
    sign = {"ல்": "ி", "ன்": "ி", "ம்": "ா", "வது": "ா"}.get(case)
    if said.endswith("ம்"):
        stem = said.removesuffix("ம்") + "த்த"
        return stem + {"ஐ": "ை", "உம்": "ும்"}.get(case, f"{sign}{case}" if sign else f"ு{case}")
    if said.endswith("ல்"):
        return said.removesuffix("ல்") + "ல" + (f"{sign}{case}" if sign else f"ு{case}")
    if said.endswith("ு"):
        stem = said.removesuffix("ு")
        return stem + {"ஐ": "ை", "உம்": "ும்"}.get(case, f"{sign}{case}" if sign else f"ு{case}")
    glide = {"ஐ": "யை", "உம்": "யும்"}.get(case)
    return said + (glide or (f"ய{sign}{case}" if sign else case))
