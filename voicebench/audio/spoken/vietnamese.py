"""How Vietnamese says figures: one, four and five change their name behind a ten (mốt, tư, lăm)."""

import re

from voicebench.audio.spoken.language import (
    INITIALISMS,
    Form,
    Half,
    Language,
    Words,
    hour_of_day,
    part_of_day,
)
from voicebench.audio.spoken.vocabulary import currencies, months, units

_DIGITS = ("không", "một", "hai", "ba", "bốn", "năm", "sáu", "bảy", "tám", "chín")
_AFTER_TENS = (*_DIGITS[:1], "mốt", *_DIGITS[2:4], "tư", "lăm", *_DIGITS[6:])
_POWERS = ("", "nghìn", "triệu")
_UNITS = {
    "km/h": "ki lô mét trên giờ", "km": "ki lô mét", "cm": "xen ti mét", "mm": "mi li mét", "m": "mét",
    "kg": "ki lô gam", "g": "gam", "mg": "mi li gam", "ml": "mi li lít", "l": "lít", "h": "giờ",
    "min": "phút",
    "sec": "giây", "°C": "độ xê", "°F": "độ ép", "GB": "gi ga bai", "MB": "mê ga bai",
    "Mbps": "mê ga bít trên giây", "kWh": "ki lô oát giờ", "kW": "ki lô oát", "W": "oát", "lb": "pao",
    "ft": "phít", "sq ft": "phít vuông", "m²": "mét vuông", "km²": "ki lô mét vuông",
}  # fmt: skip
_SCALES = {
    **{word: word for word in "nghìn ngàn triệu tỷ tỉ trăm".split()},
    "k": "nghìn", "tr": "triệu", "million": "triệu", "m": "triệu", "billion": "tỷ", "b": "tỷ",
}  # fmt: skip
_PARTS_OF_THE_DAY = "giờ sáng|giờ trưa|giờ chiều|giờ tối|giờ đêm|sáng|trưa|chiều|tối|đêm|khuya"
_DAY = (
    (4, "đêm"), (11, "sáng"), (13, "trưa"), (18, "chiều"), (22, "tối"), (24, "đêm"),
)  # fmt: skip


