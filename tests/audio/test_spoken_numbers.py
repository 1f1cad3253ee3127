"""What the languages call their numbers, by hand where they are irregular, and read back by the scorer."""

import re
import unicodedata
from collections.abc import Callable
from datetime import time
from pathlib import Path

import pytest

from voicebench.audio.spoken import LANGUAGES
from voicebench.audio.spoken.vocabulary import currencies
from voicebench.scoring.dates import read_moment
from voicebench.scoring.setting import Setting
from voicebench.scoring.text import canonical_text

OWN_WORD_BELOW_HUNDRED = ("hi", "bn", "mr")
HOMONYMS = {
    # "Not", and the word for a centre.
    "vi": {0},
    "th": {0},
}


def said(lang: str, number: int, *, indian: bool = False) -> str:
    return LANGUAGES[lang].cardinal(number, indian=indian)


def read_back(lang: str, number: int) -> bool:
    return canonical_text(said(lang, number), lang) == str(number)


def may_mean_another(lang: str, number: int) -> bool:
    """Thai leaves out a last power when it speaks fast: "a thousand two" may be 1200."""
    return lang == "th" and re.fullmatch(r"[1-9]00[2-9]", str(number)) is not None


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_scorer_reads_every_number_below_ten_thousand_back(lang: str) -> None:
    wrong = [
        number
        for number in range(10_000)
        if number not in HOMONYMS.get(lang, ())
        and not may_mean_another(lang, number)
        and not read_back(lang, number)
    ]
    assert wrong == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_scorer_reads_large_numbers_back(lang: str) -> None:
    thousands = [1000 * count for count in range(10, 100)]
    larger = [100_000, 123_456, 1_050_000, 1_100_000, 2_100_000, 10**7, 12_345_678, 10**8, 10**9]
    assert [number for number in (*thousands, *larger) if not read_back(lang, number)] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_scorer_reads_every_hour_back(lang: str) -> None:
    for hour in range(24):
        words = LANGUAGES[lang].clock(hour % 12 or 12, 0, "am" if hour < 12 else "pm", "", "")
        assert read_moment(words, {}, Setting(lang)) == time(hour)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_two_numbers_below_a_hundred_thousand_are_said_alike(lang: str) -> None:
    numbers = [*range(10_000), *range(10_000, 100_000, 7)]
    assert len({said(lang, number) for number in numbers}) == len(numbers)


@pytest.mark.parametrize("lang", OWN_WORD_BELOW_HUNDRED)
def test_every_number_below_a_hundred_has_a_word_of_its_own(lang: str) -> None:
    words = [said(lang, number) for number in range(100)]
    assert len(set(words)) == 100
    assert not any(" " in word for word in words)


@pytest.mark.parametrize(
    ("lang", "number", "words"),
    [
        ("en", 10_000_000, "ten million"),
        ("hi", 10_050_000, "एक करोड़ पचास हज़ार"),
        ("bn", 10_050_000, "এক কোটি পঞ্চাশ হাজার"),
        ("mr", 10_050_000, "एक कोटी पन्नास हजार"),
        ("ta", 10_050_000, "ஒரு கோடியே ஐம்பதாயிரம்"),
        ("te", 10_050_000, "ఒక కోటి యాభై వేలు"),
        ("ml", 10_050_000, "ഒരു കോടി അമ്പതിനായിരം"),
        ("vi", 10_050_000, "mười triệu không trăm năm mươi nghìn"),
        ("vi", 2_000_000_005, "hai tỷ không trăm linh năm"),
        ("th", 10_050_000, "สิบล้านห้าหมื่น"),
        ("th", 21_000_001, "ยี่สิบเอ็ดล้านเอ็ด"),
        ("id", 10_050_000, "sepuluh juta lima puluh ribu"),
        ("fil", 10_050_000, "sampung milyon limampung libo"),
        ("zh", 10_050_000, "一千零五万"),
        ("zh", 100_000_001, "一亿零一"),
        ("zh", 1_000_010_000, "十亿零一万"),
        ("zh", 110, "一百一十"),
        ("zh", 16, "十六"),
    ],
)
def test_large_numbers_are_said_as_stated(lang: str, number: int, words: str) -> None:
    assert said(lang, number) == unicodedata.normalize("NFC", words)


def test_english_counts_in_lakh_and_crore_only_where_that_is_asked_for() -> None:
    assert said("en", 12_345_678, indian=True) == (
        "one crore twenty-three lakh forty-five thousand six hundred and seventy-eight"
    )


@pytest.mark.parametrize(
    ("lang", "number", "words"),
    [
        ("ta", 1, "ஒரு"),
        ("ta", 31, "முப்பத்தொரு"),
        ("te", 1, "ఒక"),
        ("te", 41, "నలభై ఒక్క"),
        ("te", 2500, "రెండు వేల ఐదు వందల"),
        ("ml", 1, "ഒരു"),
        ("ml", 31, "മുപ്പത്തിയൊന്ന്"),
        ("fil", 4, "apat na"),
        ("fil", 200, "dalawang daang"),
        ("fil", 6000, "anim na libong"),
        ("zh", 2, "两"),
        ("hi", 2, "दो"),
    ],
)
def test_a_number_takes_its_form_in_front_of_what_it_counts(lang: str, number: int, words: str) -> None:
    assert LANGUAGES[lang].attributive(number, indian=True) == unicodedata.normalize("NFC", words)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_time_of_day_is_said_without_a_figure(lang: str) -> None:
    clock = LANGUAGES[lang].clock
    times = [clock(hour, minute, None, "", "") for hour in range(24) for minute in range(60)]
    assert not any(character.isdigit() for time in times for character in time)
    assert len(set(times[: 12 * 60])) == 12 * 60


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_day_of_the_year_has_a_name_of_its_own(lang: str) -> None:
    days = [LANGUAGES[lang].date(day, month, None) for month in range(1, 13) for day in range(1, 32)]
    assert len(set(days)) == 12 * 31


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_vocabulary_is_in_the_normal_form_of_its_script(lang: str) -> None:
    source = Path(__file__).parents[2] / "voicebench" / "audio" / "spoken"
    named = {type(language).__module__.rpartition(".")[2]: code for code, language in LANGUAGES.items()}
    file = next(name for name, code in named.items() if code == lang)
    assert unicodedata.is_normalized("NFC", (source / f"{file}.py").read_text(encoding="utf-8"))


def test_a_language_names_every_currency() -> None:
    with pytest.raises(ValueError, match="GBP"):
        currencies(INR="rupee")


def _amount(lang: str) -> Callable[[int, int], str]:
    return lambda whole, hundredths: LANGUAGES[lang].money(whole, hundredths, "USD", indian=False)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_hundredths_are_said_only_where_there_are_some(lang: str) -> None:
    amount = _amount(lang)
    assert amount(3, 0) != amount(3, 12)
    assert amount(3, 12) != amount(312, 0)
    assert amount(0, 12) not in ("", amount(0, 0))
