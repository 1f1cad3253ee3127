"""How Bengali says figures: every number below a hundred has a word, counters are written onto it."""

import re

from voicebench.audio.spoken.indic import Indic
from voicebench.audio.spoken.language import (
    Form,
    Half,
    Words,
    said_hour,
)
from voicebench.audio.spoken.letters import BENGALI_LETTERS
from voicebench.audio.spoken.vocabulary import currencies, months, units

_BELOW_HUNDRED = tuple(
    (
        "শূন্য এক দুই তিন চার পাঁচ ছয় সাত আট নয় "
        "দশ এগারো বারো তেরো চৌদ্দ পনেরো ষোলো সতেরো আঠারো উনিশ "
        "বিশ একুশ বাইশ তেইশ চব্বিশ পঁচিশ ছাব্বিশ সাতাশ আটাশ ঊনত্রিশ "
        "ত্রিশ একত্রিশ বত্রিশ তেত্রিশ চৌত্রিশ পঁয়ত্রিশ ছত্রিশ সাঁইত্রিশ আটত্রিশ ঊনচল্লিশ "
        "চল্লিশ একচল্লিশ বিয়াল্লিশ তেতাল্লিশ চুয়াল্লিশ পঁয়তাল্লিশ ছেচল্লিশ সাতচল্লিশ আটচল্লিশ ঊনপঞ্চাশ "
        "পঞ্চাশ একান্ন বাহান্ন তিপ্পান্ন চুয়ান্ন পঞ্চান্ন ছাপ্পান্ন সাতান্ন আটান্ন ঊনষাট "
        "ষাট একষট্টি বাষট্টি তেষট্টি চৌষট্টি পঁয়ষট্টি ছেষট্টি সাতষট্টি আটষট্টি ঊনসত্তর "
        "সত্তর একাত্তর বাহাত্তর তিয়াত্তর চুয়াত্তর পঁচাত্তর ছিয়াত্তর সাতাত্তর আটাত্তর ঊনআশি "
        "আশি একাশি বিরাশি তিরাশি চুরাশি পঁচাশি ছিয়াশি সাতাশি আটাশি ঊননব্বই "
        "নব্বই একানব্বই বিরানব্বই তিরানব্বই চুরানব্বই পঁচানব্বই ছিয়ানব্বই সাতানব্বই আটানব্বই নিরানব্বই"
    ).split()
)
_HUNDREDS = ("", "একশো", "দুশো", "তিনশো", "চারশো", "পাঁচশো", "ছয়শো", "সাতশো", "আটশো", "নয়শো")
_POWERS = {3: "হাজার", 5: "লাখ", 7: "কোটি"}
_MONTHS = (
    "জানুয়ারি", "ফেব্রুয়ারি", "মার্চ", "এপ্রিল", "মে", "জুন", "জুলাই", "আগস্ট", "সেপ্টেম্বর", "অক্টোবর", "নভেম্বর", "ডিসেম্বর",
)  # fmt: skip
_MONTH_SPELLINGS = {"জানুয়ারী": 1, "ফেব্রুয়ারী": 2, "অগাস্ট": 8}
_ORDINALS = {
    1: "প্রথম", 2: "দ্বিতীয়", 3: "তৃতীয়", 4: "চতুর্থ", 5: "পঞ্চম", 6: "ষষ্ঠ", 7: "সপ্তম", 8: "অষ্টম", 9: "নবম",
    10: "দশম",
}  # fmt: skip
_DAYS = {1: "পয়লা", 2: "দোসরা", 3: "তেসরা", 4: "চৌঠা"}
_PARTS_OF_THE_DAY = ("ভোর", "সকাল", "দুপুর", "বিকেল", "বিকাল", "সন্ধ্যা", "সন্ধ্যে", "রাত", "মধ্যরাত")
_UNITS = {
    "km/h": "কিলোমিটার প্রতি ঘণ্টা", "km": "কিলোমিটার", "cm": "সেন্টিমিটার", "mm": "মিলিমিটার", "m": "মিটার",
    "kg": "কেজি", "g": "গ্রাম", "mg": "মিলিগ্রাম", "ml": "মিলিলিটার", "l": "লিটার", "h": "ঘণ্টা", "min": "মিনিট",
    "sec": "সেকেন্ড", "°C": "ডিগ্রি সেলসিয়াস", "°F": "ডিগ্রি ফারেনহাইট", "GB": "জিবি", "MB": "এমবি",
    "Mbps": "এমবিপিএস", "kWh": "কিলোওয়াট ঘণ্টা", "kW": "কিলোওয়াট", "W": "ওয়াট", "lb": "পাউন্ড", "ft": "ফুট",
    "sq ft": "বর্গফুট", "m²": "বর্গমিটার", "km²": "বর্গকিলোমিটার",
}  # fmt: skip
_FRACTIONS = {
    (1, 2): "অর্ধেক",
    (1, 4): "এক চতুর্থাংশ",
    (3, 4): "তিন চতুর্থাংশ",
    (1, 3): "এক তৃতীয়াংশ",
    (2, 3): "দুই তৃতীয়াংশ",
}
_SCALES = {
    **{word: word for word in "হাজার লাখ লক্ষ কোটি মিলিয়ন বিলিয়ন".split()},
    "lakh": "লাখ", "crore": "কোটি", "thousand": "হাজার", "k": "হাজার", "cr": "কোটি", "L": "লাখ",
    "million": "মিলিয়ন",
    "m": "মিলিয়ন", "billion": "বিলিয়ন",
}  # fmt: skip
_COUNTERS = "টায়|টার|টাই|টাও|টাকে|টা|টির|টিই|টিও|টিকে|টি|টে|টো|খানা|খানি|জনের|জনকে|জন|গুণ|বার"
_CASES = "এর|এ|তে|কে|র"
_DAY = (
    (4, "রাত"), (6, "ভোর"), (12, "সকাল"), (15, "দুপুর"), (18, "বিকেল"), (20, "সন্ধ্যা"), (24, "রাত"),
)  # fmt: skip


