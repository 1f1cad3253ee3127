"""How Marathi says figures: every number below a hundred has a word, and ranks agree with what they rank."""

import re

from voicebench.audio.spoken.indic import Indic
from voicebench.audio.spoken.language import (
    Form,
    Half,
    Words,
    said_hour,
)
from voicebench.audio.spoken.letters import DEVANAGARI_LETTERS
from voicebench.audio.spoken.vocabulary import currencies, months, units

_BELOW_HUNDRED = tuple(
    (
        "शून्य एक दोन तीन चार पाच सहा सात आठ नऊ "
        "दहा अकरा बारा तेरा चौदा पंधरा सोळा सतरा अठरा एकोणीस "
        "वीस एकवीस बावीस तेवीस चोवीस पंचवीस सव्वीस सत्तावीस अठ्ठावीस एकोणतीस "
        "तीस एकतीस बत्तीस तेहेतीस चौतीस पस्तीस छत्तीस सदतीस अडतीस एकोणचाळीस "
        "चाळीस एक्केचाळीस बेचाळीस त्रेचाळीस चव्वेचाळीस पंचेचाळीस सेहेचाळीस सत्तेचाळीस अठ्ठेचाळीस एकोणपन्नास "
        "पन्नास एक्कावन्न बावन्न त्रेपन्न चोपन्न पंचावन्न छप्पन्न सत्तावन्न अठ्ठावन्न एकोणसाठ "
        "साठ एकसष्ट बासष्ट त्रेसष्ट चौसष्ट पासष्ट सहासष्ट सदुसष्ट अडुसष्ट एकोणसत्तर "
        "सत्तर एक्काहत्तर बाहत्तर त्र्याहत्तर चौऱ्याहत्तर पंच्याहत्तर शहात्तर सत्याहत्तर अठ्ठ्याहत्तर एकोणऐंशी "
        "ऐंशी एक्याऐंशी ब्याऐंशी त्र्याऐंशी चौऱ्याऐंशी पंच्याऐंशी शहाऐंशी सत्याऐंशी अठ्ठ्याऐंशी एकोणनव्वद "
        "नव्वद एक्याण्णव ब्याण्णव त्र्याण्णव चौऱ्याण्णव पंच्याण्णव शहाण्णव सत्याण्णव अठ्ठ्याण्णव नव्याण्णव"
    ).split()
)
_POWERS = {3: "हजार", 5: "लाख", 7: "कोटी"}
_MONTHS = (
    "जानेवारी", "फेब्रुवारी", "मार्च", "एप्रिल", "मे", "जून", "जुलै", "ऑगस्ट", "सप्टेंबर", "ऑक्टोबर", "नोव्हेंबर", "डिसेंबर",
)  # fmt: skip
_MONTH_SPELLINGS = {"एप्रील": 4, "सप्टेबर": 9, "नोव्हेबर": 11}
_IRREGULAR_ORDINALS = {1: "पहिल", 2: "दुसर", 3: "तिसर", 4: "चौथ"}
_PARTS_OF_THE_DAY = ("पहाटे", "सकाळी", "दुपारी", "संध्याकाळी", "सायंकाळी", "रात्री", "मध्यरात्री")
_UNITS = {
    "km/h": "किलोमीटर प्रति तास", "km": "किलोमीटर", "cm": "सेंटीमीटर", "mm": "मिलिमीटर", "m": "मीटर",
    "kg": "किलो", "g": "ग्रॅम", "mg": "मिलिग्रॅम", "ml": "मिलिलिटर", "l": "लिटर", "h": "तास",
    "min": "मिनिट/मिनिटे",
    "sec": "सेकंद", "°C": "अंश सेल्सिअस", "°F": "अंश फॅरेनहाइट", "GB": "जीबी", "MB": "एमबी", "Mbps": "एमबीपीएस",
    "kWh": "किलोवॅट तास", "kW": "किलोवॅट", "W": "वॅट", "lb": "पाउंड", "ft": "फूट", "sq ft": "चौरस फूट",
    "m²": "चौरस मीटर", "km²": "चौरस किलोमीटर",
}  # fmt: skip
_FRACTIONS = {
    (1, 2): "अर्धा", (1, 4): "पाव", (3, 4): "पाऊण", (1, 3): "एक तृतीयांश", (2, 3): "दोन तृतीयांश",
}  # fmt: skip
_SCALES = {
    **{word: word for word in "हजार लाख कोटी अब्ज".split()},
    "lakh": "लाख", "crore": "कोटी", "thousand": "हजार", "k": "हजार", "cr": "कोटी", "L": "लाख",
    "million": "मिलियन", "m": "मिलियन", "billion": "बिलियन",
}  # fmt: skip
_DEVANAGARI = "[\u0900-\u0963\u0970-\u097f]"
_DAY = (
    (4, "रात्री"), (6, "पहाटे"), (12, "सकाळी"), (16, "दुपारी"), (20, "संध्याकाळी"), (24, "रात्री"),
)  # fmt: skip


