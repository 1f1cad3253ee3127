"""Chat completions: what is asked, and what the pieces of an answer mean."""

import base64
import json
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from voicebench.errors import AgentFailure
from voicebench.types import Audio, Message, Part, Tool
from voicebench.wire.chat import ChatReader, ToolNames, chat_body

Chunk = dict[str, Any]
SOUND = Audio(np.zeros(4, np.float32), 16_000)
USAGE: Chunk = {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}


def delta(finish: str | None = None, **fields: Any) -> Chunk:
    return {"choices": [{"index": 0, "delta": fields, "finish_reason": finish}]}


def calls(*pieces: Any) -> Chunk:
    return delta(tool_calls=list(pieces))


def call(index: int | None = 0, *, id: str | None = None, **function: Any) -> Chunk:
    named = {"id": id} if id is not None else {}
    return {**({} if index is None else {"index": index}), **named, "function": function}


def read(*chunks: Chunk, names: ToolNames | None = None) -> list[Part]:
    reader = ChatReader("some", names=names)
    parts = [part for at_s, chunk in enumerate(chunks) for part in reader.feed(float(at_s), chunk)]
    return parts + reader.finish()


def called(*chunks: Chunk, names: ToolNames | None = None) -> list[Any]:
    return [json.loads(part.text) for part in read(*chunks, names=names) if part.kind == "call" and part.text]


# ---- Moments ----


