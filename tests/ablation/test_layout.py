"""How the tables are laid out, for a cascade and for a model that hears."""

import pytest

from tests.ablation.helpers import AGENT, CASCADE
from voicebench.ablation.layout import Subject, layouts, with_change
from voicebench.errors import UserError
from voicebench.types import Prompting


def heads(subject: Subject) -> dict[str, list[tuple[str, str, str]]]:
    return {
        layout.name: [(one.label, one.agent, one.condition) for one in layout.columns]
        for layout in layouts(subject)
    }


def test_the_tables_of_a_cascade_are_the_papers_four() -> None:
    assert heads(CASCADE) == {
        "hearing": [
            ("gold text", AGENT, "text"),
            ("whisper-base", AGENT, "speech"),
            ("indic-conformer", AGENT, "transcript:indic-conformer"),
        ],
        "example": [("one-shot", AGENT, "speech"), ("zero-shot", f"{AGENT}@zero-shot", "speech")],
        "refusal": [("refusal prompt", AGENT, "speech"), ("none", f"{AGENT}@no-refusal", "speech")],
        "hints": [("no hint", AGENT, "speech"), ("hint", AGENT, "speech")],
    }


def test_a_speech_lm_is_held_against_text_and_a_transcript() -> None:
    assert heads(Subject("kimi-audio", second_asr="whisper-base"))["hearing"] == [
        ("gold text", "kimi-audio", "text"),
        ("speech", "kimi-audio", "speech"),
        ("whisper-base", "kimi-audio", "transcript:whisper-base"),
    ]


def test_without_a_second_asr_there_is_one_step_and_a_word_on_it() -> None:
    hearing, *_ = layouts(Subject(AGENT, asr="whisper-base"))
    assert (len(hearing.columns), hearing.steps, hearing.recovers) == (2, ((0, 1),), False)
    assert "No second ASR was named" in hearing.note


def test_the_columns_stand_in_the_same_order_whatever_the_agent_is_told() -> None:
    told = Subject("a", Prompting(one_shot=False, refusal_prompt=False))
    assert heads(told)["example"] == [("one-shot", "a@one-shot", "speech"), ("zero-shot", "a", "speech")]
    assert heads(told)["refusal"] == [("refusal prompt", "a@refusal", "speech"), ("none", "a", "speech")]


def test_native_tools_have_no_worked_example_to_leave_out() -> None:
    _, example, *_ = layouts(Subject("a", Prompting(tools="native")))
    assert (example.columns, example.steps) == ((), ())
    assert "native tools" in example.note


def test_hints_are_over_different_requests_and_said_to_be() -> None:
    *_, hints = layouts(CASCADE)
    assert not hints.paired
    assert "unpaired" in hints.note


def test_effects_can_be_heard_throughout() -> None:
    found = heads(Subject("a", condition="speech/noise-10dB"))
    assert [condition for _, _, condition in found["hearing"]] == ["text", "speech/noise-10dB"]
    assert {condition for _, _, condition in found["example"]} == {"speech/noise-10dB"}


@pytest.mark.parametrize(
    ("agent", "name"),
    [("a", "a@zero-shot"), ("a@native", "a@native,zero-shot"), ("x+http://h/v1#m@q", "x+http://h/v1#m@q,zero-shot")],
)  # fmt: skip
def test_a_change_joins_the_variant_that_an_agent_has(agent: str, name: str) -> None:
    assert with_change(agent, "zero-shot") == name


def test_an_asr_is_not_held_against_itself() -> None:
    with pytest.raises(UserError, match="the second ASR is the agent's own \\(whisper-base\\)"):
        Subject(AGENT, asr="whisper-base", second_asr="whisper-base")
