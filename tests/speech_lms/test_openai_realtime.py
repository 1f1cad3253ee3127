"""OpenAI's Realtime API, against a real websocket: what goes out, what comes back, and what goes wrong."""

import base64
import json
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.agent_requests import BASKET, RIDE, request, tone
from voicebench.agents import make_agent, parse_agent
from voicebench.audio.io import resample
from voicebench.errors import AgentFailure, UserError
from voicebench.fakes_server import FakeServer, Schedule
from voicebench.types import Audio, Message, Part, Prompting, ToolCall
from voicebench.wire.chat import ToolNames
from voicebench.wire.place import Place
from voicebench.wire.refusals import Peer
from voicebench_speech_lms._realtime_events import AnswerReader
from voicebench_speech_lms.openai_realtime import OpenAIRealtime

SECRET = "sk-planted-0123456789"
NATIVE = Prompting(tools="native")
CLIP = tone(seconds=1.0)
CHAT = [Message("system", "Call tools."), Message("user", "", CLIP)]


@pytest.fixture(scope="module")
def server() -> Iterator[FakeServer]:
    with FakeServer() as running:
        yield running


@pytest.fixture(autouse=True)
def _fresh(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.forget()
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def model(server: FakeServer, name: str = "fake", options: str = "", **more: Any) -> OpenAIRealtime:
    return OpenAIRealtime(argument=f"{server.url}#{name}{options}", **more)


def events(server: FakeServer) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = server.asked[-1].body["events"]
    return found


def kinds(server: FakeServer) -> list[str]:
    return [event["type"] for event in events(server)]


def pcm(data: str) -> Any:
    return np.frombuffer(base64.b64decode(data, validate=True), "<i2")


def shape(parts: Iterator[Part] | list[Part]) -> list[tuple[str, str]]:
    return [(part.kind, part.text) for part in parts]


# ---- What goes out ----


def test_a_session_is_set_up_for_words_without_turn_detection(server: FakeServer) -> None:
    list(model(server).complete(CHAT, max_tokens=70))
    assert server.asked[-1].body["model"] == "fake"
    assert events(server)[0] == {
        "type": "session.update",
        "session": {
            "type": "realtime",
            "output_modalities": ["text"],
            "instructions": "Call tools.",
            "audio": {"input": {"format": {"type": "audio/pcm", "rate": 24_000}, "turn_detection": None}},
            "max_output_tokens": 70,
        },
    }


def test_the_last_turn_goes_out_as_24_khz_samples_and_is_committed(server: FakeServer) -> None:
    list(model(server).complete(CHAT))
    assert kinds(server)[1:] == ["input_audio_buffer.append", "input_audio_buffer.commit", "response.create"]
    assert [list(event) for event in events(server)[2:]] == [["type"], ["type"]]
    sent = pcm(events(server)[1]["audio"])
    assert len(sent) == 24_000
    assert np.abs(sent / 32767 - resample(CLIP, 24_000).samples).max() < 1e-4


def test_earlier_turns_are_items_sound_as_sound_and_the_assistants_words_as_given(server: FakeServer) -> None:
    chat = [
        Message("system", "Call tools."), Message("user", "", tone(300, seconds=0.5)),
        Message("assistant", "कहाँ से?"), Message("user", "in words"), Message("user", "", CLIP),
    ]  # fmt: skip
    parts = list(model(server).complete(chat))
    first, answer, words = [event["item"] for event in events(server)[1:4]]
    [sound] = first.pop("content")
    assert first == {"type": "message", "role": "user"}
    assert (sound["type"], len(pcm(sound["audio"]))) == ("input_audio", 12_000)
    assert answer == {
        "type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "कहाँ से?"}],
    }  # fmt: skip
    assert words["content"] == [{"type": "input_text", "text": "in words"}]
    # All the sound was heard: 1.5 s at ten tokens a second.
    assert parts[-1].usage["audio_input_tokens"] == 15


def test_a_last_turn_in_words_is_an_item_and_nothing_is_committed(server: FakeServer) -> None:
    parts = list(model(server).complete([Message("user", "नमस्ते")]))
    assert kinds(server) == ["session.update", "conversation.item.create", "response.create"]
    assert shape(parts)[:2] == [("speech_end", ""), ("content", "नमस्")]


def test_words_beside_the_last_clip_come_before_it(server: FakeServer) -> None:
    list(model(server).complete([Message("user", "listen:", CLIP)]))
    assert kinds(server) == [
        "session.update", "conversation.item.create", "input_audio_buffer.append",
        "input_audio_buffer.commit", "response.create",
    ]  # fmt: skip


def test_a_clip_too_short_for_the_protocol_is_followed_by_silence(server: FakeServer) -> None:
    list(model(server).complete([Message("user", "", tone(seconds=0.02))]))
    sent = pcm(events(server)[1]["audio"])
    assert len(sent) == 2_400
    assert not sent[480:].any()


def test_a_burst_goes_out_in_pieces_of_five_seconds(server: FakeServer) -> None:
    list(model(server).complete([Message("user", "", tone(seconds=11.0))]))
    sent = [pcm(event["audio"]) for event in events(server) if "audio" in event]
    assert [len(piece) / 24_000 for piece in sent] == [5.0, 5.0, 1.0]


def test_no_more_tokens_are_asked_for_than_the_protocol_takes(server: FakeServer) -> None:
    list(model(server).complete(CHAT, max_tokens=100_000))
    assert events(server)[0]["session"]["max_output_tokens"] == 4096


def test_tools_are_offered_under_names_that_servers_take(server: FakeServer) -> None:
    list(model(server).complete(CHAT, tools=[RIDE, BASKET]))
    session = events(server)[0]["session"]
    assert session["tool_choice"] == "auto"
    assert session["tools"][0] == {
        "type": "function", "name": "cab_book_ride", "description": RIDE.description,
        "parameters": RIDE.parameters,
    }  # fmt: skip


def test_a_tools_result_is_not_put_into_the_users_mouth(server: FakeServer) -> None:
    with pytest.raises(AgentFailure) as told:
        list(model(server).complete([Message("tool", "{}"), Message("user", "", CLIP)]))
    assert told.value.kind == "unsupported"


def test_samples_that_are_no_numbers_are_the_clips_fault(server: FakeServer) -> None:
    with pytest.raises(AgentFailure) as told:
        list(model(server).complete([Message("user", "", Audio(np.full(4_000, np.nan, np.float32), 16_000))]))
    assert told.value.kind == "audio"
    assert server.asked == []


# ---- What comes back ----


@pytest.mark.parametrize("name", ["fake", "beta", "speaks"])
def test_words_are_read_under_each_of_their_names(server: FakeServer, name: str) -> None:
    parts = list(model(server, name).complete(CHAT))
    assert shape(parts) == [
        ("speech_end", ""), ("content", "1.0 "), ("content", "seco"), ("content", "nds"), ("usage", ""),
    ]  # fmt: skip
    assert parts[-1].usage == {
        "input_tokens": 13, "output_tokens": 7, "cached_tokens": 0, "audio_input_tokens": 10,
        "audio_output_tokens": 0,
    }  # fmt: skip


def test_a_call_is_announced_when_it_begins_and_told_when_it_is_whole(server: FakeServer) -> None:
    parts = list(model(server).complete(CHAT, tools=[RIDE]))
    assert shape(parts) == [
        ("speech_end", ""), ("call", ""), ("call", '{"name": "cab.book_ride", "arguments": {}}'),
        ("usage", ""),
    ]  # fmt: skip


def test_an_answer_that_is_told_at_the_end_alone_marks_no_first_token(server: FakeServer) -> None:
    parts = list(model(server, "at-once").complete(CHAT))
    assert shape(parts) == [("speech_end", ""), ("answer", "1.0 seconds"), ("usage", "")]


def test_arguments_that_are_cut_off_stay_a_text(server: FakeServer) -> None:
    parts = list(model(server, "cut-call").complete(CHAT, tools=[RIDE]))
    call = json.loads(next(part.text for part in parts if part.text))
    assert call == {"name": "cab.book_ride", "arguments": '{"pickup": "J'}


def test_cut_off_arguments_are_no_call_of_the_agents(server: FakeServer) -> None:
    agent = make_agent(parse_agent(f"openai-realtime:{server.url}#cut-call"))
    asked = request(CLIP, prompting=NATIVE)
    [response] = agent.respond([asked])
    assert response.calls is None
    assert response.error is None
    assert "pickup" in (response.text or "")


def test_as_an_agent_its_calls_are_native_or_written(server: FakeServer) -> None:
    agent = make_agent(parse_agent(f"openai-realtime:{server.url}#fake"))
    called, wrote = agent.respond([request(CLIP, prompting=NATIVE), request(CLIP)])
    assert called.calls == (ToolCall(name="cab.book_ride"),)
    assert wrote.text == "[cab.book_ride()]"


def read(*told: dict[str, Any]) -> list[tuple[str, str, float]]:
    """What a reader makes of events that arrive a second apart."""
    peer = Peer("openai-realtime", Place("https://h.example/v1", "m"))
    reader = AnswerReader(peer, ToolNames([RIDE]))
    return [
        (p.kind, p.text, p.at_s) for at_s, event in enumerate(told) for p in reader.feed(float(at_s), event)
    ]


def test_a_call_is_stamped_with_its_last_piece() -> None:
    item = {"id": "i", "type": "function_call", "name": "cab_book_ride", "arguments": ""}
    assert read(
        {"type": "response.output_item.added", "item": item},
        {"type": "response.function_call_arguments.delta", "item_id": "i", "delta": '{"pickup":'},
        {"type": "response.function_call_arguments.delta", "item_id": "i", "delta": '"जयनगर"}'},
        {"type": "response.function_call_arguments.done", "item_id": "i", "arguments": '{"pickup":"जयनगर"}'},
        {"type": "response.output_item.done", "item": {**item, "arguments": '{"pickup":"जयनगर"}'}},
    ) == [
        ("call", "", 0.0),
        ("call", '{"name": "cab.book_ride", "arguments": {"pickup": "जयनगर"}}', 2.0),
    ]  # fmt: skip


def test_a_call_that_is_only_told_at_the_end_is_a_call_and_begins_nothing() -> None:
    item = {"id": "i", "type": "function_call", "name": "cab_book_ride", "arguments": '{"pickup":"A"}'}
    whole = {"type": "response.done", "response": {"status": "completed", "output": [item]}}
    assert read({"type": "response.created"}, whole) == [
        ("answer", "", 1.0), ("call", '{"name": "cab.book_ride", "arguments": {"pickup": "A"}}', 1.0),
    ]  # fmt: skip


def test_a_call_whose_pieces_come_before_its_name_waits_for_it() -> None:
    item = {"id": "i", "type": "function_call", "name": "go", "arguments": "{}"}
    assert read(
        {"type": "response.function_call_arguments.done", "item_id": "i", "arguments": "{}"},
        {"type": "response.output_item.done", "item": item},
    ) == [("call", "", 0.0), ("call", '{"name": "go", "arguments": {}}', 0.0)]


def test_events_that_nobody_knows_say_nothing() -> None:
    assert read({"type": "response.made_up", "delta": "x"}, {}, {"type": None}) == []


@pytest.mark.parametrize(
    "event",
    [
        {"type": "response.output_text.delta"},
        {"type": "response.output_item.added", "item": "x"},
        {"type": "response.done", "response": None},
        {"type": "response.function_call_arguments.delta", "item_id": "i", "delta": 3},
    ],
)
def test_an_event_of_another_shape_is_the_servers_fault(event: dict[str, Any]) -> None:
    with pytest.raises(AgentFailure, match="not an event of the protocol") as told:
        read(event)
    assert told.value.kind == "server"


# ---- The clock ----


def test_in_a_burst_the_clock_starts_at_the_commit_and_pieces_are_stamped_as_they_arrive() -> None:
    with FakeServer(schedule=Schedule(first_s=0.1, every_s=0.03, pieces=4)) as paced:
        parts = list(model(paced, "clock").complete(CHAT))
        [asked] = paced.asked
    pieces = [part for part in parts if part.kind == "content"]
    assert parts[0].kind == "speech_end"
    assert 0.09 < pieces[0].at_s - parts[0].at_s < 0.5
    lateness_s = [part.at_s - float(part.text) for part in pieces]
    assert all(0 <= late_s < 0.1 for late_s in lateness_s)
    assert [sent.kind for sent in asked.sent] == ["content"] * 4 + ["usage"]


def test_at_the_speed_of_speech_the_clock_starts_once_all_is_spoken(
    server: FakeServer,
) -> None:
    before_s = time.perf_counter()
    lm = model(server, options="&pace=realtime")
    parts = list(lm.complete([Message("user", "", tone(seconds=0.45))]))
    assert 0.45 <= parts[0].at_s - before_s < 1.0
    assert parts[1].at_s - parts[0].at_s < 0.4
    sent = [len(pcm(event["audio"])) / 24_000 for event in events(server) if "audio" in event]
    assert sent == pytest.approx([0.1] * 4 + [0.05])


def test_what_was_done_while_the_user_spoke_has_negative_times(server: FakeServer) -> None:
    agent = make_agent(parse_agent(f"openai-realtime:{server.url}#fake&pace=realtime"))
    [response] = agent.respond([request(tone(seconds=0.3))])
    clock = response.timeline
    assert clock is not None and clock.request_sent is not None and clock.first_token is not None
    assert -1.0 < clock.request_sent <= -0.3
    assert 0 < clock.first_token < 0.3


def test_the_connection_stands_before_the_clock_starts(server: FakeServer) -> None:
    agent = make_agent(parse_agent(f"openai-realtime:{server.url}#fake"))
    [response] = agent.respond([request(CLIP)])
    assert response.timeline is not None and response.timeline.request_sent is not None
    assert response.timeline.request_sent < 0


def test_what_arrives_while_the_user_speaks_is_stamped_then_and_not_when_he_has_stopped(
    server: FakeServer,
) -> None:
    parts = list(listening(server).complete([Message("user", "", PAUSING)]))
    end_s = parts[0].at_s
    first = next(part for part in parts if part.kind == "content")
    # It is answered a pause after 0.2 s of 0.9 s.
    assert -0.6 < first.at_s - end_s < -0.2


# ---- A server that finds the end itself ----

HEARS_ALONE = "&pace=realtime&turns=server_vad"
PAUSING = Audio(
    np.concatenate([tone(seconds=0.2).samples, np.zeros(8_000, np.float32), tone(seconds=0.2).samples]),
    16_000,
)
"""Speech with a pause of half a second in it, 0.9 s together."""


def listening(server: FakeServer, name: str = "fake", **more: Any) -> OpenAIRealtime:
    return model(server, name, HEARS_ALONE, **more)


def test_a_server_that_detects_the_end_is_told_nothing_and_hears_silence(server: FakeServer) -> None:
    parts = list(listening(server).complete([Message("user", "", tone(seconds=0.3))]))
    detection = {"type": "server_vad", "create_response": True, "interrupt_response": True}
    assert events(server)[0]["session"]["audio"]["input"]["turn_detection"] == detection
    assert set(kinds(server)) == {"session.update", "input_audio_buffer.append"}
    sent = [pcm(event["audio"]) for event in events(server)[1:]]
    assert all(piece.any() for piece in sent[:3])
    assert len(sent) >= 5 and not any(piece.any() for piece in sent[3:])
    assert shape(parts)[0] == ("speech_end", "")
    # Detecting takes a pause of the server's: it is part of the delay.
    assert 0.15 < parts[1].at_s - parts[0].at_s < 0.6
    assert [part.kind for part in parts[1:]] == ["content"] * 3 + ["usage"]


def test_an_answer_in_a_pause_counts_beside_the_last_one_and_its_moments_are_negative(
    server: FakeServer,
) -> None:
    agent = make_agent(parse_agent(f"openai-realtime:{server.url}#fake{HEARS_ALONE}"))
    [response] = agent.respond([request(PAUSING)])
    assert response.text == "[cab.book_ride()]\n[cab.book_ride()]"
    clock = response.timeline
    assert clock is not None and clock.first_token is not None and clock.done is not None
    assert -0.6 < clock.first_token < -0.2
    assert 0.15 < clock.done < 0.8


def test_an_answer_that_the_user_cuts_off_is_dropped() -> None:
    with FakeServer(schedule=Schedule(first_s=0.01, every_s=0.25)) as slow:
        parts = list(listening(slow).complete([Message("user", "", PAUSING)]))
    content = "".join(part.text for part in parts if part.kind == "content")
    assert content.endswith(" seconds") and content.count("seconds") == 1
    first = next(part for part in parts if part.kind == "content")
    assert first.at_s > parts[0].at_s


def test_words_need_no_detection_and_are_answered_when_they_are_sent(server: FakeServer) -> None:
    assert "".join(part.text for part in listening(server).complete([Message("user", "नमस्ते")])) == "नमस्ते"
    assert kinds(server)[-1] == "response.create"


def test_a_server_that_hears_no_speech_is_a_timeout(server: FakeServer) -> None:
    quiet = Audio(np.full(1_600, 1e-3, np.float32), 16_000)
    with pytest.raises(AgentFailure, match=r"did not answer within 0.3 s") as told:
        list(listening(server, timeout_s=0.3).complete([Message("user", "", quiet)]))
    assert told.value.kind == "timeout"


# ---- What goes wrong ----


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("drops", "server", "closed the connection before its answer's end (1006"),
        ("closes", "server", "closed the connection before its answer's end (1011 the engine died)"),
        ("error-in-stream", "server", "The server had an error."),
        ("garbage", "server", "not an event of the protocol: <html>"),
        ("no-object", "server", "not an event of the protocol: [1, 2]"),
        ("expires", "server", "Your session hit the maximum duration of 60 minutes."),
        ("over-limit", "rate_limit", "Slow down."),
        ("cancelled", "cancelled", "cancelled its answer (turn_detected)"),
        ("deaf", "audio", "the sound did not reach the model: 1.0 s were sent, and it counts 0 audio tokens"),
        ("busy", "rate_limit", "answers 429"),
    ],
)
def test_what_goes_wrong_is_a_failure_of_its_kind(
    server: FakeServer, name: str, kind: str, message: str
) -> None:
    lm = model(server, name)
    lm._client._retries._attempts = 1
    with pytest.raises(AgentFailure) as told:
        list(lm.complete(CHAT))
    assert told.value.kind == kind
    assert message in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("name", ["silent", "stalls", "mute"])