def test_what_is_no_token_marks_no_moment() -> None:
    """Role alone at 1 ms, reasoning at 1.2 s, a call at 3 s, no content ever, usage at the end."""
    reader = ChatReader("some")
    chunks = [
        (0.001, delta(role="assistant", content="")),
        (1.2, delta(reasoning_content="Hm.")),
        (3.0, calls(call(id="a", name="book", arguments=""))),
        (3.1, calls(call(arguments="{}"))),
        (3.2, delta("tool_calls")),
        (9.0, USAGE),
    ]
    parts = [part for at_s, chunk in chunks for part in reader.feed(at_s, chunk)] + reader.finish()
    assert [(part.kind, part.at_s) for part in parts] == [
        ("reasoning", 1.2), ("call", 3.0), ("call", 3.1), ("usage", 9.0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "chunk",
    [
        delta(role="assistant", content=""), delta(role="assistant"), delta(content=None), delta("stop"),
        delta(reasoning_content="", content=""), delta(tool_calls=[]), delta(tool_calls=None), USAGE,
        {"choices": []}, {"choices": None}, {"type": "ping"}, {},
        {"choices": [{"index": 0, "delta": None, "finish_reason": "stop"}]},
    ],
)  # fmt: skip
def test_a_chunk_without_text_is_no_part(chunk: Chunk) -> None:
    assert ChatReader("some").feed(1.0, chunk) == []


def test_text_and_reasoning_come_apart_under_each_of_their_names() -> None:
    parts = read(
        delta(reasoning_content="a", reasoning="a"), delta(reasoning="b", content="नम"),
        delta(content=[{"type": "thinking", "thinking": [{"type": "text", "text": "c"}]}]),
        delta(content=[{"type": "text", "text": "स्ते"}]), delta(refusal="I will not"),
    )  # fmt: skip
    assert [(part.kind, part.text) for part in parts] == [
        ("reasoning", "a"), ("reasoning", "b"), ("content", "नम"), ("reasoning", "c"), ("content", "स्ते"),
        ("content", "I will not"),
    ]  # fmt: skip


def test_only_the_first_choice_is_read() -> None:
    choices = [
        {"index": 1, "delta": {"content": "b"}, "finish_reason": "length"},
        {"index": 0, "delta": {"content": "a"}, "finish_reason": None},
    ]
    reader = ChatReader("some")
    assert [part.text for part in reader.feed(0.0, {"choices": choices})] == ["a"]
    assert reader.finish_reason is None


def test_an_answer_at_once_marks_no_first_token() -> None:
    message = {"role": "assistant", "content": "[go()]", "reasoning_content": "Hm."}
    reader = ChatReader("some")
    whole = {"choices": [{"index": 0, "message": message}], "usage": {"prompt_tokens": 1}}
    assert reader.feed(2.0, whole) == [Part("answer", "[go()]", 2.0)]
    assert reader.is_complete
    assert reader.finish() == [Part("usage", "", 2.0, {"input_tokens": 1})]


def test_calls_at_once_are_whole() -> None:
    message = {"content": None, "tool_calls": [{"id": "a", "function": {"name": "go", "arguments": "{}"}}]}
    assert read({"choices": [{"message": message, "finish_reason": "tool_calls"}]}) == [
        Part("answer", "", 0.0),
        Part("call", '{"name": "go", "arguments": {}}', 0.0),
    ]


def test_a_whole_message_after_its_pieces_says_nothing_new() -> None:
    again = {"choices": [{"index": 0, "message": {"content": "ab"}, "finish_reason": "stop"}]}
    assert [part.text for part in read(delta(content="a"), delta(content="b"), again)] == ["a", "b"]


def test_a_reader_knows_when_the_answer_has_ended() -> None:
    reader = ChatReader("some")
    reader.feed(0.0, delta(content="a"))
    assert not reader.is_complete
    reader.feed(1.0, delta("length"))
    assert (reader.is_complete, reader.finish_reason) == (True, "length")


# ---- Calls ----


def test_calls_come_in_pieces_by_their_index() -> None:
    parts = read(
        calls(call(0, id="a", name="cab.book", arguments="")),
        calls(call(0, arguments='{"to": "ह')),
        calls(call(1, id="b", name="pay"), call(0, arguments='वा महल"}')),
        calls(call(1, arguments="{}")),
    )
    assert parts == [
        Part("call", "", 0.0), Part("call", "", 2.0),
        Part("call", '{"name": "cab.book", "arguments": {"to": "हवा महल"}}', 2.0),
        Part("call", '{"name": "pay", "arguments": {}}', 3.0),
    ]  # fmt: skip


def test_calls_that_all_have_the_same_index_or_none_are_told_apart_by_their_ids() -> None:
    for index in (0, None):
        pieces = [call(index, id=id, name="go", arguments=f'{{"n": "{id}"}}') for id in "ab"]
        assert called(*map(calls, pieces)) == [{"name": "go", "arguments": {"n": n}} for n in "ab"]


def test_a_name_in_pieces_is_one_and_a_name_told_twice_is_one() -> None:
    assert called(calls(call(name="cab_", arguments="")), calls(call(name="book", arguments="{}"))) == [
        {"name": "cab_book", "arguments": {}}
    ]
    again = calls(call(id="a", name="go", arguments="{")), calls(call(id="a", name="go", arguments="}"))
    assert called(*again) == [{"name": "go", "arguments": {}}]


def test_a_call_in_the_old_form_is_one() -> None:
    assert called(
        delta(function_call={"name": "go", "arguments": '{"a"'}), delta(function_call={"arguments": ": 1}"})
    ) == [{"name": "go", "arguments": {"a": 1}}]


@pytest.mark.parametrize(
    ("sent", "arguments"),
    [
        ('{"a": "क"}', {"a": "क"}),
        ({"a": 1}, {"a": 1}),
        (json.dumps('{"a": 1}'), {"a": 1}),
        ("", {}),
        (None, {}),
        (" ", {}),
        ("null", {}),
        ('{"a": ', '{"a": '),
        ('{}""', '{}""'),
        ("[1]", [1]),
        ("Bengaluru", "Bengaluru"),
        ('"Bengaluru"', "Bengaluru"),
    ],
)
def test_arguments_may_be_text_an_object_or_encoded_twice(sent: Any, arguments: Any) -> None:
    assert called(calls(call(name="go", arguments=sent))) == [{"name": "go", "arguments": arguments}]


@given(st.data())
def test_how_arguments_are_cut_changes_nothing(data: st.DataObject) -> None:
    text = json.dumps({"to": "हवा महल", "n": [1, {"x": "é"}]}, ensure_ascii=False)
    places = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    edges = [0, *places, len(text)]
    pieces = [text[start:stop] for start, stop in pairwise(edges)]
    begun = calls(call(id="a", name="go", arguments=""))
    assert called(begun, *(calls(call(arguments=piece)) for piece in pieces)) == [
        {"name": "go", "arguments": json.loads(text)}
    ]


# ---- Usage ----


def test_usage_tells_what_the_server_tells_and_no_zero_for_the_rest() -> None:
    told = {
        "prompt_tokens": 120, "completion_tokens": 9, "total_tokens": 129,
        "prompt_tokens_details": {"audio_tokens": 100, "cached_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 4, "audio_tokens": None},
    }  # fmt: skip
    [part] = read({"choices": [], "usage": told})
    assert part.usage == {
        "input_tokens": 120, "output_tokens": 9, "audio_input_tokens": 100, "cached_tokens": 0,
        "reasoning_tokens": 4,
    }  # fmt: skip
    bare = {"prompt_tokens": 1, "completion_tokens": None, "prompt_tokens_details": None}
    assert read({"usage": bare})[0].usage == {"input_tokens": 1}
    assert read({"usage": None}) == read({"usage": {}}) == []


def test_usage_with_every_piece_is_told_once_and_last() -> None:
    first = {**delta(content="a"), "usage": {"prompt_tokens": 3, "completion_tokens": 1}}
    last = {**delta("stop"), "usage": {"prompt_tokens": 3, "completion_tokens": 2}}
    parts = read(first, calls(call(name="go")), last)
    assert [part.kind for part in parts] == ["content", "call", "call", "usage"]
    assert parts[-1].usage == {"input_tokens": 3, "output_tokens": 2}


def test_a_wait_for_the_server_is_told_in_the_usage() -> None:
    reader = ChatReader("some")
    reader.feed(1.0, delta(content="a"))
    assert reader.finish(waited_s=0.001) == []
    assert reader.finish(waited_s=2.00049) == [Part("usage", "", 1.0, {"waited_s": 2.0})]


# ---- Errors ----


@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        ({"message": "too long", "code": 400}, "unsupported", "too long"),
        ({"message": "too long", "code": "context_length_exceeded"}, "unsupported", "too long"),
        ({"message": "bad", "type": "invalid_request_error", "code": None}, "unsupported", "bad"),
        ({"message": "slow down", "code": 429}, "rate_limit", "slow down"),
        ({"message": "slow down", "code": "rate_limit_exceeded"}, "rate_limit", "slow down"),
        ({"message": "late", "code": 504}, "timeout", "late"),
        ({"message": "died", "code": 500}, "server", "died"),
        ({"message": "died"}, "server", "died"),
        ("died", "server", "died"),
        ({"odd": 1}, "server", '{"odd": 1}'),
    ],
)
def test_an_error_in_the_stream_is_a_failure_of_its_kind(error: Any, kind: str, said: str) -> None:
    with pytest.raises(AgentFailure) as caught:
        read(delta(content="a"), {"error": error})
    assert (caught.value.kind, str(caught.value)) == (kind, f"some: {said}")


