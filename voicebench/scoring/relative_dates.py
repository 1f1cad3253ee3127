"""Read a day that is said from today on: tomorrow, 明天, besok, in 3 days, 3 दिन बाद.

Only what is one day in its language is read. Hindi कल is tomorrow and yesterday, परसों lies two days off on
either side, "next Monday" is one of two Mondays, and "within 3 days" is no day: they are none.
"""

import re
from collections.abc import Mapping
from datetime import date, timedelta

from voicebench.scoring.folding import fold
from voicebench.scoring.number_words import with_digits

# Days from today; `_` is a space.
_DAYS: Mapping[int, str] = {
    0: """today आज আজ আজকে இன்று இன்றைக்கு ఈరోజు ఈ_రోజు ఇవాళ నేడు ഇന്ന് hôm_nay วันนี้ hari_ini ngayong_araw
        ngayong_araw_na_ito 今天 今日 aaj""",
    1: """tomorrow उद्या আগামীকাল আগামী_কাল நாளை நாளைக்கு రేపు നാളെ ngày_mai พรุ่งนี้ วันพรุ่งนี้ besok esok
        bukas 明天 明日""",
    2: """day_after_tomorrow the_day_after_tomorrow நாளை_மறுநாள் நாளைமறுநாள் நாளை_மறுதினம் ఎల్లుండి മറ്റന്നാൾ
        മറ്റന്നാള് ngày_kia มะรืน มะรืนนี้ วันมะรืน วันมะรืนนี้ lusa samakalawa sa_makalawa 后天 後天""",
    3: "大后天 大後天",
    -1: """yesterday काल গতকাল গত_কাল நேற்று నిన్న ഇന്നലെ hôm_qua เมื่อวาน เมื่อวานนี้ kemarin kahapon 昨天 昨日""",
    -2: """day_before_yesterday the_day_before_yesterday நேற்று_முன்தினம் முந்தாநாள் మొన్న മിനിഞ്ഞാന്ന് hôm_kia
        เมื่อวานซืน เมื่อวานซืนนี้ kamakalawa 前天""",
    -3: "大前天",
}  # fmt: skip
_OFFSETS = {fold(word.replace("_", " ")): offset for offset, words in _DAYS.items() for word in words.split()}

# What stands around a number of days or weeks; `#` is the number.
_AHEAD = """
in # days|in # day|# days from now|# days from today|# दिन बाद|# दिनों बाद|# दिन के बाद|# दिनों के बाद
# দিন পর|# দিন পরে|# দিন বাদে|# दिवसांनी|# दिवसांनंतर|# दिवसानंतर|# நாட்களுக்குப் பிறகு|# நாட்களுக்கு பிறகு
# நாட்கள் கழித்து|# நாள் கழித்து|# நாட்களுக்குப் பின்|# రోజుల తర్వాత|# రోజుల తరువాత|# రోజు తర్వాత
# ദിവസത്തിന് ശേഷം|# ദിവസത്തിനു ശേഷം|# ദിവസം കഴിഞ്ഞ്|# ദിവസങ്ങൾക്ക് ശേഷം|# ngày nữa|sau # ngày|sau # ngày nữa
อีก # วัน|อีก # วันข้างหน้า|# hari lagi|dalam # hari lagi|# araw mula ngayon|makalipas ang # araw
pagkalipas ng # araw|pagkaraan ng # araw|# 天后|# 天後|# 天之后|# 天之後|# 日后
"""
_AGO = """
# days ago|# day ago|# दिन पहले|# दिनों पहले|# দিন আগে|# दिवसांपूर्वी|# நாட்களுக்கு முன்|# நாட்களுக்கு முன்பு
# నాళ్ళ క్రితం|# రోజుల క్రితం|# ദിവസം മുമ്പ്|# ദിവസം മുൻപ്|# ngày trước|cách đây # ngày|# วันก่อน|# วันที่แล้ว
# hari yang lalu|# hari lalu|# araw na ang nakalipas|# araw na ang nakaraan|# 天前|# 天之前|# 日前
"""
_WEEKS_AHEAD = """
in # weeks|in # week|# weeks from now|# weeks from today|# हफ़्ते बाद|# हफ़्तों बाद|# सप्ताह बाद|# সপ্তাহ পর
# সপ্তাহ পরে|# आठवड्यांनी|# आठवड्यांनंतर|# வாரங்களுக்குப் பிறகு|# வாரம் கழித்து|# వారాల తర్వాత|# ആഴ്ചയ്ക്ക് ശേഷം
# ആഴ്ച കഴിഞ്ഞ്|# tuần nữa|sau # tuần|อีก # สัปดาห์|# minggu lagi|# linggo mula ngayon|makalipas ang # linggo
# 周后|# 周後|# 週後|# 星期后|# 星期後|# 个星期后|# 個星期後
"""
_NUMBER = re.compile(r"\d{1,3}")
_GAPS_AROUND_NUMBER = re.compile(r" ?(\d+) ?")


def _forms(table: str) -> list[str]:
    return [
        fold(form).replace(" # ", "#").replace("# ", "#").replace(" #", "#")
        for form in re.split(r"[|\n]", table)
        if form
    ]


_COUNTED: Mapping[str, int] = {
    **dict.fromkeys(_forms(_AHEAD), 1),
    **dict.fromkeys(_forms(_AGO), -1),
    **dict.fromkeys(_forms(_WEEKS_AHEAD), 7),
}
"""What one of them counts in days, by the form with `#` for its number and no space around it."""


def read_relative_date(folded: str, lang: str | None, today: date) -> date | None:
    """Return the day that a whole folded text says from today on; None where it says none, or one of two."""
    offset = _OFFSETS.get(folded)
    if offset is None:
        written = _GAPS_AROUND_NUMBER.sub(r"\1", with_digits(folded, lang))
        number = _NUMBER.search(written)
        if number is None:
            return None
        each = _COUNTED.get(_NUMBER.sub("#", written, count=1))
        if each is None:
            return None
        offset = each * int(number.group())
    try:
        return today + timedelta(days=offset)
    except OverflowError:
        return None


def starts_with_a_day(folded: str) -> int:
    """Return where a word for a day ends that a text begins with; 0 where it begins with none."""
    return max((len(word) for word in _OFFSETS if folded.startswith(word)), default=0)
