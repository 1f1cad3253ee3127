"""What every transcriber must do. A new one adds a line to `MAKERS`."""

from collections.abc import Callable

import numpy as np
import pytest

from tests.agent_requests import tone
from voicebench.fakes import FakeTranscriber
from voicebench.protocols import Transcriber
from voicebench.registry import find, load
from voicebench.types import Audio

MAKERS: dict[str, Callable[[], Transcriber]] = {
    "fake": FakeTranscriber,
    "whisper-tiny.en": lambda: load(find("asr", "whisper-tiny.en"), offline_first=True),
}
WEIGHTS = {"whisper-tiny.en": ("faster_whisper",)}


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=[pytest.mark.weights] if name in WEIGHTS else []) for name in MAKERS],
)
def transcriber(request: pytest.FixtureRequest) -> Transcriber:
    for package in WEIGHTS.get(request.param, ()):
        pytest.importorskip(package)
    return MAKERS[request.param]()


def test_it_names_its_model_and_revision(transcriber: Transcriber) -> None:
    assert transcriber.model.name
    assert transcriber.model.revision


def test_no_clips_give_no_transcripts(transcriber: Transcriber) -> None:
    assert transcriber.transcribe([], lang="en") == []


def test_there_is_one_transcript_a_clip_in_their_order(transcriber: Transcriber) -> None:
    clips = [tone(seconds=0.3), tone(seconds=0.2, rate_hz=8_000), tone(seconds=0.1, rate_hz=44_100)]
    heard = transcriber.transcribe(clips, lang="en")
    assert len(heard) == 3
    assert all(item.seconds >= 0 and item.lang == "en" and item.text == item.text.strip() for item in heard)


@pytest.mark.parametrize("samples", [0, 1, 8_000])
def test_silence_is_heard_as_nothing(transcriber: Transcriber, samples: int) -> None:
    [heard] = transcriber.transcribe([Audio(np.zeros(samples, np.float32), 16_000)], lang="en")
    assert heard.text == ""


def test_a_clip_is_heard_the_same_alone_and_among_others(transcriber: Transcriber) -> None:
    clip, other = tone(220), tone(880, seconds=0.2)
    [alone] = transcriber.transcribe([clip], lang="en")
    [_, among] = transcriber.transcribe([other, clip], lang="en")
    assert alone.text == among.text


def test_the_clips_are_left_as_they_were(transcriber: Transcriber) -> None:
    clip = tone()
    before = clip.samples.copy()
    transcriber.transcribe([clip], lang="en")
    assert np.array_equal(clip.samples, before)
