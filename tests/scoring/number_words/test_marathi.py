"""Marathi number words."""

import pytest

from tests.scoring.number_words.reading import read, unchanged
from tests.scoring.number_words.spellers import indic

BELOW_100 = (
    "शून्य एक दोन तीन चार पाच सहा सात आठ नऊ दहा अकरा बारा तेरा चौदा पंधरा सोळा सतरा अठरा एकोणीस "
    "वीस एकवीस बावीस तेवीस चोवीस पंचवीस सव्वीस सत्तावीस अठ्ठावीस एकोणतीस "
    "तीस एकतीस बत्तीस तेहतीस चौतीस पस्तीस छत्तीस सदतीस अडतीस एकोणचाळीस "
    "चाळीस एक्केचाळीस बेचाळीस त्रेचाळीस चव्वेचाळीस पंचेचाळीस सेहेचाळीस सत्तेचाळीस अठ्ठेचाळीस एकोणपन्नास "
    "पन्नास एक्कावन्न बावन्न त्रेपन्न चोपन्न पंचावन्न छप्पन्न सत्तावन्न अठ्ठावन्न एकोणसाठ "
    "साठ एकसष्ट बासष्ट त्रेसष्ट चौसष्ट पासष्ट सहासष्ट सदुसष्ट अडुसष्ट एकोणसत्तर "
    "सत्तर एक्काहत्तर बाहत्तर त्र्याहत्तर चौऱ्याहत्तर पंच्याहत्तर शहात्तर सत्याहत्तर अठ्ठ्याहत्तर एकोणऐंशी "
    "ऐंशी एक्क्याऐंशी ब्याऐंशी त्र्याऐंशी चौऱ्याऐंशी पंच्याऐंशी शहाऐंशी सत्त्याऐंशी अठ्ठ्याऐंशी एकोणनव्वद "
    "नव्वद एक्क्याण्णव ब्याण्णव त्र्याण्णव चौऱ्याण्णव पंच्याण्णव शहाण्णव सत्त्याण्णव अठ्ठ्याण्णव नव्व्याण्णव"
).split()


@pytest.mark.parametrize("lang", ["mr", None])
def test_every_number_below_100_is_read(lang: str | None) -> None:
    assert [read(word, lang) for word in BELOW_100] == [str(number) for number in range(100)]


@pytest.mark.parametrize("number", [105, 234, 999, 1000, 2023, 12_345, 100_000, 12_345_678, 10**9, 10**12])
def test_a_long_number_is_read(number: int) -> None:
    assert read(indic(number, BELOW_100, "-शे", "हजार", "लाख", "कोटी"), "mr") == str(number)


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("शंभर", "100"),
        ("पाच शे", "500"),
        ("दीड लाख", "150000"),
        ("दीडशे", "150"),
        ("अडीच हजार", "2500"),
        ("साडे तीन हजार", "3500"),
        ("साडेतीनशे", "350"),
        ("सव्वाशे", "125"),
        ("पावणे दोन लाख", "175000"),
        ("चौर्‍याहत्तर", "74"),
        ("उणे पाच", "-5"),
        ("तीन दशांश एक चार", "3.14"),
        ("५ लाख", "500000"),
        ("two लाख", "200000"),
    ],
)
def test_a_number_in_words(text: str, digits: str) -> None:
    assert read(text, "mr") == digits


@pytest.mark.parametrize("text", ["", "दोन्ही", "तीनपट", "पाचवा", "शेवट", "साडे"])
def test_what_is_no_single_number_stays(text: str) -> None:
    assert unchanged(text, "mr")
