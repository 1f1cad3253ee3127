"""Currencies and percent beside a number."""

import pytest

from voicebench.scoring.currency import agree, take_marks
from voicebench.scoring.text import same_text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("₹500", "500 rupees"),
        ("Rs. 500", "500 रुपये"),
        ("Rs.500", "INR 500"),
        ("500 रुपए", "৫০০ টাকা"),  # in Kolkata, these are rupees
        ("৳500", "৫০০ টাকা"),
        ("₹500", "500 ரூபாய்"),
        ("₹500", "500 రూపాయలు"),
        ("₹500", "500 രൂപ"),
        ("₹500/-", "₹500"),
        ("฿500", "500บาท"),
        ("THB 500", "500 baht"),
        ("500.000₫", "500,000 đồng"),
        ("500000 VND", "500.000 đ"),
        ("Rp50.000", "Rp 50,000"),
        ("50000 rupiah", "IDR 50000"),
        ("₱500", "500 piso"),
        ("PHP 500", "500 pesos"),
        ("¥500", "500元"),
        ("500块钱", "人民币500元"),
        ("500塊錢", "500新台幣"),
        ("¥500", "500 yen"),  # the sign is said of both
        ("US$5", "5 dollars"),
        ("S$5", "$5"),
        ("5 美元", "USD 5"),
        ("€5", "5 euros"),
        ("£5", "GBP 5"),
        ("-₹500", "₹ -500"),
        ("-Rs 500", "Rs -500"),
        ("₹500", "500"),  # missing on one side
        ("Pay ₹500 and $20", "pay 500 and $20"),
    ],
)
def test_the_same_money(one: str, other: str) -> None:
    assert same_text(one, other)
    assert same_text(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("₹500", "$500"),
        ("500 रुपये", "500 บาท"),
        ("US$5", "S$5"),
        ("500 yen", "500元"),
        ("₹500", "500 taka BDT"),
        ("₹500", "₹-500"),
        ("₹500", "₹50"),
        ("Rs .5", "Rs 5"),
        ("$5 and ₹6", "$5 and $6"),
        ("₹ $ 5", "₹ 5"),
        ("2 pounds", "2"),
        ("rupees", "dollars"),
        ("500 rupees", "rupees"),
        ("50.000", "50000"),  # without its currency, this may be fifty
        ("$50.000", "$50000"),
    ],
)
def test_other_money(one: str, other: str) -> None:
    assert not same_text(one, other)
    assert not same_text(other, one)


@pytest.mark.parametrize(
    "written",
    [
        "5 %", "५%", "5 percent", "5 per cent", "5 प्रतिशत", "5 फ़ीसदी", "5 टक्के", "৫ শতাংশ", "5 சதவீதம்",
        "5 శాతం", "5 ശതമാനം", "5 phần trăm", "5 เปอร์เซ็นต์", "ร้อยละ 5", "5 persen", "5 porsiyento",
        "百分之五", "百分之5",
    ],
)  # fmt: skip
def test_percent_in_any_language(written: str) -> None:
    assert same_text(written, "5%")
    assert not same_text(written, "5")


def test_two_dots_group_thousands_where_the_language_writes_them_so() -> None:
    assert same_text("1.500.000", "1500000", "id")
    assert same_text("1.500.000", "1500000", "vi")
    assert not same_text("1.500.000", "1500000", "en")
    assert not same_text("1.500", "1500", "vi")


def test_a_currency_is_remembered_with_its_number() -> None:
    words, marks = take_marks(["pay", "₹", "500", "to", "2", "people"])
    assert words == ["pay", "500", "to", "2", "people"]
    assert marks == ((0, frozenset({"INR"})),)


def test_two_currencies_at_one_number_agree_with_no_other() -> None:
    _, marks = take_marks(["₹", "500", "dollars"])
    assert marks == ((0, frozenset()),)
    assert agree(marks, marks)
    assert not agree(marks, ((0, frozenset({"INR"})),))
