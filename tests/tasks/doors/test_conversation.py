"""Other sets' dialogues become turns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.tasks.doors import NoTask
from voicebench.tasks.doors.conversation import Said, check_said, conversation, without_calls
from voicebench.types import GoldCall


@pytest.mark.parametrize(
    ("text", "words", "result"),
    [
        ("Yes. API-Request: [F(a='1')]->{'ok': True}", "Yes.", "{'ok': True}"),
        ("API-Request: [F(a='[1]->2')]->done\nand more", "", "2')]->done\nand more"),
        ("API-Request: [F()]", "", ""),
        ("हाँ, API-Request: [F()]->ठीक", "हाँ,", "ठीक"),
        ("No call here.", "No call here.", ""),
        ("Fine.\nGenerate API Request:\n", "Fine.", ""),
        ("", "", ""),
    ],
)
def test_residue_is_cut_to_the_end_of_the_turn(text: str, words: str, result: str) -> None:
    assert without_calls(text) == (words, result)


@given(st.text(max_size=60).filter(lambda text: "API" not in text))
def test_words_without_a_call_stay(text: str) -> None:
    assert without_calls(text) == (text.strip(), "")


def test_a_turn_that_was_a_call_alone_is_gone_and_its_neighbours_join() -> None:
    talk = conversation(
        [
            Said("user", "Go."),
            Said("assistant", "Well."),
            Said("assistant", "API-Request: [F()]->7"),
            Said("assistant", "It is seven."),
            Said("user", "Thanks, again?"),
            Said("assistant", "Sure."),
        ]
    )
    assert [one.text for one in talk.said] == ["Go.", "Well. It is seven.", "Thanks, again?"]
    assert talk.results == "7"


def test_turns_with_recordings_are_not_joined() -> None:
    talk = conversation([Said("user", "One.", "1.wav"), Said("user", "Two.", "2.wav")])
    assert [one.sound for one in talk.said] == ["1.wav", "2.wav"]


def test_somebody_must_ask() -> None:
    with pytest.raises(NoTask, match="the user says nothing"):
        conversation([Said("assistant", "Hello."), Said("user", "  ")])


def _check(value: object, said: str, result: str) -> None:
    talk = conversation(
        [Said("user", said), Said("assistant", f"API-Request: [F()]->{result}"), Said("user", "Go.")]
    )
    check_said([GoldCall(name="f", arguments={"p": [value]})], talk)


def test_a_value_that_was_said_may_stand_in_a_result_too() -> None:
    _check("Zeta 9", "It is ZETA 9.", "{'room': 'Zeta 9'}")


def test_a_value_that_stands_nowhere_is_left_to_the_check() -> None:
    _check("breakfast", "The morning meal.", "{'room': 4}")


def test_a_day_is_said_in_words() -> None:
    _check("2023-03-09", "On March 9th.", "{'day': '2023-03-09'}")


@pytest.mark.parametrize("value", ["tok-1", ["tok-1"], {"token": "tok-1"}])
def test_a_value_that_a_result_alone_gives_cannot_be_known(value: object) -> None:
    with pytest.raises(NoTask, match="only in the result of an earlier call"):
        _check(value, "I am Asha.", "{'token': 'tok-1'}")
