"""Currencies and percent beside a number, as a sign, a code or a word of the twelve languages.

A currency is taken out of the text and remembered, so that it may be missing from one of two texts; percent
is written `%` and stays, because 5 % is not 5. A weight that shares its name with money (pound) stays a word.
"""

import re

from voicebench.scoring.folding import fold
from voicebench.scoring.letters import LETTER
from voicebench.scoring.tokens import tokens

Currencies = frozenset[str]
"""ISO 4217 codes that a mark may stand for: `$` may be any dollar, `¥` yen or yuan."""

Marks = tuple[tuple[int, Currencies], ...]
"""For each number that has a currency beside it: which number of the text it is, and the currency."""

_RUPEES = frozenset(("INR", "LKR", "NPR", "PKR"))
_DOLLARS = frozenset(("USD", "AUD", "CAD", "HKD", "NZD", "SGD", "TWD"))
_PESOS = frozenset(("PHP", "ARS", "CLP", "COP", "MXN"))
_YUAN = frozenset(("CNY", "TWD"))  # 元 and 块 are said of both
_YEN_OR_YUAN = frozenset(("CNY", "JPY"))
_TAKA = frozenset(("BDT", "INR"))  # in Kolkata, টাকা are rupees


def _one(code: str) -> Currencies:
    return frozenset((code,))


# Signs and codes, which stand before their number or behind it.
_SIGNS: dict[Currencies, str] = {
    _one("INR"): "₹ inr",
    _RUPEES: "₨ rs रु रू ரூ రూ രൂ",
    _one("PKR"): "pkr",
    _one("LKR"): "lkr",
    _one("NPR"): "npr",
    _one("BDT"): "৳ bdt tk",
    _one("THB"): "฿ thb",
    _one("VND"): "₫ vnd vnđ đ",
    _one("IDR"): "idr rp",
    _one("PHP"): "₱ php",
    _one("CNY"): "cny rmb",
    _YEN_OR_YUAN: "¥",
    _one("JPY"): "jpy",
    _DOLLARS: "$",
    _one("USD"): "usd",
    _one("SGD"): "sgd",
    _one("HKD"): "hkd",
    _one("TWD"): "twd",
    _one("AUD"): "aud",
    _one("CAD"): "cad",
    _one("NZD"): "nzd",
    _one("EUR"): "€ eur",
    _one("GBP"): "£ gbp",
    _one("KRW"): "₩ krw",
}
# Words, which stand behind their number, in some languages before it; `_` is a space.
_WORDS: dict[Currencies, str] = {
    _RUPEES: """rupee rupees rupaye rupaya रुपये रुपए रुपया रुपयों रुपयांत रूपये रूपए रूपया रुपयाँ রুপি রুপী
        ரூபாய் ரூபா ரூபாய்கள் రూపాయలు రూపాయి రూపాయల రూపాయలకు രൂപ രൂപയ്ക്ക് รูปี 卢比 盧比 rupi""",
    _one("INR"): "indian_rupee indian_rupees भारतीय_रुपये ভারতীয়_রুপি 印度卢比",
    _TAKA: "taka takas টাকা টাকার টাকায়",
    _one("THB"): "baht บาท บาทถ้วน 泰铢 泰銖 बाट",
    _one("VND"): "đồng dong việt_nam_đồng 越南盾",
    _one("IDR"): "rupiah rupiahs 印尼盾 印尼卢比",
    _PESOS: "peso pesos piso",
    _one("PHP"): "philippine_peso philippine_pesos piso_ng_pilipinas 菲律宾比索",
    _YUAN: "元 圆 圓 yuan kuai 块 塊 块钱 塊錢",
    _one("CNY"): "人民币 人民幣 元人民币 元人民幣 renminbi nhân_dân_tệ หยวน युआन",
    _one("JPY"): "yen 日元 日圆 日圓 円 เยน येन",
    _DOLLARS: """dollar dollars डॉलर डॉलर्स ডলার டாலர் டாலர்கள் డాలర్ డాలర్లు డాలరు ഡോളർ đô_la đô ดอลลาร์ ดอลล่าร์
        dolar dolyar""",
    _one("USD"): """us_dollar us_dollars american_dollars अमेरिकी_डॉलर মার্কিন_ডলার அமெரிக்க_டாலர் అమెరికన్_డాలర్లు
        യുഎസ്_ഡോളർ đô_la_mỹ ดอลลาร์สหรัฐ 美元 美金 dolar_as""",
    _one("SGD"): "singapore_dollar singapore_dollars 新加坡元 新币 新幣",
    _one("HKD"): "hong_kong_dollar hong_kong_dollars 港元 港币 港幣",
    _one("TWD"): "new_taiwan_dollar new_taiwan_dollars 新台币 新台幣 新臺幣 台币 台幣 元新台币",
    _one("EUR"): "euro euros यूरो ইউরো யூரோ యూరో യൂറോ ยูโร 欧元 歐元",
    _one("GBP"): "pound_sterling pounds_sterling 英镑 英鎊",
}
_PERCENT = """% percent per_cent pct प्रतिशत फ़ीसदी फीसद परसेंट टक्के टक्का শতাংশ পার্সেন্ট
    சதவீதம் சதவிகிதம் சதவிதம் விழுக்காடு శాతం ശതമാനം phần_trăm เปอร์เซ็นต์ เปอร์เซนต์ persen porsiyento porsyento
    bahagdan"""
