"""OpenAI's speech API against a server on this machine that speaks its format."""

import io
import logging
import traceback
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import soundfile

from tests.audio.helpers import make_task
from tests.tts.speech_server import SpeechServer, answer, break_off, serving, spoken
from voicebench.audio.build import build
from voicebench.audio.io import wav_bytes
from voicebench.audio.studio import Studio
from voicebench.audio.wishes import VoiceWish
from voicebench.audio.work import Engines
from voicebench.errors import AgentFailure, UserError
from voicebench.registry import find, load
from voicebench_tts.openai_speech import OPENAI_VOICES, OpenAISpeech

SECRET = "sk-planted-0123456789"


@pytest.fixture
def server() -> Iterator[SpeechServer]:
    with serving() as state:
        yield state


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def speech(server: SpeechServer, fragment: str = "kokoro&voices=asha", **options: object) -> OpenAISpeech:
    return OpenAISpeech(
        argument=f"{server.url}/v1#{fragment}", sleep=lambda seconds: None, **options  # type: ignore[arg-type]
    )  # fmt: skip


def test_a_request_is_what_the_api_documents(server: SpeechServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    [clip] = speech(server).synthesize(["ரயில் எப்போது?"], lang="ta", seed=3)
    [asked] = server.asked
    assert (asked.method, asked.path) == ("POST", "/v1/audio/speech")
    assert asked.body == {
        "model": "kokoro", "input": "ரயில் எப்போது?", "voice": "asha", "response_format": "wav",
    }  # fmt: skip
    assert asked.headers["authorization"] == f"Bearer {SECRET}"
    assert clip.sample_rate_hz == 16000
    assert np.abs(clip.samples - spoken("ரயில் எப்போது?").samples).max() < 1e-4


def test_the_name_says_where_and_which_model(server: SpeechServer) -> None:
    record = find("tts", f"openai-speech:{server.url}/v1#kokoro&voices=asha,ravi&languages=hi,fil")
    backend = load(record)
    assert backend.model.name == "openai-speech"
    assert backend.model.revision == f"kokoro@{server.url.removeprefix('http://')}"
    assert [voice.id for voice in backend.voices("fil")] == ["asha", "ravi"]
    assert backend.voices("th") == ()
    with pytest.raises(UserError, match="'th' is not one of them"):
        backend.synthesize(["สวัสดี"], lang="th", seed=0)


def test_without_a_url_it_is_the_environments_and_without_that_openai(
    server: SpeechServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert OpenAISpeech().model.revision == "gpt-4o-mini-tts@api.openai.com"
    assert tuple(voice.id for voice in OpenAISpeech(argument="#tts-1").voices("en")) == OPENAI_VOICES
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1/")
    assert [voice.id for voice in OpenAISpeech(argument="#kokoro").voices("en")] == ["asha", "ravi"]


def test_a_server_that_lists_no_voices_is_told_them(server: SpeechServer) -> None:
    with pytest.raises(
        UserError, match=r"does not say which voices it has .* Name them: openai-speech:URL#MODEL"
    ):
        OpenAISpeech(argument=f"{server.url}/v2#m").voices("en")


@pytest.mark.parametrize("argument", ["http://x/v1#m&voice=a", "http://x/v1#m&voices"])
def test_an_argument_of_another_form_is_refused(argument: str) -> None:
    with pytest.raises(UserError, match="not of the form openai-speech:URL#MODEL"):
        OpenAISpeech(argument=argument)


def test_an_unknown_voice_is_answered_with_the_closest(server: SpeechServer) -> None:
    with pytest.raises(UserError, match=r"no voice 'ash'\. Did you mean 'asha'"):
        speech(server).synthesize(["hello"], lang="en", voice="ash", seed=0)


def test_nothing_is_asked_for_a_text_without_words(server: SpeechServer) -> None:
    with pytest.raises(UserError, match="nothing to say in '…!'"):
        speech(server).synthesize(["hello", "…!"], lang="en", seed=0)
    assert server.asked == []


def test_clips_come_in_the_order_of_the_texts(server: SpeechServer) -> None:
    texts = [f"text {'x' * n}" for n in (9, 1, 5, 3, 7, 2, 8, 4, 6)]
    clips = speech(server).synthesize(texts, lang="en", seed=0)
    assert [len(clip.samples) for clip in clips] == [400 * len(text) for text in texts]


# ---- What may come instead of a WAV file ----


def as_mp3(text: str) -> bytes:
    buffer = io.BytesIO()
    soundfile.write(buffer, spoken(text).samples, 16000, format="MP3")
    return buffer.getvalue()


def test_an_mp3_is_read_whatever_it_is_called(server: SpeechServer) -> None:
    server.replies.append(answer(200, as_mp3("long enough for a few frames"), "audio/wav"))
    [clip] = speech(server).synthesize(["x"], lang="en", seed=0)
    assert clip.sample_rate_hz == 16000
    assert 0.2 < np.abs(clip.samples).max() < 0.4


def test_a_streamed_wav_with_open_sizes_is_read(server: SpeechServer) -> None:
    data = bytearray(wav_bytes(spoken("hello")))
    data[4:8] = data[40:44] = b"\xff\xff\xff\xff"
    server.replies.append(answer(200, bytes(data), "application/octet-stream"))
    [clip] = speech(server).synthesize(["x"], lang="en", seed=0)
    assert len(clip.samples) == 2000


@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        (
            b'{"status": "queued"}',
            "application/json",
            '20 bytes of application/json ({"status": "queued"}), no audio',
        ),
        (
            b"<html>login</html>",
            "text/html; charset=utf-8",
            "18 bytes of text/html (<html>login</html>), no audio",
        ),
        (b"\x00\x01\x02garbage", "audio/wav", "10 bytes of audio/wav, no audio"),
        (b"", "audio/wav", "0 bytes of audio/wav, no audio"),
    ],
)
def test_what_is_no_audio_is_said_to_be_none(server: SpeechServer, body: bytes, kind: str, said: str) -> None:
    server.replies.append(answer(200, body, kind))
    with pytest.raises(AgentFailure) as caught:
        speech(server).synthesize(["x"], lang="en", seed=0)
    assert caught.value.kind == "audio"
    assert said in str(caught.value)


