"""Amounts of money, with the sign or code in front or behind."""

import re
from collections.abc import Callable

from voicebench.audio.spoken.figures import LONGEST_COUNT, Context
from voicebench.audio.spoken.language import JOINT, Language, alternatives

_YEN = "yen"
SIGNS = {
    "₹": "INR", "RS": "INR", "RS.": "INR", "INR": "INR", "रु": "INR", "रु.": "INR", "रू.": "INR", "रू": "INR",
    "ரூ.": "INR", "ரூ": "INR", "రూ.": "INR", "రూ": "INR", "രൂ.": "INR", "രൂ": "INR",
    "৳": "BDT", "BDT": "BDT", "TK": "BDT", "TK.": "BDT",
    "฿": "THB", "THB": "THB", "₫": "VND", "VND": "VND", "VNĐ": "VND", "Đ": "VND", "บาท": "THB", "元": "CNY",
    "RP": "IDR", "RP.": "IDR", "IDR": "IDR", "₱": "PHP", "PHP": "PHP",
    "¥": _YEN, "JPY": "JPY", "CNY": "CNY", "RMB": "CNY", "CN¥": "CNY",
    "$": "USD", "US$": "USD", "S$": "USD", "A$": "USD", "HK$": "USD", "USD": "USD",
    "€": "EUR", "EUR": "EUR", "£": "GBP", "GBP": "GBP",
}  # fmt: skip
"""Signs and codes, in capitals, to ISO codes."""

CHARACTERS = {
    "₹": "INR", "৳": "BDT", "฿": "THB", "₫": "VND", "₱": "PHP", "¥": "JPY", "$": "USD", "€": "EUR",
    "£": "GBP",
}  # fmt: skip
"""Signs of one character that is nothing but a currency, to ISO codes."""


def money(language: Language) -> Callable[[str, Context], str]:
    """Return the rule of ₹1,50,000 · Rs. 500/- · $3.12 · 250.000₫ · $5-10 · 2.5 lakh ₹."""
    words, number = language.words, language.number_pattern
    # A look at the first character spares the search most of the places where no sign begins.
    firsts = "".join(sorted({character for sign in SIGNS for character in (sign[0], sign[0].lower())}))
    signs = f"(?=[{firsts}])(?:{alternatives(SIGNS)})"
    # "5 m" behind a sign are millions, "$5 me" is not.
    scale = rf"(?:\s?(?P<scale>{alternatives(words.scales)}){language.no_letter_behind})?"
    amount = rf"(?:(?P<first>{number})\s?[-–—~]\s?)?(?P<amount>{number}){scale}(?:\s?/-)?"
    before = re.compile(
        rf"{language.no_letter_before}(?P<minus>{language.no_word_before}-)?(?P<sign>{signs})\s?{amount}",
        re.IGNORECASE,
    )
    behind = re.compile(
        rf"(?<![A-Za-z\d.,₹$€£¥]){amount}\s?(?P<sign>{signs}){language.no_letter_behind}", re.IGNORECASE
    )
    dash = re.compile(rf"(?<=\d)\s?[-–—~]\s?(?=(?:{alternatives(s for s in SIGNS if not s.isalpha())})\s?\d)")
    scales = {written.lower(): said for written, said in words.scales.items()}

    def said(match: re.Match[str], context: Context) -> str:
        sign = SIGNS[match["sign"].upper()]
        code = context.yen_sign if sign == _YEN else sign
        currency = words.currencies[code]
        written, scale = match["amount"], match["scale"]
        lead = [words.minus] if match.groupdict().get("minus") else []
        lead += [context.number(match["first"]), words.to] if match["first"] else []
        whole, fraction = context.parts(written, of_money=True)
        unit = currency.unit.many
        if scale:
            named = words.scales.get(scale) or scales[scale.lower()]
            return language.join(
                *lead, language.scaled(context.number(written, attributive=True), named), unit
            )
        if fraction and (len(fraction) > 2 or currency.hundredth is None):
            return language.join(*lead, context.number(written), unit)
        if len(whole) > LONGEST_COUNT:
            return language.join(*lead, language.spell(whole), unit)
        indian = context.counts_in_lakh(written) or code in ("INR", "BDT")
        amount = language.money(int(whole), int(fraction.ljust(2, "0")), code, indian=indian)
        return language.join(*lead, amount)

    def say(text: str, context: Context) -> str:
        def set_apart(match: re.Match[str]) -> str:
            return f"{JOINT}{said(match, context)}{JOINT}"

        capitals = text.upper()
        if not any(sign in capitals for sign in SIGNS):
            return text
        text = dash.sub(f"{JOINT}{words.to}{JOINT}", text)
        return behind.sub(set_apart, before.sub(set_apart, text))

    return say
