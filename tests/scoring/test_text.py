"""Strings: what says the same is the same, and what says another number never is."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.scoring.text import as_number, canonical_text, same_text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("दिल्ली", "दिल्\u200dली"),  # ZWJ
        ("क्षेत्र", "क्\u200cषेत्र"),  # ZWNJ
        ("\u0958लम", "\u0915\u093cलम"),  # nukta: one letter, or two
        ("ড়", "ড\u09bc"),
        ("കൊച്ചി", "ക\u0d46\u0d3eച്ചി"),  # a vowel sign in two parts
        ("അവൻ", "അവന്\u200d"),  # a chillu, or consonant, virama and joiner
        ("உள்ளூர்", unicodedata.normalize("NFD", "உள்ளூர்")),
        ("น้ำ", "น\u0e49\u0e4d\u0e32"),
        ("Cafe\u0301", "café"),
        ("ＭＧ　Ｒｏａｄ", "MG Road"),
        ("STRASSE", "straße"),
        ("Jayanagar  4th\tBlock ", "jayanagar 4th block"),
        ("Dr. Sharma", "dr sharma"),
        ("Bandra,Mumbai", "Bandra, Mumbai"),
        ("Domino\u2019s", "Domino's"),
        ("“kal subah”", '"kal subah"'),
        ("नमस्ते।", "नमस्ते"),
        ("MG Road की तरफ", "mg road की तरफ"),
        ("२३", "23"),
        ("২৩", "23"),
        ("௨௩", "23"),
        ("౨౩", "23"),
        ("൨൩", "23"),
        ("๒๓", "23"),
        ("２３", "23"),
        ("1,00,000", "100000"),
        ("1,234,567.50", "1234567.50"),
        ("₹१,००,०००", "₹1,00,000"),
        ("₹ 500", "500"),
        ("500₹", "₹500"),
        ("−5", "-5"),
        ("- 5", "-5"),
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
    assert canonical_text("हिन्दी, मात्रा!") == "हिन्दी मात्रा"


@given(st.text())
def test_how_letters_are_composed_and_spaced_does_not_matter(text: str) -> None:
    assert same_text(f" {unicodedata.normalize('NFD', text)}\t", text)


@given(st.integers(-(10**9), 10**9), st.integers(-(10**9), 10**9))
def test_whole_numbers_are_the_same_only_if_they_are(one: int, other: int) -> None:
    assert same_text(f"{one:,}", str(other)) is (one == other)


@given(st.text(alphabet="अआइकखगघिीुूेैोौंः़्ாிூೀേംำ", min_size=1))
def test_no_letter_or_sign_of_an_indic_word_is_lost(word: str) -> None:
    assert canonical_text(word) == unicodedata.normalize("NFC", unicodedata.normalize("NFKC", word))


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
        ("five", None),
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