class Vietnamese(Language):
    """Vietnamese; the dot groups thousands, and the comma is the decimal mark."""

    code = "vi"
    comma_decimals = True
    words = Words(
        digits=_DIGITS,
        point="phẩy",
        minus="âm",
        plus="cộng",
        to="đến",
        dot="chấm",
        slash="gạch chéo",
        percent="phần trăm",
        hashtag="hashtag",
        months=months(()),
        currencies=currencies(
            INR="rupee|paisa", BDT="taka|paisa", THB="baht|satang", VND="đồng", IDR="rupiah",
            PHP="peso|centavo",
            CNY="nhân dân tệ", JPY="yên", USD="đô la|xu", EUR="ơ rô|xu", GBP="bảng Anh|xu",
        ),
        units=units(_UNITS, giờ="h"),
        scales=_SCALES,
        symbols={
            "&": "và", "@": "a còng", "+": "cộng", "=": "bằng", "%": "phần trăm", "#": "số", "°": "độ",
            "×": "nhân",
            "÷": "chia", "²": "bình phương", "³": "lập phương", "~": "khoảng",
        },
        abbreviations={
            "TP.HCM": "Thành phố Hồ Chí Minh", "TP. HCM": "Thành phố Hồ Chí Minh",
            "TPHCM": "Thành phố Hồ Chí Minh",
            "TP.": "Thành phố", "Tp.": "Thành phố", "Q.": "Quận", "P.": "Phường", "Đ.": "Đường",
            "ĐT": "điện thoại",
            "ĐT:": "điện thoại", "SĐT": "số điện thoại", "BS.": "Bác sĩ", "TS.": "Tiến sĩ", "ThS.": "Thạc sĩ",
            "GS.": "Giáo sư", "PGS.": "Phó giáo sư", "KS.": "Kỹ sư", "v.v.": "vân vân", "v.v": "vân vân",
            "VNĐ": "đồng", "Cty": "Công ty", "ko": "không", "đ/c": "địa chỉ", "UBND": "Ủy ban nhân dân",
            "THPT": "trung học phổ thông", "CMND": "chứng minh nhân dân", "CCCD": "căn cước công dân",
            "Dr.": "bác sĩ",
        },
        initialisms=INITIALISMS | frozenset("ATM API UPI SUV USB URL".split()),
        identifiers=(
            r"(?:mã(?:\s(?:OTP|PIN|xác nhận|xác minh|bưu chính|đơn hàng|đặt chỗ|khách hàng|giảm giá"
            r"|vận đơn))?"
            r"|số tài khoản|tài khoản|số điện thoại|điện thoại|số thẻ|số hiệu|chuyến bay|chuyến|đơn hàng"
            r"|số đơn|phòng"
            r"|vé|hóa đơn|hoá đơn|biển số|căn hộ|CMND|CCCD|hotline|tổng đài"
            r"|OTP|PIN|code|CVV|ID|account|PNR|order|booking|flight)(?:\scủa\s(?:tôi|bạn|anh|chị|em|mình))?"
        ),
        counted=(
            r"đồng|đ|nghìn|ngàn|triệu|tỷ|tỉ|đô(?:\sla)?|người|khách|cái|chiếc|phần|suất|vé|gam|gram|lít"
            r"|ki lô|cân|phút|giờ"
            r"|ngày|tháng|năm|mét|cây số|phần trăm|pizza|ly|cốc|hộp|chai|gói|kg|km|k"
        ),
        day="ngày",
        before_a_date="ngày ",
        o_clock=_PARTS_OF_THE_DAY,
    )  # fmt: skip

    def cardinal(self, number: int, *, indian: bool) -> str:
        """Return a count in words: "một trăm linh năm nghìn", "hai mươi tư"."""
        billions, rest = divmod(number, 10**9)
        said = [self.cardinal(billions, indian=False), "tỷ"] if billions else []
        for power in (2, 1, 0):
            thousands, rest = divmod(rest, 1000**power) if power else (rest, 0)
            if thousands:
                said.append(_below_thousand(thousands, full=bool(said)))
                said.extend([_POWERS[power]] if power else [])
        return " ".join(said) or _DIGITS[0]

    def ordinal(self, number: int, suffix: str) -> str:
        """Return a rank in words: "thứ nhất", "thứ tư"."""
        return "thứ " + ({1: "nhất", 4: "tư"}.get(number) or self.cardinal(number, indian=False))

    def date(self, day: int, month: int, year: int | None) -> str:
        """Return a date in words: "hai mươi ba tháng ba năm hai nghìn không trăm hai mươi sáu"."""
        said = f"{_day(day)} tháng {_month(month)}"
        return said if year is None else f"{said} năm {self.year(year)}"

    def clock(self, hour: int, minute: int, half: Half | None, before: str, after: str) -> str:
        """Return a time in words: "năm giờ rưỡi chiều", "mười bảy giờ ba mươi phút"."""
        part = after.removeprefix("giờ ")
        if half is not None:
            hour = hour_of_day(hour, half)
            part = part or part_of_day(hour, _DAY)
            hour = hour % 12 or 12
        said = f"{self.cardinal(hour, indian=False)} giờ"
        if minute == 30 and part:
            said += " rưỡi"
        elif minute:
            said += f" {self.cardinal(minute, indian=False)} phút"
        return f"{said} {part}".rstrip()

    def fraction(self, numerator: int, denominator: int) -> str:
        """Return a fraction in words: "một nửa", "hai phần ba"."""
        if (numerator, denominator) == (1, 2):
            return "một nửa"
        lower = "tư" if denominator == 4 else self.cardinal(denominator, indian=False)
        return f"{self.cardinal(numerator, indian=False)} phần {lower}"

    def mixed(self, whole: int, numerator: int, denominator: int) -> str:
        """Return "hai rưỡi"."""
        said = self.cardinal(whole, indian=False)
        return (
            f"{said} rưỡi"
            if (numerator, denominator) == (1, 2)
            else f"{said} {self.fraction(numerator, denominator)}"
        )

    def forms(self) -> tuple[Form, ...]:
        """Return 17h30, "tháng 4", "thứ 4", "Q.1" and 250k."""

        def clock(match: re.Match[str]) -> str:
            hour, minute = int(match[1]), int(match[2] or 0)
            if hour > 24 or minute > 59:
                return match.group()
            return self.clock(hour, minute, None, "", match[3] or "")

        def thousands(match: re.Match[str]) -> str:
            return f"{self.cardinal(int(match[1]), indian=False)} nghìn"

        no_figure = r"(?<![\d.,:/])"
        minutes = r"\s?(?:h|g|giờ)\s?(\d{2})(?!\d)(?:\s?(?:phút|p)(?!\w))?"
        part = rf"(?:\s?({_PARTS_OF_THE_DAY})(?!\w))?"
        return (
            (r"(?:(?<=\dh)|(?<=h\d\d))\s?[-–—~]\s?(?=\d{1,2}h)", lambda _: "đến"),
            (rf"{no_figure}(\d{{1,2}}){minutes}{part}", clock),
            (rf"{no_figure}(\d{{1,2}})h()(?!\w){part}", clock),
            (r"(?<![\d.,:/\w])(\d{1,6})k(?!\w)", thousands),
            (r"(?<=\d)\s?tr(?!\w)", lambda _: "triệu"),
            (r"(?<!\w)(ngày|mùng|mồng)\s(\d{1,2})(?![\d/.:-]|\s?(?:ngày|đêm))",
             lambda m: f"{m[1]} {_day(int(m[2]))}"),
            (r"(?<!\w)tháng\s(1[0-2]|[1-9])(?![\d.,])", lambda m: f"tháng {_month(int(m[1]))}"),
            (r"(?<!\w)thứ\s([2-7])(?!\d)", lambda m: f"thứ {_month(int(m[1]))}"),
            (r"(?<!\w)(?-i:(Q|P)\.)\s?(\d{1,2})(?!\d)",
             lambda m: f"{'Quận' if m[1] == 'Q' else 'Phường'} {self.cardinal(int(m[2]), indian=False)}"),
        )  # fmt: skip


def _below_thousand(number: int, *, full: bool) -> str:
    """Return a number of at most three digits; `full`, with its hundreds though there are none."""
    hundreds, rest = divmod(number, 100)
    tens, ones = divmod(rest, 10)
    said = [_DIGITS[hundreds], "trăm"] if hundreds or full else []
    if tens == 0:
        said.extend((["linh"] if said else []) + [_DIGITS[ones]] if ones else [])
    elif tens == 1:
        said.extend(["mười"] + ([("lăm" if ones == 5 else _DIGITS[ones])] if ones else []))
    else:
        said.extend([_DIGITS[tens], "mươi"] + ([_AFTER_TENS[ones]] if ones else []))
    return " ".join(said)


def _day(number: int) -> str:
    return _below_thousand(number, full=False) if number else _DIGITS[0]


def _month(number: int) -> str:
    return "tư" if number == 4 else _below_thousand(number, full=False)
