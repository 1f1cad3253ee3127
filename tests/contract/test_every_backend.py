"""Every backend meets its seam's contract tests, or the reason why it cannot stands here."""

from typing import get_args

import pytest

from tests.contract import (
    test_agents,
    test_converters,
    test_language_models,
    test_sentence_encoders,
    test_speaker_encoders,
    test_speech_lms,
    test_synthesizers,
    test_transcribers,
)
from tests.example_package import example_records
from voicebench.backends import RECORDS
from voicebench.registry import Kind, Record

TABLES: dict[Kind, set[str]] = {
    "tts": set(test_synthesizers.MAKERS),
    "converter": set(test_converters.MAKERS),
    "encoder": set(test_speaker_encoders.MAKERS),
    "asr": {name.partition(":")[0] for name in test_transcribers.MAKERS},
    "llm": {"qwen3-8b" if name == "qwen3" else name for name in test_language_models.MAKERS},
    "embedder": set(test_sentence_encoders.MAKERS),
    "agent": {*test_agents.NAMES, *test_speech_lms.MAKERS},
}
# By class, for several records share one: whatever Whisper, one of them runs.
NOT_HERE = {
    "voicebench_tts.ecapa:Ecapa": "its weights are in no package; tests/tts/test_ecapa.py has tiny ones",
    "voicebench_speech_lms.kimi_audio:KimiAudio": "kimia_infer wants a GPU and an environment of its own",
}


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: f"{record.kind}-{record.name}")
def test_a_backend_of_each_class_meets_the_contract(record: Record) -> None:
    met = {
        other.target for other in RECORDS if other.kind == record.kind and other.name in TABLES[record.kind]
    }
    assert record.target in met | set(NOT_HERE), (
        f"add {record.kind} {record.name} to the contract tests of its seam, or to NOT_HERE with the reason"
    )
    assert record.target not in met & set(NOT_HERE), f"{record.name} is tested: its reason is out of date"


def test_every_reason_is_of_a_backend_that_there_is() -> None:
    assert set(NOT_HERE) <= {record.target for record in RECORDS}


@pytest.mark.parametrize("kind", get_args(Kind))
def test_every_name_in_the_contract_tests_is_a_backend(kind: Kind) -> None:
    parts = {part for name in TABLES[kind] for part in name.split("+")}
    known = {record.name for record in (*RECORDS, *example_records())}
    assert parts <= known | {"retrieve:fake"}
