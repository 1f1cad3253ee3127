"""Strings: what says the same is the same, and what says another number never is."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.scoring.text import as_number, canonical_name, canonical_text, same_text

LANGUAGES = st.sampled_from([None, "en", "hi", "bn", "mr", "ta", "te", "ml", "vi", "th", "id", "fil", "zh"])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("दिल्ली", "दिल्\u200dली"),
        ("क़ुतुब मीनार", "कुतुब मीनार"),
        ("हिन्दी", "हिंदी"),
        ("Cafe\u0301", "café"),
        ("ＭＧ　Ｒｏａｄ", "MG Road"),
        ("Jayanagar  4th\tBlock ", "jayanagar 4th block"),
        ("Dr. Sharma", "dr sharma"),
        ("Bandra,Mumbai", "Bandra, Mumbai"),
        ("Bandra,400050", "Bandra, 400050"),
        ("New-Delhi", "New Delhi"),
        ("Jayanagar – 4th Block", "Jayanagar 4th Block"),
        ("Domino\u2019s", "Domino's"),
        ("“kal subah”", '"kal subah"'),
        ("नमस्ते।", "नमस्ते"),
        ("MG Road की तरफ", "mg road की तरफ"),
        ("M.G. Road", "M G Road"),
        ("U.S.A.", "USA"),
        ("एम.जी. रोड", "एमजी रोड"),
        ("B-12", "B 12"),
        ("B-12", "B12"),
        ("सेक्टर-१५", "सेक्टर 15"),
        ("SAVE20", "SAVE 20"),
        ("5km", "5 km"),
        ("北京 大学", "北京大学"),
        ("ถนน สุขุมวิท", "ถนนสุขุมวิท"),
        ("२३", "23"),
        ("২৩", "23"),
        ("௨௩", "23"),
        ("౨౩", "23"),
        ("൨൩", "23"),
        ("๒๓", "23"),
        ("２３", "23"),
        ("1,00,000", "100000"),
        ("1,234,567.50", "1234567.50"),
        ("10\u202f000", "10,000"),
        ("₹१,००,०००", "₹1,00,000"),
        ("एक लाख", "₹1,00,000"),
        ("5 lakh", "5,00,000"),
        ("₹ 500", "500"),
        ("−5", "-5"),
        ("- 5", "-5"),
        ("-5 °C", "−5℃"),
        ("5 - 7", "५–७"),
        ("½", "1 / 2"),
        ("5 %", "5%"),
        ("", "  "),
    ],
)
def test_two_ways_of_writing_one_thing(one: str, other: str) -> None:
    assert same_text(one, other)
    assert same_text(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("15", "1.5"),
        ("-5", "5"),
        ("1,5", "15"),
        ("12,34", "1234"),
        ("10:30", "1030"),
        ("1/2", "12"),
        (".5", "5"),
        ("5%", "5"),
        ("5²", "52"),
        ("1½", "11/2"),
        ("₹500", "$500"),
        ("-₹500", "₹500"),
        ("007", "7"),
        ("12-13", "1213"),
        ("12-13", "12 13"),
        ("1/2", "12"),
        ("1/2", "1 2"),
        ("10:30", "1030"),
        ("10:30", "10 30"),
        ("5'6", "56"),
        ("5'", '5"'),
        ("5²", "52"),
        ("5...6", "5.6"),
        ("1e-3", "1e3"),
        ("A -1", "A 1"),
        ("flat 1.5", "flat 15"),
        ("-5 °C", "5 °C"),
        ("(5)", "-5"),
        ("1,5", "15"),
        ("1.234,56", "1234.56"),
        ("1 234", "1234"),
        ("5,000", "5.000"),
        ("5 lakh", "5"),
        ("5 lakh", "5 crore"),
        ("1.5 lakh", "15 lakh"),
        ("५ लाख", "५ करोड़"),
        ("5万", "5亿"),
        ("A, B", "AB"),
        ("हिन्दी मात्रा", "ह न द म त र"),
        ("दिल", "दिल्ली"),
        ("की", "का"),
        ("ไม", "ไม่"),
        ("മല", "മാല"),
        ("Mumbai", "मुंबई"),
        ("book", "books"),
        ("order 15", "5"),
        ("john.smith@example.org", "johnsmith@example.org"),
        ("https://a.b/c", "https://a.b/c-d"),
        ("!!", "??"),
        ("", "!"),
    ],
)
def test_two_different_things(one: str, other: str) -> None:
    assert not same_text(one, other)
    assert not same_text(other, one)


def test_vowel_signs_stay() -> None:
    assert canonical_text("हिन्दी, मात्रा!") == "हिंदी मात्रा"


@given(st.text())
def test_how_letters_are_composed_and_spaced_does_not_matter(text: str) -> None:
    assert same_text(f" {unicodedata.normalize('NFD', text)}\t", text)


@given(st.integers(-(10**9), 10**9), st.integers(-(10**9), 10**9))
def test_whole_numbers_are_the_same_only_if_they_are(one: int, other: int) -> None:
    assert same_text(f"{one:,}", str(other)) is (one == other)


@given(st.text(alphabet="अआइकटडपिीुूेैोौंः्ാിூేംำ", min_size=1))
def test_no_letter_or_sign_of_an_indic_word_is_lost(word: str) -> None:
    assert canonical_text(word, "hi") == unicodedata.normalize("NFC", unicodedata.normalize("NFKC", word))


ANY_TEXT = st.text() | st.text(alphabet="aB5०. ,-/:'\"%₹$元บาท百分之लाखए́")


@given(ANY_TEXT, LANGUAGES)
def test_a_canonical_form_is_its_own(text: str, lang: str | None) -> None:
    once = canonical_text(text, lang)
    assert canonical_text(once, lang) == once


@given(ANY_TEXT, ANY_TEXT, LANGUAGES)
def test_sameness_is_reflexive_and_symmetric(one: str, other: str, lang: str | None) -> None:
    assert same_text(one, one, lang)
    assert same_text(one.upper(), one.upper(), lang)
    assert same_text(one, other, lang) is same_text(other, one, lang)


FRAMES = st.sampled_from(
    [
        "{}", "flat {}", "{} km", "pay ₹{} now", "${}", "{} °C", "{}%", "सेक्टर {}", "{} रुपये", "{} লাখ টাকা",
        "அறை {}", "{} గంటలు", "{} മണി", "อุณหภูมิ {} องศา", "{}บาท", "phòng {}", "kamar {}",
        "{} araw", "温度 {} 度", "({})", "2 of {}",
    ]
)  # fmt: skip
DIGITS = st.from_regex(r"[1-9][0-9]{0,5}(\.[0-9]{1,3})?", fullmatch=True)


@given(DIGITS, FRAMES, LANGUAGES)
def test_a_sign_always_counts(number: str, frame: str, lang: str | None) -> None:
    assert not same_text(frame.format(f"-{number}"), frame.format(number), lang)
    assert not same_text(frame.format(f"\u2212{number}"), frame.format(number), lang)


@given(DIGITS, FRAMES, LANGUAGES, st.integers(0, 8))
def test_a_decimal_point_always_counts(number: str, frame: str, lang: str | None, place: int) -> None:
    digits = number.replace(".", "")
    moved = f"{digits[: place % len(digits)]}.{digits[place % len(digits) :]}"
    for other in {digits, moved} - {number}:
        assert not same_text(frame.format(other), frame.format(number), lang)


@given(DIGITS, FRAMES, LANGUAGES, st.integers(0, 8), st.integers(1, 9))
def test_every_digit_counts(number: str, frame: str, lang: str | None, place: int, more: int) -> None:
    digits = [index for index, char in enumerate(number) if char != "."]
    at = digits[place % len(digits)]
    changed = number[:at] + str((int(number[at]) + more) % 10) + number[at + 1 :]
    longer = number.replace(".", "0.") if "." in number else f"{number}0"
    for other in (changed, longer, f"1{number}", number[:at] + "7" + number[at:]):
        assert not same_text(frame.format(other), frame.format(number), lang)


MAGNITUDES = ["", " thousand", " lakh", " million", " crore", " billion"]


@given(DIGITS, st.sampled_from(MAGNITUDES), st.sampled_from(MAGNITUDES), st.sampled_from(["en", "hi", None]))
def test_a_magnitude_always_counts(number: str, one: str, other: str, lang: str | None) -> None:
    if one != other:
        assert not same_text(f"₹{number}{one}", f"₹{number}{other}", lang)


WORDS = st.sampled_from(["दो", "market", "கடை", "ตลาด", "市场", "chợ", "नहीं", "not"])


@given(st.sampled_from(["मुंबई", "MG Road", "சென்னை", "สยาม", "北京", "Hà Nội", ""]), WORDS, LANGUAGES)
def test_another_word_always_counts(text: str, word: str, lang: str | None) -> None:
    assert not same_text(f"{text} {word}", text, lang)
    assert not same_text(f"{word} {text}", text, lang)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("500", 500),
        ("-5", -5),
        ("+5", 5),
        ("1,00,000", 100000),
        ("₹१,००,०००", 100000),
        ("12.50", 12.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("", None),
        ("five", 5),
        ("पाँच सौ", 500),
        ("एक लाख", 100000),
        ("500 rupees", 500),
        ("5%", None),
        ("12-13", None),
        ("1/2", None),
        ("5 km", None),
        ("1,5", None),
        ("9" * 100_000, None),
    ],
    ids=lambda value: str(value)[:20],
)
def test_the_number_that_a_string_writes(text: str, number: float | None) -> None:
    assert as_number(text) == number


def test_a_long_string_is_compared_too() -> None:
    assert same_text("क " * 50_000, "क" + " क" * 49_999)


def test_a_name_is_read_without_its_numbers() -> None:
    assert canonical_name("Taipei One-Oh-One") == "taipei one oh one"
    assert canonical_name("एम.जी. रोड") == "एमजी रोड"
    assert canonical_name("北京 大学") == "北京大学"
