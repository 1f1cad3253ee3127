"""Find the words of a conversation that say a date or a time of day.

What the scoring reads as the same moment (`voicebench.scoring.dates`) is said. People leave out what the
scoring may not guess in an answer: the year of a date, the half of the day, which week a Friday is in. Such
words are found as well where they fit the value, and the reason says what was left out.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time
from functools import lru_cache
from typing import Any, NamedTuple

from voicebench.scoring.calendar_words import MONTHS, WEEKDAYS
from voicebench.scoring.clock import read_clock
from voicebench.scoring.dates import Moment, is_iso, read_moment, states_a_format
from voicebench.scoring.folding import fold
from voicebench.scoring.mentions import mentioned
from voicebench.scoring.number_words import with_digits
from voicebench.scoring.relative_dates import read_relative_date
from voicebench.scoring.setting import Setting

_MOST_WORDS = 7
_MOST_UNSPACED_LETTERS = 14
_LONGEST_NAME = 24
_DIGIT = re.compile(r"\d")
_EDGES = " .,;:!?\"'()[]।॥，。！？、；：…"
_DAYS_OF_A_YEAR = 366
_DAYS_AHEAD_BY_WEEKDAY = 13
_UNSPACED_LANGUAGES = frozenset(("th", "zh"))
_HALF = 30
_PAST: Mapping[int, tuple[str, ...]] = {
    15: ("quarter past", "kwarto", "一刻"),
    _HALF: ("half past", "half", "rưỡi", "ครึ่ง", "半", "y medya", "kalahati"),
}
_BEFORE: Mapping[int, tuple[str, ...]] = {
    _HALF: ("setengah",),
    45: ("quarter to", "quarter of", "kurang seperempat", "kém 15"),
}


class Spoken(NamedTuple):
    """Words that say a value: which turn (from 0), the words, and what they leave out ("" if nothing)."""

    turn: int
    words: str
    left_out: str = ""


def moment_of(value: str, schema: Mapping[str, Any], setting: Setting) -> Moment | None:
    """Return the moment that a gold string is compared as; None where it is compared as a text."""
    if not (is_iso(value) or states_a_format(schema)):
        return None
    return read_moment(value, schema, setting)


def said_moment(moment: Moment, turns: Sequence[tuple[int, str]], setting: Setting) -> list[Spoken]:
    """Return the words that say a moment: one entry, or two where the day and the time stand apart.

    Args:
        moment: The date, time of day, or both.
        turns: The number and the text of each turn to look in.
        setting: Language and reference date of the item.

    Returns:
        Empty where a part of it is not said.
    """
    whole = _first(lambda text: _window(moment, text, setting), turns)
    if whole is not None:
        return [whole]
    if isinstance(moment, datetime):
        day = _said_day(moment.date(), turns, setting)
        clock = _said_clock(moment.time(), turns, setting)
        return [day, clock] if day is not None and clock is not None else []
    part = _said_day(moment, turns, setting) if isinstance(moment, date) else None
    if isinstance(moment, time):
        part = _said_clock(moment, turns, setting)
    return [part] if part is not None else []


def _first(find: Any, turns: Sequence[tuple[int, str]], left_out: str = "") -> Spoken | None:
    for number, text in turns:
        words = find(text)
        if words is not None:
            return Spoken(number, words, left_out)
    return None


def _said_day(day: date, turns: Sequence[tuple[int, str]], setting: Setting) -> Spoken | None:
    today = date.fromisoformat(setting.reference_date[:10]) if setting.reference_date else None
    found = _first(lambda text: _window(day, text, setting), turns)
    if found is not None or (today is not None and abs((day - today).days) > _DAYS_OF_A_YEAR):
        return found
    found = _first(lambda text: _day_without_year(day, text, setting), turns, "the year")
    if found is not None or today is None:
        return found
    near = _NEAR.get((day - today).days, {}).get(setting.lang or "", ())
    found = _first(lambda text: _mentioned_one(near, text, setting.lang), turns, "the day")
    ahead = (day - today).days
    if found is None and abs(ahead) <= _DAYS_AHEAD_BY_WEEKDAY:
        names = [name for name, number in WEEKDAYS.items() if number == day.weekday()]
        found = _first(lambda text: _mentioned_one(names, text, setting.lang), turns, "the week")
    if found is None and abs(ahead) <= 2:
        found = _first(
            lambda text: _mentioned_one(_EITHER_WAY.get(abs(ahead), ()), text, setting.lang),
            turns,
            "before or after",
        )
    return found


_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth"
    " fifteenth sixteenth seventeenth eighteenth nineteenth"
).split()
# Hindi and Bengali say one word for a day before and after; which is meant, the sense of the sentence tells.
_EITHER_WAY = {1: ("कल", "kal", "কাল", "কালকে"), 2: ("परसों", "परवा", "parson", "পরশু")}
# Parts of a day that say the day with them.
_NEAR: Mapping[int, Mapping[str, tuple[str, ...]]] = {
    0: {
        "en": ("tonight", "this evening", "this afternoon", "this morning", "today"),
        "hi": ("आज", "aaj"),
        "mr": ("आज", "aaj"),
        "bn": ("আজ", "আজকে"),
        "ta": ("இன்று", "இன்னைக்கு", "இன்னிக்கு"),
        "te": ("ఈ రోజు", "ఇవాళ", "ఈరోజు"),
        "ml": ("ഇന്ന്", "ഇന്നത്തെ"),
        "vi": ("hôm nay", "tối nay", "chiều nay", "sáng nay", "trưa nay"),
        "th": ("วันนี้", "คืนนี้", "เย็นนี้", "บ่ายนี้", "เช้านี้"),
        "id": ("hari ini", "nanti malam", "malam ini", "sore ini", "siang ini", "nanti sore", "pagi ini"),
        "fil": ("ngayon", "ngayong", "mamaya", "mamayang"),
        "zh": ("今天", "今晚", "今日", "今早", "今夜"),
    },
    1: {
        "en": ("tomorrow",),
        "hi": ("kal",),
        "mr": ("udya",),
        "ta": ("நாளைய",),
        "te": ("రేపటి",),
        "ml": ("നാളത്തെ",),
        "vi": ("mai",),
        "fil": ("bukas",),
        "zh": ("明早", "明晚"),
    },
}


def _mentioned_one(words: Sequence[str], text: str, lang: str | None) -> str | None:
    return next((word for word in words if mentioned(word, text, lang)), None)


def _window(moment: Moment, text: str, setting: Setting) -> str | None:
    """Return the longest run of words of a text that the scoring reads as the moment."""
    return _moments(text, setting.lang, setting.reference_date, None).get((type(moment), moment))


def _day_without_year(day: date, text: str, setting: Setting) -> str | None:
    lang = setting.lang
    found = _moments(text, lang, setting.reference_date, day.year).get((date, day))
    if found is not None:
        return found
    month = _mentioned_one([name for name, number in MONTHS.items() if number == day.month], text, lang)
    number = _mentioned_one([str(day.day), *_ordinals(day.day)], text, lang)
    return f"{number} … {month}" if month is not None and number is not None else None


def _ordinals(number: int) -> Sequence[str]:
    """Return the English ordinals of a day of the month."""
    if number <= len(_ORDINALS):
        return (_ORDINALS[number - 1],)
    tens, ones = divmod(number, 10)
    if not ones:
        return (("twentieth", "thirtieth")[tens - 2],)
    return (f"{('twenty', 'thirty')[tens - 2]}-{_ORDINALS[ones - 1]}",)


def _said_clock(clock: time, turns: Sequence[tuple[int, str]], setting: Setting) -> Spoken | None:
    found = _first(lambda text: _window(clock, text, setting), turns)
    if found is not None:
        return found
    return _first(lambda text: _hour(clock, text, setting.lang), turns, "the half of the day")


def _hour(clock: time, text: str, lang: str | None) -> str | None:
    """Return the figures of an hour of either half of the day, and of its minutes where it has some."""
    hours = _hours(clock.hour, lang)
    if clock.minute:
        forms = [f"{hour}{mark}{clock.minute:02}" for hour in hours for mark in ":."]
        if clock.minute == _HALF:
            forms += [f"{hour}.5" for hour in hours]
        return _mentioned_one(forms, text, lang) or _hour_and_minutes(clock, hours, text, lang)
    return _mentioned_one([form for hour in hours for form in (f"{hour}:00", f"{hour}")], text, lang)


def _hour_and_minutes(clock: time, hours: Sequence[int], text: str, lang: str | None) -> str | None:
    """Return an hour and its minutes that stand apart: "6 बजकर 20", "half past five", "setengah enam"."""
    parts = [(str(clock.minute), hours)]
    parts += [(words, hours) for words in _PAST.get(clock.minute, ())]
    parts += [(words, _hours(clock.hour + 1, lang)) for words in _BEFORE.get(clock.minute, ())]
    for minutes, possible in parts:
        hour = _mentioned_one([str(hour) for hour in possible], text, lang)
        if hour is not None and mentioned(minutes, text, lang):
            return f"{hour} … {minutes}"
    return None


def _hours(hour: int, lang: str | None) -> tuple[int, ...]:
    """Return the numbers by which people call an hour of the day."""
    hours = {hour % 24, hour % 12 or 12}
    if lang == "th":
        # Thai counts the hours from six in the evening on and, some, from six in the morning.
        hours.add(hour % 6 or 6)
    return tuple(sorted(hours))


@lru_cache(maxsize=256)
def _moments(
    text: str, lang: str | None, today: str | None, year: int | None
) -> dict[tuple[type, Moment], str]:
    """Return the moments that runs of words of a text are read as, each with the longest that says it.

    Args:
        text: One turn.
        lang: Its language.
        today: The reference date of the item.
        year: Read every run as if this year stood beside it; None reads it as it is.
    """
    found: dict[tuple[type, Moment], str] = {}
    for window in windows(text, lang):
        moment = _numbered_moment(window, lang, today, year)
        if moment is None and year is None:
            moment = _named_moment(window, lang, today)
        if moment is not None:
            found.setdefault((type(moment), moment), window)
    return found


def _numbered_moment(window: str, lang: str | None, today: str | None, year: int | None) -> Moment | None:
    if not _DIGIT.search(with_digits(window, lang)):
        return None
    if year is not None:
        window = f"{year}年{window}" if lang == "zh" else f"{window} {year}"
    return read_moment(window, {}, Setting(lang, today))


def _named_moment(window: str, lang: str | None, today: str | None) -> Moment | None:
    """Read the few words that are a moment without a number: tomorrow, noon."""
    if len(window) > _LONGEST_NAME:
        return None
    day = read_relative_date(window, lang, date.fromisoformat(today[:10])) if today else None
    if day is not None:
        return day
    clock = read_clock(window, lang)
    return None if clock is None else clock.time


@lru_cache(maxsize=256)
def windows(text: str, lang: str | None) -> tuple[str, ...]:
    """Return the runs of words of a text, the longest first; in Thai and Chinese runs of letters as well."""
    words = [stripped for word in fold(text).split() if (stripped := word.strip(_EDGES))]
    found: dict[str, None] = {}
    for length in range(min(_MOST_WORDS, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            found[" ".join(words[start : start + length])] = None
    if lang in _UNSPACED_LANGUAGES:
        for word in words:
            found.update(dict.fromkeys(_runs(word)))
    return tuple(found)


def _runs(word: str) -> Iterator[str]:
    for length in range(min(_MOST_UNSPACED_LETTERS, len(word)), 1, -1):
        for start in range(len(word) - length + 1):
            yield word[start : start + length]