def test_an_error_instead_of_an_answer_is_one_too() -> None:
    with pytest.raises(AgentFailure, match=r"^some: too long$") as caught:
        read({"object": "error", "message": "too long", "code": 400})
    assert caught.value.kind == "unsupported"


@pytest.mark.parametrize(
    "chunk",
    [
        {"choices": [3]}, {"choices": 3}, delta(tool_calls=[3]), delta(tool_calls=3), delta(content=[3]),
        delta(content=3), {"choices": [{"delta": "a"}]}, calls(call(name=["go"])), delta(function_call="go"),
        {"usage": {"prompt_tokens_details": 3}},
    ],
)  # fmt: skip
def test_what_is_no_chunk_is_the_servers_failure(chunk: Chunk) -> None:
    with pytest.raises(AgentFailure, match="some: not a piece of a chat completion: ") as caught:
        read(chunk)
    assert caught.value.kind == "server"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "choices delta message content tool_calls function name arguments index id usage error type "
                "text reasoning finish_reason".split()
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)  # fmt: skip


# How long drawing takes is the machine's affair.
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.dictionaries(st.sampled_from(["choices", "usage", "error"]), JSON), max_size=3))
def test_whatever_a_server_sends_there_are_parts_or_a_failure(chunks: list[Chunk]) -> None:
    try:
        parts = read(*chunks)
    except AgentFailure:
        return
    assert all(isinstance(part.text, str) for part in parts)


