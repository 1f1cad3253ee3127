"""Days from today on; what could be two days is none."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.scoring.folding import fold
from voicebench.scoring.relative_dates import read_relative_date, starts_with_a_day

TODAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("today", 0),
        ("आज", 0),
        ("วันนี้", 0),
        ("Tomorrow", 1),
        ("उद्या", 1),
        ("আগামীকাল", 1),
        ("நாளை", 1),
        ("రేపు", 1),
        ("നാളെ", 1),
        ("ngày mai", 1),
        ("พรุ่งนี้", 1),
        ("besok", 1),
        ("bukas", 1),
        ("明天", 1),
        ("the day after tomorrow", 2),
        ("ఎల్లుండి", 2),
        ("മറ്റന്നാൾ", 2),
        ("มะรืนนี้", 2),
        ("lusa", 2),
        ("后天", 2),
        ("yesterday", -1),
        ("昨天", -1),
        ("ఇవాళ", 0),
        ("kamakalawa", -2),
        ("大前天", -3),
        ("in 3 days", 3),
        ("in three days", 3),
        ("3 दिन बाद", 3),
        ("तीन दिन बाद", 3),
        ("৩ দিন পর", 3),
        ("3 ngày nữa", 3),
        ("อีก 3 วัน", 3),
        ("อีก 3 วันข้างหน้า", 3),
        ("3 วันข้างหน้า", None),  # the third day, or the three days to come
        ("3 hari lagi", 3),
        ("3天后", 3),
        ("2 weeks from now", 14),
        ("2週後", 14),
        ("3 days ago", -3),
        ("3 दिन पहले", -3),
        ("कल", None),  # tomorrow, or yesterday
        ("परसों", None),
        ("next monday", None),
        ("within 3 days", None),
        ("3 days", None),
        ("in 3 months", None),
        ("tomorrow evening", None),
        ("in 3.5 days", None),
        ("in -3 days", None),
        ("", None),
    ],
)
def test_the_day_that_a_text_says(text: str, days: int | None) -> None:
    day = None if days is None else TODAY + timedelta(days=days)
    assert read_relative_date(fold(text), None, TODAY) == day


def test_a_day_before_the_calendar_begins_is_none() -> None:
    assert read_relative_date("3 days ago", None, date.min) is None


def test_a_day_at_the_beginning_is_found() -> None:
    assert starts_with_a_day("明天下午5点") == 2
    assert starts_with_a_day("下午5点") == 0


@given(st.text())
def test_any_text_is_a_day_or_none(text: str) -> None:
    day = read_relative_date(fold(text), None, TODAY)
    assert day is None or isinstance(day, date)
