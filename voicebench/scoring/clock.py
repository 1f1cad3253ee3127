"""Read a time of day as the twelve languages say it: 5 pm, शाम 5 बजे, 下午五点, บ่าย 3 โมง, alas-5 ng hapon.

An hour from 1 to 12 is read only with the part of the day that it belongs to, or where it is written as the
24-hour clock is (05:30, 17 giờ, 17.00 น.). "5 बजे" alone is two times, so it is none.
"""

import re
from collections.abc import Mapping
from datetime import time
from typing import NamedTuple

from voicebench.scoring.folding import fold
from voicebench.scoring.letters import LETTER
from voicebench.scoring.number_words import with_digits

_MORE = range(1, 12)


def _later(hours: range) -> dict[int, int]:
    return {hour: hour + 12 for hour in hours}


# Which hour of the day an hour from 1 to 12 is; one that is missing is not said, or said of two.
_PARTS: Mapping[str, Mapping[int, int]] = {
    "am": {12: 0} | {hour: hour for hour in _MORE},
    "pm": {12: 12} | _later(_MORE),
    "dawn": {12: 0} | {hour: hour for hour in range(1, 7)},
    "morning": {hour: hour for hour in _MORE},
    "noon": {11: 11, 12: 12} | _later(range(1, 5)),
    "afternoon": {12: 12} | _later(range(1, 8)),
    "evening": _later(range(3, 12)),
    "night": {12: 0} | {hour: hour for hour in range(1, 5)} | _later(range(6, 12)),
    "thum": {hour: hour + 18 for hour in range(1, 6)},  # Thai counts the evening's hours from six
    "mong chao": {hour: hour for hour in range(6, 12)},  # and some count the morning's: 3 โมงเช้า is nine
}
_AFTER_MIDNIGHT = 5
_MARKS = frozenset(("hour", "clock", "past", "thum", "mong chao"))

