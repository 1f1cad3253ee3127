"""What figures in a text mean (a date, an amount, an identifier, …), from the most specific to the least."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from voicebench.audio.spoken.language import Half, Language, Words

NUMBER = r"\d{1,3}(?:,\d{2,3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?"
_INDIAN_GROUPS = re.compile(r"\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?")
_CURRENCY_SIGNS = {
    "₹": "INR", "RS": "INR", "RS.": "INR", "INR": "INR", "रु": "INR", "रु.": "INR", "रू.": "INR", "$": "USD",
    "US$": "USD", "USD": "USD", "€": "EUR", "EUR": "EUR", "£": "GBP", "GBP": "GBP",
}  # fmt: skip
_SIGNS = "|".join(re.escape(sign) for sign in sorted(_CURRENCY_SIGNS, key=len, reverse=True))
# Words that are months only with a capital letter.
_ALSO_WORDS = frozenset({"may", "march", "mar", "dec", "sept", "jan"})
# A combining vowel sign belongs to its word, and is no letter to `re`.
_NOT_A_LETTER = r"(?![^\W\d_]|[\u0900-\u0963])"
_LONGEST_COUNT = 15
_KEPT_CONTROLS = "\u200c\u200d"


@dataclass(frozen=True)
class Context:
    """What the rules need beside the text."""

    language: Language
    indian: bool
    month_first: bool

    @property
    def words(self) -> Words:
        """The language's vocabulary."""
        return self.language.words

    def number(self, written: str) -> str:
        """Return a written number, with or without groups and decimals, in words."""
        whole, _, fraction = written.replace(",", "").partition(".")
        if len(whole) > _LONGEST_COUNT:
            return self.language.spell(whole) + (
                f" {self.words.point} {self.language.spell(fraction)}" if fraction else ""
            )
        return self.language.number(int(whole), fraction, indian=self.counts_in_lakh(written))

    def counts_in_lakh(self, written: str) -> bool:
        """Whether a number is said in lakh and crore: by the region, or because it is grouped so."""
        return self.indian or _INDIAN_GROUPS.fullmatch(written) is not None


Rule = Callable[[str, Context], str]


def clean(text: str) -> str:
    """Return a text in NFC, with ASCII digits, single spaces, and without pictures and control characters.

    The joiners of the Indic scripts stay: they are part of how words are written.
    """
    kept = []
    for character in unicodedata.normalize("NFC", text):
        category = unicodedata.category(character)
        if category == "Nd":
            kept.append(str(unicodedata.decimal(character)))
        elif character in _KEPT_CONTROLS or character == "°":
            kept.append(character)
        else:
            kept.append(" " if category[0] in "CZ" or category in ("So", "Sk") else character)
    return " ".join("".join(kept).split())


def say(text: str, language: Language, region: str | None) -> str:
    """Return a cleaned text with every figure and symbol in the words of a language."""
    context = Context(language, region == "IN" or language.indian, month_first=region == "US")
    while (said := _pass(text, context)) != text:
        # A figure that became a word can leave an abbreviation standing alone ("0Rs"), so once more.
        text = said
    return said


def _pass(text: str, context: Context) -> str:
    for rule in RULES:
        text = rule(text, context)
    return " ".join(re.sub(r"\s+([,.;:!?।])", r"\1", text).split())


