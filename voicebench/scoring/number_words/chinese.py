"""Numbers in Chinese text, simplified and traditional, which puts no spaces between words.

Numerals are part of many names (三里屯, 九龙, 万科, 四川), so they are read only between borders that are
sure. Behind them: the end of the letters, or a common unit; after a lone numeral only a unit that ends the
phrase too, or that names do not use (个, 位, 小时). Before them: the same, or letters where a unit is behind,
or where the numerals are a number by themselves (two or more, with a multiplier), or a row of three digits. A
figure with 万, 亿, 千 or 百 behind it is always read. 万 or 百万 without a coefficient is no number.
"""

import re

from voicebench.scoring.number_words.figures import figure
from voicebench.scoring.number_words.grammar import Piece, read_run
from voicebench.scoring.number_words.terms import Link, Minus, Multiplier, Point, Term, Value
from voicebench.scoring.number_words.unspaced import between_spaces

_DIGITS = {
    char: number
    for number, chars in enumerate(
        ("零〇", "一壹", "二贰貳两兩", "三叁", "四肆", "五伍", "六陆陸", "七柒", "八捌", "九玖")
    )
    for char in chars
}
_FORMAL = frozenset("壹贰貳叁肆伍陆陸柒捌玖拾佰仟")
_POWERS = {"十拾": 10, "百佰": 100, "千仟": 1000, "万萬": 10**4, "亿億": 10**8}
_MULTIPLIERS = {
    char: Multiplier(power, most={10**4: 9999, 10**8: 10**8 - 1}.get(power, 9), bare=power == 10)
    for chars, power in _POWERS.items()
    for char in chars
}
_HAN = "[\u3400-\u4dbf\u4e00-\u9fff〇]"
_DIGIT = "".join(_DIGITS)
_NUMERAL = f"[{_DIGIT}幺{''.join(_MULTIPLIERS)}]"
_GREAT = "[百佰千仟万萬亿億]"
_RUN = re.compile(
    rf"(?P<minus>[负負])?(?:"
    rf"(?<![\w.,:/-])(?P<figure>[-+]?\d[\d,]*(?:\.\d+)?) ?(?={_GREAT})"
    rf"(?P<after>{_NUMERAL}+(?: ?\d+ ?{_NUMERAL}+)*)"
    rf"(?P<rest> ?\d{{3,7}}(?![\d.,:/年-]| 年))?"
    rf"|(?P<decimal>{_NUMERAL}+[点點][{_DIGIT}]+(?![十拾百佰千仟分刻半])[万萬亿億]*)"
    rf"|(?P<words>{_NUMERAL}+))"
)
_PARTS = re.compile(rf"([-+]?\d[\d,.]*)|({_NUMERAL}+)")
_WEIGHT_OR_LENGTH = re.compile("(?<=[千仟])[克米瓦卡]")
_ENDING = rf"(?=$|[^\u3400-\u4dbf\u4e00-\u9fff]|{_NUMERAL}|[的后後前内內半整钟鐘]|左右|以[上下内內])"
_UNIT = re.compile(
    "个|個|位|件|杯|瓶|张(?!犁)|張(?!犁)|小时|小時|分钟|分鐘|秒|公里|公斤|美元|岁|歲|间|間|辆|輛|台|次|多|余|餘"
    rf"|(?:元|块|塊|人|天|日|号|號|月|年|点|點|分(?!之)|里|楼|樓|层|層|米|斤|度|周|週|晚|份|本|盒|条|條|只|隻|倍|折){_ENDING}"
)
_UNIT_OF_MORE = re.compile(f"{_UNIT.pattern}|[元块塊人天日号號月年点點里楼樓层層米斤度晚]")
_NO_NUMBER = re.compile("一[点點](?!半|整|钟|鐘|[零〇二三四五])|(?<![点點])十分(?!钟|鐘)|九份")
_VAGUE_BEFORE = frozenset("几幾数數好")
_ANY_NUMERAL = re.compile(_NUMERAL)
_SHORTEST_ROW = 3


def with_digits(text: str) -> str:
    """Return a text with its Chinese numbers in digits."""
    return _RUN.sub(_read, text) if _ANY_NUMERAL.search(text) else text


def _read(match: re.Match[str]) -> str:
    text, start, end = match.string, match.start(), match.end()
    if match["figure"] is None and match["minus"] is None and not _has_sure_borders(match):
        return match.group()
    terms = _terms(match)
    if terms is None or _WEIGHT_OR_LENGTH.match(text, end):
        return match.group()
    digits = read_run([Piece(match.group(), terms)])
    return match.group() if digits is None else between_spaces(text, start, end, digits[0])


def _terms(match: re.Match[str]) -> tuple[Term, ...] | None:
    minus: tuple[Term, ...] = (Minus(),) if match["minus"] else ()
    if match["figure"] is None:
        return (*minus, *_numerals(match["decimal"] or match["words"]))
    terms = minus
    for digits, numerals in _PARTS.findall(f"{match['figure']} {match['after']}"):
        coefficient = figure(digits)
        if digits and coefficient is None:
            return None
        terms += (coefficient,) if coefficient else tuple(_numerals(numerals))
    if not match["rest"]:
        return terms
    rest, last = int(match["rest"]), terms[-1]
    # 3万5 may be 35000: only where every place is written, nothing is to be guessed.
    if not isinstance(last, Multiplier) or not last.number // 10 <= rest < last.number:
        return None
    return (*terms, Value(rest))


def _numerals(chars: str) -> list[Term]:
    row = not any(char in _MULTIPLIERS for char in chars)
    terms: list[Term] = []
    after_the_point = False
    for char in chars:
        if char in "点點":
            terms.append(Point())
            after_the_point = True
        elif char == "幺":
            terms.append(Value(1, only_in_a_row=True))
        elif char in _MULTIPLIERS:
            terms.append(_MULTIPLIERS[char])
        elif _DIGITS[char] == 0 and not row and not after_the_point:
            terms.append(Link(least_room=10))
        else:
            terms.append(Value(_DIGITS[char]))
    before = terms[-2] if len(terms) > 1 else None
    if isinstance(before, Multiplier) and before.number >= 100 and isinstance(terms[-1], Value):
        terms.append(Multiplier(before.number // 10))  # 三百五 is 350; 305 is 三百零五
    return terms


def _has_sure_borders(match: re.Match[str]) -> bool:
    text, start, end = match.string, match.start(), match.end()
    chars = match["decimal"] or match["words"]
    if _NO_NUMBER.match(text, start) or (start and text[start - 1] in _VAGUE_BEFORE):
        return False
    if len(chars) == 1 and chars != "十" and (chars in _FORMAL or chars in _MULTIPLIERS):
        return False
    unit = _UNIT if len(chars) == 1 else _UNIT_OF_MORE
    has_unit = unit.match(text, end) is not None
    if not has_unit and re.match(_HAN, text[end : end + 1]):
        return False
    if has_unit or not (start and re.match(_HAN, text[start - 1])):
        return True
    number_by_itself = chars[0] not in _MULTIPLIERS and any(char in _MULTIPLIERS for char in chars)
    return number_by_itself or bool(match["decimal"]) or len(chars) >= _SHORTEST_ROW
