"""English number words, and the Indic magnitudes that English borrows."""

import pytest

from tests.scoring.number_words.reading import read, unchanged


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("zero", "0"),
        ("one hundred and five", "105"),
        ("a hundred and fifty", "150"),
        ("a hundred rupees, a day", "100 rupees a day"),
        ("twenty-five", "25"),
        ("fifteen hundred", "1500"),
        ("two thousand and twenty three", "2023"),
        ("one million two hundred thousand", "1200000"),
        ("two hundred thousand five hundred", "200500"),
        ("one trillion", "1000000000000"),
        ("one lakh crore", "1000000000000"),
        ("2 lakh 50 thousand", "250000"),
        ("5 lakhs", "500000"),
        ("5lakh", "500000"),
        ("3 lac", "300000"),
        ("two hazaar", "2000"),
        ("1.5 crore", "15000000"),
        ("₹5 cr", "₹ 50000000"),
        ("1,50,000 crore", "1500000000000"),
        ("4.5 million", "4500000"),
        ("4.56789 thousand", "4567.89"),
        ("two and a half", "2.5"),
        ("two and a half lakh", "250000"),
        ("five point five and a half", "5.5 and a half"),
        ("2 and a half million", "2500000"),
        ("rum and a half", "rum and a half"),
        ("Book for five people", "book for 5 people"),
    ],
)
def test_a_number_in_words(text: str, digits: str) -> None:
    assert read(text, "en") == digits


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("minus five", "-5"),
        ("negative twenty", "-20"),
        ("minus 5", "-5"),
        ("-2 lakh 50 thousand", "-250000"),
        ("three point one four", "3.14"),
        ("three point one zero", "3.10"),
        ("3 point 14", "3.14"),
        ("three point oh five", "3.05"),
        ("three point twenty five", "3.25"),
        ("minus zero point five", "-0.5"),
        ("three point five million", "3500000"),
        ("ten minus five", "10 minus 5"),
        ("point five", "point 5"),
    ],
)
def test_sign_and_point_count(text: str, digits: str) -> None:
    assert read(text, "en") == digits


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("four five eight two", "4582"),
        ("zero zero seven", "007"),
        ("nine eight oh five", "9805"),
        ("nine eight double seven", "9877"),
        ("triple nine", "999"),
        ("five eight", "5 8"),
        ("OTP is four five eight two please", "otp is 4582 please"),
        ("one two and three four five", "1 2 and 345"),
    ],
)
def test_three_digit_words_in_a_row_are_one_string(text: str, digits: str) -> None:
    assert read(text, "en") == digits


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hundred",
        "hundred thousandth",
        "twenty hundred five and",
        "two hundred three hundred",
        "two lakh 50",  # 200050, or two numbers
        "five million 2024",
        "twenty five eight two nine",
        "one point two point three",
        "four five eight hundred",
        "5 million thousand",
        "zero lakh",
        "two thousand thousand",
        "no one",
        "oh",
        "double",
        "someone often tensing weighty",
        "second third tenth",
        "5 10 15",
        "4th block",
        "lakhs of people",
        "CR 5",
        " ".join(["one"] * 100),
    ],
)
def test_what_is_no_single_number_stays(text: str) -> None:
    assert unchanged(text, "en")
