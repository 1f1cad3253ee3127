"""Audio Flamingo 3: real processor and model class, tiny random weights."""

from typing import Any

import pytest

from tests.agent_requests import tone
from tests.speech_lms import tiny
from voicebench.errors import AgentFailure
from voicebench.registry import find, load
from voicebench.types import Message, Part
from voicebench_speech_lms.audio_flamingo import AudioFlamingo

pytest.importorskip("torch")
pytest.importorskip("transformers")


@pytest.fixture(scope="module")
def lm(tmp_path_factory: pytest.TempPathFactory) -> AudioFlamingo:
    folder = tmp_path_factory.mktemp("audio-flamingo-3")
    tiny.audio_flamingo(folder)
    made: AudioFlamingo = load(find("agent", "audio-flamingo-3"), path=folder)
    return made


def ask(lm: AudioFlamingo, *messages: Message, **options: Any) -> list[Part]:
    return list(lm.complete(messages, **{"max_tokens": 12, **options}))


def text(parts: list[Part]) -> str:
    return "".join(part.text for part in parts)


def test_the_record_and_the_class_say_the_same() -> None:
    record = find("agent", "audio-flamingo-3")
    said = (record.memory_mb, record.longest_audio_s)
    assert said == (AudioFlamingo.memory_mb, AudioFlamingo.longest_clip_s)
    assert (record.hears, AudioFlamingo.most_clips) == ("one clip", 1)
    assert record.weights == (AudioFlamingo.name,)


def test_it_hears_the_last_turn_and_reads_the_earlier_ones(lm: AudioFlamingo) -> None:
    chat = [
        Message("system", "Call tools."),
        Message("user", "டாக்சி வேண்டும்"),
        Message("assistant", "எங்கே?"),
        Message("user", "", tone(seconds=0.5)),
    ]
    parts = ask(lm, *chat)
    assert parts[-1].usage["audio_input_tokens"] == 12
    assert text(parts)


def test_two_clips_are_one_too_many(lm: AudioFlamingo) -> None:
    clip = Message("user", "", tone())
    with pytest.raises(AgentFailure, match=r"^2 clips in a conversation; audio-flamingo-3 hears 1") as failed:
        ask(lm, clip, Message("assistant", "?"), clip)
    assert failed.value.kind == "unsupported"


def test_a_clip_of_several_windows_is_one_clip(lm: AudioFlamingo) -> None:
    # Two windows of 2 s and one of 1 s: 500 frames together, 250, 125.
    assert ask(lm, Message("user", "", tone(seconds=5.0)))[-1].usage["audio_input_tokens"] == 125


def test_a_clip_cut_by_the_processor_is_noticed(lm: AudioFlamingo) -> None:
    with pytest.raises(AgentFailure, match=r"^6\.00 s of 6\.50 s of sound") as failed:
        ask(lm, Message("user", "", tone(seconds=6.5)))
    assert failed.value.kind == "audio"


def test_another_sound_has_another_answer(lm: AudioFlamingo) -> None:
    low, high = (text(ask(lm, Message("user", "", tone(hertz)))) for hertz in (200, 1500))
    assert low != high
    assert low == text(ask(lm, Message("user", "", tone(200))))


def test_it_reads_words_alone(lm: AudioFlamingo) -> None:
    parts = ask(lm, Message("user", "घर चलो"))
    assert text(parts)
    assert "audio_input_tokens" not in parts[-1].usage
