"""What an audio folder says of itself."""

import json
from pathlib import Path

import pytest

from voicebench.running.materials import read_materials


@pytest.mark.parametrize(
    ("voices", "reason"),
    [
        (None, None),
        ({}, None),
        ({"hi": {"encoder": "d-vector"}}, None),
        ({"en": {"encoder_reason": None}, "hi": {"encoder_reason": "no ecapa here"}}, "no ecapa here"),
        ([1], None),
    ],
)
def test_the_reason_for_the_encoder_is_read_where_it_is_given(
    tmp_path: Path, voices: object, reason: str | None
) -> None:
    (tmp_path / "manifest.jsonl").touch()
    if voices is not None:
        (tmp_path / "voices.json").write_text(json.dumps(voices), encoding="utf-8")
    assert read_materials(tmp_path).encoder_reason == reason


def test_a_broken_voices_file_gives_no_reason(tmp_path: Path) -> None:
    (tmp_path / "manifest.jsonl").touch()
    (tmp_path / "voices.json").write_text("{", encoding="utf-8")
    assert read_materials(tmp_path).encoder_reason is None
