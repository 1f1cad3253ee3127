"""Vietnamese number words: mươi and mười, links (linh, lẻ, không trăm), rưỡi, and words that mean more."""

from voicebench.scoring.number_words.language import Language
from voicebench.scoring.number_words.terms import (
    Half,
    Link,
    Minus,
    Multiplier,
    Point,
    Value,
    Words,
    merged,
    spellings,
    values,
)

_ABBREVIATIONS: Words = spellings(Multiplier(10**6), "tr")

_COUNTERS = frozenset(
    "người cái chiếc giờ phút giây ngày tuần tháng lần vé phòng đêm bàn suất phần con đồng đô độ cuốn quyển "
    "chai ly cốc bát hộp gói kg km mét cân lít ghế chỗ khách món bài quả trái tấm".split()
)
"""What is counted, before which "năm" is five and no year."""

_LEADERS = frozenset("số quận tầng bàn phòng cổng tuyến".split())
"""What has a number, after which "năm" is five and no year."""


def language() -> Language:
    """Return the language."""
    words = merged(
        [
            values({1: "một", 2: "hai", 3: "ba", 4: "bốn", 6: "sáu", 7: "bảy bẩy", 8: "tám", 9: "chín"}),
            spellings(Value(0, alone="never", before_hundred=True), "không"),
            # After tens it is a year: "ba mươi năm" is thirty years, 35 is "ba mươi lăm".
            spellings(Value(5, alone="if it is the whole text", least_room=100), "năm"),
            spellings(Value(1, alone="never"), "mốt"),
            spellings(Value(4, alone="never"), "tư"),
            spellings(Value(5, alone="never"), "lăm nhăm"),
            spellings(Value(10, room=10), "mười"),
            spellings(Value(20, room=10, alone="never"), "hăm"),
            spellings(Multiplier(10, most=9), "mươi chục"),
            spellings(Multiplier(10**2, most=9, wants_link=True), "trăm"),
            spellings(Multiplier(10**3, wants_link=True), "nghìn ngàn"),
            spellings(Multiplier(10**6, wants_link=True), "triệu"),
            spellings(Multiplier(10**9, most=10**6 - 1, wants_link=True), "tỷ tỉ"),
            spellings(Link(least_room=100), "linh lẻ"),
            spellings(Half(), "rưỡi rưởi"),
            spellings(Minus(), "âm"),
            spellings(Point(), "phẩy chấm"),
        ]
    )
    return Language(
        words, abbreviations=_ABBREVIATIONS, decimal_comma=True, counters=_COUNTERS, leaders=_LEADERS
    )
