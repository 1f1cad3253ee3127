"""Refusals: a call is none, silence is none, and words are left to a judge."""

import pytest

from voicebench.scoring.refusal import refused
from voicebench.types import ToolCall


@pytest.mark.parametrize("text", ["", "It is illegal to park there; I booked the cab."])
def test_a_readable_call_is_no_refusal(text: str) -> None:
    assert refused(text, [ToolCall(name="cab.book")]) is False


@pytest.mark.parametrize("text", ["", "  \n"])
def test_silence_is_no_refusal(text: str) -> None:
    assert refused(text, []) is False


@pytest.mark.parametrize("text", ["माफ़ कीजिए, मैं इसमें मदद नहीं कर सकता", "Done!", "I can't help with that."])
def test_words_are_undecided(text: str) -> None:
    assert refused(text, []) is None
