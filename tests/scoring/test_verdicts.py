"""A judge's verdict is one JSON object with one of two words; all else is an error, never a score."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.scoring.judge_prompts import PARAMETERS, REFUSAL
from voicebench.scoring.verdicts import MAX_CHARACTERS, JudgeError, Verdict, read_verdict

RIGHT = '{"reason": "मैजेस्टिक and Majestic are one place.", "verdict": "correct"}'


@pytest.mark.parametrize(
    "answer",
    [
        RIGHT,
        f"```json\n{RIGHT}\n```",
        f"Let me see. The place is the same.\n{RIGHT}",
        f"<think>\nIs it {{the same}}?\n</think>\n{RIGHT}",
        f"{RIGHT}<|im_end|>",
        f'The call was {{"name": "cab.book", "arguments": {{}}}}. {RIGHT}',
        RIGHT.replace("correct", " Correct "),
    ],
)
def test_one_verdict_object_is_read_wherever_it_stands(answer: str) -> None:
    assert read_verdict(answer, PARAMETERS) == Verdict(True, "मैजेस्टिक and Majestic are one place.")


def test_each_figure_has_its_own_words() -> None:
    assert read_verdict('{"reason": "", "verdict": "not_refused"}', REFUSAL).yes is False
    with pytest.raises(JudgeError, match="neither 'refused' nor 'not_refused'"):
        read_verdict(RIGHT, REFUSAL)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "The calls are correct.",
        "Verdict: correct",
        "4/5",
        "correct",
        '{"rationale": "Could not evaluate"}',
        '{"score": "invalid"}',
        '{"reason": "fine", "verdict": "correct"',
        "{'reason': 'fine', 'verdict': 'correct'}",
        '{"result": {"reason": "fine", "verdict": "correct"}}',
        '{"verdict": "correct", "verdict": "incorrect"}',
        "<think>It is correct",
    ],
)
def test_an_answer_without_a_verdict_is_an_error(answer: str) -> None:
    with pytest.raises(JudgeError):
        read_verdict(answer, PARAMETERS)


@pytest.mark.parametrize(
    "word", ['"5/5"', '"partly correct"', "1", "true", "null", '"yes"', '["correct"]', '""']
)
def test_another_verdict_is_an_error(word: str) -> None:
    with pytest.raises(JudgeError, match="neither 'correct' nor 'incorrect'"):
        read_verdict(f'{{"reason": "r", "verdict": {word}}}', PARAMETERS)


@pytest.mark.parametrize("second", ["correct", "incorrect"])
def test_two_verdicts_are_an_error_agreeing_or_not(second: str) -> None:
    with pytest.raises(JudgeError, match="2 verdicts"):
        read_verdict(f'{RIGHT} {{"reason": "then again", "verdict": "{second}"}}', PARAMETERS)


def test_the_error_shows_where_the_judge_went_wrong() -> None:
    with pytest.raises(JudgeError, match="no verdict in the judge's answer: 'ठीक है।'"):
        read_verdict("ठीक\n है।", PARAMETERS)


def test_an_endless_answer_is_an_error() -> None:
    with pytest.raises(JudgeError, match="at most 20,000 are read"):
        read_verdict(RIGHT + " " * MAX_CHARACTERS, PARAMETERS)


def test_brackets_without_end_are_an_error_soon() -> None:
    with pytest.raises(JudgeError):
        read_verdict('{"a":' * (MAX_CHARACTERS // 5), PARAMETERS)


PIECES = st.sampled_from(
    ["{", "}", '"verdict"', ":", '"correct"', "```", "<think>", "</think>", RIGHT, ",", "\\"]
)


@given(st.one_of(st.text(), st.lists(PIECES).map("".join)))
def test_reading_raises_nothing_but_its_own_error(answer: str) -> None:
    try:
        verdict = read_verdict(answer, PARAMETERS)
    except JudgeError:
        return
    assert '"verdict"' in answer
    assert isinstance(verdict.yes, bool)


@given(st.text(max_size=80), st.booleans())
def test_what_a_judge_writes_by_the_schema_is_read(reason: str, yes: bool) -> None:
    answer = json.dumps({"reason": reason, "verdict": PARAMETERS.yes if yes else PARAMETERS.no})
    assert read_verdict(answer, PARAMETERS).yes is yes
