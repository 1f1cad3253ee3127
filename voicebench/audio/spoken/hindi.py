"""How Hindi says figures: every number below a hundred has a word of its own."""

from voicebench.audio.spoken.language import (
    INDIAN_POWERS,
    Currency,
    Half,
    Language,
    Noun,
    Words,
    groups,
)

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
_POWERS = {2: "सौ", 3: "हज़ार", 5: "लाख", 7: "करोड़"}
_IRREGULAR_ORDINALS = {1: "पहल", 2: "दूसर", 3: "तीसर", 4: "चौथ", 6: "छठ"}
_MONTHS = (
    "जनवरी", "फ़रवरी", "मार्च", "अप्रैल", "मई", "जून", "जुलाई", "अगस्त", "सितंबर", "अक्टूबर", "नवंबर", "दिसंबर",
)  # fmt: skip
_MONTH_SPELLINGS = {
    "फरवरी": 2, "सितम्बर": 9, "अक्तूबर": 10, "नवम्बर": 11, "दिसम्बर": 12,
    "january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8,
    "september": 9, "october": 10, "november": 11, "december": 12,
}  # fmt: skip
_PARTS_OF_THE_DAY = ("सुबह", "सवेरे", "दोपहर", "शाम", "रात", "रात्रि", "तड़के", "आधी")
_O_CLOCK = ("बजे", "बजकर", "बज")


_UNITS = {
    "km/h": "किलोमीटर प्रति घंटा", "kmph": "किलोमीटर प्रति घंटा", "km": "किलोमीटर", "कि.मी.": "किलोमीटर",
    "किमी": "किलोमीटर", "cm": "सेंटीमीटर", "mm": "मिलीमीटर", "m": "मीटर", "kg": "किलोग्राम",
    "कि.ग्रा.": "किलोग्राम", "g": "ग्राम", "gm": "ग्राम", "mg": "मिलीग्राम", "ml": "मिलीलीटर", "l": "लीटर",
    "°C": "डिग्री सेल्सियस", "°F": "डिग्री फ़ारेनहाइट", "GB": "जीबी", "MB": "एमबी", "kWh": "किलोवाट घंटे",
    "kW": "किलोवाट", "W": "वाट",
}  # fmt: skip


class Hindi(Language):
    """Hindi, in Devanagari."""

    code = "hi"
    indian = True
    words = Words(
        digits=_BELOW_HUNDRED[:10],
        point="दशमलव",
        minus="माइनस",
        plus="प्लस",
        to="से",
        dot="डॉट",
        percent="प्रतिशत",
        months={name: number for number, name in enumerate(_MONTHS, start=1)} | _MONTH_SPELLINGS,
        currencies={
            "INR": Currency(Noun("रुपया", "रुपये"), Noun("पैसा", "पैसे")),
            "USD": Currency(Noun("डॉलर", "डॉलर"), Noun("सेंट", "सेंट")),
            "EUR": Currency(Noun("यूरो", "यूरो"), Noun("सेंट", "सेंट")),
            "GBP": Currency(Noun("पाउंड", "पाउंड"), Noun("पेंस", "पेंस")),
        },
        units={symbol: Noun(name, name) for symbol, name in _UNITS.items()},
        scales=frozenset({"सौ", "हज़ार", "हजार", "लाख", "करोड़", "अरब", "lakh", "crore", "thousand"}),
        fractions={"1/2": "आधा", "1/4": "चौथाई", "3/4": "तीन चौथाई"},
        symbols={
            "&": "और", "@": "ऐट", "+": "प्लस", "=": "बराबर", "%": "प्रतिशत", "#": "नंबर", "°": "डिग्री",
            "₹": "रुपये", "$": "डॉलर", "€": "यूरो", "£": "पाउंड", "×": "गुणा", "÷": "भाग",
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
        ordinal_suffixes="वाँ|वां|वें|वीं|वी|वे|वा|ला|ली|ले|रा|री|रे|था|थी|थे|ठा|ठी|ठे",
        year=r"(?<!\w)(सन|सन्|वर्ष|साल)\s([12]\d{3})(?!\d)",
    )  # fmt: skip

    def cardinal(self, number: int, *, indian: bool) -> str:
        """Return a count in words; Hindi always counts in lakh and crore."""
        said: list[str] = []
        for count, power in groups(number, INDIAN_POWERS):
            said.append(_BELOW_HUNDRED[count] if count < 100 else self.cardinal(count, indian=True))
            said.extend([_POWERS[power]] if power else [])
        return " ".join(said) or _BELOW_HUNDRED[0]

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

    def date(self, day: int, month: int, year: int | None) -> str:
        """Return a date in words: "तेईस मार्च दो हज़ार तेईस"."""
        said = f"{_BELOW_HUNDRED[day]} {_MONTHS[month - 1]}"
        return said if year is None else f"{said} {self.year(year)}"

    def clock(self, hour: int, minute: int, half: Half | None, before: str, after: str) -> str:
        """Return a time in words: "शाम साढ़े पाँच बजे", "पाँच बजकर दस मिनट"."""
        if half is not None:
            hour = hour % 12 + (12 if half == "pm" else 0)
        named = half is not None or hour == 0 or hour > 12
        part = _part_of_the_day(hour) + " " if named and before not in _PARTS_OF_THE_DAY else ""
        on_the_dial = hour % 12 or 12
        following = on_the_dial % 12 + 1
        by_quarters = {
            0: _BELOW_HUNDRED[on_the_dial],
            15: f"सवा {_BELOW_HUNDRED[on_the_dial]}",
            30: {1: "डेढ़", 2: "ढाई"}.get(on_the_dial, f"साढ़े {_BELOW_HUNDRED[on_the_dial]}"),
            45: f"पौने {_BELOW_HUNDRED[following]}",
        }
        if minute in by_quarters:
            said = by_quarters[minute] + ("" if after in _O_CLOCK else " बजे")
        else:
            said = f"{_BELOW_HUNDRED[on_the_dial]} बजकर {_BELOW_HUNDRED[minute]} मिनट"
            after = "" if after in _O_CLOCK else after
        return f"{part}{said} {after}".rstrip()


def _part_of_the_day(hour: int) -> str:
    for until, name in ((4, "रात"), (12, "सुबह"), (16, "दोपहर"), (20, "शाम")):
        if hour < until:
            return name
    return "रात"