def test_a_server_that_falls_silent_is_a_timeout(server: FakeServer, name: str) -> None:
    with pytest.raises(AgentFailure, match=r"did not answer within 0.1 s") as told:
        list(model(server, name, timeout_s=0.1).complete(CHAT))
    assert told.value.kind == "timeout"


def test_a_failure_is_one_row_with_an_error(server: FakeServer) -> None:
    agent = make_agent(parse_agent(f"openai-realtime:{server.url}#closes"))
    [response] = agent.respond([request(CLIP)])
    assert response.error is not None and response.error.kind == "server"
    assert (response.text, response.calls) == (None, None)


def test_a_handshake_that_is_limited_is_tried_again(server: FakeServer) -> None:
    assert shape(model(server, "rate-limited").complete(CHAT))[1] == ("content", "1.0 ")
    assert len(server.asked) == 2


def test_a_refused_handshake_names_the_keys_variable_and_never_the_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MINE", SECRET)
    with FakeServer(key="another") as guarded:
        lm = model(guarded, options="&key=MINE")
        for ask in (lambda: list(lm.complete(CHAT)), lm.check):
            with pytest.raises(UserError, match=r"answers 401.*Check the key in MINE") as told:
                ask()
            assert SECRET not in str(told.value)
        assert guarded.asked[0].headers["authorization"] == f"Bearer {SECRET}"
        assert SECRET not in repr(vars(lm))


