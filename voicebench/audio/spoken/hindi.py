"""How Hindi says figures: every number below a hundred has a word of its own."""

from voicebench.audio.spoken.indic import Indic
from voicebench.audio.spoken.language import (
    Half,
    Words,
    said_hour,
)
from voicebench.audio.spoken.letters import DEVANAGARI_LETTERS
from voicebench.audio.spoken.vocabulary import currencies, months, units

_BELOW_HUNDRED = (
    "शून्य", "एक", "दो", "तीन", "चार", "पाँच", "छह", "सात", "आठ", "नौ",
    "दस", "ग्यारह", "बारह", "तेरह", "चौदह", "पंद्रह", "सोलह", "सत्रह", "अठारह", "उन्नीस",
    "बीस", "इक्कीस", "बाईस", "तेईस", "चौबीस", "पच्चीस", "छब्बीस", "सत्ताईस", "अट्ठाईस", "उनतीस",
    "तीस", "इकतीस", "बत्तीस", "तैंतीस", "चौंतीस", "पैंतीस", "छत्तीस", "सैंतीस", "अड़तीस", "उनतालीस",
    "चालीस", "इकतालीस", "बयालीस", "तैंतालीस", "चौवालीस", "पैंतालीस", "छियालीस", "सैंतालीस", "अड़तालीस", "उनचास",
    "पचास", "इक्यावन", "बावन", "तिरपन", "चौवन", "पचपन", "छप्पन", "सत्तावन", "अट्ठावन", "उनसठ",
    "साठ", "इकसठ", "बासठ", "तिरसठ", "चौंसठ", "पैंसठ", "छियासठ", "सड़सठ", "अड़सठ", "उनहत्तर",
    "सत्तर", "इकहत्तर", "बहत्तर", "तिहत्तर", "चौहत्तर", "पचहत्तर", "छिहत्तर", "सतहत्तर", "अठहत्तर", "उन्यासी",
    "अस्सी", "इक्यासी", "बयासी", "तिरासी", "चौरासी", "पचासी", "छियासी", "सत्तासी", "अट्ठासी", "नवासी",
    "नब्बे", "इक्यानवे", "बानवे", "तिरानवे", "चौरानवे", "पंचानवे", "छियानवे", "सत्तानवे", "अट्ठानवे", "निन्यानवे",
)  # fmt: skip
_POWERS = {3: "हज़ार", 5: "लाख", 7: "करोड़"}
_IRREGULAR_ORDINALS = {1: "पहल", 2: "दूसर", 3: "तीसर", 4: "चौथ", 6: "छठ"}
_MONTHS = (
    "जनवरी", "फ़रवरी", "मार्च", "अप्रैल", "मई", "जून", "जुलाई", "अगस्त", "सितंबर", "अक्टूबर", "नवंबर", "दिसंबर",
)  # fmt: skip
_MONTH_SPELLINGS = {
    "फरवरी": 2, "सितम्बर": 9, "अक्तूबर": 10, "नवम्बर": 11, "दिसम्बर": 12,
}  # fmt: skip
_PARTS_OF_THE_DAY = ("सुबह", "सवेरे", "दोपहर", "शाम", "रात", "रात्रि", "तड़के", "आधी")

_UNITS = {
    "km/h": "किलोमीटर प्रति घंटा", "km": "किलोमीटर", "cm": "सेंटीमीटर", "mm": "मिलीमीटर", "m": "मीटर",
    "kg": "किलोग्राम", "g": "ग्राम", "mg": "मिलीग्राम", "ml": "मिलीलीटर", "l": "लीटर", "h": "घंटा/घंटे",
    "min": "मिनट",
    "sec": "सेकंड", "°C": "डिग्री सेल्सियस", "°F": "डिग्री फ़ारेनहाइट", "GB": "जीबी", "MB": "एमबी",
    "Mbps": "एमबीपीएस", "kWh": "किलोवाट घंटे", "kW": "किलोवाट", "W": "वाट", "lb": "पाउंड", "ft": "फ़ुट",
    "sq ft": "वर्ग फ़ुट", "m²": "वर्ग मीटर", "km²": "वर्ग किलोमीटर",
}  # fmt: skip
_FRACTIONS = {
    (1, 2): "आधा", (1, 3): "एक तिहाई", (2, 3): "दो तिहाई", (1, 4): "चौथाई", (3, 4): "तीन चौथाई",
}  # fmt: skip
_SCALES = {
    **{word: word for word in "सौ हज़ार हजार लाख करोड़ अरब lakh crore thousand".split()},
    "k": "हज़ार", "cr": "करोड़", "L": "लाख", "million": "मिलियन", "m": "मिलियन", "billion": "बिलियन",
}  # fmt: skip
_DAY = (
    (4, "रात"), (12, "सुबह"), (16, "दोपहर"), (20, "शाम"), (24, "रात"),
)  # fmt: skip


