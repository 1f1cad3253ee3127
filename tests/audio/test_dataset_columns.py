import json
import sys

import pytest

from tests.audio.clip_folders import NOISE, clip, task
from voicebench.audio.dataset_columns import COLUMNS, Item, arrow, schema, values_of
from voicebench.errors import MissingExtraError, UserError
from voicebench.types import ModelRef


def test_every_column_has_its_value() -> None:
    asked = task(3, "hi")
    row, data = clip(
        asked, "speech/noise-10dB", converter=ModelRef(name="world", revision="w1"),
        encoder=ModelRef(name="d-vector"),
    )  # fmt: skip
    assert values_of(Item(row, asked), data) == {
        "id": "single-hi-0003/0/speech/noise-10dB",
        "audio": {"bytes": data, "path": f"{row.sha256[:16]}.wav"},
        "task_id": "single-hi-0003",
        "task": "single",
        "turn": 0,
        "condition": "speech/noise-10dB",
        "lang": "hi",
        "text": "3 गाने चलाओ",
        "spoken_text": "said: 3 गाने चलाओ",
        "voice_id": "alpha",
        "voice_source": "kokoro",
        "voice_licence": "Apache-2.0",
        "synthesizer": "kokoro",
        "synthesizer_revision": "k1",
        "converter": "world",
        "converter_revision": "w1",
        "encoder": "d-vector",
        "encoder_revision": None,
        "effects": json.dumps([NOISE]),
        "seed": 7,
        "sample_rate_hz": 16000,
        "duration_s": 0.5,
        "checks": json.dumps(row.checks),
        "sha256": row.sha256,
    }


def test_the_values_are_those_of_the_columns() -> None:
    assert values_of(Item(*clip(task(1, "th"))[:1]), b"").keys() == COLUMNS.keys()


def test_what_is_not_known_is_null() -> None:
    row, data = clip(task(1, "ta"), voice=None)
    values = values_of(Item(row), data)
    unknown = {name for name, value in values.items() if value is None}
    assert unknown == {
        "task", "text", "voice_id", "voice_source", "voice_licence", "converter", "converter_revision",
        "encoder", "encoder_revision",
    }  # fmt: skip


def test_a_turn_that_the_task_does_not_have_has_no_text() -> None:
    asked = task(1, "en")
    assert Item(clip(asked, turn=1)[0], asked).text is None
    assert Item(clip(asked, turn=-1)[0], asked).text is None


def test_a_half_surrogate_becomes_a_question_mark() -> None:
    row, data = clip(task(1, "en"), spoken_text="a\ud800b")
    assert values_of(Item(row), data)["spoken_text"] == "a?b"


def test_a_seed_beyond_64_bits_is_an_error() -> None:
    row, data = clip(task(1, "en"), seed=1 << 63)
    with pytest.raises(UserError, match="single-en-0001/0/speech: the seed 9223372036854775808"):
        values_of(Item(row), data)


def test_hugging_face_is_told_the_type_of_every_column() -> None:
    pytest.importorskip("pyarrow")
    made = schema(16000)
    features = json.loads(made.metadata[b"huggingface"])["info"]["features"]
    assert features.pop("audio") == {"sampling_rate": 16000, "_type": "Audio"}
    assert all(feature["_type"] == "Value" for feature in features.values())
    assert [str(made.field(name).type) for name in ("audio", "text", "turn", "seed", "duration_s")] == [
        "struct<bytes: binary, path: string>", "string", "int32", "int64", "double",
    ]  # fmt: skip
    assert made.names == list(COLUMNS)


def test_without_pyarrow_the_error_is_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"no package 'pyarrow'\). Run: pip install .*\[export\]"):
        arrow()