# By kind; `_` is a space. Those of scripts that put no spaces between words come apart from the rest.
_SPACED: Mapping[str, str] = {
    "am": "am a.m. a.m a_m a._m.",
    "pm": "pm p.m. p.m p_m p._m.",
    "dawn": """madaling-araw madaling_araw ভোর ভোরে भोर पहाटे அதிகாலை తెల్లవారుజామున പുലർച്ചെ rạng_sáng subuh
        dini_hari तड़के వేకువజామున വെളുപ്പിന്""",
    "morning": """in_the_morning सुबह सवेरे सकाळी সকাল সকালে காலை காலையில் ఉదయం పొద్దున രാവിലെ sáng pagi umaga
        subah सबेरे प्रातः முற்பகல் పొద్దున్నే""",
    "noon": """noon दोपहर दुपारी দুপুর দুপুরে மதியம் நண்பகல் మధ్యాహ్నం ഉച്ചയ്ക്ക് ഉച്ചക്ക് ഉച്ച trưa siang tanghali
        dopahar மத்தியானம்""",
    "afternoon": """in_the_afternoon பிற்பகல் ഉച്ചകഴിഞ്ഞ് ഉച്ച_കഴിഞ്ഞ് ഉച്ചതിരിഞ്ഞ് chiều sore hapon বিকাল বিকেল বিকালে
        বিকেলে""",
    "evening": """in_the_evening शाम संध्याकाळी सायंकाळी সন্ধ্যা সন্ধ্যায় সন্ধ্যে সন্ধে மாலை மாலையில் సాయంత్రం വൈകുന്നേരം വൈകിട്ട്
        വൈകീട്ട് petang shaam sham सायं சாயங்காலம்""",
    "night": """at_night रात रात्रि रात्री मध्यरात्रि मध्यरात्री রাত রাতে রাত্রি মধ্যরাত இரவு இரவில் நள்ளிரவு రాత్రి అర్ధరాత్రి
        രാത്രി അർദ്ധരാത്രി അർധരാത്രി tối đêm khuya malam gabi hatinggabi raat""",
    "hour": """o'clock oclock बजे वाजता वाजले টা টায় টার ঘটিকা ঘটিকায় மணி மணிக்கு గంటలకు గంటలకి గంటలు గంటల గంటకు గంటకి
        గంట മണി മണിക്ക്
        giờ jam pukul alas alas- ala ala- ika ika- baje""",
    "clock": "hrs hours",
    "past": "बजकर बजके वाजून lewat",
    "minute": """minutes minute मिनट मिनिटे मिनिटांनी মিনিট মিনিটে நிமிடம் நிமிடங்கள் நிமிடத்துக்கு நிமிடத்திற்கு
        నిమిషాలు నిమిషాలకు മിനിറ്റ് മിനിറ്റിന് phút menit minuto""",
    "half": "rưỡi y_medya",
    "half before": "साढ़े साडे সাড়ে",
    "quarter before": "सवा सव्वा সওয়া সোয়া",
    "half to": "setengah",
    "quarter to": "पौने पावणे পৌনে",
    "between": "at lúc vào को के ला ng sa ang",
}
_UNSPACED: Mapping[str, str] = {
    "dawn": "凌晨 清晨 ตี",
    "morning": "早上 上午 早晨 เช้า",
    "noon": "中午",
    "afternoon": "下午 午后 午後 บ่าย",
    "evening": "傍晚 เย็น",
    "night": "晚上 夜里 夜裡 深夜 夜晚 半夜 午夜",
    "thum": "ทุ่ม",
    "mong chao": "โมงเช้า",
    "hour": "点钟 點鐘 点 點 โมง",
    "clock": "นาฬิกา น. 时 時",
    "minute": "分钟 分鐘 分 นาที",
    "half": "半 ครึ่ง",
    "quarter": "一刻 1刻",
    "between": "เวลา ตอน",
}
_WHOLE: Mapping[str, str] = {
    "00:00": """midnight 12_midnight आधी_रात मध्यरात्रि मध्यरात्री মধ্যরাত நள்ளிரவு అర్ధరాత్రి അർദ്ധരാത്രി അർധരാത്രി nửa_đêm
        tengah_malam hatinggabi 午夜 เที่ยงคืน""",
    "12:00": "noon 12_noon midday 正午 เที่ยง เที่ยงวัน tanghaling_tapat",
    "13:00": "บ่ายโมง บ่าย_โมง",
}
_HOURS = dict(
    zip(
        "una dos tres kuwatro singko sais siyete otso nuwebe diyes onse dose".split(),
        range(1, 13),
        strict=True,
    )
) | {"ఒంటి": 1, "ஒரு": 1, "ഒരു": 1}
"""Names that a number has as an hour."""


def _kinds(table: Mapping[str, str]) -> dict[str, str]:
    return {fold(word.replace("_", " ")): kind for kind, words in table.items() for word in words.split()}


_SPACED_KINDS, _UNSPACED_KINDS = _kinds(_SPACED), _kinds(_UNSPACED)
_TIMES = {text: time.fromisoformat(moment) for text, moment in _kinds(_WHOLE).items()}
_KINDS = _SPACED_KINDS | _UNSPACED_KINDS | {"น": "clock"}


