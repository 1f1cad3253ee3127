"""What every transcriber must do. A new one adds a line to `MAKERS`."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.agent_requests import tone
from tests.asr.tiny_indic_conformer import save_indic_conformer
from tests.example_package import example
from voicebench.errors import UserError
from voicebench.fakes import FakeTranscriber
from voicebench.fakes_server import FakeServer
from voicebench.protocols import Transcriber
from voicebench.registry import find, load
from voicebench.types import Audio


def tiny_indic_conformer() -> Transcriber:
    """Return what the record makes of tiny random weights."""
    with tempfile.TemporaryDirectory() as folder:
        path = save_indic_conformer(Path(folder) / "indic-conformer", apart=False)
        model: Transcriber = load(find("asr", "indic-conformer"), path=path, revision="tiny")
    return model


def server_transcriptions() -> Transcriber:
    """Return a client of a server that runs until the last test has run."""
    server = FakeServer().__enter__()
    model: Transcriber = load(find("asr", f"openai-transcriptions:{server.url}#fake"))
    return model


MAKERS: dict[str, Callable[[], Transcriber]] = {
    "fake": FakeTranscriber,
    "indic-conformer": tiny_indic_conformer,
    "openai-transcriptions": server_transcriptions,
    "whisper-tiny.en": lambda: load(find("asr", "whisper-tiny.en"), offline_first=True),
    "whisper-tiny.en:batched": lambda: load(find("asr", "whisper-tiny.en:batched"), offline_first=True),
    "tone-reader": lambda: example("tone-reader"),
}
PACKAGES = {
    "indic-conformer": ("onnxruntime", "torch"),
    "whisper-tiny.en": ("faster_whisper",),
    "whisper-tiny.en:batched": ("faster_whisper",),
}
WEIGHTS = {"whisper-tiny.en", "whisper-tiny.en:batched"}
LANGUAGES = {"indic-conformer": "hi"}
"""What one hears that does not know English."""
HEARS_ANY = {"fake", "openai-transcriptions"}
"""The control, and one that leaves it to the model behind the server."""


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=[pytest.mark.weights] if name in WEIGHTS else []) for name in MAKERS],
)
def transcriber(request: pytest.FixtureRequest) -> Transcriber:
    for package in PACKAGES.get(request.param, ()):
        pytest.importorskip(package)
    return MAKERS[request.param]()


def lang_of(transcriber: Transcriber) -> str:
    return LANGUAGES.get(transcriber.model.name, "en")


def test_it_names_its_model_and_revision(transcriber: Transcriber) -> None:
    assert transcriber.model.name
    assert transcriber.model.revision


def test_no_clips_give_no_transcripts(transcriber: Transcriber) -> None:
    assert transcriber.transcribe([], lang=lang_of(transcriber)) == []


def test_there_is_one_transcript_a_clip_in_their_order(transcriber: Transcriber) -> None:
    clips = [tone(seconds=0.3), tone(seconds=0.2, rate_hz=8_000), tone(seconds=0.1, rate_hz=44_100)]
    lang = lang_of(transcriber)
    heard = transcriber.transcribe(clips, lang=lang)
    assert len(heard) == 3
    assert all(item.seconds >= 0 and item.lang == lang and item.text == item.text.strip() for item in heard)


@pytest.mark.parametrize("samples", [0, 1, 8_000])
def test_silence_is_heard_as_nothing(transcriber: Transcriber, samples: int) -> None:
    silence = Audio(np.zeros(samples, np.float32), 16_000)
    [heard] = transcriber.transcribe([silence], lang=lang_of(transcriber))
    assert heard.text == ""


def test_a_clip_is_heard_the_same_alone_and_among_others(transcriber: Transcriber) -> None:
    clip, other = tone(220), tone(880, seconds=0.2)
    lang = lang_of(transcriber)
    [alone] = transcriber.transcribe([clip], lang=lang)
    [_, among] = transcriber.transcribe([other, clip], lang=lang)
    assert alone.text == among.text


def test_a_language_that_it_does_not_know_is_the_users_mistake(transcriber: Transcriber) -> None:
    if transcriber.model.name.partition(":")[0] in HEARS_ANY:
        pytest.skip("hears any language")
    with pytest.raises(UserError, match="'xx'"):
        transcriber.transcribe([tone()], lang="xx")


def test_a_language_that_is_not_given_is_detected_or_asked_for(transcriber: Transcriber) -> None:
    try:
        [heard] = transcriber.transcribe([tone()], lang=None)
    except UserError as error:
        assert "language" in str(error)
    else:
        assert heard.text == heard.text.strip()


def test_the_clips_are_left_as_they_were(transcriber: Transcriber) -> None:
    clip = tone()
    before = clip.samples.copy()
    transcriber.transcribe([clip], lang=lang_of(transcriber))
    assert np.array_equal(clip.samples, before)
