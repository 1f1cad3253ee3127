"""Dates and times: only what is unambiguous is one, and a year is never made up."""

from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Any

import pytest

from voicebench.scoring.dates import Moment, is_iso, read_moment, states_a_format

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
        ("", None),
        ("2026-11-30" * 1000, None),
    ],
    ids=lambda value: str(value)[:24],
)
def test_what_a_string_says(text: str, moment: Moment | None) -> None:
    assert read_moment(text, {}) == moment


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