def _addresses(text: str, context: Context) -> str:
    """user@example.com → user at example dot com."""

    def said(match: re.Match[str]) -> str:
        user, host = match.group().rsplit("@", 1)
        spaced = f"{user} {context.words.symbols['@']} {host}".replace(".", f" {context.words.dot} ")
        return re.sub(r"[_-]", " ", re.sub(r"\d", lambda m: f" {context.language.spell(m.group())} ", spaced))

    return re.sub(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", said, text)


def _money(text: str, context: Context) -> str:
    """₹1,50,000 · Rs. 500/- · $3.12 · 2.5 लाख ₹."""
    scales = "|".join(sorted(context.words.scales, key=len, reverse=True))
    amount = rf"(?P<amount>{NUMBER})(?:\s?(?P<scale>{scales}){_NOT_A_LETTER})?(?:\s?/-)?"

    def said(match: re.Match[str]) -> str:
        code = _CURRENCY_SIGNS[match["sign"].upper()]
        written, scale = match["amount"], match["scale"]
        whole, _, fraction = written.replace(",", "").partition(".")
        unit = context.words.currencies[code].unit.many
        if scale:
            return f" {context.number(written)} {scale} {unit} "
        if len(fraction) > 2 or len(whole) > _LONGEST_COUNT:
            return f" {context.number(written)} {unit} "
        indian = context.counts_in_lakh(written) or code == "INR"
        return f" {context.language.money(int(whole), int(fraction.ljust(2, '0')), code, indian=indian)} "

    before = rf"(?<![^\W\d_])(?P<sign>{_SIGNS})\s?{amount}"
    behind = rf"(?<![\w.,]){amount}\s?(?P<sign>{_SIGNS}){_NOT_A_LETTER}"
    text = re.sub(before, said, text, flags=re.IGNORECASE)
    return re.sub(behind, said, text, flags=re.IGNORECASE)


def _dates(text: str, context: Context) -> str:
    """2023-03-23 · 23/03/2023 · 23 March, 2023 · March 23rd · 23 मार्च."""
    names = "|".join(sorted(map(re.escape, context.words.months), key=len, reverse=True))
    name = rf"(?P<month>{names}){_NOT_A_LETTER}\.?"
    day = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?(?!\d)"
    year = r"(?:,?\s*(?P<year>[12]\d{3})(?![\d:,/-]))"

    def said(match: re.Match[str]) -> str:
        found = match.groupdict()
        month = found["month"]
        if not month.isdigit() and month in _ALSO_WORDS:
            return match.group()
        number = int(month) if month.isdigit() else context.words.months[month.lower()]
        written_year = found.get("year")
        day_number = int(found["day"])
        if not _exists(day_number, number, int(written_year or 2000)):
            return match.group()
        in_words = context.language.date(day_number, number, int(written_year) if written_year else None)
        return f" {in_words} "

    first, second = ("month", "day") if context.month_first else ("day", "month")
    for pattern in (
        r"(?<![\d-])(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})(?![\d-])",
        rf"(?<![\d/.-])(?P<{first}>\d{{1,2}})(?P<mark>[/.-])(?P<{second}>\d{{1,2}})(?P=mark)(?P<year>\d{{4}})(?![\d/-])",
        rf"(?:\bthe\s)?(?<![\d/.,:-]){day}(?:\sof)?\s?{name}{year}?",
        rf"\b{name}\s{day}{year}?(?!\s?(?:%|:))",
    ):
        text = re.sub(pattern, said, text, flags=re.IGNORECASE)
    return text


def _exists(day: int, month: int, year: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _times(text: str, context: Context) -> str:
    """5:30 pm · 17:30 · 5 a.m. · शाम 5:30 बजे."""
    half = r"(?P<half>[ap])\.?\s?m(?:\b\.?|\.)"
    word = r"[^\s\d.,;:!?।]+"

    def said(match: re.Match[str]) -> str:
        hour, minute = int(match["hour"]), int(match.groupdict().get("minute") or 0)
        half_of_day: Half | None = None
        if match["half"]:
            half_of_day = "am" if match["half"].lower() == "a" else "pm"
            if not 1 <= hour <= 12:
                half_of_day = None
        if hour > 23 or minute > 59:
            return match.group()
        before, after = match["before"] or "", match["after"] or ""
        return f"{before} {context.language.clock(hour, minute, half_of_day, before, after)} "

    before, after = rf"(?P<before>{word}(?=\s\d))?\s?", rf"(?:\s(?P<after>{word}))?"
    clock = r"(?<![\d:.,/-])(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::\d{2})?(?![\d:])"
    bare = r"(?<![\d:.,/-])(?P<hour>\d{1,2})"
    text = re.sub(r"(?<=[ap]m)\s?[-–—]\s?(?=\d)", f" {context.words.to} ", text, flags=re.IGNORECASE)
    text = re.sub(rf"{before}{clock}(?:\s?{half})?{after}", said, text, flags=re.IGNORECASE)
    return re.sub(rf"{before}{bare}\s?{half}{after}", said, text, flags=re.IGNORECASE)


def _telephone(text: str, context: Context) -> str:
    """+91 98765 43210 · 080-2345-6789 · 4111 1111 1111 1111, group by group."""
    patterns = (
        r"\+\d{1,3}(?:[\s-]?\d{2,5}){2,4}",
        r"\(?\d{3}\)?[\s.-]\d{3}[\s.-]\d{4}",
        r"\d{4}(?:[\s-]\d{4}){1,3}",
        r"0\d{2,4}[\s-]\d{3,4}[\s-]?\d{3,4}",
        r"\d{5}[\s-]\d{5}",
    )

    def said(match: re.Match[str]) -> str:
        return f" {context.language.spell(match.group())} "

    return re.sub(rf"(?<![\w.,])(?:{'|'.join(patterns)})(?![\w]|[.,]\d)", said, text)


def _identifiers(text: str, context: Context) -> str:
    """OTP is 4582 · order 7731 · #7731 · KA05 · 0042 · 98765432."""
    language = context.language

    def named(match: re.Match[str]) -> str:
        return f"{match['name']} {language.spell(match['figures'])}"

    def code(match: re.Match[str]) -> str:
        parts = re.findall(r"[A-Z]|\d+", match.group())
        return " ".join(language.spell(part) if part.isdigit() else part for part in parts)

    between = r"(?:\s(?:number|no\.|id|code|नंबर|नम्बर))?(?:\s(?:is|was|है|हैं|था))?\s?[:#=-]?\s?"
    # "order 150 pizzas" is a count; "order 7731" is not.
    figures = rf"(?P<figures>\d{{3,}})(?![\d,.]*\d|[^\W\d_]|\s?(?:{language.words.counted}){_NOT_A_LETTER})"
    text = re.sub(
        rf"(?<![^\W\d_])(?P<name>(?:{language.words.identifiers}){_NOT_A_LETTER}{between}){figures}",
        named, text, flags=re.IGNORECASE,
    )  # fmt: skip
    text = re.sub(
        r"#\s?(\d+)", lambda match: f" {language.words.symbols['#']} {language.spell(match[1])} ", text
    )
    letters_first = r"(?:[A-Z]{1,4}-?\d+)+(?:-?[A-Z]{1,3}(?:-?\d+)?)*"
    airline = r"(?:[A-Z]\d|\d[A-Z])[\s-]\d{2,4}"
    text = re.sub(rf"(?<![\w.,])(?:{airline}|{letters_first})(?!\w)", code, text)
    return re.sub(
        r"(?<![\d.,:/])(?:0\d+|\d{8,})(?![\d,.]*\d)", lambda match: f" {language.spell(match.group())} ", text
    )


def _fractions(text: str, context: Context) -> str:
    """1/2 · 3/4."""
    names = context.words.fractions
    return re.sub(
        r"(?<![\d/.])([123]/[24])(?![\d/.])", lambda match: names.get(match[1], match.group()), text
    )


def _percentages(text: str, context: Context) -> str:
    """12.5%."""
    return re.sub(
        rf"({NUMBER})\s?%", lambda match: f"{context.number(match[1])} {context.words.percent}", text
    )


def _ordinals(text: str, context: Context) -> str:
    """23rd · 23वें."""

    def said(match: re.Match[str]) -> str:
        return context.language.ordinal(int(match[1]), match[2].lower())

    return re.sub(
        rf"(?<![\d.,])(\d{{1,9}})({context.words.ordinal_suffixes}){_NOT_A_LETTER}",
        said,
        text,
        flags=re.IGNORECASE,
    )


def _ranges(text: str, context: Context) -> str:
    """5-7 → five to seven; the numbers themselves are left to what follows."""
    return re.sub(
        r"(?<![\d-])(\d+(?:\.\d+)?)\s?[-–—]\s?(?=\d+(?:\.\d+)?(?![\d-]))",
        lambda match: f"{match[1]} {context.words.to} ", text,
    )  # fmt: skip


def _measures(text: str, context: Context) -> str:
    """5 km · 2.5kg · 30°C."""
    units = context.words.units
    symbols = "|".join(re.escape(symbol) for symbol in sorted(units, key=len, reverse=True))

    def said(match: re.Match[str]) -> str:
        noun = units[match[2]]
        return f"{context.number(match[1])} {noun.one if match[1] == '1' else noun.many}"

    return re.sub(rf"({NUMBER})\s?({symbols}){_NOT_A_LETTER}(?!\d)", said, text)


def _years(text: str, context: Context) -> str:
    """In 2023 → in twenty twenty-three, where nothing is counted."""
    return re.sub(
        context.words.year,
        lambda match: f"{match[1]} {context.language.year(int(match[2]))}", text, flags=re.IGNORECASE,
    )  # fmt: skip


def _numbers(text: str, context: Context) -> str:
    """Every number that is left, and 2.0.1; no digit remains."""
    text = re.sub(
        r"\d+(?:\.\d+){2,}", lambda match: match.group().replace(".", f" {context.words.point} "), text
    )
    text = re.sub(r"(?<!\w)[-−](?=\d)", f"{context.words.minus} ", text)
    return re.sub(NUMBER, lambda match: f" {context.number(match.group())} ", text)


def _abbreviations(text: str, context: Context) -> str:
    written = context.words.abbreviations
    names = "|".join(re.escape(name) for name in sorted(written, key=len, reverse=True))
    return re.sub(
        rf"(?<![^\W_])(?:{names}){_NOT_A_LETTER}(?!\w)", lambda match: f"{written[match.group()]} ", text
    )


def _symbols(text: str, context: Context) -> str:
    for symbol, name in context.words.symbols.items():
        text = text.replace(symbol, f" {name} ")
    # A slash between words is a pause, and marks of layout are not said at all.
    return re.sub(r"[*_~^|\\<>{}\[\]]", " ", re.sub(r"/", " ", text))


RULES: tuple[Rule, ...] = (
    _addresses, _money, _abbreviations, _dates, _times, _telephone, _fractions, _measures, _percentages,
    _identifiers, _ordinals, _ranges, _measures, _years, _numbers, _symbols,
)  # fmt: skip
