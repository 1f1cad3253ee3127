"""Bengali number words."""

import pytest

from tests.scoring.number_words.reading import read, unchanged
from tests.scoring.number_words.spellers import indic

BELOW_100 = (
    "শূন্য এক দুই তিন চার পাঁচ ছয় সাত আট নয় দশ এগারো বারো তেরো চৌদ্দ পনেরো ষোলো সতেরো আঠারো উনিশ "
    "বিশ একুশ বাইশ তেইশ চব্বিশ পঁচিশ ছাব্বিশ সাতাশ আঠাশ উনত্রিশ "
    "ত্রিশ একত্রিশ বত্রিশ তেত্রিশ চৌত্রিশ পঁয়ত্রিশ ছত্রিশ সাঁইত্রিশ আটত্রিশ উনচল্লিশ "
    "চল্লিশ একচল্লিশ বিয়াল্লিশ তেতাল্লিশ চুয়াল্লিশ পঁয়তাল্লিশ ছেচল্লিশ সাতচল্লিশ আটচল্লিশ উনপঞ্চাশ "
    "পঞ্চাশ একান্ন বাহান্ন তিপ্পান্ন চুয়ান্ন পঞ্চান্ন ছাপ্পান্ন সাতান্ন আটান্ন উনষাট "
    "ষাট একষট্টি বাষট্টি তেষট্টি চৌষট্টি পঁয়ষট্টি ছেষট্টি সাতষট্টি আটষট্টি উনসত্তর "
    "সত্তর একাত্তর বাহাত্তর তিয়াত্তর চুয়াত্তর পঁচাত্তর ছিয়াত্তর সাতাত্তর আটাত্তর উনআশি "
    "আশি একাশি বিরাশি তিরাশি চুরাশি পঁচাশি ছিয়াশি সাতাশি আটাশি উননব্বই "
    "নব্বই একানব্বই বিরানব্বই তিরানব্বই চুরানব্বই পঁচানব্বই ছিয়ানব্বই সাতানব্বই আটানব্বই নিরানব্বই"
).split()


@pytest.mark.parametrize("lang", ["bn", None])
def test_every_number_below_100_is_read(lang: str | None) -> None:
    assert [read(word, lang) for word in BELOW_100] == [str(number) for number in range(100)]


@pytest.mark.parametrize("hundred", ["শো", "-শো", "-শ", "-শত"])
@pytest.mark.parametrize("number", [105, 234, 999, 1000, 2023, 12_345, 100_000, 12_345_678, 10**9, 10**12])
def test_a_long_number_is_read(number: int, hundred: str) -> None:
    assert read(indic(number, BELOW_100, hundred, "হাজার", "লাখ", "কোটি"), "bn") == str(number)


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("দুশো", "200"),
        ("পাঁচ শ টাকা", "500 টাকা"),
        ("বেয়াল্লিশ", "42"),
        ("একতিরিশ", "31"),
        ("নশো নিরানব্বই", "999"),
        ("তেপ্পান্ন", "53"),
        ("ঊনাশি", "79"),
        ("দেড় লক্ষ", "150000"),
        ("আড়াইশো", "250"),
        ("সাড়ে তিন হাজার", "3500"),
        ("পৌনে দুই লাখ", "175000"),
        ("পাঁচটা ক্যাব", "5 টা ক্যাব"),
        ("দুজন", "2 জন"),
        ("নয়টায়", "9 টায়"),
        ("মাইনাস পাঁচ", "-5"),
        ("তিন দশমিক এক চার", "3.14"),
        ("৫ লাখ", "500000"),
        ("two লাখ", "200000"),
        ("দুই বার", "2 বার"),
    ],
)
def test_a_number_in_words(text: str, digits: str) -> None:
    assert read(text, "bn") == digits


@pytest.mark.parametrize("text", ["", "এটা নয়", "৫ নয়", "তিনি", "একজোট", "লাখ টাকা", "শনিবার"])
def test_what_is_no_single_number_stays(text: str) -> None:
    assert unchanged(text, "bn")
