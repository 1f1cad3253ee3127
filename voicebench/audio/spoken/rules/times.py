"""Times of day."""

import re
from collections.abc import Callable

from voicebench.audio.spoken.figures import Context
from voicebench.audio.spoken.language import JOINT, Half, Language

_HALF = r"(?P<half>[ap])\.?\s?m(?:\b\.?|\.)"
_CLOCK = r"(?<![\d:.,/-])(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::\d{2})?(?![\d:])"
_BARE = r"(?<![\d:.,/-])(?P<hour>\d{1,2})"
_DASH_BEHIND_HALF = re.compile(r"(?<=[ap]m)\s?[-–—~]\s?(?=\d)", re.IGNORECASE)
_DASH_BETWEEN = re.compile(r"(?<![\d:])(\d{1,2}(?::\d{2})?)\s?[-–—~]\s?(?=\d{1,2}:\d{2}(?!\d))")
_DASH_BARE = re.compile(r"(?<![\d:.,/-])(\d{1,2})\s?[-–—~]\s?(?=\d{1,2}\s?[ap]\.?m\b)", re.IGNORECASE)


def times(language: Language) -> Callable[[str, Context], str]:
    """Return the rule of 5:30 pm · 17:30 · 5 a.m. · शाम 5:30 बजे."""
    words = language.words
    o_clock = words.o_clock or "(?!)"
    before = rf"(?:(?P<before>{words.parts_of_day})\s?)?" if words.parts_of_day else "(?P<before>)"
    after = rf"(?:\s?(?P<after>(?:{o_clock}){language.no_letter_behind}))?"
    likely = re.compile(rf"\d(?::\d|\s?[ap]\.?\s?m|\.\d\d\s?(?:{o_clock}))", re.IGNORECASE)
    behind = rf"[ap]\.?\s?m(?:\b|\.)|(?:{o_clock}){language.no_letter_behind}"
    dotted = re.compile(rf"(?<![\d:.,])(\d{{1,2}})\.([0-5]\d)(?=\s?(?:{behind}))", re.IGNORECASE)
    with_minutes = re.compile(rf"{before}{_CLOCK}(?:\s?{_HALF})?{after}", re.IGNORECASE)
    bare = re.compile(rf"{before}{_BARE}\s?{_HALF}{after}", re.IGNORECASE)

    def said(match: re.Match[str]) -> str:
        hour, minute = int(match["hour"]), int(match.groupdict().get("minute") or 0)
        half: Half | None = None
        if match["half"] and 1 <= hour <= 12:
            half = "am" if match["half"].lower() == "a" else "pm"
        if hour > 23 or minute > 59:
            return match.group()
        return (
            f"{JOINT}{language.clock(hour, minute, half, match['before'] or '', match['after'] or '')}{JOINT}"
        )

    def say(text: str, context: Context) -> str:
        if likely.search(text) is None:
            return text
        text = dotted.sub(r"\1:\2", text)
        if not any(dash in text for dash in "-–—~"):
            return bare.sub(said, with_minutes.sub(said, text))
        to = f"{JOINT}{words.to}{JOINT}"
        text = _DASH_BETWEEN.sub(rf"\1{to}", _DASH_BARE.sub(rf"\1{to}", _DASH_BEHIND_HALF.sub(to, text)))
        return bare.sub(said, with_minutes.sub(said, text))

    return say
