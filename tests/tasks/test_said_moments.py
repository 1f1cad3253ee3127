"""Dates and times in turns: read as the scoring reads them, or with what people leave out."""

from datetime import date, datetime, time

import pytest

from voicebench.scoring.setting import Setting
from voicebench.tasks.said_moments import Spoken, moment_of, said_moment, windows

TODAY = "2026-11-30"  # a Monday


def said(moment: date | datetime | time, text: str, lang: str) -> list[tuple[str, str]]:
    found = said_moment(moment, [(0, text)], Setting(lang, TODAY))
    return [(spoken.words, spoken.left_out) for spoken in found]


@pytest.mark.parametrize(
    ("lang", "text", "moment", "words"),
    [
        (
            "en",
            "Book it for tomorrow at eight in the evening.",
            datetime(2026, 12, 1, 20),
            "tomorrow at eight in the evening",
        ),
        ("zh", "明天下午五点半帮我订车", datetime(2026, 12, 1, 17, 30), "明天下午五点半"),
        ("mr", "उद्या संध्याकाळी साडेपाच वाजता", datetime(2026, 12, 1, 17, 30), "उद्या संध्याकाळी साडेपाच वाजता"),
        ("ta", "நாளை மாலை ஐந்தரை மணிக்கு கார்", datetime(2026, 12, 1, 17, 30), "நாளை மாலை ஐந்தரை மணிக்கு"),
        ("id", "besok jam setengah enam sore", datetime(2026, 12, 1, 17, 30), "besok jam setengah enam sore"),
        ("th", "ขอรถพรุ่งนี้หน่อย", date(2026, 12, 1), "พรุ่งนี้"),
    ],
)
def test_a_moment_said_in_one_piece_is_found_whole(
    lang: str, text: str, moment: date | datetime, words: str
) -> None:
    assert said(moment, text, lang) == [(words, "")]


@pytest.mark.parametrize(
    ("lang", "text", "moment", "found"),
    [
        (
            "en",
            "on the twenty-first of December",
            date(2026, 12, 21),
            [("twenty-first … december", "the year")],
        ),
        ("zh", "十二月五号的高铁票", date(2026, 12, 5), [("十二月五号", "the year")]),
        ("vi", "ngày 5 tháng 12", date(2026, 12, 5), [("ngày 5 tháng 12", "the year")]),
        ("en", "a table this Friday", date(2026, 12, 4), [("friday", "the week")]),
        ("hi", "परसों", date(2026, 12, 2), [("परसों", "before or after")]),
        ("en", "half past five", time(17, 30), [("5 … half past", "the half of the day")]),
        ("en", "quarter to nine", time(20, 45), [("9 … quarter to", "the half of the day")]),
        ("th", "แปดโมงครึ่ง", time(8, 30), [("8 … ครึ่ง", "the half of the day")]),
        ("te", "ఐదున్నర గంటలకు", time(17, 30), [("5.5", "the half of the day")]),
        (
            "fil",
            "bukas ha, alas singko y medya ng hapon",
            datetime(2026, 12, 1, 17, 30),
            [("bukas", ""), ("alas singko y medya ng hapon", "")],
        ),
        (
            "vi",
            "sáng mai lúc 7 giờ",
            datetime(2026, 12, 1, 7),
            [("mai", "the day"), ("7", "the half of the day")],
        ),
    ],
)
def test_what_people_leave_out_is_named(
    lang: str, text: str, moment: date | datetime | time, found: list[tuple[str, str]]
) -> None:
    assert said(moment, text, lang) == found


@pytest.mark.parametrize(
    ("lang", "text", "moment"),
    [
        ("en", "a table on Friday at eight", datetime(2026, 12, 5, 20)),
        ("en", "a table on Friday", datetime(2026, 12, 4, 20)),
        ("en", "on the 5th of December", date(2029, 12, 5)),
        ("hi", "परसों", date(2026, 12, 3)),
        ("th", "พรุ่งนี้", date(2026, 12, 2)),
        ("en", "", date(2026, 12, 1)),
    ],
)
def test_another_moment_is_not_said(lang: str, text: str, moment: date | datetime) -> None:
    assert said(moment, text, lang) == []


def test_the_day_and_the_time_may_stand_in_two_turns() -> None:
    turns = [(0, "கார் நாளை வேண்டும்"), (2, "மாலை 5 மணிக்கு")]
    assert said_moment(datetime(2026, 12, 1, 17), turns, Setting("ta", TODAY)) == [
        Spoken(0, "நாளை"),
        Spoken(2, "மாலை 5 மணிக்கு"),
    ]


def test_only_what_is_compared_as_a_moment_is_one() -> None:
    setting = Setting("en", TODAY)
    assert moment_of("2026-12-01", {}, setting) == date(2026, 12, 1)
    assert moment_of("now", {"description": "YYYY-MM-DDTHH:MM"}, setting) is None
    assert moment_of("tomorrow", {}, setting) is None


def test_windows_are_runs_of_words_the_longest_first() -> None:
    assert windows("at 6, please", "en") == ("at 6 please", "at 6", "6 please", "at", "6", "please")


def test_windows_of_thai_are_runs_of_letters_too() -> None:
    assert windows("วันนี้", "th")[:3] == ("วันนี้", "วันนี", "ันนี้")
