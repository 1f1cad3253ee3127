"""Indonesian number words."""

import pytest

from tests.scoring.number_words.reading import read, unchanged


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("sebelas", "11"),
        ("duapuluh lima", "25"),
        ("limabelas", "15"),
        ("tigaratus ribu", "300000"),
        ("dua belas", "12"),
        ("dua puluh lima", "25"),
        ("seratus lima", "105"),
        ("seribu dua ratus", "1200"),
        ("seratus ribu", "100000"),
        ("satu juta seribu", "1001000"),
        ("satu triliun", "1000000000000"),
        ("5 juta", "5000000"),
        ("5jt", "5000000"),
        ("500 rb", "500000"),
        ("dua setengah juta", "2500000"),
        ("dua koma lima", "2.5"),
        ("minus lima", "-5"),
        ("nol delapan satu dua", "0812"),
        ("nol delapan kosong dua", "0802"),
        ("two juta", "2000000"),
    ],
)
def test_a_number_in_words(text: str, digits: str) -> None:
    assert read(text, "id") == digits


@pytest.mark.parametrize(
    "text", ["", "kosong", "ratusan", "ribu", "puluh dua", "belas kasihan", "setengah jam", "kelima"]
)
def test_what_is_no_single_number_stays(text: str) -> None:
    assert unchanged(text, "id")
