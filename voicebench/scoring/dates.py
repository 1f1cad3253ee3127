"""Read dates and times, so that two ways of writing one moment compare as equal.

Only what is unambiguous is read: ISO 8601, a year-first date, an English month by name, and the formats that
a parameter's schema states. A date without its year is none.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import date, datetime, time
from typing import Any

from voicebench.scoring.text import ascii_digits

Moment = date | datetime | time

_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_MONTH_NUMBERS = {name: number for number, name in enumerate(_MONTHS, 1)}
_MONTH_NUMBERS |= {name[:3]: number for name, number in _MONTH_NUMBERS.items()} | {"sept": 9}
_MONTH = "|".join(sorted(_MONTH_NUMBERS, key=len, reverse=True))
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_ISO_TIME = re.compile(r"\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?")
_ISO_BOTH = re.compile(
    r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:[Zz]|[+-]\d{2}:?\d{2})?"
)
_YEAR_FIRST = re.compile(r"(?P<year>\d{4})([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})")
_DAY_FIRST = re.compile(
    rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[ -](?:of )?(?P<name>{_MONTH})\.?,?[ -](?P<year>\d{{4}})"
)
_MONTH_FIRST = re.compile(rf"(?P<name>{_MONTH})\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year>\d{{4}})")
_CLOCK = re.compile(
    r"(?P<hour>\d{1,2})(?::(?P<minute>\d{2}))?(?::(?P<second>\d{2}))?(?: ?(?P<half>[ap])\.? ?m\.?)?"
)
_BETWEEN = re.compile(r",? at |, | |(?<=\d)t(?=\d)")
_STATED = re.compile(
    r"(?i)(?<![a-z])(?:yyyy|yy|mm|dd|hh|ss)(?:(?:[-/.:]|, ?| |T)?(?:yyyy|yy|mm|dd|hh|ss))+(?![a-z])"
)
_DIRECTIVES = re.compile(r"(?:%[YymdHMS](?:[-/.:]|, ?| |T)?){2,}")
_LONGEST = 64


def is_iso(text: str) -> bool:
    """Tell whether a string is an ISO 8601 date, a time of day, or both."""
    return any(form.fullmatch(text) for form in (_ISO_DATE, _ISO_TIME, _ISO_BOTH))


def states_a_format(schema: Mapping[str, Any]) -> bool:
    """Tell whether a string parameter's schema says that it holds a date or a time, and how it is written."""
    if schema.get("format") in ("date", "date-time", "time"):
        return True
    description = schema.get("description")
    return isinstance(description, str) and ("ISO 8601" in description or any(_formats(description)))


def read_moment(text: str, schema: Mapping[str, Any]) -> Moment | None:
    """Return the date, the time of day, or both that a whole string writes; None where it writes none.

    Args:
        text: In any script's digits.
        schema: The parameter's schema; the formats that its description states are read too.
    """
    if len(text) > _LONGEST:
        return None
    text = " ".join(ascii_digits(text).split())
    if _ISO_BOTH.fullmatch(text):
        with suppress(ValueError):
            return datetime.fromisoformat(text.upper())
        return None
    description = schema.get("description")
    if isinstance(description, str):
        for form in _formats(description):
            found = _stated(text, form)
            if found is not None:
                return found
    return _written(text.casefold())


def _formats(description: str) -> Iterator[str]:
    """Yield the strptime formats of dates and times that a description states (YYYY-MM-DD, %H:%M, …)."""
    stated = [match.group().rstrip("-/.:, T") for match in _DIRECTIVES.finditer(description)]
    stated += [_strptime_format(match.group()) for match in _STATED.finditer(description)]
    for form in stated:
        if _has_date(form) or ("%H" in form and "%d" not in form and "%m" not in form):
            yield form


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


def _written(text: str) -> Moment | None:
    day = _date(text)
    if day is not None:
        return day
    clock = _time(text)
    if clock is not None:
        return clock
    for gap in _BETWEEN.finditer(text):
        day, clock = _date(text[: gap.start()]), _time(text[gap.end() :])
        if day is not None and clock is not None:
            return datetime.combine(day, clock)
    return None


def _date(text: str) -> date | None:
    match = _YEAR_FIRST.fullmatch(text) or _DAY_FIRST.fullmatch(text) or _MONTH_FIRST.fullmatch(text)
    if match:
        parts = match.groupdict()
        month = parts.get("month") or _MONTH_NUMBERS[parts["name"]]
        with suppress(ValueError):
            return date(int(parts["year"]), int(month), int(parts["day"]))
    return None


def _time(text: str) -> time | None:
    match = _CLOCK.fullmatch(text)
    if not match or not (match["minute"] or match["half"]):
        return None
    hour = int(match["hour"])
    if match["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if match["half"] == "p" else 0)
    with suppress(ValueError):
        return time(hour, int(match["minute"] or 0), int(match["second"] or 0))
    return None
