import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voicebench.audio.spoken import LANGUAGES, spoken
from voicebench.audio.spoken.hindi import Hindi

ENGLISH = [
    ("Your OTP is 4582", "Your OTP is four five eight two"),
    ("Cancel order 7731 please", "Cancel order seven seven three one please"),
    ("order 150 pizzas", "order one hundred and fifty pizzas"),
    ("$3.12", "three dollars and twelve cents"),
    ("€1 and $1.01", "one euro and one dollar and one cent"),
    ("Rs. 500/-", "five hundred rupees"),
    ("₹0.50", "fifty paise"),
    ("₹2.5 lakh", "two point five lakh rupees"),
    ("it costs $5 million", "it costs five million dollars"),
    ("23 March, 2023", "the twenty-third of March twenty twenty-three"),
    ("on the 1st of May", "on the first of May"),
    ("2005-03-12", "the twelfth of March two thousand and five"),
    ("I may 5 times", "I may five times"),
    ("at 5:30 pm", "at five thirty PM"),
    ("17:30", "five thirty PM"),
    ("at 9:05 a.m. tomorrow", "at nine oh five AM tomorrow"),
    ("at 5:00", "at five o'clock"),
    ("at 5 o'clock", "at five o'clock"),
    ("10 AM - 6 PM", "ten AM to six PM"),
    ("call +91 98765 43210", "call plus nine one, nine eight seven six five, four three two one zero"),
    ("4111 1111 1111 1111", "four one one one, one one one one, one one one one, one one one one"),
    ("my number is 9876543210", "my number is nine eight seven six five four three two one zero"),
    ("5 km, 1 kg", "five kilometres, one kilogram"),
    ("30°C", "thirty degrees Celsius"),
    ("12.5%", "twelve point five percent"),
    ("1st 2nd 3rd 12th 20th 21st", "first second third twelfth twentieth twenty-first"),
    ("5-7 days", "five to seven days"),
    ("tea & coffee @ home", "tea and coffee at home"),
    ("Dr. Sharma", "Doctor Sharma"),
    ("PNR AB12CD3", "PNR A B one two C D three"),
    ("Flight 6E 2134", "Flight six E two one three four"),
    ("born in 1995.", "born in nineteen ninety-five."),
    ("1,234,567", "one million two hundred and thirty-four thousand five hundred and sixty-seven"),
    ("1,50,000", "one lakh fifty thousand"),
    ("-5 degrees", "minus five degrees"),
    ("user.name@example.com", "user dot name at example dot com"),
    ("1/2 cup", "half cup"),
    ("version 2.0.1", "version two point zero point one"),
    ("12 नहीं", "twelve नहीं"),
    ("hello 😀", "hello"),
    ("", ""),
]
HINDI = [
    ("आज 23 मार्च, 2023", "आज तेईस मार्च दो हज़ार तेईस"),
    ("आपका OTP 4582 है", "आपका OTP चार पाँच आठ दो है"),
    ("ओटीपी है 4582", "ओटीपी है चार पाँच आठ दो"),
    ("ऑर्डर 7731 रद्द करो", "ऑर्डर सात सात तीन एक रद्द करो"),
    ("₹१,५०,०००", "एक लाख पचास हज़ार रुपये"),
    ("₹1", "एक रुपया"),
    ("$3.12", "तीन डॉलर बारह सेंट"),
    ("5:30 बजे", "साढ़े पाँच बजे"),
    ("1:30 बजे", "डेढ़ बजे"),
    ("2:30 बजे", "ढाई बजे"),
    ("12:45 बजे", "पौने एक बजे"),
    ("शाम 6:15 बजे", "शाम सवा छह बजे"),
    ("5:20 बजे आना", "पाँच बजकर बीस मिनट आना"),
    ("17:30", "शाम साढ़े पाँच बजे"),
    ("5:20 pm", "शाम पाँच बजकर बीस मिनट"),
    ("10 km", "दस किलोमीटर"),
    ("2.5 kg", "दो दशमलव पाँच किलोग्राम"),
    ("23वें दिन", "तेईसवें दिन"),
    ("3री बार, 6ठा", "तीसरी बार, छठा"),
    ("5-7 दिन", "पाँच से सात दिन"),
    ("12%", "बारह प्रतिशत"),
    ("12,34,56,789", "बारह करोड़ चौंतीस लाख छप्पन हज़ार सात सौ नवासी"),
    ("सन 1995 में", "सन उन्नीस सौ पंचानवे में"),
    ("डॉ. शर्मा", "डॉक्टर शर्मा"),
    ("हिन्दी मात्रा", "हिन्दी मात्रा"),
    ("2 cab बुक करो", "दो cab बुक करो"),
]
BELOW_HUNDRED = [
    "शून्य", "एक", "दो", "तीन", "चार", "पाँच", "छह", "सात", "आठ", "नौ",
    "दस", "ग्यारह", "बारह", "तेरह", "चौदह", "पंद्रह", "सोलह", "सत्रह", "अठारह", "उन्नीस",
    "बीस", "इक्कीस", "बाईस", "तेईस", "चौबीस", "पच्चीस", "छब्बीस", "सत्ताईस", "अट्ठाईस", "उनतीस",
    "तीस", "इकतीस", "बत्तीस", "तैंतीस", "चौंतीस", "पैंतीस", "छत्तीस", "सैंतीस", "अड़तीस", "उनतालीस",
    "चालीस", "इकतालीस", "बयालीस", "तैंतालीस", "चौवालीस", "पैंतालीस", "छियालीस", "सैंतालीस", "अड़तालीस", "उनचास",
    "पचास", "इक्यावन", "बावन", "तिरपन", "चौवन", "पचपन", "छप्पन", "सत्तावन", "अट्ठावन", "उनसठ",
    "साठ", "इकसठ", "बासठ", "तिरसठ", "चौंसठ", "पैंसठ", "छियासठ", "सड़सठ", "अड़सठ", "उनहत्तर",
    "सत्तर", "इकहत्तर", "बहत्तर", "तिहत्तर", "चौहत्तर", "पचहत्तर", "छिहत्तर", "सतहत्तर", "अठहत्तर", "उन्यासी",
    "अस्सी", "इक्यासी", "बयासी", "तिरासी", "चौरासी", "पचासी", "छियासी", "सत्तासी", "अट्ठासी", "नवासी",
    "नब्बे", "इक्यानवे", "बानवे", "तिरानवे", "चौरानवे", "पंचानवे", "छियानवे", "सत्तानवे", "अट्ठानवे", "निन्यानवे",
]  # fmt: skip

