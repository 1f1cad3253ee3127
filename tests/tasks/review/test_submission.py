"""The file that the page saves: read back, or an error that says what is wrong with it."""

import json
from pathlib import Path
from typing import Any

import pytest

from voicebench.errors import UserError
from voicebench.tasks.review.submission import Filled, read_submissions

FILE: dict[str, Any] = {
    "format": "voicebench-review/1",
    "lang": "ta",
    "page": "ff00",
    "reviewer": {"alias": " வேம்பு ", "native": True},
    "items": [
        {"id": "a", "seen": "1", "verdict": "change", "corrected": {"turns.0": "க்\u200cஷ"}, "notes": " n "},
        {"id": "b", "seen": "2"},
    ],
}


def read(folder: Path, data: Any) -> Any:
    path = folder / "review-ta.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return read_submissions([path])[0]


def test_a_saved_file_is_read_back(tmp_path: Path) -> None:
    found = read(tmp_path, FILE)
    assert (found.lang, found.alias, found.native) == ("ta", "வேம்பு", True)
    first, second = found.items
    assert (first.verdict, first.corrected, first.notes) == ("change", {"turns.0": "க்\u200cஷ"}, "n")
    assert second.is_open


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "voicebench-ratings/1"}, "holds no corrections"),
        ({"reviewer": {"alias": " "}}, "names no reviewer"),
        ({"reviewer": {"alias": "a", "nativ": True}}, "unknown key 'reviewer.nativ'. Did you mean 'native'?"),
        (
            {"items": [{"id": "a", "seen": "1", "verdict": "okay"}]},
            "item 1: verdict 'okay' is unknown. Did you mean 'ok'?",
        ),
        ({"items": [{"id": "a", "seen": "1"}] * 2}, "item 2: a stands twice, also at"),
    ],
)
def test_a_wrong_file_is_the_users_mistake(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError) as error:
        read(tmp_path, FILE | change)
    assert message in str(error.value)


@pytest.mark.parametrize("text", ["", "[]", "{", "\ufeff[1]"])
def test_what_is_no_object_is_the_users_mistake(tmp_path: Path, text: str) -> None:
    with pytest.raises(UserError, match=r"review-ta\.json: "):
        read(tmp_path, text)


def test_ok_with_corrections_counts_as_a_change() -> None:
    assert Filled("w", "a", "1", "ok", {"turns.0": "x"}).meant == "change"
    assert Filled("w", "a", "1", "ok", added={"calls.0.a": "x"}).meant == "change"
    assert Filled("w", "a", "1", "ok").meant == "ok"
    assert Filled("w", "a", "1", "drop", {"turns.0": "x"}).meant == "drop"
