"""Vietnamese number words, and the words that are more than that."""

import pytest

from tests.scoring.number_words.reading import read, unchanged


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("mười lăm", "15"),
        ("hăm lăm", "25"),
        ("một triệu không trăm năm mươi nghìn", "1050000"),
        ("một triệu không trăm linh năm nghìn", "1005000"),
        ("hai nghìn không trăm hai mươi ba", "2023"),
        ("hai mươi mốt", "21"),
        ("hai mươi tư", "24"),
        ("hai mươi lăm", "25"),
        ("năm mươi lăm", "55"),
        ("một trăm linh năm", "105"),
        ("một trăm lẻ năm", "105"),
        ("hai nghìn không trăm linh năm", "2005"),
        ("hai ngàn", "2000"),
        ("hai triệu rưỡi", "2500000"),
        ("ba rưỡi", "3.5"),
        ("một nghìn tỷ", "1000000000000"),
        ("10 nghìn", "10000"),
        ("2 triệu 500 nghìn", "2500000"),
        ("1.5 tỷ", "1500000000"),
        ("500tr", "500000000"),
        ("ba phẩy năm", "3.5"),
        ("âm năm", "-5"),
        ("không chín một hai ba", "09123"),
        ("two triệu", "2000000"),
    ],
)
def test_a_number_in_words(text: str, digits: str) -> None:
    assert read(text, "vi") == digits


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("năm", "5"),
        ("bàn cho năm người", "bàn cho 5 người"),
        ("quận năm", "quận 5"),
        ("hai năm", "2 năm"),
        ("ba mươi năm", "30 năm"),
        ("năm nay", "năm nay"),
        ("năm 2023", "năm 2023"),
        ("hai ba năm", "hai ba năm"),
    ],
)
def test_a_year_is_not_five(text: str, read_as: str) -> None:
    assert read(text, "vi") == read_as


@pytest.mark.parametrize(
    "text", ["", "không", "thứ tư", "hai trăm ba", "hai triệu năm", "2 triệu 5", "trăm", "nghìn người", "bà"]
)
def test_what_is_no_single_number_stays(text: str) -> None:
    assert unchanged(text, "vi")