class Hindi(Indic):
    """Hindi, in Devanagari."""

    code = "hi"
    below_hundred = _BELOW_HUNDRED
    powers = _POWERS
    month_names = _MONTHS
    words = Words(
        digits=_BELOW_HUNDRED[:10],
        point="दशमलव",
        minus="माइनस",
        plus="प्लस",
        to="से",
        dot="डॉट",
        slash="स्लैश",
        hashtag="हैशटैग",
        percent="प्रतिशत",
        months=months(_MONTHS, _MONTH_SPELLINGS),
        currencies=currencies(
            INR="रुपया/रुपये|पैसा/पैसे", BDT="टका|पैसा/पैसे", THB="बाट|सतांग", VND="डोंग", IDR="रुपिया",
            PHP="पेसो|सेंटावो", CNY="युआन", JPY="येन", USD="डॉलर|सेंट", EUR="यूरो|सेंट", GBP="पाउंड|पेंस",
        ),
        units=units(_UNITS, **{"कि.मी.": "km", "किमी": "km", "कि.ग्रा.": "kg", "किग्रा": "kg"}),
        scales=_SCALES,
        symbols={
            "&": "और", "@": "ऐट", "+": "प्लस", "=": "बराबर", "%": "प्रतिशत", "#": "नंबर", "°": "डिग्री",
            "×": "गुणा", "÷": "भाग", "²": "वर्ग", "³": "घन", "~": "लगभग",
        },
        abbreviations={
            "डॉ.": "डॉक्टर", "श्री.": "श्री", "प्रो.": "प्रोफ़ेसर", "रु.": "रुपये", "रू.": "रुपये", "Rs.": "रुपये",
            "Rs": "रुपये", "कि.मी.": "किलोमीटर", "नं.": "नंबर",
        },
        identifiers=(
            r"ओटीपी|पिन(?:\s?कोड)?|कोड|सीवीवी|आईडी|नंबर|नम्बर|संख्या|खाता|खाते|रेफ़रेंस|रेफरेंस|पीएनआर|इनवॉइस|टिकट"
            r"|ऑर्डर|आर्डर|बुकिंग|फ़्लाइट|फ्लाइट|ट्रेन|मीटर|फ़ोन|फोन|मोबाइल|कमरा|फ़्लैट|फ्लैट"
            r"|OTP|PIN(?:\s?code)?|code|CVV|ID|number|account|reference|PNR|invoice|ticket|order|booking"
            r"|flight|train"
        ),
        counted=(
            r"रुपये|रुपए|रूपये|रुपया|डॉलर|पैसे|ग्राम|किलो|किलोग्राम|लीटर|लोग|लोगों|मिनट|घंटे|घंटा|दिन|मीटर|किलोमीटर"
            r"|प्रतिशत|हज़ार|हजार|लाख|करोड़|पिज़्ज़ा|प्लेट|बोतल|पैकेट|यूनिट|rupees?"
        ),
        letters=DEVANAGARI_LETTERS,
        parts_of_day="|".join(_PARTS_OF_THE_DAY),
        o_clock="बजे|बजकर|बज",
        ordinal_suffixes="वाँ|वां|वें|वीं|वी|वे|वा|ला|ली|ले|रा|री|रे|था|थी|थे|ठा|ठी|ठे",
        year=r"(?<!\w)(सन|सन्|वर्ष|साल)\s([12]\d{3})(?!\d)",
    )  # fmt: skip

    def hundreds(self, count: int, *, exactly: bool) -> str:
        """Return "तीन सौ"."""
        return f"{_BELOW_HUNDRED[count]} सौ"

    def ordinal(self, number: int, suffix: str) -> str:
        """Return a rank in words, with the written suffix's gender and case: "तेईसवें", "पहली"."""
        vowel = suffix[1:].rstrip("ंँ") or "ा"
        if number in _IRREGULAR_ORDINALS:
            return _IRREGULAR_ORDINALS[number] + vowel
        return f"{self.cardinal(number, indian=True)}व{vowel}{'ँ' if vowel == 'ा' else 'ं'}"

    def year(self, number: int) -> str:
        """Return a year in words: "उन्नीस सौ पंचानवे", "दो हज़ार तेईस"."""
        century, rest = divmod(number, 100)
        if 1100 <= number < 2000:
            return f"{_BELOW_HUNDRED[century]} सौ" + (f" {_BELOW_HUNDRED[rest]}" if rest else "")
        return self.cardinal(number, indian=True)

    def clock(self, hour: int, minute: int, half: Half | None, before: str, after: str) -> str:
        """Return a time in words: "शाम साढ़े पाँच बजे", "पाँच बजकर दस मिनट"."""
        hour, part = said_hour(hour, half, before, _DAY)
        dial = hour % 12 or 12
        said = "पौने एक" if (dial, minute) == (12, 45) else self._by_quarters(dial, minute)
        if said is not None:
            said = f"{said} {after or 'बजे'}"
        else:
            said = f"{_BELOW_HUNDRED[dial]} बजकर {_BELOW_HUNDRED[minute]} मिनट"
        return f"{part} {said}".lstrip()

    def fraction(self, numerator: int, denominator: int) -> str:
        """Return a fraction in words: "दो तिहाई", "तीन बटा पाँच"."""
        named = _FRACTIONS.get((numerator, denominator))
        return named or " बटा ".join(self.cardinal(part, indian=True) for part in (numerator, denominator))

    def mixed(self, whole: int, numerator: int, denominator: int) -> str:
        """Return "ढाई", "सवा दो", "दो सही एक बटा तीन"."""
        if 4 % denominator == 0 and 0 < whole < 99:
            said = self._by_quarters(whole, 60 * numerator // denominator)
            if said is not None:
                return said
        return f"{self.cardinal(whole, indian=True)} सही {self.fraction(numerator, denominator)}"

    def _by_quarters(self, whole: int, sixtieths: int) -> str | None:
        """Return a whole number with nothing, a quarter, a half or three quarters; None for all between."""
        if sixtieths == 0:
            return _BELOW_HUNDRED[whole]
        if sixtieths == 15:
            return f"सवा {_BELOW_HUNDRED[whole]}"
        if sixtieths == 30:
            return {1: "डेढ़", 2: "ढाई"}.get(whole) or f"साढ़े {_BELOW_HUNDRED[whole]}"
        if sixtieths == 45:
            return f"पौने {_BELOW_HUNDRED[whole + 1]}"
        return None
