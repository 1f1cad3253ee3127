"""Dates and times: only what is unambiguous is one, and a year is never made up."""

from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.scoring.dates import Moment, is_iso, read_moment, states_a_format
from voicebench.scoring.setting import Setting

DAY = date(2026, 11, 30)
DAY_FIRST = {"description": "The date as DD/MM/YYYY."}


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-11-30", DAY),
        ("२०२६-११-३०", DAY),
        ("2026/11/30", DAY),
        ("30 November 2026", DAY),
        ("30th of Nov, 2026", DAY),
        ("Nov 30, 2026", DAY),
        ("November 30 2026", DAY),
        ("2026-11-30T18:05", datetime(2026, 11, 30, 18, 5)),
        ("2026-11-30 18:05:00", datetime(2026, 11, 30, 18, 5)),
        ("2026-11-30 6:05 pm", datetime(2026, 11, 30, 18, 5)),
        ("30 Nov 2026 at 18:05", datetime(2026, 11, 30, 18, 5)),
        ("2026-11-30T18:05:00Z", datetime(2026, 11, 30, 18, 5, tzinfo=UTC)),
        ("2026-11-30T18:05+05:30", datetime(2026, 11, 30, 18, 5, tzinfo=timezone(timedelta(minutes=330)))),
        ("18:05", time(18, 5)),
        ("18:05:30", time(18, 5, 30)),
        ("6:05 PM", time(18, 5)),
        ("6 p.m.", time(18)),
        ("12 am", time(0)),
        ("30/11/2026", None),  # which is the month?
        ("30 November", None),
        ("2026-02-30", None),
        ("25:00", None),
        ("13 pm", None),
        ("18", None),
        ("tomorrow", None),
        ("Monday, 30 November 2026", DAY),
        ("30 November 2026 (Monday)", DAY),
        ("Tuesday, 30 November 2026", None),  # it was a Monday
        ("३० नवंबर २०२६", DAY),
        ("30 नवम्बर, 2026", DAY),
        ("सोमवार, 30 नवंबर 2026", DAY),
        ("तीस नवंबर दो हज़ार छब्बीस", DAY),
        ("३० नोव्हेंबर २०२६", DAY),
        ("৩০শে নভেম্বর ২০২৬", DAY),
        ("30 நவம்பர் 2026", DAY),
        ("నవంబర్ 30, 2026", DAY),
        ("2026 നവംബർ 30", DAY),
        ("30 พฤศจิกายน พ.ศ. 2569", DAY),
        ("30 พฤศจิกายน ค.ศ. 2026", DAY),
        ("30 พฤศจิกายน 2569", date(2569, 11, 30)),
        ("ngày 30 tháng 11 năm 2026", DAY),
        ("30 tháng mười một, 2026", DAY),
        ("Senin, 30 November 2026", DAY),
        ("30 Agustus 2026", date(2026, 8, 30)),
        ("ika-30 ng Nobyembre 2026", DAY),
        ("Nobyembre 30, 2026", DAY),
        ("2026年11月30日", DAY),
        ("二〇二六年十一月三十日", DAY),
        ("2026年11月30日星期一", DAY),
        ("2026年11月30日 星期二", None),
        ("2026年11月30日下午6点5分", datetime(2026, 11, 30, 18, 5)),
        ("30 नवंबर 2026 शाम 6 बजे", datetime(2026, 11, 30, 18)),
        ("6:05 pm, 30 November 2026", datetime(2026, 11, 30, 18, 5)),
        ("30 नवंबर 2026 रात 12 बजे", None),  # at its beginning, or at its end?
        ("शाम 6 बजे", time(18)),
        ("6 बजे", None),
        ("31 November 2026", None),
        ("", None),
        ("2026-11-30" * 1000, None),
    ],
    ids=lambda value: str(value)[:24],
)
def test_what_a_string_says(text: str, moment: Moment | None) -> None:
    assert read_moment(text, {}) == moment


@pytest.mark.parametrize(
    ("text", "lang", "moment"),
    [
        ("today", "en", DAY),
        ("tomorrow at 6:30 am", "en", datetime(2026, 12, 1, 6, 30)),
        ("6 pm today", "en", datetime(2026, 11, 30, 18)),
        ("तीन दिन बाद", "hi", date(2026, 12, 3)),
        ("आज शाम 6 बजे", "hi", datetime(2026, 11, 30, 18)),
        ("besok jam 5 sore", "id", datetime(2026, 12, 1, 17)),
        ("พรุ่งนี้บ่าย 3 โมง", "th", datetime(2026, 12, 1, 15)),
        ("明天下午5点", "zh", datetime(2026, 12, 1, 17)),
        ("कल", "hi", None),
        ("कल शाम 6 बजे", "hi", None),
        ("30 November", "en", None),  # a year is never made up
        ("30 พฤศจิกายน 2569", "th", DAY),
    ],
)
def test_what_a_string_says_on_a_day_in_a_language(text: str, lang: str, moment: Moment | None) -> None:
    assert read_moment(text, {}, Setting(lang, "2026-11-30")) == moment


def test_a_reference_date_that_is_none_is_left_alone() -> None:
    assert read_moment("today", {}, Setting("en", "someday")) is None
    assert read_moment("today", {}, Setting("en", "2026-11-30T09:00")) == DAY


@given(st.text() | st.text(alphabet="0123456789 -/:年月日बजेpmพ.ศ"))
def test_any_text_is_a_moment_or_none(text: str) -> None:
    moment = read_moment(text, {"description": "DD/MM/YYYY"}, Setting("th", "2026-11-30"))
    assert moment is None or isinstance(moment, Moment)


@pytest.mark.parametrize(
    ("text", "description", "moment"),
    [
        ("30/11/2026", "as DD/MM/YYYY", DAY),
        ("30-11-2026", "as DD/MM/YYYY", DAY),
        ("11/30/2026", "in MM/DD/YYYY format", DAY),
        ("2026-11-30", "as DD/MM/YYYY", DAY),
        ("30-11-26", "dd-mm-yy", DAY),
        ("30/11/2026 18:05", "DD/MM/YYYY HH:MM", datetime(2026, 11, 30, 18, 5)),
        ("30.11.2026", "written with %d.%m.%Y", DAY),
        ("18:05", "HH:MM, 24 hours", time(18, 5)),
        ("30/11", "as DD/MM", None),
        ("30/11/2026", "MM is the month", None),
    ],
)
def test_a_stated_format_is_read(text: str, description: str, moment: Moment | None) -> None:
    assert read_moment(text, {"description": description}) == moment


@pytest.mark.parametrize(
    "text", ["2026-11-30", "18:05", "18:05:30", "2026-11-30T18:05", "2026-11-30 18:05:01"]
)
def test_an_iso_moment_is_known(text: str) -> None:
    assert is_iso(text)


@pytest.mark.parametrize("text", ["2026", "20261130", "30-11-2026", "6:05", "K-2026-11-30", ""])
def test_another_string_is_no_iso_moment(text: str) -> None:
    assert not is_iso(text)


@pytest.mark.parametrize(
    ("schema", "states"),
    [
        ({"format": "date"}, True),
        ({"format": "date-time"}, True),
        (DAY_FIRST, True),
        ({"description": "An ISO 8601 date"}, True),
        ({"description": "%H:%M"}, True),
        ({"description": "The date"}, False),
        ({"description": "summer hammer"}, False),
        ({"description": None}, False),
        ({"format": "email"}, False),
        ({}, False),
    ],
)
def test_whether_a_schema_states_a_format(schema: dict[str, Any], states: bool) -> None:
    assert states_a_format(schema) is states
