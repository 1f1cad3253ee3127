"""Dates, in figures and with the month's name."""

import re
from collections.abc import Callable
from datetime import date

from voicebench.audio.spoken.figures import Context
from voicebench.audio.spoken.language import JOINT, Language, alternatives

# Words that are months only with a capital letter.
_ALSO_WORDS = frozenset({"may", "march", "mar", "dec", "sept", "jan"})
_ISO = re.compile(
    r"(?<![\d/.-])(?P<year>\d{4})(?P<mark>[/.-])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})(?![\d/-])"
)
_PARTED = re.compile(r"\d[/.-]\d")
_BUDDHIST_YEARS = 543


def dates(language: Language) -> Callable[[str, Context], str]:
    """Return the rule of 2023-03-23 · 23/03/2023 · 23/3/26 · 23 March, 2023 · March 23rd · ngày 23/3."""
    words = language.words
    before = rf"(?P<before>(?:{words.day})\s?)?" if words.day else "(?P<before>)"
    name = rf"(?P<month>{alternatives(words.months)}){language.no_letter_behind}\.?"
    day = r"(?P<day>\d{1,2})(?:(?:st|nd|rd|th)\b)?(?!\d)"
    year = r"(?:,?\s*(?P<year>[12]\d{3})(?![\d:,/-]))"
    no_figure = r"(?<![\d/.,:-])"

    def pattern(text: str) -> re.Pattern[str]:
        return re.compile(text, re.IGNORECASE)

    iso = pattern(before + _ISO.pattern)
    long = pattern(
        rf"{before}(?<![\d/.-])(?P<one>\d{{1,2}})(?P<mark>[/.-])(?P<two>\d{{1,2}})(?P=mark)(?P<year>\d{{4}})(?![\d/-])"
    )
    brief = pattern(rf"{before}(?<![\d/.-])(?P<one>\d{{1,2}})/(?P<two>\d{{1,2}})/(?P<year>\d{{2}})(?![\d/-])")
    named = rf"(?P<before>(?:{words.day or '(?!)'})\s?)"
    no_year = pattern(rf"{named}(?P<one>\d{{1,2}})[/-](?P<two>\d{{1,2}})(?P<year>)(?![\d/.-]*\d)")
    day_first = pattern(rf"(?:\bthe\s)?{no_figure}{day}(?:\sof)?\s?{name}{year}?")
    month_first = pattern(rf"(?<!\w){name}\s{day}{year}?(?!\s?(?:%|:|[ap]\.?m\b))")

    def in_figures(match: re.Match[str], context: Context) -> str:
        found = match.groupdict()
        year = int(found["year"]) if found["year"] else None
        if year is not None and len(found["year"]) == 2:
            year += 2000
        if "one" in found:
            one, two = int(found["one"]), int(found["two"])
            month, day = (one, two) if context.month_first else (two, one)
            if not _exists(day, month, year):
                month, day = day, month
        else:
            month, day = int(found["month"]), int(found["day"])
        if not _exists(day, month, year):
            return match.group()
        before = found["before"] or words.before_a_date
        if language.unspaced:
            before = before.rstrip()
        return f"{JOINT}{before}{language.date(day, month, year)}{JOINT}"

    def with_name(match: re.Match[str]) -> str:
        written = match["month"]
        month, day = words.months[written.lower()], int(match["day"])
        year = int(match["year"]) if match["year"] else None
        if written in _ALSO_WORDS or not _exists(day, month, year):
            return match.group()
        return f"{JOINT}{language.date(day, month, year)}{JOINT}"

    def say(text: str, context: Context) -> str:
        if _PARTED.search(text):
            for figures in (iso, long, brief, no_year):
                text = figures.sub(lambda match: in_figures(match, context), text)
        lowered = text.lower()
        if not any(month in lowered for month in words.months):
            return text
        return month_first.sub(with_name, day_first.sub(with_name, text))

    return say


def _exists(day: int, month: int, year: int | None) -> bool:
    """Return whether there is such a day; 2567 may be a year of the Buddhist era, which is 2024."""
    if year is None:
        year = 2000
    elif year > 2400:
        year -= _BUDDHIST_YEARS
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True
