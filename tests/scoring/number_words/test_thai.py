"""Thai number words, and the words that only hold their letters."""

import pytest

from tests.scoring.number_words.reading import read, unchanged


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("ห้า", "5"),
        ("ยี่สิบเอ็ด", "21"),
        ("ห้าร้อย", "500"),
        ("หนึ่งพันสองร้อยสามสิบสี่", "1234"),
        ("หนึ่งพันเอ็ด", "1001"),
        ("ร้อยห้าสิบ", "150"),
        ("พันบาท", "1000 บาท"),
        ("ร้อยเอ็ดบาท", "101 บาท"),
        ("สองล้านล้าน", "2000000000000"),
        ("2 ล้าน", "2000000"),
        ("๕ แสน", "500000"),
        ("5ล้านบาท", "5000000 บาท"),
        ("1.5 ล้าน", "1500000"),
        ("ลบห้า", "-5"),
        ("สามจุดหนึ่งสี่", "3.14"),
        ("สี่ห้าแปดสอง", "4582"),
        ("สี่ ห้า แปด สอง", "4582"),
        ("สอง สาม", "2 3"),
        ("ราคาห้าร้อยบาท", "ราคา 500 บาท"),
        ("เด็กสองคน", "เด็ก 2 คน"),
        ("วันที่สิบห้า", "วันที่ 15"),
        ("สามโมง", "3 โมง"),
        ("two ล้าน", "2000000"),
        ("ห้า million", "5000000"),
    ],
)
@pytest.mark.parametrize("lang", ["th", None])
def test_a_number_in_words(text: str, digits: str, lang: str | None) -> None:
    assert read(text, lang) == digits


@pytest.mark.parametrize(
    "text",
    [
        "",
        "สามารถ",
        "พันธุ์",
        "สัมพันธ์",
        "เก้าอี้",
        "แปดริ้ว",
        "หกล้ม",
        "ล้านนา",
        "ล้าน",
        "ร้อยเอ็ด",
        "สามร้อยยอด",
        "หลักสี่",
        "บางแสน",
        "ที่สอง",
        "ศูนย์การค้า",
        "ศูนย์",
        "สองพันห้า",  # 2005 in a book, 2500 at the market
        "ลบ 5 รายการ",
        "พรุ่งนี้เช้าไปกรุงเทพ",
    ],
)
def test_what_is_no_single_number_stays(text: str) -> None:
    assert unchanged(text, "th")
    assert unchanged(text, None)
