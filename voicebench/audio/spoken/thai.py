"""How Thai says figures: a name for each power up to a million, "et" for a last one, a clock of its own."""

import re

from voicebench.audio.spoken.language import (
    Form,
    Half,
    Language,
    Words,
    hour_of_day,
)
from voicebench.audio.spoken.letters import THAI_LETTERS
from voicebench.audio.spoken.vocabulary import currencies, months, units

_DIGITS = ("ศูนย์", "หนึ่ง", "สอง", "สาม", "สี่", "ห้า", "หก", "เจ็ด", "แปด", "เก้า")
_POWERS = ("", "สิบ", "ร้อย", "พัน", "หมื่น", "แสน")
_MONTHS = (
    "มกราคม", "กุมภาพันธ์", "มีนาคม", "เมษายน", "พฤษภาคม", "มิถุนายน", "กรกฎาคม", "สิงหาคม", "กันยายน", "ตุลาคม",
    "พฤศจิกายน",
    "ธันวาคม",
)  # fmt: skip
_SHORT_MONTHS = (
    "ม.ค.", "ก.พ.", "มี.ค.", "เม.ย.", "พ.ค.", "มิ.ย.", "ก.ค.", "ส.ค.", "ก.ย.", "ต.ค.", "พ.ย.", "ธ.ค.",
)  # fmt: skip
_UNITS = {
    "km/h": "กิโลเมตรต่อชั่วโมง", "km": "กิโลเมตร", "cm": "เซนติเมตร", "mm": "มิลลิเมตร", "m": "เมตร", "kg": "กิโลกรัม",
    "g": "กรัม", "mg": "มิลลิกรัม", "ml": "มิลลิลิตร", "l": "ลิตร", "h": "ชั่วโมง", "min": "นาที", "sec": "วินาที",
    "°C": "องศาเซลเซียส", "°F": "องศาฟาเรนไฮต์", "GB": "กิกะไบต์", "MB": "เมกะไบต์", "Mbps": "เมกะบิตต่อวินาที",
    "kWh": "กิโลวัตต์ชั่วโมง", "kW": "กิโลวัตต์", "W": "วัตต์", "lb": "ปอนด์", "ft": "ฟุต", "sq ft": "ตารางฟุต",
    "m²": "ตารางเมตร",
    "km²": "ตารางกิโลเมตร",
}  # fmt: skip
_SCALES = {
    **{word: word for word in "ร้อย พัน หมื่น แสน ล้าน".split()},
    "k": "พัน", "million": "ล้าน", "m": "ล้าน",
}  # fmt: skip


