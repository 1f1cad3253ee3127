"""What holds of every number and every text."""

import string
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.number_words import spellers
from tests.scoring.number_words.reading import read
from tests.scoring.number_words.test_bengali import BELOW_100 as BENGALI
from tests.scoring.number_words.test_hindi import BELOW_100 as HINDI
from tests.scoring.number_words.test_marathi import BELOW_100 as MARATHI
from voicebench.scoring.number_words import with_digits

_LANGUAGES = "bn en fil hi id ml mr ta te th vi zh".split()
_SPELLERS: dict[str, tuple[str, Callable[[int], str]]] = {
    "English": ("en", spellers.english),
    "Indian English": ("en", spellers.indian_english),
    "Chinese": ("zh", spellers.chinese),
    "Thai": ("th", spellers.thai),
    "Vietnamese": ("vi", spellers.vietnamese),
    "Indonesian": ("id", spellers.indonesian),
    "Filipino": ("fil", spellers.filipino),
    "Hindi": ("hi", lambda number: spellers.indic(number, HINDI, "सौ", "हज़ार", "लाख", "करोड़")),
    "Marathi": ("mr", lambda number: spellers.indic(number, MARATHI, "-शे", "हजार", "लाख", "कोटी")),
    "Bengali": ("bn", lambda number: spellers.indic(number, BENGALI, "-শো", "হাজার", "লাখ", "কোটি")),
}
_NUMBERS = st.integers(1, 12).flatmap(lambda digits: st.integers(1, 10**digits))
_NUMBER_WORDS = st.sampled_from(
    "one two five twenty ninety hundred thousand lakh crore million and point minus oh double 5 12 1.5 -3 "
    "1,000 एक दो पच्चीस सौ हज़ार लाख डेढ़ साढ़े सवा दशमलव বার নয় পাঁচটা শো இருபத்து ஐந்து ஆயிரம் ఒక నూట వేల న్నర "
    "ഇരുപത്തി അര năm mươi trăm không linh rưỡi tư belas puluh seratus koma at na isang dalawampu "
    "ห้า ร้อย พัน ล้าน จุด ลบ คน 五 百 万 零 点 元 三里屯 cr tr book की".split()
)
_TEXTS = st.lists(_NUMBER_WORDS, max_size=8).map(" ".join) | st.lists(_NUMBER_WORDS, max_size=5).map("".join)


@pytest.mark.parametrize("name", _SPELLERS)
@given(number=_NUMBERS)
def test_a_spelled_number_is_read(name: str, number: int) -> None:
    lang, spell = _SPELLERS[name]
    expected = str(number)
    if lang == "th" and _may_be_two_in_thai(number):
        expected = spell(number)
    assert read(spell(number), lang) == expected


def _may_be_two_in_thai(number: int) -> bool:
    """Tell whether a unit stands alone after a thousand or more: สองพันห้า may be 2005 or 2500."""
    millions, rest = divmod(number, 10**6)
    if millions and 0 < rest < 10:
        return True
    return any(part >= 1000 and part % 10 > 1 and part % 1000 < 10 for part in (millions, rest))


@pytest.mark.parametrize("name", _SPELLERS)
def test_every_number_below_1000_is_read(name: str) -> None:
    lang, spell = _SPELLERS[name]
    assert [read(spell(number), lang) for number in range(1, 1000)] == [str(n) for n in range(1, 1000)]


@pytest.mark.parametrize("name", _SPELLERS)
@given(one=_NUMBERS, other=_NUMBERS)
def test_two_numbers_are_never_one(name: str, one: int, other: int) -> None:
    lang, spell = _SPELLERS[name]
    assert (read(spell(one), lang) == read(spell(other), lang)) == (one == other)
    assert read(spell(one), lang) != read(f"minus {spell(one)}", lang)


@given(_TEXTS, st.sampled_from([*_LANGUAGES, None, "fr"]))
def test_reading_twice_changes_nothing_more(text: str, lang: str | None) -> None:
    once = read(text, lang)
    assert with_digits(once, lang) == once


@given(st.text(max_size=60), st.sampled_from([*_LANGUAGES, None]))
def test_any_text_can_be_read(text: str, lang: str | None) -> None:
    assert with_digits(with_digits(text, lang), lang) == with_digits(text, lang)


@given(st.lists(st.text("bcdfgjkmpqw", min_size=3, max_size=9), max_size=6), st.sampled_from(_LANGUAGES))
def test_words_that_are_no_number_words_stay(words: list[str], lang: str) -> None:
    text = " ".join(words)
    assert with_digits(text, lang) == text


@given(st.lists(st.text(string.digits, min_size=1, max_size=9), max_size=6), st.sampled_from(_LANGUAGES))
def test_figures_alone_stay(figures: list[str], lang: str) -> None:
    text = " ".join(figures)
    assert with_digits(text, lang) == text


@pytest.mark.parametrize("lang", [*_LANGUAGES, None])
def test_english_and_indic_magnitudes_are_read_in_every_language(lang: str | None) -> None:
    assert read("two lakh fifty thousand", lang) == "250000"


def test_only_the_words_of_the_language_are_read() -> None:
    assert read("dua", "en") == "dua"
    assert read("dua", None) == "dua"
    assert read("दो", "ta") == "दो"
    assert read("五百", "hi") == "五百"


def test_a_region_says_nothing_of_numbers() -> None:
    assert read("五百", "zh-TW") == read("五百", "zh") == "500"


def test_a_hostile_text_is_left_soon() -> None:
    assert with_digits("9" * 10_000 + " 万 " + "9" * 10_000 + " ล้าน lakh", None)
    text = " ".join(["one", "hundred", "五", "ห้า"] * 20_000) + "五" * 20_000 + "ห้าจุด" * 20_000
    assert with_digits(text, None)
