"""Read dates and times, so that two ways of writing one moment compare as equal.

Only what is unambiguous is read: ISO 8601, a year-first date, a month by its name in one of the twelve
languages, a time of day (`clock`), a day from today on where "today" is known (`relative_dates`), and the
formats that a parameter's schema states. A date without its year is none, and neither is one with the wrong
weekday beside it.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import date, datetime, time
from functools import lru_cache
from typing import Any

from voicebench.scoring.calendar_words import MONTHS, WEEKDAYS, chinese_figures
from voicebench.scoring.clock import Clock, read_clock
from voicebench.scoring.folding import ascii_digits, fold
from voicebench.scoring.number_words import with_digits
from voicebench.scoring.relative_dates import read_relative_date, starts_with_a_day
from voicebench.scoring.setting import NO_SETTING, Setting

Moment = date | datetime | time

_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_ISO_TIME = re.compile(r"\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?", re.ASCII)
_ISO_BOTH = re.compile(
    r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:[Zz]|[+-]\d{2}:?\d{2})?", re.ASCII
)
_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})")
_CHINESE = re.compile(r"(\d{4}) ?年 ?(\d{1,2}) ?月 ?(\d{1,2}) ?[日号號]?")
_VIETNAMESE = re.compile(r"(\d{1,2}) tháng (\d{1,2}),?(?: năm)? (\d{4})")
_NAMED = (
    re.compile(r"(?P<day>\d{1,2})(?P<name>\D+)(?P<year>\d{4})"),
    re.compile(r"(?P<name>\D+)(?P<day>\d{1,2})(?P<gap>\D+)(?P<year>\d{4})"),
    re.compile(r"(?P<year>\d{4})(?P<name>\D+)(?P<day>\d{1,2})"),
)
_ORDINAL = re.compile(r"^(?:st|nd|rd|th|শে|ই|লা|রা|ঠা|এ)(?![^\W\d_])")
_GAP = re.compile(r"(?:st|nd|rd|th)?,? ")
_INTRODUCED = re.compile(r"^(?:on |the |ngày |วันที่ ?|ที่ ?|tanggal |tgl\.? |ika-? ?)+")
_OF = re.compile(r"^(?:of|ng|de) ")
_ERA = re.compile(r"(พ\.? ?ศ\.?|ค\.? ?ศ\.?|năm|,)$")
_BUDDHIST_ERA, _BUDDHIST_YEARS = 543, range(2400, 2700)
_WEEKDAY_NAME = "|".join(re.escape(name) for name in sorted(WEEKDAYS, key=len, reverse=True))
_WEEKDAY = re.compile(
    rf"(?P<first>{_WEEKDAY_NAME})(?:,| |ที่|(?=\d))+(?P<after>.+)"
    rf"|(?P<before>.+?)[, (（]*(?P<last>{_WEEKDAY_NAME})[)）]?"
)
# What may part a date from a time of day: also the end of 3月23日, where no space follows.
_BETWEEN = re.compile(r",? at |, | |(?<=\d)t(?=\d)|(?<=[日号號])(?=\S)")
_STATED = re.compile(
    r"(?i)(?<![a-z])(?:yyyy|yy|mm|dd|hh|ss)(?:(?:[-/.:]|, ?| |T)?(?:yyyy|yy|mm|dd|hh|ss))+(?![a-z])"
)
_DIRECTIVES = re.compile(r"(?:%[YymdHMS](?:[-/.:]|, ?| |T)?){2,}")
_LONGEST = 64
_EDGES = " ,.-"


def is_iso(text: str) -> bool:
    """Tell whether a string is an ISO 8601 date, a time of day, or both."""
    if text[2:3] != ":" and text[4:5] != "-":
        return False
    return any(form.fullmatch(text) for form in (_ISO_DATE, _ISO_TIME, _ISO_BOTH))


def states_a_format(schema: Mapping[str, Any]) -> bool:
    """Tell whether a string parameter's schema says that it holds a date or a time, and how it is written."""
    if schema.get("format") in ("date", "date-time", "time"):
        return True
    description = schema.get("description")
    return isinstance(description, str) and ("ISO 8601" in description or bool(_formats(description)))


def read_moment(text: str, schema: Mapping[str, Any], setting: Setting = NO_SETTING) -> Moment | None:
    """Return the date, the time of day, or both that a whole string writes; None where it writes none.

    Args:
        text: In any script's digits.
        schema: The parameter's schema; the formats that its description states are read too.
        setting: The item's language, and what "today" is: without it no relative date is read.
    """
    if len(text) > _LONGEST:
        return None
    description = schema.get("description")
    return _read(
        text, description if isinstance(description, str) else "", setting.lang, setting.reference_date
    )


@lru_cache(maxsize=4096)
def _read(text: str, description: str, lang: str | None, today: str | None) -> Moment | None:
    plain = " ".join(ascii_digits(text).split())
    if _ISO_BOTH.fullmatch(plain):
        with suppress(ValueError):
            return datetime.fromisoformat(plain.upper())
        return None
    for form in _formats(description):
        found = _stated(plain, form)
        if found is not None:
            return found
    folded = fold(text)
    reader = _Reader(lang, _day(today), folded)
    moment = reader.moment(folded)
    if moment is None:
        spelled = with_digits(folded, lang)
        moment = reader.moment(spelled) if spelled != folded else None
    return moment


