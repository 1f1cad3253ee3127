"""The names of months and weekdays in the twelve languages, with their usual abbreviations."""

import re

from voicebench.scoring.folding import fold

# One line a month, in the order of the year; `_` is a space. No name is two months in any two languages.
_MONTHS = """
january jan januari enero ene जनवरी जन जानेवारी जाने জানুয়ারি জানুয়ারী জানু ஜனவரி சனவரி ஜன జనవరి జన ജനുവരി ജനു มกราคม ม.ค tháng_một 一月
february feb februari pebruari pebrero peb फ़रवरी फरवरी फ़र फेब्रुवारी फेब्रु ফেব্রুয়ারি ফেব্রুয়ারী ফেব பிப்ரவரி பெப்ரவரி பிப் ఫిబ్రవరి ఫిబ్ర ఫిబ్ ഫെബ്രുവരി ഫെബ്രു กุมภาพันธ์ ก.พ tháng_hai 二月
march mar maret marso मार्च মার্চ மார்ச் மார்ச்சு மார் మార్చి మార్చ్ മാർച്ച് മാർ มีนาคม มี.ค tháng_ba 三月
april apr abril abr अप्रैल अप्रै एप्रिल एप्रि এপ্রিল ஏப்ரல் ஏப் ఏప్రిల్ ഏപ്രിൽ ഏപ്രി เมษายน เม.ย tháng_tư tháng_bốn 四月
may mei mayo मई मे মে மே మే മേയ് മെയ് พฤษภาคม พ.ค tháng_năm 五月
june jun juni hunyo hun जून জুন ஜூன் ஜுன் జూన్ ജൂൺ มิถุนายน มิ.ย tháng_sáu 六月
july jul juli hulyo hul जुलाई जुल जुलै জুলাই ஜூலை ஜுலை జులై జూలై ജൂലൈ ജൂലായ് กรกฎาคม ก.ค tháng_bảy 七月
august aug agustus agu agt ags agosto ago अगस्त अग ऑगस्ट ऑग আগস্ট আগষ্ট অগস্ট অগাস্ট ஆகஸ்ட் ஆகஸ்டு ஆக ఆగస్టు ఆగస్ట్ ఆగష్టు ఆగష్ట్ ఆగ ഓഗസ്റ്റ് ഓഗസ്ത് ആഗസ്റ്റ് ആഗസ്ത് ഓഗ สิงหาคม ส.ค tháng_tám 八月
september sep sept setyembre set सितंबर सित सप्टेंबर सप्टें সেপ্টেম্বর সেপ্টে செப்டம்பர் செப் సెప్టెంబర్ సెప్టెంబరు సెప్టెం സെപ്റ്റംബർ സെപ്തംബർ സെപ്റ്റം กันยายน ก.ย tháng_chín 九月
october oct oktober okt oktubre अक्टूबर अक्तूबर अक्टू अक्तू ऑक्टोबर ऑक्टो অক্টোবর অক্টো அக்டோபர் அக் అక్టోబర్ అక్టోబరు అక్టో ഒക്ടോബർ ഒക്ടോ ตุลาคม ต.ค tháng_mười 十月
november nov nopember nop nobyembre nob नवंबर नव नोव्हेंबर नोव्हें নভেম্বর নভে நவம்பர் நவ నవంబర్ నవంబరు నవం നവംബർ നവം พฤศจิกายน พ.ย tháng_mười_một 十一月
december dec desember des disyembre dis दिसंबर दिस डिसेंबर डिसें ডিসেম্বর ডিসে டிசம்பர் டிச డిసెంబర్ డిసెంబరు డిసెం ഡിസംബർ ഡിസം ธันวาคม ธ.ค tháng_mười_hai 十二月
"""  # noqa: E501

# One line a weekday, from Monday on.
_WEEKDAYS = """
monday mon senin lunes सोमवार सोम সোমবার திங்கட்கிழமை திங்கள் సోమవారం തിങ്കളാഴ്ച തിങ്കൾ วันจันทร์ จันทร์ thứ_hai thứ_2 星期一 周一 週一 礼拜一 禮拜一
tuesday tue tues selasa martes मंगलवार मंगळवार মঙ্গলবার செவ்வாய்க்கிழமை செவ்வாய் మంగళవారం ചൊവ്വാഴ്ച ചൊവ്വ วันอังคาร อังคาร thứ_ba thứ_3 星期二 周二 週二 礼拜二 禮拜二
wednesday wed rabu miyerkules miyerkoles बुधवार বুধবার புதன்கிழமை புதன் బుధవారం ബുധനാഴ്ച ബുധൻ วันพุธ พุธ thứ_tư thứ_4 星期三 周三 週三 礼拜三 禮拜三
thursday thu thur thurs kamis huwebes गुरुवार गुरूवार वीरवार बृहस्पतिवार বৃহস্পতিবার வியாழக்கிழமை வியாழன் గురువారం വ്യാഴാഴ്ച വ്യാഴം วันพฤหัสบดี วันพฤหัส พฤหัสบดี พฤหัส thứ_năm thứ_5 星期四 周四 週四 礼拜四 禮拜四
friday fri jumat jum'at biyernes शुक्रवार শুক্রবার வெள்ளிக்கிழமை வெள்ளி శుక్రవారం വെള്ളിയാഴ്ച വെള്ളി วันศุกร์ ศุกร์ thứ_sáu thứ_6 星期五 周五 週五 礼拜五 禮拜五
saturday sat sabtu sabado शनिवार শনিবার சனிக்கிழமை சனி శనివారం ശനിയാഴ്ച ശനി วันเสาร์ เสาร์ thứ_bảy thứ_7 星期六 周六 週六 礼拜六 禮拜六
sunday sun minggu ahad linggo रविवार इतवार রবিবার ஞாயிற்றுக்கிழமை ஞாயிறு ఆదివారం ഞായറാഴ്ച ഞായർ วันอาทิตย์ อาทิตย์ chủ_nhật chúa_nhật 星期日 星期天 周日 週日 礼拜天 礼拜日 禮拜天 禮拜日
"""  # noqa: E501


def _numbered(table: str, first: int) -> dict[str, int]:
    return {
        fold(name.replace("_", " ")): number
        for number, line in enumerate(table.strip().splitlines(), first)
        for name in line.split()
    }


MONTHS = _numbered(_MONTHS, 1)
"""Number of the month by its name or abbreviation, folded, without a dot at the end."""

WEEKDAYS = _numbered(_WEEKDAYS, 0)
"""Number of the weekday by its name, folded; Monday is 0."""

_CHINESE = {figure: number for number, figure in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2}
_CHINESE_RUN = re.compile(f"[{''.join(_CHINESE)}十廿卅]+")


def chinese_figures(text: str) -> str:
    """Return a text with the Chinese figures of a date in digits: years digit by digit, days up to 99."""
    return _CHINESE_RUN.sub(lambda match: _chinese_number(match.group()), text)


def _chinese_number(figures: str) -> str:
    figures = figures.replace("廿", "二十").replace("卅", "三十")
    tens, ten, ones = figures.partition("十")
    if not ten:
        return "".join(str(_CHINESE[figure]) for figure in figures)
    if len(tens) > 1 or len(ones) > 1 or "十" in ones:
        return figures
    return str((_CHINESE[tens] if tens else 1) * 10 + (_CHINESE[ones] if ones else 0))
