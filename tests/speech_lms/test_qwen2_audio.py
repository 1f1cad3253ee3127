"""Qwen2-Audio: real processor and model class, tiny random weights."""

from pathlib import Path

import pytest

from tests.agent_requests import tone
from tests.speech_lms import tiny
from voicebench.registry import find, load
from voicebench.types import Message
from voicebench_speech_lms.qwen2_audio import Qwen2Audio

pytest.importorskip("torch")
pytest.importorskip("transformers")


@pytest.fixture(scope="module")
def lm(tmp_path_factory: pytest.TempPathFactory) -> Qwen2Audio:
    folder = tmp_path_factory.mktemp("qwen2-audio")
    tiny.qwen2_audio(folder)
    made: Qwen2Audio = load(find("agent", "qwen2-audio"), path=folder)
    return made


def test_the_record_and_the_class_say_the_same() -> None:
    record = find("agent", "qwen2-audio")
    assert (record.memory_mb, record.longest_audio_s) == (Qwen2Audio.memory_mb, Qwen2Audio.longest_clip_s)
    assert record.hears == "several clips"
    assert record.weights == (Qwen2Audio.name,)


def test_several_clips_of_a_conversation_are_heard(lm: Qwen2Audio) -> None:
    chat = [
        Message("system", "Call tools."),
        Message("user", "", tone(seconds=0.5)),
        Message("assistant", "कहाँ?"),
        Message("user", "", tone(300, seconds=1.0)),
    ]
    usage = list(lm.complete(chat, max_tokens=4))[-1].usage
    # 0.5 s are 12 tokens, 1 s are 25.
    assert usage["audio_input_tokens"] == 37


def test_a_model_of_the_users_has_no_revision(tmp_path: Path, lm: Qwen2Audio) -> None:
    assert lm.model.name == "qwen2-audio"
    assert lm.model.revision is None
