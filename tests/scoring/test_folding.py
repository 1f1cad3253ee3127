"""One spelling for what is one word, and only for that."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.scoring.folding import ascii_digits, fold


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("दिल्ली", "दिल्\u200dली"),  # ZWJ
        ("क्षेत्र", "क्\u200cषेत्र"),  # ZWNJ
        ("\u0958लम", "\u0915\u093cलम"),  # nukta: one letter, or two
        ("क़लम", "कलम"),  # loan sounds, often typed without their dot
        ("हज़रतगंज", "हजरतगंज"),
        ("ग़ाज़ियाबाद", "गाजियाबाद"),
        ("हिन्दी", "हिंदी"),
        ("मुम्बई", "मुंबई"),
        ("पञ्चम", "पंचम"),
        ("अण्डा", "अंडा"),
        ("गङ्गा", "गंगा"),
        ("इन्टरनेट", "इंटरनेट"),
        ("चाँद", "चांद"),
        ("पाँच", "पांच"),
        ("र्\u200dया", "ऱ्या"),  # the eyelash ra, told by its joiner
        ("\u09dc", "ড\u09bc"),
        ("ব্যাঙ্ক", "ব্যাংক"),
        ("ஶ்ரீ", "ஸ்ரீ"),
        ("കൊച്ചി", "ക\u0d46\u0d3eച്ചി"),  # a vowel sign in two parts
        ("അവൻ", "അവന്\u200d"),  # a chillu, or consonant, virama and joiner
        ("ക\u0d4cതുകം", "ക\u0d57തുകം"),
        ("உள்ளூர்", unicodedata.normalize("NFD", "உள்ளூர்")),
        ("น้ำ", "น\u0e49\u0e4d\u0e32"),  # sara am in two parts
        ("น้ำ", "น\u0e4d\u0e49\u0e32"),
        ("กี้", "ก\u0e49\u0e35"),  # tone before vowel
        ("แกง", "เเกง"),  # sara ae, typed as two sara e
        ("hòa", "hoà"),  # where the tone mark stands
        ("Thủy", "thuỷ"),
        ("khỏe", "khoẻ"),
        ("Cafe\u0301", "café"),
        ("ＭＧ　Ｒｏａｄ", "mg road"),
        ("STRASSE", "straße"),
        ("१२৩", "123"),
        ("௪౫൬", "456"),
        ("๗８9", "789"),
        ("−5", "-5"),
        ("− 5", "-5"),
        ("1½", "1 1/2"),
        ("10\u202f000", "10000"),
        ("1\u00a0234\u00a0567", "1234567"),
    ],
)
def test_two_ways_of_writing_one_word(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("सड़क", "सडक"),  # ड़ is a letter of its own
        ("ढ़", "ढ"),
        ("हँस", "हंस"),  # laugh, swan
        ("जन्म", "जंम"),
        ("अम्मा", "अंमा"),
        ("अन्य", "अंय"),
        ("दर्या", "दऱ्या"),  # sea, valleys
        ("ড়", "ড"),
        ("য়", "য"),
        ("की", "कि"),
        ("ma", "mà"),
        ("mả", "mã"),
        ("mùa", "muà"),
        ("ไม่", "ไม้"),
        ("臺北", "台北"),
        ("5²", "52"),
        ("1½", "11/2"),
        ("1 234", "1234"),
        ("12\u00a034", "1234"),
    ],
)
def test_two_different_words(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_endless_tone_marks_are_folded_soon() -> None:
    before = time.process_time()
    assert fold("\u0e48" * 100_000) == "\u0e48" * 100_000
    assert time.process_time() - before < 2


@given(st.text(alphabet="अआइकटडढपयिीुूेैोौः्ாிூೀേംำ", min_size=1))
def test_no_letter_or_sign_is_lost(word: str) -> None:
    assert fold(word) == unicodedata.normalize("NFC", unicodedata.normalize("NFKC", word))


@given(st.integers(0, 10**12), st.sampled_from("०০௦౦൦๐０"))
def test_the_digits_of_every_script_are_read(number: int, zero: str) -> None:
    native = "".join(chr(ord(zero) + int(digit)) for digit in str(number))
    assert ascii_digits(native) == str(number)
