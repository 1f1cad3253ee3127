"""How Telugu says figures: hundreds, thousands and lakhs have a plural, and an oblique in front of more."""

import re

from voicebench.audio.spoken.language import (
    INDIAN_POWERS,
    Form,
    Half,
    Language,
    Words,
    groups,
    said_hour,
)
from voicebench.audio.spoken.letters import TELUGU_LETTERS
from voicebench.audio.spoken.vocabulary import currencies, months, units

_BELOW_TWENTY = tuple(
    (
        "సున్నా ఒకటి రెండు మూడు నాలుగు ఐదు ఆరు ఏడు ఎనిమిది తొమ్మిది పది పదకొండు పన్నెండు పదమూడు పద్నాలుగు పదిహేను "
        "పదహారు పదిహేడు పద్దెనిమిది పంతొమ్మిది"
    ).split()
)
_TENS = ("", "", "ఇరవై", "ముప్పై", "నలభై", "యాభై", "అరవై", "డెబ్భై", "ఎనభై", "తొంభై")
# One of a kind, several, and several in front of more.
_POWERS = {
    2: ("వంద", "వందలు", "వందల"), 3: ("వెయ్యి", "వేలు", "వేల"), 5: ("లక్ష", "లక్షలు", "లక్షల"),
    7: ("ఒక కోటి", "కోట్లు", "కోట్ల"),
}  # fmt: skip
_ONE_AND_MORE = {2: "నూట", 3: "వెయ్యి", 5: "లక్షా", 7: "ఒక కోటి"}
_MONTHS = (
    "జనవరి", "ఫిబ్రవరి", "మార్చి", "ఏప్రిల్", "మే", "జూన్", "జూలై", "ఆగస్టు", "సెప్టెంబర్", "అక్టోబర్", "నవంబర్", "డిసెంబర్",
)  # fmt: skip
_MONTH_SPELLINGS = {"జులై": 7, "ఆగస్ట్": 8, "సెప్టెంబరు": 9, "అక్టోబరు": 10, "నవంబరు": 11, "డిసెంబరు": 12}
_PARTS_OF_THE_DAY = ("తెల్లవారుజామున", "ఉదయం", "పొద్దున", "మధ్యాహ్నం", "సాయంత్రం", "రాత్రి", "అర్ధరాత్రి")
_UNITS = {
    "km/h": "కిలోమీటర్ల వేగం", "km": "కిలోమీటరు/కిలోమీటర్లు", "cm": "సెంటీమీటరు/సెంటీమీటర్లు", "mm": "మిల్లీమీటరు/మిల్లీమీటర్లు",
    "m": "మీటరు/మీటర్లు", "kg": "కిలో/కిలోలు", "g": "గ్రాము/గ్రాములు", "mg": "మిల్లీగ్రాము/మిల్లీగ్రాములు",
    "ml": "మిల్లీలీటరు/మిల్లీలీటర్లు", "l": "లీటరు/లీటర్లు", "h": "గంట/గంటలు", "min": "నిమిషం/నిమిషాలు", "sec": "సెకను/సెకన్లు",
    "°C": "డిగ్రీ సెల్సియస్/డిగ్రీల సెల్సియస్", "°F": "డిగ్రీ ఫారెన్‌హీట్/డిగ్రీల ఫారెన్‌హీట్", "GB": "జీబీ", "MB": "ఎంబీ",
    "Mbps": "ఎంబీపీఎస్", "kWh": "కిలోవాట్ అవర్", "kW": "కిలోవాట్", "W": "వాట్", "lb": "పౌండు/పౌండ్లు", "ft": "అడుగు/అడుగులు",
    "sq ft": "చదరపు అడుగు/చదరపు అడుగులు", "m²": "చదరపు మీటరు/చదరపు మీటర్లు",
    "km²": "చదరపు కిలోమీటరు/చదరపు కిలోమీటర్లు",
}  # fmt: skip
_FRACTIONS = {(1, 2): "సగం", (1, 4): "పావు", (3, 4): "ముప్పావు"}
_SCALES = {
    "వెయ్యి": "వెయ్యి", "వేలు": "వేల", "వేల": "వేల", "లక్ష": "లక్ష", "లక్షలు": "లక్షల", "లక్షల": "లక్షల", "కోటి": "కోటి",
    "కోట్లు": "కోట్ల", "కోట్ల": "కోట్ల", "మిలియన్": "మిలియన్", "lakh": "లక్షల", "crore": "కోట్ల", "thousand": "వేల", "k": "వేల",
    "cr": "కోట్ల", "L": "లక్షల", "million": "మిలియన్", "m": "మిలియన్", "billion": "బిలియన్",
}  # fmt: skip
_BEFORE_A_POSTPOSITION = re.compile(r"(?<=[\u0c00-\u0c7f])లు(?= (?:నుంచి|నుండి|వరకు|దూరం))")
_TELUGU = "[\u0c00-\u0c7f]"
_DAY = (
    (3, "రాత్రి"), (6, "తెల్లవారుజామున"), (12, "ఉదయం"), (16, "మధ్యాహ్నం"), (19, "సాయంత్రం"), (24, "రాత్రి"),
)  # fmt: skip


