"""Month and weekday names of the twelve languages."""

import pytest

from voicebench.scoring.calendar_words import MONTHS, WEEKDAYS, chinese_figures
from voicebench.scoring.folding import fold


@pytest.mark.parametrize("march", "march mar मार्च মার্চ மார்ச் మార్చి മാർച്ച് มีนาคม มี.ค maret marso 三月".split())
def test_a_month_is_known_in_every_language(march: str) -> None:
    assert MONTHS[fold(march)] == 3


def test_spelling_variants_of_a_month_are_one() -> None:
    assert MONTHS[fold("सितम्बर")] == MONTHS[fold("सितंबर")] == 9
    assert MONTHS[fold("பெப்ரவரி")] == MONTHS[fold("பிப்ரவரி")] == MONTHS["pebruari"] == 2
    assert MONTHS[fold("ജൂലായ്")] == MONTHS[fold("ஜுலை")] == 7
    assert MONTHS[fold("আগষ্ট")] == MONTHS[fold("ఆగష్టు")] == 8
    assert MONTHS["nopember"] == 11
    assert MONTHS[fold("tháng ba")] == 3
    assert MONTHS[fold("tháng mười hai")] == 12


@pytest.mark.parametrize(
    "monday",
    [
        "monday", "सोमवार", "সোমবার", "திங்கட்கிழமை", "సోమవారం", "തിങ്കളാഴ്ച", "วันจันทร์",
        "thứ hai", "senin", "lunes", "星期一", "തിങ്കൾ", "禮拜一",
    ],
)  # fmt: skip
def test_a_weekday_is_known_in_every_language(monday: str) -> None:
    assert WEEKDAYS[fold(monday)] == 0


def test_other_names_of_a_weekday() -> None:
    assert WEEKDAYS[fold("वीरवार")] == WEEKDAYS[fold("พฤหัส")] == 3
    assert WEEKDAYS["jum'at"] == 4
    assert WEEKDAYS[fold("chúa nhật")] == WEEKDAYS[fold("礼拜日")] == 6


def test_every_month_and_weekday_has_names() -> None:
    assert set(MONTHS.values()) == set(range(1, 13))
    assert set(WEEKDAYS.values()) == set(range(7))


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("二〇二六年三月二十三日", "2026年3月23日"),
        ("十月", "10月"),
        ("十二月廿五", "12月25"),
        ("三十一日", "31日"),
        ("十十", "十十"),
    ],
)
def test_the_chinese_figures_of_a_date(text: str, digits: str) -> None:
    assert chinese_figures(text) == digits