class Thai(Language):
    """Thai; years may be of the Buddhist era, as they are written."""

    code = "th"
    unspaced = True
    pause = " "
    between_digits = ""
    words = Words(
        digits=_DIGITS,
        point="จุด",
        minus="ลบ",
        plus="บวก",
        to="ถึง",
        dot="ดอต",
        slash="สแลช",
        percent="เปอร์เซ็นต์",
        hashtag="แฮชแท็ก",
        months=months(_MONTHS, {name: number for number, name in enumerate(_SHORT_MONTHS, start=1)}),
        currencies=currencies(
            INR="รูปี|ปาอีซา", BDT="ตากา|ปอยชา", THB="บาท|สตางค์", VND="ดอง", IDR="รูเปียห์", PHP="เปโซ|เซนตาโว",
            CNY="หยวน",
            JPY="เยน", USD="ดอลลาร์|เซนต์", EUR="ยูโร|เซนต์", GBP="ปอนด์|เพนนี",
        ),
        units=units(
            _UNITS,
            **{
                "กม.": "km", "กก.": "kg", "ซม.": "cm", "มม.": "mm", "ตร.ม.": "m²", "ชม.": "h", "มล.": "ml",
                "กม./ชม.": "km/h",
            },
        ),
        scales=_SCALES,
        symbols={
            "&": "และ", "@": "แอท", "+": "บวก", "=": "เท่ากับ", "%": "เปอร์เซ็นต์", "#": "หมายเลข", "°": "องศา",
            "×": "คูณ",
            "÷": "หาร", "²": "กำลังสอง", "³": "กำลังสาม", "~": "ประมาณ",
        },
        abbreviations={
            "พ.ศ.": "พุทธศักราช", "ค.ศ.": "คริสต์ศักราช", "ดร.": "ด็อกเตอร์", "นพ.": "นายแพทย์", "พญ.": "แพทย์หญิง",
            "รพ.": "โรงพยาบาล",
            "ถ.": "ถนน", "ซ.": "ซอย", "อ.": "อำเภอ", "จ.": "จังหวัด", "ต.": "ตำบล", "กทม.": "กรุงเทพมหานคร",
            "โทร.": "โทร", "ฯลฯ": "และอื่นๆ",
            "กม.": "กิโลเมตร", "กก.": "กิโลกรัม", "ชม.": "ชั่วโมง", "ม.": "เมตร", "น.ส.": "นางสาว",
            "ด.ช.": "เด็กชาย", "ด.ญ.": "เด็กหญิง",
            "เลขที่.": "เลขที่", "Dr.": "ด็อกเตอร์", "No.": "หมายเลข",
        },
        letters=THAI_LETTERS,
        identifiers=(
            r"รหัส(?:\s?(?:OTP|PIN|ไปรษณีย์|ผ่าน|ลูกค้า|ยืนยัน|โอทีพี|การจอง))?|โอทีพี|พิน|เลขที่บัญชี|เลขบัญชี|บัญชี(?:เลขที่)?|หมายเลข(?:โทรศัพท์|บัญชี|คำสั่งซื้อ)?"
            r"|เบอร์(?:โทรศัพท์|โทร|มือถือ)?|โทร|ออเดอร์|คำสั่งซื้อ|เที่ยวบิน|ตั๋ว|ห้อง|ทะเบียน(?:รถ)?(?:\s?\d?[ก-ฮ]{2})?|การจอง|ใบแจ้งหนี้|เลขที่|ขบวน|สายด่วน"
            r"|OTP|PIN|code|CVV|ID|account|PNR|order|booking|flight"
        ),
        counted=(
            r"บาท|พัน|หมื่น|แสน|ล้าน|ดอลลาร์|สตางค์|กรัม|กิโล|ลิตร|คน|นาที|ชั่วโมง|วัน|เดือน|ปี|เมตร|กิโลเมตร|เปอร์เซ็นต์|ชิ้น|ที่|กล่อง|ขวด|ถ้วย|จาน|แก้ว|ใบ|หน่วย"
            r"|ถาด"
        ),
        day="วันที่",
        before_a_date="วันที่",
        o_clock=r"น\.|นาฬิกา",
    )  # fmt: skip

    def cardinal(self, number: int, *, indian: bool) -> str:
        """Return a count in words: "ยี่สิบเอ็ด", "หนึ่งแสนห้าหมื่น"."""
        millions, rest = divmod(number, 10**6)
        said = f"{self.cardinal(millions, indian=False)}ล้าน" if millions else ""
        for power in range(5, 0, -1):
            count, rest = divmod(rest, 10**power)
            if count:
                said += (
                    "" if power == 1 and count == 1 else "ยี่" if power == 1 and count == 2 else _DIGITS[count]
                )
                said += _POWERS[power]
        if rest:
            said += "เอ็ด" if rest == 1 and said else _DIGITS[rest]
        return said or _DIGITS[0]

    def ordinal(self, number: int, suffix: str) -> str:
        """Return a rank in words: "ที่สาม"."""
        return f"ที่{self.cardinal(number, indian=False)}"

    def date(self, day: int, month: int, year: int | None) -> str:
        """Return a date in words: "ยี่สิบสาม มีนาคม สองพันห้าร้อยหกสิบเก้า"."""
        said = f"{self.cardinal(day, indian=False)} {_MONTHS[month - 1]}"
        return said if year is None else f"{said} {self.year(year)}"

    def clock(self, hour: int, minute: int, half: Half | None, before: str, after: str) -> str:
        """Return a time in words: "สิบเจ็ดนาฬิกาสามสิบนาที", and with am or pm "ห้าโมงครึ่งตอนเย็น"."""
        if half is None:
            minutes = f"{self.cardinal(minute, indian=False)}นาที" if minute else ""
            return f"{self.cardinal(hour, indian=False)}นาฬิกา{minutes}"
        hour = hour_of_day(hour, half)
        minutes = "" if not minute else "ครึ่ง" if minute == 30 else f"{self.cardinal(minute, indian=False)}นาที"
        named, part = self._native_hour(hour)
        if not minutes:
            return named + part
        return named + minutes + (f"ตอน{part}" if part else "")

    def _native_hour(self, hour: int) -> tuple[str, str]:
        """Return an hour as it is called, and the part of the day where the name leaves it open."""
        dial = self.cardinal(hour % 6 or 6, indian=False)
        if hour in (0, 12):
            return ("เที่ยงคืน" if hour == 0 else "เที่ยง"), ""
        if hour < 6:
            return f"ตี{dial}", ""
        if hour < 12:
            return f"{self.cardinal(hour, indian=False)}โมง", "เช้า"
        if hour == 13:
            return "บ่ายโมง", ""
        if hour < 16:
            return f"บ่าย{self.cardinal(hour - 12, indian=False)}โมง", ""
        if hour < 19:
            return f"{self.cardinal(hour - 12, indian=False)}โมง", "เย็น"
        return f"{self.cardinal(hour - 18, indian=False)}ทุ่ม", ""

    def fraction(self, numerator: int, denominator: int) -> str:
        """Return a fraction in words: "ครึ่ง", "เศษสองส่วนสาม"."""
        if (numerator, denominator) == (1, 2):
            return "ครึ่ง"
        upper, lower = (self.cardinal(part, indian=False) for part in (numerator, denominator))
        return f"เศษ{upper}ส่วน{lower}"

    def forms(self) -> tuple[Form, ...]:
        """Return "17.30 น." and "09.00-17.00 น."."""

        def clock(match: re.Match[str]) -> str:
            hour, minute = int(match[1]), int(match[2])
            return self.clock(hour, minute, None, "", "") if hour < 25 and minute < 60 else match.group()

        def two_clocks(match: re.Match[str]) -> str:
            first, second = (int(match[1]), int(match[2])), (int(match[3]), int(match[4]))
            if max(first[0], second[0]) > 24 or max(first[1], second[1]) > 59:
                return match.group()
            return "ถึง".join(self.clock(hour, minute, None, "", "") for hour, minute in (first, second))

        time = r"(\d{1,2})[.:](\d{2})"
        return (
            (rf"(?<![\d.,:/]){time}\s?(?:น\.)?\s?[-–—]\s?{time}\s?น\.", two_clocks),
            (rf"(?<![\d.,:/]){time}\s?(?:น\.|นาฬิกา)", clock),
        )
