"""What an utterance offers to copy: phrases and numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.retrieve.phrases import LONGEST_PHRASE, MOST_PHRASES, names, numbers, phrases, words


def test_function_words_stand_between_phrases() -> None:
    assert phrases("Get me an auto from Jayanagar to Majestic.") == ["auto", "Jayanagar", "Majestic"]


def test_parts_of_a_phrase_are_phrases_too() -> None:
    assert phrases("a ride to Pune Station") == ["ride", "Pune", "Pune Station", "Station"]


def test_hindi_postpositions_separate_and_may_join() -> None:
    assert phrases("हज़रतगंज से चारबाग़ तक") == ["हज़रतगंज", "चारबाग़"]
    assert "हुमायूँ का मक़बरा" in phrases("मुझे हुमायूँ का मक़बरा दिखाओ")


def test_a_phrase_does_not_cross_the_end_of_a_clause() -> None:
    assert phrases("tea, coffee। दूध") == ["tea", "coffee", "दूध"]


def test_words_told_apart_belong_to_no_phrase() -> None:
    assert phrases("large margherita", apart={"large"}) == ["margherita"]


def test_number_words_belong_to_no_phrase() -> None:
    assert phrases("two cheeseburgers और तीन समोसे") == ["cheeseburgers", "समोसे"]


def test_a_text_without_function_words_gives_all_its_runs() -> None:
    assert phrases("விமான நிலையம்") == ["விமான", "விமான நிலையம்", "நிலையம்"]


@pytest.mark.parametrize("text", ["", "  ", "ขอแท็กซี่ไปสนามบิน", "请叫一辆车去机场", "to the of"])
def test_nothing_to_copy(text: str) -> None:
    assert phrases(text) == []


@given(st.text(max_size=200))
def test_phrases_are_bounded_for_any_text(text: str) -> None:
    found = phrases(text)
    assert len(found) <= MOST_PHRASES
    assert all(0 < len(phrase.split()) <= LONGEST_PHRASE for phrase in found)
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("three hundred rupees", [300]),
        ("four and a half stars", [4.5]),
        ("one thousand two hundred and fifty", [1250]),
        ("twenty five or thirty", [25, 30]),
        ("two lakh", [200_000]),
        ("four five eight", [4, 5, 8]),
        ("तीन सौ रुपये", [300]),
        ("साढ़े चार स्टार", [4.5]),
        ("साढ़े तीन सौ", [350]),
        ("ढाई हज़ार", [2500]),
        ("दो वड़ा पाव", [2]),
        ("मेरी बास्केट में डाल दो", []),
        ("₹1,250 और ₹१,००,०००", [1250, 100_000]),
        ("4.5 stars, 4.0 later", [4.5, 4.0]),
        ("at 6:30 on 23/3 with SAVE20", []),
        ("hundred and a half", []),
        ("", []),
    ],
)
def test_numbers_in_digits_and_words(text: str, expected: list[int | float]) -> None:
    assert numbers(text) == expected
    assert [type(number) for number in numbers(text)] == [type(number) for number in expected]


@given(st.text(alphabet="0123456789.,:/ aएक दो सौ thousand and half-", max_size=60))
def test_numbers_are_read_from_any_text_without_error(text: str) -> None:
    assert all(isinstance(number, int | float) for number in numbers(text))


@pytest.mark.parametrize(
    ("text", "term", "named"),
    [
        ("an Auto, please", "auto", True),
        ("my food orders", "food order", True),
        ("automatic", "auto", False),
        ("wrong address", "wrong_address", True),
        ("मेरा घर", "घर", True),
        ("घरेलू", "घर", False),
        ("anything", "", False),
    ],
)
def test_a_term_is_named_as_whole_words(text: str, term: str, named: bool) -> None:
    assert names(text, term) is named


def test_words_keep_their_vowel_signs() -> None:
    assert words("हिन्दी-मात्रा, wrong_address!") == ["हिन्दी", "मात्रा", "wrong", "address"]
