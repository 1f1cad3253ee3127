"""ElevenLabs' API against a server on this machine that speaks its format."""

from collections.abc import Iterator

import numpy as np
import pytest

from tests.tts.speech_server import SpeechServer, answer, serving, spoken
from voicebench.audio.io import wav_bytes
from voicebench.errors import AgentFailure, UserError
from voicebench.registry import find
from voicebench_tts.elevenlabs import LANGUAGES, ElevenLabs

SECRET = "planted-0123456789"


@pytest.fixture
def server() -> Iterator[SpeechServer]:
    with serving() as state:
        yield state


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELEVENLABS_API_KEY", SECRET)


def eleven(server: SpeechServer, model: str = "") -> ElevenLabs:
    return ElevenLabs(argument=model, url=server.url, sleep=lambda seconds: None)


def test_a_request_is_what_the_api_documents(server: SpeechServer) -> None:
    [clip] = eleven(server).synthesize(["नमस्ते"], lang="hi", voice="v-en", seed=3)
    asked = server.asked[-1]
    assert asked.path == "/v1/text-to-speech/v-en?output_format=pcm_16000"
    assert asked.headers["xi-api-key"] == SECRET
    seed = asked.body.pop("seed")
    assert asked.body == {"text": "नमस्ते", "model_id": "eleven_v3", "language_code": "hi"}
    assert 0 <= seed < 2**32
    assert clip.sample_rate_hz == 16000
    assert np.abs(clip.samples - spoken("नमस्ते").samples).max() < 1e-4


def test_the_seed_follows_from_the_seed_and_the_text(server: SpeechServer) -> None:
    backend = eleven(server)
    for texts, seed in ((["a b", "c d"], 1), (["a b"], 2), (["a b"], 1)):
        backend.synthesize(texts, lang="en", seed=seed)
    seeds = {(one.body["text"], one.body["seed"]) for one in server.asked if one.method == "POST"}
    assert len(seeds) == 3


def test_voices_that_are_verified_for_the_language_come_first(server: SpeechServer) -> None:
    voices = eleven(server).voices("hi")
    assert [(voice.id, voice.lang, voice.gender) for voice in voices] == [
        ("v-hi", "hi", "female"), ("v-en", "en", "female"), ("v-neutral", None, None),
    ]  # fmt: skip
    assert [voice.id for voice in eleven(server).voices("en")] == ["v-en", "v-hi", "v-neutral"]
    assert {voice.licence for voice in voices} == {"ElevenLabs' terms of service"}


def test_the_account_is_asked_once_for_its_voices(server: SpeechServer) -> None:
    backend = eleven(server)
    backend.voices("hi")
    backend.synthesize(["a b"], lang="en", seed=0)
    assert [one.path for one in server.asked if one.method == "GET"] == ["/v1/voices"]


def test_a_model_that_reads_the_language_off_the_text_is_not_told(server: SpeechServer) -> None:
    backend = eleven(server, "eleven_multilingual_v2")
    backend.synthesize(["வணக்கம்"], lang="ta", seed=0)
    assert "language_code" not in server.asked[-1].body
    assert backend.model.revision == "eleven_multilingual_v2"
    with pytest.raises(UserError, match=r"elevenlabs \(eleven_multilingual_v2\) does not speak 'th'"):
        backend.synthesize(["สวัสดี"], lang="th", seed=0)
    assert backend.voices("th") == ()


def test_an_unknown_model_and_an_unknown_voice_are_named(server: SpeechServer) -> None:
    with pytest.raises(UserError, match=r"unknown model 'eleven_v4'\. Did you mean 'eleven_v3'"):
        eleven(server, "eleven_v4")
    with pytest.raises(UserError, match=r"this account has no voice 'v-em'\. Did you mean 'v-en'"):
        eleven(server).synthesize(["hello"], lang="en", voice="v-em", seed=0)


def test_the_record_states_the_languages_of_the_default_model() -> None:
    record = find("tts", "elevenlabs")
    assert record.languages == LANGUAGES[str(record.revision)]


def test_an_account_without_voices_says_so(server: SpeechServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.tts.speech_server.VOICES", [])
    with pytest.raises(UserError, match="this account lists no voices"):
        eleven(server).voices("en")


def test_without_a_key_the_refusal_names_the_variable(
    server: SpeechServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ELEVENLABS_API_KEY")
    refusal = {"detail": {"status": "needs_authorization", "message": "Neither key nor token"}}
    server.replies.append(answer(401, refusal))
    with pytest.raises(UserError, match=r"\(Neither key nor token\). Set the key in ELEVENLABS_API_KEY"):
        eleven(server).synthesize(["hello"], lang="en", seed=0)


@pytest.mark.parametrize("text", ["x", "long enough"])
def test_a_file_instead_of_bare_samples_is_read_as_what_it_is(server: SpeechServer, text: str) -> None:
    server.replies.append(answer(200, wav_bytes(spoken(text)), "audio/pcm"))
    [clip] = eleven(server).synthesize([text], lang="en", seed=0)
    assert len(clip.samples) == 400 * len(text)


def test_half_a_sample_at_the_end_is_dropped(server: SpeechServer) -> None:
    server.replies.append(answer(200, b"\x00\x40\x00\xc0\x01", "audio/pcm"))
    [clip] = eleven(server).synthesize(["x"], lang="en", seed=0)
    assert clip.samples.tolist() == [0.5, -0.5]


def test_an_error_dressed_as_success_is_no_audio(server: SpeechServer) -> None:
    server.replies.append(answer(200, {"detail": "later"}))
    with pytest.raises(AgentFailure, match=r"application/json \(.*later.*\), no audio"):
        eleven(server).synthesize(["x"], lang="en", seed=0)