# ---- One failure among many ----


def test_a_rate_limit_and_a_broken_line_cost_nothing_but_time(server: SpeechServer) -> None:
    server.replies.extend([answer(429, Retry_After="0"), break_off, answer(503)])
    clips = speech(server).synthesize(["one", "three", "fives"], lang="en", seed=0)
    assert [len(clip.samples) for clip in clips] == [1200, 2000, 2000]


def test_what_a_failed_batch_has_paid_for_is_not_asked_again(server: SpeechServer) -> None:
    server.replies.append(answer(400, {"error": {"message": "policy"}}))
    backend = speech(server, at_once=1)
    texts = ["bad", "good", "fine"]
    with pytest.raises(UserError, match="policy"):
        backend.synthesize(texts, lang="en", seed=0)
    assert server.texts == texts
    server.replies.append(answer(400, {"error": {"message": "policy"}}))
    with pytest.raises(UserError, match="policy"):
        backend.synthesize(["bad"], lang="en", seed=0)
    backend.synthesize(["good"], lang="en", seed=0)
    backend.synthesize(["fine"], lang="en", seed=0)
    assert server.texts == ["bad", "good", "fine", "bad"]
    # Asked for once more, it is to be spoken once more.
    backend.synthesize(["fine"], lang="en", seed=1)
    assert server.texts[-1] == "fine"


# ---- The key ----


def test_the_key_is_in_no_message_log_or_manifest(
    server: SpeechServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    echo = {"error": {"message": f"Incorrect API key provided: {SECRET}"}}
    backend = speech(server)
    with caplog.at_level(logging.DEBUG):
        server.replies.extend([answer(500, echo), answer(401, echo)])
        with pytest.raises(UserError, match="API key provided: ") as caught:
            backend.synthesize(["hello"], lang="en", seed=0)
        # A voice is heard first, then the task: one clip is refused, the other made.
        server.replies.extend([answer(200, wav_bytes(spoken("voice"))), *[answer(403, echo)] * 3])
        tasks = [make_task(1, text="Book a cab"), make_task(2, text="Dim the lamp")]
        with Studio(Engines(backend)) as studio:
            built = build(tasks, studio, out=tmp_path, voices=VoiceWish(n=1))
    assert (built.made, built.failed) == (1, 1)
    assert all(asked.headers["authorization"] == f"Bearer {SECRET}" for asked in server.asked)
    told = "".join(traceback.format_exception(caught.value)) + caplog.text + repr(backend.model)
    assert SECRET not in told
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {"manifest.jsonl", "failures.jsonl", "voices.json"} <= {path.name for path in written}
    assert all(SECRET.encode() not in path.read_bytes() for path in written)
