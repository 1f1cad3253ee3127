"""The round trip: texts and what an ASR heard, in twelve languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.audio.round_trip import character_error_rate, comparable, distance, script_share
from voicebench.audio.spoken import LANGUAGES, spoken

ALPHABET = st.text(alphabet="abcहिन्ดี語", max_size=12)


@pytest.mark.parametrize(
    ("text", "lang", "form"),
    [
        ("हिन्दी मात्रा!", "hi", "हिन्दी मात्रा"),
        ("മലയാളം, ഭാഷ.", "ml", "മലയാളം ഭാഷ"),
        ("ภาษาไทย ดี มาก", "th", "ภาษาไทยดีมาก"),
        ("你好， 世界。", "zh", "你好世界"),
        ("क\u093cलम", "hi", "क\u093cलम"),
        ("\u0958लम", "hi", "क\u093cलम"),
        ("दिल्\u200dली", "hi", "दिल्ली"),
        ("Chào BẠN", "vi", "chào bạn"),
        ("Your O T P, please. It's me", "en", "your otp please its me"),
        ("", "en", ""),
    ],
)
def test_texts_are_compared_with_their_vowel_signs_and_without_punctuation(
    text: str, lang: str, form: str
) -> None:
    assert comparable(text, lang) == form


@pytest.mark.parametrize(
    ("text", "heard", "lang"),
    [
        ("Your O T P is four five eight two.", "Your OTP is 4582", "en"),
        ("It costs one lakh fifty thousand rupees", "It costs ₹150,000", "en"),
        ("आज तेईस मार्च दो हज़ार तेईस है", "आज 23 मार्च 2023 है।", "hi"),
        ("दस गाने चलाओ", "१० गाने चलाओ", "hi"),
        ("இரண்டு டிக்கெட்", "2 டிக்கெட்", "ta"),
        ("下午五点半给两个人", "下午5:30给2个人", "zh"),
    ],
)
def test_figures_that_an_asr_writes_are_read_as_they_were_said(text: str, heard: str, lang: str) -> None:
    assert character_error_rate(text, heard, lang) == 0


def test_a_lost_vowel_sign_is_an_error() -> None:
    assert character_error_rate("दिन", "दन", "hi") == pytest.approx(1 / 3)


def test_errors_are_counted_for_each_character_of_the_text() -> None:
    assert character_error_rate("play music", "play musics", "en") == pytest.approx(0.1)
    assert character_error_rate("play", "", "en") == 1
    assert character_error_rate("hi", "hello hello", "en") > 1
    assert character_error_rate("", "", "en") == 0
    assert character_error_rate("…", "hello", "en") == 1


def test_the_share_of_letters_in_the_right_script_is_measured() -> None:
    assert script_share("मेरी बास्केट", "मेरी बास्केट", "hi") == 1
    assert script_share("मेरी बास्केट", "میری بازکٹ", "hi") == 0
    assert script_share("मेरी cab", "मेरी cab", "hi") == 1
    assert script_share("मेरी", "cab", "hi") == 0
    assert script_share("你好", "你好", "zh") == 1
    assert script_share("hello", "", "en") is None
    assert script_share("hello", "hello", "xx") is None


@pytest.mark.parametrize("lang", sorted(LANGUAGES))
def test_what_is_heard_as_it_was_said_has_no_errors(lang: str) -> None:
    text = spoken("OTP 4582", lang)
    assert character_error_rate(text, text, lang) == 0


@given(ALPHABET, ALPHABET)
def test_the_distance_is_levenshteins(one: str, other: str) -> None:
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        before, row[0] = row[0], i
        for j, b in enumerate(other, start=1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    assert distance(one, other) == row[-1]