class Telugu(Language):
    """Telugu, in its own script."""

    code = "te"
    indian = True
    words = Words(
        digits=_BELOW_TWENTY[:10],
        point="పాయింట్",
        minus="మైనస్",
        plus="ప్లస్",
        to="నుంచి",
        dot="డాట్",
        slash="స్లాష్",
        percent="శాతం",
        hashtag="హ్యాష్‌ట్యాగ్",
        months=months(_MONTHS, _MONTH_SPELLINGS),
        currencies=currencies(
            INR="రూపాయి/రూపాయలు|పైసా/పైసలు", BDT="టాకా|పైసా/పైసలు", THB="బాత్|సతాంగ్", VND="డాంగ్", IDR="రుపియా",
            PHP="పెసో|సెంటావో", CNY="యువాన్", JPY="యెన్", USD="డాలర్/డాలర్లు|సెంట్/సెంట్లు", EUR="యూరో/యూరోలు|సెంట్/సెంట్లు",
            GBP="పౌండ్/పౌండ్లు|పెన్నీ/పెన్స్",
        ),
        units=units(
            _UNITS,
            **{"కి.మీ.": "km", "కి.మీ": "km", "కిమీ": "km", "కి.గ్రా.": "kg", "కేజీ": "kg", "సెం.మీ.": "cm"},
        ),
        scales=_SCALES,
        symbols={
            "&": "మరియు", "@": "ఎట్", "+": "ప్లస్", "=": "సమానం", "%": "శాతం", "#": "నంబర్", "°": "డిగ్రీలు",
            "×": "ఇంటూ",
            "÷": "భాగించు", "²": "స్క్వేర్", "³": "క్యూబ్", "~": "సుమారు",
        },
        abbreviations={
            "డా.": "డాక్టర్", "డాక్టర్.": "డాక్టర్", "ప్రొ.": "ప్రొఫెసర్", "రూ.": "రూపాయలు", "నం.": "నంబర్", "నెం.": "నంబర్",
            "కి.మీ.": "కిలోమీటర్లు", "Dr.": "డాక్టర్", "Rs.": "రూపాయలు", "Rs": "రూపాయలు", "No.": "నంబర్",
            "క్రీ.శ.": "క్రీస్తు శకం", "క్రీ.పూ.": "క్రీస్తు పూర్వం",
        },
        letters=TELUGU_LETTERS,
        identifiers=(
            r"ఓటీపీ|ఒటిపి|ఓటిపి|పిన్(?:\s?కోడ్)?|కోడ్|సీవీవీ|ఐడీ|ఐడి|నంబర్|నంబరు|నెంబర్|సంఖ్య|ఖాతా|అకౌంట్|పీఎన్ఆర్|టికెట్|ఆర్డర్|బుకింగ్|ఫ్లైట్|రైలు"
            r"|మీటర్|ఫోన్|మొబైల్|గది|రూమ్|ఫ్లాట్|రిఫరెన్స్|ఇన్వాయిస్"
            r"|OTP|PIN(?:\s?code)?|code|CVV|ID|number|account|reference|PNR|invoice|ticket|order|booking|flight|train"
        ),
        counted=(
            r"రూపాయలు|రూపాయల|రూపాయి|డాలర్లు|పైసలు|గ్రాములు|గ్రాముల|కిలోలు|కిలోల|లీటర్లు|లీటర్ల|మంది|మందికి|నిమిషాలు|నిమిషాల|గంటలు|గంటల|రోజులు|రోజుల"
            r"|మీటర్లు|కిలోమీటర్లు|శాతం|వేలు|వేల|లక్షలు|లక్షల|కోట్లు|పిజ్జాలు|ప్లేట్లు|ప్యాకెట్లు|యూనిట్లు|టికెట్లు"
        ),
        uncounted="మరియు|అని|ఉంది|లేదా|కాదు|నుంచి|నుండి|వరకు|కి|కు|లో|తో|న|కే|ఉన్నాయి|అయింది|నెంబర్|నంబర్",
        day="తేదీ",
        parts_of_day="|".join(_PARTS_OF_THE_DAY),
        o_clock="గంటలలోపు|గంటలకి|గంటలకు|గంటకు|గంటలు|గంటల|కి|కు",
    )  # fmt: skip

    def cardinal(self, number: int, *, indian: bool) -> str:
        """Return a count in words; Telugu always counts in lakh and crore."""
        return self._said(number)

    def attributive(self, number: int, *, indian: bool) -> str:
        """Return a count in front of a noun: "ఒక", "ఇరవై ఒక్క", "ఐదు వందల"."""
        said = self._said(number)
        if said == "ఒకటి":
            return "ఒక"
        if said.endswith("ఒకటి"):
            return said.removesuffix("ఒకటి") + "ఒక్క"
        for _, several, oblique in _POWERS.values():
            if said.endswith(several):
                return said.removesuffix(several) + oblique
        return said

    def _said(self, number: int) -> str:
        parts: list[str] = []
        found = groups(number, INDIAN_POWERS)
        for position, (count, power) in enumerate(found):
            more = position < len(found) - 1
            if power == 0:
                parts.append(_below_hundred(count))
            elif count == 1:
                parts.append(_ONE_AND_MORE[power] if more else _POWERS[power][0])
            else:
                parts.append(f"{self.attributive(count, indian=True)} {_POWERS[power][2 if more else 1]}")
        return " ".join(parts) or _BELOW_TWENTY[0]

    def ordinal(self, number: int, suffix: str) -> str:
        """Return a rank in words: "ఐదవ", "మొదటి"."""
        if number == 1:
            return "మొదటి"
        said = self.attributive(number, indian=True) if number >= 100 else self.cardinal(number, indian=True)
        if said.endswith("ై"):
            return said.removesuffix("ై") + "య్యవ"
        return said.rstrip("ుి") + "వ"

    def date(self, day: int, month: int, year: int | None) -> str:
        """Return a date in words: "మార్చి ఇరవై మూడు రెండు వేల ఇరవై ఆరు"."""
        said = f"{_MONTHS[month - 1]} {_below_hundred(day)}"
        return said if year is None else f"{said} {self.year(year)}"

    def year(self, number: int) -> str:
        """Return a year in words: "పంతొమ్మిది వందల తొంభై ఐదు"."""
        century, rest = divmod(number, 100)
        if 1100 <= number < 2000:
            return f"{_below_hundred(century)} వందల" + (f" {_below_hundred(rest)}" if rest else "")
        return self.cardinal(number, indian=True)

    def clock(self, hour: int, minute: int, half: Half | None, before: str, after: str) -> str:
        """Return a time in words: "సాయంత్రం ఐదున్నర గంటలకు", "ఐదు గంటల ఇరవై నిమిషాలకు"."""
        hour, part = said_hour(hour, half, before, _DAY)
        dial = hour % 12 or 12
        case = after.removeprefix("గంటల").removeprefix("గంట") if after != "గంటలు" else "ు"
        if minute == 0 and dial == 1:
            said = "ఒంటి గంట" + case.removeprefix("ు")
        elif minute in (0, 30):
            count = _BELOW_TWENTY[dial] + ("న్నర" if minute else "")
            said = f"{count} గంటల{case or ('' if after else 'ు')}"
        else:
            hours = "ఒంటి గంట" if dial == 1 else f"{_BELOW_TWENTY[dial]} గంటల"
            said = f"{hours} {_below_hundred(minute)} నిమిషాల{case or ('' if after else 'ు')}"
        return f"{part} {said}".lstrip()

    def fraction(self, numerator: int, denominator: int) -> str:
        """Return a fraction in words: "ముప్పావు", "మూడింట రెండు"."""
        named = _FRACTIONS.get((numerator, denominator))
        upper = "ఒక" if numerator == 1 else _below_hundred(numerator)
        lower = self.cardinal(denominator, indian=True)
        return named or f"{lower.rstrip('ుి')}ింట {upper} వంతు{'' if numerator == 1 else 'లు'}"

    def mixed(self, whole: int, numerator: int, denominator: int) -> str:
        """Return "రెండున్నర"."""
        said = self.cardinal(whole, indian=True)
        if (numerator, denominator) == (1, 2) and said[-1] in "ుి":
            return said + "న్నర"
        return f"{said} {self.fraction(numerator, denominator)}"

    def finish(self, text: str) -> str:
        """Return plurals in the oblique in front of "from", "until" and a distance: "ఐదు వందల నుంచి"."""
        return _BEFORE_A_POSTPOSITION.sub("ల", text)

    def forms(self) -> tuple[Form, ...]:
        """Return ranks (5వ) and figures with a case written onto them (500కి, 2023లో)."""

        def rank(match: re.Match[str]) -> str:
            return self.ordinal(int(match[1]), "") + {"వది": "ది", "వా": "", "వ": "", "ో": ""}.get(match[2], "")

        def written_onto(match: re.Match[str]) -> str:
            number = int(match[1].replace(",", ""))
            case = match[2]
            if case in ("మంది", "మందికి"):
                return _people(number, self.attributive(number, indian=True), case)
            said = (
                self.attributive(number, indian=True) if number >= 100 else self.cardinal(number, indian=True)
            )
            return said + {"కి": "కు" if said[-1] in "ుల" else "కి"}.get(case, case)

        no_figure = r"(?<![\d.,:/])"
        return (
            (rf"{no_figure}(\d{{1,4}})-?(వది|వా|వ|ో)(?!{_TELUGU})", rank),
            (rf"{no_figure}1\s(?=గంటకు)", lambda _: "ఒంటి"),
            (rf"{no_figure}(\d{{1,9}})\s(మందికి|మంది)(?!{_TELUGU})", written_onto),
            (
                rf"{no_figure}(\d{{1,3}}(?:,\d{{2,3}})+|\d{{1,9}})-?(కి|కు|లోపు|లో|తో|న|మందికి|మంది)(?!{_TELUGU})",
                written_onto,
            ),
        )


def _below_hundred(number: int) -> str:
    if number < 20:
        return _BELOW_TWENTY[number]
    tens, ones = divmod(number, 10)
    return _TENS[tens] + (f" {_BELOW_TWENTY[ones]}" if ones else "")


def _people(number: int, said: str, noun: str) -> str:
    """Return a count of people: ఇద్దరు, ముగ్గురు, …, and with మంది from eight on."""
    few = {1: "ఒక్క", 2: "ఇద్దర", 3: "ముగ్గుర", 4: "నలుగుర", 5: "ఐదుగుర", 6: "ఆరుగుర", 7: "ఏడుగుర"}
    if number == 1:
        return "ఒక్కరు" if noun == "మంది" else "ఒక్కరికి"
    if number in few:
        return few[number] + ("ు" if noun == "మంది" else "ికి")
    return f"{said} {noun}"