def _any_of(words: Mapping[str, str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


# "alas-" is written onto its hour: alas-singko.
_WORD = re.compile(
    rf"(?<!{LETTER})(?:{_any_of(_SPACED_KINDS)})(?:(?<=-)|(?!{LETTER}))|{_any_of(_UNSPACED_KINDS)}"
    rf"|(?:(?<=\d)|(?<=\d ))น(?!{LETTER})"
)
_HYPHEN = re.compile("(?<=[a-z])-(?=[a-z])")
_SHIFTS = {
    "half": 30, "half before": 30, "half to": -30,
    "quarter": 15, "quarter before": 15, "quarter to": -15,
}  # fmt: skip
# 零 keeps the place of the minutes' ten: 八点零五分.
_CHINESE_TEN = re.compile("(?<= )零(?=[一二三四五六七八九]$)")
# Halves and quarters, as number words for them come out.
_FRACTION = re.compile(r"(\d{1,2})\.(25|5|75)")
_MINUTES = {"25": 15, "5": 30, "75": 45}
_SHIFTS = {
    "half": 30, "half before": 30, "half to": -30,
    "quarter": 15, "quarter before": 15, "quarter to": -15,
}  # fmt: skip
_DIGITAL = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?")
_HOUR_MINUTE = re.compile(r"(\d{1,2})(?:([:. ])(\d{1,2}))?")
_VIETNAMESE_H = re.compile(r"(?<=\d) ?h(?= ?\d|\b)")
_EDGES = " ,."


class Clock(NamedTuple):
    """A time of day, and whether it is said of the night, so that a date beside it may be the day before."""

    time: time
    of_the_night: bool = False


def read_clock(folded: str, lang: str | None, written: str | None = None) -> Clock | None:
    """Return the time of day that a whole folded text says; None where it says none, or could say two.

    Args:
        folded: The text.
        lang: Language code.
        written: The text before its number words became figures, where it was changed so: 5.25 is 5:15 if
            it was said in words ("सवा पाँच"), and 5:25 if it was written so.
    """
    if folded in _TIMES:
        return Clock(_TIMES[folded], of_the_night=_TIMES[folded] == time(0))
    if digital := _DIGITAL.fullmatch(folded):
        return _clock(*(int(part or 0) for part in digital.groups()))
    kinds: list[str] = []

    def noted(match: re.Match[str]) -> str:
        kinds.append(_KINDS[match.group()])
        return " "

    rest = _WORD.sub(noted, _VIETNAMESE_H.sub(" giờ ", folded) if "h" in folded else folded)
    if not kinds:
        return None
    rest = _CHINESE_TEN.sub("", " ".join(rest.strip(_EDGES).split()).strip(_EDGES))
    rest = _figures(_HYPHEN.sub(" ", rest), lang)
    return _said(rest, kinds, in_words=rest not in (written or folded))


def _figures(said: str, lang: str | None) -> str:
    """Return an hour, and minutes behind it, in figures."""
    hour, _, minutes = said.partition(" ")
    if hour not in _HOURS:
        return with_digits(said, lang)
    return f"{_HOURS[hour]} {with_digits(minutes.removeprefix('y '), lang)}".rstrip()


def _said(rest: str, kinds: list[str], *, in_words: bool) -> Clock | None:
    fraction = _FRACTION.fullmatch(rest) if in_words else None
    if fraction:
        # A quarter to one is said three quarters, too: पाऊण, পৌনে একটা.
        rest = f"{int(fraction[1]) or 12}:{_MINUTES[fraction[2]]}"
    found = _HOUR_MINUTE.fullmatch(rest)
    parts = [kind for kind in dict.fromkeys(kinds) if kind in _PARTS]
    marked = not _MARKS.isdisjoint(kinds)
    if found is None or not (parts or marked):
        return None
    minute = _minute(found, kinds, marked or (in_words and len(found[3] or "") == 2))
    hour = _hour(found[1], parts, marked)
    if minute is None or hour is None:
        return None
    if minute < 0:
        hour, minute = (hour - 1) % 24, minute + 60
    return _clock(hour, minute, 0, of_the_night="night" in parts and hour < _AFTER_MIDNIGHT)


def _hour(digits: str, parts: list[str], marked: bool) -> int | None:
    """Return the hour of the day; None where none, or more than one, is meant."""
    hour = int(digits)
    if not parts:
        # As the 24-hour clock writes it.
        return hour if marked and (hour > 12 or digits.startswith("0")) else None
    hours = {_PARTS[part].get(hour if hour <= 12 or part in ("am", "pm") else hour - 12) for part in parts}
    found = hours.pop() if len(hours) == 1 else None
    return found if hour <= 12 or found == hour else None


def _minute(found: re.Match[str], kinds: list[str], spaced: bool) -> int | None:
    """Return the minutes, negative before the hour; None where they are not said as minutes."""
    said = [_SHIFTS[kind] for kind in kinds if kind in _SHIFTS]
    if found[3] is None:
        return sum(said) if len(said) < 2 and {"minute", "past"}.isdisjoint(kinds) else None
    written_as_one = found[2] != " " and len(found[3]) == 2
    return int(found[3]) if not said and (written_as_one or (spaced and found[2] == " ")) else None


def _clock(hour: int, minute: int, second: int, *, of_the_night: bool = False) -> Clock | None:
    if hour > 23 or minute > 59 or second > 59:
        return None
    return Clock(time(hour, minute, second), of_the_night)
