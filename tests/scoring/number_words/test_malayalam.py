"""Malayalam number words, written apart or grown together."""

import pytest

from tests.scoring.number_words.reading import read, unchanged

_UNITS = "- ഒന്ന് രണ്ട് മൂന്ന് നാല് അഞ്ച് ആറ് ഏഴ് എട്ട് ഒമ്പത്".split()
_TENS = "ഇരുപത് മുപ്പത് നാൽപത് അമ്പത് അറുപത് എഴുപത് എൺപത് തൊണ്ണൂറ്".split()
_OPEN_TENS = "ഇരുപത്തി മുപ്പത്തി നാൽപത്തി അമ്പത്തി അറുപത്തി എഴുപത്തി എൺപത്തി തൊണ്ണൂറ്റി".split()


@pytest.mark.parametrize("between", [" ", ""])
@pytest.mark.parametrize("lang", ["ml", None])
def test_tens_and_units_are_read(lang: str | None, between: str) -> None:
    for ten, (whole, opened) in enumerate(zip(_TENS, _OPEN_TENS, strict=True), 2):
        assert read(whole, lang) == str(10 * ten)
        for unit in range(1, 10):
            assert read(f"{opened}{between}{_UNITS[unit]}", lang) == str(10 * ten + unit)


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("പൂജ്യം", "0"),
        ("പതിനൊന്ന്", "11"),
        ("പതിനയ്യായിരം", "15000"),
        ("അഞ്ചേകാൽ", "5.25"),
        ("ഒന്നേമുക്കാൽ ലക്ഷം", "175000"),
        ("പതിനയ്യായിരത്തി ഇരുനൂറ്", "15200"),
        ("പന്ത്രണ്ട്", "12"),
        ("പത്തൊൻപത്", "19"),
        ("ഇരുപത്തിയഞ്ച്", "25"),
        ("ഇരുപത്തഞ്ച്", "25"),
        ("ഇരുപത്തിഅഞ്ചു", "25"),
        ("നാല്‍പ്പത്തിമൂന്ന്", "43"),
        ("തൊണ്ണൂറ്റൊമ്പത്", "99"),
        ("നൂറ്", "100"),
        ("നൂറ്റി അഞ്ച്", "105"),
        ("നൂറ്റിയഞ്ച്", "105"),
        ("ഇരുനൂറ്", "200"),
        ("മുന്നൂറ്റി നാൽപത്തിയഞ്ച്", "345"),
        ("തൊള്ളായിരം", "900"),
        ("ആയിരത്തി അഞ്ഞൂറ്", "1500"),
        ("ആയിരത്തിയഞ്ഞൂറ്", "1500"),
        ("രണ്ടായിരത്തി ഇരുപത്തിമൂന്ന്", "2023"),
        ("മൂവായിരം", "3000"),
        ("ഒമ്പതിനായിരം", "9000"),
        ("പതിനായിരം", "10000"),
        ("ഇരുപത്തയ്യായിരം", "25000"),
        ("ഒരു ലക്ഷം", "100000"),
        ("രണ്ടര ലക്ഷം", "250000"),
        ("൫ ലക്ഷം", "500000"),
        ("two ലക്ഷം", "200000"),
        (
            "ഒരു കോടി ഇരുപത്തിമൂന്ന് ലക്ഷത്തി നാൽപത്തയ്യായിരത്തി അറുനൂറ്റി എഴുപത്തിയെട്ട്",
            "12345678",
        ),
        ("ഒരു ലക്ഷം കോടി", "1000000000000"),
        ("മൈനസ് അഞ്ച്", "-5"),
        ("മൂന്ന് പോയിന്റ് ഒന്ന് നാല്", "3.14"),
        ("നാല് അഞ്ച് എട്ട് രണ്ട്", "4582"),
    ],
)
def test_a_number_in_words(text: str, digits: str) -> None:
    assert read(text, "ml") == digits


@pytest.mark.parametrize("text", ["", "ഒരു പുസ്തകം", "അഞ്ചാം", "നാലാമത്തെ", "ഇരുപത്തി", "അര", "കോടി", "നാളെ"])
def test_what_is_no_single_number_stays(text: str) -> None:
    assert unchanged(text, "ml")
