"""How Chinese says figures: groups of four digits, a zero for what is left out, two kinds of two."""

import re

from voicebench.audio.spoken.language import (
    Form,
    Half,
    Language,
    Words,
    hour_of_day,
    part_of_day,
)
from voicebench.audio.spoken.vocabulary import currencies, months, units

_DIGITS = ("零", "一", "二", "三", "四", "五", "六", "七", "八", "九")
_POWERS = ("", "十", "百", "千")
_GROUPS = ("", "万", "亿", "万亿")
_UNITS = {
    "km/h": "公里每小时", "km": "公里", "cm": "厘米", "mm": "毫米", "m": "米", "kg": "公斤", "g": "克",
    "mg": "毫克",
    "ml": "毫升", "l": "升", "h": "小时", "min": "分钟", "sec": "秒", "°C": "摄氏度", "°F": "华氏度",
    "GB": "G B",
    "MB": "M B", "Mbps": "兆每秒", "kWh": "千瓦时", "kW": "千瓦", "W": "瓦", "lb": "磅", "ft": "英尺",
    "sq ft": "平方英尺",
    "m²": "平方米", "km²": "平方公里",
}  # fmt: skip
_SCALES = {
    **{word: word for word in "百 千 万 亿 百万 千万".split()},
    "k": "千", "million": "百万", "m": "百万", "billion": "十亿",
}  # fmt: skip
# Behind "two" these make it "liang".
_MEASURES = (
    "个|位|张|份|件|杯|瓶|碗|盒|箱|包|辆|台|部|本|间|套|双|条|只|支|家|名|次|天|小时|分钟|秒|周|年|岁|块|元|斤|公斤|公里|米|升|点|人|种|页|層|层|道|场|趟|班|站|口"
    "|倍|百|千|万|亿|晚|串|片|颗|棵|朵|把|顿|遍|单|笔|批|组|排|座|栋|匹|头|袋|壶|打"
)
_PARTS_OF_THE_DAY = "凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|半夜|今晚|明早|明晚|今早|当晚"
_DAY = (
    (5, "凌晨"), (9, "早上"), (12, "上午"), (13, "中午"), (18, "下午"), (24, "晚上"),
)  # fmt: skip


