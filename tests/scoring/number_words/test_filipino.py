"""Filipino number words, native and from Spanish."""

import pytest

from tests.scoring.number_words.reading import read, unchanged


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("labing-isa", "11"),
        ("labing-isang araw", "11 araw"),
        ("dalawampu't isang tao", "21 tao"),
        ("trenta'y singko", "35"),
        ("isandaang piso", "100 piso"),
        ("labingdalawa", "12"),
        ("labindalawa", "12"),
        ("dalawampu't lima", "25"),
        ("dalawampu at lima", "25"),
        ("isang daan at lima", "105"),
        ("apat na raan", "400"),
        ("apat na raan at dalawampu't tatlo", "423"),
        ("sanlibo", "1000"),
        ("limang libo", "5000"),
        ("isang milyon", "1000000"),
        ("isang trilyon", "1000000000000"),
        ("kinse", "15"),
        ("bente singko", "25"),
        ("trenta y singko", "35"),
        ("syento bente", "120"),
        ("dos siyentos", "200"),
        ("dos mil", "2000"),
        ("5 milyon", "5000000"),
        ("dalawa at kalahati", "2.5"),
        ("alas dose", "alas 12"),
        ("dalawang tao", "2 tao"),
        ("minus lima", "-5"),
        ("tres punto singko", "3.5"),
        ("apat lima walo dalawa", "4582"),
        ("two milyon", "2000000"),
    ],
)
def test_a_number_in_words(text: str, digits: str) -> None:
    assert read(text, "fil") == digits
    assert read(text, "tl") == digits


@pytest.mark.parametrize("text", ["", "isang cab", "daan", "na at", "first dose", "5 mil", "labing", "limot"])
def test_what_is_no_single_number_stays(text: str) -> None:
    assert unchanged(text, "fil")
