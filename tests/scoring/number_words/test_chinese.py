"""Chinese numerals, and the names that hold them."""

import pytest

from tests.scoring.number_words.reading import read, unchanged


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("三", "3"),
        ("十", "10"),
        ("二十五", "25"),
        ("五百", "500"),
        ("一百零五", "105"),
        ("一百〇五", "105"),
        ("一百五", "150"),
        ("三百五", "350"),
        ("一千零一十", "1010"),
        ("两万五", "25000"),
        ("三萬五千", "35000"),
        ("兩億", "200000000"),
        ("一万亿", "1000000000000"),
        ("壹仟贰佰叁拾肆", "1234"),
        ("3万", "30000"),
        ("3万5000", "35000"),
        ("3万5千", "35000"),
        ("1.5亿", "150000000"),
        ("5 万人", "50000 人"),
        ("负五", "-5"),
        ("負三點五", "-3.5"),
        ("三点一四", "3.14"),
        ("三点五万", "35000"),
        ("四五八二", "4582"),
        ("房号三零二", "房号 302"),
        ("二零二四年", "2024 年"),
        ("三点十五分", "3 点 15 分"),
        ("三点五分", "3 点 5 分"),
        ("下午六点半", "下午 6 点半"),
        ("十一月五日", "11 月 5 日"),
        ("订三个人的位子", "订 3 个人的位子"),
        ("五百元的酒店", "500 元的酒店"),
        ("two hundred 元", "200 元"),
    ],
)
@pytest.mark.parametrize("lang", ["zh", None])
def test_a_number_in_words(text: str, digits: str, lang: str | None) -> None:
    assert read(text, lang) == digits


@pytest.mark.parametrize(
    "text",
    [
        "",
        "三里屯",
        "九龙",
        "四川",
        "万科",
        "千岛湖",
        "一汽",
        "六安",
        "三元桥附近",
        "十三陵",
        "陆家嘴",
        "伍先生",
        "张三",
        "星期三",
        "双十一",
        "第三",
        "一点",
        "有一点贵",
        "十分好",
        "三分之一",
        "千万别",
        "百万",
        "几十个",
        "五千克",
        "三四",
        "一二三木头人",
        "明天早上去北京的火车票",
    ],
)
def test_what_is_no_single_number_stays(text: str) -> None:
    assert unchanged(text, "zh")
    assert unchanged(text, None)
