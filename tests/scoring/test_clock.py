"""Times of day as they are said; an hour that could be two is none."""

from datetime import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.scoring.clock import read_clock
from voicebench.scoring.dates import read_moment
from voicebench.scoring.folding import fold
from voicebench.scoring.setting import Setting


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("18:05", time(18, 5)),
        ("18:05:30", time(18, 5, 30)),
        ("6:05 PM", time(18, 5)),
        ("6 p.m.", time(18)),
        ("12 am", time(0)),
        ("noon", time(12)),
        ("5 in the evening", time(17)),
        ("शाम 5 बजे", time(17)),
        ("शाम को पाँच बजे", time(17)),
        ("साढ़े 5 बजे शाम", time(17, 30)),
        ("सुबह 9:15 बजे", time(9, 15)),
        ("दोपहर 12 बजे", time(12)),
        ("रात 9 बजे", time(21)),
        ("तड़के 4 बजे", time(4)),
        ("रात्रि 11 बजे", time(23)),
        ("मध्यरात्री", time(0)),
        ("शाम पाँच बजकर बीस मिनट", time(17, 20)),
        ("शाम पाँच बजकर", None),
        ("shaam 5 baje", time(17)),
        ("संध्याकाळी ५ वाजता", time(17)),
        ("संध्याकाळी ५ वाजून २० मिनिटांनी", time(17, 20)),
        ("রাত ৯টা", time(21)),
        ("মধ্যরাত", time(0)),
        ("সন্ধ্যে ৭টা", time(19)),
        ("সকাল ৯টায়", time(9)),
        ("மாலை 5 மணிக்கு", time(17)),
        ("முற்பகல் 11 மணி", time(11)),
        ("நள்ளிரவு 12 மணி", time(0)),
        ("மதியம் ஒரு மணிக்கு", time(13)),
        ("సాయంత్రం 5 గంటలకు", time(17)),
        ("మధ్యాహ్నం ఒంటి గంటకు", time(13)),
        ("వేకువజామున 4 గంటలకు", time(4)),
        ("വൈകുന്നേരം 5 മണിക്ക്", time(17)),
        ("വെളുപ്പിന് 4 മണിക്ക്", time(4)),
        ("ഉച്ചതിരിഞ്ഞ് 3 മണിക്ക്", time(15)),
        ("രാത്രി ഒരു മണി 20 മിനിറ്റ്", time(1, 20)),
        ("5 giờ chiều", time(17)),
        ("11 giờ khuya", time(23)),
        ("5 giờ 30 phút chiều", time(17, 30)),
        ("5 giờ rưỡi chiều", time(17, 30)),
        ("17h30", time(17, 30)),
        ("บ่าย 3 โมง", time(15)),
        ("บ่ายโมง", time(13)),
        ("5 โมงเย็น", time(17)),
        ("9 โมงเช้า", time(9)),
        ("3 โมงเช้า", None),  # nine o'clock to some; nobody says it of three
        ("9 โมงเช้าครึ่ง", time(9, 30)),
        ("3 ทุ่ม", time(21)),
        ("ตี 3", time(3)),
        ("17 น", time(17)),
        ("17.00 น.", time(17)),
        ("jam 5 sore", time(17)),
        ("jam 5 lewat 5 menit sore", time(17, 5)),
        ("jam 5 lewat sore", None),
        ("pukul 17.30", time(17, 30)),
        ("alas-5 ng hapon", time(17)),
        ("alas singko ng hapon", time(17)),
        ("alas-singko ng hapon", time(17)),
        ("ala-una ng hapon", time(13)),
        ("alas-singko y medya ng hapon", time(17, 30)),
        ("alas-dose ng hatinggabi", time(0)),
        ("9 ng umaga", time(9)),
        ("下午5点", time(17)),
        ("下午5点30分", time(17, 30)),
        ("早上9点半", time(9, 30)),
        ("半夜12点", time(0)),
        ("半夜", None),  # some time of the night
        ("午后3点", time(15)),
        ("17点30分", time(17, 30)),
        ("05 giờ", time(5)),
        ("5", None),
        ("5 बजे", None),
        ("5点", None),
        ("jam 5", None),
        ("5 o'clock", None),
        ("रात 5 बजे", None),  # this side of midnight, or the other?
        ("सुबह शाम 5 बजे", None),
        ("13 pm", None),
        ("शाम 18 बजे", time(18)),
        ("सुबह 18 बजे", None),
        ("25:00", None),
        ("5.30", None),
        ("शाम 5", time(17)),
        ("शाम -5 बजे", None),
        ("शाम 5 लोग", None),
        ("", None),
    ],
)
def test_what_a_text_says(text: str, moment: time | None) -> None:
    clock = read_clock(fold(text), None)
    assert (clock and clock.time) == moment


@pytest.mark.parametrize(
    ("text", "lang", "moment"),
    [
        ("ตีหนึ่ง", "th", time(1)),
        ("หนึ่งทุ่ม", "th", time(19)),
        ("दुपारी पाऊण वाजता", "mr", time(12, 45)),
        ("दुपारी सव्वाएक वाजता", "mr", time(13, 15)),
        ("রাত পৌনে একটা", "bn", time(0, 45)),
        ("மாலை ஐந்தேகால் மணிக்கு", "ta", time(17, 15)),
        ("രാവിലെ അഞ്ചേമുക്കാൽ മണി", "ml", time(5, 45)),
        ("ala-una y singko ng hapon", "fil", time(13, 5)),
        ("alas-sais kuwarenta y singko ng gabi", "fil", time(18, 45)),
        ("five forty-five pm", "en", time(17, 45)),
    ],
)
def test_quarters_and_minutes_in_words(text: str, lang: str, moment: time) -> None:
    assert read_moment(text, {}, Setting(lang)) == moment


@pytest.mark.parametrize(("text", "lang"), [("下午五点", "zh"), ("สามทุ่ม", "th"), ("lima sore", "id")])
def test_an_hour_in_words_is_read_in_its_language(text: str, lang: str) -> None:
    clock = read_clock(fold(text), lang)
    assert clock is not None and clock.time == {"zh": time(17), "th": time(21), "id": time(17)}[lang]


@pytest.mark.parametrize(
    ("text", "of_the_night"), [("रात 12 बजे", True), ("12 am", False), ("रात 9 बजे", False)]
)
def test_after_midnight_the_night_may_belong_to_the_day_before(text: str, of_the_night: bool) -> None:
    clock = read_clock(fold(text), "hi")
    assert clock is not None and clock.of_the_night is of_the_night


@given(st.text() | st.text(alphabet="0123456789:. शामबजे点下午pmโมง"))
def test_any_text_is_a_time_or_none(text: str) -> None:
    clock = read_clock(fold(text), None)
    assert clock is None or isinstance(clock.time, time)