class Chinese(Language):
    """Chinese, in simplified characters."""

    code = "zh"
    unspaced = True
    pause = "，"
    between_digits = ""
    words = Words(
        digits=_DIGITS,
        point="点",
        minus="负",
        plus="加",
        to="到",
        dot="点",
        slash="斜杠",
        percent="百分之",
        hashtag="话题",
        months=months(()),
        currencies=currencies(
            INR="卢比|派士", BDT="塔卡|派士", THB="泰铢|萨当", VND="越南盾", IDR="印尼盾", PHP="比索|分",
            CNY="元|分", JPY="日元",
            USD="美元|美分", EUR="欧元|欧分", GBP="英镑|便士",
        ),
        units=units(_UNITS),
        scales=_SCALES,
        symbols={
            "&": "和", "@": "艾特", "+": "加", "=": "等于", "%": "百分之", "#": "号", "°": "度", "×": "乘",
            "÷": "除以",
            "²": "平方", "³": "立方", "~": "约",
        },
        abbreviations={"Dr.": "医生", "No.": "第", "Mr.": "先生", "Ms.": "女士"},
        identifiers=(
            r"验证码|密码|动态码|校验码|编号|单号|订单(?:号|编号)?|账号|账户|卡号|尾号|号码|电话(?:号码)?|手机(?:号码|号)?|房间(?:号)?|航班(?:号)?|车次|车牌(?:号)?"
            r"|邮编|代码|取件码|优惠码|兑换码|身份证(?:号)?|会员号|户号|工号|发票号|流水号|客服(?:电话)?|热线"
            r"|OTP|PIN|code|CVV|ID|account|PNR|order|booking|flight"
        ),
        counted=(
            r"元|块|角|万|亿|千|美元|个|位|张|份|人|克|公斤|斤|升|分钟|小时|天|日|月|年|米|公里|度|杯|瓶|碗|盒|箱|件|次|岁|平方米|层"
        ),
        # Only units and measures make two "liang".
        uncounted=r"[^\W\d_]+",
        parts_of_day=_PARTS_OF_THE_DAY,
    )  # fmt: skip

    def cardinal(self, number: int, *, indian: bool) -> str:
        """Return a count in words: "十二", "一百零五", "十五万", "两千"."""
        if number == 0:
            return _DIGITS[0]
        said = ""
        left_out = False
        for position in range(3, -1, -1):
            group, number = divmod(number, 10000**position)
            if group == 0:
                left_out = bool(said)
                continue
            if said and (left_out or group < 1000):
                said += "零"
            said += ("两" if group == 2 and position else _below_ten_thousand(group)) + _GROUPS[position]
            left_out = False
        return said.removeprefix("一") if said.startswith("一十") else said

    def attributive(self, number: int, *, indian: bool) -> str:
        """Return a count in front of a unit: "两", the rest unchanged."""
        return "两" if number == 2 else self.cardinal(number, indian=False)

    def number(self, whole: int, fraction: str, *, indian: bool) -> str:
        """Return a number in words, its decimals one by one."""
        return super().number(whole, fraction, indian=False)

    def ordinal(self, number: int, suffix: str) -> str:
        """Return a rank in words: "第三"."""
        return f"第{self.cardinal(number, indian=False)}"

    def year(self, number: int) -> str:
        """Return a year, digit by digit."""
        return self.spell(str(number))

    def date(self, day: int, month: int, year: int | None) -> str:
        """Return a date in words: "二零二六年三月二十三日"."""
        said = f"{self.cardinal(month, indian=False)}月{self.cardinal(day, indian=False)}日"
        return said if year is None else f"{self.year(year)}年{said}"

    def clock(self, hour: int, minute: int, half: Half | None, before: str, after: str) -> str:
        """Return a time in words: "下午五点半", "十七点零五分"."""
        if half is not None:
            hour = hour_of_day(hour, half)
            before = before or part_of_day(hour, _DAY)
            hour = hour % 12 or 12
        said = f"{before}{self.attributive(hour, indian=False)}点"
        if minute == 30 and hour <= 12:
            return f"{said}半"
        if minute == 0:
            return said
        return f"{said}{'零' if minute < 10 else ''}{self.cardinal(minute, indian=False)}分"

    def fraction(self, numerator: int, denominator: int) -> str:
        """Return a fraction in words: "二分之一", "三分之二"."""
        upper, lower = (self.cardinal(part, indian=False) for part in (numerator, denominator))
        return f"{lower}分之{upper}"

    def mixed(self, whole: int, numerator: int, denominator: int) -> str:
        """Return "二又二分之一"."""
        return f"{self.cardinal(whole, indian=False)}又{self.fraction(numerator, denominator)}"

    def percentage(self, said: str) -> str:
        """Return a percentage: "百分之十二"."""
        number = said.removeprefix("负")
        sign = "负" if number != said else ""
        return f"{sign}百分之{'二' if number == '两' else number}"

    def telephone(self, figures: str) -> str:
        """Return a telephone number; one is called yao, so that it is not heard as seven."""
        said = self.spell(figures)
        return said.replace("一", "幺") if figures[0] in "+01(" else said

    def money(self, whole: int, hundredths: int, code: str, *, indian: bool) -> str:
        """Return an amount in words: "十二元五角", "三美元十二美分"."""
        if code != "CNY":
            return super().money(whole, hundredths, code, indian=False)
        tenths, hundredths = divmod(hundredths, 10)
        said = f"{self.attributive(whole, indian=False)}元" if whole or not (tenths or hundredths) else ""
        if tenths:
            said += f"{_DIGITS[tenths]}角"
        elif hundredths and whole:
            said += "零"
        return said + (f"{_DIGITS[hundredths]}分" if hundredths else "")

    def forms(self) -> tuple[Form, ...]:
        """Return 2026年3月23日, 5点30分, 第3, 2个, 3月5号 and the like."""

        def calendar_year(match: re.Match[str]) -> str:
            return f"{self.spell(match[1])}年"

        def clock(match: re.Match[str]) -> str:
            hour, minute = int(match[1]), match[3]
            said = f"{self.attributive(hour, indian=False)}{match[2]}"
            if minute is None:
                return said
            number = int(minute)
            zero = "零" if len(minute) == 2 and 0 < number < 10 else ""
            return f"{said}{zero}{self.cardinal(number, indian=False)}{match[4] or ''}"

        def mobile(match: re.Match[str]) -> str:
            figures = match.group()
            return self.telephone(f"{figures[:3]} {figures[3:7]} {figures[7:]}")

        def two(match: re.Match[str]) -> str:
            return "两"

        return (
            (r"(?<=[点時时月日号])\s?[-–—~]\s?(?=\d)", lambda _: "到"),
            (r"(?<![\d.,])1[3-9]\d{9}(?![\d.,]*\d)", mobile),
            (
                r"(?<![\d.,])([12]\d{3}|\d{2})\s?年(?=\s?\d{1,2}\s?月|[的初底末春夏秋冬]|$|[，。,.\s])",
                calendar_year,
            ),
            (r"(?<![\d.,])((?:19|20)\d{2})\s?年", calendar_year),
            (r"(?<![\d.,:])(\d{1,2})\s?([点時时])(?!\d{3})(?:(\d{1,2})\s?(分)?)?(?![钟\d])", clock),
            (rf"(?<![\d.,:/第-])2\s?(?=(?:{_MEASURES}))", two),
        )


def _below_ten_thousand(number: int) -> str:
    said = ""
    left_out = False
    for power in range(3, -1, -1):
        count, number = divmod(number, 10**power)
        if count == 0:
            left_out = bool(said)
            continue
        said += (
            ("零" if left_out else "")
            + ("两" if count == 2 and power > 1 else _DIGITS[count])
            + _POWERS[power]
        )
        left_out = False
    return said