# ---- Names ----


def test_tool_names_are_sent_as_apis_accept_them_and_read_back() -> None:
    own = ["cab.book", "cab_book", "पैसे.भेजो", "x" * 80, "x" * 80 + ".y", "1st", "plain-1"]
    names = ToolNames([Tool(name=name) for name in own])
    sent = [names.sent(name) for name in own]
    assert len(set(sent)) == len(own)
    assert all(name.isascii() and len(name) <= 64 and (name[0].isalpha() or name[0] == "_") for name in sent)
    assert (sent[0], sent[5], sent[6]) == ("cab_book", "_1st", "plain-1")
    assert [names.meant(name) for name in sent] == own
    assert names.meant("invented") == "invented"
    assert called(calls(call(name="cab_book")), names=names) == [{"name": "cab.book", "arguments": {}}]


@given(st.lists(st.text(min_size=1, max_size=90), unique=True, max_size=6))
def test_different_tools_have_different_names(own: list[str]) -> None:
    names = ToolNames([Tool(name=name) for name in own])
    assert [names.meant(names.sent(name)) for name in own] == own


# ---- The request ----


def test_a_request_is_streamed_greedy_and_bounded() -> None:
    body = chat_body("m", [Message("system", "Be brief."), Message("user", "नमस्ते\ud800")], seed=2**32 + 5)
    assert body == {
        "model": "m",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "नमस्ते?"}],
        "max_tokens": 512, "temperature": 0.0, "seed": 5,
        "stream": True, "stream_options": {"include_usage": True},
    }  # fmt: skip
    assert "model" not in chat_body(None, [])


def test_tools_are_sent_under_their_names_with_their_schemas() -> None:
    tool = Tool(name="cab.book", description="Books.", parameters={"type": "object", "properties": {}})
    body = chat_body("m", [], tools=[tool], names=ToolNames([tool]))
    function = {"name": "cab_book", "description": "Books.", "parameters": tool.parameters}
    assert body["tools"] == [{"type": "function", "function": function}]
    assert body["parallel_tool_calls"] is True
    assert chat_body("m", [], tools=[tool])["tools"][0]["function"]["name"] == "cab.book"


def test_a_schema_is_sent_as_a_response_format() -> None:
    body = chat_body("m", [], schema={"type": "array"})
    assert body["response_format"]["json_schema"]["schema"] == {"type": "array"}


def test_sound_is_bare_base64_for_one_kind_of_server_and_a_data_url_for_the_other() -> None:
    bare = base64.b64encode(b"RIFF").decode()
    heard = [Message("user", "", SOUND)]
    [message] = chat_body("m", heard, wav=lambda clip: b"RIFF")["messages"]
    assert message["content"] == [{"type": "input_audio", "input_audio": {"data": bare, "format": "wav"}}]
    [message] = chat_body("m", heard, audio="audio_url", wav=lambda clip: b"RIFF")["messages"]
    url = f"data:audio/wav;base64,{bare}"
    assert message["content"] == [{"type": "audio_url", "audio_url": {"url": url}}]


def test_words_stand_before_the_sound() -> None:
    [message] = chat_body("m", [Message("user", "Listen:", SOUND)], wav=lambda clip: b"")["messages"]
    assert [part["type"] for part in message["content"]] == ["text", "input_audio"]


def test_sound_for_a_model_that_reads_is_unsupported() -> None:
    with pytest.raises(AgentFailure, match="this model reads") as caught:
        chat_body("m", [Message("user", "", SOUND)])
    assert caught.value.kind == "unsupported"
