"""Numbers in words by the rules of each language, written apart from what reads them."""

_ENGLISH = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_ENGLISH_TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()


def english(number: int) -> str:
    if number < 20:
        return _ENGLISH[number]
    if number < 100:
        return _ENGLISH_TENS[number // 10] + (f"-{_ENGLISH[number % 10]}" if number % 10 else "")
    for power, name, link in (
        (10**12, "trillion", ""), (10**9, "billion", ""), (10**6, "million", ""), (1000, "thousand", ""),
        (100, "hundred", " and"),
    ):  # fmt: skip
        if number >= power:
            rest = f"{link} {english(number % power)}" if number % power else ""
            return f"{english(number // power)} {name}{rest}"
    raise AssertionError


def indian_english(number: int) -> str:
    for power, name in ((10**7, "crore"), (10**5, "lakh")):
        if number >= power:
            rest = f" {indian_english(number % power)}" if number % power else ""
            return f"{indian_english(number // power)} {name}{rest}"
    return english(number)


_HAN = "零一二三四五六七八九"


def chinese(number: int) -> str:
    if number < 10:
        return _HAN[number]
    if number < 20:
        return "十" + (_HAN[number % 10] if number % 10 else "")
    return _chinese_groups(number)


def _chinese_groups(number: int) -> str:
    for power, name in ((10**8, "亿"), (10**4, "万"), (1000, "千"), (100, "百"), (10, "十")):
        if number >= power:
            rest = number % power
            gap = "零" if rest and rest < power // 10 else ""
            return _chinese_groups(number // power) + name + gap + (_chinese_groups(rest) if rest else "")
    return _HAN[number]


_THAI = "ศูนย์ หนึ่ง สอง สาม สี่ ห้า หก เจ็ด แปด เก้า".split()


def thai(number: int) -> str:
    if number >= 10**6:
        return f"{thai(number // 10**6)}ล้าน" + (thai(number % 10**6) if number % 10**6 else "")
    words = ""
    for power, name in ((10**5, "แสน"), (10**4, "หมื่น"), (1000, "พัน"), (100, "ร้อย")):
        if number >= power:
            words += f"{_THAI[number // power]}{name}"
            number %= power
    tens, ones = divmod(number, 10)
    if tens:
        words += ("" if tens == 1 else "ยี่" if tens == 2 else _THAI[tens]) + "สิบ"
    if ones or not words:
        words += "เอ็ด" if ones == 1 and words else _THAI[ones]
    return words


_VIETNAMESE = "không một hai ba bốn năm sáu bảy tám chín".split()


def vietnamese(number: int) -> str:
    for power, name in ((10**9, "tỷ"), (10**6, "triệu"), (1000, "nghìn")):
        if number >= power:
            rest = number % power
            if not rest:
                return f"{vietnamese(number // power)} {name}"
            empty_hundreds = "không trăm " if rest < 100 else ""
            link = "linh " if rest < 10 else ""
            return f"{vietnamese(number // power)} {name} {empty_hundreds}{link}{vietnamese(rest)}"
    if number >= 100:
        rest = number % 100
        link = " linh" if 0 < rest < 10 else ""
        return f"{_VIETNAMESE[number // 100]} trăm" + (f"{link} {vietnamese(rest)}" if rest else "")
    tens, ones = divmod(number, 10)
    if not tens:
        return _VIETNAMESE[ones]
    last = {0: "", 1: "một" if tens == 1 else "mốt", 5: "lăm"}.get(ones, _VIETNAMESE[ones])
    return f"{'mười' if tens == 1 else f'{_VIETNAMESE[tens]} mươi'} {last}".strip()


_INDONESIAN = "nol satu dua tiga empat lima enam tujuh delapan sembilan".split()


def indonesian(number: int) -> str:
    if number < 10:
        return _INDONESIAN[number]
    if number < 20:
        return {10: "sepuluh", 11: "sebelas"}.get(number) or f"{_INDONESIAN[number - 10]} belas"
    for power, name, one in (
        (10**12, "triliun", "satu triliun"), (10**9, "miliar", "satu miliar"), (10**6, "juta", "satu juta"),
        (1000, "ribu", "seribu"), (100, "ratus", "seratus"), (10, "puluh", ""),
    ):  # fmt: skip
        if number >= power:
            first = one if number < 2 * power else f"{indonesian(number // power)} {name}"
            return first + (f" {indonesian(number % power)}" if number % power else "")
    raise AssertionError


def indic(number: int, below_100: list[str], hundred: str, thousand: str, lakh: str, crore: str) -> str:
    """Spell in a language with a word for each number below 100; `hundred` may be a suffix ("-शे")."""
    for power, name in ((10**7, crore), (10**5, lakh), (1000, thousand), (100, hundred)):
        if number >= power:
            first = indic(number // power, below_100, hundred, thousand, lakh, crore)
            rest = number % power
            after = f" {indic(rest, below_100, hundred, thousand, lakh, crore)}" if rest else ""
            return (first + name[1:] if name.startswith("-") else f"{first} {name}") + after
    return below_100[number]


_FILIPINO = "- isa dalawa tatlo apat lima anim pito walo siyam".split()
_FILIPINO_TENS = "- sampu dalawampu tatlumpu apatnapu limampu animnapu pitumpu walumpu siyamnapu".split()


def filipino(number: int) -> str:
    for power, name in (
        (10**12, "trilyon"), (10**9, "bilyon"), (10**6, "milyon"), (1000, "libo"), (100, "daan"),
    ):  # fmt: skip
        if number >= power:
            count = filipino(number // power)
            ends_in_vowel = count[-1] in "aiou"
            name = "raan" if power == 100 and not ends_in_vowel else name
            linked = f"{count}ng {name}" if ends_in_vowel else f"{count} na {name}"
            rest = number % power
            return linked + (
                (f" at {filipino(rest)}" if rest < 100 else f" {filipino(rest)}") if rest else ""
            )
    tens, ones = divmod(number, 10)
    if not tens:
        return _FILIPINO[ones]
    if tens == 1 and ones:
        return f"labing-{_FILIPINO[ones]}"
    return f"{_FILIPINO_TENS[tens]}'t {_FILIPINO[ones]}" if ones else _FILIPINO_TENS[tens]