class Bengali(Indic):
    """Bengali, in its own script."""

    code = "bn"
    below_hundred = _BELOW_HUNDRED
    powers = _POWERS
    month_names = _MONTHS
    words = Words(
        digits=_BELOW_HUNDRED[:10],
        point="দশমিক",
        minus="মাইনাস",
        plus="প্লাস",
        to="থেকে",
        dot="ডট",
        slash="স্ল্যাশ",
        percent="শতাংশ",
        hashtag="হ্যাশট্যাগ",
        months=months(_MONTHS, _MONTH_SPELLINGS),
        currencies=currencies(
            INR="রুপি|পয়সা", BDT="টাকা|পয়সা", THB="বাত|সাতাং", VND="ডং", IDR="রুপিয়া", PHP="পেসো|সেন্টাভো",
            CNY="ইউয়ান", JPY="ইয়েন", USD="ডলার|সেন্ট", EUR="ইউরো|সেন্ট", GBP="পাউন্ড|পেন্স",
        ),
        units=units(_UNITS, **{"কি.মি.": "km", "কিমি": "km", "কেজি": "kg", "মি.মি.": "mm", "সে.মি.": "cm"}),
        scales=_SCALES,
        symbols={
            "&": "এবং", "@": "অ্যাট", "+": "প্লাস", "=": "সমান", "%": "শতাংশ", "#": "নম্বর", "°": "ডিগ্রি", "×": "গুণ",
            "÷": "ভাগ", "²": "বর্গ", "³": "ঘন", "~": "প্রায়",
        },
        abbreviations={
            "ডা.": "ডাক্তার", "ডাঃ": "ডাক্তার", "ড.": "ডক্টর", "মি.": "মিস্টার", "মিঃ": "মিস্টার", "মো.": "মোহাম্মদ",
            "মোঃ": "মোহাম্মদ", "নং": "নম্বর", "রু.": "রুপি", "কি.মি.": "কিলোমিটার", "ই-মেইল": "ইমেইল",
            "Dr.": "ডক্টর",
            "Rs.": "রুপি", "Rs": "রুপি", "No.": "নম্বর",
        },
        letters=BENGALI_LETTERS,
        identifiers=(
            r"ওটিপি|পিন(?:\s?কোড)?|কোড|সিভিভি|আইডি|নম্বর|নাম্বার|অ্যাকাউন্ট|একাউন্ট|হিসাব|পিএনআর|টিকিট|অর্ডার|বুকিং|ফ্লাইট|ট্রেন"
            r"|মিটার|ফোন|মোবাইল|রুম|কক্ষ|ফ্ল্যাট|রেফারেন্স|ইনভয়েস"
            r"|OTP|PIN(?:\s?code)?|code|CVV|ID|number|account|reference|PNR|invoice|ticket|order|booking|flight|train"
        ),
        counted=(
            r"টাকা|টাকার|রুপি|ডলার|পয়সা|গ্রাম|কেজি|কিলো|কিলোগ্রাম|লিটার|জন|মিনিট|ঘণ্টা|ঘন্টা|দিন|মিটার|কিলোমিটার|শতাংশ|হাজার|লাখ|লক্ষ"
            r"|কোটি|টি|টা|খানা|প্লেট|বোতল|প্যাকেট|ইউনিট|পিৎজা|পিজা"
        ),
        year=r"(?<!\w)(সাল|সন)\s([12]\d{3})(?!\d)",
        day="তারিখ|তারিখে",
        parts_of_day="|".join(_PARTS_OF_THE_DAY),
        o_clock="টায়|টার|টা",
    )  # fmt: skip

    def hundreds(self, count: int, *, exactly: bool) -> str:
        """Return "তিনশো"."""
        return _HUNDREDS[count]

    def ordinal(self, number: int, suffix: str) -> str:
        """Return a rank in words: "প্রথম", "এগারোতম"."""
        return _ORDINALS.get(number) or f"{self.cardinal(number, indian=True)}তম"

    def year(self, number: int) -> str:
        """Return a year in words: "উনিশশো পঁচানব্বই", "দুই হাজার তেইশ"."""
        century, rest = divmod(number, 100)
        if 1100 <= number < 2000:
            return f"{_BELOW_HUNDRED[century]}শো" + (f" {_BELOW_HUNDRED[rest]}" if rest else "")
        return self.cardinal(number, indian=True)

    def clock(self, hour: int, minute: int, half: Half | None, before: str, after: str) -> str:
        """Return a time in words: "বিকেল সাড়ে পাঁচটা", "পাঁচটা কুড়ি মিনিটে"."""
        hour, part = said_hour(hour, half, before, _DAY)
        dial = hour % 12 or 12
        quarters = {
            0: _BELOW_HUNDRED[dial],
            15: f"সোয়া {_BELOW_HUNDRED[dial]}",
            30: {1: "দেড়", 2: "আড়াই"}.get(dial) or f"সাড়ে {_BELOW_HUNDRED[dial]}",
            45: f"পৌনে {_BELOW_HUNDRED[dial % 12 + 1]}",
        }
        if minute in quarters:
            said = quarters[minute] + (after or "টা")
        else:
            case = {"টায়": "ে", "টার": "ের"}.get(after, "")
            said = f"{_BELOW_HUNDRED[dial]}টা {_BELOW_HUNDRED[minute]} মিনিট{case}"
        return f"{part} {said}".lstrip()

    def fraction(self, numerator: int, denominator: int) -> str:
        """Return a fraction in words: "দুই তৃতীয়াংশ", "পাঁচ ভাগের তিন ভাগ"."""
        named = _FRACTIONS.get((numerator, denominator))
        upper, lower = (self.cardinal(part, indian=True) for part in (numerator, denominator))
        return named or f"{lower} ভাগের {upper} ভাগ"

    def mixed(self, whole: int, numerator: int, denominator: int) -> str:
        """Return "দেড়", "আড়াই", "সাড়ে তিন"."""
        if (numerator, denominator) == (1, 2) and whole:
            return {1: "দেড়", 2: "আড়াই"}.get(whole) or f"সাড়ে {self.cardinal(whole, indian=True)}"
        return f"{self.cardinal(whole, indian=True)} পূর্ণ {self.fraction(numerator, denominator)}"

    def forms(self) -> tuple[Form, ...]:
        """Return days (২৩শে), ranks (৫ম), and figures with a counter or a case (৫টি, ১০-এ)."""

        def day(match: re.Match[str]) -> str:
            number = int(match[1])
            return _DAYS.get(number) or _BELOW_HUNDRED[number] + ("ই" if match[2] == "ই" else "ে")

        def written_onto(match: re.Match[str]) -> str:
            return self.cardinal(int(match[1]), indian=True) + _onto(match[2])

        return (
            (r"(?<![\d.,:/])(0?[1-9]|[12]\d|3[01])-?(লা|রা|ঠা|ই|শে)(?![\u0980-\u09ff])", day),
            (
                r"(?<![\d.,:/])(\d{1,4})-?(ম|য়|র্থ|ষ্ঠ|তম)(?![\u0980-\u09ff])",
                lambda match: self.ordinal(int(match[1]), match[2]),
            ),
            (r"(?<![\d.,:/])([12]\d{3})(?=\s(?:সাল|সন|খ্রিস্টাব্দ))", lambda match: self.year(int(match[1]))),
            (rf"(?<![\d.,:/])(\d{{1,9}})-?({_COUNTERS})(?![\u0980-\u09ff])", written_onto),
            (rf"(?<![\d.,:/-])(\d{{1,4}})(?:-({_CASES})|(এর|তে|কে))(?![\u0980-\u09ff])",
             lambda match: self.cardinal(int(match[1]), indian=True) + _onto(match[2] or match[3])),
        )  # fmt: skip


def _onto(suffix: str) -> str:
    """Return what is written behind a number word; after a vowel or consonant alike."""
    return {"এ": "-এ", "এর": "-এর", "র": "-র"}.get(suffix, suffix)
