"""Telugu number words, written apart or grown together."""

import pytest

from tests.scoring.number_words.reading import read, unchanged

_UNITS = "- ఒకటి రెండు మూడు నాలుగు ఐదు ఆరు ఏడు ఎనిమిది తొమ్మిది".split()
_TENS = "ఇరవై ముప్పై నలభై యాభై అరవై డెబ్బై ఎనభై తొంభై".split()


@pytest.mark.parametrize("between", [" ", ""])
@pytest.mark.parametrize("lang", ["te", None])
def test_tens_and_units_are_read(lang: str | None, between: str) -> None:
    for ten, word in enumerate(_TENS, 2):
        assert read(word, lang) == str(10 * ten)
        for unit in range(1, 10):
            assert read(f"{word}{between}{_UNITS[unit]}", lang) == str(10 * ten + unit)


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("సున్నా", "0"),
        ("పదకొండు", "11"),
        ("పద్దెనిమిది", "18"),
        ("వంద", "100"),
        ("నూట ఐదు", "105"),
        ("రెండు వందల ఇరవై ఐదు", "225"),
        ("రెండువందలు", "200"),
        ("వెయ్యి", "1000"),
        ("మూడు వేల ఐదు వందలు", "3500"),
        ("ఇరవై ఒక వెయ్యి", "21000"),
        ("ఇరవై ఒక్క వేలు", "21000"),
        ("ఇరవై ఒక్క రూపాయలు", "21 రూపాయలు"),
        ("కోటి", "10000000"),
        ("కోటి రూపాయలు", "10000000 రూపాయలు"),
        ("రెండొందలు", "200"),
        ("ఐదొందల యాభై", "550"),
        ("వెయ్యిన్నూట పదహారు", "1116"),
        ("ఇరవయి ఐదు", "25"),
        ("పదహైదు", "15"),
        ("లక్ష", "100000"),
        ("ఒక లక్ష", "100000"),
        ("రెండున్నర లక్షలు", "250000"),
        ("౫ లక్షలు", "500000"),
        ("two లక్షలు", "200000"),
        ("ఒక కోటి ఇరవై మూడు లక్షల నలభై ఐదు వేల ఆరు వందల డెబ్బై ఎనిమిది", "12345678"),
        ("లక్ష కోట్లు", "1000000000000"),
        ("మైనస్ ఐదు", "-5"),
        ("మూడు పాయింట్ ఒకటి నాలుగు", "3.14"),
        ("నాలుగు ఐదు ఎనిమిది రెండు", "4582"),
    ],
)
def test_a_number_in_words(text: str, digits: str) -> None:
    assert read(text, "te") == digits


@pytest.mark.parametrize("text", ["", "ఒక పుస్తకం", "ఒక్క రూపాయి", "కోట్లు", "నూట", "వేల మంది", "ఐదవ", "ఇద్దరు"])
def test_what_is_no_single_number_stays(text: str) -> None:
    assert unchanged(text, "te")
