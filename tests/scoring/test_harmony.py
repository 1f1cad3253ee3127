"""Harmony: each channel is what it is, and a stop inside a string stops nothing."""

import pytest

from voicebench.scoring.calls import read_calls, without_reasoning
from voicebench.scoring.harmony import is_harmony, taken_apart
from voicebench.types import Tool, ToolCall

TOOLS = [Tool(name="cab.get_fare", parameters={"properties": {"drop": {"type": "string"}}})]
REASONING = "<|channel|>analysis<|message|>cab.get_fare('?') perhaps<|end|>"
HEADER = "<|start|>assistant<|channel|>commentary to=functions.cab.get_fare <|constrain|>json<|message|>"
CALL = HEADER + '{"drop": "पुणे"}'
FINAL = "<|start|>assistant<|channel|>final<|message|>किराया देखता हूँ।<|return|>"


def test_reasoning_words_and_calls_are_told_apart() -> None:
    words = "<|start|>assistant<|channel|>commentary<|message|>One moment.<|end|>"
    answer = f"{REASONING}{words}{CALL}<|call|>{FINAL}"
    found = taken_apart(answer)
    assert found.calls == (("functions.cab.get_fare", '{"drop": "पुणे"}'),)
    assert found.words == "One moment.\nकिराया देखता हूँ।"
    assert without_reasoning(answer) == found.words


@pytest.mark.parametrize(
    "header",
    [
        "<|channel|>commentary to=functions.cab.get_fare <|constrain|>json",
        "<|channel|>commentary to=functions.cab.get_fare<|constrain|>json",
        "<|channel|>commentary to=functions.cab.get_fare",
        "<|channel|>analysis to=functions.cab.get_fare code",
        "<|start|>assistant to=functions.cab.get_fare<|channel|>commentary json",
        " to=functions.cab.get_fare<|channel|>commentary json",
        "<|start|>assistant to=functions.cab_get_fare",
    ],
)
@pytest.mark.parametrize("stop", ["<|call|>", "<|end|>", ""])
def test_the_address_may_stand_in_either_part_of_the_header(header: str, stop: str) -> None:
    wanted = (ToolCall(name="cab.get_fare", arguments={"drop": "पुणे"}),)
    assert read_calls(f'{header}<|message|>{{"drop": "पुणे"}}{stop}', TOOLS) == wanted


def test_a_stop_inside_a_string_is_text() -> None:
    answer = f'{HEADER}{{"drop": "<|call|> <|start|>"}}<|call|>'
    assert taken_apart(answer).calls[0][1] == '{"drop": "<|call|> <|start|>"}'


def test_what_the_agent_lets_others_say_is_left_out() -> None:
    made_up = (
        f"{CALL}<|call|><|start|>functions.cab.get_fare to=assistant<|channel|>commentary<|message|>"
        '{"fare": 250}<|end|><|start|>user<|message|>cab.get_fare("x")<|end|>'
    )
    assert taken_apart(made_up).words == ""
    assert len(read_calls(made_up, TOOLS)) == 1


def test_calls_without_a_channel_are_read_from_the_words() -> None:
    answer = f"{REASONING}<|start|>assistant<|channel|>final<|message|>[cab.get_fare('पुणे')]<|return|>"
    assert read_calls(answer, TOOLS) == (ToolCall(name="cab.get_fare", arguments={"drop": "पुणे"}),)


def test_an_answer_that_only_speaks_of_channels_is_none() -> None:
    assert not is_harmony("The mark <|message|> begins a message.")
    assert (
        read_calls("cab.get_fare('<|start|><|message|>')", TOOLS)[0].arguments["drop"]
        == "<|start|><|message|>"
    )