ALPHABET = "0123456789,.:/-+ ₹$%#@&°abAPMpmRs५१kmहैबजेवें"


@pytest.mark.parametrize(("written", "said"), ENGLISH)
def test_english_is_said_as_stated(written: str, said: str) -> None:
    assert spoken(written, "en") == said


@pytest.mark.parametrize(("written", "said"), HINDI)
def test_hindi_is_said_as_stated(written: str, said: str) -> None:
    assert spoken(unicodedata.normalize("NFC", written), "hi") == unicodedata.normalize("NFC", said)


def test_every_hindi_number_below_a_hundred_has_its_own_word() -> None:
    assert [Hindi().cardinal(number, indian=True) for number in range(100)] == BELOW_HUNDRED
    assert len(set(BELOW_HUNDRED)) == 100


def test_the_region_decides_about_lakh_and_about_the_order_of_a_date() -> None:
    assert spoken("150000", "en") == "one hundred and fifty thousand"
    assert spoken("150000", "en", region="IN") == "one lakh fifty thousand"
    assert spoken("3/4/2023", "en", region="IN") == "the third of April twenty twenty-three"
    assert spoken("3/4/2023", "en", region="US") == "the fourth of March twenty twenty-three"


def test_a_region_behind_the_language_code_is_no_other_language() -> None:
    assert spoken("2", "en-IN") == "two"


@pytest.mark.parametrize(
    ("text", "lang", "said"),
    [
        ("உங்கள் OTP 4582", "ta", "உங்கள் OTP 4582"),
        ("ราคา ๕๐ บาท", "th", "ราคา 50 บาท"),
        ("ఆర్డర్ ౭౭౩౧", "te", "ఆర్డర్ 7731"),
        ("  两个\n苹果 ", "zh", "两个 苹果"),
    ],
)
def test_other_languages_keep_their_figures(text: str, lang: str, said: str) -> None:
    assert spoken(text, lang) == said


def test_the_joiners_of_indic_scripts_stay() -> None:
    assert spoken("क्‍ष और क्‌ष", "hi") == "क्‍ष और क्‌ष"


@pytest.mark.parametrize("lang", sorted(LANGUAGES))
@settings(deadline=None)
@given(text=st.text(alphabet=ALPHABET, max_size=24) | st.text(max_size=20))
def test_no_digit_remains_and_saying_it_twice_changes_nothing(lang: str, text: str) -> None:
    said = spoken(text, lang, region="IN")
    assert not any(character.isdecimal() for character in said)
    assert spoken(said, lang, region="IN") == said
    assert said == " ".join(said.split())
