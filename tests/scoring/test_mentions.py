"""What is said, in several scripts, and how far texts are apart."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.scoring.mentions import distance, edits, mentioned, numbers


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Jayanagar", "from JAYANAGAR, please"),
        ("New Delhi", "to new delhi."),
        ("जयनगर", "जयनगर से किराया"),
        ("क़ुतुब मीनार", "क\u093cुतुब मीनार चलो"),
        ("தோசை", "ரெண்டு தோசை"),
        ("สยาม", "ค่ารถจากสยามเท่าไหร่"),
        ("小明", "和小明吃饭"),
        ("₹1,00,000", "मुझे १,००,००० भेजने हैं"),
        (2, "2 people"),
        (1000.0, "1,000 rupees"),
        (2.5, "2.5 kilos"),
        (5, "at 5pm"),
        (["चीज़", "onion"], "add onion and चीज़"),
        ({"city": "Pune", "pin": 411001}, "Pune 411001"),
    ],
)
def test_a_value_is_said_as_words_of_its_own(value: Any, text: str) -> None:
    assert mentioned(value, text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Delhi", "the Delhis"),
        ("auto", "automatic"),
        ("कमल", "कमला से"),
        ("दिल", "दिल्ली"),
        ("กา", "กาี"),
        ("5", "order 15"),
        ("5", "it is -5"),
        ("15", "1.5 kilos"),
        ("9", "at 9:30"),
        (["चीज़", "onion"], "onion"),
        ("", "anything"),
        (True, "true"),
        (None, "none"),
        ([], "nothing"),
        ({"$ref": "0.latitude"}, "$ref 0.latitude"),
        (float("1e300"), "1e300"),
    ],
)
def test_a_value_inside_another_word_or_number_is_not_said(value: Any, text: str) -> None:
    assert not mentioned(value, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ஜெயநகர்", "ஜெயநகரிலிருந்து மெஜஸ்டிக்"),
        ("ఢిల్లీ", "ఢిల్లీకి వెళ్ళాలి"),
        ("എറണാകുളം", "എറണാകുളത്തേക്ക്"),
        ("গুলশান", "গুলশানের ভাড়া"),
    ],
)
def test_a_name_may_carry_a_suffix_where_the_script_joins_it(name: str, text: str) -> None:
    assert mentioned(name, text)


def test_a_short_word_carries_no_suffix() -> None:
    assert not mentioned("நகர்", "நகர") or mentioned("நகர்", "நகரம்")
    assert not mentioned("கார்", "காரணம்")


@pytest.mark.parametrize("text", ["my OTP is 4 5 8 2", "ओटीपी ४ ५ ८ २ है", "4582"])
def test_digits_spelled_one_by_one_say_the_number(text: str) -> None:
    assert mentioned("4582", text)
    assert mentioned(4582, text)


def test_two_short_numbers_side_by_side_are_not_a_third() -> None:
    assert not mentioned("25", "table 2 5 o'clock")


@pytest.mark.parametrize(("text", "n"), [("", 0), ("none", 0), ("1,000 and २", 2), ("9:30", 2), ("๔๕", 1)])
def test_numbers_in_digits_of_any_script_are_counted(text: str, n: int) -> None:
    assert numbers(text) == n


@pytest.mark.parametrize(
    ("said", "heard", "apart"),
    [
        ("जयनगर से चलो।", "जयनगर से चलो", 0.0),
        ("From Jayanagar", "from jaya nagar", 0.0),
        ("abcd", "abxd", 0.25),
        ("தோசை", "", 1.0),
        ("ab", "abcdef", 2.0),
        ("जयनगर", "jaynagar", None),
        ("", "anything", None),
        ("", "", 0.0),
        ("जयनगर से Majestic तक", "जयनगर से मैजेस्टिक तक", None),
    ],
)
def test_texts_are_apart_by_their_letters_and_only_in_the_same_scripts(
    said: str, heard: str, apart: float | None
) -> None:
    assert distance(said, heard) == apart


def slowly(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, row = row, [i]
        for j, b in enumerate(other, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (a != b)))
    return row[-1]


words = st.text(alphabet="abकிก", max_size=14)


@given(words, words)
def test_edits_are_those_of_the_textbook(one: str, other: str) -> None:
    assert edits(one, other) == slowly(one, other) == edits(other, one)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_can_be_looked_up(value: str, text: str) -> None:
    assert mentioned(value, text) in (True, False)
    apart = distance(value, text)
    assert apart is None or apart >= 0


@given(st.text(alphabet="abc कखग தமிழ กขค 123", min_size=1, max_size=20))
def test_a_text_says_itself(text: str) -> None:
    assert mentioned(text, text) or not text.strip()
