import csv
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voicebench.audio.spoken import LANGUAGES, spoken

TABLES = Path(__file__).parent / "spoken"
ALPHABETS = {
    "en": "₹$AKBapmstRx",
    "hi": "₹५१हैबजेवेंला",
    "bn": "৳৫১টিশেইম",
    "mr": "₹५१वाजतालाव्या",
    "ta": "₹ணிக்குவதுல்",
    "te": "₹గంటలకువలో",
    "ml": "₹മണിക്ക്ാംൽ",
    "vi": "₫đkhgiờngày",
    "th": "฿๕น.วันที่",
    "id": "RpjukerbWIB",
    "fil": "₱Palsngikho",
    "zh": "¥元万点分年月日第个",
}
MARKS = "0123456789,.:/-+ %#@&°½amp"


def rows(lang: str) -> list[dict[str, str]]:
    with (TABLES / f"{lang}.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def written_and_said() -> Iterator[Any]:
    for lang in LANGUAGES:
        for row in rows(lang):
            yield pytest.param(
                lang, row["written"], row["region"], row["said"], id=f"{lang}-{row['written']}"
            )


@pytest.mark.parametrize(("lang", "written", "region", "said"), list(written_and_said()))
def test_a_written_text_is_said_as_stated(lang: str, written: str, region: str, said: str) -> None:
    assert spoken(written, lang, region=region or None) == unicodedata.normalize("NFC", said)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_has_a_table_of_forty_rows_or_more(lang: str) -> None:
    assert len({row["written"] for row in rows(lang)}) >= 40


def test_twelve_languages_are_spoken() -> None:
    assert set(LANGUAGES) == set(ALPHABETS) == set("en hi bn mr ta te ml vi id fil th zh".split())


def test_the_region_decides_about_lakh_and_about_the_order_of_a_date() -> None:
    assert spoken("150000", "en") == "one hundred and fifty thousand"
    assert spoken("150000", "en", region="IN") == "one lakh fifty thousand"
    assert spoken("3/4/2023", "en", region="IN") == "the third of April twenty twenty-three"
    assert spoken("3/4/2023", "en", region="US") == "the fourth of March twenty twenty-three"


def test_a_date_that_does_not_exist_in_the_regions_order_is_read_in_the_other() -> None:
    assert spoken("3/23/2023", "en", region="IN") == "the twenty-third of March twenty twenty-three"
    assert spoken("31/31/2023", "en") == "thirty-one thirty-one two thousand and twenty-three"


def test_the_yen_sign_is_yuan_in_china() -> None:
    assert spoken("¥500", "en") == "five hundred yen"
    assert spoken("¥500", "en", region="CN") == "five hundred yuan"
    assert spoken("¥500", "zh") == "五百元"


def test_the_same_dots_and_commas_are_other_numbers_in_other_languages() -> None:
    assert spoken("1.500", "en") == "one point five zero zero"
    assert spoken("1.500", "vi") == "một nghìn năm trăm"
    assert spoken("1,5", "id") == "satu koma lima"
    assert spoken("1,500", "en") == "one thousand five hundred"


def test_a_region_behind_the_language_code_is_no_other_language() -> None:
    assert spoken("2", "en-IN") == "two"
    assert spoken("2", "zh-Hans") == "二"


def test_tagalog_is_said_as_filipino() -> None:
    assert spoken("3 tao", "tl") == "tatlong tao"


def test_a_language_that_is_not_known_keeps_its_figures() -> None:
    assert spoken("  12\n apples 👍", "xx") == "12 apples"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("text", ["", " ", "👍🏽", "👨‍👩‍👧", "\u200d"])
def test_where_there_is_nothing_to_say_nothing_is_said(lang: str, text: str) -> None:
    assert spoken(text, lang) == ""


def test_a_word_in_latin_letters_stays_for_the_synthesizer() -> None:
    assert spoken("2 cab book करो", "hi") == "दो cab book करो"
    assert spoken("帮我 book 2辆 cab", "zh") == "帮我 book 两辆 cab"


def test_an_initialism_that_synthesizers_take_for_a_word_is_spelled() -> None:
    assert spoken("OTP", "en") == "O T P"
    assert spoken("OTP", "hi") == "ओटीपी"
    assert spoken("OTP", "zh") == "O T P"
    assert spoken("UPI, STOP, LOTP", "en") == "UPI, STOP, LOTP"


def test_the_joiners_of_indic_scripts_stay() -> None:
    assert spoken("क्‍ष और क्‌ष", "hi") == "क्‍ष और क्‌ष"


def test_combining_vowel_signs_are_part_of_their_word() -> None:
    assert spoken("5 गेंद", "hi") == "पाँच गेंद"
    assert spoken("5 kgा", "hi") == "पाँच kgा"


@pytest.mark.parametrize("lang", LANGUAGES)
@settings(deadline=None)
@given(data=st.data())
def test_no_digit_remains_and_saying_it_twice_changes_nothing(lang: str, data: st.DataObject) -> None:
    pieces = sorted({word for row in rows(lang) for word in row["written"].split()})
    text = data.draw(
        st.text(alphabet=MARKS + ALPHABETS[lang], max_size=24)
        | st.text(max_size=20)
        | st.lists(st.sampled_from(pieces) | st.text(alphabet=MARKS, max_size=3), max_size=6).map(" ".join)
        | st.lists(st.sampled_from(pieces) | st.text(alphabet=MARKS, max_size=3), max_size=4).map("".join)
    )
    region = data.draw(st.sampled_from([None, "IN", "US"]))
    said = spoken(text, lang, region=region)
    assert not any(character.isdigit() for character in said)
    assert spoken(said, lang, region=region) == said
    assert said == " ".join(said.split())
    assert unicodedata.is_normalized("NFC", said)
