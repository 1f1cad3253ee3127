"""Numbers in Thai text, which puts no spaces between words.

The letters of a number word are part of many other words (พัน in พันธุ์, สาม in สามารถ, เก้า in เก้าอี้), so a run
of number words is read only between borders that are sure. Behind it: the end of the letters, or one of the
common units. Before it: the same, or letters if the run is a number by itself (a digit word first, and then a
multiplier), or has a unit behind it. A multiplier without a coefficient (พัน, ร้อยเอ็ด, also a province) needs
a unit, or two more words. จุด is a point and ลบ a minus sign only inside or directly before number words.
"""

import re

from voicebench.scoring.folding import fold
from voicebench.scoring.number_words.figures import figure
from voicebench.scoring.number_words.grammar import Piece, read_run
from voicebench.scoring.number_words.terms import (
    Figure,
    Link,
    Minus,
    Multiplier,
    Point,
    Term,
    Value,
    Words,
    spellings,
)
from voicebench.scoring.number_words.unspaced import between_spaces

_DIGITS = "ศูนย์ หนึ่ง สอง สาม สี่ ห้า หก เจ็ด แปด เก้า"
_WORDS: Words = {
    **{word: (Value(number),) for number, word in enumerate(_DIGITS.split())},
    **spellings(Value(1), "นึง"),
    "เอ็ด": (Link(least_room=10), Value(1)),
    **spellings(Value(20, room=10), "ยี่สิบ"),
    **spellings(Multiplier(10, most=9, bare=True), "สิบ"),
    **spellings(Multiplier(100, most=9, bare=True), "ร้อย"),
    **spellings(Multiplier(10**3, most=9, bare=True, wants_link=True), "พัน"),
    **spellings(Multiplier(10**4, most=9, bare=True, wants_link=True), "หมื่น"),
    **spellings(Multiplier(10**5, most=9, bare=True, wants_link=True), "แสน"),
    **spellings(Multiplier(10**6, most=10**6 - 1, bare=True, wants_link=True), "ล้าน"),
    **spellings(Multiplier(10**12, most=10**6 - 1, wants_link=True), "ล้านล้าน"),
    **spellings(Minus(), "ลบ"),
    **spellings(Point(), "จุด"),
}
_UNITS = """
    บาท สตางค์ ดอลลาร์ เหรียญ ยูโร เปอร์เซ็นต์ คน ท่าน คืน วัน เดือน ปี สัปดาห์ อาทิตย์ ชั่วโมง นาที วินาที โมง ทุ่ม นาฬิกา
    กิโล กรัม ลิตร เมตร เซนติเมตร ไมล์ องศา ครั้ง รอบ ที่นั่ง ที่ จาน แก้ว ขวด กล่อง ถุง ชิ้น อัน ใบ เล่ม คัน ห้อง เตียง ตัว ต้น หลัง
    ชุด คู่ ชั้น แห่ง หน่วย เท่า แผ่น ตั๋ว เที่ยว ดาว มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน
    ตุลาคม พฤศจิกายน ธันวาคม
""".split()
_FOLDED = {fold(word): terms for word, terms in _WORDS.items()}
_DIGIT_OF = {fold(word): str(number) for number, word in enumerate(_DIGITS.split())}


def _any_of(words: list[str]) -> str:
    return "|".join(sorted(map(fold, words), key=len, reverse=True))


_DIGIT = _any_of(list(_DIGIT_OF))
_LETTER = "[ก-ฺเ-๎]"
_WORD = re.compile(_any_of(list(_WORDS)))
_RUN = re.compile(
    rf"(?:(?<![\w.,:/-])(?P<figure>[-+]?\d[\d,]*(?:\.\d+)?) ?(?=ร้อย|พัน|หมื่น|แสน|ล้าน))?"
    rf"(?P<words>(?:{_WORD.pattern})+)"
)
_UNIT = re.compile(f"(?:{_any_of(_UNITS)})(?![ะ-ฺ็-๎])")
_IN_A_ROW = re.compile(rf"(?<!{_LETTER})(?:{_DIGIT})(?: (?:{_DIGIT})(?!{_LETTER}))+")
_SCRIPT = re.compile(_LETTER)
_BEFORE_A_CONSONANT = "เแโใไ"
_SHORTEST_ROW = 3


def with_digits(text: str) -> str:
    """Return a text with its Thai numbers in digits."""
    return _RUN.sub(_read, _IN_A_ROW.sub(_row, text)) if _SCRIPT.search(text) else text


def _row(match: re.Match[str]) -> str:
    """Read digit words with spaces between them."""
    words = match.group().split(" ")
    return match.group() if len(words) < _SHORTEST_ROW else "".join(_DIGIT_OF[word] for word in words)


def _read(match: re.Match[str]) -> str:
    text, start, end = match.string, match.start(), match.end()
    words = _WORD.findall(match["words"])
    terms = tuple(term for word in words for term in _FOLDED[word])
    if match["figure"]:
        coefficient = figure(match["figure"])
        if coefficient is None:
            return match.group()
        terms = (coefficient, *terms)
    if not _has_sure_borders(text, start, end, terms, len(words)):
        return match.group()
    digits = read_run([Piece(match.group(), terms)])
    return match.group() if digits is None else between_spaces(text, start, end, digits[0])


def _has_sure_borders(text: str, start: int, end: int, terms: tuple[Term, ...], words: int) -> bool:
    has_unit = _UNIT.match(text, end) is not None
    if not has_unit and re.match(_LETTER, text[end : end + 1]):
        return False
    first = terms[0]
    if isinstance(first, Figure):
        return True
    if isinstance(first, Multiplier) and first.number > 10 and not has_unit and words < 3:
        return False
    if terms == (Value(0),) and not has_unit:
        return False  # by itself, ศูนย์ is a centre
    before = text[start - 1 : start]
    if not re.match(_LETTER, before):
        return True
    if before in _BEFORE_A_CONSONANT or not (isinstance(first, Value) or _is_ten(first)):
        return False
    return has_unit or (words > 1 and any(isinstance(term, Multiplier) for term in terms))


def _is_ten(term: Term) -> bool:
    return isinstance(term, Multiplier) and term.number == 10
