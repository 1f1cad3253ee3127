from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.environments.said import said


@pytest.mark.parametrize(
    ("value", "text", "lang"),
    [
        (1628, "That makes ₹1,628 in all.", "en"),
        (100000, "किराया एक लाख रुपये है", "hi"),
        (120, "एक सौ बीस रुपये", "hi"),
        (120, "It is ₹120.00.", "en"),
        (342.5, "342.50", "en"),
        (23553, "๒๓๕๕๓ บาท", "th"),
        (342, "three hundred and forty two rupees", "en"),
        ("R-5012", "Your ride is R-5012.", "en"),
        ("R-5012", "R 5 0 1 2", "en"),
        ("R-5012", "It is R, 5, 0, 1, 2.", "en"),
        (["7", "a week"], "at most a week ahead", "en"),
        (7, "सात दिन", "hi"),
    ],
)
def test_what_is_said_is_found(value: Any, text: str, lang: str) -> None:
    assert said(value, [text], lang)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (5, "order 15"),
        (120, "1200 rupees"),
        (120, "₹120.50"),
        (120, "1,120"),
        ("R-5012", "R-50123"),
        ("R-5012", "R 5 0 1 3"),
        ("R-5012", "5 0 1 2"),
        (7, ""),
        (["7", "week"], "weekly 17"),
        (True, "true"),
    ],
)
def test_what_is_not_said_is_not_found(value: Any, text: str) -> None:
    assert not said(value, [text], "en")


def test_one_of_the_turns_is_enough_but_two_halves_are_not() -> None:
    assert said(4582, ["hello", "4582"])
    assert not said(4582, ["45", "82"])


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_a_number_is_said_by_itself_alone(number: int, other: int) -> None:
    assert said(number, [f"It costs {other} rupees."], "en") == (number == other)