def test_a_key_that_is_refused_inside_is_not_repeated(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINE", SECRET)
    lm = model(server, "bad-key", "&key=MINE")
    for ask in (lambda: list(lm.complete(CHAT)), lm.check):
        with pytest.raises(UserError) as told:
            ask()
        assert "refuses the key (Incorrect API key provided: ***). Check the key in MINE" in str(told.value)
        assert SECRET not in str(told.value)


def test_a_server_that_does_not_exist_is_said_before_the_run() -> None:
    lm = OpenAIRealtime(argument="http://127.0.0.1:9/v1#m")
    lm._client._retries._attempts = 1
    with pytest.raises(UserError, match="nothing answers there"):
        lm.check()


def test_a_session_that_opens_passes_the_check(server: FakeServer) -> None:
    model(server).check()
    assert events(server) == []


def test_leaving_early_ends_the_connection(server: FakeServer) -> None:
    parts = model(server, "stalls").complete(CHAT)
    next(parts)
    del parts
    assert shape(model(server).complete(CHAT))[-1] == ("usage", "")


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("m&pace=slow", "&pace= is realtime or burst, not 'slow'"),
        ("m&turns=semantic", "&turns= is server_vad or told, not 'semantic'"),
        ("m&turns=server_vad", "add &pace=realtime"),
        ("m&audio=audio_url", "not of the form openai-realtime:URL#MODEL&pace=…&turns=…&key=…"),
        ("", "no model is named"),
    ],
)
def test_an_argument_that_cannot_be_used_is_said_so(argument: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        OpenAIRealtime(argument=argument)


def test_what_changes_the_clock_is_part_of_the_revision() -> None:
    assert OpenAIRealtime(argument="gpt-realtime").model.revision == "gpt-realtime@api.openai.com"
    paced = OpenAIRealtime(argument="gpt-realtime&pace=realtime")
    assert paced.model.revision == "gpt-realtime@api.openai.com&pace=realtime"
    listened = OpenAIRealtime(argument="gpt-realtime&pace=realtime&turns=server_vad")
    assert listened.model.revision == "gpt-realtime@api.openai.com&pace=realtime&turns=server_vad"


def test_a_vendor_is_not_asked_without_its_key() -> None:
    with pytest.raises(UserError, match=r"api\.openai\.com wants a key. Set it in OPENAI_API_KEY"):
        OpenAIRealtime(argument="gpt-realtime").check()