def _day(today: str | None) -> date | None:
    with suppress(ValueError):
        return date.fromisoformat(today[:10]) if today else None
    return None


@lru_cache(maxsize=1024)
def _formats(description: str) -> tuple[str, ...]:
    """Return the strptime formats of dates and times that a description states (YYYY-MM-DD, %H:%M, …)."""
    stated = [match.group().rstrip("-/.:, T") for match in _DIRECTIVES.finditer(description)]
    stated += [_strptime_format(match.group()) for match in _STATED.finditer(description)]
    return tuple(
        form for form in stated if _has_date(form) or ("%H" in form and "%d" not in form and "%m" not in form)
    )


def _strptime_format(stated: str) -> str:
    directives = {"yyyy": "%Y", "yy": "%y", "dd": "%d", "hh": "%H", "ss": "%S"}
    parts, clock = [], False
    for token in re.findall(r"(?i)yyyy|yy|mm|dd|hh|ss|.", stated):
        name = token.casefold()
        clock = clock or name == "hh"
        # MM is the month until an hour was named, minutes from then on.
        parts.append(("%M" if clock else "%m") if name == "mm" else directives.get(name, token))
    return "".join(parts)


def _has_date(form: str) -> bool:
    return "%d" in form and "%m" in form and ("%Y" in form or "%y" in form)


def _stated(text: str, form: str) -> Moment | None:
    """Read a text in a stated format; which of - / . stands between the parts of a date does not matter."""
    if _has_date(form):
        text, form = re.sub(r"[-.]", "/", text), re.sub(r"[-.]", "/", form)
    with suppress(ValueError):
        found = datetime.strptime(text, form)
        if "%H" not in form:
            return found.date()
        return found if _has_date(form) else found.time()
    return None


class _Reader:
    """Reads moments in one language, seen from one day, in a text that was `written` so."""

    def __init__(self, lang: str | None, today: date | None, written: str) -> None:
        self._lang = lang
        self._today = today
        self._written = written

    def moment(self, text: str) -> Moment | None:
        """Return what a whole folded text writes."""
        alone = self._date(text) or self._clock(text)
        if alone is not None:
            return alone.time if isinstance(alone, Clock) else alone
        for first, second in _halves(text):
            for day_text, clock_text in ((first, second), (second, first)):
                day = self._date(day_text)
                clock = self._clock(clock_text) if day else None
                # Whether 2 at night belongs to the day before is not said.
                if day is not None and clock is not None and not clock.of_the_night:
                    return datetime.combine(day, clock.time)
        return None

    def _clock(self, text: str) -> Clock | None:
        return read_clock(text, self._lang, self._written)

    def _date(self, text: str) -> date | None:
        if self._today is not None:
            day = read_relative_date(text, self._lang, self._today)
            if day is not None:
                return day
        day = self._calendar_date(text)
        if day is None and (match := _WEEKDAY.fullmatch(text)):
            day = self._calendar_date(match["after"] or match["before"])
            if day is not None and day.weekday() != WEEKDAYS[match["first"] or match["last"]]:
                return None
        return day

    def _calendar_date(self, text: str) -> date | None:
        if "年" in text:
            text = chinese_figures(text)
        text = _INTRODUCED.sub("", text)
        if match := _YEAR_FIRST.fullmatch(text):
            return _valid(match[1], match[3], match[4])
        if match := _CHINESE.fullmatch(text):
            return _valid(*match.groups())
        if match := _VIETNAMESE.fullmatch(text):
            return _valid(match[3], match[2], match[1])
        return self._named_date(text)

    def _named_date(self, text: str) -> date | None:
        for form in _NAMED:
            match = form.fullmatch(text)
            if not match:
                continue
            parts = match.groupdict()
            if not _GAP.fullmatch(parts.get("gap") or " "):
                continue
            name = _OF.sub("", _ORDINAL.sub("", parts["name"]).strip(_EDGES))
            era = _ERA.search(name)
            month = MONTHS.get(_ERA.sub("", name).strip(_EDGES))
            if month is not None:
                buddhist = era is not None and era.group().startswith("พ")
                christian = era is not None and era.group().startswith("ค")
                year = int(parts["year"])
                if year in _BUDDHIST_YEARS and (buddhist or (self._lang == "th" and not christian)):
                    year -= _BUDDHIST_ERA
                return _valid(year, month, parts["day"])
        return None


def _halves(text: str) -> Iterator[tuple[str, str]]:
    """Yield each way to part a text into a date and a time of day."""
    for gap in _BETWEEN.finditer(text):
        if gap.start():
            yield text[: gap.start()], text[gap.end() :]
    end = starts_with_a_day(text)
    if end:
        yield text[:end], text[end:].strip(" ,")


def _valid(year: str | int, month: str | int, day: str | int) -> date | None:
    with suppress(ValueError):
        return date(int(year), int(month), int(day))
    return None
