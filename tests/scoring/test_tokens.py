"""Words, numbers and symbols: what belongs to a number stays with it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.scoring.folding import fold
from voicebench.scoring.tokens import tokens


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("b-12", ["b", "12"]),
        ("b12c", ["b", "12", "c"]),
        ("सेक्टर-15", ["सेक्टर", "15"]),
        ("a -1", ["a", "-1"]),
        ("-5 °c", ["-5", "°", "c"]),
        ("- 5", ["-5"]),
        ("(-5)", ["-5"]),
        ("₹-500", ["₹", "-500"]),
        ("12-13", ["12-13"]),
        ("12 - 13", ["12-13"]),
        ("12 -13", ["12", "-13"]),
        ("1 / 2", ["1/2"]),
        ("10:30", ["10:30"]),
        ("5'6", ["5'6"]),
        ('6" pizza', ['6"', "pizza"]),
        ('"sector 5"', ["sector", "5"]),
        ("domino's", ["dominos"]),
        (".5", [".5"]),
        ("x.5", ["x", "5"]),
        ("5...6", ["5...6"]),
        ("1e-3", ["1e-3"]),
        ("5 %", ["5%"]),
        ("5‰", ["5‰"]),
        ("a, b", ["a", ",", "b"]),
        ("a, bc", ["a", "bc"]),
        ("c++", ["c", "+", "+"]),
        ("grade a-, f# (ab-)", ["grade", "a-", "f#", "ab-"]),
        ("b- 12", ["b", "12"]),
        ("x-ray", ["x", "ray"]),
        ("नमस्ते। जी", ["नमस्ते", "जी"]),
        ("bandra,mumbai 400050.", ["bandra", "mumbai", "400050"]),
        ("बांद्रा,400050", ["बांद्रा", "400050"]),
    ],
)
def test_the_tokens_of_a_text(text: str, found: list[str]) -> None:
    assert tokens(text) == found


@given(st.text())
def test_tokens_hold_no_spaces_and_are_the_same_when_split_again(text: str) -> None:
    found = tokens(fold(text))
    assert all(found) and " ".join(found).split() == found
    assert tokens(" ".join(found)) == found