class Marathi(Indic):
    """Marathi, in Devanagari."""

    code = "mr"
    below_hundred = _BELOW_HUNDRED
    powers = _POWERS
    month_names = _MONTHS
    words = Words(
        digits=_BELOW_HUNDRED[:10],
        point="पॉइंट",
        minus="उणे",
        plus="प्लस",
        to="ते",
        dot="डॉट",
        slash="स्लॅश",
        percent="टक्के",
        hashtag="हॅशटॅग",
        months=months(_MONTHS, _MONTH_SPELLINGS),
        currencies=currencies(
            INR="रुपया/रुपये|पैसा/पैसे", BDT="टका|पैसा/पैसे", THB="बाट|सतांग", VND="डोंग", IDR="रुपिया",
            PHP="पेसो|सेंटाव्हो", CNY="युआन", JPY="येन", USD="डॉलर|सेंट", EUR="युरो|सेंट", GBP="पाउंड|पेन्स",
        ),
        units=units(_UNITS, **{"कि.मी.": "km", "किमी": "km", "कि.ग्रॅ.": "kg", "कि.ग्रा.": "kg"}),
        scales=_SCALES,
        symbols={
            "&": "आणि", "@": "ॲट", "+": "अधिक", "=": "बरोबर", "%": "टक्के", "#": "नंबर", "°": "अंश", "×": "गुणिले",
            "÷": "भागिले", "²": "वर्ग", "³": "घन", "~": "सुमारे",
        },
        abbreviations={
            "डॉ.": "डॉक्टर", "श्री.": "श्री", "सौ.": "सौभाग्यवती", "प्रा.": "प्राध्यापक", "रु.": "रुपये",
            "क्र.": "क्रमांक",
            "नं.": "नंबर", "कि.मी.": "किलोमीटर", "ता.": "तारीख", "Dr.": "डॉक्टर", "Rs.": "रुपये", "Rs": "रुपये",
            "No.": "नंबर",
        },
        letters=DEVANAGARI_LETTERS,
        identifiers=(
            r"ओटीपी|पिन(?:\s?कोड)?|कोड|सीव्हीव्ही|आयडी|नंबर|क्रमांक|खाते|खाता|पीएनआर|तिकीट|ऑर्डर|बुकिंग|फ्लाइट|ट्रेन|मीटर|फोन"
            r"|मोबाईल|मोबाइल|खोली|फ्लॅट|संदर्भ|गाडी"
            r"|OTP|PIN(?:\s?code)?|code|CVV|ID|number|account|reference|PNR|invoice|ticket|order|booking|flight|train"
        ),
        counted=(
            r"रुपये|रुपयांचा|रुपयांची|रुपयांचे|रुपया|डॉलर|पैसे|ग्रॅम|किलो|लिटर|लोक|लोकांसाठी|मिनिटे|मिनिटांनी|तास|दिवस|मीटर|किलोमीटर"
            r"|टक्के|हजार|लाख|कोटी|पिझ्झा|प्लेट|बाटल्या|पाकिटे|युनिट|जण|rupees?"
        ),
        ordinal_suffixes="ला|ली|ले|ल्या|रा|री|रे|ऱ्या|था|थी|थे|थ्या|वा|वी|वे|व्या|वां|वीं",
        year=r"(?<!\w)(सन|साल|वर्ष)\s([12]\d{3})(?!\d)",
        day="तारीख|दिनांक",
        parts_of_day="|".join(_PARTS_OF_THE_DAY),
        o_clock="वाजता|वाजेपर्यंत|वाजल्यापासून|वाजले|वाजून|वाजेपासून",
    )  # fmt: skip

    def hundreds(self, count: int, *, exactly: bool) -> str:
        """Return "तीनशे", and "शंभर" for a hundred exactly."""
        return "शंभर" if count == 1 and exactly else f"{_BELOW_HUNDRED[count]}शे"

    def ordinal(self, number: int, suffix: str) -> str:
        """Return a rank in words, with the written suffix's gender and case: "तेविसावा", "पहिली"."""
        if number in _IRREGULAR_ORDINALS:
            ending = {"ला": "ा", "रा": "ा", "था": "ा", "वा": "ा"}.get(suffix, suffix[1:])
            stem = _IRREGULAR_ORDINALS[number]
            # The oblique is "पहिल्या", but "दुसऱ्या".
            return stem[:-1] + "ऱ्या" if stem.endswith("र") and ending == "्या" else stem + ending
        if suffix in ("ला", "ली", "ले"):
            return self.cardinal(number, indian=True) + suffix
        return self._stem(number) + "व" + {"वां": "ा", "वीं": "ी"}.get(suffix, suffix[1:])

    def _stem(self, number: int) -> str:
        """Return a number as it stands in front of the ending of a rank: "तेविसा", "पाच"."""
        said = self.cardinal(number, indian=True)
        if number % 100 in (5, 7, 8):
            return said
        if number % 100 == 9:
            return said.removesuffix("ऊ") + "व"
        if said.endswith("ीस"):
            said = said.removesuffix("ीस") + "िस"
        # A final consonant takes a long a; "दहा", "ऐंशी" and "कोटी" end in a vowel.
        return said if said[-1] in "ाीेूै" else said + "ा"

    def year(self, number: int) -> str:
        """Return a year in words: "एकोणीसशे पंच्याण्णव", "दोन हजार तेवीस"."""
        century, rest = divmod(number, 100)
        if 1100 <= number < 2000:
            return f"{_BELOW_HUNDRED[century]}शे" + (f" {_BELOW_HUNDRED[rest]}" if rest else "")
        return self.cardinal(number, indian=True)

    def clock(self, hour: int, minute: int, half: Half | None, before: str, after: str) -> str:
        """Return a time in words: "संध्याकाळी साडेपाच वाजता", "पाच वाजून वीस मिनिटांनी"."""
        hour, part = said_hour(hour, half, before, _DAY)
        dial = hour % 12 or 12
        quarters = {
            0: _BELOW_HUNDRED[dial],
            15: f"सव्वा{_BELOW_HUNDRED[dial]}",
            30: {1: "दीड", 2: "अडीच"}.get(dial) or f"साडे{_BELOW_HUNDRED[dial]}",
            45: "पाऊण" if dial == 12 else f"पावणे{_BELOW_HUNDRED[dial + 1]}",
        }
        if minute in quarters:
            said = f"{quarters[minute]} {after or 'वाजता'}"
        else:
            minutes = {
                "वाजेपर्यंत": "मिनिटांपर्यंत",
                "वाजल्यापासून": "मिनिटांपासून",
                "वाजेपासून": "मिनिटांपासून",
                "वाजले": "मिनिटे झाली",
            }
            said = f"{_BELOW_HUNDRED[dial]} वाजून {_BELOW_HUNDRED[minute]} {minutes.get(after, 'मिनिटांनी')}"
        return f"{part} {said}".lstrip()

    def fraction(self, numerator: int, denominator: int) -> str:
        """Return a fraction in words: "पाव", "दोन तृतीयांश", "तीन छेद पाच"."""
        named = _FRACTIONS.get((numerator, denominator))
        return named or " छेद ".join(self.cardinal(part, indian=True) for part in (numerator, denominator))

    def mixed(self, whole: int, numerator: int, denominator: int) -> str:
        """Return "दीड", "अडीच", "साडेतीन"."""
        if (numerator, denominator) == (1, 2) and whole:
            return {1: "दीड", 2: "अडीच"}.get(whole) or f"साडे{self.cardinal(whole, indian=True)}"
        return f"{self.cardinal(whole, indian=True)} पूर्णांक {self.fraction(numerator, denominator)}"

    def forms(self) -> tuple[Form, ...]:
        """Return figures with a case written onto them (5च्या, 10मध्ये), and "1 ला" for "पहिला"."""

        def written_onto(match: re.Match[str]) -> str:
            return self.cardinal(int(match[1]), indian=True) + match[2]

        cases = "च्या|चा|ची|चे|मध्ये|पर्यंत|पासून|साठी|ने|नी|जण|हून|वर"
        return ((rf"(?<![\d.,:/])(\d{{1,9}})-?({cases})(?!{_DEVANAGARI})", written_onto),)
