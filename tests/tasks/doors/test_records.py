"""Files of items: an array, an object around one, or lines, whatever the suffix says."""

from pathlib import Path

import pytest

from voicebench.errors import UserError
from voicebench.tasks.doors.records import records


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('[{"a": 1}, {"a": 2}]', [("f#0", {"a": 1}), ("f#1", {"a": 2})]),
        ('{"a": 1}\n\n{"a": "क"}\n', [("f:1", {"a": 1}), ("f:3", {"a": "क"})]),
        ('{"items": [{"a": 1}]}', [("f#0", {"a": 1})]),
        ('{"a": 1}', [("f#0", {"a": 1})]),
        ('\ufeff[{"a": 1}]', [("f#0", {"a": 1})]),
        ("[]", []),
        ("", []),
    ],
)
def test_each_form_is_read(tmp_path: Path, text: str, found: list[object]) -> None:
    path = tmp_path / "f.json"
    path.write_text(text, encoding="utf-8")
    assert list(records(path, "f", inside="items")) == found


@pytest.mark.parametrize("text", ["[1]", "not json", '{"a": 1}\n{"b"', "7"])
def test_anything_else_is_a_mistake_with_its_place(tmp_path: Path, text: str) -> None:
    path = tmp_path / "f.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=r"^f[:#]\d"):
        list(records(path, "f"))


def test_another_encoding_is_a_mistake(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    path.write_bytes('["é"]'.encode("latin-1"))
    with pytest.raises(UserError, match="f: not UTF-8"):
        list(records(path, "f"))