_PREFIXED = {
    "us$": "usd", "s$": "sgd", "hk$": "hkd", "nt$": "twd", "a$": "aud", "au$": "aud", "c$": "cad",
    "ca$": "cad", "nz$": "nzd", "cn¥": "cny", "rmb¥": "cny", "jp¥": "jpy",
}  # fmt: skip
_PERCENT_BEFORE = ("百分之", "ร้อยละ")
_PERCENT_SIGN = ("%",)
_WITHOUT_CENTS = frozenset(("IDR", "VND"))
_DOTS_GROUP = frozenset(("id", "vi"))
_DOT_GROUPS = re.compile(r"[-+]?\d{1,3}(?:\.\d{3})+")
_DIGIT = re.compile(r"\d")


def _keys(words: str) -> list[tuple[str, ...]]:
    return [tuple(tokens(fold(word.replace("_", " ")))) for word in words.split()]


_MARKS: dict[tuple[str, ...], tuple[Currencies, bool]] = {
    key: (currencies, is_word)
    for table, is_word in ((_SIGNS, False), (_WORDS, True))
    for currencies, words in table.items()
    for key in _keys(words)
}
_PERCENT_KEYS = frozenset(_keys(_PERCENT))
_FIRST_WORDS = frozenset(key[0] for key in (*_MARKS, *_PERCENT_KEYS))
_LONGEST = max(len(key) for key in (*_MARKS, *_PERCENT_KEYS))

_LATIN_SIGNS = "|".join(key[0] for key in _MARKS if key[0].isascii() and key[0].isalpha())
_MINUS_BEFORE = re.compile(
    rf"(?<!\w)(?<!{LETTER})- ?((?:{_LATIN_SIGNS})\.?|[$\u00a2-\u00a5৳฿\u20a0-\u20cf]) ?(?=\.?\d)"
)
_PREFIX = re.compile(rf"(?<!\w)(?<!{LETTER})(?:{'|'.join(re.escape(prefix) for prefix in _PREFIXED)})")


def plain_marks(folded: str) -> str:
    """Return a folded text with its marks where `take_marks` finds them.

    `US$` and the like become codes, a minus sign before a currency goes to the number, and percent said
    before its number (百分之五, ร้อยละ 5) becomes a `%` before it.
    """
    if "$" in folded or "¥" in folded:
        folded = _PREFIX.sub(lambda match: f"{_PREFIXED[match.group()]} ", folded)
    if "-" in folded:
        folded = _MINUS_BEFORE.sub(r"\1 -", folded)
    if not folded.isascii():
        for words in _PERCENT_BEFORE:
            folded = folded.replace(words, " % ")
    return folded


def take_marks(words: list[str], lang: str | None = None) -> tuple[list[str], Marks]:
    """Take the currencies out of a text's tokens, and write percent as `%` at its number.

    Rupiah and dong have no cents, so dots group their thousands: Rp50.000 are 50000. In Indonesian and
    Vietnamese, two such dots in any number do (1.500.000); a single one may be a decimal point and stays.

    Args:
        words: As `tokens` splits a text; number words already in digits.
        lang: The language of the text.

    Returns:
        The other tokens, and the currencies.
    """
    marks: dict[int, Currencies] = {}
    while not _FIRST_WORDS.isdisjoint(words):
        kept = _taken(words, marks)
        if len(kept) == len(words):
            break
        words = kept
    if marks or lang in _DOTS_GROUP:
        words = _without_dot_groups(words, marks, lang)
    return words, tuple(sorted(marks.items()))


def agree(one: Marks, other: Marks) -> bool:
    """Tell whether no number has two different currencies in two texts that say the same otherwise."""
    if one == other or not one or not other:
        return True
    others = dict(other)
    return all(
        number not in others or currencies == others[number] or not currencies.isdisjoint(others[number])
        for number, currencies in one
    )


def _taken(words: list[str], marks: dict[int, Currencies]) -> list[str]:
    """Return the tokens without the marks that stand directly at a number; these are added to `marks`."""
    kept: list[str] = []
    numbers, place, percent = 0, 0, ""
    while place < len(words):
        key = _key_at(words, place)
        end = place + len(key)
        behind = bool(kept) and kept[-1][-1].isdigit()
        ahead = end < len(words) and words[end][-1].isdigit()
        if key in _PERCENT_KEYS and behind:
            kept[-1] += "%"
        elif key == _PERCENT_SIGN and ahead:
            percent = "%"
        elif key in _MARKS and (behind or ahead):
            currencies, is_word = _MARKS[key]
            number = numbers - 1 if behind and (is_word or not ahead) else numbers
            marks[number] = marks.get(number, currencies) & currencies
        else:
            end = place + 1
            kept.append(words[place] + percent)
            numbers += _DIGIT.search(words[place]) is not None
            percent = ""
        place = end
    return kept


def _key_at(words: list[str], place: int) -> tuple[str, ...]:
    """Return the longest mark that begins at a token; an empty one if none does."""
    if words[place] in _FIRST_WORDS:
        for length in range(_LONGEST, 0, -1):
            key = tuple(words[place : place + length])
            if key in _MARKS or key in _PERCENT_KEYS:
                return key
    return ()


def _without_dot_groups(words: list[str], marks: dict[int, Currencies], lang: str | None) -> list[str]:
    number = -1
    closed = []
    for word in words:
        if _DIGIT.search(word):
            number += 1
            dots = word.count(".")
            whole = (dots and marks.get(number, _DOLLARS) <= _WITHOUT_CENTS) or (
                dots > 1 and lang in _DOTS_GROUP
            )
            if whole and _DOT_GROUPS.fullmatch(word):
                word = word.replace(".", "")
        closed.append(word)
    return closed
